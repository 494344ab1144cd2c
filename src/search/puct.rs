//! Selection by a network: predictor and upper confidence bound (PUCT), as KataGo refines it.
//!
//! Sources: C. Rosin, Multi-armed bandits with episode context, 2011; D. Silver et al., Mastering the game of Go without human knowledge,
//! 2017; D. Wu, Accelerating Self-Play Learning in Go, 2019; KataGo's documentation of its methods. Utilities are those of the player to move.

use super::node::Node;
use super::select::Fork;
use crate::params::SearchParams;
use crate::util::Rng;

/// Children's visits at which the logarithm of the exploration begins to tell (KataGo).
const LOG_BASE: f32 = 500.0;
/// Added to the children's visits, so that policy decides on the first one.
const FIRST: f32 = 0.01;
/// Visits lost to a thread below a child.
const VIRTUAL_LOSS: f32 = 1.0;
/// Visits that an unvisited child's first-play urgency counts for against virtual losses.
const LEAST_VISITS: f32 = 0.25;
/// Worth of a visit that is owed to a child: more than any utility. One visit is owed to each of the root's moves for which somebody vouches who knows more than the network,
/// which has no games to tell of.
const OWED: f32 = 1e4;
/// Standard deviation of a node's utilities that is expected, and the visits that this expectation counts for.
const USUAL_STDEV: f32 = 0.4;
const USUAL_VISITS: f32 = 2.0;

/// How a child is chosen from evaluations and priors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Puct {
    /// Exploration, and how much it grows with the logarithm of the visits.
    exploration: f32,
    exploration_log: f32,
    /// How much exploration follows the spread of the utilities.
    stdev_scale: f32,
    /// How far first-play urgency falls below the parent's utility in the tree, and at the root.
    first_play_reduction: f32,
    root_first_play_reduction: f32,
    /// How far the root's moves are tried beyond what choosing one takes.
    wide_root_noise: f32,
    /// k of the forced playouts at the root; see [`Puct::forced`].
    forced_playouts: f32,
    /// The least utility.
    lowest: f32,
}

impl Puct {
    /// Selection by `params`; `highest` is the best utility there is.
    pub(super) fn new(params: &SearchParams, highest: f32) -> Self {
        Self {
            exploration: params.cpuct,
            exploration_log: params.cpuct_log,
            stdev_scale: params.cpuct_stdev_scale,
            first_play_reduction: params.fpu_reduction,
            // Noise is there to have unlikely moves tried.
            root_first_play_reduction: if params.root_noise { 0.0 } else { params.root_fpu_reduction },
            wide_root_noise: 0.0,
            forced_playouts: 0.0,
            lowest: -highest,
        }
    }

    /// The same with noise that makes the root's moves be tried more evenly.
    pub(super) fn with_wide_root_noise(self, noise: f32) -> Self {
        Self { wide_root_noise: noise, ..self }
    }

    /// The same with visits that are forced on the root's moves, 0 for none.
    pub(super) fn with_forced_playouts(self, forced_playouts: f32) -> Self {
        Self { forced_playouts, ..self }
    }

    /// The place of the best permitted child; the best of all if none is permitted.
    pub(super) fn best(self, fork: Fork<'_>, permitted: impl Fn(&Node) -> bool, rng: &mut Rng) -> usize {
        // Visits of the children, and the policy of those that were visited.
        let (mut visits, mut tried) = (0.0, 0.0);
        for child in fork.children {
            let own = child.visits();
            if own > 0 || child.threads() > 0 {
                visits += own as f32;
                tried += child.policy();
            }
        }
        let mean = fork.sign * fork.node.mean_utility();
        let explore = self.explore(visits, stdev(fork.node));
        let first_play = self.first_play(mean, fork.sign * fork.node.own().utility, tried, fork.is_root);
        if !fork.is_root {
            return fork.most(permitted, |child| self.worth(child, child.policy(), explore, first_play));
        }
        fork.most(permitted, |child| {
            let is_owed = if child.visits() > 0 {
                (child.visits() as f32) < self.forced(child, visits)
            } else {
                child.threads() == 0 && child.opinion().games > 0.0
            };
            let owed = if is_owed { OWED } else { 0.0 };
            owed + if self.wide_root_noise > 0.0 {
                self.worth_in_noise(child, explore, first_play, rng)
            } else {
                self.worth(child, child.policy(), explore, first_play)
            }
        })
    }

    /// Visits that a child of the root is given whatever comes of them, once it was tried: the root of k P W, where its siblings and it have
    /// W `visits`. So noise gets a hearing. (D. Wu, Accelerating Self-Play Learning in Go, 2019, section 3.2, whose k is 2.)
    fn forced(self, child: &Node, visits: f32) -> f32 {
        (self.forced_playouts * child.policy() * visits).sqrt()
    }

    /// The visits of the root's `children` that its search wanted, those that were only forced taken off: from all but the most visited
    /// child as many of the forced visits as it would not be given again, as things look now; all, where just one would be left. What a
    /// policy is to learn (the same paper's policy target pruning).
    pub(super) fn wanted(self, root: &Node, children: &[Node]) -> Vec<f32> {
        let visits: f32 = children.iter().map(|child| child.visits() as f32).sum();
        let Some(favourite) = children.iter().rev().max_by_key(|child| child.visits()) else { return Vec::new() };
        let deserved = self.deserved(root, children, favourite);
        let wanted = |child: &Node| {
            let given = child.visits() as f32;
            if std::ptr::eq(child, favourite) {
                return given;
            }
            let least = given - self.forced(child, visits).floor();
            let kept = deserved(child).ceil().max(least).min(given);
            if kept < given && kept <= 1.0 { 0.0 } else { kept }
        };
        children.iter().map(wanted).collect()
    }

    /// How many visits a child of `node` would be given, as things look now, before the `favourite` gets another one.
    pub(super) fn deserved(self, node: &Node, children: &[Node], favourite: &Node) -> impl Fn(&Node) -> f32 {
        let visits = children.iter().map(|child| child.visits() as f32).sum();
        let explore = self.explore(visits, stdev(node));
        let bar = favourite.mean_utility() + explore * favourite.policy() / (1.0 + favourite.visits() as f32);
        move |child| {
            let gap = bar - child.mean_utility();
            if gap <= 0.0 { f32::INFINITY } else { (explore * child.policy() / gap - 1.0).max(0.0) }
        }
    }

    /// What makes a child worth a visit: Q + c P / (1 + w), where threads below it count as lost visits.
    #[inline]
    fn worth(self, child: &Node, policy: f32, explore: f32, first_play: f32) -> f32 {
        let (visits, threads) = (child.visits() as f32, child.threads());
        let utility = if visits > 0.0 { child.mean_utility() } else { first_play };
        let (utility, visits) =
            if threads > 0 { self.with_virtual_loss(utility, visits, f32::from(threads)) } else { (utility, visits) };
        utility + explore * policy / (1.0 + visits)
    }

    /// The same with the policy a little evened out, and half of the time a random bonus (KataGo's wide root noise).
    fn worth_in_noise(self, child: &Node, explore: f32, first_play: f32, rng: &mut Rng) -> f32 {
        let policy = libm::powf(child.policy(), 1.0 / (1.0 + 4.0 * self.wide_root_noise));
        let bonus = if rng.percent(50) { self.wide_root_noise * rng.normal().abs() as f32 } else { 0.0 };
        self.worth(child, policy, explore, first_play) + bonus
    }

    /// Utility and visits once `threads` have lost below.
    fn with_virtual_loss(self, utility: f32, visits: f32, threads: f32) -> (f32, f32) {
        let lost = VIRTUAL_LOSS * threads;
        let share = lost / (lost + visits.max(LEAST_VISITS));
        (utility + (self.lowest - utility) * share, visits + lost)
    }

    /// The factor c: (c0 + c1 ln((W + 500) / 500)) sqrt(W + 0.01), greater where utilities vary more than usual.
    fn explore(self, visits: f32, stdev: f32) -> f32 {
        let growing = self.exploration + self.exploration_log * libm::logf((visits + LOG_BASE) / LOG_BASE);
        let varied = 1.0 + self.stdev_scale * (stdev / USUAL_STDEV - 1.0);
        growing * varied * (visits + FIRST).sqrt()
    }

    /// First-play urgency, the utility that an untried child is taken to have: between the network's own `judgement` of the parent and what
    /// the search found, `mean`, by the policy mass `tried`, and the lower the more of the likely moves are tried.
    fn first_play(self, mean: f32, judgement: f32, tried: f32, is_root: bool) -> f32 {
        let tried = tried.clamp(0.0, 1.0);
        let reduction = if is_root { self.root_first_play_reduction } else { self.first_play_reduction };
        let found = tried * tried;
        found * mean + (1.0 - found) * judgement - reduction * tried.sqrt()
    }
}

/// Standard deviation of a node's utilities.
fn stdev(node: &Node) -> f32 {
    spread(node.visits() as f32, node.mean_utility(), node.mean_square())
}

/// Standard deviation of a node's utilities u, of which N `visits` have the `mean` U and the `mean_square`, as if some more of the usual spread
/// had been seen: the root of [2 (U^2 + 0.16) + N mean(u^2)] / (N + 1) - U^2.
fn spread(visits: f32, mean: f32, mean_square: f32) -> f32 {
    let visits = visits.max(1.0);
    let seen = (mean_square - mean * mean).max(0.0);
    // The same, so written that large numbers do not cancel out.
    let sum = USUAL_VISITS * USUAL_STDEV * USUAL_STDEV + (USUAL_VISITS - 1.0) * mean * mean + visits * seen;
    (sum / (USUAL_VISITS + visits - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{Puct, spread};
    use crate::params::SearchParams;
    use crate::search::node::{Node, Opinion, Outcome};
    use crate::search::select::Fork;
    use crate::util::Rng;

    const PUCT: fn() -> Puct = || Puct::new(&SearchParams::default(), 1.4);

    fn near(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }

    #[test]
    fn spread_is_as_usual_at_first_and_as_seen_at_last() {
        // By hand: U = 0.5, mean square 0.29, 3 visits: (2 * 0.41 + 3 * 0.29) / 4 - 0.25 = 0.1725.
        near(spread(3.0, 0.5, 0.29), 0.1725f32.sqrt());
        near(spread(1e6, 0.5, 0.25 + 0.09), 0.3);
        near(spread(1e4, 0.5, 0.25), (0.57 / 1e4f32).sqrt());
    }

    #[test]
    fn exploration_grows_with_visits_and_spread() {
        near(PUCT().explore(0.0, 0.4), 0.1);
        near(PUCT().explore(500.0, 0.4), (1.0 + 0.45 * 2f32.ln()) * 500.01f32.sqrt());
        near(PUCT().explore(500.0, 0.2) / PUCT().explore(500.0, 0.4), 1.0 - 0.85 * 0.5);
    }

    #[test]
    fn first_play_goes_from_the_judgement_to_what_was_found() {
        near(PUCT().first_play(0.6, -0.2, 0.0, false), -0.2);
        near(PUCT().first_play(0.6, -0.2, 1.0, false), 0.6 - 0.2);
        near(PUCT().first_play(0.6, -0.2, 0.25, true), 0.6 / 16.0 - 0.2 * 15.0 / 16.0 - 0.05);
        let noisy = Puct::new(&SearchParams { root_noise: true, ..SearchParams::default() }, 1.4);
        near(noisy.first_play(0.6, -0.2, 1.0, true), 0.6);
    }

    fn tried(policy: f32, visits: usize, utility: f32) -> Node {
        let node = Node::default();
        node.set_policy(policy);
        (0..visits).for_each(|_| node.add_result(Outcome { utility, ..Outcome::default() }));
        node
    }

    #[test]
    fn visits_that_the_favourite_leaves_to_others() {
        let parent = tried(1.0, 400, 0.0);
        let children = [tried(0.5, 300, 0.3), tried(0.3, 90, -0.1), tried(0.2, 10, 0.5)];
        let deserved = PUCT().deserved(&parent, &children, &children[0]);
        // By definition: with so many visits, the child is worth as much as the favourite.
        let explore = PUCT().explore(400.0, spread(400.0, 0.0, parent.mean_square()));
        let bar = PUCT().worth(&children[0], 0.5, explore, 0.0);
        near(-0.1 + explore * 0.3 / (1.0 + deserved(&children[1])), bar);
        assert!(deserved(&children[1]) < 90.0 && deserved(&children[2]) > 1e6);
    }

    #[test]
    fn forced_visits_come_first_and_are_taken_off_again() {
        let forcing = PUCT().with_forced_playouts(2.0);
        let root = tried(1.0, 413, 0.0);
        let children = [
            tried(0.48, 300, 0.3),
            tried(0.3, 90, 0.25),
            tried(0.1, 8, -0.9),
            tried(0.05, 8, 0.9),
            tried(0.05, 6, -0.9),
            tried(0.02, 0, 0.0),
        ];
        // 412 visits in all. By hand: the roots of 0.96, 0.6, 0.2, 0.1, 0.1 and 0.04 times 412.
        for (child, forced) in children.iter().zip([19.888, 15.722, 9.077, 6.419, 6.419, 4.06]) {
            assert!((forcing.forced(child, 412.0) - forced).abs() < 1e-3);
        }
        let fork = |children| Fork { node: &root, children, is_root: true, sign: -1.0 };
        let best = |puct: Puct, is_root| puct.best(Fork { is_root, ..fork(&children) }, |_| true, &mut Rng::new(1));
        assert_eq!(best(PUCT(), true), 3, "the best by far");
        assert_eq!(best(forcing, true), 2, "8 of 9.08, and 0 of 4.06 but not tried yet");
        assert_eq!(best(forcing, false), 3, "nothing is forced below the root");

        assert_eq!(PUCT().wanted(&root, &children), [300.0, 90.0, 8.0, 8.0, 6.0, 0.0], "nothing was forced");
        let wanted = forcing.wanted(&root, &children);
        let deserved = PUCT().deserved(&root, &children, &children[0]);
        assert!((75.0..=90.0).contains(&wanted[1]) && wanted[1] == deserved(&children[1]).ceil().clamp(75.0, 90.0));
        // Of the bad ones, that are all but forced, no visit is left, or one, which is none.
        assert!(
            deserved(&children[2]) < 1.0 && deserved(&children[4]) < 1.0,
            "{} {}",
            deserved(&children[2]),
            deserved(&children[4])
        );
        assert_eq!([wanted[0], wanted[2], wanted[3], wanted[4], wanted[5]], [300.0, 0.0, 8.0, 0.0, 0.0]);
    }

    #[test]
    fn a_visit_is_owed_to_what_somebody_vouches_for() {
        let root = tried(1.0, 12, 0.0);
        let vouched = || {
            let node = Node::default();
            node.reset(0, Opinion { policy: 0.001, games: 3.0, value: 1.0 });
            node
        };
        let best = |children: &[Node], is_root| {
            let fork = Fork { node: &root, children, is_root, sign: -1.0 };
            PUCT().best(fork, |_| true, &mut Rng::new(1))
        };
        let children = [tried(0.9, 10, 0.3), tried(0.05, 1, -0.1), vouched()];
        assert_eq!([true, false].map(|is_root| best(&children, is_root)), [2, 0]);
        // One visit, whatever comes of it; what comes of it decides whether there are more.
        children[2].add_result(Outcome { utility: -0.9, ..Outcome::default() });
        assert_eq!(best(&children, true), 0);
        let children = [tried(0.9, 10, 0.3), tried(0.05, 1, -0.1), vouched()];
        children[2].add_result(Outcome { utility: 0.9, ..Outcome::default() });
        assert_eq!(best(&children, true), 2);
    }

    #[test]
    fn threads_below_count_as_lost() {
        near(PUCT().with_virtual_loss(0.2, 0.0, 1.0).0, 0.2 - 1.6 * 0.8);
        let (utility, visits) = PUCT().with_virtual_loss(0.2, 6.0, 2.0);
        near(utility, 0.2 - 1.6 * 0.25);
        near(visits, 8.0);
    }
}
