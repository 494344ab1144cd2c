//! Matches between GTP engines: `tengen match`.
//!
//! The referee trusts no engine. It keeps the position, the clocks and the score itself; an engine that crashes, hangs, overruns
//! its clock or plays an illegal move has lost that game, with a reason, and is started anew for the next one. Finished games are on
//! disk before they count, so a match can be killed and resumed at any time.

mod clock;
mod game;
mod judge;
mod opening;
mod player;
mod record;
mod run;
mod sgf;
pub mod stats;
mod store;
mod summary;
mod time;

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::board::Size;
use crate::clock::TimeControl;
use crate::rules::Rules;

pub use opening::{BadOpenings, Opening, Openings};
pub use record::{End, GameRecord, Side, Used, Way};
pub use run::{MatchError, Watcher, run};
pub use store::StoreError;
pub use summary::{EngineSummary, SprtSummary, Summary};
pub use time::{BadNotation, read_time_control, write_time_control};

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The command lines of A and B (see [`crate::gtp::controller::split`]).
    pub engines: [String; 2],
    /// The engine asked for the score where A and B disagree about dead stones.
    pub judge: Option<String>,
    /// Board size.
    pub size: Size,
    /// Rules and komi.
    pub rules: Rules,
    /// Time for A and for B.
    pub times: [TimeControl; 2],
    /// Overrun that the clocks forgive: once in the main time and once a period (see `clock`).
    pub margin: Duration,
    /// How long an engine may take to answer anything but a genmove on the clock.
    pub patience: Duration,
    /// Moves after which a game is stopped and counted.
    pub max_moves: usize,
    /// Openings.
    pub openings: Openings,
    /// Seed of the random openings.
    pub seed: u64,
    /// Number of games; at most so many in a sequential test.
    pub games: usize,
    /// The sequential test that ends the match early.
    pub sprt: Option<stats::Sprt>,
    /// Games at a time.
    pub concurrency: usize,
    /// Folder for records and summary; nothing is kept without one.
    pub out: Option<PathBuf>,
}

/// The settings that make a match what it is. A resumed match must have the same ones; the number of games, and of games at a time, may
/// change.
#[derive(Clone, Debug, Serialize)]
pub struct Terms {
    engines: [String; 2],
    judge: Option<String>,
    size: String,
    rules: String,
    komi: f32,
    times: [String; 2],
    margin: f64,
    patience: f64,
    max_moves: usize,
    openings: Vec<String>,
    seed: u64,
    sprt: Option<stats::Sprt>,
}

impl Settings {
    /// What a resumed match must have in common with this one.
    pub fn terms(&self) -> Terms {
        let line = |opening: &Opening| {
            let words = opening.iter().map(|&(color, mv)| format!("{}{}", color.letter(), self.size.vertex(mv)));
            words.collect::<Vec<_>>().join(" ")
        };
        Terms {
            engines: self.engines.clone(),
            judge: self.judge.clone(),
            size: self.size.to_string(),
            rules: self.rules.name().map_or_else(|| self.rules.to_json(), str::to_owned),
            komi: self.rules.komi,
            times: self.times.map(write_time_control),
            margin: self.margin.as_secs_f64(),
            patience: self.patience.as_secs_f64(),
            max_moves: self.max_moves,
            openings: match &self.openings {
                Openings::Random(moves) => vec![format!("{moves} random moves")],
                Openings::Given(given) => given.iter().map(line).collect(),
            },
            seed: self.seed,
            sprt: self.sprt,
        }
    }
}
