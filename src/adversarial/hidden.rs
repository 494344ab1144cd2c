//! Games in which players do not see everything: averaging over clairvoyance. (M. Ginsberg's GIB, 2001, played bridge so. What it cannot do: I. Frank and
//! D. Basin, Search in games with incomplete information, 1998.)

use super::{actions, after, sign};
use crate::game::Game;
use crate::util::Rng;

/// A game of which each player sees a part only. The actions of a state are the same for all states that look the same to who is to move.
pub trait Hidden: Game {
    /// A state that agrees with all that the player to move has seen, each as likely as it is.
    fn possible(&self, rng: &mut Rng) -> Self;
}

/// The action of the best average over `samples` states that may be the true one, each searched by `value` (to player 0) as if all lay open, and that
/// average. Such a player never acts to gather or hide information, for it believes that everybody will know everything from the next move on: given a
/// choice between something certain and a guess that it will have to make later, it takes the guess.
pub fn average_over_clairvoyance<G: Hidden>(
    state: &G,
    samples: u32,
    rng: &mut Rng,
    value: impl Fn(&G) -> f32,
) -> (G::Action, f32) {
    let actions = actions(state);
    let mut sums = vec![0.0; actions.len()];
    for _ in 0..samples {
        let possible = state.possible(rng);
        for (sum, &action) in sums.iter_mut().zip(&actions) {
            *sum += value(&after(&possible, action));
        }
    }
    let own = |sum: f32| sign(state.player()) * sum;
    let best = (0..actions.len()).reduce(|best, other| if own(sums[other]) > own(sums[best]) { other } else { best });
    let best = best.expect("a player to move has an action");
    (actions[best], sums[best] / samples as f32)
}
