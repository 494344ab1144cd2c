//! Training rows out of game records: what was played, how it ended, and what a teacher network thinks of it.
//!
//! Positions are drawn at random from as many games as possible, since those of one game are much alike. All of it follows from the seed: the order
//! of the games and which of their positions are taken; so a run that was stopped goes on where it was, and each of several runs can do a part.

mod games;
mod journal;
mod run;
mod samples;
mod teacher;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

pub use run::{Progress, run};

use crate::nn::LoadedNetwork;
use crate::rows::WriteError;
use crate::sgf::NoRecords;

/// What rows are to be made.
#[derive(Clone)]
pub struct Settings {
    /// Files and folders of games: SGF, or tables (`.tsv`, `.tsv.gz`).
    pub games: Vec<PathBuf>,
    /// Folder for the rows: `train` and `val` are made in it.
    pub out: PathBuf,
    /// Rows to be made in all, those for validation among them.
    pub rows: usize,
    /// Positions that are taken of a game before the next one's turn.
    pub per_game: usize,
    /// Rows of a file.
    pub rows_per_file: usize,
    /// Width and height of the tensor; games on larger boards are left out.
    pub side: usize,
    /// Share of the games that are for validation only.
    pub held_out: f64,
    /// Share of the rows that are of such games.
    pub validation: f64,
    /// Of what all chance follows.
    pub seed: u64,
    /// Which part of the games this run takes, from 0, and of how many.
    pub part: (usize, usize),
    /// Threads that work.
    pub threads: usize,
    /// Who judges positions.
    pub teacher: Option<Teacher>,
}

/// A network that rows are to teach the like of.
#[derive(Clone)]
pub struct Teacher {
    /// It needs no cache: every position is asked about once.
    pub network: Arc<LoadedNetwork>,
    /// In how many symmetries it is asked, 1 to 8; its answers are averaged.
    pub symmetries: usize,
    /// Whose moves are the target.
    pub policy: Policy,
    /// Share of the games that it is shown under other rules and another komi than were played, drawn at random.
    pub random_rules: f32,
    /// Share of the positions that some random moves are played in before it is asked: a search meets mistakes that no good player makes, and has
    /// to know what they cost. (As AlphaGo's value network learnt: one random move before each position; Silver et al., 2016.)
    pub astray: f32,
}

/// Whose moves a network is to learn, where there is a teacher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The teacher's: every move with its probability.
    Teacher,
    /// The record's: the move that was played.
    Record,
    /// Half of each. The move that a strong player chose is seldom a bad one, and often one that a fast teacher does not see.
    Both,
}

/// Why rows cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// A file or folder.
    #[error("cannot read or write {}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The games.
    #[error(transparent)]
    Games(#[from] NoRecords),
    /// Nothing to make rows of.
    #[error("no games that fit on {side}x{side}{}", if *broken > 0 { format!("; {broken} could not be read") } else { String::new() })]
    NoGames {
        /// The tensor's side.
        side: usize,
        /// Records that could not be read.
        broken: usize,
    },
    /// Another program is at it.
    #[error("another run is making these rows ({} is locked); give this one another --part or --seed", .0.display())]
    Locked(PathBuf),
    /// Rows of other settings.
    #[error("{} was begun with other settings ({differences}); give the same ones to go on with it, or another --seed or --out", path.display())]
    OtherSettings {
        /// The journal.
        path: PathBuf,
        /// What differs.
        differences: String,
    },
    /// A journal that no run wrote.
    #[error("{} is damaged ({reason}); move it away to begin anew", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Rows cannot be kept.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl LabelError {
    fn at(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |error| Self::Io { path: path.to_owned(), error }
    }
}
