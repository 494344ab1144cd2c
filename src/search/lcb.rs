//! Which move a network search settles on: the one of the best lower confidence bound.
//!
//! A move that was found late, and is better, has fewer visits than the one it replaces; a bound on its utility finds it out earlier.
//! (S. Pascutto, Leela Zero, 2019; the priors are KataGo's.)

use super::node::Node;
use super::puct::Puct;
use crate::params::SearchParams;

/// How bounds are taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Whether the choice follows them, rather than the visits alone.
    chooses: bool,
    /// Standard errors between mean and bound.
    stdevs: f32,
    /// A move can be chosen from this share of the most visits.
    least_share: f32,
    /// The best utility there is.
    highest: f32,
    puct: Puct,
}

impl Bounds {
    /// Bounds by `params`; `highest` is the best utility there is.
    pub(super) fn new(params: &SearchParams, highest: f32) -> Self {
        Self {
            chooses: params.use_lcb,
            stdevs: params.lcb_stdevs,
            least_share: params.lcb_least_share,
            highest,
            puct: Puct::new(params, highest),
        }
    }

    /// How far the true utility of `child` may lie below its mean.
    pub(super) fn radius(&self, child: &Node) -> f32 {
        radius(child.visits() as f32, child.mean_utility(), child.mean_square(), self.highest) * self.stdevs
    }

    /// The same on the scale of win rates.
    pub(super) fn winrate_radius(&self, child: &Node) -> f32 {
        0.5 * self.radius(child) / self.highest
    }

    /// Puts the chosen one first among `ranked`, some of the `children` of `node`, which come by falling visits. Visits that a move would
    /// not be given again, as things look now, do not make it eligible (KataGo).
    pub(super) fn choose(&self, node: &Node, children: &[Node], ranked: &mut [&Node]) {
        let Some(&favourite) = ranked.first().filter(|_| self.chooses) else { return };
        let deserved = self.puct.deserved(node, children, favourite);
        let least = self.least_share * favourite.visits() as f32;
        let is_eligible = |child: &Node| {
            let visits = child.visits() as f32;
            visits > 0.0 && (std::ptr::eq(child, favourite) || visits.min(deserved(child).ceil()) >= least)
        };
        let bound = |child: &Node| child.mean_utility() - self.radius(child);
        let eligible =
            ranked.iter().enumerate().filter(|(_, child)| is_eligible(child)).map(|(place, child)| (place, bound(child)));
        if let Some((place, _)) = eligible.max_by(|(a_place, a), (b_place, b)| a.total_cmp(b).then(b_place.cmp(a_place))) {
            ranked[..=place].rotate_right(1);
        }
    }
}

/// Standard error of a mean utility over n `visits`. As if 1/n^2 more had been seen that varied by all there is, `highest`: few
/// visits that agree prove little.
fn radius(visits: f32, mean: f32, mean_square: f32, highest: f32) -> f32 {
    if visits <= 0.0 {
        return 2.0 * highest;
    }
    let more = 1.0 / (visits * visits);
    let seen = mean_square.max(mean * mean + 1e-8);
    let square = (seen * visits + (seen + highest * highest) * more) / (visits + more);
    let sample_size = (visits + more).powi(2) / (visits + more * more);
    ((square - mean * mean) / sample_size).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{Bounds, radius};
    use crate::params::SearchParams;
    use crate::search::node::{Node, Outcome};

    #[test]
    fn the_error_shrinks_with_the_root_of_visits_and_is_wide_for_few() {
        let near = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-3 * expected, "{found} {expected}");
        near(radius(10_000.0, 0.2, 0.04 + 0.09, 1.4), 0.3 / 100.0);
        // One visit: half of the weight is the prior's, so the variance is 1.96 / 2 over a sample of 4 / 2.
        near(radius(1.0, 0.5, 0.25, 1.4), (1.96f32 / 2.0 / 2.0).sqrt());
        assert_eq!(radius(0.0, 0.0, 0.0, 1.4), 2.8);
    }

    #[test]
    fn a_better_move_of_fewer_visits_is_chosen_but_not_of_too_few() {
        let visited = |visits: usize, utility: f32| {
            let node = Node::default();
            node.set_policy(0.2);
            for number in 0..visits {
                let utility = utility + if number % 2 == 0 { 0.1 } else { -0.1 };
                node.add_result(Outcome { utility, ..Outcome::default() });
            }
            node
        };
        let (root, children) = (visited(551, 0.0), [visited(400, 0.1), visited(100, 0.3), visited(50, 0.6)]);
        let order = |params: &SearchParams| {
            let mut ranked: Vec<&Node> = children.iter().collect();
            Bounds::new(params, 1.4).choose(&root, &children, &mut ranked);
            ranked.iter().map(|child| child.visits()).collect::<Vec<_>>()
        };
        assert_eq!(order(&SearchParams::default()), [100, 400, 50]);
        assert_eq!(order(&SearchParams { use_lcb: false, ..SearchParams::default() }), [400, 100, 50]);
    }
}
