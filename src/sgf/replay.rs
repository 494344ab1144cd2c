//! Records to positions: plays a game's moves under a rule set.

use std::collections::HashMap;

use super::record::{Record, Step};
use crate::board::{Board, Color, Move, Point, PointSet};
use crate::rules::{Position, Rules};

/// A move of a record that the rules forbid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, {color} {vertex}: {reason}")]
pub struct ReplayError {
    /// Which move, from 1; passes count.
    pub number: usize,
    /// Whose.
    pub color: Color,
    /// Where, as GTP writes it.
    pub vertex: String,
    reason: &'static str,
}

impl Record {
    /// The rules of the game: what the record says ([`Rules::from_sgf`]), or else `default`, with the komi of the game.
    pub fn rules_or(&self, default: Rules) -> Rules {
        let rules = self.rules.as_deref().and_then(Rules::from_sgf).unwrap_or(default);
        rules.with_komi(self.komi_under(&rules))
    }

    /// The komi that the record says. Without one it is the customary one of `rules`, or half a point if there is a handicap.
    pub fn komi_under(&self, rules: &Rules) -> f32 {
        let customary = if self.handicap > 0 { 0.5 } else { rules.komi };
        self.komi.unwrap_or(customary)
    }

    /// The position at the end of the record, played by these rules.
    ///
    /// # Errors
    /// At the first move that the rules forbid.
    pub fn replay(&self, rules: Rules) -> Result<Position, ReplayError> {
        self.replay_moves(rules, usize::MAX)
    }

    /// The position after the first `count` moves and any setup behind them: before move `count + 1`, or at the end if there are fewer.
    ///
    /// The moves go on where two passes have ended the game, and the cleanup phases are not played
    /// ([`Position::set_cleanup_played`]): people judge their dead stones, and resume. Setup starts a new position, so the moves before it, and what
    /// they mean to ko and superko, are forgotten. Chains that it leaves without liberties are taken off, first those of the player to move.
    ///
    /// # Errors
    /// At the first of these moves that the rules forbid.
    pub fn replay_moves(&self, rules: Rules, count: usize) -> Result<Position, ReplayError> {
        let mut replay = Replay::new(self, rules);
        while replay.number < count && replay.advance()? {}
        Ok(replay.position)
    }
}

/// A game that is played on move by move, as [`Record::replay_moves`] plays it.
pub struct Replay<'r> {
    record: &'r Record,
    rules: Rules,
    position: Position,
    /// Moves so far.
    number: usize,
    /// The step whose setup is done and whose move comes next.
    at: usize,
}

impl<'r> Replay<'r> {
    /// The game before its first move.
    pub fn new(record: &'r Record, rules: Rules) -> Self {
        let position = start(Board::new(record.size), record.first_to_move(), rules);
        let mut replay = Self { record, rules, position, number: 0, at: 0 };
        replay.set_up();
        replay
    }

    /// The position after the moves so far, and any setup behind them.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How many moves were played.
    pub fn moves(&self) -> usize {
        self.number
    }

    /// Plays the next move, and any setup behind it. False if there are no more.
    ///
    /// # Errors
    /// If the rules forbid it.
    pub fn advance(&mut self) -> Result<bool, ReplayError> {
        let Some((color, mv)) = self.record.steps.get(self.at).and_then(|step| step.mv) else { return Ok(false) };
        self.number += 1;
        self.position.play_as(color, mv).map_err(|_| ReplayError {
            number: self.number,
            color,
            vertex: self.record.size.vertex(mv),
            reason: reason(&self.position, color, mv),
        })?;
        self.at += 1;
        self.set_up();
        Ok(true)
    }

    /// Does the setup up to the next move.
    fn set_up(&mut self) {
        while let Some(step) = self.record.steps.get(self.at) {
            let to_move = step.to_move.unwrap_or(self.position.to_move());
            if !step.setup.is_empty() {
                self.position = start(set_up(self.position.board(), step, to_move), to_move, self.rules);
            }
            self.position.set_to_move(to_move);
            if step.mv.is_some() {
                break;
            }
            self.at += 1;
        }
    }
}

/// A game that starts here, and whose dead stones people will judge.
fn start(board: Board, to_move: Color, rules: Rules) -> Position {
    let mut position = Position::from_board(board, to_move, rules);
    position.set_cleanup_played(false);
    position
}

/// Why `mv`, which is illegal, is.
fn reason(position: &Position, color: Color, mv: Move) -> &'static str {
    match mv.point() {
        Some(point) if !position.board().is_empty(point) => "there is a stone on that point already",
        Some(point) if position.board().is_suicide(color, point) => "that is suicide",
        _ => "that would repeat an earlier position; the ko has to wait",
    }
}

/// The board with a step's setup, and without the chains that then have no liberty.
fn set_up(board: &Board, step: &Step, to_move: Color) -> Board {
    let mut changes: HashMap<Point, Option<Color>> = step.setup.iter().copied().collect();
    for color in [to_move, !to_move] {
        for point in stuck(board, &changes, color).iter() {
            changes.insert(point, None);
        }
    }
    let changes: Vec<_> = changes.into_iter().collect();
    let mut board = board.clone();
    board.set_up(&changes).expect("every chain without liberty was taken off");
    board
}

/// The stones of `color` in chains without a liberty, on the board as it is after `changes`.
fn stuck(board: &Board, changes: &HashMap<Point, Option<Color>>, color: Color) -> PointSet {
    let stone = |point| changes.get(&point).copied().unwrap_or_else(|| board.stone(point));
    let (mut seen, mut stuck) = (PointSet::EMPTY, PointSet::EMPTY);
    for first in board.size().points().filter(|&point| stone(point) == Some(color)) {
        let mut chain = PointSet::EMPTY;
        let mut free = false;
        let mut open = if seen.insert(first) { vec![first] } else { continue };
        while let Some(point) = open.pop() {
            chain.insert(point);
            for near in board.neighbors(point) {
                free |= stone(near).is_none();
                if stone(near) == Some(color) && seen.insert(near) {
                    open.push(near);
                }
            }
        }
        if !free {
            stuck.extend(&chain);
        }
    }
    stuck
}
