use tengen::adversarial::{faster_wins, minimax, negamax};
use tengen::game::Game;

use crate::common::tictactoe::TicTacToe;
use crate::games::Nim;
use crate::tree::{Tree, choice, max, min};

/// Value and action by minimax, and by negamax, which must agree.
pub fn solve(tree: &Tree) -> (f32, usize) {
    let found = minimax(tree);
    assert_eq!(negamax(tree, &|utility, _| utility), found);
    (found.value, found.action.unwrap())
}

#[test]
fn three_min_nodes() {
    assert_eq!(solve(&max([min([3, 12, 8]), min([2, 4, 6]), min([14, 5, 2])])), (3.0, 0));
    assert_eq!(solve(&max([min([4, 9, 6]), min([2, 15, 13]), min([5, 8, 10])])), (5.0, 2));
    assert_eq!(solve(&max([min([-2, 8]), min([3, 6]), min([1, 11])])), (3.0, 1));
}

#[test]
fn two_levels_deeper() {
    let left = min([max([-3, 7]), max([4, 5])]);
    let right = min([max([6, 8]), max([2, 9])]);
    assert_eq!(solve(&max([left, right])), (8.0, 1));
}

#[test]
fn negamax_takes_the_negative_of_the_children() {
    // Each is worth -6, 2 and -1 to the player to move there.
    let children = [6, -2, 1].map(|to_player_0| min([to_player_0]));
    assert_eq!(negamax(&max(children), &|utility, _| utility).value, 6.0);
}

#[test]
fn the_same_player_may_move_twice() {
    assert_eq!(solve(&max([max([1, 4]), max([3, 2])])), (4.0, 0));
    assert_eq!(solve(&choice(1, [choice(1, [1, 4]), choice(0, [3, 2])])), (1.0, 0));
}

#[test]
fn faster_wins_come_first() {
    assert_eq!([faster_wins(1.0, 3), faster_wins(1.0, 7), faster_wins(-1.0, 3)], [97.0, 93.0, -97.0]);
    let slow = min([max([min([1])])]);
    let fast = min([1]);
    let found = negamax(&max([slow, fast]), &faster_wins);
    assert_eq!((found.value, found.action), (98.0, Some(1)));
}

#[test]
fn tic_tac_toe_is_a_draw_and_only_one_square_keeps_it() {
    assert_eq!(minimax(&TicTacToe::default()).value, 0.0);
    let drawn = TicTacToe::from_drawing("X O X . O . . . .");
    assert_eq!((minimax(&drawn).value, minimax(&drawn).action), (0.0, Some(7)));
    for square in [3, 5, 6, 8] {
        let mut other = drawn;
        other.apply(square);
        assert_eq!(minimax(&other).value, -1.0, "{square}");
    }
}

#[test]
fn nim_is_as_bouton_has_it() {
    for a in 0..4 {
        for b in 0..4 {
            for c in 0..3 {
                let nim = Nim::new([a, b, c]);
                assert_eq!(minimax(&nim).value, nim.known_value(), "{nim:?}");
            }
        }
    }
}
