//! Proof-number search in its depth-first form, df-pn: of a yes-or-no question, look at what is cheapest to prove. (L. V. Allis, Proof-number search, 1994;
//! A. Nagai, Df-pn algorithm for searching AND/OR trees, 2002.)
//!
//! A state's proof number is the least number of leaves that must yet turn out well for a proof, its disproof number the same for a disproof. The
//! search walks down to the most proving leaf and stays below a state while its numbers are under the thresholds at which another would be better.
//! For games whose states never repeat; Go's do, and `solve` has a df-pn that minds it.

use std::hash::Hash;

use super::table::Table;
use super::{actions, after};
use crate::game::Game;

/// An answer, and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<A> {
    /// Whether the prover reaches the goal; nothing if the limit came first.
    pub proved: Option<bool>,
    /// An action of the root that proves it, if the prover is to move there and it is proved.
    pub action: Option<A>,
    /// States that were looked at.
    pub states: u64,
}

/// More than any sum of numbers: proved, or disproved.
const NEVER: u32 = 1 << 30;

/// Proof and disproof number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

struct Search<G: Game + Eq + Hash, F> {
    prover: usize,
    goal: F,
    table: Table<G, Numbers>,
    states: u64,
    limit: u64,
}

/// Whether player `prover` can reach a finished state that `goal` is true of, with a table of so many `places` and at most `limit` states.
pub fn prove<G: Game + Eq + Hash>(
    root: &G,
    prover: usize,
    goal: impl Fn(&G) -> bool,
    places: usize,
    limit: u64,
) -> Proof<G::Action> {
    let mut search = Search { prover, goal, table: Table::new(places), states: 0, limit };
    let numbers = search.look(root, Numbers { proof: NEVER, disproof: NEVER });
    let proved = match numbers {
        Numbers { proof: 0, .. } => Some(true),
        Numbers { disproof: 0, .. } => Some(false),
        _ => None,
    };
    let proves = |&action: &G::Action| search.numbers(&after(root, action)).proof == 0;
    let action = if proved == Some(true) && !root.is_terminal() && root.player() == prover {
        actions(root).into_iter().find(proves)
    } else {
        None
    };
    Proof { proved, action, states: search.states }
}

impl<G: Game + Eq + Hash, F: Fn(&G) -> bool> Search<G, F> {
    /// What is known of a state; 1 and 1 if nothing.
    fn numbers(&self, state: &G) -> Numbers {
        if state.is_terminal() {
            return if (self.goal)(state) {
                Numbers { proof: 0, disproof: NEVER }
            } else {
                Numbers { proof: NEVER, disproof: 0 }
            };
        }
        self.table.get(state).copied().unwrap_or(Numbers { proof: 1, disproof: 1 })
    }

    /// Works below `state` until one of its numbers reaches its threshold.
    fn look(&mut self, state: &G, thresholds: Numbers) -> Numbers {
        self.states += 1;
        if state.is_terminal() {
            return self.numbers(state);
        }
        let proves = state.player() == self.prover;
        let children: Vec<G> = actions(state).into_iter().map(|action| after(state, action)).collect();
        // The children's numbers are kept here too: the table may lose them.
        let mut known: Vec<Numbers> = children.iter().map(|child| self.numbers(child)).collect();
        loop {
            let numbers = combine(proves, &known);
            if numbers.proof >= thresholds.proof
                || numbers.disproof >= thresholds.disproof
                || numbers.proof == 0
                || numbers.disproof == 0
                || self.states >= self.limit
            {
                self.table.insert(state, numbers);
                return numbers;
            }
            let (best, limits) = choose(proves, &known, numbers, thresholds);
            known[best] = self.look(&children[best], limits);
        }
    }
}

/// The numbers of a state: who chooses needs one child only, who does not needs all.
fn combine(proves: bool, known: &[Numbers]) -> Numbers {
    let least = |number: fn(&Numbers) -> u32| known.iter().map(number).min().unwrap_or(NEVER);
    let sum = |number: fn(&Numbers) -> u32| known.iter().map(number).fold(0, |sum: u32, n| (sum + n).min(NEVER));
    if proves {
        Numbers { proof: least(|n| n.proof), disproof: sum(|n| n.disproof) }
    } else {
        Numbers { proof: sum(|n| n.proof), disproof: least(|n| n.disproof) }
    }
}

/// The most proving child, and the thresholds at which the search should come back from it.
fn choose(proves: bool, known: &[Numbers], numbers: Numbers, thresholds: Numbers) -> (usize, Numbers) {
    let cost = |n: &Numbers| if proves { n.proof } else { n.disproof };
    let mut best = 0;
    let mut second = NEVER;
    for (place, child) in known.iter().enumerate().skip(1) {
        if cost(child) < cost(&known[best]) {
            (best, second) = (place, cost(&known[best]));
        } else {
            second = second.min(cost(child));
        }
    }
    let at_most = |threshold: u32| threshold.min(second.saturating_add(1));
    let rest = |threshold: u32, sum: u32, own: u32| threshold.saturating_sub(sum - own.min(sum)).min(NEVER);
    let child = known[best];
    let limits = if proves {
        Numbers { proof: at_most(thresholds.proof), disproof: rest(thresholds.disproof, numbers.disproof, child.disproof) }
    } else {
        Numbers { proof: rest(thresholds.proof, numbers.proof, child.proof), disproof: at_most(thresholds.disproof) }
    };
    (best, limits)
}
