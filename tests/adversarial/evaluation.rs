//! Estimates, and where they mislead.

use tengen::adversarial::{Heuristic, Options, Searcher, minimax};
use tengen::game::Game;
use tengen::util::Rng;

use crate::tree::{max, min};

/// A weighted sum of features.
fn weighted(features: &[(f32, f32)]) -> f32 {
    features.iter().map(|(weight, feature)| weight * feature).sum()
}

#[test]
fn a_weighted_sum() {
    assert_eq!(weighted(&[(2.0, -1.0), (0.25, 12.0)]), 1.0);
}

/// Piles of stones that two players capture from one another: a position is the material balance and an exchange that is going on, whose next captures win
/// so much for who makes them, in turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Exchange {
    balance: i32,
    captures: Vec<i32>,
    player: usize,
    quiet: u8,
}

impl Game for Exchange {
    type Action = bool;
    const ACTIONS: usize = 2;

    fn index(action: bool) -> usize {
        usize::from(action)
    }

    fn action(index: usize) -> bool {
        index == 1
    }

    fn player(&self) -> usize {
        self.player
    }

    /// Capture, or do something else.
    fn actions(&self, actions: &mut Vec<bool>) {
        actions.clear();
        actions.extend((!self.captures.is_empty()).then_some(true).into_iter().chain([false]));
    }

    fn apply(&mut self, capture: bool) {
        if capture {
            let sign = if self.player == 0 { 1 } else { -1 };
            self.balance += sign * self.captures.remove(0);
        } else {
            self.captures.clear();
            self.quiet += 1;
        }
        self.player = 1 - self.player;
    }

    fn is_terminal(&self) -> bool {
        self.quiet == 20
    }

    fn utility(&self) -> f32 {
        self.balance.signum() as f32 * 1000.0
    }
}

struct Material {
    quiescent: bool,
}

impl Heuristic<Exchange> for Material {
    fn evaluate(&mut self, state: &Exchange) -> f32 {
        state.balance as f32
    }

    fn tactical(&mut self, state: &Exchange, actions: &mut Vec<bool>) {
        actions.clear();
        if self.quiescent && !state.captures.is_empty() {
            actions.push(true);
        }
    }
}

#[test]
fn no_estimate_in_the_middle_of_an_exchange() {
    // Taking a pawn with the queen looks good for a ply; then the queen is taken.
    let exchange = Exchange { balance: 0, captures: vec![1, 9], player: 0, quiet: 0 };
    let look = |quiescent| Searcher::new(Material { quiescent }, Options { depth: 1, ..Options::default() }).search(&exchange).0;
    assert_eq!((look(false).value, look(false).action), (1.0, Some(true)), "the horizon effect");
    assert_eq!((look(true).value, look(true).action), (0.0, Some(false)));
    // With the same number of plies more, a plain search sees it too.
    let deeper = Searcher::new(Material { quiescent: false }, Options { depth: 2, ..Options::default() }).search(&exchange).0;
    assert_eq!(deeper.action, Some(false));
}

#[test]
fn wins_rank_above_every_estimate() {
    let over = Exchange { balance: 1, captures: vec![], player: 0, quiet: 19 };
    let (found, proved) = Searcher::new(Material { quiescent: true }, Options::default()).search(&over);
    assert_eq!((found.value, proved), (1000.0, true), "terminal before cut-off before estimate");
}

/// Minimax takes the second, though with errors in the leaves the first is better more often than not.
#[test]
fn errors_of_estimates_mislead_minimax() {
    let (first, second) = ([99, 1000, 1000, 1000], [100, 101, 102, 100]);
    let found = minimax(&max([min(first), min(second)]));
    assert_eq!((found.value, found.action), (100.0, Some(1)));
    let mut rng = Rng::new(1);
    let mut first_is_better = |sigma: f64| {
        let mut least = |leaves: [i32; 4]| {
            leaves.map(|leaf| f64::from(leaf) + sigma * rng.normal()).into_iter().fold(f64::INFINITY, f64::min)
        };
        let rounds = 40_000;
        (0..rounds).filter(|_| least(first) > least(second)).count() as f64 / f64::from(rounds)
    };
    assert!((first_is_better(5.0) - 0.71).abs() < 0.01);
    assert!((first_is_better(2.0) - 0.58).abs() < 0.01);
}
