//! Books out of game records.

use std::collections::HashSet;
use std::path::PathBuf;

use rayon::prelude::*;

use super::{Book, Figures, Page, Spot};
use crate::board::{Color, Size};
use crate::rules::Rules;
use crate::sgf::{self, GameResult, NoRecords, Record, Replay};
use crate::util::StopFlag;

/// Of what a book is made.
#[derive(Clone, Debug)]
pub struct Task {
    /// Files and folders of games: SGF, or tables (`.tsv`, `.tsv.gz`).
    pub games: Vec<PathBuf>,
    /// How many moves of each game are looked at.
    pub moves: usize,
    /// Fewest games in which a move was played for it to be kept.
    pub least: u32,
    /// The board, if only games on one are wanted.
    pub size: Option<Size>,
    /// Rules of games that do not name theirs.
    pub rules: Rules,
    /// Komi of games that do not tell it; without one they are left out.
    pub komi: Option<f32>,
}

/// What came of the games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Built {
    /// The book.
    pub book: Book,
    /// Games in it.
    pub games: usize,
    /// Records that were there before.
    pub repeated: usize,
    /// Records that could not be read, or have no moves.
    pub broken: usize,
    /// Games on other boards.
    pub other_boards: usize,
    /// Games left out for want of a komi.
    pub no_komi: usize,
    /// Of the games in the book, those whose rules were assumed.
    pub no_rules: usize,
}

/// A move as it was played in one game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sighting {
    page: Page,
    spot: u64,
    point: u16,
    /// Whether who played it won, if somebody did.
    won: Option<bool>,
}

/// What a record gave.
enum Read {
    Game { fingerprint: u128, sightings: Vec<Sighting>, assumed: bool },
    OtherBoard,
    NoKomi,
    Empty,
}

/// Makes a book, or of the files so far if `stop` is set; `watch` is told each file before it is read.
///
/// # Errors
/// If a file or folder cannot be read. Broken games in it are only counted.
pub fn build(task: &Task, stop: &StopFlag, watch: &mut dyn FnMut(&std::path::Path)) -> Result<Built, NoRecords> {
    let mut built = Built::default();
    let (mut known, mut all) = (HashSet::new(), Vec::new());
    for file in sgf::find(&task.games)? {
        if stop.is_set() {
            break;
        }
        watch(&file);
        let visited = sgf::visit(&file, |record, _| read(task, record))?;
        built.broken += visited.broken;
        for read in visited.found {
            match read {
                Read::Game { fingerprint, sightings, assumed } if known.insert(fingerprint) => {
                    all.extend(sightings);
                    built.games += 1;
                    built.no_rules += usize::from(assumed);
                }
                Read::Game { .. } => built.repeated += 1,
                Read::OtherBoard => built.other_boards += 1,
                Read::NoKomi => built.no_komi += 1,
                Read::Empty => built.broken += 1,
            }
        }
    }
    // Most positions are of one game only: they are counted in order, so that those never take up a place in the book.
    all.par_sort_unstable();
    for group in all.chunk_by(|a, b| (a.page, a.spot, a.point) == (b.page, b.spot, b.point)) {
        let count = |won| group.iter().filter(|sighting| sighting.won == Some(won)).count() as u32;
        let figures = Figures { games: group.len() as u32, wins: count(true), losses: count(false) };
        if figures.games >= task.least {
            built.book.entry(group[0].page, group[0].spot, group[0].point).figures = figures;
        }
    }
    Ok(built)
}

/// The opening of a game: its moves until one is a pass, or the rules forbid it, or enough were seen.
fn read(task: &Task, record: &Record) -> Read {
    if task.size.is_some_and(|size| size != record.size) {
        return Read::OtherBoard;
    }
    let named = record.rules.as_deref().and_then(Rules::from_sgf);
    let rules = named.unwrap_or(task.rules);
    let komi = record.komi.or(task.komi).filter(|komi| komi.abs() <= MOST_KOMI);
    let Some(komi) = komi else { return Read::NoKomi };
    let mut replay = Replay::new(record, rules.with_komi(komi));
    let moves: Vec<_> = record.moves().take(task.moves).collect();
    let mut sightings = Vec::with_capacity(moves.len());
    for (color, mv) in moves {
        let position = replay.position();
        // Black's handicap stones that are played as moves are none of its choice.
        let in_turn = position.to_move() == color;
        let spot = Spot::of(position);
        let page = Page::of(position);
        let Some(point) = spot.there(mv) else { break };
        if !replay.advance().is_ok_and(|advanced| advanced) {
            break;
        }
        if in_turn {
            sightings.push(Sighting { page, spot: spot.hash(), point, won: won(record.result, color) });
        }
    }
    if sightings.is_empty() {
        return Read::Empty;
    }
    Read::Game { fingerprint: record.fingerprint(), sightings, assumed: named.is_none() }
}

/// Whether `color` won; nothing if nobody did, or it is not known.
fn won(result: GameResult, color: Color) -> Option<bool> {
    match result {
        GameResult::Win(winner, _) => Some(winner == color),
        _ => None,
    }
}

/// Points beyond which a komi is a mistake in the record.
const MOST_KOMI: f32 = 1000.0;
