//! One thread's search. An iteration reads top to bottom in [`Worker::iterate`]: select, expand, simulate, back up.

use std::collections::HashMap;

use parking_lot::Mutex;

use super::amaf::FirstPlays;
use super::node::Opinion;
use super::path::Path;
use super::select::{Permits, Selection};
use super::tree::{Full, ROOT, Tree};
use crate::eval::{Evaluation, Evaluator, Request};
use crate::game::Game;

/// What all workers of a search share and none changes.
pub(super) struct Common<'a, G: Game> {
    pub(super) tree: &'a Tree,
    pub(super) root: &'a G,
    pub(super) selection: Selection,
    pub(super) permits: &'a Permits,
    /// Visits at which a leaf is expanded.
    pub(super) expand_at: u32,
    /// Visits lost by a thread on its way.
    pub(super) virtual_loss: u32,
    /// Whether ownership is kept for each move of the root.
    pub(super) moves_ownership: bool,
}

/// What a worker has seen besides the tree: read by the reporter while the worker goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct Harvest {
    /// Evaluations.
    pub(super) count: u64,
    /// Sum and sum of squares of player 0's lead.
    pub(super) score: f64,
    pub(super) score_squares: f64,
    /// Evaluations that told ownership.
    pub(super) owned: u64,
    /// Sum of player 0's ownership of each point.
    pub(super) ownership: Vec<f32>,
    /// Sum of its squares.
    pub(super) ownership_squares: Vec<f32>,
    /// For each move of the root, by [`Game::index`], what was seen below it; if that is asked for.
    pub(super) by_move: HashMap<usize, Below>,
}

/// Ownership below one move of the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Below {
    /// Evaluations.
    count: f32,
    /// Sum of player 0's ownership of each point.
    sum: Vec<f32>,
}

impl Below {
    fn add(&mut self, count: f32, ownership: &[f32]) {
        self.count += count;
        self.sum.resize(ownership.len(), 0.0);
        for (sum, owner) in self.sum.iter_mut().zip(ownership) {
            *sum += owner;
        }
    }

    /// The mean for player 0, or with `sign` -1 for player 1.
    pub(super) fn mean(&self, sign: f32) -> Vec<f32> {
        self.sum.iter().map(|sum| sign * sum / self.count).collect()
    }
}

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
}

impl<'a, G: Game> Worker<'a, G> {
    pub(super) fn new(common: &'a Common<'a, G>, evaluator: &'a mut dyn Evaluator<G>, harvest: &'a Mutex<Harvest>) -> Self {
        Self {
            common,
            evaluator,
            harvest,
            state: common.root.clone(),
            path: Path::new(common.tree, common.virtual_loss),
            evaluation: [Evaluation::default()],
            first_plays: FirstPlays::new(G::ACTIONS),
        }
    }

    /// One visit to the tree.
    pub(super) fn iterate(&mut self) -> Ended {
        let tree = self.common.tree;

        // Select: go down by the best child until a leaf or the end of the game.
        self.state.clone_from(self.common.root);
        self.path.clear();
        let mut node = self.path.push(ROOT, 1 - self.state.player());
        while !self.state.is_terminal() {
            let Some((first, children)) = tree.children(node) else { break };
            let (depth, player) = (self.path.steps().len() - 1, self.state.player());
            let permits = self.common.permits;
            let place = if permits.restrict(depth) {
                self.common.selection.best(node, children, |child| permits.permit(depth, player, child.action()))
            } else {
                self.common.selection.best(node, children, |_| true)
            };
            self.state.apply(G::action(children[place].action()));
            node = self.path.push(first + place, player);
        }

        // Simulate, and expand a leaf that was visited often enough. Of several threads at one leaf, one expands it.
        let mut ended = Ended::Well;
        if self.state.is_terminal() {
            let [evaluation] = &mut self.evaluation;
            evaluation.value = self.state.utility();
            evaluation.score = self.state.score();
            evaluation.trace.clear();
            evaluation.ownership.clear();
        } else {
            let expand = node.visits() + 1 >= self.common.expand_at && node.claim();
            self.evaluator.evaluate(&[Request { state: &self.state, priors: expand }], &mut self.evaluation);
            if expand {
                let priors = self.evaluation[0].priors.iter();
                let children = priors.map(|prior| {
                    (G::index(prior.action), Opinion { policy: prior.policy, games: prior.games, value: prior.value })
                });
                if let Err(Full) = tree.expand(node, children) {
                    ended = Ended::Full;
                }
            }
        }

        self.back_up();
        ended
    }

    /// Back up: from the leaf to the root, the result for the player who moved into each node, and all-moves-as-first for its children.
    fn back_up(&mut self) {
        let [evaluation] = &self.evaluation;
        let tree = self.common.tree;
        let share = f32::midpoint(evaluation.value, 1.0);
        let half_wins = [(share * 2.0).round() as u64, ((1.0 - share) * 2.0).round() as u64];
        self.first_plays.clear();
        for &(player, action) in evaluation.trace.iter().rev() {
            self.first_plays.note(player as usize, G::index(action));
        }
        let mut below: Option<usize> = None;
        for step in self.path.steps().iter().rev() {
            let node = tree.node(step.node);
            let (share, score) = if step.mover == 0 { (share, evaluation.score) } else { (1.0 - share, -evaluation.score) };
            node.add_result(share, score);
            if let (Some((_, children)), false) = (tree.children(node), evaluation.trace.is_empty()) {
                // The player to move here; where a player moves twice running, the one below tells.
                let player = below.unwrap_or(1 - step.mover);
                for child in children.iter().filter(|child| self.first_plays.is_first(player, child.action())) {
                    child.add_amaf(half_wins[player]);
                }
            }
            self.first_plays.note(step.mover, node.action());
            below = Some(step.mover);
        }
        self.harvest();
    }

    fn harvest(&self) {
        let [evaluation] = &self.evaluation;
        let mut harvest = self.harvest.lock();
        let score = f64::from(evaluation.score);
        harvest.count += 1;
        harvest.score += score;
        harvest.score_squares += score * score;
        if evaluation.ownership.is_empty() {
            return;
        }
        let harvest = &mut *harvest;
        harvest.owned += 1;
        harvest.ownership.resize(evaluation.ownership.len(), 0.0);
        harvest.ownership_squares.resize(evaluation.ownership.len(), 0.0);
        for ((sum, squares), &owner) in
            harvest.ownership.iter_mut().zip(&mut harvest.ownership_squares).zip(&evaluation.ownership)
        {
            *sum += owner;
            *squares += owner * owner;
        }
        if let (true, Some(step)) = (self.common.moves_ownership, self.path.steps().get(1)) {
            let action = self.common.tree.node(step.node).action();
            harvest.by_move.entry(action).or_default().add(1.0, &evaluation.ownership);
        }
    }
}

impl Harvest {
    /// Adds what another worker has seen.
    pub(super) fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.score += other.score;
        self.score_squares += other.score_squares;
        self.owned += other.owned;
        self.ownership.resize(self.ownership.len().max(other.ownership.len()), 0.0);
        self.ownership_squares.resize(self.ownership.len(), 0.0);
        for (sum, more) in self.ownership.iter_mut().zip(&other.ownership) {
            *sum += more;
        }
        for (sum, more) in self.ownership_squares.iter_mut().zip(&other.ownership_squares) {
            *sum += more;
        }
        for (&action, below) in &other.by_move {
            self.by_move.entry(action).or_default().add(below.count, &below.sum);
        }
    }
}
