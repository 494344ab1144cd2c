//! The order in which actions are tried, on which alpha-beta's gain depends: the table's action, then killers (actions that cut elsewhere at this ply;
//! S. Akl and M. Newborn, 1977), then by history (how often an action cut anywhere; J. Schaeffer, 1983).

use crate::game::Game;

/// What cut where.
#[derive(Clone, Debug)]
pub(super) struct Ordering<A> {
    /// The last two killers of each ply.
    killers: Vec<[Option<A>; 2]>,
    /// For each player and action, the sum of squared depths of the cuts it made.
    history: [Vec<u64>; 2],
}

impl<A: Copy + Eq> Ordering<A> {
    pub(super) fn new(actions: usize) -> Self {
        Self { killers: Vec::new(), history: [vec![0; actions], vec![0; actions]] }
    }

    /// Notes that `action` made the rest of a state's actions needless.
    pub(super) fn note_cut<G: Game<Action = A>>(&mut self, state: &G, action: A, ply: usize, depth: u32) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        let depth = u64::from(depth.min(1000));
        self.history[state.player() % 2][G::index(action)] += depth * depth;
    }

    /// Puts the most promising actions first; equal ones stay in their order.
    pub(super) fn sort<G: Game<Action = A>>(&self, state: &G, actions: &mut [A], first: Option<A>, ply: usize) {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let history = &self.history[state.player() % 2];
        let rank = |action: A| {
            let class = if first == Some(action) { 0 } else { 1 + u8::from(!killers.contains(&Some(action))) };
            (class, std::cmp::Reverse(history[G::index(action)]))
        };
        actions.sort_by_key(|&action| rank(action));
    }
}
