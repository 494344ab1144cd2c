//! Looks at every position of many games: the pool does, in the order of the games.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::game::Game;
use super::journal::{Journal, JournalError};
use super::look::Look;
use crate::board::Size;
use crate::nn::{LoadedNetwork, NotLoaded};
use crate::params::Settings;
use crate::pool::{Event, Job, Pool, load_network};
use crate::search::{Report, SearchOptions};
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
    Network(#[from] NotLoaded),
    /// A journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A fault of ours.
    #[error("{game}: the position after {moves} moves cannot be looked at, by a fault of Tengen's that is told above")]
    Fault {
        /// The game's source.
        game: String,
        /// Moves before the position.
        moves: usize,
    },
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
struct Place {
    game: usize,
    moves: usize,
}

/// Looks at every position of `games` that was not looked at before, until that is done or `stop` is set.
///
/// # Errors
/// If there is no network though the settings name one, a journal cannot be kept, or the watcher fails.
pub fn run(games: &[Game], plan: &Plan, stop: &StopFlag, watcher: &mut dyn Watcher) -> Result<(), RunError> {
    let Some(first) = games.first() else { return Ok(()) };
    let bench = Bench::new(plan, first.record.size)?;
    let (mut journals, mut known) = (Vec::new(), Vec::new());
    for game in games {
        let (journal, looks) = Journal::open(&plan.journals, game, &bench.judge)?;
        journals.push(journal);
        known.push(looks);
    }
    let missing = |(game, looks): (usize, &Vec<Option<Look>>)| {
        let open: Vec<usize> = looks.iter().enumerate().filter(|(_, look)| look.is_none()).map(|(moves, _)| moves).collect();
        open.into_iter().map(move |moves| Place { game, moves })
    };
    let places: Vec<Place> = known.iter().enumerate().flat_map(missing).collect();
    let mut desk = Desk { games, journals, known, judge: &bench.judge, progress: Progress::default() };
    desk.progress.all = games.iter().map(Game::positions).sum();
    desk.progress.done = desk.progress.all - places.len();
    for game in 0..games.len() {
        desk.finish(game, watcher)?;
    }
    let jobs = bench.jobs(games, &places);
    let (sender, looks) = channel();
    let tell = move |place, event| {
        if let Event::Done(report) = event {
            // The desk may be closed already.
            let _ = sender.send((place, report));
        }
    };
    let pool = Pool::new(&bench.settings, bench.network);
    pool.submit(jobs, Arc::new(tell));
    let done = desk.collect(&places, &looks, stop, watcher);
    pool.abandon();
    done
}

/// What looks at positions.
struct Bench {
    settings: Arc<Settings>,
    network: Option<Arc<LoadedNetwork>>,
    judge: String,
}

impl Bench {
    /// Reads the network, if the settings name one.
    fn new(plan: &Plan, size: Size) -> Result<Self, RunError> {
        let mut settings = plan.settings.clone();
        let network = load_network(&settings, size)?;
        if settings.search.max_visits.or(settings.search.max_playouts).is_none() && settings.time.max_time.is_none() {
            settings.search.max_visits = Some(if network.is_some() { VISITS_BY_NETWORK } else { VISITS_BY_PLAYOUTS });
        }
        let judge = judge(&settings, network.as_deref());
        Ok(Self { settings: Arc::new(settings), network, judge })
    }

    fn jobs(&self, games: &[Game], places: &[Place]) -> Vec<Job> {
        let search = &self.settings.search;
        // In a fresh tree there are as many playouts as visits.
        let visits = search.max_visits.into_iter().chain(search.max_playouts).min().unwrap_or(u64::MAX);
        // With a seed the same looks shall come again, so each is by one thread then.
        let most_threads = if search.seed.is_some() { 1 } else { usize::MAX };
        let mut jobs = Vec::with_capacity(places.len());
        for places in places.chunk_by(|a, b| a.game == b.game) {
            let lines = games[places[0].game].lines();
            jobs.extend(places.iter().map(|place| {
                let (line, turn) = &lines[place.moves];
                Job {
                    line: Arc::clone(line),
                    turn: *turn,
                    hide_history: false,
                    settings: Arc::clone(&self.settings),
                    visits,
                    time: self.settings.time.max_time,
                    options: SearchOptions::default(),
                    priority: 0,
                    most_threads,
                    glances: None,
                }
            }));
        }
        jobs
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

/// Where looks come in.
struct Desk<'a> {
    games: &'a [Game],
    journals: Vec<Journal>,
    known: Vec<Vec<Option<Look>>>,
    judge: &'a str,
    progress: Progress,
}

impl Desk<'_> {
    /// Takes what was found of `places` until that is all, or `stop` is set.
    fn collect(
        &mut self,
        places: &[Place],
        looks: &Receiver<(usize, Option<Report>)>,
        stop: &StopFlag,
        watcher: &mut dyn Watcher,
    ) -> Result<(), RunError> {
        let mut left = places.len();
        while left > 0 && !stop.is_set() {
            match looks.recv_timeout(TICK) {
                Ok((place, report)) => {
                    let Place { game, moves } = places[place];
                    let fault = || RunError::Fault { game: self.games[game].source.clone(), moves };
                    let look = Look::of(&report.ok_or_else(fault)?);
                    self.journals[game].add(moves, &look)?;
                    self.known[game][moves] = Some(look);
                    self.progress.done += 1;
                    left -= 1;
                    self.finish(game, watcher)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("the pool tells of every position"),
            }
            watcher.progress(self.progress);
        }
        Ok(())
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
