use tengen::adversarial::{
    Bound, Entry, Heuristic, Ignorance, Options, Searcher, alpha_beta, alpha_beta_within, minimax, mtd, prove,
};
use tengen::game::Game;
use tengen::util::Rng;

use crate::common::tictactoe::TicTacToe;
use crate::games::Nim;
use crate::tree::{Tree, max, min, random};

/// Value and number of leaves looked at.
fn look(tree: &Tree) -> (f32, u64) {
    let found = alpha_beta(tree);
    assert_eq!((found.value, found.action), (minimax(tree).value, minimax(tree).action));
    (found.value, found.count.leaves)
}

#[test]
fn leaves_looked_at() {
    let (a, b, c) = (|| min([4, 9, 6]), || min([2, 15, 13]), || min([5, 8, 10]));
    assert_eq!(look(&max([a(), b(), c()])), (5.0, 7));
    assert_eq!(look(&max([c(), a(), b()])), (5.0, 5));
    let tree = max([min([3, 12, 8]), min([2, 4, 6]), min([14, 5, 2])]);
    assert_eq!(look(&tree), (3.0, 7), "x and y are never looked at");
}

#[test]
fn a_root_that_holds_six_looks_at_two_leaves() {
    let found = alpha_beta_within(&min([9, 4, 8, 7]), 6.0, f32::INFINITY);
    assert_eq!(found.count.leaves, 2);
    assert!(found.value <= 6.0);
}

#[test]
fn a_level_deeper() {
    let left = min([max([5, 1]), max([7, 8])]);
    let right = min([max([4, 2]), max([9, 10])]);
    assert_eq!(look(&max([left, right])), (5.0, 5));
    // Here the order is MIN above MAX above MIN.
    let left = max([min([3, 6]), min([5, 9])]);
    let right = max([min([4, 7]), min([2, 8])]);
    assert_eq!(look(&min([left, right])).1, 7);
}

/// Where all leaves are equal every order is perfect.
fn uniform(branches: usize, depth: usize, player: usize) -> Tree {
    if depth == 0 {
        return Tree::from(1);
    }
    crate::tree::choice(player, (0..branches).map(|_| uniform(branches, depth - 1, 1 - player)).collect::<Vec<_>>())
}

fn perfect(branches: u64, depth: u32) -> u64 {
    branches.pow(depth.div_ceil(2)) + branches.pow(depth / 2) - 1
}

#[test]
fn perfect_ordering_looks_at_the_square_root() {
    assert_eq!((perfect(35, 8), perfect(4, 6)), (3_001_249, 127));
    assert_eq!(look(&uniform(4, 6, 0)).1, 127);
    assert_eq!(look(&uniform(3, 5, 1)).1, perfect(3, 5));
    assert_eq!(minimax(&uniform(4, 6, 0)).count.leaves, 4_u64.pow(6), "leaves b^d");
}

#[test]
fn all_methods_agree_with_minimax_on_ten_thousand_random_trees() {
    let mut rng = Rng::new(6);
    let (mut plain, mut pruned) = (0, 0);
    for number in 0..10_000 {
        let tree = random(1 + number % 6, number % 2, &mut rng);
        let truth = minimax(&tree);
        let found = alpha_beta(&tree);
        assert_eq!((found.value, found.action), (truth.value, truth.action), "{tree:?}");
        assert!(found.count.states <= truth.count.states);
        plain += truth.count.states;
        pruned += found.count.states;

        let options = Options { table: 1 << 10, singular: (number % 3 == 0).then_some(3.0), ..Options::default() };
        let (found, proved) = Searcher::new(Ignorance, options).search(&tree);
        assert!(proved && found.value == truth.value, "{found:?} {truth:?} {tree:?}");
        let mut next = tree.clone();
        next.apply(found.action.unwrap());
        assert_eq!(minimax(&next).value, truth.value);

        let mut searcher = Searcher::new(Ignorance, options);
        let guess = rng.below(41) as f32 - 20.0;
        let found = mtd(&mut searcher, &tree, 100, guess).unwrap();
        assert_eq!(found.value, truth.value, "from {guess} {tree:?}");
        let mut next = tree.clone();
        next.apply(found.action.unwrap());
        assert_eq!(minimax(&next).value, truth.value);

        let bar = rng.below(41) as f32 - 20.0;
        let proof = prove(&tree, 0, |end| end.utility() >= bar, 1 << 10, u64::MAX);
        assert_eq!(proof.proved, Some(truth.value >= bar), "{bar} {tree:?}");
    }
    assert!(pruned * 3 < plain * 2, "{pruned} of {plain}");
}

#[test]
fn what_a_table_entry_cuts_off() {
    let entry = |value, bound| Entry { value, bound, depth: 4, best: None::<usize> };
    assert_eq!(entry(3.0, Bound::Upper).cut_off(4, 5.0, 9.0), Some(3.0), "an upper bound 3 with alpha 5");
    assert_eq!(entry(3.0, Bound::Upper).cut_off(4, 2.0, 9.0), None);
    assert_eq!(entry(9.0, Bound::Lower).cut_off(4, 5.0, 9.0), Some(9.0));
    assert_eq!(entry(8.0, Bound::Lower).cut_off(4, 5.0, 9.0), None);
    assert_eq!(entry(6.0, Bound::Exact).cut_off(4, 5.0, 9.0), Some(6.0));
    assert_eq!(entry(6.0, Bound::Exact).cut_off(5, 5.0, 9.0), None, "not deep enough");
}

#[test]
fn a_table_of_one_place_changes_nothing_but_the_work() {
    let search = |table| Searcher::new(Ignorance, Options { table, ..Options::default() }).search(&TicTacToe::default());
    let ((small, small_proved), (large, large_proved)) = (search(1), search(1 << 14));
    assert!(small_proved && large_proved);
    assert_eq!((small.value, large.value), (0.0, 0.0));
    assert!(large.count.states * 2 < small.count.states, "{large:?} {small:?}");
}

#[test]
fn a_limit_of_states_gives_the_deepest_finished_iteration() {
    let options = Options { states: 500, ..Options::default() };
    let (found, proved) = Searcher::new(Ignorance, options).search(&TicTacToe::default());
    assert!(!proved && found.action.is_some() && found.count.states <= 501, "{found:?}");
}

#[test]
fn the_selective_methods_still_play_nim() {
    let options = Options { late_moves: true, prob_cut: Some(0.5), depth: 20, states: 100_000, ..Options::default() };
    let mut right = 0;
    let mut all = 0;
    for pile in 1..8 {
        let nim = Nim::new([pile, 5, 3]);
        let (found, _) = Searcher::new(Ignorance, options).search(&nim);
        all += 1;
        right += usize::from(found.value == nim.known_value());
    }
    assert!(right + 1 >= all, "{right} of {all}");
}

#[test]
fn df_pn_proves_tic_tac_toe_and_nim() {
    let drawn = |game: &TicTacToe| game.utility() >= 0.0;
    assert_eq!(prove(&TicTacToe::default(), 0, drawn, 1 << 14, u64::MAX).proved, Some(true));
    assert_eq!(prove(&TicTacToe::default(), 0, |game| game.utility() > 0.0, 1 << 14, u64::MAX).proved, Some(false));
    let nim = Nim::new([5, 4, 2]);
    let proof = prove(&nim, 0, |game| game.utility() > 0.0, 1 << 14, u64::MAX);
    let mut next = nim;
    next.apply(proof.action.unwrap());
    assert!(proof.proved == Some(true) && next.known_value() == 1.0, "{proof:?}");
    let stopped = prove(&TicTacToe::default(), 0, |game| game.utility() > 0.0, 1 << 14, 10);
    assert_eq!((stopped.proved, stopped.action), (None, None));
}

/// A leaf's estimate is the number of stones by which a player is ahead in a line, as it were: nothing that could outrank a win.
struct MostMarks;

impl Heuristic<TicTacToe> for MostMarks {
    fn evaluate(&mut self, state: &TicTacToe) -> f32 {
        if state.squares(0) & 0o020 != 0 { 0.5 } else { -0.5 }
    }
}

#[test]
fn with_an_estimate_one_ply_takes_the_centre() {
    let (found, proved) = Searcher::new(MostMarks, Options { depth: 1, ..Options::default() }).search(&TicTacToe::default());
    assert_eq!((found.value, found.action, proved), (0.5, Some(4), false));
}
