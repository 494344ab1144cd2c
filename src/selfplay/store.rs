//! The folder of a self-play run: `train/` and `val/` hold rows, a file a game, and `games/` their records as SGF, under the same names.
//!
//! A game is finished when its record is in `games/`. The record waits there under another name until the rows are in their place, so whatever moment a run is
//! killed at, the next one finds a game whole or not at all. Names follow from content, so runs can share a folder.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::rows::{Shard, WriteError};

/// Ending of files that are not finished.
const UNFINISHED: &str = "unfinished";
/// Files that were not finished for so long never will be.
const GIVEN_UP: Duration = Duration::from_secs(3600);

/// A folder cannot hold a run.
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
    /// Rows cannot be written.
    #[error(transparent)]
    Rows(#[from] WriteError),
}

/// Which rows a game's are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Those that a network learns from.
    Train,
    /// Those that it is tested by.
    Val,
}

/// The folder.
#[derive(Clone, Debug)]
pub struct Store {
    /// Of the rows, by [`Part`].
    rows: [PathBuf; 2],
    games: PathBuf,
}

impl Store {
    /// Opens a folder, making it if need be, and brings to an end what a killed run had begun.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let store = Self { rows: ["train", "val"].map(|part| folder.join(part)), games: folder.join("games") };
        for folder in store.folders() {
            fs::create_dir_all(folder).map_err(at(folder))?;
        }
        store.recover()?;
        Ok(store)
    }

    fn folders(&self) -> impl Iterator<Item = &Path> {
        self.rows.iter().chain([&self.games]).map(PathBuf::as_path)
    }

    /// Keeps a finished game, whole or not at all.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn add(&self, part: Part, shard: &Shard, sgf: &str) -> Result<(), StoreError> {
        let rows = &self.rows[part as usize];
        let staged = if shard.is_empty() { None } else { Some(shard.stage(rows)?) };
        let name = staged.as_ref().map_or_else(|| format!("{:032x}.sgf", fingerprint(sgf)), |staged| staged.name().to_owned());
        let path = self.games.join(name).with_extension("sgf");
        let waiting = waiting(&path);
        let write = || {
            let mut file = File::create(&waiting)?;
            file.write_all(sgf.as_bytes())?;
            file.sync_all()
        };
        write().map_err(at(&waiting))?;
        if let Some(staged) = staged {
            staged.commit(rows)?;
        }
        finish(&waiting, &path)
    }

    /// How many games are finished.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn finished(&self) -> Result<usize, StoreError> {
        Ok(names(&self.games, "sgf")?.len())
    }

    /// Ends what was begun: records whose rows are in their place get theirs, old leftovers go.
    fn recover(&self) -> Result<(), StoreError> {
        let stem = |path: &PathBuf| path.file_stem().map(OsStr::to_owned);
        let mut complete = HashSet::new();
        for rows in &self.rows {
            complete.extend(names(rows, "npz")?.iter().filter_map(stem));
        }
        for folder in self.folders() {
            for path in names(folder, UNFINISHED)? {
                let record = path.with_extension("");
                if folder == self.games && stem(&record).is_some_and(|stem| complete.contains(&stem)) {
                    finish(&path, &record)?;
                } else if is_given_up(&path) {
                    // Another run may just have done the same.
                    let _ = fs::remove_file(&path);
                }
            }
        }
        Ok(())
    }
}

/// A number for a game, by its record.
pub fn fingerprint(sgf: &str) -> u128 {
    let digest = Sha256::digest(sgf);
    digest.iter().take(16).fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Where a record waits.
fn waiting(path: &Path) -> PathBuf {
    path.with_extension(format!("sgf.{UNFINISHED}"))
}

/// Gives a record that waits its place; if another run has just done so, that is as well.
fn finish(waiting: &Path, path: &Path) -> Result<(), StoreError> {
    fs::rename(waiting, path).or_else(|error| if path.exists() { Ok(()) } else { Err(error) }).map_err(at(path))
}

/// The files of a folder with this ending.
fn names(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, StoreError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        if path.extension() == Some(OsStr::new(ending)) {
            paths.push(path);
        }
    }
    Ok(paths)
}

fn is_given_up(path: &Path) -> bool {
    let age = fs::metadata(path).and_then(|facts| facts.modified()).ok().and_then(|time| time.elapsed().ok());
    age.is_some_and(|age| age > GIVEN_UP)
}

/// Turns a system's error about `path` into one of ours.
fn at(path: &Path) -> impl FnOnce(io::Error) -> StoreError + '_ {
    |error| StoreError::Io { path: path.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use super::{Part, Store, waiting};
    use crate::board::Size;
    use crate::nn::{FeatureOptions, Features, Inputs, Symmetry};
    use crate::rows::{Row, Shard};
    use crate::rules::{Position, Rules};
    use std::fs;
    use std::path::PathBuf;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("tengen selfplay ä {name} {}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Self(path)
        }

        /// Its files, from the folder on.
        fn files(&self, part: &str) -> Vec<PathBuf> {
            fs::read_dir(self.0.join(part)).unwrap().map(|entry| entry.unwrap().path()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn shard(turn: f32) -> Shard {
        let size = Size::square(5).unwrap();
        let (position, mut inputs) = (Position::new(size, Rules::default()), Inputs::new(size));
        Features::new().encode(&position, &FeatureOptions::default(), size, Symmetry::IDENTITY, &mut inputs);
        let mut row = Row::new(&inputs);
        row.targets.turn = turn;
        let mut shard = Shard::new(5);
        shard.push(row);
        shard
    }

    #[test]
    fn a_game_is_kept_once_under_one_name() {
        let folder = Folder::new("once");
        let store = Store::open(&folder.0).unwrap();
        for _ in 0..2 {
            store.add(Part::Train, &shard(1.0), "(;A)").unwrap();
        }
        store.add(Part::Val, &shard(2.0), "(;B)").unwrap();
        assert_eq!((store.finished().unwrap(), folder.files("train").len(), folder.files("val").len()), (2, 1, 1));
        let name = folder.files("train")[0].file_stem().unwrap().to_owned();
        assert_eq!(fs::read_to_string(folder.0.join("games").join(name).with_extension("sgf")).unwrap(), "(;A)");
        assert_eq!(Shard::read(&folder.files("val")[0]).unwrap(), shard(2.0));
        // Games without rows are games too.
        for sgf in ["(;C)", "(;D)", "(;D)"] {
            store.add(Part::Train, &Shard::new(5), sgf).unwrap();
        }
        assert_eq!((store.finished().unwrap(), folder.files("train").len()), (4, 1));
    }

    #[test]
    fn what_a_kill_left_is_ended_or_left_to_who_is_at_it() {
        let folder = Folder::new("kill");
        let store = Store::open(&folder.0).unwrap();
        store.add(Part::Train, &shard(1.0), "(;A)").unwrap();
        let record = folder.files("games").pop().unwrap();
        // Killed between the two renamings: the rows are there, the record waits.
        fs::rename(&record, waiting(&record)).unwrap();
        let other = folder.0.join("games").join("0123.sgf.unfinished");
        fs::write(&other, "(;").unwrap();
        assert_eq!(store.finished().unwrap(), 0);
        assert_eq!(Store::open(&folder.0).unwrap().finished().unwrap(), 1);
        assert!(record.exists() && other.exists(), "another run may be writing it");
        let old = std::time::SystemTime::now() - 2 * super::GIVEN_UP;
        fs::File::options().write(true).open(&other).unwrap().set_modified(old).unwrap();
        Store::open(&folder.0).unwrap();
        assert!(!other.exists());
    }
}
