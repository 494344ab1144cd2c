//! One thread's search. An iteration reads top to bottom in [`Worker::iterate`]: select, evaluate, expand, back up.

use parking_lot::Mutex;

use super::amaf::FirstPlays;
use super::harvest::Harvest;
use super::node::{Node, Outcome};
use super::path::Path;
use super::select::{Fork, Permits, Selection};
use super::tree::{Full, ROOT, Tree};
use super::weigh::Scales;
use super::{opinions, outcome};
use crate::eval::utility::ScoreUtility;
use crate::eval::{Evaluation, Evaluator, Request};
use crate::game::Game;
use crate::util::Rng;

/// What all workers of a search share and none changes.
pub(super) struct Common<'a, G: Game> {
    pub(super) tree: &'a Tree,
    pub(super) root: &'a G,
    pub(super) selection: Selection,
    pub(super) permits: &'a Permits,
    /// Visits at which a leaf is expanded.
    pub(super) expand_at: u32,
    /// Actions of less policy get no node, but at the root and where the choice is restricted.
    pub(super) least_policy: f32,
    /// Added to the value of each evaluation.
    pub(super) score_utility: ScoreUtility,
    /// Whether ownership is kept for each move of the root.
    pub(super) moves_ownership: bool,
}

/// Visits from which a node's children take all-moves-as-first results from a sample of the iterations: by then these are many, and what
/// they cost is the waiting for cache lines that other threads have written.
const BUSY: u32 = 4_000;
/// One of so many iterations is sampled, and counts that often.
const SAMPLE: u64 = 4;

/// How many times a thread looks for another leaf than one that is being evaluated. Where there is none, it evaluates that one too.
const LOOKS: usize = 4;

/// How an iteration ended.
pub(super) enum Ended {
    /// The result is in the tree.
    Well,
    /// The result is in the tree, but a leaf could not be expanded: it has no room.
    Full,
}

/// A search thread's scratch memory.
pub(super) struct Worker<'a, G: Game> {
    common: &'a Common<'a, G>,
    evaluator: &'a mut dyn Evaluator<G>,
    harvest: &'a Mutex<Harvest>,
    state: G,
    path: Path<'a>,
    evaluation: [Evaluation<G::Action>; 1],
    first_plays: FirstPlays,
    /// Of a network search.
    scales: Option<Scales>,
    rng: Rng,
    iterations: u64,
}

impl<'a, G: Game> Worker<'a, G> {
    pub(super) fn new(
        common: &'a Common<'a, G>,
        evaluator: &'a mut dyn Evaluator<G>,
        scales: Option<Scales>,
        rng: Rng,
        harvest: &'a Mutex<Harvest>,
    ) -> Self {
        Self {
            common,
            evaluator,
            harvest,
            state: common.root.clone(),
            path: Path::new(common.tree),
            evaluation: [Evaluation::default()],
            first_plays: FirstPlays::new(G::ACTIONS),
            scales,
            rng,
            iterations: 0,
        }
    }

    /// One visit to the tree.
    pub(super) fn iterate(&mut self) -> Ended {
        let (node, mover, expand) = self.find_leaf();

        // Evaluate, and expand a leaf that was visited often enough. Of several threads at one leaf, one expands it.
        let mut ended = Ended::Well;
        let [evaluation] = &mut self.evaluation;
        if self.state.is_terminal() {
            evaluation.set_final(self.state.utility(), self.state.utility(), self.state.score());
            evaluation.no_result = if self.state.is_void() { 1.0 } else { 0.0 };
            evaluation.trace.clear();
            self.state.ownership(&mut evaluation.ownership);
            evaluation.value += self.common.score_utility.of(evaluation.score_mean, evaluation.score_stdev);
        } else {
            let request = Request { state: &self.state, priors: expand, root: false };
            self.evaluator.evaluate(&[request], std::slice::from_mut(evaluation));
            evaluation.value += self.common.score_utility.of(evaluation.score_mean, evaluation.score_stdev);
            if expand {
                ended = self.expand(node, mover);
            }
        }

        self.back_up();
        ended
    }

    /// Selects a leaf, with the player who moved into it, and claims it if it is to be expanded. A leaf that another thread is just asking
    /// a network about would be asked about twice: the thread looks for another, and lets its virtual losses stand meanwhile.
    fn find_leaf(&mut self) -> (&'a Node, usize, bool) {
        let mut taken = Vec::new();
        loop {
            let (node, mover) = self.select();
            let expands = !self.state.is_terminal() && node.visits() + 1 >= self.common.expand_at;
            let claimed = expands && node.claim();
            if claimed || !expands || self.scales.is_none() || taken.len() == LOOKS {
                return (node, mover, claimed);
            }
            taken.push(std::mem::replace(&mut self.path, Path::new(self.common.tree)));
        }
    }

    /// Select: goes down by the best child until a leaf or the end of the game. Returns the last node, and who moved into it.
    fn select(&mut self) -> (&'a Node, usize) {
        let tree = self.common.tree;
        self.state.clone_from(self.common.root);
        self.path.clear();
        let mut mover = 1 - self.state.player();
        let mut node = self.path.push(ROOT, mover);
        while !self.state.is_terminal() {
            let Some((first, children)) = tree.children(node) else { break };
            let (depth, player) = (self.path.steps().len() - 1, self.state.player());
            let fork = Fork { node, children, is_root: depth == 0, sign: if mover == player { 1.0 } else { -1.0 } };
            let permits = self.common.permits;
            let place = if permits.restrict(depth) {
                self.common.selection.best(fork, |child| permits.permit(depth, player, child.action()), &mut self.rng)
            } else {
                self.common.selection.best(fork, |_| true, &mut self.rng)
            };
            self.state.apply(G::action(children[place].action()));
            node = self.path.push(first + place, player);
            mover = player;
        }
        (node, mover)
    }

    /// Expand: makes the claimed leaf `node`, into which `mover` moved, an inner node by the evaluation at hand.
    fn expand(&mut self, node: &Node, mover: usize) -> Ended {
        let [evaluation] = &mut self.evaluation;
        if self.scales.is_some() {
            // A leaf that was visited before, and had children once, brings what it learnt from them.
            let visits = node.visits() as f32;
            let mut own = outcome(evaluation, mover);
            own.add(visits, node.mean());
            node.set_own(own.times(1.0 / (visits + 1.0)));
        }
        let is_worth_it = |policy: f32| policy >= self.common.least_policy;
        let restricted = self.common.permits.restrict(self.path.steps().len() - 1);
        if !restricted && evaluation.priors.iter().any(|prior| is_worth_it(prior.policy)) {
            evaluation.priors.retain(|prior| is_worth_it(prior.policy));
        }
        match self.common.tree.expand(node, opinions::<G>(&evaluation.priors)) {
            Ok(()) => Ended::Well,
            Err(Full) => Ended::Full,
        }
    }

    /// Back up: from the leaf to the root, the outcome for the player who moved into each node, and all-moves-as-first for its children.
    fn back_up(&mut self) {
        let [evaluation] = &self.evaluation;
        let tree = self.common.tree;
        let outcomes: [Outcome; 2] = [0, 1].map(|player| outcome(evaluation, player));
        let half_wins = outcomes.map(|outcome| (outcome.utility + 1.0).round() as u64);
        self.iterations += 1;
        self.first_plays.clear();
        for &(player, action) in evaluation.trace.iter().rev() {
            self.first_plays.note(player as usize, G::index(action));
        }
        let mut below: Option<usize> = None;
        for step in self.path.steps().iter().rev() {
            let node = tree.node(step.node);
            node.add_result(outcomes[step.mover]);
            // The player to move here; where a player moves twice running, the one below tells.
            let player = below.unwrap_or(1 - step.mover);
            let children = tree.children(node);
            if let (Some((_, children)), false) = (children, evaluation.trace.is_empty()) {
                // A much visited node's children are written by all threads at once; there a sample tells as much.
                let weight = if node.visits() < BUSY { 1 } else { SAMPLE };
                if weight == 1 || self.iterations.is_multiple_of(SAMPLE) {
                    for child in children.iter().filter(|child| self.first_plays.is_first(player, child.action())) {
                        child.add_amaf(weight, half_wins[player]);
                    }
                }
            }
            // What comes of a visit to a leaf is what it is worth.
            if let (Some((_, children)), Some(scales), Some(_)) = (children, &mut self.scales, below) {
                let sign = if step.mover == player { 1.0 } else { -1.0 };
                scales.weigh(Fork { node, children, is_root: step.node == ROOT, sign });
            }
            self.first_plays.note(step.mover, node.action());
            below = Some(step.mover);
        }
        self.harvest();
    }

    fn harvest(&self) {
        let [evaluation] = &self.evaluation;
        let action = self.path.steps().get(1).map(|step| self.common.tree.node(step.node).action());
        self.harvest.lock().add(evaluation, action, self.common.moves_ownership);
    }
}
