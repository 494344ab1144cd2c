//! Selection by playouts: a move's own results, those of all moves as first, and what was thought of it before.

use super::node::Node;
use super::select::Fork;

/// How a child is chosen from playouts' results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rave {
    /// Visits at which a move's own results weigh as much as its all-moves-as-first results; 0 is without RAVE.
    pub(super) equivalence: f32,
    /// Weight of the exploration term.
    pub(super) exploration: f32,
    /// Lost visits for each thread below a node.
    pub(super) virtual_loss: f32,
}

impl Rave {
    /// The place of the best permitted child; the best of all if none is permitted.
    #[inline]
    pub(super) fn best(self, fork: Fork<'_>, permitted: impl Fn(&Node) -> bool) -> usize {
        let sqrt_visits = fork.node.tally(self.virtual_loss).visits.sqrt();
        fork.most(permitted, |child| self.worth(child, sqrt_visits))
    }

    /// What makes a child worth a visit: the mean of its results and its prior games, mixed with the all-moves-as-first mean, plus exploration
    /// by policy. `sqrt_visits` is the square root of the parent's visits.
    ///
    /// The mixture is beta = r / (r + n + n r / E) with n own and r all-moves-as-first visits, of which E are worth as much as any number
    /// of own ones (D. Silver, Reinforcement Learning and Simulation-Based Search, 2009, as Pachi has it). The exploration term is
    /// AlphaGo's P sqrt(N) / (1 + n) (D. Silver et al., Mastering the game of Go, 2016).
    #[inline]
    fn worth(self, child: &Node, sqrt_visits: f32) -> f32 {
        let own = child.tally(self.virtual_loss);
        let opinion = child.opinion();
        let games = own.visits + opinion.games;
        let mean = if games > 0.0 { (own.wins + opinion.games * opinion.value) / games } else { 0.5 };
        let amaf = child.amaf();
        let mixed = if amaf.visits > 0.0 && self.equivalence > 0.0 {
            let beta = amaf.visits / (amaf.visits + games + games * amaf.visits / self.equivalence);
            beta * (amaf.wins / amaf.visits) + (1.0 - beta) * mean
        } else {
            mean
        };
        mixed + self.exploration * opinion.policy * sqrt_visits / (1.0 + own.visits)
    }
}
