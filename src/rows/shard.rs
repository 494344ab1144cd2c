//! Many rows, and the file that they are.

use std::fs::{self, File};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::npy;
use super::row::{QValues, Row, plane_bytes};
use super::score;
use super::targets::TARGETS;
use crate::nn::{GLOBALS, META_INPUTS, PLANES};

/// The arrays of a file.
pub(super) mod array {
    pub(in crate::rows) const PLANES: &str = "binaryInputNCHWPacked";
    pub(in crate::rows) const GLOBALS: &str = "globalInputNC";
    pub(in crate::rows) const POLICY: &str = "policyTargetsNCMove";
    pub(in crate::rows) const TARGETS: &str = "globalTargetsNC";
    pub(in crate::rows) const SCORE: &str = "scoreDistrN";
    pub(in crate::rows) const SPATIAL: &str = "valueTargetsNCHW";
    pub(in crate::rows) const Q_VALUES: &str = "qValueTargetsNCMove";
    pub(in crate::rows) const META: &str = "metadataInputNC";
}
/// Planes of [`array::SPATIAL`].
pub(super) const SPATIAL: usize = 5;

/// Rows whose tensors are of one size: what a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Shard {
    pub(super) side: usize,
    pub(super) rows: Vec<Row>,
}

/// A shard cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write training rows to {}: {error}", path.display())]
pub struct WriteError {
    /// File or folder.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
}

/// A shard that lies whole on the disk, under a name that nobody reads. It is taken away if it is dropped, and left if the program is killed.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    name: String,
}

impl Shard {
    /// No rows yet; those to come have tensors of `side` by `side` points.
    pub fn new(side: usize) -> Self {
        Self { side, rows: Vec::new() }
    }

    /// Width and height of the tensors.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows, for those who need nothing else.
    pub fn into_rows(self) -> Vec<Row> {
        self.rows
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If its tensor is of another size.
    pub fn push(&mut self, row: Row) {
        assert_eq!(row.side, self.side, "the tensors of a shard are of one size");
        self.rows.push(row);
    }

    /// Writes a file into `folder`, which it makes if need be: whole or not at all, and named by its content, so that no two files of different
    /// content have one name and the same rows written twice are one file. Returns its path.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, WriteError> {
        self.stage(folder)?.commit(folder)
    }

    /// Writes a file into `folder`, which it makes if need be, but under another name than its own: it ends in `.unfinished`.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn stage(&self, folder: &Path) -> Result<Staged, WriteError> {
        let bytes = self.to_bytes();
        let hash = Sha256::digest(&bytes);
        let start = u128::from_be_bytes(hash[..16].try_into().expect("the hash has 32 bytes"));
        let name = format!("{start:032x}.npz");
        fs::create_dir_all(folder).map_err(at(folder))?;
        let staged = Staged { path: folder.join(format!("{name}.unfinished")), name };
        let write = || {
            let mut file = File::create(&staged.path)?;
            file.write_all(&bytes)?;
            file.sync_all()
        };
        write().map_err(at(&staged.path))?;
        Ok(staged)
    }

    /// The file: a zip archive of compressed arrays.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (rows, side, area) = (self.rows.len(), self.side, self.side * self.side);
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let mut add = |name: &str, bytes: Vec<u8>| {
            let options = SimpleFileOptions::default().large_file(bytes.len() > i32::MAX as usize);
            let added = zip.start_file(format!("{name}.npy"), options).map_err(io::Error::from);
            added.and_then(|()| zip.write_all(&bytes)).expect("memory can be written to");
        };
        let all = || self.rows.iter();
        add(array::PLANES, npy::write(&[rows, PLANES, plane_bytes(side)], all().map(|row| &row.planes)));
        add(array::GLOBALS, npy::write(&[rows, GLOBALS], all().map(|row| row.globals)));
        add(array::POLICY, npy::write(&[rows, 2, area + 1], all().flat_map(|row| [&row.policy, &row.reply])));
        add(array::TARGETS, npy::write(&[rows, TARGETS], all().map(|row| row.targets.to_array())));
        add(array::SCORE, npy::write(&[rows, score::length(area)], all().map(|row| &row.score)));
        let spatial = all().flat_map(|row| {
            let Row { ownership, seki, future: [near, far], scoring, .. } = row;
            [ownership, seki, near, far, scoring]
        });
        add(array::SPATIAL, npy::write(&[rows, SPATIAL, side, side], spatial));
        let nothing = QValues::none(area + 1);
        let q_values = all().flat_map(|row| {
            let QValues { win_loss, score, visits } = row.q_values.as_ref().unwrap_or(&nothing);
            [win_loss, score, visits]
        });
        add(array::Q_VALUES, npy::write(&[rows, 3, area + 1], q_values));
        if all().any(|row| row.meta.is_some()) {
            let meta = all().map(|row| row.meta.as_deref().copied().unwrap_or([0.0; META_INPUTS]));
            add(array::META, npy::write(&[rows, META_INPUTS], meta));
        }
        zip.finish().expect("memory can be written to").into_inner()
    }
}

impl Staged {
    /// The name that the file will have: 32 hexadecimal digits of its content's SHA-256, and `.npz`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Puts the file into `folder` under its name. Returns its path.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn commit(mut self, folder: &Path) -> Result<PathBuf, WriteError> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let path = folder.join(&self.name);
        fs::rename(&self.path, &path).map_err(at(&path))?;
        self.path.clear();
        sync_folder(folder);
        Ok(path)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if self.path.as_os_str().is_empty() {
            return;
        }
        if let Err(error) = fs::remove_file(&self.path) {
            log::warn!("{} stays behind: {error}", self.path.display());
        }
    }
}

/// Makes a rename last. Not all systems can; then it lasts as soon as they see fit.
fn sync_folder(folder: &Path) {
    if let Err(error) = File::open(folder).and_then(|folder| folder.sync_all()) {
        log::debug!("{} cannot be synced: {error}", folder.display());
    }
}

/// Turns a system's error about `path` into one of ours.
fn at(path: &Path) -> impl FnOnce(io::Error) -> WriteError + '_ {
    |error| WriteError { path: path.to_owned(), error }
}
