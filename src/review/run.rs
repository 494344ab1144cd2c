//! Looks at every position of many games, each core at one of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::game::Game;
use super::journal::{Journal, JournalError};
use super::look::Look;
use crate::clock::Budget;
use crate::engine::{Engine, NoNetwork};
use crate::nn::LoadedNetwork;
use crate::params::{Bytes, NetworkFile, Settings};
use crate::rules::Position;
use crate::search::{Limits, SearchOptions};
use crate::sgf::Replay;
use crate::util::StopFlag;

/// How often a run tells how far it is.
const TICK: Duration = Duration::from_millis(100);
/// Visits of a position if nothing limits them: a network's are few and good.
const VISITS_BY_NETWORK: u64 = 100;
/// The same for playouts, of which two cores make about ten thousand a second on 19x19.
const VISITS_BY_PLAYOUTS: u64 = 2000;

/// How to look.
pub struct Plan {
    /// The engine's settings. Its threads are positions at a time, and its limits those of each position.
    pub settings: Settings,
    /// Folder for what is known so far.
    pub journals: PathBuf,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Positions that are looked at, those of earlier runs among them.
    pub done: usize,
    /// Positions in all.
    pub all: usize,
    /// Games that are finished.
    pub games: usize,
}

/// Why a run could not begin, or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The network.
    #[error(transparent)]
    Network(#[from] NoNetwork),
    /// A journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What the watcher says.
    #[error(transparent)]
    Watcher(Box<dyn std::error::Error + Send + Sync>),
}

/// Sees how far a run is, and the games as they are finished.
pub trait Watcher {
    /// So far it is.
    fn progress(&mut self, progress: Progress);

    /// The game of this number has a look for each of its positions. `judge` says what looked, and how long.
    ///
    /// # Errors
    /// If the run is to end.
    fn finished(&mut self, game: usize, looks: Vec<Look>, judge: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

/// A position to look at: after so many moves of a game.
#[derive(Clone, Copy)]
struct Task {
    game: usize,
    moves: usize,
}

/// Looks at every position of `games` that was not looked at before, until that is done or `stop` is set.
///
/// # Errors
/// If there is no network though the settings name one, a journal cannot be kept, or the watcher fails.
pub fn run(games: &[Game], plan: &Plan, stop: &StopFlag, watcher: &mut dyn Watcher) -> Result<(), RunError> {
    let Some(first) = games.first() else { return Ok(()) };
    let bench = Bench::new(plan, first.replay().position())?;
    let (mut journals, mut known) = (Vec::new(), Vec::new());
    for game in games {
        let (journal, looks) = Journal::open(&plan.journals, game, &bench.judge)?;
        journals.push(journal);
        known.push(looks);
    }
    let missing = |(game, looks): (usize, &Vec<Option<Look>>)| {
        let open: Vec<usize> = looks.iter().enumerate().filter(|(_, look)| look.is_none()).map(|(moves, _)| moves).collect();
        open.into_iter().map(move |moves| Task { game, moves })
    };
    let tasks: Vec<Task> = known.iter().enumerate().flat_map(missing).collect();
    let mut desk = Desk { journals, known, judge: &bench.judge, progress: Progress::default() };
    desk.progress.all = games.iter().map(Game::positions).sum();
    desk.progress.done = desk.progress.all - tasks.len();
    for game in 0..games.len() {
        desk.finish(game, watcher)?;
    }
    let work = Work { games, tasks: &tasks, next: AtomicUsize::new(0), over: AtomicBool::new(false), stop };
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        for engine in bench.engines(&tasks, games) {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move || work.look(engine, &sender));
        }
        drop(sender);
        let done = desk.collect(&receiver, watcher);
        work.over.store(true, Relaxed);
        // Those that are in the middle of a look.
        if done.is_err() {
            stop.set();
        }
        done
    })
}

/// What looks at positions.
struct Bench {
    settings: Settings,
    network: Option<Arc<LoadedNetwork>>,
    judge: String,
}

impl Bench {
    /// Reads the network, if the settings name one.
    fn new(plan: &Plan, first: &Position) -> Result<Self, RunError> {
        let mut settings = plan.settings.clone();
        let network = Engine::new(settings.clone(), first.clone()).network()?.cloned();
        if settings.search.max_visits.or(settings.search.max_playouts).is_none() && settings.time.max_time.is_none() {
            settings.search.max_visits = Some(if network.is_some() { VISITS_BY_NETWORK } else { VISITS_BY_PLAYOUTS });
        }
        let judge = judge(&settings, network.as_deref());
        Ok(Self { settings, network, judge })
    }

    /// An engine for each core, as many as have something to do. They share the network and what it says.
    fn engines(&self, tasks: &[Task], games: &[Game]) -> Vec<Engine> {
        let Some(first) = tasks.first() else { return Vec::new() };
        let count = (self.settings.search.threads as usize).min(tasks.len());
        let mut settings = self.settings.clone();
        settings.search.threads = 1;
        settings.network.file = NetworkFile::None;
        // Weights are there once; each tree has its part of what they leave.
        let weights = self.network.as_ref().map_or(0, |network| network.memory());
        settings.search.memory = Bytes(weights + settings.search.memory.0.saturating_sub(weights) / count as u64);
        let position = games[first.game].replay().position().clone();
        let engine = || match &self.network {
            Some(network) => Engine::with_network(settings.clone(), position.clone(), Arc::clone(network)),
            None => Engine::new(settings.clone(), position.clone()),
        };
        (0..count).map(|_| engine()).collect()
    }
}

/// What looks, and how long, in words.
fn judge(settings: &Settings, network: Option<&LoadedNetwork>) -> String {
    let by = network.map_or_else(|| "playouts, without a network".to_owned(), |network| network.name().to_owned());
    let limits = [
        settings.search.max_visits.map(|visits| format!("{visits} visits a position")),
        settings.search.max_playouts.map(|playouts| format!("{playouts} playouts a position")),
        settings.time.max_time.map(|time| format!("{} s a position", time.as_secs_f32())),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    format!("Tengen {}, {by}, {}", env!("CARGO_PKG_VERSION"), limits.join(" and at most "))
}

/// What the cores share.
struct Work<'a> {
    games: &'a [Game],
    tasks: &'a [Task],
    next: AtomicUsize,
    /// Nothing is to be begun any more.
    over: AtomicBool,
    stop: &'a StopFlag,
}

impl Work<'_> {
    /// Looks at one position after the other.
    fn look(&self, mut engine: Engine, done: &Sender<(Task, Look)>) {
        let settings = engine.settings();
        let seed = settings.search.seed;
        let limits = Limits {
            visits: settings.search.max_visits,
            playouts: settings.search.max_playouts,
            budget: settings.time.max_time.map(Budget::exactly),
        };
        // Tasks come in order, so the game at hand is played on.
        let mut at_hand: Option<(usize, Replay<'_>)> = None;
        while !self.over.load(Relaxed) && !self.stop.is_set() {
            let Some(&task) = self.tasks.get(self.next.fetch_add(1, Relaxed)) else { break };
            let game = &self.games[task.game];
            let (_, replay) = match &mut at_hand {
                Some(at_hand) if at_hand.0 == task.game => at_hand,
                other => other.insert((task.game, game.replay())),
            };
            while replay.moves() < task.moves && replay.advance().is_ok_and(|more| more) {}
            let color = game.moves.get(task.moves).map_or(replay.position().to_move(), |&(color, _)| color);
            engine.set_position(replay.position().clone());
            // A fresh tree, so that what is found does not depend on which position this core had before.
            engine.recover();
            // Chance that does not depend on who looks at which.
            engine.settings_mut().search.seed = seed.map(|seed| seed.wrapping_add(task.moves as u64 + 1));
            let report = engine.analyze(color, &limits, &SearchOptions::default(), self.stop, None);
            if self.stop.is_set() || done.send((task, Look::of(&report))).is_err() {
                break;
            }
        }
    }
}

/// Where looks come in.
struct Desk<'a> {
    journals: Vec<Journal>,
    known: Vec<Vec<Option<Look>>>,
    judge: &'a str,
    progress: Progress,
}

impl Desk<'_> {
    /// Takes looks until no more come.
    fn collect(&mut self, looks: &Receiver<(Task, Look)>, watcher: &mut dyn Watcher) -> Result<(), RunError> {
        loop {
            match looks.recv_timeout(TICK) {
                Ok((Task { game, moves }, look)) => {
                    self.journals[game].add(moves, &look)?;
                    self.known[game][moves] = Some(look);
                    self.progress.done += 1;
                    self.finish(game, watcher)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            watcher.progress(self.progress);
        }
    }

    /// Hands a game over if it has all of its looks.
    fn finish(&mut self, game: usize, watcher: &mut dyn Watcher) -> Result<(), RunError> {
        if self.known[game].iter().any(Option::is_none) {
            return Ok(());
        }
        let looks = std::mem::take(&mut self.known[game]).into_iter().flatten().collect();
        self.progress.games += 1;
        watcher.finished(game, looks, self.judge).map_err(RunError::Watcher)
    }
}

/// Where journals lie in a folder of reviews.
pub fn journals(out: &Path) -> PathBuf {
    out.join(".tengen-review")
}
