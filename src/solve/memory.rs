//! What the local solver remembers of positions: a table of fixed size, the latest in each place.

use super::basis::hash;
use super::local::State;
use super::numbers::Numbers;

#[derive(Clone, Copy)]
struct Entry {
    state: State,
    /// The hash of the path that a proof leans on, or 0.
    path: u64,
    numbers: Numbers,
}

/// Memory that a place takes, in bytes.
const PLACE: usize = size_of::<Option<Entry>>() + size_of::<u16>();

/// The table.
pub(super) struct Memory {
    /// A part of the hash of what is in each place, 0 if nothing is: most of what is asked for is not there, and seen not to be without a look at the entry, far away in memory.
    tags: Vec<u16>,
    entries: Vec<Option<Entry>>,
}

impl Memory {
    /// A table of so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        let places = (bytes as usize / PLACE).max(1);
        Self { tags: vec![0; places], entries: vec![None; places] }
    }

    /// Forgets everything, for another question.
    pub(super) fn clear(&mut self) {
        self.tags.fill(0);
    }

    /// What is known of `state` on a path of this hash; 0 for what holds on any.
    pub(super) fn get(&self, state: &State, path: u64) -> Option<Numbers> {
        let (place, tag) = self.place(state, path);
        if self.tags[place] != tag {
            return None;
        }
        self.entries[place].as_ref().filter(|entry| entry.path == path && entry.state == *state).map(|entry| entry.numbers)
    }

    /// Remembers `numbers`.
    pub(super) fn put(&mut self, state: &State, path: u64, numbers: Numbers) {
        let (place, tag) = self.place(state, path);
        self.tags[place] = tag;
        self.entries[place] = Some(Entry { state: *state, path, numbers });
    }

    fn place(&self, state: &State, path: u64) -> (usize, u16) {
        let turn = (state.player as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ state.target.rotate_left(17)
            ^ state.ko.rotate_left(41);
        let hash = hash(state.stones) ^ turn.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ path;
        let place = (u128::from(hash) * self.entries.len() as u128) >> 64;
        (place as usize, hash as u16 | 1)
    }
}
