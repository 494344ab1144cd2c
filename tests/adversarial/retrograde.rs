//! Retrograde analysis: on trees it agrees with minimax, on games that run in circles with a search that remembers its whole line.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use tengen::adversarial::{Worth, minimax, retrograde};
use tengen::game::Game;
use tengen::util::Rng;

use crate::common::tictactoe::TicTacToe;
use crate::games::Nim;

/// A game on a few places, some of which are its ends.
#[derive(Clone, Debug)]
struct Maze {
    places: Arc<Vec<Place>>,
    at: usize,
}

#[derive(Debug)]
struct Place {
    player: usize,
    utility: f32,
    /// Where one can go; nowhere from an end.
    ways: Vec<usize>,
}

impl PartialEq for Maze {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl Eq for Maze {}

impl Hash for Maze {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.at.hash(hasher);
    }
}

impl Game for Maze {
    type Action = u8;
    const ACTIONS: usize = 16;

    fn index(action: u8) -> usize {
        action.into()
    }

    fn action(index: usize) -> u8 {
        index as u8
    }

    fn player(&self) -> usize {
        self.places[self.at].player
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        actions.extend(0..self.places[self.at].ways.len() as u8);
    }

    fn apply(&mut self, action: u8) {
        self.at = self.places[self.at].ways[usize::from(action)];
    }

    fn is_terminal(&self) -> bool {
        self.places[self.at].ways.is_empty()
    }

    fn utility(&self) -> f32 {
        self.places[self.at].utility
    }
}

fn random_maze(rng: &mut Rng) -> Maze {
    let count = 4 + rng.below(6);
    let place = |rng: &mut Rng| Place {
        player: rng.below(2),
        utility: rng.below(7) as f32 - 3.0,
        ways: if rng.percent(30) { Vec::new() } else { (0..=rng.below(3)).map(|_| rng.below(count)).collect() },
    };
    Maze { places: Arc::new((0..count).map(|_| place(rng)).collect()), at: 0 }
}

/// The value of a place if a game that comes back to any of its places ends there, worth 0.
fn with_history(maze: &Maze, line: &mut Vec<usize>) -> f32 {
    if line.contains(&maze.at) {
        return 0.0;
    }
    if maze.is_terminal() {
        return maze.utility();
    }
    line.push(maze.at);
    let ways = maze.places[maze.at].ways.iter().map(|&at| with_history(&Maze { at, ..maze.clone() }, line));
    let best = if maze.player() == 0 { ways.fold(f32::NEG_INFINITY, f32::max) } else { ways.fold(f32::INFINITY, f32::min) };
    line.pop();
    best
}

#[test]
fn circles_are_worth_what_a_search_with_history_says() {
    let mut rng = Rng::new(9);
    let (mut endless, mut ended) = (0, 0);
    for _ in 0..3000 {
        let maze = random_maze(&mut rng);
        let starts = (0..maze.places.len()).map(|at| Maze { at, ..maze.clone() });
        let worths = retrograde(starts);
        assert_eq!(worths.len(), maze.places.len());
        for (place, worth) in &worths {
            assert_eq!(worth.value, with_history(place, &mut Vec::new()), "{place:?}");
            assert!(worth.value == 0.0 || worth.end.is_some());
            endless += usize::from(worth.end.is_none());
            ended += usize::from(worth.end.is_some_and(|end| end > 1));
        }
    }
    assert!(endless > 1000 && ended > 1000, "{endless} {ended}");
}

/// Who gains plays moves that bring the end nearer, and the other none that bring it nearer faster than told.
#[test]
fn ends_come_when_they_are_told() {
    let mut rng = Rng::new(10);
    for _ in 0..1000 {
        let maze = random_maze(&mut rng);
        let worths = retrograde([maze]);
        for (place, worth) in worths.iter().filter(|(place, worth)| !place.is_terminal() && worth.end.is_some()) {
            let after = place.places[place.at].ways.iter().map(|&at| worths[&Maze { at, ..place.clone() }]);
            let equal: Vec<Worth> = after.filter(|next| next.value == worth.value).collect();
            let ends = equal.iter().map(|next| next.end.unwrap());
            let gains = (worth.value > 0.0) == (place.player() == 0);
            let end = if gains { ends.min() } else { ends.max() };
            assert_eq!(worth.end, end.map(|end| end + 1), "{place:?}");
        }
    }
}

#[test]
fn games_that_are_known() {
    let worths = retrograde([TicTacToe::default()]);
    assert_eq!(worths.len(), 5478);
    assert_eq!(worths[&TicTacToe::default()].value, 0.0);
    for (state, worth) in &worths {
        assert_eq!(worth.value, minimax(state).value);
    }
    let start = Nim::new([3, 4, 5]);
    let worths = retrograde([start]);
    for (state, worth) in &worths {
        assert_eq!(worth.value, state.known_value(), "{state:?}");
    }
    let players: HashSet<usize> = worths.keys().map(|state| state.player).collect();
    assert_eq!(players.len(), 2);
}
