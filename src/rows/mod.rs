//! Training rows, in the files that KataGo's trainer reads: what a network is shown, and what it should have said.
//!
//! A [`Row`] is one position. It is made of the network's [`Inputs`](crate::nn::Inputs) and at first knows no target: all weights are zero. Each
//! `set_` method gives it one. A [`Shard`] holds many rows and is a file: compressed npz, with the arrays, shapes, types and meanings of KataGo's
//! data format 3 (its public source, `cpp/dataio/trainingwrite.h`).
//!
//! | array | shape | type | |
//! |---|---|---|---|
//! | binaryInputNCHWPacked | rows, 22, bytes of a plane | u8 | input planes, eight points a byte, the first in the highest bit |
//! | globalInputNC | rows, 19 | f32 | global inputs |
//! | policyTargetsNCMove | rows, 2, points + 1 | i16 | visits of the player's move and of the opponent's reply, the pass last |
//! | globalTargetsNC | rows, 80 | f32 | [`Targets`]; 64 in format 2 |
//! | scoreDistrN | rows, 2 * (points + 60) | i8 | the final score, in hundredths |
//! | valueTargetsNCHW | rows, 5, y, x | i8 | ownership, seki, the board 8 and 32 moves on, scoring |
//! | qValueTargetsNCMove | rows, 3, points + 1 | i16 | what a search found each move to be worth; may be missing |
//! | metadataInputNC | rows, 192 | f32 | who is playing; may be missing |
//!
//! The tensor is a square whose upper left corner is the board. Everything is seen from the player to move.

mod npy;
mod read;
mod row;
mod score;
mod shard;
mod targets;
#[cfg(test)]
mod tests;

pub use npy::BadArray;
pub use read::{BadShard, Flaw};
pub use row::{QValues, Row};
pub use shard::{Shard, Staged, WriteError};
pub use targets::{GameKind, Reanalysis, Targets, Values, Weights};
