//! The choice of the child to go down to.

use super::limits::Restriction;
use super::node::Node;
use super::puct::Puct;
use super::rave::Rave;
use crate::game::Game;
use crate::util::Rng;

/// How a child is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Selection {
    /// By playouts' results and all-moves-as-first results.
    Rave(Rave),
    /// By a network's evaluations and priors.
    Puct(Puct),
}

/// A node that an iteration has come to, with children to choose from.
#[derive(Clone, Copy)]
pub(super) struct Fork<'a> {
    pub(super) node: &'a Node,
    pub(super) children: &'a [Node],
    pub(super) is_root: bool,
    /// What turns the node's results, seen from who moved into it, into those of the player to move: -1, or 1 where a player moves twice
    /// running.
    pub(super) sign: f32,
}

impl Selection {
    /// The place of the best permitted child; the best of all if none is permitted.
    #[inline]
    pub(super) fn best(&self, fork: Fork<'_>, permitted: impl Fn(&Node) -> bool, rng: &mut Rng) -> usize {
        match self {
            Self::Rave(rave) => rave.best(fork, permitted),
            Self::Puct(puct) => puct.best(fork, permitted, rng),
        }
    }
}

impl Fork<'_> {
    /// The place of the permitted child of most worth; that of all if none is permitted.
    #[inline]
    pub(super) fn most(&self, permitted: impl Fn(&Node) -> bool, mut worth: impl FnMut(&Node) -> f32) -> usize {
        let mut best = 0;
        let mut best_worth = f32::NEG_INFINITY;
        for (place, child) in self.children.iter().enumerate() {
            let worth = worth(child) - if permitted(child) { 0.0 } else { 1e6 };
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
