//! A node of the tree: one action's statistics, in one cache line.

use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicU64, Ordering, Ordering::Relaxed};

/// One in the units of the sums of utilities, their squares and results: fixed-point numbers add up exactly, in any order and without a
/// loop, where f32 would stand still after 16 million visits.
const ONE: f64 = (1u64 << 24) as f64;
/// A point in the units of the sum of leads.
const POINT: f64 = (1u64 << 10) as f64;
/// One in the units of the own utility and result: room for -2 to 2, which is what the ranges of the score's utility allow.
const OWN_ONE: f32 = (1u32 << 14) as f32;
/// A game in the units of the prior games, of which 4,095 have room.
const PRIOR_GAME: f32 = 16.0;
/// A share of 1 in the units of the prior value.
const PRIOR_ONE: f32 = 65_535.0;

/// A node: what is known of one action in one state. All fields are atomic, so that any number of threads read and add at once.
///
/// Life: it is written by [`Node::reset`] when its parent is expanded, and seen by others only once the parent's
/// [`Node::publish_children`] ran. A leaf becomes an inner node when one thread wins [`Node::claim`] and publishes children.
/// Results are seen from the player who chose the action.
#[repr(align(64))]
#[derive(Debug, Default)]
pub(crate) struct Node {
    utility: AtomicI64,
    utility_squares: AtomicU64,
    result: AtomicI64,
    lead: AtomicI64,
    /// With playouts, all-moves-as-first: visits in the low half, won half-games in the high half, so that both change in one addition.
    /// With a network, which has no such results, the evaluation with which the node was expanded: utility, result and lead.
    amaf_or_own: AtomicU64,
    visits: AtomicU32,
    policy: AtomicU32,
    /// Prior games in the low half, their value in the high half.
    prior: AtomicU32,
    first_child: AtomicU32,
    /// Number of children, [`LEAF`] or [`CLAIMED`].
    children: AtomicU16,
    action: AtomicU16,
    /// Threads now below this node.
    threads: AtomicU16,
}

const _: () = assert!(size_of::<Node>() == 64, "a node is one cache line");

/// No children.
const LEAF: u16 = 0;
/// No children yet: a thread is making them.
const CLAIMED: u16 = u16::MAX;

/// What comes of a game, or the mean of several, from one player's side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    /// What the search strives for: from -1 to 1 and, with the utility of the score, a little beyond.
    pub(crate) utility: f32,
    /// From -1, lost, to 1, won.
    pub(crate) result: f32,
    /// Lead in points.
    pub(crate) lead: f32,
}

/// Visits and what was won in them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) visits: f32,
    /// Won games among them, a utility of 1 being a won game, of 0 half a one.
    pub(crate) wins: f32,
}

/// What a node starts with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opinion {
    pub(crate) policy: f32,
    pub(crate) games: f32,
    pub(crate) value: f32,
}

impl Outcome {
    /// Adds `other` with a weight.
    #[inline]
    pub(crate) fn add(&mut self, weight: f32, other: Self) {
        self.utility += weight * other.utility;
        self.result += weight * other.result;
        self.lead += weight * other.lead;
    }

    /// All of it times `factor`: -1 is the opponent's view.
    #[inline]
    pub(crate) fn times(self, factor: f32) -> Self {
        Self { utility: factor * self.utility, result: factor * self.result, lead: factor * self.lead }
    }
}

impl Node {
    /// Makes this slot a fresh leaf. Only while no other thread can see it.
    pub(super) fn reset(&self, action: usize, opinion: Opinion) {
        self.copy_from(&Self::default());
        self.policy.store(opinion.policy.to_bits(), Relaxed);
        let (games, value) = ((opinion.games * PRIOR_GAME).round() as u16, (opinion.value * PRIOR_ONE).round() as u16);
        self.prior.store(u32::from(games) | u32::from(value) << 16, Relaxed);
        self.action.store(action as u16, Relaxed);
    }

    /// Takes over all that `from` holds, but for the threads on their way. Only while no search runs.
    pub(super) fn copy_from(&self, from: &Self) {
        self.utility.store(from.utility.load(Relaxed), Relaxed);
        self.utility_squares.store(from.utility_squares.load(Relaxed), Relaxed);
        self.result.store(from.result.load(Relaxed), Relaxed);
        self.lead.store(from.lead.load(Relaxed), Relaxed);
        self.amaf_or_own.store(from.amaf_or_own.load(Relaxed), Relaxed);
        self.visits.store(from.visits.load(Relaxed), Relaxed);
        self.policy.store(from.policy.load(Relaxed), Relaxed);
        self.prior.store(from.prior.load(Relaxed), Relaxed);
        self.first_child.store(from.first_child.load(Relaxed), Relaxed);
        self.children.store(from.children.load(Relaxed), Relaxed);
        self.action.store(from.action.load(Relaxed), Relaxed);
        self.threads.store(0, Relaxed);
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

    /// Visits and won games, each thread now below counted as `loss` lost visits.
    #[inline]
    pub(crate) fn tally(&self, loss: f32) -> Tally {
        let visits = self.visits() as f32;
        let wins = 0.5 * (visits + (self.utility.load(Relaxed) as f64 * (1.0 / ONE)) as f32);
        Tally { visits: visits + loss * f32::from(self.threads()), wins }
    }

    /// All-moves-as-first visits and won games.
    #[inline]
    pub(crate) fn amaf(&self) -> Tally {
        let packed = self.amaf_or_own.load(Relaxed);
        Tally { visits: packed as u32 as f32, wins: (packed >> 32) as f32 * 0.5 }
    }

    /// The mean of what came of its visits; zeros if there were none.
    pub(crate) fn mean(&self) -> Outcome {
        let over = |sum: i64, unit: f64| (sum as f64 / (unit * f64::from(self.visits().max(1)))) as f32;
        Outcome {
            utility: over(self.utility.load(Relaxed), ONE),
            result: over(self.result.load(Relaxed), ONE),
            lead: over(self.lead.load(Relaxed), POINT),
        }
    }

    /// Mean utility; 0 without visits.
    #[inline]
    pub(crate) fn mean_utility(&self) -> f32 {
        (self.utility.load(Relaxed) as f64 / (ONE * f64::from(self.visits().max(1)))) as f32
    }

    /// Mean of the squared utilities; 0 without visits.
    pub(crate) fn mean_square(&self) -> f32 {
        (self.utility_squares.load(Relaxed) as f64 / (ONE * f64::from(self.visits().max(1)))) as f32
    }

    /// Probability that was given to the action before it was tried.
    #[inline]
    pub(crate) fn policy(&self) -> f32 {
        f32::from_bits(self.policy.load(Relaxed))
    }

    /// What was thought of the action before it was tried.
    #[inline]
    pub(crate) fn opinion(&self) -> Opinion {
        let prior = self.prior.load(Relaxed);
        let (games, value) = (prior as u16, (prior >> 16) as u16);
        Opinion {
            policy: self.policy(),
            games: f32::from(games) * (1.0 / PRIOR_GAME),
            value: f32::from(value) * (1.0 / PRIOR_ONE),
        }
    }

    /// Gives the action another probability.
    pub(super) fn set_policy(&self, policy: f32) {
        self.policy.store(policy.to_bits(), Relaxed);
    }

    /// What a network said of it when it was expanded, before anything below was seen.
    #[inline]
    pub(crate) fn own(&self) -> Outcome {
        let packed = self.amaf_or_own.load(Relaxed);
        Outcome {
            utility: f32::from(packed as i16) * (1.0 / OWN_ONE),
            result: f32::from((packed >> 16) as i16) * (1.0 / OWN_ONE),
            lead: f32::from_bits((packed >> 32) as u32),
        }
    }

    /// Notes the evaluation with which it is expanded. Before its children are published.
    pub(super) fn set_own(&self, own: Outcome) {
        let pack = |value: f32| u64::from((value * OWN_ONE).round() as i16 as u16);
        let packed = pack(own.utility) | pack(own.result) << 16 | u64::from(own.lead.to_bits()) << 32;
        self.amaf_or_own.store(packed, Relaxed);
    }

    /// Counts a visit.
    #[inline]
    pub(crate) fn add_result(&self, outcome: Outcome) {
        let utility = f64::from(outcome.utility);
        self.utility.fetch_add((utility * ONE) as i64, Relaxed);
        self.utility_squares.fetch_add((utility * utility * ONE) as u64, Relaxed);
        self.result.fetch_add((f64::from(outcome.result) * ONE) as i64, Relaxed);
        self.lead.fetch_add((f64::from(outcome.lead) * POINT) as i64, Relaxed);
        self.visits.fetch_add(1, Relaxed);
    }

    /// Makes this the mean, and this the mean of the squared utilities, of all visits so far.
    pub(super) fn set_mean(&self, mean: Outcome, square: f32) {
        let sum = |mean: f32, unit: f64| f64::from(mean) * f64::from(self.visits()) * unit;
        self.utility.store(sum(mean.utility, ONE) as i64, Relaxed);
        self.utility_squares.store(sum(square, ONE) as u64, Relaxed);
        self.result.store(sum(mean.result, ONE) as i64, Relaxed);
        self.lead.store(sum(mean.lead, POINT) as i64, Relaxed);
    }

    /// Counts `times` all-moves-as-first visits with `half_wins` won half-games (0 to 2) each.
    #[inline]
    pub(crate) fn add_amaf(&self, times: u64, half_wins: u64) {
        self.amaf_or_own.fetch_add(times * (1 | half_wins << 32), Relaxed);
    }

    /// A thread goes down through here.
    #[inline]
    pub(super) fn enter(&self) {
        self.threads.fetch_add(1, Relaxed);
    }

    /// A thread that went down through here is done.
    #[inline]
    pub(super) fn leave(&self) {
        self.threads.fetch_sub(1, Relaxed);
    }

    /// Threads now below: 0 when no search runs.
    #[inline]
    pub(super) fn threads(&self) -> u16 {
        self.threads.load(Relaxed)
    }

    /// First child's index and the number of children; nothing for a leaf.
    #[inline]
    pub(super) fn children(&self) -> Option<(usize, usize)> {
        // Acquire: who sees the number sees the children that were written before it.
        match self.children.load(Ordering::Acquire) {
            LEAF | CLAIMED => None,
            count => Some((self.first_child.load(Relaxed) as usize, count as usize)),
        }
    }

    /// Tries to become the one thread that expands this leaf.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        self.children.load(Relaxed) == LEAF && self.children.compare_exchange(LEAF, CLAIMED, Relaxed, Relaxed).is_ok()
    }

    /// Makes a claimed leaf an inner node with these children, all of them written.
    pub(super) fn publish_children(&self, first: usize, count: usize) {
        self.first_child.store(first as u32, Relaxed);
        self.children.store(count as u16, Ordering::Release);
    }

    /// Makes a claimed leaf or an inner node a leaf again. An inner node only while no search runs.
    pub(super) fn become_leaf(&self) {
        self.children.store(LEAF, Relaxed);
    }

    /// Where the children went when the tree was compacted.
    pub(super) fn move_children(&self, first: usize) {
        self.first_child.store(first as u32, Relaxed);
    }
}
