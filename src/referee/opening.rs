//! Openings: every one is played twice, with colours swapped, so that neither engine gains by it.

use crate::board::{Board, Color, Move, Point, Size};
use crate::rules::{Position, Rules};
use crate::sgf::{self, Record, SgfError};
use crate::util::Rng;

/// The moves that a game begins with.
pub type Opening = Vec<(Color, Move)>;

/// How many random points are tried for a move that touches no stone before one that does is taken.
const TRIES: usize = 50;

/// Where the openings of a match come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// So many random moves, alternating, Black first.
    Random(usize),
    /// These, in turn, from the first again when they are used up. At least one.
    Given(Vec<Opening>),
}

impl Openings {
    /// The opening of a pair of games, the same on every run with the same seed.
    pub fn pick(&self, pair: usize, size: Size, seed: u64) -> Opening {
        match self {
            Self::Random(moves) => random(*moves, size, &mut Rng::for_stream(seed, pair)),
            Self::Given(openings) => openings[pair % openings.len()].clone(),
        }
    }
}

/// Why a file holds no openings for a match.
#[derive(Debug, thiserror::Error)]
pub enum BadOpenings {
    /// It cannot be read as SGF.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// One of its games cannot be played in this match.
    #[error("game {game}: {reason}")]
    Game {
        /// Which game of the file, from 1.
        game: usize,
        /// What is in the way.
        reason: String,
    },
}

impl Openings {
    /// The games of an SGF file, each to the end of its main line.
    ///
    /// # Errors
    /// If a game has another board, stones that were set up (GTP engines cannot be told those), illegal moves, or is over.
    pub fn read_sgf(bytes: &[u8], size: Size, rules: Rules) -> Result<Self, BadOpenings> {
        let collection = sgf::parse(bytes)?;
        let mut openings = Vec::new();
        for (number, tree) in collection.games.iter().enumerate() {
            let record = Record::from_tree(tree)?;
            let bad = |reason| BadOpenings::Game { game: number + 1, reason };
            openings.push(check(&record, size, rules).map_err(bad)?);
        }
        Ok(Self::Given(openings))
    }
}

/// The moves of a record, if a match can begin with them.
fn check(record: &Record, size: Size, rules: Rules) -> Result<Opening, String> {
    if record.size != size {
        return Err(format!("its board is {}, not {size}", record.size));
    }
    if record.steps.iter().any(|step| !step.setup.is_empty()) {
        return Err("it begins with set-up stones; an opening must be moves alone".to_owned());
    }
    let mut position = Position::new(size, rules);
    position.set_cleanup_played(false);
    for (color, mv) in record.moves() {
        position.play_as(color, mv).map_err(|illegal| illegal.to_string())?;
    }
    if position.is_over() {
        return Err("it is over; cut it after the opening".to_owned());
    }
    Ok(record.moves().collect())
}

/// Random moves as a person might begin: away from the edge, on the third line or above where the board has room for it, and not
/// in contact with another stone.
fn random(moves: usize, size: Size, rng: &mut Rng) -> Opening {
    let mut board = Board::new(size);
    let shorter = size.width().min(size.height());
    let margin = if shorter >= 7 { 2 } else { usize::from(shorter >= 5) };
    let mut opening = Opening::new();
    for color in Color::ALL.into_iter().cycle().take(moves) {
        let Some(point) = random_point(&board, color, margin, rng) else { break };
        board.play(color, point);
        opening.push((color, Move::from(point)));
    }
    opening
}

fn random_point(board: &Board, color: Color, margin: usize, rng: &mut Rng) -> Option<Point> {
    let size = board.size();
    let inside = |side: usize, rng: &mut Rng| margin + rng.below(side - 2 * margin);
    let mut last = None;
    for _ in 0..TRIES {
        let (x, y) = (inside(size.width(), rng), inside(size.height(), rng));
        let Some(point) = size.point(x, y).filter(|&point| board.is_legal(color, point)) else { continue };
        last = Some(point);
        if around(size, x, y).all(|point| board.is_empty(point)) {
            break;
        }
    }
    last
}

/// The points of the 3x3 square around a point that lie on the board.
fn around(size: Size, x: usize, y: usize) -> impl Iterator<Item = Point> {
    let near = |at: usize| at.saturating_sub(1)..=at + 1;
    near(y).flat_map(move |y| near(x).filter_map(move |x| size.point(x, y)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Openings;
    use crate::board::{Color, Size};
    use crate::rules::Rules;

    #[test]
    fn random_openings_are_off_the_edge_apart_and_repeatable() {
        let size = Size::square(9).unwrap();
        let openings = Openings::Random(4);
        let mut seen = HashSet::new();
        for pair in 0..200 {
            let opening = openings.pick(pair, size, 7);
            assert_eq!(opening, openings.pick(pair, size, 7));
            let coords: Vec<_> = opening.iter().map(|(_, mv)| size.coord(mv.point().unwrap())).collect();
            assert_eq!(coords.len(), 4);
            assert_eq!(opening.iter().map(|(color, _)| *color).collect::<Vec<_>>()[..2], Color::ALL);
            for (i, a) in coords.iter().enumerate() {
                assert!((2..7).contains(&a.x) && (2..7).contains(&a.y));
                let apart = |a: u8, b: u8| a.abs_diff(b) > 1;
                assert!(i > 1 || coords[..i].iter().all(|b| apart(a.x, b.x) || apart(a.y, b.y)), "{coords:?}");
            }
            seen.insert(opening);
        }
        assert!(seen.len() > 190);
    }

    #[test]
    fn small_boards_fill_up_without_end() {
        for (width, height) in [(2, 2), (2, 25), (5, 5), (7, 3)] {
            let size = Size::new(width, height).unwrap();
            assert!(!Openings::Random(3).pick(0, size, 1).is_empty());
            let _ = Openings::Random(1000).pick(1, size, 1);
        }
    }

    #[test]
    fn openings_out_of_a_file() {
        let size = Size::square(9).unwrap();
        let read = |text: &str| Openings::read_sgf(text.as_bytes(), size, Rules::default());
        let Openings::Given(openings) = read("(;SZ[9];B[ee];W[ec](;B[gc])(;B[cc]))(;SZ[9];B[cc];B[gg])").unwrap() else {
            panic!("a file gives openings")
        };
        let names = |moves: &super::Opening| moves.iter().map(|&(_, mv)| size.vertex(mv)).collect::<Vec<_>>();
        assert_eq!(openings.iter().map(names).collect::<Vec<_>>(), [vec!["E5", "E7", "G7"], vec!["C7", "G3"]]);
        for (text, reason) in [
            ("chess", "no game"),
            ("(;SZ[9];B[ee])(;SZ[13];B[ee])", "game 2: its board is 13x13"),
            ("(;SZ[9]AB[ee])", "set-up"),
            ("(;SZ[9];B[ee];W[ee])", "illegal"),
            ("(;SZ[9];B[ee];W[];B[])", "it is over"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn given_openings_come_round() {
        let given = Openings::Given(vec![vec![], Openings::Random(1).pick(0, Size::STANDARD, 1)]);
        assert_eq!(given.pick(0, Size::STANDARD, 1), given.pick(2, Size::STANDARD, 1));
        assert_eq!(given.pick(3, Size::STANDARD, 1).len(), 1);
    }
}
