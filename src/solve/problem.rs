//! Local problems as they are put to the solver and answered. A survey says what is in question; then proofs are looked for on one thread, while the others search the same fight by a tree, whose
//! opinion stands in where there is no proof in time and chooses among proved moves.

use std::thread;
use std::time::{Duration, Instant};

use super::Unsolved;
use super::contest::{Contest, Fight, Judge, Searchers, Stake, near};
use super::frame::filled;
use super::inquiry::{Inquiry, Proofs, Win};
use super::region::{self, Region, around, unsettled};
use super::replay::check_answer;
use super::survey::{Survey, shares};
use crate::board::{Board, Color, Move, Point, PointSet};
use crate::clock::Budget;
use crate::eval::{Evaluator, Playouts};
use crate::params::Settings;
use crate::rules::Position;
use crate::search::Limits;
use crate::util::{Rng, StopFlag};

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
    /// The stones in question.
    pub target: PointSet,
    /// Whose they are.
    pub defender: Color,
    /// Where was played.
    pub region: PointSet,
    /// Points around that are empty, and which the attacker is taken to hold.
    pub closed: PointSet,
    /// The status, under the assumption that the surroundings stand.
    pub status: Status,
    /// First moves that are proved to be good for who moves, the likeliest first; not every good one need be here.
    pub winning: Vec<Move>,
    /// The moves, the most promising first: where nothing is proved, an estimate.
    pub likely: Vec<Move>,
    /// Positions looked at for proofs.
    pub nodes: u64,
    /// Time, without the check.
    pub time: Duration,
    /// How far the checker played the proofs out; nothing if it was not asked, or nothing is proved.
    pub checked: Option<Checked>,
}

/// How far proofs were played out, in positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// To the end, against every answer.
    Whole(u64),
    /// Until the limit was reached; no fault was found so far.
    Part(u64),
    /// Not at all: the stones around cannot be laid out so that they stand, as the question takes them to.
    Unfit,
}

/// How to solve a local problem.
pub struct LocalTask<'a> {
    /// A stone of the chain that it is about; found if not given.
    pub at: Option<Point>,
    /// Where may be played; found if not given.
    pub region: Option<PointSet>,
    /// Who moves first.
    pub first: Color,
    /// Time for all.
    pub time: Duration,
    /// Bytes for what is remembered of proofs.
    pub memory: u64,
    /// Threads: one for proofs, the others for the tree, but one at the least.
    pub threads: usize,
    /// How trees are searched and playouts played.
    pub settings: &'a Settings,
    /// Most positions for the checker to play out; 0 to leave it out.
    pub check: u64,
    /// Asks for an end.
    pub stop: &'a StopFlag,
}

/// The part of the time that the survey takes, half for each side moving first.
const SURVEY_SHARE: f64 = 0.2;
/// Memory of the tree, in bytes.
const TREE: u64 = 1 << 28;
/// How far from the region the tree may play.
const TREE_REACH: usize = 1;
/// A proved move is among so many that the tree likes best.
const MEANT: usize = 2;
/// How often the inquiry that has nothing left to prove looks whether it is asked to end.
const TICK: Duration = Duration::from_millis(5);

/// Solves a local problem of `position`. `network` makes evaluators by a network, if there is one, a number for each.
///
/// # Errors
/// If there is no such chain, or nothing that looks like a problem, or the checker finds fault.
pub fn solve_local(
    position: &Position,
    task: &LocalTask<'_>,
    network: Option<&dyn Fn(usize) -> Box<dyn Evaluator<Position>>>,
) -> Result<LocalAnswer, Unsolved> {
    let begun = Instant::now();
    let end = begun + task.time;
    let board = position.board();
    let none = || {
        Unsolved::Refused("there is no chain on the board that looks like a problem; name one by a point of it, or a board that is small enough to be solved whole".to_owned())
    };
    if Color::ALL.iter().all(|&color| board.stones(color) == 0) {
        return Err(none());
    }
    let judges = |own: &dyn Fn(usize) -> Box<dyn Evaluator<Position>>, count: usize| -> Judges {
        (0..count).map(|number| Box::new(Judge(own(number))) as _).collect()
    };
    let playouts = |number| Box::new(Playouts::new(task.settings, Rng::for_stream(0, number), 0.0)) as _;
    let mut all = judges(network.unwrap_or(&playouts), task.threads.max(1));
    let mut searchers = Searchers { judges: &mut all, params: &task.settings.search, stop: task.stop };
    let survey = Survey::new(position, &mut searchers, &within(task.time.mul_f64(SURVEY_SHARE / 2.0)));
    let regions = regions(board, &survey, task);
    let main = regions.first().ok_or_else(none)?;
    let inquiry = Inquiry { position, survey: &survey, first: task.first, memory: task.memory, end, stop: task.stop };
    let mut moved = position.clone();
    moved.set_to_move(task.first);
    let mut points = PointSet::EMPTY;
    for region in &regions {
        points.extend(&region.points);
    }
    let area = near(board, &points, TREE_REACH);
    let fight = Fight { position: &moved, stakes: stakes(position, &survey, task, main), area };
    let framed = filled(&moved, &area, main);
    let framed = Fight { position: framed.as_ref().unwrap_or(&moved), ..fight.clone() };
    let trees = task.threads.max(2) - 1;
    all.truncate(trees);
    let played = if network.is_some() { judges(&playouts, trees) } else { std::mem::take(&mut all) };
    let mut views = vec![(fight, all), (framed, played)];
    views.retain(|(_, judges)| !judges.is_empty());
    let (proofs, shares) = prove_and_search(&inquiry, &regions, views, task);
    let mut answer = LocalAnswer { time: begun.elapsed(), ..choose(proofs?, &shares, task.at.is_some()) };
    if task.check > 0 {
        answer.checked = check_answer(position, &answer, task)?;
    }
    Ok(answer)
}

type Judges = Vec<Box<dyn Evaluator<Contest>>>;

/// The questions, in the region that is given, if one is.
fn regions(board: &Board, survey: &Survey, task: &LocalTask<'_>) -> Vec<Region> {
    let mut regions = match task.at {
        Some(at) => around(board, survey, at).into_iter().collect(),
        None => region::regions(board, survey, task.first),
    };
    if let Some(points) = task.region {
        for region in &mut regions {
            region.points = points;
            region.points.extend(&region.target);
        }
    }
    regions
}

/// Proofs, and beside them what trees think of the moves, one after the other: the share of visits of each, the most promising first. All end when there is a proof, the time is
/// over, or the inquiry is stopped.
fn prove_and_search(
    inquiry: &Inquiry<'_>,
    regions: &[Region],
    views: Vec<(Fight<'_>, Judges)>,
    task: &LocalTask<'_>,
) -> (Result<Proofs, Unsolved>, Vec<(Move, f32)>) {
    let done = StopFlag::new();
    thread::scope(|scope| {
        let proving = scope.spawn(|| {
            let _done = SetAtEnd(&done);
            let proofs = inquiry.ask(regions);
            // That nothing helps is an answer to who named the chain; otherwise the right question may not have been found.
            let is_answer = |proofs: &Proofs| {
                proofs.wins.iter().any(|win| win.is_sure) || task.at.is_some() && proofs.other.status != Status::Open
            };
            while proofs.as_ref().is_ok_and(|proofs| !is_answer(proofs)) && !inquiry.is_over() {
                thread::sleep(TICK);
            }
            proofs
        });
        let mut opinions: Vec<(Move, f32)> = Vec::new();
        let count = views.len();
        for (number, (fight, mut judges)) in views.into_iter().enumerate() {
            let left = inquiry.end.saturating_duration_since(Instant::now()) / (count - number) as u32;
            let report =
                Searchers { judges: &mut judges, params: &task.settings.search, stop: &done }.search(fight, TREE, &within(left));
            for (mv, share) in shares(&report) {
                match opinions.iter_mut().find(|(other, _)| *other == mv) {
                    Some((_, all)) => *all += share,
                    None => opinions.push((mv, share)),
                }
            }
        }
        opinions.sort_by(|a, b| b.1.total_cmp(&a.1));
        (proving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), opinions)
    })
}

/// The answer to give when the tree thinks so of the moves, the most promising first.
///
/// Who `named` the chain has asked a question that is surely meant.
fn choose(proofs: Proofs, shares: &[(Move, f32)], named: bool) -> LocalAnswer {
    let Proofs { wins, other, nodes } = proofs;
    // What is proved of something smaller than what is open counts if the tree has come to the same.
    let best = shares.first().map(|&(mv, _)| mv);
    // And a proof whose move the tree hardly looked at is one of a question that was not meant.
    let is_meant = |win: &Win| win.answer.winning.iter().any(|mv| shares.iter().take(MEANT).any(|(likely, _)| likely == mv));
    let counts = |win: &Win| {
        if win.is_sure { named || is_meant(win) } else { best.is_some_and(|best| win.answer.winning.contains(&best)) }
    };
    let win = wins.into_iter().find(counts);
    let mut answer = win.map_or(other, |win| win.answer);
    let failing = std::mem::take(&mut answer.likely);
    answer.likely = shares.iter().map(|&(mv, _)| mv).filter(|mv| !failing.contains(mv)).collect();
    let rank = |mv: &Move| shares.iter().position(|(other, _)| other == mv).unwrap_or(usize::MAX);
    answer.winning.sort_by_key(rank);
    answer.nodes = nodes;
    answer
}

/// Sets the flag however the thread ends.
struct SetAtEnd<'a>(&'a StopFlag);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.set();
    }
}

fn within(time: Duration) -> Limits {
    Limits { budget: Some(Budget { soft: time, hard: time, saves: false }), ..Limits::default() }
}

/// What the tree fights about: the chains in question, as far as they are, or the one that was named.
fn stakes(position: &Position, survey: &Survey, task: &LocalTask<'_>, region: &Region) -> Vec<Stake> {
    let of = |point: Point, color: Color, weight: f32| Stake { point, color, weight };
    if task.at.is_some() {
        return region.target.iter().map(|point| of(point, region.defender, 1.0)).collect();
    }
    let chain = |head: Point| position.board().chain(head);
    unsettled(survey).iter().flat_map(|fate| chain(fate.head).map(|point| of(point, fate.color, fate.swing()))).collect()
}
