//! A region as the solver has it: a field with the stones there, what is asked of them, and the way back to the board.

use super::Unsolved;
use super::field::{Field, MOST_POINTS, Stones};
use super::local::{PASS, Question};
use super::region::Region;
use crate::board::{Color, Move};
use crate::rules::Position;

/// A region as a field.
pub(super) struct Site {
    /// The field; nothing gets out of it where the region is closed.
    pub(super) field: Field,
    stones: Stones,
    target: u64,
    defender: Color,
    /// Where simple ko forbids the first move of the player to move.
    ko: u64,
    to_move: Color,
}

impl Site {
    /// The site of `region`.
    ///
    /// # Errors
    /// If it has more points than a field can have.
    pub(super) fn new(position: &Position, region: &Region) -> Result<Self, Unsolved> {
        let board = position.board();
        let (field, stones) = Field::new(board, &region.points, position.rules().suicide)
            .ok_or_else(|| Unsolved::Refused(format!("a region has at most {MOST_POINTS} points; give a smaller one")))?;
        let field = field.closed_against(region.defender, board, &region.closed);
        let target = region.target.iter().filter_map(|point| field.bit(point)).fold(0, |set, bit| set | 1 << bit);
        let ko = board.ko().and_then(|point| field.bit(point)).map_or(0, |bit| 1 << bit);
        Ok(Self { field, stones, target, defender: region.defender, ko, to_move: position.to_move() })
    }

    /// What becomes of the target when `first` moves first and `free` may retake every ko.
    pub(super) fn question(&self, first: Color, free: Color) -> Question {
        Question {
            stones: self.stones,
            target: self.target,
            defender: self.defender.index(),
            first: first.index(),
            free: free.index(),
            ko: if first == self.to_move { self.ko } else { 0 },
        }
    }

    /// A move of the solver's on the board.
    pub(super) fn read_move(&self, mv: u8) -> Move {
        if mv == PASS { Move::PASS } else { Move::from(self.field.point(mv as usize)) }
    }
}
