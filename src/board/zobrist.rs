//! Zobrist keys: a random number for each stone on each point, whose exclusive-or is a board's hash.
//! (A. L. Zobrist, A New Hashing Method with Application for Game Playing, 1970.)

use super::point::GRID;

/// The keys, by colour and grid index.
pub(super) static KEYS: [[u64; GRID]; 2] = keys();

/// The first outputs of splitmix64 from a fixed seed (S. Vigna, public domain reference), so that hashes are the same in every run.
const fn keys() -> [[u64; GRID]; 2] {
    let mut keys = [[0; GRID]; 2];
    let mut state: u64 = 0x7465_6e67_656e;
    let mut index = 0;
    while index < 2 * GRID {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[index / GRID][index % GRID] = z ^ (z >> 31);
        index += 1;
    }
    keys
}
