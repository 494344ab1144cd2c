//! The fake for tests: any game, no knowledge.

use super::{Evaluation, Evaluator, Evidence, Prior, Request};
use crate::game::Game;
use crate::util::Rng;

/// Plays uniformly random actions to the end of the game; all priors are equal. Right for every [`Game`], strong in none.
#[derive(Debug)]
pub struct Uniform<A> {
    rng: Rng,
    actions: Vec<A>,
}

impl<A> Uniform<A> {
    /// An evaluator whose playouts follow from `rng`.
    pub fn new(rng: Rng) -> Self {
        Self { rng, actions: Vec::new() }
    }
}

impl<G: Game> Evaluator<G> for Uniform<G::Action> {
    fn evidence(&self) -> Evidence {
        Evidence::Playout
    }

    fn evaluate(&mut self, requests: &[Request<'_, G>], out: &mut [Evaluation<G::Action>]) {
        for (request, evaluation) in requests.iter().zip(out) {
            evaluation.priors.clear();
            if request.priors {
                request.state.actions(&mut self.actions);
                let policy = 1.0 / self.actions.len() as f32;
                evaluation.priors.extend(self.actions.iter().map(|&action| Prior { action, policy, games: 0.0, value: 0.5 }));
            }
            let mut state = request.state.clone();
            evaluation.trace.clear();
            while !state.is_terminal() {
                state.actions(&mut self.actions);
                let action = self.actions[self.rng.below(self.actions.len())];
                evaluation.trace.push((state.player() as u8, action));
                state.apply(action);
            }
            evaluation.set_final(state.utility(), state.utility(), state.score());
            evaluation.ownership.clear();
        }
    }
}
