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
/// The network's part of what the trees have; the playouts, on a board where nothing else is left to play, see more of a fight in the same time.
const NETWORK_SHARE: f64 = 0.3;
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
pub fn solve_local(position: &Position, task: &LocalTask<'_>, network: Option<Maker<'_>>) -> Result<LocalAnswer, Unsolved> {
    let begun = Instant::now();
    let end = begun + task.time;
    let board = position.board();
    let none = || {
        Unsolved::Refused("there is no chain on the board that looks like a problem; name one by a point of it, or a board that is small enough to be solved whole".to_owned())
    };
    if Color::ALL.iter().all(|&color| board.stones(color) == 0) {
        return Err(none());
    }
    let playouts: Maker<'_> = &|number| Box::new(Playouts::new(task.settings, Rng::for_stream(0, number), 0.0));
    let makers: Vec<Maker<'_>> = network.into_iter().chain([playouts]).collect();
    let survey = look_around(position, task, &makers);
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
    let by_network = network.map(|maker| View { fight, judges: judges(maker, trees), share: NETWORK_SHARE });
    let by_playouts = View { fight: framed, judges: judges(playouts, trees), share: 1.0 - NETWORK_SHARE };
    let mut views: Vec<View<'_>> = by_network.into_iter().chain([by_playouts]).collect();
    let (proofs, opinions) = prove_and_search(&inquiry, &regions, &mut views, task);
    let mut answer = LocalAnswer { time: begun.elapsed(), ..choose(proofs?, &opinions, task.at.is_some()) };
    if task.check > 0 {
        answer.checked = check_answer(position, &answer, task)?;
    }
    Ok(answer)
}

/// Makes evaluators, a number for each.
type Maker<'a> = &'a dyn Fn(usize) -> Box<dyn Evaluator<Position>>;
type Judges = Vec<Box<dyn Evaluator<Contest>>>;

fn judges(maker: Maker<'_>, count: usize) -> Judges {
    (0..count).map(|number| Box::new(Judge(maker(number))) as _).collect()
}

/// The survey by all evaluators, each for the same part of the time.
fn look_around(position: &Position, task: &LocalTask<'_>, makers: &[Maker<'_>]) -> Survey {
    let time = task.time.mul_f64(SURVEY_SHARE / 2.0 / makers.len() as f64);
    let surveys = makers.iter().map(|maker| {
        let mut judges = judges(maker, task.threads.max(1));
        let mut searchers = Searchers { judges: &mut judges, params: &task.settings.search, stop: task.stop };
        Survey::new(position, &mut searchers, &within(time))
    });
    surveys.reduce(|all, other| all.joined(position.board(), &other)).expect("there are playouts at the least")
}

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

/// Proofs, and beside them what trees and the survey think of the moves: the share of the visits of each, the most promising first. All end when there is a proof of what is meant, the
/// time is over, or the inquiry is stopped.
fn prove_and_search(
    inquiry: &Inquiry<'_>,
    regions: &[Region],
    views: &mut [View<'_>],
    task: &LocalTask<'_>,
) -> (Result<Proofs, Unsolved>, Opinions) {
    let done = StopFlag::new();
    let mut opinions = Opinions::default();
    opinions.add(inquiry.survey.shares(inquiry.first), task.time.mul_f64(SURVEY_SHARE / 2.0));
    let proofs = thread::scope(|scope| {
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
        search_all(views, &mut opinions, inquiry.end, &done, task);
        proving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    let counts = |proofs: &Proofs| task.at.is_some() || proofs.wins.iter().any(|win| win.counts(&opinions, false));
    if proofs.as_ref().is_ok_and(|proofs| !counts(proofs)) && !inquiry.is_over() {
        // A proof of something else ended it; now the trees have the time that is left.
        search_all(views, &mut opinions, inquiry.end, task.stop, task);
    }
    (proofs, opinions)
}

/// Searches the views, one after the other, until `end`.
fn search_all(views: &mut [View<'_>], opinions: &mut Opinions, end: Instant, stop: &StopFlag, task: &LocalTask<'_>) {
    let mut rest: f64 = views.iter().map(|view| view.share).sum();
    for View { fight, judges, share } in views {
        let begun = Instant::now();
        let left = end.saturating_duration_since(begun).mul_f64(*share / rest);
        rest -= *share;
        let report = Searchers { judges, params: &task.settings.search, stop }.search(fight.clone(), TREE, &within(left));
        opinions.add(&shares(&report), begun.elapsed());
    }
}

/// A fight with those who judge it, and their share of the time.
struct View<'a> {
    fight: Fight<'a>,
    judges: Judges,
    share: f64,
}

/// What searches think of the first moves: the shares of their visits, each by its time in seconds, the most promising first.
#[derive(Default)]
struct Opinions(Vec<(Move, f32)>);

impl Opinions {
    fn add(&mut self, shares: &[(Move, f32)], time: Duration) {
        for &(mv, share) in shares {
            let share = share * time.as_secs_f32();
            match self.0.iter_mut().find(|(other, _)| *other == mv) {
                Some((_, all)) => *all += share,
                None => self.0.push((mv, share)),
            }
        }
        self.0.sort_by(|a, b| b.1.total_cmp(&a.1));
    }

    /// The place of a move, from 0.
    fn rank(&self, mv: Move) -> usize {
        self.0.iter().position(|&(other, _)| other == mv).unwrap_or(usize::MAX)
    }
}

impl Win {
    /// Whether it is an answer when searches think so of the moves. Who `named` the chain has asked a question that is surely meant. Otherwise a proof whose move they hardly look at is one of
    /// a question that was not meant; and what is proved of something smaller than what is open counts if they have come to the same.
    fn counts(&self, opinions: &Opinions, named: bool) -> bool {
        let most = if self.is_sure { MEANT } else { 1 };
        self.is_sure && named || self.answer.winning.iter().any(|&mv| opinions.rank(mv) < most)
    }
}

/// The answer to give when searches think so of the moves.
fn choose(proofs: Proofs, opinions: &Opinions, named: bool) -> LocalAnswer {
    let Proofs { wins, other, nodes } = proofs;
    let win = wins.into_iter().find(|win| win.counts(opinions, named));
    let mut answer = win.map_or(other, |win| win.answer);
    let failing = std::mem::take(&mut answer.likely);
    answer.likely = opinions.0.iter().map(|&(mv, _)| mv).filter(|mv| !failing.contains(mv)).collect();
    answer.winning.sort_by_key(|&mv| opinions.rank(mv));
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
