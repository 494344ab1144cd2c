use tengen::adversarial::{Playout, Uct, expectiminimax, star1, star1_within};
use tengen::util::Rng;

use crate::games::OneMoreThrow;
use crate::tree::{Tree, chance, max, min, random_with_chance};

/// Value and action by expectiminimax, and by Star1, which must agree.
fn solve(tree: &Tree, range: (f32, f32)) -> (f32, Option<usize>) {
    let (found, star) = (expectiminimax(tree), star1(tree, range));
    assert!((found.value - star.value).abs() < 1e-4 && found.action == star.action, "{found:?} {star:?}");
    assert!(star.count.states <= found.count.states);
    ((found.value * 1000.0).round() / 1000.0, found.action)
}

#[test]
fn coins_between_min_nodes() {
    let left = chance([(0.5, min([3, 7])), (0.5, min([8, 4]))]);
    let right = chance([(0.25, min([10, 1])), (0.75, min([6, 5]))]);
    assert_eq!(solve(&left, (1.0, 10.0)).0, 3.5);
    assert_eq!(solve(&max([left, right]), (1.0, 10.0)), (4.0, Some(1)));
    let p = chance([(0.4, min([-1, 7])), (0.6, min([4, 9]))]);
    let q = chance([(0.7, min([2, 6])), (0.3, min([5, 8]))]);
    assert_eq!(solve(&p, (-1.0, 9.0)).0, 2.0);
    assert_eq!(solve(&max([p, q]), (-1.0, 9.0)), (2.9, Some(1)));
}

#[test]
fn only_positive_affine_transformations_keep_decisions() {
    let lottery = |worth: fn(i32) -> i32| {
        let fork = |outcomes: [(f32, i32); 2]| chance(outcomes.map(|(probability, leaf)| (probability, Tree::from(worth(leaf)))));
        max([fork([(0.6, 2), (0.4, 3)]), fork([(0.6, 1), (0.4, 4)])])
    };
    assert_eq!(solve(&lottery(|leaf| leaf), (-100.0, 100.0)), (2.4, Some(0)));
    assert_eq!(solve(&lottery(|leaf| 5 * leaf - 7), (-100.0, 100.0)), (5.0, Some(0)));
    assert_eq!(solve(&lottery(|leaf| leaf.pow(3)), (-100.0, 100.0)), (26.2, Some(1)));
}

#[test]
fn star1_cuts_what_cannot_come_into_the_window() {
    let fork = chance([(0.7, Tree::from(2)), (0.3, Tree::from(10))]);
    let found = star1_within(&fork, (-6.0, 10.0), 5.0, f32::INFINITY);
    assert_eq!((found.count.leaves, (found.value * 10.0).round()), (1, 44.0), "at most 1.4 + 3");
    assert_eq!(star1_within(&fork, (-6.0, 10.0), 4.0, f32::INFINITY).count.leaves, 2);
}

#[test]
fn star1_agrees_on_random_trees_with_less_to_look_at() {
    let mut rng = Rng::new(8);
    let (mut plain, mut pruned) = (0, 0);
    for number in 0..1_000 {
        let tree = random_with_chance(1 + number % 3, number % 2, &mut rng);
        let (found, star) = (expectiminimax(&tree), star1(&tree, (-20.0, 20.0)));
        assert!((found.value - star.value).abs() < 1e-3, "{found:?} {star:?} {tree:?}");
        plain += found.count.states;
        pruned += star.count.states;
    }
    assert!(pruned * 10 < plain * 9, "{pruned} of {plain}");
}

#[test]
fn two_dice_have_21_rolls() {
    let mut rolls = std::collections::HashMap::new();
    for (a, b) in (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))) {
        *rolls.entry((a.min(b), a.max(b))).or_insert(0) += 1;
    }
    assert_eq!(rolls.len(), 21);
    assert!(rolls.iter().all(|(roll, &count)| count == if roll.0 == roll.1 { 1 } else { 2 }), "doubles 1/36, others 1/18");
}

#[test]
fn one_more_throw() {
    let game = OneMoreThrow::default();
    let known = 4.25 / 6.0;
    assert!((expectiminimax(&game).value - known).abs() < 1e-5);
    assert!((star1(&game, (0.0, 1.0)).value - known).abs() < 1e-5);
    let after_throwing = |face| {
        let mut state = game;
        tengen::game::Game::apply(&mut state, face);
        state
    };
    for face in 1..=6 {
        let best = u8::from(face < 4);
        assert_eq!(expectiminimax(&after_throwing(face)).action, Some(best));
        // A tree that samples the dice finds the same, but for the closest call, where it may take longer.
        let mut tree = Uct::new(after_throwing(face), 0.5, Playout::default(), Rng::new(u64::from(face)));
        tree.run(4_000);
        assert_eq!(tree.best(), Some(best), "{face}");
    }
}
