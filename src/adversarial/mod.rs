//! The classical methods of adversarial search, each in a short file of its own, over any [`Game`].
//!
//! Read them in this order: `minimax`, `alphabeta`, `deepening` (with its parts `table` and `ordering`), `mtd`, `proof`; `retrograde` goes the other way, from the ends back; then what the two-player
//! methods leave out: `several` players, `chance`, `montecarlo` and `uct`, and what is `hidden`. They prove the tree of [`crate::search`] right on
//! games that they can solve. The engine does not play by them: for Go they are far too plain, and `solve` is built for it.
//!
//! All values are utilities as [`Game::utility`] has them, seen from player 0, who strives for more. Textbook: S. Russell and P. Norvig, Artificial
//! Intelligence, chapter on adversarial search; each file names the source of its method.

mod alphabeta;
mod chance;
mod deepening;
mod hidden;
mod minimax;
mod montecarlo;
mod mtd;
mod ordering;
mod proof;
mod retrograde;
mod several;
mod table;
mod uct;

pub use alphabeta::{alpha_beta, alpha_beta_within};
pub use chance::{Chance, expectiminimax, star1, star1_within};
pub use deepening::{Heuristic, Ignorance, Options, Searcher};
pub use hidden::{Hidden, average_over_clairvoyance};
pub use minimax::{faster_wins, minimax, negamax};
pub use montecarlo::{Playout, pure_monte_carlo};
pub use mtd::mtd;
pub use proof::{Proof, prove};
pub use retrograde::{Worth, retrograde};
pub use several::{Several, Ties, max_n, paranoid};
pub use table::{Bound, Entry, Table};
pub use uct::{Arm, Uct, ucb1};

use crate::game::Game;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<A> {
    /// What the state is worth to player 0 if both play their best.
    pub value: f32,
    /// A best action; nothing if the game is over.
    pub action: Option<A>,
    /// What it took.
    pub count: Count,
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// States, the leaves among them.
    pub states: u64,
    /// States that were judged: the game is over, or the search went no deeper.
    pub leaves: u64,
}

/// The legal actions of a state.
fn actions<G: Game>(state: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    state.actions(&mut actions);
    actions
}

/// The state that follows.
fn after<G: Game>(state: &G, action: G::Action) -> G {
    let mut next = state.clone();
    next.apply(action);
    next
}

/// +1 for player 0, who strives for more, and -1 for player 1.
fn sign(player: usize) -> f32 {
    if player == 0 { 1.0 } else { -1.0 }
}
