//! Alpha-beta: minimax without looking at what cannot matter. (D. Knuth and R. Moore, An Analysis of Alpha-Beta Pruning, 1975.)

use super::{Count, Found, actions, after};
use crate::game::Game;

/// The value of `state`, the same as minimax has, and the first of its best actions.
pub fn alpha_beta<G: Game>(state: &G) -> Found<G::Action> {
    alpha_beta_within(state, f32::NEG_INFINITY, f32::INFINITY)
}

/// The value of `state` if it lies between `alpha`, which player 0 has for certain elsewhere, and `beta`, which player 1 has. Otherwise a bound of it:
/// at most `alpha`, or at least `beta`.
pub fn alpha_beta_within<G: Game>(state: &G, alpha: f32, beta: f32) -> Found<G::Action> {
    let mut count = Count::default();
    let (value, action) = look(state, alpha, beta, &mut count);
    Found { value, action, count }
}

fn look<G: Game>(state: &G, mut alpha: f32, mut beta: f32, count: &mut Count) -> (f32, Option<G::Action>) {
    count.states += 1;
    if state.is_terminal() {
        count.leaves += 1;
        return (state.utility(), None);
    }
    let maximises = state.player() == 0;
    let mut best = (if maximises { f32::NEG_INFINITY } else { f32::INFINITY }, None);
    for action in actions(state) {
        let (value, _) = look(&after(state, action), alpha, beta, count);
        if if maximises { value > best.0 } else { value < best.0 } {
            best = (value, Some(action));
        }
        if maximises {
            alpha = alpha.max(value);
        } else {
            beta = beta.min(value);
        }
        // Somebody has something at least as good elsewhere, and will not let the game come here.
        if alpha >= beta {
            break;
        }
    }
    best
}
