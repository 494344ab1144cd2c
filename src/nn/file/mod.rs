//! Network files as KataGo writes them: reading and writing. The format is KataGo's `cpp/neuralnet/desc.cpp`.
//!
//! A file is a row of words, such as names and sizes, between blocks of floats. It may be compressed by gzip, and its floats are either raw
//! (`.bin`) or words too (`.txt`). A reader need not be told which: gzip has a magic number, and a block of raw floats begins with `@BIN@`.

mod flaw;
mod layers;
mod read;
mod source;
mod write;

pub use flaw::{BadNetwork, Flaw};
pub use write::Form;

/// Oldest version of the format that is read.
pub const OLDEST_VERSION: u32 = 8;
/// Newest version of the format that is read.
pub const NEWEST_VERSION: u32 = 17;

/// Stands before every block of raw floats.
const RAW_FLOATS: &[u8] = b"@BIN@";
