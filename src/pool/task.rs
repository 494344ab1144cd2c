//! The search of one position, in as many pieces as it takes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::{Event, Glances, Job, Tell};
use crate::clock::Budget;
use crate::engine::mirror;
use crate::eval::{Evaluator, Playouts};
use crate::nn::{LoadedNetwork, NetEvaluator};
use crate::rules::Position;
use crate::search::{Limits, Listener, MOST_VISITS, Report, Search, SearchOptions};
use crate::util::{Rng, StopFlag};

/// Random streams of a task: more than it ever has threads times pieces.
const STREAMS: u64 = 1 << 32;

/// What all tasks are done with.
pub(super) struct Tools {
    pub(super) network: Option<Arc<LoadedNetwork>>,
    /// Bytes that a task's tree may take.
    pub(super) tree: u64,
}

/// What the positions of a batch have in common.
pub(super) struct Batch {
    pub(super) number: u64,
    /// Visits that the pool had done for all batches when this one came.
    pub(super) born: u64,
    /// Visits that its positions have yet to get, as far as is known.
    pub(super) left: AtomicU64,
    pub(super) tell: Tell,
}

impl Batch {
    /// What it is served by, the least first: what it has left to do, and what was done before it came. So one with little to do goes first, but of those that
    /// come again and again only until as much was done as the other has to do.
    pub(super) fn turn(&self) -> u64 {
        self.left.load(Relaxed).saturating_add(self.born)
    }
}

/// A position on its way through the pool.
pub(super) struct Task {
    pub(super) order: u64,
    pub(super) index: usize,
    pub(super) batch: Arc<Batch>,
    pub(super) job: Job,
    /// Ends the present piece of the search.
    pub(super) pause: StopFlag,
    /// Ends the search.
    pub(super) terminate: StopFlag,
    search: Option<Search<Position>>,
    /// What was found so far.
    report: Option<Report>,
    /// Time of searching.
    spent: Duration,
    /// Time of searching at which it is next told how it stands.
    due: Duration,
    /// Evaluators made so far.
    evaluators: u64,
}

impl Task {
    pub(super) fn new(order: u64, index: usize, batch: Arc<Batch>, mut job: Job) -> Self {
        job.visits = job.visits.min(MOST_VISITS);
        Self {
            order,
            index,
            batch,
            due: job.glances.map_or(Duration::MAX, |glances| glances.first),
            job,
            pause: StopFlag::new(),
            terminate: StopFlag::new(),
            search: None,
            report: None,
            spent: Duration::ZERO,
            evaluators: 0,
        }
    }

    /// Visits that it has yet to get.
    pub(super) fn left(&self) -> u64 {
        self.job.visits.saturating_sub(self.visits())
    }

    fn visits(&self) -> u64 {
        self.report.as_ref().map_or(0, |report| report.visits)
    }

    /// Tells that it is done.
    pub(super) fn tell_end(self) {
        (self.batch.tell)(self.index, Event::Done(self.report));
    }

    /// Searches with so many threads until it is done or paused. Whether it is done, and the visits that it took.
    pub(super) fn work(&mut self, threads: usize, tools: &Tools) -> (bool, u64) {
        let before = self.left();
        // A fault of ours costs this position, not the others. (The panic was told on standard error.)
        let is_sound = catch_unwind(AssertUnwindSafe(|| self.search(threads, tools))).is_ok();
        let is_late = self.job.time.is_some_and(|time| self.spent >= time);
        let is_done = !is_sound || self.left() == 0 || is_late || self.terminate.is_set();
        let visited = before - self.left();
        let done = if is_done { before } else { visited };
        // Only this thread works on the task, so no two take the same visits off.
        self.batch.left.fetch_sub(done.min(self.batch.left.load(Relaxed)), Relaxed);
        if is_done {
            self.search = None;
        }
        (is_done, visited)
    }

    fn search(&mut self, threads: usize, tools: &Tools) {
        let begun = Instant::now();
        let settings = &self.job.settings;
        let mut evaluators: Vec<_> = (0..threads as u64).map(|number| self.evaluator(number, tools)).collect();
        self.evaluators += threads as u64;
        let mut search = self.search.take().unwrap_or_else(|| Search::new(self.job.root(), tools.tree));
        let time = self.job.time.map(|time| time.saturating_sub(self.spent));
        let limits = Limits { visits: Some(self.job.visits), playouts: None, budget: time.map(Budget::exactly) };
        let options = SearchOptions { wide_root_noise: settings.search.wide_root_noise, ..self.job.options.clone() };
        let (spent, due) = (self.spent, &mut self.due);
        let interval = self.job.glances.map(|glances| interval(glances, *due, spent));
        let mut glance = |report: &Report| {
            let Some(glances) = self.job.glances else { return };
            let now = spent + begun.elapsed();
            if now >= *due {
                (self.batch.tell)(self.index, Event::Glance(report.clone()));
                *due = now.max(*due + glances.every);
            }
        };
        let listener = interval.map(|interval| Listener { interval, tell: &mut glance });
        let report = mirror::run(&mut search, &mut evaluators, &settings.search, &limits, &options, &self.pause, listener);
        self.report = Some(report);
        self.search = Some(search);
        self.spent += begun.elapsed();
    }

    fn evaluator(&self, number: u64, tools: &Tools) -> Box<dyn Evaluator<Position>> {
        let settings = &self.job.settings;
        let to_move = self.job.line.to_move(self.job.turn);
        let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
        let seed = settings.search.seed.unwrap_or_else(clock);
        // With a seed the same position is seen the same way again, whoever else is asked about.
        let place = (self.job.turn as u64).wrapping_mul(STREAMS).wrapping_add(self.evaluators + number);
        let rng = Rng::for_place(seed, place);
        match &tools.network {
            Some(network) => Box::new(NetEvaluator::new(Arc::clone(network), &settings.network, rng).for_root(to_move)),
            None => Box::new(Playouts::new(settings, rng, 0.0)),
        }
    }
}

/// How often to look whether it is time to tell. The first time may be sooner than the usual interval, or lie in an earlier piece.
fn interval(glances: Glances, due: Duration, spent: Duration) -> Duration {
    glances.every.min(due.saturating_sub(spent)).max(SHORTEST_GLANCE)
}

/// A report takes some time to make.
const SHORTEST_GLANCE: Duration = Duration::from_millis(1);
