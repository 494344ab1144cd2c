//! What a node of a network search is worth: its own evaluation and its children, weighed by how much they have to say.
//!
//! The plain mean of all visits holds those against a node that only found out how bad a move is. (Both corrections are KataGo's; see its
//! documentation of methods, "noise pruning" and "downweighting of bad children".)

use super::node::Outcome;
use super::select::Fork;
use crate::params::SearchParams;

/// A child may have so many times its policy's share of the visits before they are held to be noise.
const LENIENCE: f32 = 2.0;
/// Utility by which a child must be worse than likelier ones for about two thirds of its surplus to be taken away.
const GAP: f32 = 0.15;
/// A child's utility is taken to be known to the variance 1 / (1.5 sqrt(visits)).
const PRECISION: f32 = 1.5;
/// Share of its weight that the worst child keeps at least, before the exponent.
const LEAST: f32 = 1e-4;

/// Weighs children; with a thread's scratch memory.
#[derive(Clone)]
pub(super) struct Scales {
    prunes_noise: bool,
    exponent: f32,
    children: Vec<Weighed>,
}

/// A child that was visited.
#[derive(Clone, Copy, Debug)]
struct Weighed {
    policy: f32,
    /// For the player to move, as all in here.
    mean: Outcome,
    square: f32,
    weight: f32,
}

impl Scales {
    /// Scales by `params`.
    pub(super) fn new(params: &SearchParams) -> Self {
        Self { prunes_noise: params.prune_noise, exponent: params.value_weight_exponent, children: Vec::new() }
    }

    /// Sets what is expected of the node at this fork, after a visit below it.
    pub(super) fn weigh(&mut self, fork: Fork<'_>) {
        self.children.clear();
        let visited = fork.children.iter().filter(|child| child.visits() > 0);
        self.children.extend(visited.map(|child| Weighed {
            policy: child.policy(),
            mean: child.mean(),
            square: child.mean_square(),
            weight: child.visits() as f32,
        }));
        // All visits that are not the children's were evaluations of the node itself.
        let below: f32 = self.children.iter().map(|child| child.weight).sum();
        let own_weight = (fork.node.visits() as f32 - below).max(1.0);
        if self.prunes_noise {
            self.children.sort_unstable_by(|a, b| b.policy.total_cmp(&a.policy));
            prune_noise(&mut self.children);
        }
        play_down(&mut self.children, self.exponent);
        let own = fork.node.own().times(fork.sign);
        let mut weight = own_weight;
        let mut sum = own.times(own_weight);
        let mut squares = own_weight * own.utility * own.utility;
        for child in &self.children {
            weight += child.weight;
            sum.add(child.weight, child.mean);
            squares += child.weight * child.square;
        }
        fork.node.set_mean(sum.times(fork.sign / weight), squares / weight);
    }
}

/// Takes visits off children, which come by falling policy, that are worse than those before them and have much more than their policy's
/// share: they were not wanted, but explored.
fn prune_noise(children: &mut [Weighed]) {
    let (mut sum, mut weight, mut policy) = (0.0, 0.0, 0.0);
    for child in children {
        if weight > 0.0 && policy > 0.0 {
            let gap = sum / weight - child.mean.utility;
            let surplus = child.weight - LENIENCE * weight * child.policy / policy;
            if gap > 0.0 && surplus > 0.0 {
                child.weight -= surplus * (1.0 - libm::expf(-gap / GAP));
            }
        }
        sum += child.mean.utility * child.weight;
        weight += child.weight;
        policy += child.policy;
    }
}

/// Lessens the weights of children that are worse than the mean, by the probability that they are not, to the power of `exponent`. The sum of
/// the weights stays.
fn play_down(children: &mut [Weighed], exponent: f32) {
    let total: f32 = children.iter().map(|child| child.weight).sum();
    if exponent == 0.0 || total <= 0.0 {
        return;
    }
    let mean = children.iter().map(|child| child.mean.utility * child.weight).sum::<f32>() / total;
    for child in children.iter_mut() {
        let deviations = (child.mean.utility - mean) * (PRECISION * child.weight.sqrt()).sqrt();
        child.weight *= libm::powf(student(deviations) + LEAST, exponent);
    }
    let factor = total / children.iter().map(|child| child.weight).sum::<f32>();
    for child in children {
        child.weight *= factor;
    }
}

/// Probability that a value of Student's t distribution with three degrees of freedom is below `t`.
fn student(t: f32) -> f32 {
    let scaled = t / 3f32.sqrt();
    0.5 + (scaled / (1.0 + scaled * scaled) + libm::atanf(scaled)) * std::f32::consts::FRAC_1_PI
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Weighed, play_down, prune_noise, student};

    fn child(policy: f32, utility: f32, weight: f32) -> Weighed {
        Weighed { policy, mean: Outcome { utility, ..Outcome::default() }, square: utility * utility, weight }
    }

    #[test]
    fn student_has_its_known_quantiles() {
        for (t, probability) in [(0.0, 0.5), (0.765, 0.75), (2.353, 0.95), (-4.541, 0.01)] {
            assert!((student(t) - probability).abs() < 1e-3, "{t}: {}", student(t));
        }
    }

    #[test]
    fn surplus_visits_of_worse_moves_are_taken_off() {
        let mut children = [child(0.6, 0.5, 60.0), child(0.3, 0.2, 100.0), child(0.1, 0.9, 90.0)];
        prune_noise(&mut children);
        // By hand: the share is 2 * 60 * 0.3 / 0.6 = 60, so 40 are surplus; the gap is 0.3, two scales.
        let kept = 100.0 - 40.0 * (1.0 - (-2f32).exp());
        assert!((children[1].weight - kept).abs() < 1e-3, "{children:?}");
        assert_eq!((children[0].weight, children[2].weight), (60.0, 90.0), "the better keep theirs");
    }

    #[test]
    fn bad_children_weigh_less_and_the_sum_stays() {
        let mut children = [child(0.5, 0.5, 60.0), child(0.5, -0.9, 40.0)];
        play_down(&mut children, 0.25);
        assert!((children[0].weight + children[1].weight - 100.0).abs() < 1e-3 && children[1].weight < 30.0, "{children:?}");
        let mut children = [child(0.5, 0.5, 60.0), child(0.5, -0.9, 40.0)];
        play_down(&mut children, 0.0);
        assert_eq!(children[1].weight, 40.0);
    }
}
