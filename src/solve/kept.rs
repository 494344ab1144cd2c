//! What a prover has found, kept in a file from time to time, so that a long search goes on where it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::Unsolved;
use super::field::Stones;
use super::findings::{FILED_BYTES, Findings};
use crate::util::write_whole;

/// Most entries that are kept: those that took most.
const MOST: usize = 1 << 20;
/// Time between two times.
const EVERY: Duration = Duration::from_secs(60);
/// Length of the hash at the end.
const HASH: usize = 32;

/// A prover's file.
pub(super) struct Kept {
    path: PathBuf,
    /// What a proof is good for: board, rules and side, in words; the file's first line.
    title: String,
    next: Instant,
}

impl Kept {
    /// The file at `path`, whose entries go into `table`, whose keys are by `hash`, if it is there. The `title` tells board, rules and side.
    ///
    /// # Errors
    /// If it cannot be read or written, is broken, or is about another board.
    pub(super) fn open(path: PathBuf, title: &str, table: &mut Findings, hash: impl Fn(Stones) -> u64) -> Result<Self, Unsolved> {
        let mut kept = Self { title: format!("{title}\n"), next: Instant::now(), path };
        match fs::read(&kept.path) {
            Ok(bytes) => table.read(kept.entries(&bytes)?, hash),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(refused(&kept.path, &error)),
        }
        // Who cannot write should learn it now.
        kept.save(table)?;
        Ok(kept)
    }

    fn entries<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], Unsolved> {
        let broken = || refused(&self.path, "it is no file of proofs, or it is broken; name another, or take it away");
        let (content, hash) = bytes.split_at_checked(bytes.len().saturating_sub(HASH)).ok_or_else(broken)?;
        let line = content.iter().position(|&byte| byte == b'\n').ok_or_else(broken)? + 1;
        if Sha256::digest(content)[..] != *hash || (content.len() - line) % FILED_BYTES != 0 {
            return Err(broken());
        }
        if content[..line] != *self.title.as_bytes() {
            let found = String::from_utf8_lossy(&content[..line - 1]).into_owned();
            return Err(refused(
                &self.path,
                format!("it holds '{found}', but this is '{}'; name another", self.title.trim_end()),
            ));
        }
        Ok(&content[line..])
    }

    /// Saves if it is time to.
    ///
    /// # Errors
    /// If it cannot be written; what was kept before is still there.
    pub(super) fn save_now_and_then(&mut self, table: &Findings) -> Result<(), Unsolved> {
        if Instant::now() < self.next { Ok(()) } else { self.save(table) }
    }

    /// Saves.
    ///
    /// # Errors
    /// If it cannot be written; what was kept before is still there.
    pub(super) fn save(&mut self, table: &Findings) -> Result<(), Unsolved> {
        let mut bytes = self.title.clone().into_bytes();
        bytes.extend(table.write(MOST));
        let hash = Sha256::digest(&bytes);
        bytes.extend(hash);
        write_whole(&self.path, &bytes).map_err(|error| refused(&self.path, error))?;
        self.next = Instant::now() + EVERY;
        Ok(())
    }
}

fn refused(path: &Path, why: impl std::fmt::Display) -> Unsolved {
    Unsolved::Refused(format!("what is proved cannot be kept in {}: {why}", path.display()))
}
