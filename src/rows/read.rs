//! Reading files of rows, ours and KataGo's.

use std::fs::{self, File};
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::npy::{self, BadArray, Element, Header};
use super::row::{QValues, Row, plane_bytes};
use super::score;
use super::shard::{SPATIAL, Shard, array};
use super::targets::{OLD_TARGETS, TARGETS, Targets};
use crate::board::{MAX_SIDE, Size};
use crate::nn::{GLOBALS, META_INPUTS, PLANES};

/// A file of rows that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {flaw}", file.display())]
pub struct BadShard {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// What is wrong with a file of rows.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is no archive, or a torn one.
    #[error("this is no whole npz file: {0}")]
    NotZip(ZipError),
    /// An array is missing.
    #[error("the array {0} is missing")]
    Missing(&'static str),
    /// An array is not as it should be.
    #[error("the array {array}: {flaw}")]
    Array {
        /// Its name.
        array: &'static str,
        /// What is wrong.
        flaw: BadArray,
    },
}

impl Shard {
    /// Reads a file, of this program or KataGo's.
    ///
    /// # Errors
    /// If the file is torn, or not what KataGo's trainer reads.
    pub fn read(file: &Path) -> Result<Self, BadShard> {
        let bad = |flaw| BadShard { file: file.to_owned(), flaw };
        let opened = File::open(file).map_err(|error| bad(error.into()))?;
        Self::read_from(BufReader::new(opened)).map_err(bad)
    }

    /// Reads what would be in a file.
    ///
    /// # Errors
    /// As [`Shard::read`].
    pub fn read_from(from: impl Read + Seek) -> Result<Self, Flaw> {
        Archive(ZipArchive::new(from).map_err(Flaw::NotZip)?).read()
    }

    /// The files of rows in a folder and in those below it, by name. Files that are being written are not among them.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn files(folder: &Path) -> Result<Vec<PathBuf>, BadShard> {
        let bad = |error: std::io::Error| BadShard { file: folder.to_owned(), flaw: error.into() };
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(bad)? {
            let path = entry.map_err(bad)?.path();
            if path.is_dir() {
                files.extend(Self::files(&path)?);
            } else if path.extension().is_some_and(|end| end == "npz") {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }
}

struct Archive<R>(ZipArchive<R>);

impl<R: Read + Seek> Archive<R> {
    fn read(mut self) -> Result<Shard, Flaw> {
        // This array alone says how large the tensor is.
        let (shape, spatial) = self.array::<i8>(array::SPATIAL, |shape| {
            let fits =
                matches!(*shape, [_, SPATIAL, height, width] if height == width && (2..=MAX_SIDE as usize).contains(&width));
            if fits { Ok(()) } else { Err(format!("(rows, {SPATIAL}, side, side) with a side of 2 to {MAX_SIDE}")) }
        })?;
        let (rows, side) = (shape[0], shape[3]);
        let area = side * side;
        let planes = self.exact::<u8>(array::PLANES, &[rows, PLANES, plane_bytes(side)])?;
        let globals = self.exact::<f32>(array::GLOBALS, &[rows, GLOBALS])?;
        let policy = self.exact::<i16>(array::POLICY, &[rows, 2, area + 1])?;
        let (shape, targets) = self.array::<f32>(array::TARGETS, |shape| {
            let fits = [OLD_TARGETS, TARGETS].iter().any(|&numbers| *shape == [rows, numbers]);
            if fits { Ok(()) } else { Err(format!("[{rows}, {OLD_TARGETS} or {TARGETS}]")) }
        })?;
        let numbers = shape[1];
        let score = self.exact::<i8>(array::SCORE, &[rows, score::length(area)])?;
        let q_values = self.optional::<i16>(array::Q_VALUES, &[rows, 3, area + 1])?;
        let meta = self.optional::<f32>(array::META, &[rows, META_INPUTS])?;
        check_finite(array::GLOBALS, &globals, GLOBALS)?;
        check_finite(array::TARGETS, &targets, numbers)?;
        check_finite(array::META, meta.as_deref().unwrap_or_default(), META_INPUTS)?;

        let part = |row: usize, length: usize| row * length..(row + 1) * length;
        let mut shard = Shard::new(side);
        for row in 0..rows {
            let mut all = [0.0; TARGETS];
            all[..numbers].copy_from_slice(&targets[part(row, numbers)]);
            let plane = |number: usize| spatial[part(row * SPATIAL + number, area)].to_vec();
            let moves = |number: usize| policy[part(row * 2 + number, area + 1)].to_vec();
            let planes = planes[part(row, PLANES * plane_bytes(side))].to_vec();
            let board = board(&planes[..plane_bytes(side)], side).ok_or_else(|| {
                let what = "its first plane is no board in the upper left corner".to_owned();
                Flaw::Array { array: array::PLANES, flaw: BadArray::Value { row, what } }
            })?;
            let (policy, reply) = (moves(0), moves(1));
            if policy.iter().chain(&reply).any(|&visits| visits < 0) {
                let what = "visits below 0".to_owned();
                return Err(Flaw::Array { array: array::POLICY, flaw: BadArray::Value { row, what } });
            }
            shard.push(Row {
                side,
                board,
                planes,
                globals: array_of(&globals[part(row, GLOBALS)]),
                meta: meta.as_ref().map(|meta| Box::new(array_of(&meta[part(row, META_INPUTS)]))),
                policy,
                reply,
                score: score[part(row, score::length(area))].to_vec(),
                ownership: plane(0),
                seki: plane(1),
                future: [plane(2), plane(3)],
                scoring: plane(4),
                q_values: q_values.as_ref().and_then(|all| {
                    let plane = |number: usize| all[part(row * 3 + number, area + 1)].to_vec();
                    let values = QValues { win_loss: plane(0), score: plane(1), visits: plane(2) };
                    values.visits.iter().any(|&visits| visits > 0).then_some(values)
                }),
                targets: Targets::from_array(&all),
            });
        }
        Ok(shard)
    }

    /// An array whose shape `check` accepts; its error says which would do.
    fn array<T: Element>(
        &mut self,
        name: &'static str,
        check: impl Fn(&[usize]) -> Result<(), String>,
    ) -> Result<(Vec<usize>, Vec<T>), Flaw> {
        // numpy adds the ending, KataGo does not.
        let entry = [format!("{name}.npy"), name.to_owned()].iter().find_map(|name| self.0.index_for_name(name));
        let mut entry = self.0.by_index(entry.ok_or(Flaw::Missing(name))?).map_err(Flaw::NotZip)?;
        let mut read = || {
            let header: Header = npy::read_header(&mut entry)?;
            check(&header.shape).map_err(|expected| BadArray::Shape { found: header.shape.clone(), expected })?;
            let numbers = npy::read_numbers(&header, &mut entry)?;
            Ok((header.shape, numbers))
        };
        read().map_err(|flaw| Flaw::Array { array: name, flaw })
    }

    fn exact<T: Element>(&mut self, name: &'static str, shape: &[usize]) -> Result<Vec<T>, Flaw> {
        let same = |found: &[usize]| if found == shape { Ok(()) } else { Err(format!("{shape:?}")) };
        Ok(self.array(name, same)?.1)
    }

    fn optional<T: Element>(&mut self, name: &'static str, shape: &[usize]) -> Result<Option<Vec<T>>, Flaw> {
        match self.exact(name, shape) {
            Err(Flaw::Missing(_)) => Ok(None),
            other => other.map(Some),
        }
    }
}

fn array_of<const N: usize>(numbers: &[f32]) -> [f32; N] {
    numbers.try_into().expect("as many numbers as the shape says")
}

fn check_finite(array: &'static str, numbers: &[f32], each: usize) -> Result<(), Flaw> {
    let Some(bad) = numbers.iter().position(|number| !number.is_finite()) else { return Ok(()) };
    let what = format!("number {} is {}", bad % each, numbers[bad]);
    Err(Flaw::Array { array, flaw: BadArray::Value { row: bad / each, what } })
}

/// The board whose points `plane` has, which begin at the upper left corner of the tensor.
fn board(plane: &[u8], side: usize) -> Option<Size> {
    let on_board = |x: usize, y: usize| {
        let place = y * side + x;
        plane[place / 8] >> (7 - place % 8) & 1 == 1
    };
    let width = (0..side).take_while(|&x| on_board(x, 0)).count();
    let height = (0..side).take_while(|&y| on_board(0, y)).count();
    let size = Size::new(width, height).ok()?;
    let whole = (0..side).all(|y| (0..side).all(|x| on_board(x, y) == (x < width && y < height)));
    whole.then_some(size)
}
