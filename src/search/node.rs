//! A node of the tree: one action's statistics, in one cache line.

use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::atomic::{AtomicU8, Ordering};

/// A won game in the units of [`Node::add_result`]'s sum: fixed-point numbers add up exactly, in any order and without a loop, where
/// f32 would stand still after 16 million visits.
const WIN: f64 = (1u64 << 24) as f64;
/// A point in the units of the score sum.
const POINT: f64 = (1u64 << 10) as f64;

/// A node: what is known of one action in one state. All fields are atomic, so that any number of threads read and add at once.
///
/// Life: it is written by [`Node::reset`] when its parent is expanded, and seen by others only once the parent's
/// [`Node::publish_children`] ran. A leaf becomes an inner node when one thread wins [`Node::claim`] and publishes children.
/// Results are seen from the player who chose the action.
#[repr(align(64))]
#[derive(Debug, Default)]
pub(crate) struct Node {
    visits: AtomicU32,
    /// Threads now below this node, times the virtual loss.
    virtual_losses: AtomicU32,
    wins: AtomicU64,
    score: AtomicI64,
    /// All-moves-as-first: visits in the low half, won half-games in the high half, so that both change in one addition.
    amaf: AtomicU64,
    policy: AtomicU32,
    prior_games: AtomicU32,
    prior_value: AtomicU32,
    first_child: AtomicU32,
    children: AtomicU16,
    action: AtomicU16,
    state: AtomicU8,
}

const _: () = assert!(size_of::<Node>() == 64, "a node is one cache line");

const LEAF: u8 = 0;
const CLAIMED: u8 = 1;
const EXPANDED: u8 = 2;

/// A node's own visits and results.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) visits: f32,
    /// Won games among them.
    pub(crate) wins: f32,
}

/// What a node starts with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opinion {
    pub(crate) policy: f32,
    pub(crate) games: f32,
    pub(crate) value: f32,
}

impl Node {
    /// Makes this slot a fresh leaf. Only while no other thread can see it.
    pub(super) fn reset(&self, action: usize, opinion: Opinion) {
        self.visits.store(0, Relaxed);
        self.virtual_losses.store(0, Relaxed);
        self.wins.store(0, Relaxed);
        self.score.store(0, Relaxed);
        self.amaf.store(0, Relaxed);
        self.policy.store(opinion.policy.to_bits(), Relaxed);
        self.prior_games.store(opinion.games.to_bits(), Relaxed);
        self.prior_value.store(opinion.value.to_bits(), Relaxed);
        self.first_child.store(0, Relaxed);
        self.children.store(0, Relaxed);
        self.action.store(action as u16, Relaxed);
        self.state.store(LEAF, Relaxed);
    }

    /// Takes over all that `from` holds. Only while no search runs.
    pub(super) fn copy_from(&self, from: &Self) {
        self.visits.store(from.visits.load(Relaxed), Relaxed);
        self.virtual_losses.store(0, Relaxed);
        self.wins.store(from.wins.load(Relaxed), Relaxed);
        self.score.store(from.score.load(Relaxed), Relaxed);
        self.amaf.store(from.amaf.load(Relaxed), Relaxed);
        self.policy.store(from.policy.load(Relaxed), Relaxed);
        self.prior_games.store(from.prior_games.load(Relaxed), Relaxed);
        self.prior_value.store(from.prior_value.load(Relaxed), Relaxed);
        self.first_child.store(from.first_child.load(Relaxed), Relaxed);
        self.children.store(from.children.load(Relaxed), Relaxed);
        self.action.store(from.action.load(Relaxed), Relaxed);
        self.state.store(from.state.load(Relaxed), Relaxed);
    }

    /// Index of the action that leads here.
    #[inline]
    pub(crate) fn action(&self) -> usize {
        self.action.load(Relaxed) as usize
    }

    /// Finished visits.
    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Visits and won games, the threads now below counted as lost visits.
    #[inline]
    pub(crate) fn tally_with_virtual_loss(&self) -> Tally {
        let visits = self.visits.load(Relaxed).wrapping_add(self.virtual_losses.load(Relaxed));
        Tally { visits: visits as f32, wins: self.wins() }
    }

    /// Visits and won games.
    #[inline]
    pub(crate) fn tally(&self) -> Tally {
        Tally { visits: self.visits() as f32, wins: self.wins() }
    }

    #[inline]
    fn wins(&self) -> f32 {
        (self.wins.load(Relaxed) as f64 * (1.0 / WIN)) as f32
    }

    /// All-moves-as-first visits and won games.
    #[inline]
    pub(crate) fn amaf(&self) -> Tally {
        let packed = self.amaf.load(Relaxed);
        Tally { visits: packed as u32 as f32, wins: (packed >> 32) as f32 * 0.5 }
    }

    /// Mean lead, in points, of the player who moved here; 0 if never visited.
    pub(crate) fn mean_score(&self) -> f32 {
        let visits = self.visits();
        if visits == 0 { 0.0 } else { (self.score.load(Relaxed) as f64 / POINT / f64::from(visits)) as f32 }
    }

    /// What was thought of the action before it was tried.
    #[inline]
    pub(crate) fn opinion(&self) -> Opinion {
        Opinion {
            policy: f32::from_bits(self.policy.load(Relaxed)),
            games: f32::from_bits(self.prior_games.load(Relaxed)),
            value: f32::from_bits(self.prior_value.load(Relaxed)),
        }
    }

    /// Counts a visit whose result is `share` of a won game (0 to 1) and `score` points of lead.
    #[inline]
    pub(crate) fn add_result(&self, share: f32, score: f32) {
        self.wins.fetch_add((f64::from(share) * WIN) as u64, Relaxed);
        self.score.fetch_add((f64::from(score) * POINT) as i64, Relaxed);
        self.visits.fetch_add(1, Relaxed);
    }

    /// Counts `times` all-moves-as-first visits with `half_wins` won half-games (0 to 2) each.
    #[inline]
    pub(crate) fn add_amaf(&self, times: u64, half_wins: u64) {
        self.amaf.fetch_add(times * (1 | half_wins << 32), Relaxed);
    }

    #[inline]
    pub(super) fn add_virtual_loss(&self, visits: u32) {
        self.virtual_losses.fetch_add(visits, Relaxed);
    }

    #[inline]
    pub(super) fn remove_virtual_loss(&self, visits: u32) {
        self.virtual_losses.fetch_sub(visits, Relaxed);
    }

    /// Virtual losses now on it: 0 when no search runs.
    pub(super) fn virtual_losses(&self) -> u32 {
        self.virtual_losses.load(Relaxed)
    }

    /// First child's index and the number of children; nothing for a leaf.
    #[inline]
    pub(super) fn children(&self) -> Option<(usize, usize)> {
        // Acquire: who sees the state sees the children that were written before it.
        (self.state.load(Ordering::Acquire) == EXPANDED)
            .then(|| (self.first_child.load(Relaxed) as usize, self.children.load(Relaxed) as usize))
    }

    /// Tries to become the one thread that expands this leaf.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        self.state.load(Relaxed) == LEAF && self.state.compare_exchange(LEAF, CLAIMED, Relaxed, Relaxed).is_ok()
    }

    /// Makes a claimed leaf an inner node with these children, all of them written.
    pub(super) fn publish_children(&self, first: usize, count: usize) {
        self.first_child.store(first as u32, Relaxed);
        self.children.store(count as u16, Relaxed);
        self.state.store(EXPANDED, Ordering::Release);
    }

    /// Makes a claimed leaf or an inner node a leaf again. An inner node only while no search runs.
    pub(super) fn become_leaf(&self) {
        self.state.store(LEAF, Relaxed);
    }

    /// Where the children went when the tree was compacted.
    pub(super) fn move_children(&self, first: usize) {
        self.first_child.store(first as u32, Relaxed);
    }
}
