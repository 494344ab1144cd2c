//! The tree search on Go boards small enough to be solved.

mod common;

use tengen::board::{Move, Size};
use tengen::eval::{Evaluator, Playouts, Uniform};
use tengen::game::Game;
use tengen::params::Settings;
use tengen::rules::{Position, Rules};
use tengen::search::{Limits, Report, Search, SearchOptions};
use tengen::util::{Rng, StopFlag};

fn board(width: usize, height: usize, komi: f32) -> Position {
    let rules = Rules::parse("tromp-taylor").unwrap();
    Position::new(Size::new(width, height).unwrap(), Rules { suicide: false, ..rules }.with_komi(komi))
}

/// True if `player` can win from here, by alpha-beta with a window of nothing.
fn wins(game: &Position, player: usize, nodes: &mut u64) -> bool {
    *nodes += 1;
    if game.is_terminal() {
        return if player == 0 { game.utility() > 0.0 } else { game.utility() < 0.0 };
    }
    let mut actions = Vec::new();
    game.actions(&mut actions);
    // The pass, which comes last, first: it ends many lines.
    let mut after = actions.into_iter().rev().map(|action| {
        let mut next = game.clone();
        next.apply(action);
        next
    });
    if game.player() == player {
        after.any(|next| wins(&next, player, nodes))
    } else {
        after.all(|next| wins(&next, player, nodes))
    }
}

fn search(game: &Position, playouts: u64, heavy: bool) -> Report {
    let settings = Settings::default();
    let mut search = Search::new(game.clone(), 1 << 26);
    let evaluator: Box<dyn Evaluator<Position>> =
        if heavy { Box::new(Playouts::new(&settings, Rng::new(1), 0.0)) } else { Box::new(Uniform::new(Rng::new(1))) };
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    search.run(&mut [evaluator], &settings.search, &limits, &SearchOptions::default(), &StopFlag::new(), None)
}

/// Known: Black wins 2x2 by 1 point under area scoring and positional superko (J. Tromp's and van der Werf's tables).
#[test]
fn two_by_two_is_solved_and_the_search_agrees() {
    for (komi, black_wins) in [(0.5, true), (1.5, false)] {
        let game = board(2, 2, komi);
        let mut nodes = 0;
        assert_eq!(wins(&game, 0, &mut nodes), black_wins, "komi {komi}");
        println!("komi {komi}: {nodes} nodes");
        for heavy in [false, true] {
            let report = search(&game, 60_000, heavy);
            assert_eq!(report.best().unwrap().winrate > 0.5, black_wins, "komi {komi}, heavy {heavy}: {report:#?}");
        }
    }
}

/// Known: Black wins 3x3 by all 9 points, beginning in the centre.
#[test]
fn three_by_three_is_black_s_from_the_centre() {
    let game = board(3, 3, 8.5);
    let centre = Move::from(game.size().point(1, 1).unwrap());
    for heavy in [false, true] {
        let report = search(&game, 60_000, heavy);
        let best = report.best().unwrap();
        assert!(best.mv == centre && best.winrate > 0.7, "heavy {heavy}: {report:#?}");
    }
}

/// Every position of some games on 2x2: the search's move keeps what minimax says can be had.
#[test]
fn on_two_by_two_each_choice_is_a_best_one() {
    let mut rng = Rng::new(5);
    let mut actions = Vec::new();
    for turn in 0..60 {
        let mut game = board(2, 2, 0.5);
        for _ in 0..rng.below(10) {
            if game.is_terminal() {
                break;
            }
            game.actions(&mut actions);
            game.apply(actions[rng.below(actions.len())]);
        }
        if game.is_terminal() {
            continue;
        }
        let player = game.player();
        if wins(&game, player, &mut 0) {
            let mut next = game.clone();
            let report = search(&game, 30_000, turn % 2 == 0);
            next.apply(report.best().unwrap().mv);
            assert!(wins(&next, player, &mut 0), "{:?} {report:#?}", game.board());
        }
    }
}
