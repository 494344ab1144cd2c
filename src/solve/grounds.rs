//! What a proof about a whole board stands on besides the position: why a proof found in one game may be used in another that comes to the same position by other moves.
//!
//! Superko forbids what was there before, so what is proved of a position can hang on how the game came there (the graph history interaction problem; A. Kishimoto and
//! M. Müller, A general solution to the graph history interaction problem, 2004). A proof is a strategy of one side, the prover, good against all that the other can do.
//! In another game that comes to the same position it is good too if two things hold: the positions that the other side could not make again, because they had been there,
//! have been there in that game too; and nothing that the prover makes has been there.

use super::field::Stones;
use super::turns::Turns;

/// Stones of a board of at most 32 points.
pub(super) type Few = [u32; 2];

/// The stones of a small board, in half the bits.
pub(super) fn few(stones: Stones) -> Few {
    stones.map(|set| set as u32)
}

/// One bit of 64 for a position, by its hash.
pub(super) fn mark(hash: u64) -> u64 {
    1 << (hash >> 58)
}

/// Most positions that a proof may need and still be kept. In nearly all proofs it is none: a simple ko is part of the state.
const MOST_NEEDS: usize = 2;

/// What a proof stands on. An entry of the prover's table holds one, and is to fit in a cache line, so it is packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grounds {
    /// Positions that must have been there before, so that the prover's opponent may not make them.
    needs: [Few; MOST_NEEDS],
    /// The points that hold a stone in all positions that the prover makes, and in any of them.
    fixed: Few,
    used: Few,
    /// Their marks.
    marks: [u32; 2],
    /// How many are needed; more than [`MOST_NEEDS`] if they are not all told.
    count: u8,
}

impl Grounds {
    /// The grounds of what is plain.
    pub(super) const NONE: Self =
        Self { needs: [[0; 2]; MOST_NEEDS], fixed: [u32::MAX; 2], used: [0; 2], marks: [0; 2], count: 0 };

    fn marks(&self) -> u64 {
        u64::from(self.marks[1]) << 32 | u64::from(self.marks[0])
    }

    /// Adds those of another proof.
    pub(super) fn join(&mut self, other: &Self) {
        for color in 0..2 {
            self.fixed[color] &= other.fixed[color];
            self.used[color] |= other.used[color];
            self.marks[color] |= other.marks[color];
        }
        if other.can_be_kept() {
            other.needs().iter().for_each(|&stones| self.need(stones));
        } else {
            self.count = other.count;
        }
    }

    /// Adds a position that the opponent must not make.
    pub(super) fn need(&mut self, stones: Few) {
        let count = usize::from(self.count);
        if count > MOST_NEEDS || self.needs[..count].contains(&stones) {
            return;
        }
        if count < MOST_NEEDS {
            self.needs[count] = stones;
        }
        self.count += 1;
    }

    /// Adds a position that the prover makes.
    pub(super) fn make(&mut self, stones: Few, mark: u64) {
        for (color, set) in stones.into_iter().enumerate() {
            self.fixed[color] &= set;
            self.used[color] |= set;
        }
        self.marks[0] |= mark as u32;
        self.marks[1] |= (mark >> 32) as u32;
    }

    /// Takes away the need of a position that is certainly there: the one that is proved.
    pub(super) fn meet(&mut self, stones: Few) {
        let count = usize::from(self.count);
        if self.can_be_kept()
            && let Some(place) = self.needs[..count].iter().position(|&need| need == stones)
        {
            self.needs[place] = self.needs[count - 1];
            self.count -= 1;
        }
    }

    /// Whether all is told that the proof stands on.
    pub(super) fn can_be_kept(&self) -> bool {
        usize::from(self.count) <= MOST_NEEDS
    }

    /// The positions that must have been there before; all of them, if it [`Self::can_be_kept`].
    pub(super) fn needs(&self) -> &[Few] {
        &self.needs[..usize::from(self.count).min(MOST_NEEDS)]
    }

    /// False if the prover certainly makes no position whose mark is one of `marks`.
    pub(super) fn may_make_any(&self, marks: u64) -> bool {
        self.marks() & marks != 0
    }

    /// False if the prover certainly never makes this position.
    pub(super) fn may_make(&self, stones: Few, mark: u64) -> bool {
        let possible = |color: usize| self.fixed[color] & !stones[color] == 0 && stones[color] & !self.used[color] == 0;
        self.marks() & mark != 0 && possible(0) && possible(1)
    }

    /// Those of the same proof on a board that is turned. (Marks are of keys, which do not change.)
    pub(super) fn turned(&self, turns: &Turns, turn: u8) -> Self {
        let stones = |stones: Few| turns.stones(turn, stones);
        Self { needs: self.needs.map(stones), fixed: stones(self.fixed), used: stones(self.used), ..*self }
    }

    /// As bytes: [`GROUNDS_BYTES`] of them.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let words = self.needs.iter().flatten().chain(&self.fixed).chain(&self.used).chain(&self.marks);
        words.for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.push(self.count);
    }

    /// What [`Self::write`] wrote.
    pub(super) fn read(bytes: &[u8; GROUNDS_BYTES]) -> Self {
        let word = |place: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[4 * place + byte]));
        let pair = |place: usize| [word(place), word(place + 1)];
        Self {
            needs: std::array::from_fn(|place| pair(2 * place)),
            fixed: pair(2 * MOST_NEEDS),
            used: pair(2 * MOST_NEEDS + 2),
            marks: pair(2 * MOST_NEEDS + 4),
            count: bytes[GROUNDS_BYTES - 1],
        }
    }
}

/// Length of [`Grounds`] in a file.
pub(super) const GROUNDS_BYTES: usize = 8 * MOST_NEEDS + 25;
