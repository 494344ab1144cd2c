use tengen::adversarial::{Ties, max_n, paranoid};

use crate::games::ThreeTake;
use crate::tree::{Tree, choice};

const FIRST: Ties = Ties::First;

#[test]
fn a_chooses_right() {
    let c = |leaves: [(i32, i32, i32); 2]| choice(2, leaves);
    let left = choice(1, [c([(1, 2, 6), (4, 2, 3)]), c([(6, 1, 2), (7, 4, 1)])]);
    assert_eq!(max_n(&left, FIRST).0, [1.0, 2.0, 6.0]);
    let right = choice(1, [c([(5, 1, 1), (5, 4, 5)]), c([(5, 2, 4), (0, 0, 0)])]);
    assert_eq!(max_n(&right, FIRST).0, [5.0, 4.0, 5.0]);
    assert_eq!(max_n(&choice(0, [left, right]), FIRST), (vec![5.0, 4.0, 5.0], Some(1)));
}

#[test]
fn two_levels_of_two() {
    let node = |leaves: [(i32, i32, i32); 2]| choice(2, leaves);
    let left = choice(1, [node([(2, 5, 7), (9, 6, 3)]), node([(6, 4, 8), (8, 9, 2)])]);
    let right = choice(1, [node([(4, 3, 6), (7, 8, 1)]), node([(5, 7, 5), (9, 2, 4)])]);
    assert_eq!(max_n(&choice(0, [left, right]), FIRST), (vec![5.0, 7.0, 5.0], Some(1)));
}

#[test]
fn ties_need_a_rule() {
    let tree = || choice(0, [Tree::from((4, 2, 0)), choice(2, [(1, 8, 5), (7, 3, 5)])]);
    assert_eq!(max_n(&tree(), Ties::LeastFor(0)).1, Some(0));
    assert_eq!(max_n(&tree(), Ties::MostFor(0)).1, Some(1));
}

#[test]
fn three_players_at_one_pile() {
    let value = |pile| max_n(&ThreeTake { pile, player: 0 }, FIRST).0;
    assert_eq!([value(1), value(2)], [[1.0, 0.0, 0.0]; 2], "who is to move takes all");
    assert_eq!(value(3), [0.0, 1.0, 0.0], "whatever is left, the next takes it");
    for pile in 1..12 {
        // In league the others can always hinder a player who cannot win at once.
        let found = paranoid(&ThreeTake { pile, player: 0 }, 0);
        assert_eq!(found.value, f32::from(u8::from(pile <= 2)), "{pile}");
        assert!(found.value <= value(pile)[0]);
    }
}
