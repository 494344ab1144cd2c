//! Openings: every one is played twice, with colours swapped, so that neither engine gains by it.

use crate::board::{Board, Color, Move, Point, Size};
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
    fn given_openings_come_round() {
        let given = Openings::Given(vec![vec![], Openings::Random(1).pick(0, Size::STANDARD, 1)]);
        assert_eq!(given.pick(0, Size::STANDARD, 1), given.pick(2, Size::STANDARD, 1));
        assert_eq!(given.pick(3, Size::STANDARD, 1).len(), 1);
    }
}
