//! The choice of the child to go down to.

use super::limits::Restriction;
use super::node::Node;
use crate::game::Game;

/// How a child is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    /// Visits at which a move's own results weigh as much as its all-moves-as-first results; 0 is without RAVE.
    pub(super) rave_equivalence: f32,
    /// Weight of the exploration term.
    pub(super) exploration: f32,
}

impl Selection {
    /// What makes a child worth a visit: the mean of its results and its prior games, mixed with the all-moves-as-first mean, plus exploration
    /// by policy. `sqrt_visits` is the square root of the parent's visits.
    ///
    /// The mixture is beta = r / (r + n + n r / E) with n own and r all-moves-as-first visits, of which E are worth as much as any number
    /// of own ones (D. Silver, Reinforcement Learning and Simulation-Based Search, 2009, as Pachi has it). The exploration term is
    /// AlphaGo's P sqrt(N) / (1 + n) (D. Silver et al., Mastering the game of Go, 2016).
    #[inline]
    fn worth(self, child: &Node, sqrt_visits: f32) -> f32 {
        let own = child.tally_with_virtual_loss();
        let opinion = child.opinion();
        let games = own.visits + opinion.games;
        let mean = if games > 0.0 { (own.wins + opinion.games * opinion.value) / games } else { 0.5 };
        let amaf = child.amaf();
        let mixed = if amaf.visits > 0.0 && self.rave_equivalence > 0.0 {
            let beta = amaf.visits / (amaf.visits + games + games * amaf.visits / self.rave_equivalence);
            beta * (amaf.wins / amaf.visits) + (1.0 - beta) * mean
        } else {
            mean
        };
        mixed + self.exploration * opinion.policy * sqrt_visits / (1.0 + own.visits)
    }

    /// The place of the best permitted child among `children`; the best of all if none is permitted.
    #[inline]
    pub(super) fn best(self, parent: &Node, children: &[Node], permitted: impl Fn(&Node) -> bool) -> usize {
        let sqrt_visits = parent.tally_with_virtual_loss().visits.sqrt();
        let mut best = 0;
        let mut best_worth = f32::NEG_INFINITY;
        for (place, child) in children.iter().enumerate() {
            let worth = self.worth(child, sqrt_visits) - if permitted(child) { 0.0 } else { 1e6 };
            if worth > best_worth {
                (best, best_worth) = (place, worth);
            }
        }
        best
    }
}

/// Restrictions as tables, for quick looking up.
pub(super) struct Permits {
    rules: Vec<(usize, Vec<bool>, usize)>,
    deepest: usize,
}

impl Permits {
    pub(super) fn new<G: Game>(restrictions: &[Restriction<G::Action>]) -> Self {
        let rules = restrictions.iter().map(|restriction| {
            let mut allowed = vec![!restriction.only; G::ACTIONS];
            for &action in &restriction.actions {
                allowed[G::index(action)] = restriction.only;
            }
            (restriction.player, allowed, restriction.until_depth)
        });
        Self {
            rules: rules.collect(),
            deepest: restrictions.iter().map(|restriction| restriction.until_depth).max().unwrap_or(0),
        }
    }

    /// True if some move may be forbidden at `depth`, 0 being the root.
    #[inline]
    pub(super) fn restrict(&self, depth: usize) -> bool {
        depth < self.deepest
    }

    /// True if `player` may choose `action` at `depth`.
    pub(super) fn permit(&self, depth: usize, player: usize, action: usize) -> bool {
        self.rules.iter().all(|(whose, allowed, until)| *whose != player || depth >= *until || allowed[action])
    }
}
