//! A run of training in a file, to go on from.
//!
//! A line of text, the length of the head, the head (JSON), the network as in a file of its own, the arrays one after the other, and a checksum of all that. Arrays are either exact or
//! halved: to eight binary digits (bfloat16), which is good enough for what an optimiser remembers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use flate2::Crc;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::nn::{BadNetwork, Form, Network};
use crate::util::write_whole;

/// First line of a checkpoint.
const MAGIC: &[u8] = b"tengen checkpoint 1\n";

/// Why a file is no checkpoint, or one cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum BadCheckpoint {
    /// It cannot be read or written.
    #[error("cannot read or write the checkpoint {}: {error}", path.display())]
    File {
        /// The checkpoint.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is something else, or damaged.
    #[error("{} is no checkpoint, or a damaged one: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The network in it cannot be read or written.
    #[error("the network in a checkpoint is broken")]
    Network(#[from] BadNetwork),
}

/// A run of training.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint<S> {
    /// How far it is.
    pub state: S,
    /// The network.
    pub network: Network,
    /// All other numbers, by name.
    pub arrays: Vec<Array>,
}

/// Numbers of a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// What they are.
    pub name: String,
    /// The numbers.
    pub values: Vec<f32>,
    /// Whether they may lose their last binary digits where a checkpoint is to be small.
    pub bears_halving: bool,
}

#[derive(Serialize, Deserialize)]
struct Head<S> {
    state: S,
    network: usize,
    arrays: Vec<Place>,
}

#[derive(Serialize, Deserialize)]
struct Place {
    name: String,
    numbers: usize,
    halved: bool,
    bears_halving: bool,
}

impl<S: Serialize + DeserializeOwned> Checkpoint<S> {
    /// Writes it to a file, whole or not at all; `small` with halved arrays.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path, small: bool) -> Result<(), BadCheckpoint> {
        write_whole(path, &self.to_bytes(small)?).map_err(|error| BadCheckpoint::File { path: path.to_owned(), error })
    }

    /// Reads one from a file.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn read(path: &Path) -> Result<Self, BadCheckpoint> {
        let bytes = fs::read(path).map_err(|error| BadCheckpoint::File { path: path.to_owned(), error })?;
        Self::parse(&bytes).map_err(|reason| BadCheckpoint::Damaged { path: path.to_owned(), reason })
    }

    fn to_bytes(&self, small: bool) -> Result<Vec<u8>, BadCheckpoint> {
        let network = self.network.to_bytes(Form { raw: true, gzip: false })?;
        let place = |array: &Array| Place {
            name: array.name.clone(),
            numbers: array.values.len(),
            halved: small && array.bears_halving,
            bears_halving: array.bears_halving,
        };
        let head = Head { state: &self.state, network: network.len(), arrays: self.arrays.iter().map(place).collect() };
        let text = serde_json::to_vec(&head).expect("a head is plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text);
        bytes.extend(network);
        for (array, place) in self.arrays.iter().zip(&head.arrays) {
            if place.halved {
                bytes.extend(array.values.iter().flat_map(|&value| halved(value).to_le_bytes()));
            } else {
                bytes.extend(array.values.iter().flat_map(|value| value.to_le_bytes()));
            }
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        Ok(bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it does not begin as one")?;
        let (_, sum) = bytes.split_last_chunk().ok_or("it is too short")?;
        let mut rest = &rest[..rest.len().saturating_sub(sum.len())];
        if checksum(&bytes[..bytes.len() - sum.len()]) != u32::from_le_bytes(*sum) {
            return Err("its checksum is wrong".to_owned());
        }
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count).ok_or_else(|| "it is too short".to_owned())?;
            rest = left;
            Ok::<_, String>(taken)
        };
        let length = u64::from_le_bytes(*take(8)?.first_chunk().expect("eight were taken"));
        let head: Head<S> = serde_json::from_slice(take(length as usize)?).map_err(|error| error.to_string())?;
        let network = Network::parse(take(head.network)?).map_err(|error| error.to_string())?;
        let arrays = head.arrays.into_iter().map(|Place { name, numbers, halved, bears_halving }| {
            let bytes = take(numbers.saturating_mul(if halved { 2 } else { 4 }))?;
            let values = if halved {
                bytes.as_chunks().0.iter().map(|&half| doubled(u16::from_le_bytes(half))).collect()
            } else {
                bytes.as_chunks().0.iter().map(|&float| f32::from_le_bytes(float)).collect()
            };
            Ok(Array { name, values, bears_halving })
        });
        let arrays = arrays.collect::<Result<_, String>>()?;
        Ok(Self { state: head.state, network, arrays })
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The upper half of a float, rounded to nearest, ties to even.
fn halved(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() {
        return (bits >> 16) as u16 | 1;
    }
    (bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

fn doubled(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

#[cfg(test)]
mod tests {
    use super::{Array, Checkpoint};
    use crate::nn::{BlockKind, Network};
    use crate::util::Rng;

    fn checkpoint() -> Checkpoint<Vec<u64>> {
        let array = |name: &str, values, bears_halving| Array { name: name.to_owned(), values, bears_halving };
        Checkpoint {
            state: vec![3, 1, 4],
            network: Network::random(8, 4, &[BlockKind::Residual], &mut Rng::new(1)),
            arrays: vec![array("exact", vec![0.1, -1e-30, 3.0], false), array("memory", vec![0.1, -1e-30, 0.0], true)],
        }
    }

    #[test]
    fn a_checkpoint_is_read_as_it_was_written() {
        let checkpoint = checkpoint();
        assert_eq!(Checkpoint::parse(&checkpoint.to_bytes(false).unwrap()).unwrap(), checkpoint);
    }

    #[test]
    fn a_small_one_halves_what_bears_it() {
        let before = checkpoint();
        let bytes = before.to_bytes(true).unwrap();
        assert!(bytes.len() < before.to_bytes(false).unwrap().len());
        let after = Checkpoint::<Vec<u64>>::parse(&bytes).unwrap();
        assert_eq!((&after.state, &after.network, &after.arrays[0]), (&before.state, &before.network, &before.arrays[0]));
        for (a, b) in after.arrays[1].values.iter().zip(&before.arrays[1].values) {
            assert!((a - b).abs() <= b.abs() / 256.0, "{a} was {b}");
        }
    }

    #[test]
    fn damage_is_found() {
        let bytes = checkpoint().to_bytes(false).unwrap();
        for at in [0, 25, 40, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Checkpoint::<Vec<u64>>::parse(&damaged).is_err(), "byte {at}");
        }
        for length in [0, 10, 23, bytes.len() - 1] {
            assert!(Checkpoint::<Vec<u64>>::parse(&bytes[..length]).is_err(), "{length} bytes");
        }
    }
}
