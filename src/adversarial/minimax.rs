//! Minimax: look at everything. (J. von Neumann, 1928; as a program: C. Shannon, Programming a Computer for Playing Chess, 1950.)

use super::{Count, Found, actions, after, sign};
use crate::game::Game;

/// The value of `state`, and the first of its best actions.
pub fn minimax<G: Game>(state: &G) -> Found<G::Action> {
    let mut count = Count::default();
    let (value, action) = look(state, &mut count);
    Found { value, action, count }
}

fn look<G: Game>(state: &G, count: &mut Count) -> (f32, Option<G::Action>) {
    count.states += 1;
    // The terminal test comes before anything else.
    if state.is_terminal() {
        count.leaves += 1;
        return (state.utility(), None);
    }
    let maximises = state.player() == 0;
    let mut best = (if maximises { f32::NEG_INFINITY } else { f32::INFINITY }, None);
    for action in actions(state) {
        let (value, _) = look(&after(state, action), count);
        if if maximises { value > best.0 } else { value < best.0 } {
            best = (value, Some(action));
        }
    }
    best
}

/// Minimax with one rule for both players: a state is worth to who is to move the best of what its successors are worth to that player. `worth` says what
/// a finished game of this utility, so many plies from the root, counts as; [`faster_wins`] is one, `|utility, _| utility` leaves it as it is.
pub fn negamax<G: Game>(state: &G, worth: &impl Fn(f32, u32) -> f32) -> Found<G::Action> {
    let mut count = Count::default();
    let (value, action) = look_from_mover(state, 0, worth, &mut count);
    Found { value: sign(state.player()) * value, action, count }
}

fn look_from_mover<G: Game>(
    state: &G,
    ply: u32,
    worth: &impl Fn(f32, u32) -> f32,
    count: &mut Count,
) -> (f32, Option<G::Action>) {
    count.states += 1;
    let player = state.player();
    if state.is_terminal() {
        count.leaves += 1;
        return (sign(player) * worth(state.utility(), ply), None);
    }
    let mut best = (f32::NEG_INFINITY, None);
    for action in actions(state) {
        let next = after(state, action);
        let (value, _) = look_from_mover(&next, ply + 1, worth, count);
        // Seen from the other side, unless the same player moves again.
        let value = if next.player() == player { value } else { -value };
        if value > best.0 {
            best = (value, Some(action));
        }
    }
    best
}

/// A win at ply d counts 100 - d, a loss -100 + d, so that wins come soon and losses late: for games of fewer than 100 plies.
pub fn faster_wins(utility: f32, ply: u32) -> f32 {
    utility * (100.0 - ply as f32)
}
