//! The tree search on games whose values are known, its limits, and its threads.

mod common;

use std::collections::HashSet;

use common::tictactoe::{TicTacToe, minimax};
use tengen::eval::{Evaluator, Uniform};
use tengen::game::Game;
use tengen::params::SearchParams;
use tengen::search::{Limits, Report, Restriction, Search, SearchOptions};
use tengen::util::{Rng, StopFlag};

fn evaluators<G: Game>(threads: usize) -> Vec<Box<dyn Evaluator<G>>>
where
    G::Action: 'static,
{
    (0..threads).map(|stream| Box::new(Uniform::new(Rng::for_stream(1, stream))) as Box<dyn Evaluator<G>>).collect()
}

fn search(game: &TicTacToe, threads: usize, playouts: u64) -> Report<u8> {
    let mut search = Search::new(*game, 1 << 22);
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    let params = SearchParams { expand_at: 1, ..SearchParams::default() };
    search.run(&mut evaluators(threads), &params, &limits, &SearchOptions::default(), &StopFlag::new(), None)
}

#[test]
fn tic_tac_toe_has_its_known_numbers() {
    fn walk(game: &TicTacToe, boards: &mut HashSet<TicTacToe>, ends: &mut [u32; 3]) {
        boards.insert(*game);
        if game.is_terminal() {
            ends[(game.utility() + 1.0) as usize] += 1;
            return;
        }
        let mut actions = Vec::new();
        game.actions(&mut actions);
        for action in actions {
            let mut next = *game;
            next.apply(action);
            walk(&next, boards, ends);
        }
    }
    let (mut boards, mut ends) = (HashSet::new(), [0; 3]);
    walk(&TicTacToe::default(), &mut boards, &mut ends);
    assert_eq!(boards.len(), 5_478);
    assert_eq!(ends, [77_904, 46_080, 131_184], "won by O, drawn, won by X");
    assert_eq!(minimax(&TicTacToe::default()), 0.0);
}

/// Every position of every tenth game: the search's choice is one of the best.
#[test]
fn the_search_agrees_with_minimax_on_tic_tac_toe() {
    let mut rng = Rng::new(9);
    let mut actions = Vec::new();
    for _ in 0..40 {
        let mut game = TicTacToe::default();
        while !game.is_terminal() {
            let best = minimax(&game);
            let report = search(&game, 1, 3_000);
            let mut next = game;
            next.apply(report.best().unwrap().mv);
            assert_eq!(minimax(&next), best, "{game:?} {report:#?}");
            game.actions(&mut actions);
            game.apply(actions[rng.below(actions.len())]);
        }
    }
    let only = TicTacToe::from_drawing("X O X . O . . . .");
    assert_eq!(search(&only, 2, 2_000).best().unwrap().mv, 7, "only bottom middle draws");
}

#[test]
fn one_thread_and_one_seed_search_the_same() {
    let reports = [(); 2].map(|()| search(&TicTacToe::default(), 1, 500));
    let [first, second] =
        reports.map(|report| report.candidates.iter().map(|c| (c.mv, c.visits, c.winrate.to_bits())).collect::<Vec<_>>());
    assert_eq!(first, second);
}

#[test]
fn limits_are_kept_exactly_and_threads_lose_nothing() {
    for threads in [1, 2, 4] {
        let report = search(&TicTacToe::default(), threads, 5_000);
        assert_eq!((report.visits, report.playouts), (5_000, 5_000));
        assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 5_000);
    }
}

#[test]
fn going_on_keeps_what_was_learnt_and_visits_count_it() {
    let mut game = TicTacToe::default();
    let mut search = Search::new(game, 1 << 22);
    let params = SearchParams { expand_at: 1, ..SearchParams::default() };
    let limits = Limits { visits: Some(4_000), ..Limits::default() };
    let run = |search: &mut Search<TicTacToe>| {
        search.run(&mut evaluators(2), &params, &limits, &SearchOptions::default(), &StopFlag::new(), None)
    };
    let first = run(&mut search);
    let [mv, reply] = first.best().unwrap().pv[..2] else { panic!("{first:#?}") };
    let kept = first.best().unwrap().pv_visits[1];
    game.apply(mv);
    game.apply(reply);
    search.advance(game, &[mv, reply]);
    assert_eq!(search.visits(), kept);
    let second = run(&mut search);
    assert_eq!(second.visits, 4_000);
    assert_eq!(second.playouts, 4_000 - kept);
    search.advance(TicTacToe::default(), &[mv, mv]);
    assert_eq!(search.visits(), 0, "the tree does not reach there");
}

#[test]
fn restrictions_are_kept() {
    let mut search = Search::new(TicTacToe::default(), 1 << 22);
    let limits = Limits { playouts: Some(300), ..Limits::default() };
    for only in [true, false] {
        let options = SearchOptions {
            restrictions: vec![Restriction { player: 0, actions: vec![1, 3], only, until_depth: 1 }],
            ..SearchOptions::default()
        };
        search.restart(TicTacToe::default());
        let report = search.run(&mut evaluators(1), &SearchParams::default(), &limits, &options, &StopFlag::new(), None);
        for candidate in &report.candidates {
            assert_eq!(candidate.visits > 0, [1, 3].contains(&candidate.mv) == only, "{candidate:?}");
        }
    }
}

/// A game with so many states that the smallest tree fills up at once: 200 moves of 600 actions.
#[derive(Clone)]
struct Wide(u32, u64);

impl Game for Wide {
    type Action = u16;
    const ACTIONS: usize = 600;

    fn index(action: u16) -> usize {
        action as usize
    }

    fn action(index: usize) -> u16 {
        index as u16
    }

    fn player(&self) -> usize {
        self.0 as usize % 2
    }

    fn actions(&self, actions: &mut Vec<u16>) {
        actions.clear();
        actions.extend(0..600);
    }

    fn apply(&mut self, action: u16) {
        *self = Self(self.0 + 1, self.1.wrapping_mul(31).wrapping_add(action as u64));
    }

    fn is_terminal(&self) -> bool {
        self.0 == 200
    }

    fn utility(&self) -> f32 {
        if self.1.is_multiple_of(3) { 1.0 } else { -1.0 }
    }
}

#[test]
fn a_full_tree_is_pruned_and_the_search_goes_on() {
    let memory = 1 << 23;
    let mut search = Search::new(Wide(0, 1), memory);
    let params = SearchParams { expand_at: 1, ..SearchParams::default() };
    let limits = Limits { playouts: Some(3_000), ..Limits::default() };
    let report = search.run(&mut evaluators(2), &params, &limits, &SearchOptions::default(), &StopFlag::new(), None);
    assert_eq!(report.playouts, 3_000, "each expansion takes 600 nodes, so this needs fourteen times the memory");
    assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 3_000);
    assert!(search.memory() <= memory);
}
