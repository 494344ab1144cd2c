//! The tree search over a network's evaluations, here those of fakes, on games whose values are known.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::tictactoe::{TicTacToe, minimax};
use tengen::board::Size;
use tengen::clock::Budget;
use tengen::eval::{Evaluation, Evaluator, Evidence, Prior, Request, Uniform};
use tengen::game::Game;
use tengen::params::SearchParams;
use tengen::rules::{Position, Rules};
use tengen::search::{Limits, Report, Search, SearchOptions};
use tengen::util::{Rng, StopFlag};

/// A network that knows nothing: all states are even, and all actions as likely, but for those of the indices given, which are very unlikely.
#[derive(Clone, Default)]
struct Ignorant {
    evaluations: Arc<AtomicU64>,
    unlikely: Vec<usize>,
}

impl<G: Game> Evaluator<G> for Ignorant {
    fn evidence(&self) -> Evidence {
        Evidence::Network
    }

    fn evaluate(&mut self, requests: &[Request<'_, G>], out: &mut [Evaluation<G::Action>]) {
        for (request, evaluation) in requests.iter().zip(out) {
            self.evaluations.fetch_add(1, Ordering::Relaxed);
            let mut actions = Vec::new();
            request.state.actions(&mut actions);
            let weight = |action: G::Action| if self.unlikely.contains(&G::index(action)) { 1e-6 } else { 1.0 };
            let sum: f32 = actions.iter().map(|&action| weight(action)).sum();
            let prior = |&action: &G::Action| Prior { action, policy: weight(action) / sum, games: 0.0, value: 0.5 };
            *evaluation = Evaluation { priors: actions.iter().map(prior).collect(), ..Evaluation::default() };
        }
    }
}

fn networks<G: Game>(threads: usize, like: &Ignorant) -> Vec<Box<dyn Evaluator<G>>> {
    (0..threads).map(|_| Box::new(like.clone()) as Box<dyn Evaluator<G>>).collect()
}

fn run<G: Game>(
    search: &mut Search<G>,
    mut evaluators: Vec<Box<dyn Evaluator<G>>>,
    params: &SearchParams,
    visits: u64,
) -> Report<G::Action> {
    let limits = Limits { visits: Some(visits), ..Limits::default() };
    search.run(&mut evaluators, params, &limits, &SearchOptions::default(), &StopFlag::new(), None)
}

fn look<G: Game>(game: &G, threads: usize, visits: u64) -> Report<G::Action> {
    let mut search = Search::new(game.clone(), 1 << 24);
    run(&mut search, networks(threads, &Ignorant::default()), &SearchParams::default(), visits)
}

/// Every position of some random games: the search's choice is one of the best, and a won or lost game shows.
#[test]
fn the_search_agrees_with_minimax_on_tic_tac_toe() {
    let mut rng = Rng::new(9);
    let mut actions = Vec::new();
    for _ in 0..40 {
        let mut game = TicTacToe::default();
        while !game.is_terminal() {
            let best = minimax(&game);
            let report = look(&game, 1, 3_000);
            let mut next = game;
            next.apply(report.best().unwrap().mv);
            assert_eq!(minimax(&next), best, "{game:?} {report:#?}");
            let found = 2.0 * report.best().unwrap().winrate - 1.0;
            let known = if game.player() == 0 { best } else { -best };
            assert!((found - known).abs() < 0.2, "{found} {known} {game:?} {report:#?}");
            game.actions(&mut actions);
            game.apply(actions[rng.below(actions.len())]);
        }
    }
    let only = TicTacToe::from_drawing("X O X . O . . . .");
    assert_eq!(look(&only, 2, 2_000).best().unwrap().mv, 7, "only bottom middle draws");
}

#[test]
fn each_leaf_is_evaluated_once_and_visits_count_the_root_s_own() {
    let network = Ignorant::default();
    // Few enough that no game ends: every visit is an evaluation.
    let mut search = Search::new(TicTacToe::default(), 1 << 22);
    let report = run(&mut search, networks(1, &network), &SearchParams::default(), 60);
    assert_eq!((report.visits, report.playouts), (60, 60));
    assert_eq!(network.evaluations.load(Ordering::Relaxed), 60);
    assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 59);
    let again = run(&mut search, networks(1, &network), &SearchParams::default(), 100);
    assert_eq!((again.visits, again.playouts), (100, 40));
    let alone = look(&TicTacToe::default(), 1, 1);
    assert_eq!((alone.visits, alone.candidates.len()), (1, 9), "a single visit tells the policy");
}

#[test]
fn a_search_whose_time_is_over_asks_once() {
    let network = Ignorant::default();
    let mut search = Search::new(TicTacToe::default(), 1 << 22);
    let limits = Limits { budget: Some(Budget::exactly(Duration::ZERO)), ..Limits::default() };
    let (options, stop) = (SearchOptions::default(), StopFlag::new());
    let report = search.run(&mut networks(2, &network), &SearchParams::default(), &limits, &options, &stop, None);
    assert_eq!((report.visits, report.candidates.len(), network.evaluations.load(Ordering::Relaxed)), (1, 9, 1));
}

#[test]
fn one_thread_and_one_seed_search_the_same_with_noise_too() {
    let noisy = SearchParams { seed: Some(3), root_noise: true, ..SearchParams::default() };
    let searched = |params: &SearchParams| {
        let mut search = Search::new(TicTacToe::default(), 1 << 22);
        let report = run(&mut search, networks(1, &Ignorant::default()), params, 500);
        report.candidates.iter().map(|c| (c.mv, c.visits, c.winrate.to_bits(), c.prior.to_bits())).collect::<Vec<_>>()
    };
    let plain = SearchParams::default();
    assert_eq!(searched(&plain), searched(&plain));
    assert_eq!(searched(&noisy), searched(&noisy));
    assert_ne!(searched(&noisy), searched(&SearchParams { seed: Some(4), ..noisy.clone() }));
}

#[test]
fn unlikely_moves_have_no_node_in_the_tree_but_at_the_root() {
    let network = Ignorant { unlikely: vec![4], ..Ignorant::default() };
    let mut search = Search::new(TicTacToe::default(), 1 << 22);
    let first = run(&mut search, networks(1, &network), &SearchParams::default(), 200);
    assert_eq!(first.candidates.len(), 9);
    let mut game = TicTacToe::default();
    game.apply(0);
    search.advance(game, &[0]);
    let kept = search.visits();
    assert!(kept > 10);
    let second = run(&mut search, networks(1, &network), &SearchParams::default(), 300);
    assert_eq!((second.candidates.len(), second.visits), (8, 300), "the centre is back");
    assert_eq!(second.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 299);
    // And further down, where the tree has been moved together after the root's block was replaced.
    let [reply, next] = second.best().unwrap().pv[..2] else { panic!("{second:#?}") };
    game.apply(reply);
    game.apply(next);
    let expected = second.best().unwrap().pv_visits[1];
    search.advance(game, &[reply, next]);
    assert_eq!(search.visits(), expected);
    let third = run(&mut search, networks(1, &network), &SearchParams::default(), 300);
    assert_eq!((third.candidates.len(), third.candidates.iter().map(|candidate| candidate.visits).sum::<u64>()), (6, 299));
}

#[test]
fn evaluators_of_another_kind_begin_anew() {
    let mut search = Search::new(TicTacToe::default(), 1 << 22);
    let params = SearchParams::default();
    assert_eq!(run(&mut search, networks(1, &Ignorant::default()), &params, 100).playouts, 100);
    assert_eq!(run(&mut search, vec![Box::new(Uniform::new(Rng::new(1)))], &params, 100).playouts, 100);
    assert_eq!(run(&mut search, networks(1, &Ignorant::default()), &params, 100).playouts, 100);
}

/// One move each, which takes points: player 0's move decides who wins, and both by how much.
#[derive(Clone, Default)]
struct Points(Vec<u8>);

impl Game for Points {
    type Action = u8;
    const ACTIONS: usize = 4;

    fn index(action: u8) -> usize {
        action as usize
    }

    fn action(index: usize) -> u8 {
        index as u8
    }

    fn player(&self) -> usize {
        self.0.len() % 2
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        actions.extend(0..4);
    }

    fn apply(&mut self, action: u8) {
        self.0.push(action);
    }

    fn is_terminal(&self) -> bool {
        self.0.len() == 2
    }

    fn utility(&self) -> f32 {
        self.score().signum()
    }

    fn score(&self) -> f32 {
        // 0 loses, 1 to 3 win.
        [-2.0, 6.0, 12.0, 9.0][self.0[0] as usize] - [0.0, 1.0, 3.0, 2.0][self.0[1] as usize]
    }

    fn area(&self) -> usize {
        25
    }
}

#[test]
fn of_sure_wins_the_larger_is_chosen_and_win_rates_do_not_show_it() {
    let report = look(&Points::default(), 1, 1_000);
    let best = report.best().unwrap();
    assert_eq!(best.pv, [2, 2], "{report:#?}");
    assert!(best.winrate <= 1.0 && best.winrate > 0.99 && best.utility > best.winrate * 2.0 - 1.0 + 0.1, "{best:?}");
    assert!((best.lead - 9.0).abs() < 1.0, "{best:?}");
    assert!(best.lcb < best.winrate);
    let mut search = Search::new(Points::default(), 1 << 22);
    let indifferent = SearchParams { static_score_utility: 0.0, dynamic_score_utility: 0.0, ..SearchParams::default() };
    let report = run(&mut search, networks(1, &Ignorant::default()), &indifferent, 1_000);
    assert!((report.best().unwrap().utility - (2.0 * report.best().unwrap().winrate - 1.0)).abs() < 1e-6);
}

#[test]
fn many_threads_lose_nothing_and_leave_nothing_behind() {
    for threads in [2, 4, 16] {
        let report = look(&TicTacToe::default(), threads, 20_000);
        assert_eq!((report.visits, report.playouts), (20_000, 20_000));
        assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 19_999);
        assert!((report.winrate - 0.5).abs() < 0.05, "a draw: {report:#?}");
    }
}

#[test]
fn a_full_tree_is_pruned_and_the_search_goes_on() {
    let memory = 1 << 22;
    let mut search = Search::new(Position::new(Size::STANDARD, Rules::default()), memory);
    // Each expansion takes some 360 nodes of 64 bytes: eleven times the memory.
    let report = run(&mut search, networks(2, &Ignorant::default()), &SearchParams::default(), 2_000);
    assert_eq!((report.visits, report.playouts), (2_000, 2_000));
    assert_eq!(report.candidates.iter().map(|candidate| candidate.visits).sum::<u64>(), 1_999);
    assert!(search.memory() <= memory);
    assert!((report.winrate - 0.5).abs() < 1e-3 && report.candidates.iter().all(|c| (c.winrate - 0.5).abs() < 1e-3));
}

#[test]
fn forced_visits_reach_every_move_and_the_policy_learns_without_them() {
    let searched = |forced_playouts: f32| {
        // X wins at once between its two; all else is worse.
        let game = TicTacToe::from_drawing("X . X O O . . . .");
        let options = SearchOptions { forced_playouts, ..SearchOptions::default() };
        let params = SearchParams { seed: Some(1), root_noise: true, ..SearchParams::default() };
        let mut search = Search::new(game, 1 << 22);
        let limits = Limits { visits: Some(400), ..Limits::default() };
        let report = search.run(&mut networks(1, &Ignorant::default()), &params, &limits, &options, &StopFlag::new(), None);
        (report, search.policy_target(&params, &options))
    };
    let (report, target) = searched(2.0);
    let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
    for candidate in &report.candidates {
        let forced = (2.0 * candidate.prior * visits as f32).sqrt().floor();
        assert!(candidate.visits as f32 >= forced, "{candidate:?}: {forced}");
    }
    assert_eq!(
        target.iter().find(|(mv, _)| *mv == 1),
        Some(&(1, report.candidates[0].visits as f32)),
        "the win keeps its visits"
    );
    let wanted: f32 = target.iter().map(|(_, visits)| visits).sum();
    assert!(wanted < 0.95 * visits as f32, "{wanted} of {visits}: {target:?}");

    let (report, target) = searched(0.0);
    assert_eq!(target.iter().map(|(_, visits)| visits).sum::<f32>(), 399.0, "nothing was forced: {report:?}");
}
