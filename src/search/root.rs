//! What a search does to its root before it begins.

use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;

use super::harvest::Harvest;
use super::noise;
use super::puct::Puct;
use super::tree::ROOT;
use super::{Search, SearchOptions, opinions, outcome};
use crate::eval::utility::ScoreUtility;
use crate::eval::{Evaluation, Evaluator, Evidence, Request};
use crate::game::Game;
use crate::params::SearchParams;
use crate::util::Rng;

/// Points by which the expected lead must have changed before it becomes the new centre of the score's utility.
const CENTRE_STEP: f32 = 2.0;

/// What the policies of the root's children are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RootPolicy {
    /// Those of a node in the tree, the unlikely left out, or none.
    Stale,
    /// The network's own for a root.
    Plain,
    /// With noise or temperature.
    Shaped,
}

impl<G: Game> Search<G> {
    /// Gives the root children, so that every search has a choice to tell of.
    pub(super) fn expand_root(&mut self, evaluator: &mut dyn Evaluator<G>) {
        let root = self.tree.node(ROOT);
        if !root.claim() {
            return;
        }
        let mut evaluation = [Evaluation::default()];
        evaluator.evaluate(&[Request { state: &self.root, priors: true, root: true }], &mut evaluation);
        let children = opinions::<G>(&evaluation[0].priors);
        self.tree.expand(root, children).expect("a cleared tree has room for one block of children");
    }

    /// Evaluates the root by a network, unless that was done: all its moves become children, with the policies of a root. If it was never
    /// visited, this is the first visit. Returns what the score is worth in this search, and whether the network was asked.
    pub(super) fn judge_root(
        &mut self,
        evaluator: &mut dyn Evaluator<G>,
        params: &SearchParams,
        seed: u64,
        harvest: &Mutex<Harvest>,
    ) -> (ScoreUtility, bool) {
        let mover = 1 - self.root.player();
        let root = self.tree.node(ROOT);
        let lead = root.mean().lead * if mover == 0 { 1.0 } else { -1.0 };
        let shaped = params.root_noise || params.root_policy_temperature != 1.0;
        if self.root_policy == RootPolicy::Plain && !shaped {
            return (self.score_utility(params, lead), false);
        }
        let mut evaluation = Evaluation::default();
        let request = Request { state: &self.root, priors: true, root: true };
        evaluator.evaluate(&[request], std::slice::from_mut(&mut evaluation));
        let expected = if root.visits() > 0 { lead } else { evaluation.lead };
        let score_utility = self.score_utility(params, expected);
        self.opinion = Some(evaluation.clone());
        let root = self.tree.node(ROOT);
        evaluation.value += score_utility.of(evaluation.score_mean, evaluation.score_stdev);
        root.set_own(outcome(&evaluation, mover));
        if root.visits() == 0 {
            root.add_result(outcome(&evaluation, mover));
            harvest.lock().add(&evaluation, None, false);
        } else {
            harvest.lock().all.ownership.add(&evaluation.ownership);
        }
        let mut policies: Vec<f32> = evaluation.priors.iter().map(|prior| prior.policy).collect();
        noise::shape(&mut policies, params, &mut Rng::new(seed));
        evaluation.priors.iter_mut().zip(policies).for_each(|(prior, policy)| prior.policy = policy);
        self.tree.replace_root_children(&opinions::<G>(&evaluation.priors).collect::<Vec<_>>());
        self.root_policy = if shaped { RootPolicy::Shaped } else { RootPolicy::Plain };
        (score_utility, true)
    }

    /// What a policy is to learn from the last search, which ran by `params` and `options`: the root's moves with the visits that they got
    /// on their merits, without those that were forced ([`SearchOptions::forced_playouts`]). Moves without any are left out.
    pub fn policy_target(&self, params: &SearchParams, options: &SearchOptions<G::Action>) -> Vec<(G::Action, f32)> {
        let root = self.tree.node(ROOT);
        let Some((_, children)) = self.tree.children(root) else { return Vec::new() };
        let wanted = match self.evidence {
            // The highest utility tells only what virtual losses cost, and no search runs.
            Evidence::Network => Puct::new(params, 1.0).with_forced_playouts(options.forced_playouts).wanted(root, children),
            Evidence::Playout => children.iter().map(|child| child.visits() as f32).collect(),
        };
        let moves = children.iter().map(|child| G::action(child.action()));
        moves.zip(wanted).filter(|&(_, visits)| visits > 0.0).collect()
    }

    /// What the score is worth where player 0 is expected to lead by `expected`. Utilities about different leads do not mix well, so a tree
    /// keeps the lead that it was begun with until another is clearly expected.
    fn score_utility(&mut self, params: &SearchParams, expected: f32) -> ScoreUtility {
        let kept = self.centre.filter(|centre| (centre - expected).abs() < CENTRE_STEP);
        let centre = kept.unwrap_or(expected);
        self.centre = Some(centre);
        ScoreUtility::new(params, self.root.area(), centre)
    }

    /// Chance for noise: another one each time.
    pub(super) fn chance(&mut self, params: &SearchParams) -> u64 {
        self.noises += 1;
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
        params.seed.unwrap_or_else(clock).wrapping_add(self.noises)
    }
}
