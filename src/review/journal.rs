//! What is known of a game so far: a file with a line a position, so that a review that was stopped goes on where it was, and one that is
//! finished can be written once more at no cost.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sha2::Digest;

use super::game::Game;
use super::look::{Choice, Look};
use crate::board::{Color, Move, Size};

/// Why a journal cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("cannot keep what was found in {}: {error}; the same command goes on when that is mended", path.display())]
pub struct JournalError {
    path: PathBuf,
    error: std::io::Error,
}

/// A position that was looked at.
#[derive(Serialize, Deserialize)]
struct Line {
    /// Moves before it.
    at: usize,
    black: bool,
    visits: u64,
    winrate: f32,
    lead: f32,
    stdev: f32,
    choices: Vec<LineChoice>,
    policy: Vec<(String, f32)>,
    ownership: String,
}

#[derive(Serialize, Deserialize)]
struct LineChoice {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    mirrors: bool,
    visits: u64,
    winrate: f32,
    lead: f32,
    prior: f32,
    line: Vec<String>,
}

/// The journal of one game.
pub(super) struct Journal {
    file: Mutex<File>,
    path: PathBuf,
    size: Size,
}

impl Journal {
    /// Opens the journal of `game` in `folder`, or begins it. `terms` name all else that figures depend on: another network, or another number of visits,
    /// has another journal. Gives what is known of each position.
    pub(super) fn open(folder: &Path, game: &Game, terms: &str) -> Result<(Self, Vec<Option<Look>>), JournalError> {
        let mut hash = game.fingerprint();
        hash.update(terms);
        let path = folder.join(format!("{:.24}.jsonl", format!("{:x}", hash.finalize())));
        let at = |error| JournalError { path: path.clone(), error };
        fs::create_dir_all(folder).map_err(at)?;
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(&path).map_err(at)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(at)?;
        if bytes.last().is_some_and(|&last| last != b'\n') {
            // A kill has cut the last line; what comes next shall not be part of it.
            file.write_all(b"\n").map_err(at)?;
        }
        let size = game.record.size;
        let mut known: Vec<Option<Look>> = (0..game.positions()).map(|_| None).collect();
        for line in bytes.split(|&byte| byte == b'\n') {
            let line = serde_json::from_slice::<Line>(line).ok();
            if let Some((at, look)) = line.and_then(|line| Some((line.at, line.read(size)?)))
                && let Some(place) = known.get_mut(at)
            {
                *place = Some(look);
            }
        }
        Ok((Self { file: Mutex::new(file), path, size }, known))
    }

    /// Keeps a look at the position after so many moves.
    pub(super) fn add(&self, at: usize, look: &Look) -> Result<(), JournalError> {
        let fault = |error| JournalError { path: self.path.clone(), error };
        let mut line = serde_json::to_vec(&Line::new(at, look, self.size)).map_err(|error| fault(error.into()))?;
        line.push(b'\n');
        self.file.lock().write_all(&line).map_err(fault)
    }
}

impl Line {
    fn new(at: usize, look: &Look, size: Size) -> Self {
        let names = |moves: &[Move]| moves.iter().map(|&mv| size.vertex(mv)).collect();
        let choice = |choice: &Choice| LineChoice {
            mirrors: choice.mirrors,
            visits: choice.visits,
            winrate: choice.winrate,
            lead: choice.lead,
            prior: choice.prior,
            line: if choice.line.is_empty() { names(&[choice.mv]) } else { names(&choice.line) },
        };
        Self {
            at,
            black: look.to_move == Color::Black,
            visits: look.visits,
            winrate: look.winrate,
            lead: look.lead,
            stdev: look.score_stdev,
            choices: look.choices.iter().map(choice).collect(),
            policy: look.policy.iter().map(|&(mv, prior)| (size.vertex(mv), prior)).collect(),
            ownership: look.ownership_text(),
        }
    }

    /// The look; nothing if the line is not one of ours.
    fn read(self, size: Size) -> Option<Look> {
        let mv = |name: &str| size.parse_vertex(name).ok();
        let choice = |choice: LineChoice| {
            let line: Vec<Move> = choice.line.iter().map(|name| mv(name)).collect::<Option<_>>()?;
            let LineChoice { mirrors, visits, winrate, lead, prior, .. } = choice;
            Some(Choice { mv: *line.first()?, mirrors, visits, winrate, lead, prior, line })
        };
        Some(Look {
            to_move: if self.black { Color::Black } else { Color::White },
            visits: self.visits,
            winrate: self.winrate,
            lead: self.lead,
            score_stdev: self.stdev,
            choices: self.choices.into_iter().map(choice).collect::<Option<_>>()?,
            policy: self.policy.iter().map(|(name, prior)| Some((mv(name)?, *prior))).collect::<Option<_>>()?,
            ownership: Look::read_ownership(&self.ownership, size)?,
        })
    }
}
