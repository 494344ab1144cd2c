//! Retrograde analysis: begin with the ends of a game and step backwards until nothing changes. It is exact for every state, also where lines run in
//! circles, and takes time linear in the moves there are. (T. Ströhlein, Untersuchungen über kombinatorische Spiele, 1970; K. Thompson, Retrograde Analysis
//! of Certain Endgames, ICCA Journal 9(3), 1986.)

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::{actions, after, sign};
use crate::game::Game;

/// What a state is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// To player 0, if both play their best. A game that never ends is worth 0.
    pub value: f32,
    /// Moves to the end if who gains by it hurries and the other delays. Nothing where the value is 0 and the game is not over: then neither can make the
    /// other lose, and the game may go on for ever.
    pub end: Option<u32>,
}

/// The worth of every state that can be reached from `starts`.
pub fn retrograde<G: Game + Eq + Hash>(starts: impl IntoIterator<Item = G>) -> HashMap<G, Worth> {
    let graph = Graph::of(starts);
    let mut worths: Vec<Option<Worth>> =
        graph.states.iter().map(|state| state.is_terminal().then(|| Worth { value: state.utility(), end: Some(0) })).collect();
    for player in 0..2 {
        graph.settle(player, &mut worths);
    }
    let endless = Worth { value: 0.0, end: None };
    graph.states.into_iter().zip(worths.into_iter().map(|worth| worth.unwrap_or(endless))).collect()
}

/// All states, and how they follow each other.
struct Graph<G> {
    states: Vec<G>,
    /// Of each state, those it follows: as often as there are moves from one to the other.
    parents: Vec<Vec<u32>>,
    /// Of each state, how many moves there are.
    moves: Vec<u32>,
}

impl<G: Game + Eq + Hash> Graph<G> {
    fn of(starts: impl IntoIterator<Item = G>) -> Self {
        let mut graph = Self { states: Vec::new(), parents: Vec::new(), moves: Vec::new() };
        let mut numbers = HashMap::new();
        let mut number = |state: G, graph: &mut Self| {
            *numbers.entry(state).or_insert_with_key(|state| {
                graph.states.push(state.clone());
                graph.parents.push(Vec::new());
                graph.states.len() - 1
            })
        };
        for start in starts {
            number(start, &mut graph);
        }
        while let Some(state) = graph.states.get(graph.moves.len()).cloned() {
            let from = graph.moves.len();
            let actions = if state.is_terminal() { Vec::new() } else { actions(&state) };
            graph.moves.push(actions.len() as u32);
            for action in actions {
                let to = number(after(&state, action), &mut graph);
                graph.parents[to].push(from as u32);
            }
        }
        graph
    }

    /// Finds where `player` can force a gain, and the greatest: first the states from which the best end can be forced, then the next best.
    fn settle(&self, player: usize, worths: &mut [Option<Worth>]) {
        let gain = |state: &usize| sign(player) * self.states[*state].utility();
        let mut ends: Vec<usize> =
            (0..self.states.len()).filter(|&state| self.states[state].is_terminal() && gain(&state) > 0.0).collect();
        ends.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
        // Moves by which the other player may still get away.
        let mut escapes = self.moves.clone();
        for ends in ends.chunk_by(|a, b| gain(a) == gain(b)) {
            let value = self.states[ends[0]].utility();
            let mut fresh: VecDeque<(usize, u32)> = ends.iter().map(|&end| (end, 0)).collect();
            while let Some((state, end)) = fresh.pop_front() {
                for &parent in &self.parents[state] {
                    let parent = parent as usize;
                    escapes[parent] -= 1;
                    if worths[parent].is_none() && (self.states[parent].player() == player || escapes[parent] == 0) {
                        worths[parent] = Some(Worth { value, end: Some(end + 1) });
                        fresh.push_back((parent, end + 1));
                    }
                }
            }
        }
    }
}
