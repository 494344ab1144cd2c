//! MTD(f): a value found by windows of nothing alone, each of which moves a bound. (A. Plaat and others, Best-first fixed-depth minimax algorithms, 1996.)

use std::hash::Hash;

use super::{Found, Heuristic, Searcher};
use crate::game::Game;

/// The value of `root` to `depth` plies, beginning with a `guess` of it; nothing if the searcher's limit of states was reached. Its table is what keeps the
/// repeated searches cheap.
pub fn mtd<G: Game + Eq + Hash, H: Heuristic<G>>(
    searcher: &mut Searcher<G, H>,
    root: &G,
    depth: u32,
    guess: f32,
) -> Option<Found<G::Action>> {
    let (mut lower, mut upper) = (f32::NEG_INFINITY, f32::INFINITY);
    let (mut value, mut action) = (guess, None);
    loop {
        // Asked: is it at least this much?
        let bar = if value == lower { value.next_up() } else { value };
        let found = searcher.search_within(root, depth, bar.next_down(), bar)?;
        value = found.value;
        let reached = value >= bar;
        *(if reached { &mut lower } else { &mut upper }) = value;
        // An action is good for something where it moves the bound that its player strives for.
        if reached == (root.player() == 0) || action.is_none() {
            action = found.action;
        }
        if lower >= upper {
            return Some(Found { action, ..found });
        }
    }
}
