//! What a tree search thinks of a local problem: first moves near the stones, and how likely each is. No proof; it tells the solver where to look first, and stands in where there is
//! no answer in time.

use std::time::Duration;

use crate::board::{Move, PointSet};
use crate::clock::Budget;
use crate::eval::Evaluator;
use crate::params::SearchParams;
use crate::rules::Position;
use crate::search::{Limits, Restriction, Search, SearchOptions};
use crate::util::StopFlag;

/// Points further than this from any stone are not played.
const REACH: usize = 2;
/// Memory of the tree, in bytes.
const TREE: u64 = 1 << 26;

/// The share of the search's visits that each first move of the player to move got, after `time`; both sides play near stones only.
pub fn estimate(
    position: &Position,
    evaluators: &mut [Box<dyn Evaluator<Position>>],
    params: &SearchParams,
    time: Duration,
    stop: &StopFlag,
) -> Vec<(Move, f32)> {
    let board = position.board();
    let mut near: PointSet = position.size().points().filter(|&point| !board.is_empty(point)).collect();
    for _ in 0..REACH {
        near.extend(&near.iter().flat_map(|point| board.neighbors(point)).collect());
    }
    let mut actions: Vec<Move> = near.iter().filter(|&point| board.is_empty(point)).map(Move::from).collect();
    let first = position.to_move().index();
    let at_once = Restriction { player: first, actions: actions.clone(), only: true, until_depth: 1 };
    // Later, somebody may have nothing left to do there.
    actions.push(Move::PASS);
    let later = |player| Restriction { player, actions: actions.clone(), only: true, until_depth: usize::MAX };
    let options = SearchOptions { restrictions: vec![at_once, later(0), later(1)], ..SearchOptions::default() };
    let limits = Limits { budget: Some(Budget { soft: time, hard: time, saves: false }), ..Limits::default() };
    let mut search = Search::new(position.clone(), TREE);
    let report = search.run(evaluators, params, &limits, &options, stop, None);
    let all = report.visits.max(1) as f32;
    report.candidates.iter().map(|candidate| (candidate.mv, candidate.visits as f32 / all)).collect()
}
