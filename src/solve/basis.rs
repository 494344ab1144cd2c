//! What a proof leans on besides the position: why a proof found in one game may be used in another that comes to the same position by other moves.
//!
//! What is proved of a position may hang on how the game came there, for superko forbids what was there before (the graph history interaction problem; A. Kishimoto
//! and M. Müller, A general solution to the graph history interaction problem, 2004). A proof is a strategy of the winner, good against all that the loser can
//! do. In another game that comes to the same position it is good too if two things hold: what the loser could not do there, because it would have repeated something
//! that lay above, is forbidden in the other game too; and nothing that the winner makes lay above in the other game.

use super::field::Stones;

/// What a proof leans on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    /// Places on the path whose repetition was forbidden to the loser, a bit each.
    pub(super) leans: u128,
    /// Stones that are there in all positions that the winner makes.
    fixed: Stones,
    /// The points that hold a stone in any of them.
    used: Stones,
    /// A bit for each of those positions, by its hash.
    marks: u64,
}

impl Basis {
    pub(super) const NOTHING: Self = Self { leans: 0, fixed: [u64::MAX; 2], used: [0; 2], marks: 0 };

    /// The same, leaning on these places.
    pub(super) fn leaning(self, leans: u128) -> Self {
        Self { leans, ..self }
    }

    pub(super) fn join(self, other: Self) -> Self {
        Self {
            leans: self.leans | other.leans,
            fixed: [0, 1].map(|color| self.fixed[color] & other.fixed[color]),
            used: [0, 1].map(|color| self.used[color] | other.used[color]),
            marks: self.marks | other.marks,
        }
    }

    /// With a position that the winner makes.
    pub(super) fn with(self, stones: Stones) -> Self {
        self.join(Self { leans: 0, fixed: stones, used: stones, marks: mark(stones) })
    }

    /// False if the winner certainly never makes this position.
    pub(super) fn may_make(&self, stones: Stones) -> bool {
        let has_fixed = (0..2).all(|color| self.fixed[color] & !stones[color] == 0);
        let has_only_used = (0..2).all(|color| stones[color] & !self.used[color] == 0);
        has_fixed && has_only_used && self.marks & mark(stones) != 0
    }
}

/// A hash of the stones (the mixing of splitmix64).
pub(super) fn hash(stones: Stones) -> u64 {
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    mix(stones[0].wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(mix(stones[1].wrapping_add(0x9e37_79b9_7f4a_7c15))))
}

fn mark(stones: Stones) -> u64 {
    1 << (hash(stones) >> 58)
}
