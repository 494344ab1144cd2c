//! What a prover has found, in a table of bounded size.

use super::field::Stones;
use super::grounds::{Few, GROUNDS_BYTES, Grounds, few};
use super::turns::Turns;
use crate::util::prefetch;

/// No move.
pub(super) const NONE: u8 = 65;
/// Leads lie within this.
const BEYOND: i8 = 100;

/// A question: what the prover is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Goal {
    /// The least lead on the board, seen from the prover.
    pub(super) lead: i32,
    /// Whether repetition counts who is to move (situational superko).
    pub(super) situational: bool,
}

/// A state of the game, whose history is known besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The stones.
    pub(super) stones: Stones,
    /// Who is to move: 0 Black, 1 White.
    pub(super) player: usize,
    /// Whether a pass would end the game.
    pub(super) passed: bool,
    /// Where the prover's opponent may not retake a ko, as a set of one point or none. The prover's own kos need no mark: a position that it made before and makes again
    /// is no progress.
    pub(super) ko: u64,
}

impl State {
    /// The state on a board that is turned.
    pub(super) fn turned(&self, turns: &Turns, turn: u8) -> Self {
        let wide = |set: u32| u64::from(set);
        Self { stones: turns.stones(turn, few(self.stones)).map(wide), ko: wide(turns.set(turn, self.ko as u32)), ..*self }
    }

    /// What tells states with the same stones apart, as the table has it.
    fn turn(&self) -> [u8; 2] {
        [self.player as u8 * 2 + u8::from(self.passed), self.ko.trailing_zeros() as u8]
    }
}

/// What the table knows of a state; a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Entry {
    /// What the proof stands on.
    pub(super) grounds: Grounds,
    stones: Few,
    turn: [u8; 2],
    /// The move that decided.
    pub(super) best: u8,
    /// The most that was proved, and within how many moves.
    pub(super) proved: (i8, u8),
    /// The least that was not to be forced, and within how many moves.
    pub(super) failed: (i8, u8),
    /// A hash of the history with which it failed, 0 for any.
    pub(super) failed_after: u32,
}

const _: () = assert!(size_of::<Entry>() == ENTRY_BYTES);

/// Memory that an entry takes.
pub(super) const ENTRY_BYTES: usize = 64;

const EMPTY: Entry = Entry {
    grounds: Grounds::NONE,
    stones: [0; 2],
    turn: [u8::MAX; 2],
    best: NONE,
    proved: (-BEYOND, 0),
    failed: (BEYOND, 0),
    failed_after: 0,
};

impl Entry {
    fn is_of(&self, state: &State) -> bool {
        self.stones == few(state.stones) && self.turn == state.turn()
    }

    /// Whether the goal is known not to be forced.
    pub(super) fn fails(&self, goal: Goal, depth: u8, history: u32) -> bool {
        goal.lead >= i32::from(self.failed.0) && depth <= self.failed.1 && self.failed_after == history
    }

    /// The depth of the search that it saves.
    fn worth(&self) -> u8 {
        let failed = if self.failed.1 == u8::MAX { 1 } else { self.failed.1 };
        failed.max(self.proved.1)
    }
}

/// Entries in pairs: the first of two is for what took more, the second for what is new.
pub(super) struct Findings(Vec<Entry>);

impl Findings {
    /// A table of so many entries.
    pub(super) fn new(places: usize) -> Self {
        Self(vec![EMPTY; places.max(2) & !1])
    }

    /// What is known of a state, whose stones have this hash.
    pub(super) fn get(&self, state: &State, hash: u64) -> Option<Entry> {
        let place = self.place(state, hash);
        self.0[place..place + 2].iter().find(|entry| entry.is_of(state)).copied()
    }

    /// Hints that a state will be looked up soon.
    pub(super) fn prefetch(&self, state: &State, hash: u64) {
        let place = self.place(state, hash);
        self.0[place..place + 2].iter().for_each(|entry| prefetch(entry));
    }

    /// The entry of a state to change, as it is or empty.
    pub(super) fn entry(&self, state: &State, hash: u64) -> Entry {
        let fresh = || Entry { stones: few(state.stones), turn: state.turn(), ..EMPTY };
        self.get(state, hash).unwrap_or_else(fresh)
    }

    /// Keeps an entry.
    pub(super) fn put(&mut self, state: &State, hash: u64, entry: Entry) {
        let deep = self.place(state, hash);
        let recent = deep + 1;
        if self.0[deep].is_of(state) {
            self.0[deep] = entry;
        } else if entry.worth() >= self.0[deep].worth() {
            self.0[recent] = self.0[deep];
            self.0[deep] = entry;
        } else {
            self.0[recent] = entry;
        }
    }

    /// The first of the two places of a state.
    fn place(&self, state: &State, hash: u64) -> usize {
        let [turn, ko] = state.turn();
        let turn = (u64::from(turn) << 8 | u64::from(ko)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let pairs = self.0.len() as u128 / 2;
        2 * ((u128::from(hash ^ turn) * pairs) >> 64) as usize
    }

    /// The entries that took most, up to about `most`, as bytes: [`FILED_BYTES`] each.
    pub(super) fn write(&self, most: usize) -> Vec<u8> {
        let used = || self.0.iter().filter(|entry| entry.turn != EMPTY.turn);
        let mut counts = [0; 256];
        used().for_each(|entry| counts[usize::from(entry.worth())] += 1);
        let mut sum = 0;
        let least = counts.iter().rposition(|count| {
            sum += count;
            sum > most
        });
        let mut bytes = Vec::new();
        for entry in used().filter(|entry| least.is_none_or(|least| usize::from(entry.worth()) > least)) {
            entry.grounds.write(&mut bytes);
            entry.stones.iter().for_each(|set| bytes.extend(set.to_le_bytes()));
            let (proved, failed) = (entry.proved, entry.failed);
            bytes.extend([entry.turn[0], entry.turn[1], entry.best, proved.0 as u8, proved.1, failed.0 as u8, failed.1]);
            bytes.extend(entry.failed_after.to_le_bytes());
        }
        bytes
    }

    /// Takes entries in that [`Self::write`] wrote; `hash` is that of stones.
    pub(super) fn read(&mut self, bytes: &[u8], hash: impl Fn(Stones) -> u64) {
        for filed in bytes.chunks_exact(FILED_BYTES) {
            let (grounds, rest) = filed.split_first_chunk().expect("it is longer");
            let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| rest[at + byte]));
            let entry = Entry {
                grounds: Grounds::read(grounds),
                stones: [word(0), word(4)],
                turn: [rest[8], rest[9]],
                best: rest[10],
                proved: (rest[11] as i8, rest[12]),
                failed: (rest[13] as i8, rest[14]),
                failed_after: word(15),
            };
            let state = State {
                stones: entry.stones.map(u64::from),
                player: usize::from(entry.turn[0] >> 1),
                passed: entry.turn[0] & 1 != 0,
                ko: 1_u64.checked_shl(entry.turn[1].into()).unwrap_or(0),
            };
            self.put(&state, hash(state.stones), entry);
        }
    }
}

/// Length of an entry in a file.
pub(super) const FILED_BYTES: usize = GROUNDS_BYTES + 19;

#[cfg(test)]
mod tests {
    use super::{FILED_BYTES, Findings, State};
    use crate::solve::basis::hash;

    #[test]
    fn what_took_most_is_written_and_read_back() {
        let state = |number: u64| State {
            stones: [number, number << 8],
            player: (number % 2) as usize,
            passed: number.is_multiple_of(3),
            ko: (number % 5 / 4) << 20,
        };
        let mut table = Findings::new(1 << 16);
        for number in 1..200 {
            let mut entry = table.entry(&state(number), hash(state(number).stones));
            entry.proved = (7, number as u8);
            entry.grounds.need([number as u32, 5]);
            entry.best = (number % 25) as u8;
            table.put(&state(number), hash(state(number).stones), entry);
        }
        let bytes = table.write(100);
        let mut other = Findings::new(1 << 16);
        other.read(&bytes, hash);
        assert!((90..=100).contains(&(bytes.len() / FILED_BYTES)));
        for number in 1..200 {
            let found = other.get(&state(number), hash(state(number).stones));
            assert_eq!(found.is_some(), number >= 100, "{number}");
            if let Some(entry) = found {
                assert_eq!((entry.proved, u64::from(entry.best)), ((7, number as u8), number % 25));
                assert_eq!(entry.grounds.needs(), [[number as u32, 5]]);
            }
        }
    }
}
