//! Games with dice: expectiminimax (D. Michie, 1966), and Star1, its alpha-beta (B. Ballard, The *-minimax search procedure for trees containing chance
//! nodes, 1983).
//!
//! Values are averaged here, so only positive affine transformations of the utility keep all decisions; a cube, say, does not.

use super::{Count, Found, actions, after};
use crate::game::Game;

/// A game in which it may be nature's turn.
pub trait Chance: Game {
    /// What may happen, with its probabilities, which sum to 1, into `outcomes`, whose old content goes: nothing if a player is to move.
    fn outcomes(&self, outcomes: &mut Vec<(Self::Action, f32)>) {
        outcomes.clear();
    }
}

/// The outcomes of a state: none if a player is to move.
pub(super) fn outcomes<G: Chance>(state: &G) -> Vec<(G::Action, f32)> {
    let mut outcomes = Vec::new();
    state.outcomes(&mut outcomes);
    outcomes
}

/// The value of `state`: chance nodes are worth the average of what may happen.
pub fn expectiminimax<G: Chance>(state: &G) -> Found<G::Action> {
    let mut count = Count::default();
    let (value, action) = look(state, &mut count);
    Found { value, action, count }
}

fn look<G: Chance>(state: &G, count: &mut Count) -> (f32, Option<G::Action>) {
    count.states += 1;
    if state.is_terminal() {
        count.leaves += 1;
        return (state.utility(), None);
    }
    let outcomes = outcomes(state);
    if !outcomes.is_empty() {
        let value = |&(action, probability): &(G::Action, f32)| probability * look(&after(state, action), count).0;
        return (outcomes.iter().map(value).sum(), None);
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

/// As [`expectiminimax`], with less to look at: all utilities lie in `range`, the lowest and the highest.
pub fn star1<G: Chance>(state: &G, range: (f32, f32)) -> Found<G::Action> {
    star1_within(state, range, f32::NEG_INFINITY, f32::INFINITY)
}

/// As [`star1`], if the value lies between `alpha` and `beta`; otherwise a bound.
pub fn star1_within<G: Chance>(state: &G, range: (f32, f32), alpha: f32, beta: f32) -> Found<G::Action> {
    let mut star = Star1 { range, count: Count::default() };
    let (value, action) = star.look(state, alpha, beta);
    Found { value, action, count: star.count }
}

struct Star1 {
    range: (f32, f32),
    count: Count,
}

impl Star1 {
    fn look<G: Chance>(&mut self, state: &G, mut alpha: f32, mut beta: f32) -> (f32, Option<G::Action>) {
        self.count.states += 1;
        if state.is_terminal() {
            self.count.leaves += 1;
            return (state.utility(), None);
        }
        let outcomes = outcomes(state);
        if !outcomes.is_empty() {
            return (self.average(state, &outcomes, alpha, beta), None);
        }
        let maximises = state.player() == 0;
        let mut best = (if maximises { f32::NEG_INFINITY } else { f32::INFINITY }, None);
        for action in actions(state) {
            let (value, _) = self.look(&after(state, action), alpha, beta);
            if if maximises { value > best.0 } else { value < best.0 } {
                best = (value, Some(action));
            }
            if maximises {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The average of the outcomes, given up when even the best (or worst) of those not seen cannot bring it into the window.
    fn average<G: Chance>(&mut self, state: &G, outcomes: &[(G::Action, f32)], alpha: f32, beta: f32) -> f32 {
        let (lowest, highest) = self.range;
        let (mut sum, mut unseen) = (0.0, 1.0);
        for &(action, probability) in outcomes {
            unseen -= probability;
            // The window of this outcome: what it must be for the average to lie within alpha and beta, whatever the others are.
            let from = ((alpha - sum - unseen * highest) / probability).max(lowest);
            let to = ((beta - sum - unseen * lowest) / probability).min(highest);
            sum += probability * self.look(&after(state, action), from.next_down(), to.next_up()).0;
            let (most, least) = (sum + unseen * highest, sum + unseen * lowest);
            if most <= alpha {
                return most;
            }
            if least >= beta {
                return least;
            }
        }
        sum
    }
}
