//! What a run has done: a file with its settings in the first line and a line for each file of rows.
//!
//! A file of rows is complete when its line is. It is written under another name first, then its line, then it gets its name; so after a kill
//! either there is no line and what was written is thrown away, or the line is there and the file gets its name now. Nothing is made twice or lost.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{LabelError, Settings};
use crate::rows::Shard;

/// Folders of the two sets.
const FOLDERS: [&str; 2] = ["train", "val"];

/// A file of rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    /// Whether it is for validation.
    validation: bool,
    /// How many turns of games it took: the next one begins there.
    turns: usize,
    rows: usize,
    /// Its name, if it has rows.
    file: Option<String>,
}

/// How far one of the two sets is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Turns of games.
    pub(super) turns: usize,
    pub(super) rows: usize,
}

/// The journal of a run, which no other run can have at the same time.
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    out: PathBuf,
    /// Where files are that have no name yet.
    workshop: PathBuf,
    /// For training and validation.
    done: [Done; 2],
}

impl Journal {
    /// Opens the journal, or begins one, and puts in order what a kill has left.
    pub(super) fn open(settings: &Settings, terms: Map<String, Value>) -> Result<Self, LabelError> {
        let (part, parts) = settings.part;
        let name = format!("label-seed{}-part{}of{parts}", settings.seed, part + 1);
        let (path, workshop) = (settings.out.join(format!("{name}.jsonl")), settings.out.join(format!(".{name}")));
        fs::create_dir_all(&settings.out).map_err(LabelError::at(&settings.out))?;
        let file = OpenOptions::new().create(true).read(true).append(true).open(&path).map_err(LabelError::at(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LabelError::Locked(path)),
            Err(TryLockError::Error(error)) => log::warn!("{} cannot be locked: {error}", path.display()),
        }
        let mut journal = Self { file, path, out: settings.out.clone(), workshop, done: [Done::default(); 2] };
        let entries = journal.read(terms)?;
        for entry in &entries {
            journal.finish(entry)?;
            journal.count(entry);
        }
        journal.close()?;
        Ok(journal)
    }

    /// Takes away what is left in the workshop.
    pub(super) fn close(&self) -> Result<(), LabelError> {
        if !self.workshop.exists() {
            return Ok(());
        }
        fs::remove_dir_all(&self.workshop).map_err(LabelError::at(&self.workshop))
    }

    /// How far the rows for training are, or those for validation.
    pub(super) fn done(&self, validation: bool) -> Done {
        self.done[usize::from(validation)]
    }

    /// Keeps rows, which took so many turns of games.
    pub(super) fn add(&mut self, shard: &Shard, turns: usize, validation: bool) -> Result<(), LabelError> {
        let mut entry = Entry { validation, turns, rows: shard.len(), file: None };
        let staged = if shard.is_empty() { None } else { Some(shard.stage(&self.workshop)?) };
        entry.file = staged.as_ref().map(|staged| staged.name().to_owned());
        let line = serde_json::to_value(&entry).map_err(|error| LabelError::at(&self.path)(error.into()))?;
        self.write(&line)?;
        if let Some(staged) = staged {
            staged.commit(&self.folder(validation))?;
        }
        self.count(&entry);
        Ok(())
    }

    /// The folder of a set.
    fn folder(&self, validation: bool) -> PathBuf {
        self.out.join(FOLDERS[usize::from(validation)])
    }

    fn count(&mut self, entry: &Entry) {
        let done = &mut self.done[usize::from(entry.validation)];
        done.turns += entry.turns;
        done.rows += entry.rows;
    }

    fn write(&mut self, line: &Value) -> Result<(), LabelError> {
        let text = format!("{line}\n");
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data()).map_err(LabelError::at(&self.path))
    }

    /// Gives a file its name, if a kill came between.
    fn finish(&self, entry: &Entry) -> Result<(), LabelError> {
        let Some(name) = &entry.file else { return Ok(()) };
        let unfinished = self.workshop.join(format!("{name}.unfinished"));
        if !unfinished.exists() {
            return Ok(());
        }
        let folder = self.folder(entry.validation);
        let path = folder.join(name);
        fs::create_dir_all(&folder).and_then(|()| fs::rename(&unfinished, &path)).map_err(LabelError::at(&path))
    }

    /// The entries, once the settings are compared, or written if there are none. A torn line at the end is dropped.
    fn read(&mut self, terms: Map<String, Value>) -> Result<Vec<Entry>, LabelError> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes).map_err(LabelError::at(&self.path))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < bytes.len() {
            self.file
                .set_len(whole as u64)
                .and_then(|()| self.file.seek(SeekFrom::End(0)))
                .map_err(LabelError::at(&self.path))?;
        }
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines();
        let damaged = |number: usize, error: serde_json::Error| LabelError::Damaged {
            path: self.path.clone(),
            reason: format!("line {number}: {error}"),
        };
        match lines.next() {
            None => self.write(&Value::Object(terms))?,
            Some(first) => {
                let old: Map<String, Value> = serde_json::from_str(first).map_err(|error| damaged(1, error))?;
                check(&self.path, &old, &terms)?;
                let entries =
                    lines.zip(2..).map(|(line, number)| serde_json::from_str(line).map_err(|error| damaged(number, error)));
                return entries.collect();
            }
        }
        Ok(Vec::new())
    }
}

fn check(path: &Path, old: &Map<String, Value>, new: &Map<String, Value>) -> Result<(), LabelError> {
    let differs = new.iter().filter(|&(key, value)| old.get(key) != Some(value));
    let differences: Vec<String> =
        differs.map(|(key, value)| format!("{key} {} there, {value} here", old.get(key).unwrap_or(&Value::Null))).collect();
    if differences.is_empty() {
        return Ok(());
    }
    Err(LabelError::OtherSettings { path: path.to_owned(), differences: differences.join("; ") })
}
