//! Pure Monte Carlo: the same number of random games for each action of the root. (B. Abramson, Expected-outcome, 1990; in Go: B. Brügmann, 1993.)

use super::{Chance, actions, after, sign};
use crate::util::Rng;

/// How a random game is played.
pub struct Playout<'a, G> {
    /// Actions after which it is stopped and judged: early termination.
    pub most_actions: usize,
    /// The judge of games that were stopped: what they are worth to player 0.
    pub judge: &'a dyn Fn(&G) -> f32,
}

impl<G> Default for Playout<'_, G> {
    /// To the end.
    fn default() -> Self {
        Self { most_actions: usize::MAX, judge: &|_| 0.0 }
    }
}

impl<G: Chance> Playout<'_, G> {
    /// Plays `state` out by uniformly random actions, nature by its probabilities, and gives the result to player 0.
    pub fn play(&self, mut state: G, rng: &mut Rng) -> f32 {
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        for _ in 0..self.most_actions {
            if state.is_terminal() {
                return state.utility();
            }
            state.outcomes(&mut outcomes);
            let action = if outcomes.is_empty() {
                state.actions(&mut actions);
                actions[rng.below(actions.len())]
            } else {
                sample(&outcomes, rng)
            };
            state.apply(action);
        }
        if state.is_terminal() { state.utility() } else { (self.judge)(&state) }
    }
}

/// One of `outcomes`, which are not empty, by their probabilities.
pub(super) fn sample<A: Copy>(outcomes: &[(A, f32)], rng: &mut Rng) -> A {
    let mut left = rng.unit();
    for &(outcome, probability) in outcomes {
        left -= probability;
        if left < 0.0 {
            return outcome;
        }
    }
    // Rounding.
    outcomes[outcomes.len() - 1].0
}

/// The action of the best average over `playouts` random games each, and that average, seen from player 0. A player must be to move.
pub fn pure_monte_carlo<G: Chance>(state: &G, playouts: u32, playout: &Playout<'_, G>, rng: &mut Rng) -> (G::Action, f32) {
    let mut mean = |action| {
        let next = after(state, action);
        (0..playouts).map(|_| playout.play(next.clone(), rng)).sum::<f32>() / playouts as f32
    };
    let means: Vec<(G::Action, f32)> = actions(state).into_iter().map(|action| (action, mean(action))).collect();
    let own = |value: f32| sign(state.player()) * value;
    let best = means.into_iter().reduce(|best, other| if own(other.1) > own(best.1) { other } else { best });
    best.expect("a player to move has an action")
}
