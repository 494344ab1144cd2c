//! Playing: what a move does to the board and to all that the rules remember.

use std::sync::Arc;

use super::outcome::Outcome;
use super::position::{Handicap, Phase, Position, Step};
use super::ruleset::{KoRule, Scoring};
use crate::board::{Color, Move, Point};

/// A move that the rules forbid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move: {color} {vertex}")]
pub struct IllegalMove {
    color: Color,
    vertex: String,
}

impl Position {
    /// The move as an error.
    fn illegal(&self, color: Color, mv: Move) -> IllegalMove {
        IllegalMove { color, vertex: self.size().vertex(mv) }
    }

    /// Plays for the player to move.
    ///
    /// # Errors
    /// If the rules forbid the move; the position stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(self.illegal(self.to_move, mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays for either player. If it is not that player's turn, the history starts anew just before the move: ko bars, superko and
    /// passes are forgotten, the button is back, and the stones on the board count as set up. The phase stays.
    ///
    /// # Errors
    /// If the rules forbid the move; the position stays as it was.
    pub fn play_as(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if color != self.to_move {
            if mv.point().is_some_and(|point| !self.stays(color, point)) {
                return Err(self.illegal(color, mv));
            }
            self.restart(color);
        }
        self.play(mv)
    }

    /// Plays for either player as [`Position::play_as`] does, but lets pass what only some rules forbid: retaking a ko, superko, suicide
    /// of several stones. For records of games that were played under other rules.
    ///
    /// # Errors
    /// If the point is taken or the move is suicide of one stone; the position stays as it was.
    pub fn play_leniently(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if let Some(point) = mv.point() {
            let own = self.board.neighbors(point).any(|near| self.board.stone(near) == Some(color));
            let possible = self.board.is_empty(point) && (own || !self.board.is_suicide(color, point));
            let legal = possible || (color == self.to_move && self.is_legal(mv));
            if !legal {
                return Err(self.illegal(color, mv));
            }
        }
        self.set_to_move(color);
        self.advance(mv);
        Ok(())
    }

    /// Makes `to_move` move next. If it was not its turn, the history starts anew, as in [`Position::play_as`].
    pub fn set_to_move(&mut self, to_move: Color) {
        if to_move != self.to_move {
            self.restart(to_move);
        }
    }

    fn restart(&mut self, to_move: Color) {
        self.to_move = to_move;
        self.board.clear_ko();
        self.start = Arc::new(self.board.clone());
        self.restart = self.moves.len();
        self.connected = self.moves.len();
        self.recent.clear();
        self.passes = 0;
        self.button = self.rules.button && self.phase == Phase::Main;
        self.button_taken = None;
        self.handicap = Handicap::new(&self.board);
        self.awaits_judgement = false;
        self.outcome = None;
        self.cleanup.begin();
        if self.phase == Phase::Cleanup2 {
            self.cleanup.begin_second(&self.board);
        }
        self.history.restart(&self.board, self.situation(to_move));
    }

    /// Plays a move that is known to be legal for the player to move.
    pub fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{} {}\n{:?}", self.to_move, self.size().vertex(mv), self.board);
        self.advance(mv);
    }

    fn advance(&mut self, mv: Move) {
        let color = self.to_move;
        if self.is_over() {
            self.connected = self.connected.max(self.moves.len() - 1);
        }
        self.outcome = None;
        self.awaits_judgement = false;
        let (phase_ends, may_repeat) = match mv.point() {
            None => (self.pass(), false),
            Some(point) => {
                self.passes = 0;
                let step = self.put_stone(color, point);
                self.remember(step);
                self.handicap.after_play(color);
                // A stone that stays where none ever was makes a new situation.
                let new = self.history.occupy(point) && !self.board.is_empty(point);
                (false, !new)
            }
        };
        self.moves.push((color, mv));
        self.to_move = !color;
        let situation = self.situation(!color);
        self.history.add(situation);
        if phase_ends {
            self.end_phase();
        }
        if may_repeat && self.counts_repetition() && self.history.occurrences(situation) >= 3 {
            self.outcome = Some(Outcome::NoResult);
        }
    }

    /// The bookkeeping of a pass; true if it ends the phase.
    fn pass(&mut self) -> bool {
        let step = Step::Pass(self.board.ko());
        self.remember(step);
        self.board.clear_ko();
        if self.button {
            self.button = false;
            self.button_taken = Some(self.to_move);
            self.passes = 0;
            self.history.forget();
            return false;
        }
        let before = self.situation(self.to_move);
        let first = self.history.add_pass(before);
        if self.counts_repetition() {
            self.history.forget_situations();
        }
        self.passes += 1;
        self.passes >= 2 || (self.counts_repetition() && !first)
    }

    fn put_stone(&mut self, color: Color, point: Point) -> Step {
        if self.phase == Phase::Main {
            return Step::Stone(self.board.play_undoable(color, point));
        }
        if let Some(stone) = self.cleanup.pass_for_ko(&self.board, color, point) {
            self.cleanup.blocked.remove(stone);
            return Step::Pass(None);
        }
        let stones = self.board.hash();
        let undo = self.board.play_undoable(color, point);
        self.cleanup.after_play(&mut self.board, color, point, stones);
        Step::Stone(undo)
    }

    fn remember(&mut self, step: Step) {
        if self.recent.is_full() {
            self.recent.remove(0);
        }
        self.recent.push(step);
    }

    fn end_phase(&mut self) {
        let next = match (self.rules.scoring, self.phase) {
            (Scoring::Area, _) | (_, Phase::Cleanup2) => {
                self.outcome = Some(Outcome::Score(self.formal_score()));
                return;
            }
            (_, Phase::Main) if !self.cleanup_played => {
                self.awaits_judgement = true;
                return;
            }
            (_, Phase::Main) => Phase::Cleanup1,
            (_, Phase::Cleanup1) => Phase::Cleanup2,
        };
        self.phase = next;
        self.connected = self.moves.len();
        self.passes = 0;
        self.cleanup.begin();
        if next == Phase::Cleanup2 {
            self.cleanup.begin_second(&self.board);
        }
        self.history.forget_all_but(self.situation(self.to_move));
    }

    /// True where repetition is counted rather than forbidden: with simple ko, and in the cleanup phases.
    pub(super) fn counts_repetition(&self) -> bool {
        self.rules.ko == KoRule::Simple || self.phase != Phase::Main
    }
}
