//! Monte-Carlo tree search as textbooks have it: UCT (L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo Planning, 2006) with UCB1 (P. Auer and others, 2002),
//! sampling where chance decides. It converges to minimax on finite games; a rare refutation can be missed for long.
//!
//! [`crate::search`] is the engine's tree: bounded, with threads, priors and all; this is what it grew from.

use super::montecarlo::sample;
use super::{Chance, Playout, actions, sign};
use crate::util::Rng;

/// What is known of one action: how often it was tried, and the sum of its rewards (1 a win of who did it, a half a draw).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arm {
    /// Tries.
    pub visits: u32,
    /// Rewards.
    pub reward: f32,
}

/// The upper confidence bound U / N + C sqrt(ln N(parent) / N): the mean, and what the action may be worth more. What was never tried comes first.
pub fn ucb1(arm: Arm, parent_visits: u32, exploration: f32) -> f32 {
    if arm.visits == 0 {
        return f32::INFINITY;
    }
    let visits = arm.visits as f32;
    arm.reward / visits + exploration * ((parent_visits as f32).ln() / visits).sqrt()
}

struct Node<A> {
    action: Option<A>,
    arm: Arm,
    /// Below it, as far as they were tried.
    children: Vec<usize>,
}

/// A tree that grows by a node with each playout.
pub struct Uct<'a, G: Chance> {
    root: G,
    exploration: f32,
    playout: Playout<'a, G>,
    nodes: Vec<Node<G::Action>>,
    rng: Rng,
}

impl<'a, G: Chance> Uct<'a, G> {
    /// A tree of one node. `exploration` is C; utilities lie within -1 and 1.
    pub fn new(root: G, exploration: f32, playout: Playout<'a, G>, rng: Rng) -> Self {
        let node = Node { action: None, arm: Arm::default(), children: Vec::new() };
        Self { root, exploration, playout, nodes: vec![node], rng }
    }

    /// Select, expand, simulate, back up: so many times.
    pub fn run(&mut self, iterations: u32) {
        for _ in 0..iterations {
            self.iterate();
        }
    }

    /// The root's actions and what came of them.
    pub fn arms(&self) -> impl Iterator<Item = (G::Action, Arm)> + '_ {
        let children = self.nodes[0].children.iter().map(|&child| &self.nodes[child]);
        children.filter_map(|node| Some((node.action?, node.arm)))
    }

    /// The action to play: the most visited, not the one of the highest bound.
    pub fn best(&self) -> Option<G::Action> {
        self.arms().reduce(|best, other| if other.1.visits > best.1.visits { other } else { best }).map(|(action, _)| action)
    }

    fn iterate(&mut self) {
        let mut state = self.root.clone();
        // Nodes of the path, each with the player who moved into it; nature's have none, and nobody chooses by theirs.
        let mut path = vec![(0, None)];
        let mut node = 0;
        let value = loop {
            if state.is_terminal() {
                // Its result is backed up, with no expansion.
                break state.utility();
            }
            let outcomes = super::chance::outcomes(&state);
            let mover = outcomes.is_empty().then(|| state.player());
            let action = if outcomes.is_empty() { self.select(node, &state) } else { Ok(sample(&outcomes, &mut self.rng)) };
            let (action, new) = match action {
                Ok(action) => (action, false),
                Err(untried) => (untried, true),
            };
            state.apply(action);
            let known = self.nodes[node].children.iter().copied().find(|&child| self.nodes[child].action == Some(action));
            let expands = new || known.is_none();
            node = known.unwrap_or_else(|| self.add(node, action));
            path.push((node, mover));
            if expands {
                break if state.is_terminal() { state.utility() } else { self.playout.play(state, &mut self.rng) };
            }
        };
        for (node, mover) in path {
            let arm = &mut self.nodes[node].arm;
            arm.visits += 1;
            // The reward of who moved into the node, from 0 to 1.
            arm.reward += mover.map_or(0.0, |player| f32::midpoint(1.0, sign(player) * value));
        }
    }

    fn add(&mut self, parent: usize, action: G::Action) -> usize {
        let child = self.nodes.len();
        self.nodes.push(Node { action: Some(action), arm: Arm::default(), children: Vec::new() });
        self.nodes[parent].children.push(child);
        child
    }

    /// The tried action of the highest bound, or as an error a random one of those never tried.
    fn select(&mut self, node: usize, state: &G) -> Result<G::Action, G::Action> {
        let tried = |action: &G::Action| {
            let children = &self.nodes[node].children;
            children.iter().copied().find(|&child| self.nodes[child].action == Some(*action))
        };
        let actions = actions(state);
        let untried: Vec<G::Action> = actions.iter().copied().filter(|action| tried(action).is_none()).collect();
        if !untried.is_empty() {
            return Err(untried[self.rng.below(untried.len())]);
        }
        let visits = self.nodes[node].arm.visits;
        let bound = |action: &G::Action| {
            tried(action).map_or(f32::INFINITY, |child| ucb1(self.nodes[child].arm, visits, self.exploration))
        };
        let best = actions.into_iter().max_by(|a, b| bound(a).total_cmp(&bound(b)));
        Ok(best.expect("a player to move has an action"))
    }
}
