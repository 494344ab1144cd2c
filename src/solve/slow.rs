//! Tiny boards under any rules: every line with its whole history, nothing remembered of other lines, so that no rule about repetition can be got wrong. It is what the
//! faster solver is compared with.

use std::time::Instant;

use crate::board::Move;
use crate::game::Game;
use crate::rules::{Outcome, Position};
use crate::util::StopFlag;

use super::Unsolved;

/// A search of one position.
pub(super) struct Slow<'a> {
    /// States looked at.
    pub(super) nodes: u64,
    /// When to give up.
    pub(super) deadline: Option<Instant>,
    /// Asks for an end.
    pub(super) stop: &'a StopFlag,
}

impl Slow<'_> {
    /// Whether Black's lead at the end will be at least `bar`, komi and all bonuses counted; a game without result counts 0. With a move that keeps it so.
    ///
    /// # Errors
    /// If it was stopped.
    pub(super) fn is_at_least(&mut self, position: &Position, bar: f32) -> Result<(bool, Option<Move>), Unsolved> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && (self.stop.is_set() || self.deadline.is_some_and(|end| Instant::now() >= end)) {
            return Err(Unsolved::Stopped);
        }
        match position.result() {
            Some(Outcome::Score(score)) => return Ok((score >= bar, None)),
            Some(Outcome::NoResult) => return Ok((0.0 >= bar, None)),
            None => {}
        }
        let wants = position.player() == 0;
        let mut moves = Vec::new();
        position.actions(&mut moves);
        // The pass, which comes last, first: it ends many lines.
        for mv in moves.into_iter().rev() {
            let mut next = position.clone();
            next.apply(mv);
            if self.is_at_least(&next, bar)?.0 == wants {
                return Ok((wants, Some(mv)));
            }
        }
        Ok((!wants, None))
    }
}
