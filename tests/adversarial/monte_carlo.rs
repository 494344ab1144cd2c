use tengen::adversarial::{Arm, Playout, Uct, minimax, pure_monte_carlo, ucb1};
use tengen::game::Game;
use tengen::util::Rng;

use crate::common::tictactoe::TicTacToe;
use crate::games::Nim;
use crate::tree::{max, min};

fn bounds<const N: usize>(parent: u32, arms: [(u32, u32); N], exploration: f32) -> [f32; N] {
    arms.map(|(reward, visits)| ucb1(Arm { visits, reward: reward as f32 }, parent, exploration))
}

/// Rounded as the examples are.
fn rounded<const N: usize>(bounds: [f32; N]) -> [f32; N] {
    bounds.map(|bound| (bound * 1000.0).round() / 1000.0)
}

fn largest<const N: usize>(bounds: [f32; N]) -> usize {
    (0..N).max_by(|&a, &b| bounds[a].total_cmp(&bounds[b])).unwrap()
}

#[test]
fn ucb1_of_three_children() {
    let arms = [(21, 30), (7, 12), (3, 8)];
    let wide = bounds(50, arms, std::f32::consts::SQRT_2);
    assert_eq!((rounded(wide), largest(wide)), ([1.211, 1.391, 1.364], 1));
    let narrow = bounds(50, arms, 0.5);
    assert_eq!((rounded(narrow), largest(narrow)), ([0.881, 0.869, 0.725], 0));
}

#[test]
fn ucb1_selects_one_and_plays_another() {
    let arms = [(6, 12), (1, 4)];
    let selected = bounds(16, arms, 1.0);
    assert_eq!((rounded(selected), largest(selected)), ([0.981, 1.083], 1));
    assert_eq!((0..2).max_by_key(|&child| arms[child].1), Some(0), "the most visited is played");
    let arms = [(54, 90), (4, 10)];
    assert_eq!([1.0, 0.2].map(|exploration| largest(bounds(100, arms, exploration))), [1, 0]);
    assert_eq!((0..2).max_by_key(|&child| arms[child].1), Some(0));
    assert_eq!(largest(bounds(40, [(18, 30), (4, 10)], std::f32::consts::SQRT_2)), 1);
    assert_eq!(largest(bounds(40, [(18, 30), (0, 0)], 0.0)), 1, "what was never tried comes first");
}

#[test]
fn uct_converges_to_minimax() {
    let uct = |game, seed| {
        let mut tree = Uct::new(game, 1.0, Playout::default(), Rng::new(seed));
        tree.run(8_000);
        tree
    };
    let drawn = uct(TicTacToe::from_drawing("X O X . O . . . ."), 1);
    assert_eq!(drawn.best(), Some(7));
    let draws: f32 = drawn.arms().filter(|&(action, _)| action == 7).map(|(_, arm)| arm.reward / arm.visits as f32).sum();
    assert!((draws - 0.5).abs() < 0.06, "a draw is half: {draws}");
    let mut rng = Rng::new(2);
    let mut actions = Vec::new();
    for seed in 0..20 {
        let mut game = TicTacToe::default();
        for _ in 0..rng.below(5) {
            game.actions(&mut actions);
            game.apply(actions[rng.below(actions.len())]);
        }
        if !game.is_terminal() {
            let mut next = game;
            next.apply(uct(game, seed).best().unwrap());
            assert_eq!(minimax(&next).value, minimax(&game).value, "{game:?}");
        }
    }
}

#[test]
fn a_finished_game_is_backed_up_without_expansion() {
    let mut tree = Uct::new(max([min([1]), min([-1])]), 1.0, Playout::default(), Rng::new(1));
    tree.run(200);
    let arms: Vec<_> = tree.arms().collect();
    assert_eq!(arms.iter().map(|(_, arm)| arm.visits).sum::<u32>(), 200);
    assert_eq!(tree.best(), Some(0));
    for (action, arm) in arms {
        assert_eq!(arm.reward, if action == 0 { arm.visits as f32 } else { 0.0 });
    }
}

#[test]
fn pure_monte_carlo_sees_a_win_and_misses_a_trap() {
    let mut rng = Rng::new(3);
    let won = TicTacToe::from_drawing("X X . O O . . . .");
    let (action, mean) = pure_monte_carlo(&won, 200, &Playout::default(), &mut rng);
    assert_eq!((action, mean), (2, 1.0));
    // One refutation among ten replies: the average is better than the certain 0.
    let trap = max([min([-1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), min([0, 0, 0, 0, 0, 0, 0, 0, 0, 0])]);
    assert_eq!(minimax(&trap).action, Some(1));
    assert_eq!(pure_monte_carlo(&trap, 500, &Playout::default(), &mut rng).0, 0);
    let mut tree = Uct::new(trap, 1.0, Playout::default(), Rng::new(4));
    tree.run(3_000);
    assert_eq!(tree.best(), Some(1), "a tree finds it");
}

#[test]
fn playouts_can_be_stopped_and_judged() {
    let judge = |nim: &Nim| nim.known_value();
    let playout = Playout { most_actions: 0, judge: &judge };
    let nim = Nim::new([5, 4, 2]);
    let (action, mean) = pure_monte_carlo(&nim, 1, &playout, &mut Rng::new(1));
    let mut next = nim;
    next.apply(action);
    assert_eq!((mean, next.known_value()), (1.0, 1.0));
}
