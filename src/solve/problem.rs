//! Local problems as they are put to the solver and answered.

use std::time::{Duration, Instant};

use super::Unsolved;
use super::field::Field;
use super::local::{ENTRY_BYTES, Found, Local, PASS, Question};
use super::region::{Region, around, candidates};
use crate::board::{Color, Move, Point, PointSet};
use crate::rules::Position;
use crate::util::StopFlag;

/// What becomes of the target when one side moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is captured, whatever its owner does.
    Captured,
    /// It is kept, by two eyes, by reaching safety, or in seki.
    Saved,
    /// It hangs on a ko.
    Ko,
    /// Not proved in time.
    Open,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct LocalAnswer {
    /// A stone of the target's chains for each, in no particular order; the first names the problem.
    pub target: PointSet,
    /// Whose they are.
    pub defender: Color,
    /// Where was played.
    pub region: PointSet,
    /// The status, under the assumption that the surroundings stand.
    pub status: Status,
    /// First moves that are proved to be good for who moves; not every good one need be here.
    pub winning: Vec<Move>,
    /// The moves, the most promising first: where nothing is proved, an estimate.
    pub likely: Vec<Move>,
    /// Positions looked at.
    pub nodes: u64,
    /// Time.
    pub time: Duration,
}

/// How to solve a local problem.
pub struct LocalTask<'a> {
    /// A stone of the chain that it is about; found if not given.
    pub at: Option<Point>,
    /// Where may be played; found if not given.
    pub region: Option<PointSet>,
    /// Who moves first.
    pub first: Color,
    /// Time.
    pub time: Option<Duration>,
    /// Most positions to look at.
    pub nodes: u64,
    /// Bytes for what is remembered.
    pub memory: u64,
    /// Asks for an end.
    pub stop: &'a StopFlag,
    /// How likely each move seems, from 0 to 1, to somebody who knows (a network).
    pub opinion: Option<&'a dyn Fn(Move) -> f32>,
}

/// Solves a local problem of `position`.
///
/// # Errors
/// If there is no such chain, or nothing that looks like a problem.
pub fn solve_local(position: &Position, task: &LocalTask<'_>) -> Result<LocalAnswer, Unsolved> {
    let begun = Instant::now();
    let board = position.board();
    let none = || {
        Unsolved::Refused("there is no chain on the board that looks like a problem; name one by a point of it, or a board that is small enough to be solved whole".to_owned())
    };
    let end = |share: f64| task.time.map(|time| begun + time.mul_f64(share));
    if let Some(at) = task.at {
        let mut region = around(board, at).ok_or_else(none)?;
        if let Some(points) = task.region {
            region.points = points;
            region.points.extend(&region.target);
        }
        return answer(position, task, &region, task.first, task.nodes, end(1.0));
    }
    let candidates = candidates(board);
    let mut open = None;
    let mut unsettled: Option<LocalAnswer> = None;
    for region in &candidates {
        let quick = |first| answer(position, task, region, first, QUICK_NODES.min(task.nodes), end(0.4));
        let (own, other) = (quick(task.first)?, quick(!task.first)?);
        let attacks = task.first != region.defender;
        if own.status == Status::Open {
            open = open.or(Some(region));
        } else if good(own.status, attacks) > good(other.status, attacks) && other.status != Status::Open {
            // What hangs on who moves first is what is asked, unless something larger may too.
            unsettled = Some(own);
            break;
        }
    }
    match (unsettled, open) {
        (Some(answer), None) => Ok(answer),
        (found, Some(region)) => {
            let larger = answer(position, task, region, task.first, task.nodes, end(1.0))?;
            // What is proved of something smaller is a better guess than none, but no better than a network's.
            let guesses = larger.status == Status::Open && task.opinion.is_none();
            Ok(if guesses { found.unwrap_or(larger) } else { larger })
        }
        (None, None) => answer(position, task, candidates.first().ok_or_else(none)?, task.first, task.nodes, end(1.0)),
    }
}

/// Positions looked at to see whether a group is in question.
const QUICK_NODES: u64 = 4_000;

/// How good a status is for who attacks, or defends.
fn good(status: Status, attacks: bool) -> u8 {
    match status {
        Status::Ko => 1,
        Status::Captured => 2 * u8::from(attacks),
        Status::Saved => 2 * u8::from(!attacks),
        Status::Open => 0,
    }
}

/// What becomes of the target of `region` when `first` moves first.
fn answer(
    position: &Position,
    task: &LocalTask<'_>,
    region: &Region,
    first: Color,
    most_nodes: u64,
    deadline: Option<Instant>,
) -> Result<LocalAnswer, Unsolved> {
    let begun = Instant::now();
    let board = position.board();
    let too_large =
        || Unsolved::Refused(format!("a region has at most {} points; give a smaller one", super::field::MOST_POINTS));
    let (field, stones) = Field::new(board, &region.points, position.rules().suicide).ok_or_else(too_large)?;
    let field = if region.sealed { field.sealed_against(region.defender, board) } else { field };
    let set = |points: &PointSet| points.iter().filter_map(|point| field.bit(point)).fold(0_u64, |set, bit| set | 1 << bit);
    let attacks = first != region.defender;
    let ko = board.ko().filter(|_| first == position.to_move()).and_then(|point| field.bit(point)).map_or(0, |bit| 1 << bit);
    let costs = task.opinion.filter(|_| first == task.first).map(|opinion| costs(&field, opinion));
    let mut nodes = 0;
    let mut ask = |free: Color, share: f64| {
        let question = Question {
            stones,
            target: set(&region.target),
            defender: region.defender.index(),
            first: first.index(),
            free: free.index(),
            ko,
        };
        let until = deadline.map(|end| begun + end.saturating_duration_since(begun).mul_f64(share));
        let places = (task.memory as usize / ENTRY_BYTES).min(most_nodes.saturating_mul(4) as usize);
        let mut local = Local::new(&field, &question, places, most_nodes, until, task.stop);
        local.costs.clone_from(&costs);
        let found = local.ask(&question);
        nodes += local.nodes;
        found
    };
    // First whether the first player can do it without a ko, all kos being the other's.
    let wanted = |found: &Found| found.captured.map(|captured| captured == attacks);
    let clean = ask(!first, 0.65);
    let (found, status) = match wanted(&clean) {
        Some(true) => (clean, if attacks { Status::Captured } else { Status::Saved }),
        Some(false) => {
            let by_ko = ask(first, 1.0);
            match wanted(&by_ko) {
                Some(true) => (by_ko, Status::Ko),
                Some(false) => (by_ko, if attacks { Status::Saved } else { Status::Captured }),
                None => (by_ko, Status::Open),
            }
        }
        None => {
            let by_ko = ask(first, 1.0);
            // That it cannot be done even with all kos is an answer.
            if wanted(&by_ko) == Some(false) {
                (by_ko, if attacks { Status::Saved } else { Status::Captured })
            } else {
                (clean, Status::Open)
            }
        }
    };
    let as_move = |&mv: &u8| if mv == PASS { Move::PASS } else { Move::from(field.point(mv as usize)) };
    let mut winning: Vec<Move> = if status == Status::Open { Vec::new() } else { found.winning.iter().map(as_move).collect() };
    let mut likely: Vec<Move> = found.moves.iter().map(as_move).collect();
    if let Some(opinion) = task.opinion.filter(|_| first == task.first) {
        winning.sort_by(|&a, &b| opinion(b).total_cmp(&opinion(a)));
        if winning.is_empty() {
            likely.sort_by(|&a, &b| opinion(b).total_cmp(&opinion(a)));
        }
    }
    Ok(LocalAnswer {
        target: region.target,
        defender: region.defender,
        region: region.points,
        status,
        winning,
        likely,
        nodes,
        time: begun.elapsed(),
    })
}

/// Costs of first moves from their probabilities: 1 for a likely one, 2 more for each factor of e.
fn costs(field: &Field, opinion: &dyn Fn(Move) -> f32) -> Vec<u32> {
    let bits = field.all().count_ones() as usize;
    let cost = |bit| {
        let probability = opinion(Move::from(field.point(bit))).clamp(1e-4, 1.0);
        1 + (-2.0 * probability.ln()) as u32
    };
    (0..bits).map(cost).collect()
}
