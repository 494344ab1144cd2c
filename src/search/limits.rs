//! When a search ends, and what it may look at.

use crate::board::Move;
use crate::clock::Budget;

/// When a search ends by itself. What is not given does not limit it; a stop flag ends it in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Visits of the root, those kept from earlier searches included.
    pub visits: Option<u64>,
    /// Playouts of this search.
    pub playouts: Option<u64>,
    /// Time.
    pub budget: Option<Budget>,
}

/// What a search may look at.
#[derive(Clone, Debug)]
pub struct SearchOptions<A = Move> {
    /// Moves that are not to be searched, or the only ones.
    pub restrictions: Vec<Restriction<A>>,
    /// Whether to keep who owns each point after each move of the root ([`Candidate::ownership`](super::Candidate::ownership)).
    pub moves_ownership: bool,
    /// With a network: how far the root's moves are tried beyond what choosing one takes, 0 not at all; for analysis.
    pub wide_root_noise: f32,
    /// With a network: k of the visits that are forced on the root's moves, the root of k P W for a move of policy P when the root's moves
    /// have W visits; 0 for none. For self-play.
    pub forced_playouts: f32,
}

impl<A> Default for SearchOptions<A> {
    fn default() -> Self {
        Self { restrictions: Vec::new(), moves_ownership: false, wide_root_noise: 0.0, forced_playouts: 0.0 }
    }
}

/// Moves that a player must not choose, or must choose from, near the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction<A = Move> {
    /// The player, 0 (Black) or 1 (White), whose choice is restricted.
    pub player: usize,
    /// The moves.
    pub actions: Vec<A>,
    /// True: only these; false: none of these.
    pub only: bool,
    /// Down to this depth: 1 restricts the root's moves alone.
    pub until_depth: usize,
}
