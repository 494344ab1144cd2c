//! What is kept of a game.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One of the two engines of a match, in the order of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

impl Side {
    /// Both, A first.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// 0 for A, 1 for B.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Two passes and a count.
    Score,
    /// The loser gave up.
    Resignation,
    /// The move limit, and a count.
    MoveLimit,
    /// A long cycle under rules that know no superko.
    NoResult,
    /// The loser took longer than its clock allowed.
    Time,
    /// The loser made an illegal move, or one that is none.
    IllegalMove,
    /// The loser's process ended, or could not be started.
    Crash,
    /// The loser did not answer, with no clock running.
    Hang,
    /// The loser refused a command that was in order.
    Refusal,
}

impl End {
    /// Whether the loser lost by a failure rather than by its play.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Time | Self::IllegalMove | Self::Crash | Self::Hang | Self::Refusal)
    }
}

/// How a score was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Tromp-Taylor rules: every stone on the board is alive.
    TrompTaylor,
    /// Without the stones that both engines called dead.
    Agreed,
    /// The third engine's final_score.
    Judge,
    /// The engines did not agree and nobody else could tell: every stone counted as alive.
    AsItStands,
}

/// Thinking time used, by the referee's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Used {
    /// All moves together, in seconds.
    pub total: f64,
    /// The longest one, in seconds.
    pub longest: f64,
    /// Moves asked for.
    pub moves: u32,
}

impl Used {
    /// Adds a move.
    pub fn add(&mut self, time: Duration) {
        self.join(Self { total: time.as_secs_f64(), longest: time.as_secs_f64(), moves: 1 });
    }

    /// Adds another game's.
    pub fn join(&mut self, other: Self) {
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
        self.moves += other.moves;
    }
}

/// A finished game, as a line of `games.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the match, from 1; games 1 and 2, 3 and 4, ... are pairs with the same opening.
    pub number: usize,
    /// Who played Black.
    pub black: Side,
    /// SGF's notation: `B+3.5`, `W+R`, `W+T`, `B+F` (forfeit), `0`, `Void`.
    pub result: String,
    /// Who won; nobody in a draw or without result.
    pub winner: Option<Side>,
    /// How it ended.
    pub end: End,
    /// Who or what gave the score, or what the loser did wrong.
    pub detail: String,
    /// How the board was counted, if it was.
    pub counted: Option<Way>,
    /// Moves in all, passes and opening included.
    pub moves: usize,
    /// Moves of the opening.
    pub opening_moves: usize,
    /// Thinking time of A and B.
    pub time: [Used; 2],
    /// The last messages of an engine that failed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub log: String,
}

impl GameRecord {
    /// The number of its pair, from 0.
    pub fn pair(&self) -> usize {
        (self.number - 1) / 2
    }

    /// Half points for A: 0, 1 or 2.
    pub fn half_points(&self) -> usize {
        match self.winner {
            Some(Side::A) => 2,
            None => 1,
            Some(Side::B) => 0,
        }
    }
}
