//! The engine's tree on games that the classical methods solve: its choice is a proved one. (Go on small boards is in `search_go.rs`.)

use std::hash::Hash;

use tengen::adversarial::{Ignorance, Options, Searcher};
use tengen::eval::{Evaluator, Uniform};
use tengen::game::Game;
use tengen::params::SearchParams;
use tengen::search::{Limits, Search, SearchOptions};
use tengen::util::{Rng, StopFlag};

use crate::common::tictactoe::TicTacToe;
use crate::games::Nim;

fn choice<G: Game>(game: &G, playouts: u64) -> G::Action
where
    G::Action: 'static,
{
    let mut search = Search::new(game.clone(), 1 << 24);
    let evaluator: Box<dyn Evaluator<G>> = Box::new(Uniform::new(Rng::new(1)));
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    let params = SearchParams { expand_at: 1, ..SearchParams::default() };
    let report = search.run(&mut [evaluator], &params, &limits, &SearchOptions::default(), &StopFlag::new(), None);
    report.best().unwrap().mv
}

fn value<G: Game + Eq + Hash>(game: &G) -> f32 {
    let (found, proved) = Searcher::new(Ignorance, Options::default()).search(game);
    assert!(proved);
    found.value
}

fn proved_choice<G: Game + Eq + Hash + std::fmt::Debug>(game: &G, playouts: u64)
where
    G::Action: 'static,
{
    let mut next = game.clone();
    next.apply(choice(game, playouts));
    assert_eq!(value(&next), value(game), "{game:?}");
}

#[test]
fn nim() {
    for piles in [[1, 2, 0], [3, 1, 1], [2, 2, 1], [2, 3, 0], [3, 2, 2]] {
        proved_choice(&Nim::new(piles), 20_000);
    }
    // One move of twelve wins, and nothing but looking far ahead tells which.
    proved_choice(&Nim::new([3, 4, 5]), 300_000);
}

#[test]
fn tic_tac_toe() {
    for drawing in [". . . . . . . . .", "X . . . . . . . .", "X O . . . . . . .", "X . . . O . . . X", "X O X . O . . . ."] {
        proved_choice(&TicTacToe::from_drawing(drawing), 10_000);
    }
}
