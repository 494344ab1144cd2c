//! Opening books: which moves were played in a position, how often, and with what luck.
//!
//! A position is known by its stones, who is to move and the point that a ko bars, however the board is turned ([`Spot`]). Statistics of games that
//! differ in what a move is worth do not mix: a [`Page`] holds those of one board, one way of scoring and one komi, and a game reads the pages within
//! one point of its own komi. Moves that people mark by hand are played, or never played, whatever the figures say.

mod build;
mod choose;
mod file;
mod spot;

use std::collections::BTreeMap;

pub use build::{Built, Task, build};
pub use choose::chances;
pub use file::BadBook;
pub use spot::Spot;

use crate::board::{Move, Size};
use crate::rules::{Position, Rules, Scoring};

/// How far a page's komi may be from the game's.
const KOMI_REACH: f32 = 1.0;

/// What games have in common that share statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// The longer side of the board.
    width: u8,
    /// The shorter one.
    height: u8,
    /// Whether prisoners count.
    territory: bool,
    /// Twice what White gets for moving second, and for a handicap.
    half_points: i16,
}

impl Page {
    /// That of a game; its komi is rounded to half points.
    pub fn of(position: &Position) -> Self {
        let (size, rules) = (position.size(), position.rules());
        Self {
            width: size.width().max(size.height()) as u8,
            height: size.width().min(size.height()) as u8,
            territory: rules.scoring == Scoring::Territory,
            half_points: (2.0 * compensation(position)).round() as i16,
        }
    }

    /// The board, lying on its longer side.
    pub fn size(self) -> Size {
        Size::new(self.width.into(), self.height.into()).expect("the sides are those of a board")
    }

    /// What counts.
    pub fn scoring(self) -> Scoring {
        if self.territory { Scoring::Territory } else { Scoring::Area }
    }

    /// What White gets for moving second, and for a handicap.
    pub fn komi(self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    /// True if a game in `position` may read it.
    fn serves(self, position: &Position) -> bool {
        let alike = Self { half_points: self.half_points, ..Self::of(position) } == self;
        alike && (self.komi() - compensation(position)).abs() <= KOMI_REACH
    }
}

/// What White gets for moving second, and for a handicap.
fn compensation(position: &Position) -> f32 {
    let rules: &Rules = position.rules();
    rules.komi + rules.handicap_bonus.points(position.handicap_stones()) as f32
}

/// What a person says of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing: the figures decide.
    #[default]
    None,
    /// It is played rather than any move without this mark.
    Play,
    /// It is never played.
    Avoid,
}

/// How often a move was played, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Games in which it was played.
    pub games: u32,
    /// Of these, how many who played it won.
    pub wins: u32,
    /// And how many they lost. What is left was drawn, or its result is not known.
    pub losses: u32,
}

impl Figures {
    fn add(&mut self, more: Self) {
        // Four thousand million games say all that more could.
        let Some(games) = self.games.checked_add(more.games) else { return };
        *self = Self { games, wins: self.wins + more.wins, losses: self.losses + more.losses };
    }

    /// Share of the games won, of those that somebody won; nothing if there is none.
    pub fn won(self) -> Option<f32> {
        let decided = self.wins as f32 + self.losses as f32;
        (decided > 0.0).then(|| self.wins as f32 / decided)
    }
}

/// A move of the book in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its statistics.
    pub figures: Figures,
    /// What a person said of it.
    pub mark: Mark,
}

/// A move as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// Row-major number of the point on the turned board (see [`Spot`]).
    point: u16,
    figures: Figures,
    mark: Mark,
}

/// The moves of a position, by their points.
type Entries = Vec<Entry>;

/// An opening book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    pages: BTreeMap<Page, BTreeMap<u64, Entries>>,
}

impl Book {
    /// The pages, each with its numbers of positions and of moves.
    pub fn pages(&self) -> impl Iterator<Item = (Page, usize, usize)> {
        self.pages.iter().map(|(&page, spots)| (page, spots.len(), spots.values().map(Vec::len).sum()))
    }

    /// The moves of a position that the rules allow, the most played first. None once a player has passed, as the opening is over then.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        if position.is_over() || position.passes() > 0 {
            return Vec::new();
        }
        let spot = Spot::of(position);
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in self.near(position).filter_map(|page| self.pages[&page].get(&spot.hash())).flatten() {
            let Some(mv) = spot.here(entry.point) else { continue };
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => {
                    known.figures.add(entry.figures);
                    known.mark = if known.mark == Mark::None { entry.mark } else { known.mark };
                }
                None => moves.push(BookMove { mv, figures: entry.figures, mark: entry.mark }),
            }
        }
        moves.retain(|known| position.is_legal(known.mv));
        moves.sort_by_key(|known| (std::cmp::Reverse(known.figures.games), known.mv));
        moves
    }

    /// The pages that a game reads, that of the nearest komi first.
    fn near(&self, position: &Position) -> impl Iterator<Item = Page> + use<> {
        let mut near: Vec<Page> = self.pages.keys().copied().filter(|page| page.serves(position)).collect();
        let distance = |page: &Page| (page.komi() - compensation(position)).abs();
        near.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        near.into_iter()
    }

    /// Marks a move of a position, which the book need not know. False if it is a pass, or the rules forbid it.
    pub fn mark(&mut self, position: &Position, mv: Move, mark: Mark) -> bool {
        let spot = Spot::of(position);
        let Some(point) = spot.there(mv).filter(|_| position.is_legal(mv)) else { return false };
        for page in self.near(position) {
            let entries = self.pages.get_mut(&page).and_then(|spots| spots.get_mut(&spot.hash()));
            entries.into_iter().flatten().filter(|entry| entry.point == point).for_each(|entry| entry.mark = Mark::None);
        }
        if mark != Mark::None {
            self.entry(Page::of(position), spot.hash(), point).mark = mark;
        }
        // A move that was only marked is nothing without its mark.
        self.prune(1);
        true
    }

    /// Takes a move of a position out, or all its moves; says how many entries went.
    pub fn remove(&mut self, position: &Position, mv: Option<Move>) -> usize {
        let spot = Spot::of(position);
        let point = mv.map(|mv| spot.there(mv));
        let mut removed = 0;
        for page in self.near(position) {
            let Some(entries) = self.pages.get_mut(&page).and_then(|spots| spots.get_mut(&spot.hash())) else { continue };
            let before = entries.len();
            entries.retain(|entry| point.is_some_and(|point| point != Some(entry.point)));
            removed += before - entries.len();
        }
        self.tidy();
        removed
    }

    /// Adds all of another book. Where both mark a move, the other's mark stays.
    pub fn merge(&mut self, other: &Self) {
        for (&page, spots) in &other.pages {
            for (&hash, entries) in spots {
                for entry in entries {
                    let known = self.entry(page, hash, entry.point);
                    known.figures.add(entry.figures);
                    known.mark = if entry.mark == Mark::None { known.mark } else { entry.mark };
                }
            }
        }
    }

    /// Takes out what was played in fewer than `least` games and is not marked.
    pub fn prune(&mut self, least: u32) {
        for entries in self.pages.values_mut().flat_map(BTreeMap::values_mut) {
            entries.retain(|entry| entry.figures.games >= least || entry.mark != Mark::None);
        }
        self.tidy();
    }

    /// Takes out positions without moves, and pages without positions.
    fn tidy(&mut self) {
        self.pages.values_mut().for_each(|spots| spots.retain(|_, entries| !entries.is_empty()));
        self.pages.retain(|_, spots| !spots.is_empty());
    }

    fn entry(&mut self, page: Page, hash: u64, point: u16) -> &mut Entry {
        let entries = self.pages.entry(page).or_default().entry(hash).or_default();
        let at = entries.binary_search_by_key(&point, |entry| entry.point).unwrap_or_else(|at| {
            entries.insert(at, Entry { point, figures: Figures::default(), mark: Mark::None });
            at
        });
        &mut entries[at]
    }
}

#[cfg(test)]
mod tests;
