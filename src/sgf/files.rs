//! Where records lie: SGF files, tables of games, and folders of them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{Record, letters, parse, table};
use crate::board::Color;

/// Why there are no records.
#[derive(Debug, thiserror::Error)]
pub enum NoRecords {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file that is no game record by its name.
    #[error("{} is neither a folder nor a file that ends in .sgf, .tsv or .tsv.gz", .0.display())]
    NoName(PathBuf),
}

impl NoRecords {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |error| Self::Io { path: path.to_owned(), error }
    }
}

/// Where a game is kept, to be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// As a row of a table.
    Row(Box<str>),
    /// In a file, as its game of this number, from 0.
    File(PathBuf, usize),
}

impl Kept {
    /// The game; nothing if its file has changed.
    pub fn record(&self) -> Option<Record> {
        match self {
            Self::Row(row) => table::read(row),
            Self::File(file, index) => Record::from_tree(parse(&fs::read(file).ok()?).ok()?.games.get(*index)?).ok(),
        }
    }
}

/// What came of a file's games, and how many could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited<T> {
    /// Of each game that could be read.
    pub found: Vec<T>,
    /// The others.
    pub broken: usize,
}

/// The files of games at `paths`; in folders and those below, all that look like it, in the order of their names.
///
/// # Errors
/// If there is nothing at a path, or a file of another kind.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, NoRecords> {
    let mut files = Vec::new();
    for path in paths {
        find_at(path, true, &mut files)?;
    }
    Ok(files)
}

fn find_at(path: &Path, named: bool, files: &mut Vec<PathBuf>) -> Result<(), NoRecords> {
    if fs::metadata(path).map_err(NoRecords::at(path))?.is_dir() {
        let entries: Result<Vec<_>, _> = fs::read_dir(path).and_then(Iterator::collect).map_err(NoRecords::at(path));
        let mut entries: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
        entries.sort();
        for entry in entries {
            find_at(&entry, false, files)?;
        }
    } else if is_table(path) || has_end(path, ".sgf") {
        files.push(path.to_owned());
    } else if named {
        return Err(NoRecords::NoName(path.to_owned()));
    }
    Ok(())
}

fn is_table(path: &Path) -> bool {
    has_end(path, ".tsv") || has_end(path, ".tsv.gz")
}

fn has_end(path: &Path, end: &str) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().ends_with(end))
}

/// Does `work` for each game of a file, and tells it where the game is kept. Those of a table are looked at by all cores.
///
/// # Errors
/// If the file cannot be read; a broken game in it is only counted.
pub fn visit<T: Send>(path: &Path, work: impl Fn(&Record, Kept) -> T + Sync) -> Result<Visited<T>, NoRecords> {
    if is_table(path) { visit_table(path, work) } else { visit_file(path, work) }
}

fn visit_table<T: Send>(path: &Path, work: impl Fn(&Record, Kept) -> T + Sync) -> Result<Visited<T>, NoRecords> {
    let file = File::open(path).map_err(NoRecords::at(path))?;
    let lines: Box<dyn BufRead> =
        if has_end(path, ".gz") { Box::new(BufReader::new(MultiGzDecoder::new(file))) } else { Box::new(BufReader::new(file)) };
    let lines: Result<Vec<String>, _> =
        lines.lines().filter(|line| !line.as_ref().is_ok_and(|line| line.starts_with('#'))).collect();
    let lines = lines.map_err(NoRecords::at(path))?;
    let rows = lines.len();
    let read = |line: String| table::read(&line).map(|record| work(&record, Kept::Row(line.into())));
    let found: Vec<T> = lines.into_par_iter().filter_map(read).collect();
    Ok(Visited { broken: rows - found.len(), found })
}

fn visit_file<T>(path: &Path, work: impl Fn(&Record, Kept) -> T) -> Result<Visited<T>, NoRecords> {
    let bytes = fs::read(path).map_err(NoRecords::at(path))?;
    let Ok(collection) = parse(&bytes) else { return Ok(Visited { found: Vec::new(), broken: 1 }) };
    let (mut found, mut broken) = (Vec::new(), 0);
    for (index, tree) in collection.games.iter().enumerate() {
        match Record::from_tree(tree) {
            Ok(record) => found.push(work(&record, Kept::File(path.to_owned(), index))),
            Err(_) => broken += 1,
        }
    }
    Ok(Visited { found, broken })
}

impl Record {
    /// A number that tells the game from others, wherever it is recorded: of the board, its setup and the moves.
    pub fn fingerprint(&self) -> u128 {
        let mut hash = Sha256::new();
        hash.update(self.size.to_string());
        for step in &self.steps {
            for &(point, color) in &step.setup {
                hash.update(format!("{}{}", color.map_or('-', Color::letter), letters(self.size, point)));
            }
            if let Some((color, mv)) = step.mv {
                hash.update(format!("{}{}", color.letter(), letters(self.size, mv)));
            }
        }
        u128::from_be_bytes(hash.finalize()[..16].try_into().expect("the hash has 32 bytes"))
    }
}
