//! Global targets: the place of each number, and the averages.

use super::targets::{GameKind, Reanalysis, TARGETS, Targets, Values, Weights};

fn win() -> Values {
    Values::of_score(10.0)
}

#[test]
fn every_number_has_its_place() {
    // Distinct numbers everywhere, but flags and what is a whole number.
    let mut array: [f32; TARGETS] = std::array::from_fn(|at| at as f32 / 128.0);
    array[23] = 0.0;
    for flag in [36, 38, 40, 48, 52, 64, 68] {
        array[flag] = 1.0;
    }
    for flag in [37, 39, 49, 62] {
        array[flag] = 0.0;
    }
    for (at, piece) in (41..47).zip(1..) {
        array[at] = (piece * 1000) as f32;
    }
    (array[55], array[63]) = (4.0, 3.0);
    array[69..].fill(0.0);
    let targets = Targets::from_array(&array);
    assert_eq!(targets.to_array(), array);
    assert_eq!(targets.kind, GameKind::Record);
    assert_eq!(targets.averages[1], Values { win: 8.0 / 128.0, loss: 9.0 / 128.0, no_result: 10.0 / 128.0, score: 11.0 / 128.0 });
    assert_eq!(targets.weights.outcome, 27.0 / 128.0);
    assert_eq!(targets.weights.value, 1.0 - 35.0 / 128.0);
    let game = [(1000, 0), (2000, 22), (3000, 44), (4000, 64), (5000, 86), (6000, 108)];
    assert_eq!(targets.game, game.map(|(piece, shift)| piece << shift).iter().sum::<u128>());
    let reanalysis = Reanalysis { policy_surprise: 65.0 / 128.0, value_surprise: 66.0 / 128.0, visits: 67.0 / 128.0 };
    assert_eq!(targets.reanalysis, Some(reanalysis));
}

#[test]
fn what_nobody_knows_weighs_nothing() {
    let array = Targets::default().to_array();
    for weight in [25, 26, 27, 28, 29, 33, 34] {
        assert_eq!(array[weight], 0.0, "{weight}");
    }
    assert_eq!((array[24], array[35]), (1.0, 1.0));
}

#[test]
fn a_hash_of_all_ones_comes_back() {
    let targets = Targets { game: u128::MAX, weights: Weights::default(), ..Targets::default() };
    assert_eq!(Targets::from_array(&targets.to_array()).game, u128::MAX);
}

#[test]
fn averages_look_ahead() {
    let even = Values { win: 0.5, loss: 0.5, no_result: 0.0, score: 0.0 };
    let mut targets = Targets::default();
    targets.set_values(&[even, even, win()], 25);
    assert_eq!((targets.result, targets.now), (win(), even));
    // 1 / (1 + 25 * 0.176) = 0.185185 a turn: the result weighs (1 - 0.185185)^2 = 0.663923.
    assert!((targets.averages[0].score - 6.63923).abs() < 1e-4, "{:?}", targets.averages[0]);
    assert!((targets.averages[0].win - (0.5 + 0.663_923 / 2.0)).abs() < 1e-6);
    // 1 / (1 + 25 * 0.016) = 0.714286: 0.081633.
    assert!((targets.averages[2].score - 0.81633).abs() < 1e-4, "{:?}", targets.averages[2]);
    // The win rate, from -1 to 1, changes by 1 after 2 turns.
    assert_eq!(targets.variance_time, 2.0);
    assert_eq!((targets.weights.value, targets.weights.averages), (1.0, 1.0));
}

#[test]
fn a_draw_is_half_a_win() {
    let draw = Values::of_score(0.0);
    assert_eq!((draw.win, draw.loss), (0.5, 0.5));
    assert_eq!(win().opposite(), Values::of_score(-10.0));
}

#[test]
fn scores_beyond_any_board_are_cut() {
    let mut targets = Targets::default();
    targets.set_values(&[Values { score: 1000.0, ..win() }], 361);
    targets.set_lead(-1000.0);
    assert_eq!((targets.result.score, targets.now.score, targets.lead), (421.0, 421.0, -421.0));
}
