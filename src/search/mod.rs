//! Monte-Carlo tree search with any number of threads over any [`Game`] and any [`Evaluator`].
//!
//! Read `worker.rs` first: it holds an iteration. `node.rs` and `tree.rs` are what it works on, `select.rs` how it chooses (`rave.rs` by
//! playouts, `puct.rs` by a network), this file who starts and stops it, `report.rs` what comes out.

mod amaf;
mod harvest;
mod lcb;
mod limits;
mod node;
mod noise;
mod path;
mod puct;
mod rave;
mod report;
mod root;
mod select;
mod tree;
mod watch;
mod weigh;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

pub use limits::{Limits, Restriction, SearchOptions};
pub use report::{Candidate, Report};

use crate::eval::utility::ScoreUtility;
use crate::eval::{Evaluation, Evaluator, Evidence, Prior};
use crate::game::Game;
use crate::params::SearchParams;
use crate::util::{Rng, StopFlag};
use harvest::Harvest;
use lcb::Bounds;
use node::{Node, Opinion, Outcome};
use puct::Puct;
use rave::Rave;
use root::RootPolicy;
use select::{Permits, Selection};
use tree::{ROOT, Tree};
use watch::Watch;
use weigh::Scales;
use worker::{Common, Ended, Worker};

/// What pruning takes for each node of the tree, at most.
const NODE_PRUNING: Duration = Duration::from_nanos(100);
/// Visits at which a search ends in any case, before a node's counters run over: hours of thinking about one position.
pub(crate) const MOST_VISITS: u64 = 1 << 30;
/// Policy below which a move in a network's tree gets no node, for nodes take memory: it would be tried after some 100,000 visits of its parent.
/// (At the root all moves have nodes.)
const LEAST_POLICY: f32 = 1e-4;
/// How often the search looks at the clock and the stop flag.
const TICK: Duration = Duration::from_millis(5);

/// A tree and the state at its root. The tree outlives searches: going on to a state below the root keeps what was learnt of it.
pub struct Search<G: Game> {
    root: G,
    tree: Tree,
    /// What the tree was grown by.
    evidence: Evidence,
    root_policy: RootPolicy,
    /// What a network said of the root.
    opinion: Option<Evaluation<G::Action>>,
    /// What earlier searches of this root have seen.
    harvest: Harvest,
    /// The lead of player 0 about which points count in the utilities that are in the tree.
    centre: Option<f32>,
    /// How often noise was drawn.
    noises: u64,
}

/// How a search works: what it takes from the parameters and the kind of its evaluators.
struct Manner {
    selection: Selection,
    /// Visits at which a leaf is expanded.
    expand_at: u32,
    /// Actions of less policy get no node.
    least_policy: f32,
    score_utility: ScoreUtility,
    /// Of a network search.
    bounds: Option<Bounds>,
    /// For each thread of a network search.
    scales: Option<Scales>,
    /// Whether a network was asked about the root just now.
    judged: bool,
    /// Seed of the noise.
    seed: u64,
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
        let (evidence, root_policy) = (Evidence::Playout, RootPolicy::Stale);
        Self {
            root,
            tree: Tree::new(memory),
            evidence,
            root_policy,
            opinion: None,
            harvest: Harvest::default(),
            centre: None,
            noises: 0,
        }
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
        if !actions.is_empty() {
            self.forget_root();
        }
        if !self.tree.advance(actions.iter().map(|&action| G::index(action))) {
            self.forget();
        }
    }

    /// Goes to any state, and forgets everything.
    pub fn restart(&mut self, root: G) {
        self.root = root;
        self.forget();
    }

    fn forget(&mut self) {
        self.tree.clear();
        self.forget_root();
        self.centre = None;
    }

    /// Forgets what is known of the root alone.
    fn forget_root(&mut self) {
        self.root_policy = RootPolicy::Stale;
        self.opinion = None;
        self.harvest = Harvest::default();
    }

    /// Searches with a thread for each evaluator until a limit is reached or `stop` is set. The root must not be terminal. What evaluators
    /// of another kind have grown is forgotten.
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
        if evaluators[0].evidence() != self.evidence {
            self.evidence = evaluators[0].evidence();
            self.forget();
        }
        let visits = self.visits();
        let manner = self.manner(evaluators, params, options, &harvests[0]);
        let kept = limits.visits.map(|limit| limit.saturating_sub(visits));
        let most = kept.into_iter().chain(limits.playouts).min().unwrap_or(u64::MAX);
        let most = most.min(MOST_VISITS.saturating_sub(visits)).max(1);
        // A network's look at the root may have been the first visit.
        let signals = Signals { begun: AtomicU64::new(self.visits() - visits), ..Signals::default() };
        let watch = Watch {
            player: self.root.player(),
            begun,
            limits,
            most,
            stop,
            permits: &permits,
            bounds: manner.bounds.as_ref(),
            harvests: &harvests,
            signals: &signals,
        };
        let mut growing = true;
        // What a network said of the root is something to tell, if there was no time for more.
        while !(manner.judged && watch.is_over()) {
            self.round(evaluators, &manner, options.moves_ownership, growing, &watch, &mut listener);
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
        let report = self.report(&watch);
        for harvest in &harvests {
            self.harvest.merge(&harvest.lock());
        }
        report
    }

    /// Readies the root, and decides how to search.
    fn manner(
        &mut self,
        evaluators: &mut [Box<dyn Evaluator<G>>],
        params: &SearchParams,
        options: &SearchOptions<G::Action>,
        harvest: &Mutex<Harvest>,
    ) -> Manner {
        // A lone thread has nobody to send elsewhere.
        let virtual_loss = if evaluators.len() > 1 { params.virtual_loss as f32 } else { 0.0 };
        let evaluator = evaluators[0].as_mut();
        let seed = self.chance(params);
        match self.evidence {
            Evidence::Playout => {
                self.expand_root(evaluator);
                let rave = Rave { equivalence: params.rave_equivalence, exploration: params.exploration, virtual_loss };
                Manner {
                    selection: Selection::Rave(rave),
                    expand_at: params.expand_at,
                    least_policy: 0.0,
                    score_utility: ScoreUtility::NONE,
                    bounds: None,
                    scales: None,
                    judged: false,
                    seed,
                }
            }
            Evidence::Network => {
                let (score_utility, judged) = self.judge_root(evaluator, params, seed, harvest);
                let highest = 1.0 + score_utility.highest();
                let puct = Puct::new(params, highest)
                    .with_wide_root_noise(options.wide_root_noise)
                    .with_forced_playouts(options.forced_playouts);
                Manner {
                    selection: Selection::Puct(puct),
                    expand_at: 1,
                    least_policy: LEAST_POLICY,
                    score_utility,
                    bounds: Some(Bounds::new(params, highest)),
                    scales: Some(Scales::new(params)),
                    judged,
                    seed,
                }
            }
        }
    }

    /// Runs the workers until the search is over or the tree is full.
    fn round(
        &self,
        evaluators: &mut [Box<dyn Evaluator<G>>],
        manner: &Manner,
        moves_ownership: bool,
        growing: bool,
        watch: &Watch<'_>,
        listener: &mut Option<Listener<'_, G::Action>>,
    ) {
        let common = Common {
            tree: &self.tree,
            root: &self.root,
            selection: manner.selection,
            permits: watch.permits,
            moves_ownership,
            expand_at: if growing { manner.expand_at } else { u32::MAX },
            least_policy: manner.least_policy,
            score_utility: manner.score_utility,
        };
        let signals = watch.signals;
        signals.stop.store(false, Ordering::Relaxed);
        signals.running.store(evaluators.len(), Ordering::Relaxed);
        let manager = thread::current();
        thread::scope(|scope| {
            for (stream, (evaluator, harvest)) in evaluators.iter_mut().zip(watch.harvests).enumerate() {
                let rng = Rng::for_stream(manner.seed, stream);
                let (common, running) = (&common, Running { signals, manager: manager.clone() });
                scope.spawn(move || {
                    let _running = running;
                    let mut worker = Worker::new(common, evaluator.as_mut(), manner.scales.clone(), rng, harvest);
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
                    (listener.tell)(&self.report(watch));
                    *due = now.max(*due + listener.interval);
                }
            }
        });
    }

    fn report(&self, watch: &Watch<'_>) -> Report<G::Action> {
        let mut harvest = self.harvest.clone();
        for worker in watch.harvests {
            harvest.merge(&worker.lock());
        }
        let playouts = harvest.all.count - self.harvest.all.count;
        let report = report::report::<G>(&self.tree, watch.player, watch.permits, watch.bounds, &harvest);
        Report { playouts, elapsed: watch.begun.elapsed(), raw: self.opinion.clone(), ..report }
    }
}

/// What `evaluation` says, from the side of `player`.
fn outcome<A>(evaluation: &Evaluation<A>, player: usize) -> Outcome {
    let outcome = Outcome { utility: evaluation.value, result: evaluation.result, lead: evaluation.lead };
    outcome.times(if player == 0 { 1.0 } else { -1.0 })
}

/// The actions of `priors` as children of a node.
fn opinions<G: Game>(priors: &[Prior<G::Action>]) -> impl ExactSizeIterator<Item = (usize, Opinion)> {
    let opinion = |prior: &Prior<G::Action>| Opinion { policy: prior.policy, games: prior.games, value: prior.value };
    priors.iter().map(move |prior| (G::index(prior.action), opinion(prior)))
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
