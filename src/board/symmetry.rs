//! The eight ways to turn and mirror a board. They make no difference to the game: what a network says of each is the same but for rounding and its
//! own errors, so a search may pick one at random or average them, and an opening book keeps one page for all.

use super::zobrist::KEYS;
use super::{Board, Coord, Size};

/// One of the eight symmetries of the square, as three bits: 1 flips y, 2 flips x, 4 transposes, in that order.
///
/// It turns the board, not the tensor that holds it: a turned board lies in the upper left corner too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

const FLIP_Y: u8 = 1;
const FLIP_X: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Symmetry {
    /// Leaves the board as it is.
    pub const IDENTITY: Self = Self(0);

    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The symmetry with these three bits, KataGo's number for it; nothing from 8 on.
    pub fn from_bits(bits: u8) -> Option<Self> {
        (bits < 8).then_some(Self(bits))
    }

    /// Its three bits.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The symmetry as far as it fits into `tensor`: if that is no square, without the transposition.
    pub fn within(self, tensor: Size) -> Self {
        if tensor.width() == tensor.height() { self } else { Self(self.0 & !TRANSPOSE) }
    }

    /// The symmetry that turns back.
    pub fn inverse(self) -> Self {
        // Flipping y and transposing is transposing and flipping x.
        match self.0 {
            5 => Self(6),
            6 => Self(5),
            other => Self(other),
        }
    }

    /// The size of a turned board.
    pub fn size(self, board: Size) -> Size {
        if self.0 & TRANSPOSE == 0 {
            return board;
        }
        Size::new(board.height(), board.width()).expect("the sides of a board are sides of a board")
    }

    /// Where a point of `board` comes to lie.
    pub fn turn(self, board: Size, coord: Coord) -> Coord {
        let Coord { mut x, mut y } = coord;
        if self.0 & FLIP_Y != 0 {
            y = board.height() as u8 - 1 - y;
        }
        if self.0 & FLIP_X != 0 {
            x = board.width() as u8 - 1 - x;
        }
        if self.0 & TRANSPOSE != 0 { Coord { x: y, y: x } } else { Coord { x, y } }
    }

    /// Which point of `board` comes to lie at `turned`.
    pub fn turn_back(self, board: Size, turned: Coord) -> Coord {
        self.inverse().turn(self.size(board), turned)
    }

    /// The [`Board::hash`] of the turned board.
    pub fn hash(self, board: &Board) -> u64 {
        let (size, turned) = (board.size(), self.size(board.size()));
        let key = |point| {
            let color = board.stone(point)?;
            Some(KEYS[color.index()][turned.at(self.turn(size, size.coord(point)))?.index()])
        };
        size.points().filter_map(key).fold(0, |hash, key| hash ^ key)
    }

    /// Where each point of `board` lies in a tensor `width` columns wide once it is turned: the row-major numbers, in the order of
    /// [`Size::points`].
    pub fn places(self, board: Size, width: usize) -> impl Iterator<Item = usize> + Clone {
        board.points().map(move |point| {
            let Coord { x, y } = self.turn(board, board.coord(point));
            y as usize * width + x as usize
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Symmetry;
    use crate::board::{Board, Color, Coord, Size};

    #[test]
    fn turning_back_undoes_turning() {
        let board = Size::new(5, 7).unwrap();
        for symmetry in Symmetry::ALL {
            let turned = symmetry.size(board);
            for coord in board.points().map(|point| board.coord(point)) {
                let there = symmetry.turn(board, coord);
                assert!(turned.at(there).is_some());
                assert_eq!(symmetry.turn_back(board, there), coord);
            }
            assert_eq!(symmetry.inverse().inverse(), symmetry);
            assert_eq!(Symmetry::from_bits(symmetry.bits()), Some(symmetry));
        }
        assert_eq!(Symmetry::from_bits(8), None);
    }

    #[test]
    fn hashes_are_those_of_turned_boards() {
        let size = Size::new(5, 7).unwrap();
        let stones = [(0, 0, Color::Black), (1, 2, Color::White), (4, 6, Color::Black), (3, 0, Color::White)];
        let mut board = Board::new(size);
        board.set_up(&stones.map(|(x, y, color)| (size.point(x, y).unwrap(), Some(color)))).unwrap();
        for symmetry in Symmetry::ALL {
            let mut turned = Board::new(symmetry.size(size));
            let there = |x, y| turned.size().at(symmetry.turn(size, Coord { x, y })).unwrap();
            let moved = stones.map(|(x, y, color)| (there(x as u8, y as u8), Some(color)));
            turned.set_up(&moved).unwrap();
            assert_eq!(symmetry.hash(&board), turned.hash());
        }
    }

    #[test]
    fn flips_come_before_the_transposition() {
        let board = Size::new(5, 7).unwrap();
        let turned = |bits| Symmetry::from_bits(bits).unwrap().turn(board, Coord { x: 1, y: 2 });
        let expected = [(1, 2), (1, 4), (3, 2), (3, 4), (2, 1), (4, 1), (2, 3), (4, 3)];
        for (bits, (x, y)) in expected.into_iter().enumerate() {
            assert_eq!(turned(bits as u8), Coord { x, y }, "symmetry {bits}");
        }
    }

    #[test]
    fn places_are_distinct_and_within_the_turned_board() {
        let board = Size::new(3, 4).unwrap();
        for symmetry in Symmetry::ALL {
            let places: HashSet<usize> = symmetry.places(board, 5).collect();
            assert_eq!(places.len(), board.area());
            let turned = symmetry.size(board);
            assert!(places.iter().all(|place| place % 5 < turned.width() && place / 5 < turned.height()));
        }
        assert_eq!(Symmetry::IDENTITY.places(board, 5).nth(4), Some(6));
    }

    #[test]
    fn a_tensor_that_is_no_square_takes_no_transposition() {
        let seven = Symmetry::from_bits(7).unwrap();
        assert_eq!(seven.within(Size::new(5, 7).unwrap()).bits(), 3);
        assert_eq!(seven.within(Size::STANDARD), seven);
    }
}
