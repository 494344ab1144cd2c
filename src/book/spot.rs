//! Positions, however the board is turned.

use arrayvec::ArrayVec;

use crate::board::{Color, Coord, Move, Point, Size, Symmetry};
use crate::rules::Position;

/// A position as a book knows it: turned so that its hash is the least of all. The board lies on its longer side then.
///
/// Of its history only a ko counts, that is which point may not be played on at once; what superko forbids besides is for the position to say.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The board as it lies in the game.
    size: Size,
    hash: u64,
    /// All the ways to turn the board that give the hash: several if the position is symmetric.
    turns: ArrayVec<Symmetry, 8>,
}

impl Spot {
    /// Where a game stands.
    pub fn of(position: &Position) -> Self {
        let size = position.size();
        let (mut hash, mut turns) = (u64::MAX, ArrayVec::new());
        for symmetry in Symmetry::ALL.into_iter().filter(|symmetry| lies(symmetry.size(size))) {
            let turned = turned_hash(position, symmetry);
            if turned < hash || turns.is_empty() {
                (hash, turns) = (turned, ArrayVec::new());
            }
            if turned == hash {
                turns.push(symmetry);
            }
        }
        Self { size, hash, turns }
    }

    /// What tells it from other positions: the same in every run and on every machine.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The number by which the book knows a move: the least to which a turn brings it, so that moves that mirror each other are one. Nothing for a
    /// pass.
    pub(super) fn there(&self, mv: Move) -> Option<u16> {
        let coord = self.size.coord(mv.point()?);
        let number = |symmetry: &Symmetry| {
            let Coord { x, y } = symmetry.turn(self.size, coord);
            u16::from(y) * symmetry.size(self.size).width() as u16 + u16::from(x)
        };
        self.turns.iter().map(number).min()
    }

    /// The move of this number in the game; of several that mirror each other the one towards the upper right, where a game begins by custom.
    pub(super) fn here(&self, number: u16) -> Option<Move> {
        let lying = self.turns[0].size(self.size);
        let (width, number) = (lying.width(), usize::from(number));
        let coord = Coord { x: (number % width) as u8, y: u8::try_from(number / width).ok()? };
        lying.at(coord)?;
        let points = self.turns.iter().filter_map(|symmetry| self.size.at(symmetry.turn_back(self.size, coord)));
        let towards = |point: &Point| {
            let Coord { x, y } = self.size.coord(*point);
            (i16::from(x) - i16::from(y), x)
        };
        points.max_by_key(towards).map(Move::from)
    }
}

/// True if a board of this size lies on its longer side.
fn lies(size: Size) -> bool {
    size.width() >= size.height()
}

fn turned_hash(position: &Position, symmetry: Symmetry) -> u64 {
    let size = position.size();
    let mut hash = symmetry.hash(position.board());
    if let Some(ko) = position.board().ko() {
        let Coord { x, y } = symmetry.turn(size, size.coord(ko));
        // No two such numbers are close to each other, nor to what stones add.
        hash ^= KO.wrapping_mul(u64::from(y) << 8 | u64::from(x) | 1 << 16);
    }
    if position.to_move() == Color::White { !hash } else { hash }
}

/// An odd number without pattern: the golden ratio's digits, as in Fibonacci hashing (D. E. Knuth, The Art of Computer Programming, volume 3, 6.4).
const KO: u64 = 0x9e37_79b9_7f4a_7c15;
