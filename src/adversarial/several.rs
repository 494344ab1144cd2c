//! More than two players: max^n (C. Luckhardt and K. Irani, 1986), where each strives for its own, and paranoid search (N. Sturtevant and R. Korf, 2000),
//! where all others are taken to be in league.

use super::{Count, Found, actions, after};
use crate::game::Game;

/// A game of several players: [`Game::player`] is below their number, and each has a utility of its own.
pub trait Several: Game {
    /// How many play.
    const PLAYERS: usize;

    /// What the finished game is worth to each player.
    fn utilities(&self) -> Vec<f32>;
}

/// What a player does who has several best actions: the result for the others hangs on it, so the rule must be stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// Takes the first.
    First,
    /// Takes the one that this player gets least by.
    LeastFor(usize),
    /// Takes the one that this player gets most by.
    MostFor(usize),
}

/// What `state` is worth to each player if each strives for most of its own, and the action that leads there.
pub fn max_n<G: Several>(state: &G, ties: Ties) -> (Vec<f32>, Option<G::Action>) {
    if state.is_terminal() {
        return (state.utilities(), None);
    }
    let player = state.player();
    let mut best: Option<(Vec<f32>, G::Action)> = None;
    for action in actions(state) {
        let (values, _) = max_n(&after(state, action), ties);
        let better = best.as_ref().is_none_or(|(than, _)| {
            let tied = values[player] == than[player];
            values[player] > than[player]
                || tied
                    && match ties {
                        Ties::First => false,
                        Ties::LeastFor(other) => values[other] < than[other],
                        Ties::MostFor(other) => values[other] > than[other],
                    }
        });
        if better {
            best = Some((values, action));
        }
    }
    best.map_or_else(|| (state.utilities(), None), |(values, action)| (values, Some(action)))
}

/// What `state` is worth to `player` if all others want it to have least: alpha-beta, for that makes it a game of two.
pub fn paranoid<G: Several>(state: &G, player: usize) -> Found<G::Action> {
    let mut count = Count::default();
    let (value, action) = against_all(state, player, f32::NEG_INFINITY, f32::INFINITY, &mut count);
    Found { value, action, count }
}

fn against_all<G: Several>(
    state: &G,
    player: usize,
    mut alpha: f32,
    mut beta: f32,
    count: &mut Count,
) -> (f32, Option<G::Action>) {
    count.states += 1;
    if state.is_terminal() {
        count.leaves += 1;
        return (state.utilities()[player], None);
    }
    let own = state.player() == player;
    let mut best = (if own { f32::NEG_INFINITY } else { f32::INFINITY }, None);
    for action in actions(state) {
        let (value, _) = against_all(&after(state, action), player, alpha, beta, count);
        if if own { value > best.0 } else { value < best.0 } {
            best = (value, Some(action));
        }
        if own {
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
