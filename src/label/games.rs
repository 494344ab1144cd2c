//! The games that there are, and in which order they come.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{LabelError, Settings, table};
use crate::board::Color;
use crate::sgf::{self, Record, letters};
use crate::util::Rng;

/// All games of a run that fit the tensor, each once.
pub(super) struct Games {
    games: Vec<Game>,
    /// Records that could not be read, or hold no game that can be used.
    pub(super) broken: usize,
}

/// Where a game is kept, and what tells it from others.
struct Game {
    hash: u128,
    text: Text,
}

enum Text {
    /// A row of a table.
    Row(Box<str>),
    /// A file, and which of its games.
    File(PathBuf, usize),
}

/// The games of one of the two sets, in the order in which their turn comes.
pub(super) struct Order(Vec<usize>);

impl Games {
    pub(super) fn read(settings: &Settings) -> Result<Self, LabelError> {
        let mut files = Vec::new();
        for path in &settings.games {
            find(path, true, &mut files)?;
        }
        let (mut games, mut broken) = (Vec::new(), 0);
        for file in &files {
            let found = if is_table(file) { read_table(file, settings.side)? } else { vec![read_file(file, settings.side)?] };
            for (more, bad) in found {
                games.extend(more);
                broken += bad;
            }
        }
        games.par_sort_by_key(|game| game.hash);
        games.dedup_by_key(|game| game.hash);
        if games.is_empty() {
            return Err(LabelError::NoGames { side: settings.side, broken });
        }
        Ok(Self { games, broken })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// A number that tells these games from others.
    pub(super) fn fingerprint(&self) -> String {
        let sum = self.games.iter().fold(0u128, |sum, game| sum.wrapping_add(game.hash));
        format!("{sum:032x}")
    }

    /// A number that tells the game from others, wherever it is recorded.
    pub(super) fn hash(&self, game: usize) -> u128 {
        self.games[game].hash
    }

    /// The game; nothing if its file has changed.
    pub(super) fn record(&self, game: usize) -> Option<Record> {
        match &self.games[game].text {
            Text::Row(row) => table::read(row),
            Text::File(file, index) => Record::from_tree(sgf::parse(&fs::read(file).ok()?).ok()?.games.get(*index)?).ok(),
        }
    }

    /// The games of this run that are for validation, or those that are not, in the order of its seed.
    pub(super) fn order(&self, settings: &Settings, validation: bool) -> Order {
        let (part, parts) = settings.part;
        let chosen = |&game: &usize| {
            let hash = self.hash(game);
            // Whether a game is held out depends on nothing but its moves, so that no run trains on what another is validated with.
            let held_out = (((hash >> 96) as u32) as f64) < settings.held_out * 2f64.powi(32);
            held_out == validation && (((hash >> 64) as u32) as usize) % parts == part
        };
        let mut order: Vec<usize> = (0..self.len()).filter(chosen).collect();
        order.sort_by_cached_key(|&game| Rng::new(settings.seed ^ self.hash(game) as u64).next_u64());
        Order(order)
    }
}

impl Order {
    /// How many games there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The game whose turn is number `turn`, and how many times all had theirs before; nothing if there are no games.
    pub(super) fn game(&self, turn: usize) -> Option<(usize, usize)> {
        let round = turn.checked_div(self.len())?;
        Some((self.0[turn % self.len()], round))
    }
}

/// Adds the files of games at `path`; in folders, those that look like it.
fn find(path: &Path, named: bool, files: &mut Vec<PathBuf>) -> Result<(), LabelError> {
    let at = LabelError::at(path);
    if fs::metadata(path).map_err(at)?.is_dir() {
        let entries: Result<Vec<_>, _> = fs::read_dir(path).and_then(Iterator::collect).map_err(LabelError::at(path));
        for entry in entries? {
            find(&entry.path(), false, files)?;
        }
    } else if is_table(path) || has_end(path, ".sgf") {
        files.push(path.to_owned());
    } else if named {
        return Err(LabelError::NoRecord(path.to_owned()));
    }
    Ok(())
}

fn is_table(path: &Path) -> bool {
    has_end(path, ".tsv") || has_end(path, ".tsv.gz")
}

fn has_end(path: &Path, end: &str) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().ends_with(end))
}

/// Games, and how many could not be read.
type Found = (Vec<Game>, usize);

/// The games of a table.
fn read_table(path: &Path, side: usize) -> Result<Vec<Found>, LabelError> {
    let file = File::open(path).map_err(LabelError::at(path))?;
    let lines: Box<dyn BufRead> =
        if has_end(path, ".gz") { Box::new(BufReader::new(MultiGzDecoder::new(file))) } else { Box::new(BufReader::new(file)) };
    let lines: Result<Vec<String>, _> =
        lines.lines().filter(|line| !line.as_ref().is_ok_and(|line| line.starts_with('#'))).collect();
    let read = |line: String| match table::read(&line) {
        Some(record) => found(&record, side, Text::Row(line.into())),
        None => (Vec::new(), 1),
    };
    Ok(lines.map_err(LabelError::at(path))?.into_par_iter().map(read).collect())
}

/// The games of an SGF file.
fn read_file(path: &Path, side: usize) -> Result<Found, LabelError> {
    let mut bytes = Vec::new();
    File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(LabelError::at(path))?;
    let Ok(collection) = sgf::parse(&bytes) else { return Ok((Vec::new(), 1)) };
    let (mut games, mut broken) = (Vec::new(), 0);
    for (index, tree) in collection.games.iter().enumerate() {
        match Record::from_tree(tree) {
            Ok(record) => games.extend(found(&record, side, Text::File(path.to_owned(), index)).0),
            Err(_) => broken += 1,
        }
    }
    Ok((games, broken))
}

/// The game, if its board fits and it can be used: it has moves, and nothing is set up after the first.
fn found(record: &Record, side: usize, text: Text) -> Found {
    let fits = record.size.width().max(record.size.height()) <= side;
    let first = record.steps.iter().position(|step| step.mv.is_some());
    let plain = first.is_some_and(|first| record.steps[first + 1..].iter().all(|step| step.setup.is_empty()));
    (if fits && plain { vec![Game { hash: hash(record), text }] } else { Vec::new() }, 0)
}

/// Of the board, its setup and the moves.
fn hash(record: &Record) -> u128 {
    let mut hash = Sha256::new();
    hash.update(record.size.to_string());
    for step in &record.steps {
        for &(point, color) in &step.setup {
            hash.update(format!("{}{}", color.map_or('-', Color::letter), letters(record.size, point)));
        }
        if let Some((color, mv)) = step.mv {
            hash.update(format!("{}{}", color.letter(), letters(record.size, mv)));
        }
    }
    u128::from_be_bytes(hash.finalize()[..16].try_into().expect("the hash has 32 bytes"))
}
