//! Reviews of finished games: what every move was worth, and what would have been better.
//!
//! A [`Game`] is read from a record, [`run`] looks at every position of many games at once, and what it found makes a [`Review`]: a [`Verdict`] a
//! move and a [`Tally`] for each player and phase. The files of this module that are named after a format write it down.

mod clients;
mod game;
mod html;
mod journal;
mod look;
mod run;
mod sgf;
mod stakes;
mod tables;
mod tally;
mod text;
mod verdict;
mod words;

pub use game::{Game, NotReviewed, games};
pub use journal::JournalError;
pub use look::{Choice, Look};
pub use run::{Plan, Progress, RunError, Watcher, journals, run};
pub use tally::Tally;
pub use verdict::{Class, Phase, Verdict};

use crate::board::{Board, Color};

/// A game with what was found.
pub struct Review {
    /// The game.
    pub game: Game,
    /// A look at each position: before the first move, then after each.
    pub looks: Vec<Look>,
    /// The board of each position.
    pub boards: Vec<Board>,
    /// A verdict on each move.
    pub verdicts: Vec<Verdict>,
    /// What judged the positions, and how long it looked, in words.
    pub judge: String,
    /// Whose mistakes are told; both players' if nobody's in particular.
    pub player: Option<Color>,
}

/// Mistakes that a summary lists at most.
const MOST_LISTED: usize = 10;

impl Review {
    /// The review of `game`, with a look at each of its positions. `judge` says what looked; mistakes are told of `player`, or of both.
    pub fn new(game: Game, looks: Vec<Look>, judge: String, player: Option<Color>) -> Self {
        let verdicts = verdict::verdicts(&game, &looks);
        let boards = game.boards();
        Self { game, looks, boards, verdicts, judge, player }
    }

    /// Whether mistakes of `color` are told.
    pub fn tells_of(&self, color: Color) -> bool {
        self.player.is_none_or(|player| player == color)
    }

    /// The moves that lost the most points, the worst first: those worth talking about, and not too many.
    pub fn largest_mistakes(&self) -> Vec<&Verdict> {
        let told = |verdict: &&Verdict| self.tells_of(verdict.color) && verdict.class >= Class::Inaccuracy;
        let mut mistakes: Vec<&Verdict> = self.verdicts.iter().filter(told).collect();
        mistakes.sort_by(|a, b| b.lost.unwrap_or(0.0).total_cmp(&a.lost.unwrap_or(0.0)));
        mistakes.truncate(MOST_LISTED);
        mistakes
    }

    /// How `color` did in a phase of the game, or in all of it.
    pub fn tally(&self, color: Color, phase: Option<Phase>) -> Tally {
        let counted = |verdict: &&Verdict| verdict.color == color && phase.is_none_or(|phase| verdict.phase == phase);
        Tally::of(self.verdicts.iter().filter(counted))
    }
}
