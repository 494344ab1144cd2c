//! A match on disk: one SGF a game, `games.jsonl` with a line a game, and `summary.json`.
//!
//! A game is finished when its line is; the SGF is there before the line. Files are written whole beside their place and then
//! renamed; a line torn by a kill is dropped when the match is resumed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::Terms;
use super::record::GameRecord;
use super::summary::Summary;

/// Name of the file with a line a game.
const GAMES: &str = "games.jsonl";
/// Name of the file with settings and results.
const SUMMARY: &str = "summary.json";

/// Why a folder cannot hold this match.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refuses.
    #[error("{}: {error}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Another match is there.
    #[error("{} holds a match with other settings ({differences}); give it the same arguments to go on, or choose another --out", folder.display())]
    OtherMatch {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        differences: String,
    },
    /// Something is there that no match wrote.
    #[error("{} is damaged ({reason}); choose another --out, or move it away", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// The folder of a match.
pub(super) struct Store {
    folder: PathBuf,
    games: File,
    terms: Terms,
}

/// What `summary.json` holds.
#[derive(Serialize)]
struct SummaryFile<'a> {
    settings: &'a Terms,
    #[serde(flatten)]
    summary: &'a Summary,
}

impl Store {
    /// Opens a folder, making it if need be, and returns the games that were finished in it earlier.
    ///
    /// # Errors
    /// If the folder holds a match under other terms, or files that cannot be read or written.
    pub(super) fn open(folder: &Path, terms: Terms) -> Result<(Self, Vec<GameRecord>), StoreError> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let path = folder.join(GAMES);
        let text = read_if_there(&path)?.unwrap_or_default();
        match read_if_there(&folder.join(SUMMARY))? {
            Some(summary) => check_terms(folder, &summary, &terms)?,
            None if text.is_empty() => {}
            None => return Err(StoreError::Damaged { path, reason: format!("there are games, but no {SUMMARY}") }),
        }
        let (records, good) = read_games(&text).map_err(|reason| StoreError::Damaged { path: path.clone(), reason })?;
        let games = OpenOptions::new().create(true).append(true).open(&path).map_err(at(&path))?;
        games.set_len(good as u64).map_err(at(&path))?;
        Ok((Self { folder: folder.to_owned(), games, terms }, records))
    }

    /// Keeps a finished game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, record: &GameRecord, sgf: &[u8]) -> Result<(), StoreError> {
        let path = self.folder.join(format!("{:05}.sgf", record.number));
        write_whole(&path, sgf)?;
        let mut line = serde_json::to_vec(record).map_err(|error| at(&path)(error.into()))?;
        line.push(b'\n');
        let path = self.folder.join(GAMES);
        self.games.write_all(&line).and_then(|()| self.games.sync_data()).map_err(at(&path))
    }

    /// Keeps the state of the match.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn summarise(&self, summary: &Summary) -> Result<(), StoreError> {
        let path = self.folder.join(SUMMARY);
        let text = serde_json::to_vec_pretty(&SummaryFile { settings: &self.terms, summary });
        let mut text = text.map_err(|error| at(&path)(error.into()))?;
        text.push(b'\n');
        write_whole(&path, &text)
    }
}

/// Turns a system's error about `path` into one of ours.
fn at(path: &Path) -> impl FnOnce(io::Error) -> StoreError + '_ {
    |error| StoreError::Io { path: path.to_owned(), error }
}

fn read_if_there(path: &Path) -> Result<Option<String>, StoreError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(path)(error)),
    }
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let unfinished = path.with_extension("unfinished");
    let write = || {
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&unfinished, path)
    };
    write().map_err(at(path))
}

/// The games of the lines that are whole, and how many bytes these take.
fn read_games(text: &str) -> Result<(Vec<GameRecord>, usize), String> {
    let mut records: Vec<GameRecord> = Vec::new();
    let good = text.rfind('\n').map_or(0, |end| end + 1);
    for (number, line) in text[..good].lines().enumerate() {
        let record: GameRecord = serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        if records.iter().any(|other| other.number == record.number) {
            return Err(format!("line {}: game {} is there twice", number + 1, record.number));
        }
        records.push(record);
    }
    Ok((records, good))
}

fn check_terms(folder: &Path, summary: &str, terms: &Terms) -> Result<(), StoreError> {
    let damaged = |reason: String| StoreError::Damaged { path: folder.join(SUMMARY), reason };
    let old: Value = serde_json::from_str(summary).map_err(|error| damaged(error.to_string()))?;
    let old = old.get("settings").ok_or_else(|| damaged("no settings".to_owned()))?;
    // Through text, so that numbers are compared as they are written.
    let text = serde_json::to_string(terms).map_err(|error| damaged(error.to_string()))?;
    let new: Value = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
    let Value::Object(settings) = &new else { unreachable!("terms are a struct") };
    let differs = settings.iter().filter(|&(key, value)| old.get(key) != Some(value));
    let differences: Vec<String> =
        differs.map(|(key, value)| format!("{key} {} there, {value} here", old.get(key).unwrap_or(&Value::Null))).collect();
    if differences.is_empty() {
        return Ok(());
    }
    Err(StoreError::OtherMatch { folder: folder.to_owned(), differences: differences.join("; ") })
}
