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
        let start = |board, to_move| {
            let mut position = Position::from_board(board, to_move, rules);
            position.set_cleanup_played(false);
            position
        };
        let mut position = start(Board::new(self.size), self.first_to_move());
        let mut number = 0;
        for step in &self.steps {
            let to_move = step.to_move.unwrap_or(position.to_move());
            if !step.setup.is_empty() {
                position = start(set_up(position.board(), step, to_move), to_move);
            }
            position.set_to_move(to_move);
            let Some((color, mv)) = step.mv else { continue };
            if number == count {
                break;
            }
            number += 1;
            position.play_as(color, mv).map_err(|_| ReplayError {
                number,
                color,
                vertex: self.size.vertex(mv),
                reason: reason(&position, color, mv),
            })?;
        }
        Ok(position)
    }
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
