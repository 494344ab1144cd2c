use tengen::adversarial::{Hidden, alpha_beta, average_over_clairvoyance, minimax};
use tengen::game::Game;
use tengen::util::Rng;

use crate::games::{Phantom, Roads};

#[test]
fn clairvoyance_wrongly_takes_the_road_with_the_fork() {
    let mut rng = Rng::new(1);
    let state = Roads::new(true);
    let (action, average) = average_over_clairvoyance(&state, 100, &mut rng, |state| minimax(state).value);
    assert_eq!((action, average), (1, 2.0), "each possible world has two pots there");
    // But whoever stands at the fork does not know the side: half the time the bus comes.
    let at_fork = |side: u8| {
        let worth = [true, false].map(|left| {
            let mut state = Roads::new(left);
            state.apply(1);
            state.apply(side);
            state.utility()
        });
        f32::midpoint(worth[0], worth[1])
    };
    assert!([0, 1].into_iter().all(|side| at_fork(side) < 1.0), "road A was better");
}

#[test]
fn phantom_tic_tac_toe_keeps_its_secrets() {
    let mut rng = Rng::new(2);
    let mut actions = Vec::new();
    for _ in 0..200 {
        let mut state = Phantom::default();
        while !state.is_terminal() {
            let possible = state.possible(&mut rng);
            let mut seen = Vec::new();
            state.actions(&mut seen);
            possible.actions(&mut actions);
            assert_eq!(seen, actions, "what is possible looks the same to who is to move");
            assert_eq!(possible.player(), state.player());
            state.apply(actions[rng.below(actions.len())]);
        }
    }
}

#[test]
fn clairvoyance_plays_phantom_tic_tac_toe_better_than_chance() {
    let mut rng = Rng::new(3);
    let mut actions = Vec::new();
    let mut sum = 0.0;
    for number in 0..20 {
        let own = number % 2;
        let mut state = Phantom::default();
        while !state.is_terminal() {
            state.actions(&mut actions);
            let action = if state.player() == own {
                average_over_clairvoyance(&state, 5, &mut rng, |state| alpha_beta(&state.board).value).0
            } else {
                actions[rng.below(actions.len())]
            };
            state.apply(action);
        }
        sum += if own == 0 { state.utility() } else { -state.utility() };
    }
    assert!(sum > 5.0, "{sum} of 20");
}
