//! Games that are given as trees, as textbooks draw them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use tengen::adversarial::{Chance, Several};
use tengen::game::Game;
use tengen::util::Rng;

/// A state: a leaf with each player's utility, or a choice of a player or of nature.
#[derive(Clone, Debug)]
pub struct Tree(Arc<Node>);

#[derive(Debug)]
enum Node {
    Leaf(Vec<f32>),
    Choice(usize, Vec<Tree>),
    Chance(Vec<(f32, Tree)>),
}

/// A leaf that is worth so much to player 0.
impl From<i32> for Tree {
    fn from(utility: i32) -> Self {
        Self(Arc::new(Node::Leaf(vec![utility as f32, -utility as f32])))
    }
}

/// A leaf of three players.
impl From<(i32, i32, i32)> for Tree {
    fn from((a, b, c): (i32, i32, i32)) -> Self {
        Self(Arc::new(Node::Leaf([a, b, c].map(|utility| utility as f32).to_vec())))
    }
}

/// Player `player` chooses.
pub fn choice<T: Into<Tree>>(player: usize, children: impl IntoIterator<Item = T>) -> Tree {
    Tree(Arc::new(Node::Choice(player, children.into_iter().map(Into::into).collect())))
}

pub fn max<T: Into<Tree>>(children: impl IntoIterator<Item = T>) -> Tree {
    choice(0, children)
}

pub fn min<T: Into<Tree>>(children: impl IntoIterator<Item = T>) -> Tree {
    choice(1, children)
}

/// Nature chooses, by these probabilities.
pub fn chance(outcomes: impl IntoIterator<Item = (f32, Tree)>) -> Tree {
    Tree(Arc::new(Node::Chance(outcomes.into_iter().collect())))
}

/// A tree in which every line is so long, players take turns, and leaves are drawn from -20 to 20.
pub fn random(depth: usize, player: usize, rng: &mut Rng) -> Tree {
    if depth == 0 {
        return Tree::from(rng.below(41) as i32 - 20);
    }
    let children = 1 + rng.below(4);
    // Some lines end early.
    let next = |rng: &mut Rng| if rng.percent(8) { 0 } else { depth - 1 };
    let children: Vec<Tree> = (0..children).map(|_| random(next(rng), 1 - player, rng)).collect();
    choice(player, children)
}

/// As [`random`], with nature's turn between any two moves.
pub fn random_with_chance(depth: usize, player: usize, rng: &mut Rng) -> Tree {
    if depth == 0 {
        return Tree::from(rng.below(41) as i32 - 20);
    }
    let count = 1 + rng.below(3);
    let fork = |rng: &mut Rng| {
        let weights: Vec<f32> = (0..=rng.below(3)).map(|_| 0.1 + rng.unit()).collect();
        let sum: f32 = weights.iter().sum();
        chance(weights.iter().map(|weight| (weight / sum, random_with_chance(depth - 1, 1 - player, rng))).collect::<Vec<_>>())
    };
    choice(player, (0..count).map(|_| fork(rng)).collect::<Vec<_>>())
}

/// Two states are the same if they are the same place of the same tree.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Tree {}

impl Hash for Tree {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl Game for Tree {
    type Action = usize;
    const ACTIONS: usize = 64;

    fn index(action: usize) -> usize {
        action
    }

    fn action(index: usize) -> usize {
        index
    }

    fn player(&self) -> usize {
        match &*self.0 {
            Node::Choice(player, _) => *player,
            _ => 0,
        }
    }

    fn actions(&self, actions: &mut Vec<usize>) {
        actions.clear();
        if let Node::Choice(_, children) = &*self.0 {
            actions.extend(0..children.len());
        }
    }

    fn apply(&mut self, action: usize) {
        let next = match &*self.0 {
            Node::Leaf(_) => panic!("the game is over"),
            Node::Choice(_, children) => children[action].clone(),
            Node::Chance(outcomes) => outcomes[action].1.clone(),
        };
        *self = next;
    }

    fn is_terminal(&self) -> bool {
        matches!(*self.0, Node::Leaf(_))
    }

    fn utility(&self) -> f32 {
        self.utilities()[0]
    }
}

impl Several for Tree {
    const PLAYERS: usize = 3;

    fn utilities(&self) -> Vec<f32> {
        match &*self.0 {
            Node::Leaf(utilities) => utilities.clone(),
            _ => panic!("the game is not over"),
        }
    }
}

impl Chance for Tree {
    fn outcomes(&self, outcomes: &mut Vec<(usize, f32)>) {
        outcomes.clear();
        if let Node::Chance(all) = &*self.0 {
            outcomes.extend(all.iter().enumerate().map(|(action, &(probability, _))| (action, probability)));
        }
    }
}
