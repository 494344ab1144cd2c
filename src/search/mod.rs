//! Monte-Carlo tree search with any number of threads over any [`Game`] and any [`Evaluator`].
//!
//! Read `worker.rs` first: it holds an iteration. `node.rs` and `tree.rs` are what it works on, `select.rs` how it chooses, this file who
//! starts and stops it, `report.rs` what comes out.

mod amaf;
mod harvest;
mod limits;
mod node;
mod path;
mod report;
mod select;
mod tree;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

pub use limits::{Limits, Restriction, SearchOptions};
pub use report::{Candidate, Report};

use crate::eval::{Evaluation, Evaluator, Request};
use crate::game::Game;
use crate::params::SearchParams;
use crate::util::StopFlag;
use harvest::Harvest;
use node::{Node, Opinion};
use select::{Permits, Selection};
use tree::{ROOT, Tree};
use worker::{Common, Ended, Worker};

/// What pruning takes for each node of the tree, at most.
const NODE_PRUNING: Duration = Duration::from_nanos(100);
/// Visits at which a search ends in any case, before a node's counters run over: hours of thinking about one position.
const MOST_VISITS: u64 = 1 << 30;
/// How often the search looks at the clock and the stop flag.
const TICK: Duration = Duration::from_millis(5);

/// A tree and the state at its root. The tree outlives searches: going on to a state below the root keeps what was learnt of it.
pub struct Search<G: Game> {
    root: G,
    tree: Tree,
}

/// Where to tell about a running search, and how often.
pub struct Listener<'a, A> {
    /// Time between reports.
    pub interval: Duration,
    /// Takes each report.
    pub tell: &'a mut dyn FnMut(&Report<A>),
}

/// What the threads of a running search tell one another.
#[derive(Default)]
struct Signals {
    /// Asks the workers to end.
    stop: AtomicBool,
    /// A leaf found no room.
    full: AtomicBool,
    /// Iterations begun.
    begun: AtomicU64,
    /// Workers that have not ended.
    running: AtomicUsize,
}

impl<G: Game> Search<G> {
    /// A search of `root` whose tree takes at most `memory` bytes (4 MiB at the least).
    pub fn new(root: G, memory: u64) -> Self {
        Self { root, tree: Tree::new(memory) }
    }

    /// The state that is searched.
    pub fn root(&self) -> &G {
        &self.root
    }

    /// Visits of the root.
    pub fn visits(&self) -> u64 {
        self.tree.node(ROOT).visits() as u64
    }

    /// Memory that the tree takes now, in bytes.
    pub fn memory(&self) -> u64 {
        (self.tree.len() * size_of::<Node>()) as u64
    }

    /// Goes on to `root`, the state after `actions` from the old root: what the tree knows of it is kept.
    pub fn advance(&mut self, root: G, actions: &[G::Action]) {
        self.root = root;
        if !self.tree.advance(actions.iter().map(|&action| G::index(action))) {
            self.tree.clear();
        }
    }

    /// Goes to any state, and forgets everything.
    pub fn restart(&mut self, root: G) {
        self.root = root;
        self.tree.clear();
    }

    /// Searches with a thread for each evaluator until a limit is reached or `stop` is set. The root must not be terminal.
    pub fn run(
        &mut self,
        evaluators: &mut [Box<dyn Evaluator<G>>],
        params: &SearchParams,
        limits: &Limits,
        options: &SearchOptions<G::Action>,
        stop: &StopFlag,
        mut listener: Option<Listener<'_, G::Action>>,
    ) -> Report<G::Action> {
        debug_assert!(!self.root.is_terminal());
        let begun = Instant::now();
        let permits = Permits::new::<G>(&options.restrictions);
        let harvests: Vec<Mutex<Harvest>> = evaluators.iter().map(|_| Mutex::default()).collect();
        self.expand_root(evaluators);
        let kept = limits.visits.map(|visits| visits.saturating_sub(self.visits()));
        let most = kept.into_iter().chain(limits.playouts).min().unwrap_or(u64::MAX);
        let most = most.min(MOST_VISITS.saturating_sub(self.visits())).max(1);
        let signals = Signals::default();
        let watch = Watch {
            player: self.root.player(),
            begun,
            limits,
            most,
            stop,
            permits: &permits,
            harvests: &harvests,
            signals: &signals,
        };
        let mut growing = true;
        loop {
            self.round(evaluators, params, options.moves_ownership, growing, &watch, &mut listener);
            let full = signals.full.swap(false, Ordering::Relaxed);
            if !full || signals.stop.load(Ordering::Relaxed) || signals.begun.load(Ordering::Relaxed) >= most {
                break;
            }
            // A pruning that might not end in time is left out: the search goes on in the tree as it is.
            growing = watch.has_left(NODE_PRUNING * self.tree.len() as u32);
            if growing {
                self.tree.prune();
            }
        }
        watch.hold_if_endless();
        debug_assert!(self.tree.is_at_rest(), "a virtual loss was left behind");
        self.report(&harvests, &permits, begun)
    }

    /// Gives the root children, so that every search has a choice to tell of.
    fn expand_root(&mut self, evaluators: &mut [Box<dyn Evaluator<G>>]) {
        let root = self.tree.node(ROOT);
        if !root.claim() {
            return;
        }
        let mut evaluation = [Evaluation::default()];
        evaluators[0].evaluate(&[Request { state: &self.root, priors: true, root: true }], &mut evaluation);
        let children = evaluation[0].priors.iter();
        let opinion = |policy, games, value| Opinion { policy, games, value };
        let children = children.map(|prior| (G::index(prior.action), opinion(prior.policy, prior.games, prior.value)));
        self.tree.expand(root, children).expect("a cleared tree has room for one block of children");
    }

    /// Runs the workers until the search is over or the tree is full.
    fn round(
        &self,
        evaluators: &mut [Box<dyn Evaluator<G>>],
        params: &SearchParams,
        moves_ownership: bool,
        growing: bool,
        watch: &Watch<'_>,
        listener: &mut Option<Listener<'_, G::Action>>,
    ) {
        let common = Common {
            tree: &self.tree,
            root: &self.root,
            selection: Selection { rave_equivalence: params.rave_equivalence, exploration: params.exploration },
            permits: watch.permits,
            moves_ownership,
            expand_at: if growing { params.expand_at } else { u32::MAX },
            // A lone thread has nobody to send elsewhere.
            virtual_loss: if evaluators.len() > 1 { params.virtual_loss } else { 0 },
        };
        let signals = watch.signals;
        signals.stop.store(false, Ordering::Relaxed);
        signals.running.store(evaluators.len(), Ordering::Relaxed);
        let manager = thread::current();
        thread::scope(|scope| {
            for (evaluator, harvest) in evaluators.iter_mut().zip(watch.harvests) {
                let (common, running) = (&common, Running { signals, manager: manager.clone() });
                scope.spawn(move || {
                    let _running = running;
                    let mut worker = Worker::new(common, evaluator.as_mut(), harvest);
                    // One look is always taken, so that there is something to tell.
                    while signals.begun.fetch_add(1, Ordering::Relaxed) < watch.most {
                        if let Ended::Full = worker.iterate() {
                            signals.full.store(true, Ordering::Relaxed);
                            break;
                        }
                        if signals.full.load(Ordering::Relaxed) || signals.stop.load(Ordering::Relaxed) {
                            break;
                        }
                    }
                });
            }
            let _stop = StopOnPanic(&signals.stop);
            let mut next_report = listener.as_ref().map(|listener| watch.begun.elapsed() + listener.interval);
            while signals.running.load(Ordering::Relaxed) > 0 {
                thread::park_timeout(TICK);
                if watch.is_over() || watch.is_decided(&self.tree) {
                    signals.stop.store(true, Ordering::Relaxed);
                    break;
                }
                let (Some(listener), Some(due)) = (listener.as_mut(), next_report.as_mut()) else { continue };
                let now = watch.begun.elapsed();
                if now >= *due && self.visits() > 0 {
                    (listener.tell)(&self.report(watch.harvests, watch.permits, watch.begun));
                    *due = now.max(*due + listener.interval);
                }
            }
        });
    }

    fn report(&self, harvests: &[Mutex<Harvest>], permits: &Permits, begun: Instant) -> Report<G::Action> {
        let mut total = Harvest::default();
        for harvest in harvests {
            total.merge(&harvest.lock());
        }
        report::report::<G>(&self.tree, self.root.player(), permits, &total, begun.elapsed())
    }
}

/// Tells the managing thread that a worker has ended, in whichever way: a panic must not leave it waiting, nor the other workers at work.
struct Running<'a> {
    signals: &'a Signals,
    manager: thread::Thread,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.signals.stop.store(true, Ordering::Relaxed);
        }
        self.signals.running.fetch_sub(1, Ordering::Relaxed);
        self.manager.unpark();
    }
}

/// Ends the workers when the managing thread panics: they would work on for ever.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Decides when a running search ends.
struct Watch<'a> {
    /// Who is to move at the root.
    player: usize,
    begun: Instant,
    limits: &'a Limits,
    /// Iterations, at most.
    most: u64,
    stop: &'a StopFlag,
    permits: &'a Permits,
    harvests: &'a [Mutex<Harvest>],
    signals: &'a Signals,
}

impl Watch<'_> {
    /// True if it must end: somebody asks for it, or the time is used up.
    fn is_over(&self) -> bool {
        self.stop.is_set() || self.limits.budget.is_some_and(|budget| self.begun.elapsed() >= budget.hard)
    }

    /// True if at least this much time is left, or there is no limit.
    fn has_left(&self, time: Duration) -> bool {
        self.limits.budget.is_none_or(|budget| self.begun.elapsed() + time < budget.hard)
    }

    /// An endless search has ended by itself only because the counters are full: it waits to be stopped.
    fn hold_if_endless(&self) {
        let Limits { visits, playouts, budget } = *self.limits;
        while visits.is_none() && playouts.is_none() && budget.is_none() && !self.stop.is_set() {
            thread::sleep(TICK);
        }
    }

    /// True if it may end: there is nothing to choose, the leader cannot be caught, or the planned time is over and the choice stands.
    fn is_decided(&self, tree: &Tree) -> bool {
        let Some(budget) = self.limits.budget else { return false };
        let root = tree.node(ROOT);
        let Some((_, children)) = tree.children(root) else { return false };
        let children: Vec<&Node> = children.iter().filter(|child| self.permits.permit(0, self.player, child.action())).collect();
        let visits: u64 = self.harvests.iter().map(|harvest| harvest.lock().count).sum();
        if visits == 0 {
            return false;
        }
        if children.len() == 1 && budget.saves {
            return true;
        }
        let elapsed = self.begun.elapsed();
        let Some(leader) = children.iter().max_by_key(|child| child.visits()) else { return true };
        let second =
            children.iter().filter(|child| !std::ptr::eq(**child, *leader)).map(|child| child.visits()).max().unwrap_or(0);
        if elapsed < budget.soft {
            let left = budget.soft.saturating_sub(elapsed).as_secs_f64();
            let rate = visits as f64 / elapsed.as_secs_f64().max(1e-3);
            // A tenth of the time is always spent: before, the rate is not known.
            return budget.saves && elapsed * 10 > budget.soft && f64::from(leader.visits().saturating_sub(second)) > rate * left;
        }
        // Unstable: another move that was tried in earnest wins more often than the leader.
        let share = |visits: f32, wins: f32| wins / visits.max(1.0);
        let leader_tally = leader.tally();
        let bar = share(leader_tally.visits, leader_tally.wins);
        !children.iter().any(|child| {
            let tally = child.tally();
            tally.visits * 4.0 > leader_tally.visits && share(tally.visits, tally.wins) > bar + 0.002
        })
    }
}
