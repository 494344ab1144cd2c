//! A game whose positions are looked at.

use crate::board::{Color, Move};
use crate::rules::{IllegalMove, Position};

/// A position and moves from there on, all of them possible. Its positions are made when they are asked for: many of them take much memory.
#[derive(Clone, Debug)]
pub struct Line {
    start: Position,
    moves: Vec<(Color, Move)>,
}

/// A move that is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {turn}: {error}")]
pub struct BadLine {
    /// Its place among the moves, from 0.
    pub turn: usize,
    /// What is wrong with it.
    pub error: IllegalMove,
}

impl Line {
    /// The moves from `start` on. What only some rules forbid is let pass ([`Position::play_leniently`]): the game may have been played under
    /// others.
    ///
    /// # Errors
    /// If a move is impossible.
    pub fn new(start: Position, moves: Vec<(Color, Move)>) -> Result<Self, BadLine> {
        let mut position = start.clone();
        for (turn, &(color, mv)) in moves.iter().enumerate() {
            position.play_leniently(color, mv).map_err(|error| BadLine { turn, error })?;
        }
        Ok(Self { start, moves })
    }

    /// How many moves it has.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    /// Who is to move after the first `turn` moves.
    pub fn to_move(&self, turn: usize) -> Color {
        let last = self.moves[..turn.min(self.moves.len())].last();
        last.map_or(self.start.to_move(), |&(color, _)| !color)
    }

    /// The position after the first `turn` moves, at most all.
    pub fn position(&self, turn: usize) -> Position {
        let mut position = self.start.clone();
        for &(color, mv) in self.moves.iter().take(turn) {
            position.play_leniently(color, mv).expect("the moves of a line are possible");
        }
        position
    }
}
