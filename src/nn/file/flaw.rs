//! What can be wrong with a network file or a network to be written, and where.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::{NEWEST_VERSION, OLDEST_VERSION};

/// Why a file is no network that can be used, or a network cannot be written.
#[derive(Debug)]
pub struct BadNetwork {
    /// The file; nothing for one in memory.
    pub file: Option<PathBuf>,
    /// The part of the network that is to blame, from the outside in, each with its name in the file where it has one; may be empty.
    pub place: Vec<String>,
    /// What is wrong.
    pub flaw: Flaw,
}

impl fmt::Display for BadNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "network {}: ", file.display())?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place.join(", "))?;
        }
        self.flaw.fmt(f)
    }
}

impl std::error::Error for BadNetwork {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.flaw.source()
    }
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    /// It cannot be opened.
    #[error("cannot open it: {0}")]
    Open(io::Error),
    /// It cannot be read on.
    #[error("cannot read it: {0}")]
    Read(io::Error),
    /// Its compression is damaged, or its checksum is wrong.
    #[error("the file is damaged: {0}; if it was downloaded, download it again")]
    Damaged(io::Error),
    /// It does not begin as a network does.
    #[error("this is no network of KataGo's: {0}")]
    Foreign(String),
    /// A version that is too old or too new.
    #[error("the network has version {0} of the format; Tengen reads versions {OLDEST_VERSION} to {NEWEST_VERSION}")]
    Version(u32),
    /// The end where a field should be.
    #[error("file ends before {0}")]
    Ends(&'static str),
    /// The end amid weights.
    #[error("file ends after {} of {} {what}", grouped(*.arrived), grouped(*.expected))]
    EndsAmid {
        /// What they are: weights, means...
        what: &'static str,
        /// How many there are.
        arrived: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Something other than what must stand there.
    #[error("{field}: expected {expected}, found {found}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// What it may be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// A weight that is no number.
    #[error("number {} of {} {what} is {found}", grouped(index + 1), grouped(*.count))]
    Weight {
        /// What they are: weights, means...
        what: &'static str,
        /// Which, from 0.
        index: usize,
        /// Of how many.
        count: usize,
        /// What it is.
        found: String,
    },
    /// It cannot be written.
    #[error("cannot write it: {0}")]
    Write(io::Error),
    /// A name that does not say how to write it.
    #[error("to be written, its name must end in .bin.gz, .bin, .txt.gz or .txt")]
    Ending,
    /// Parts that its version has no place for.
    #[error("version {0} of the format cannot hold all of this network")]
    Lossy(u32),
    /// Larger than any network.
    #[error("{0}: too large for a network")]
    TooLarge(String),
}

/// A number with commas between its thousands.
pub(crate) fn grouped(number: impl fmt::Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 12_345_678].map(grouped), ["0", "999", "1,000", "12,345,678"]);
    }
}
