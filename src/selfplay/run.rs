//! Many games at once, until there are enough.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::params::Settings;
use super::play::play;
use super::player::Judge;
use super::record::GameRecord;
use super::store::{Part, Store, StoreError, fingerprint};
use super::targets::{RowOptions, rows};
use crate::rows::Shard;
use crate::util::{Rng, StopFlag};

/// How often the run looks at the stop flag and tells how it stands.
const TICK: Duration = Duration::from_millis(100);
/// How often it looks for the games of other runs in its folder.
const COUNTING: Duration = Duration::from_secs(10);

/// What to do.
pub struct Plan {
    /// The settings.
    pub settings: Settings,
    /// What judges positions.
    pub judge: Judge,
    /// The folder, as [`Store`] has it.
    pub out: PathBuf,
    /// Ends when there are so many games in the folder; else it goes on until it is stopped.
    pub games: Option<usize>,
    /// Games at a time, a thread each.
    pub at_once: usize,
    /// Seed of all chance. With the same one, a folder with as many games and one game at a time, the same games come again.
    pub seed: Option<u64>,
}

/// Why a run could not begin, or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Boards are larger than the rows' tensors.
    #[error("dataBoardLen is smaller than the largest of the boards")]
    Tensor,
    /// The folder.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games in the folder, those of earlier and other runs among them, as last counted.
    pub finished: usize,
    /// Games of this run.
    pub games: usize,
    /// Rows of this run.
    pub rows: usize,
    /// Moves of these games.
    pub moves: usize,
    /// Evaluations by network, or playouts, of this run.
    pub evaluations: u64,
    /// Of these games, those that were played on to their end though both sides were sure.
    pub played_on: usize,
    /// Of those, the ones that did not end as both thought.
    pub turned: usize,
    /// Time since its start.
    pub elapsed: Duration,
}

/// Sees every game as it ends, and now and then how the run stands.
pub type Watcher<'a> = &'a (dyn Fn(Option<&GameRecord>, &Progress) + Sync);

/// What the games of a run share.
struct State {
    progress: Progress,
    /// Number of the next game.
    next: usize,
    /// Games that are being played.
    playing: usize,
}

/// Plays games until there are enough in the folder or `stop` is set, and returns how the run stands then. Games that are not finished then
/// are lost.
///
/// # Errors
/// If boards do not fit the rows, or games cannot be kept.
pub fn run(plan: &Plan, stop: &StopFlag, watch: Watcher<'_>) -> Result<Progress, RunError> {
    let tensor = plan.settings.tensor().ok_or(RunError::Tensor)?;
    let store = Store::open(&plan.out)?;
    let finished = store.finished()?;
    let begun = Instant::now();
    let run = Run {
        plan,
        store,
        row_options: RowOptions { tensor, prefer_pass_alive: plan.judge.prefers_pass_alive() },
        seed: run_seed(plan.seed, finished),
        over: StopFlag::new(),
        visits: AtomicU64::new(0),
        state: Mutex::new(State { progress: Progress { finished, ..Progress::default() }, next: 0, playing: 0 }),
        begun,
        watch,
    };
    while !stop.is_set() && !run.has_enough() {
        run.over.clear();
        run.play(stop)?;
        run.count()?;
    }
    Ok(run.progress())
}

/// A run in progress.
struct Run<'a> {
    plan: &'a Plan,
    store: Store,
    row_options: RowOptions,
    seed: u64,
    /// Ends all games.
    over: StopFlag,
    visits: AtomicU64,
    state: Mutex<State>,
    begun: Instant,
    watch: Watcher<'a>,
}

impl Run<'_> {
    /// Plays at all tables until there seem to be enough games or `stop` is set.
    fn play(&self, stop: &StopFlag) -> Result<(), StoreError> {
        thread::scope(|scope| {
            let tables: Vec<_> = (0..self.plan.at_once.max(1)).map(|_| scope.spawn(|| self.serve())).collect();
            let mut counted = Instant::now();
            while !tables.iter().all(thread::ScopedJoinHandle::is_finished) {
                thread::sleep(TICK);
                if counted.elapsed() >= COUNTING {
                    counted = Instant::now();
                    self.count()?;
                    if self.has_enough() {
                        self.over.set();
                    }
                }
                if stop.is_set() {
                    self.over.set();
                }
                (self.watch)(None, &self.progress());
            }
            let join = |table: thread::ScopedJoinHandle<_>| table.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            tables.into_iter().try_for_each(join)
        })
    }

    /// Plays game after game at one table.
    fn serve(&self) -> Result<(), StoreError> {
        let _end = EndOnPanic(&self.over);
        while let Some(number) = self.next() {
            // Each game has chance of its own.
            let rng = Rng::new(self.seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let name = format!("{:016x}-{number}", self.seed);
            let Plan { settings, judge, .. } = self.plan;
            let record = play(settings, judge, name, rng, &self.over, &self.visits);
            let rows = record.as_ref().map(|record| self.keep(record)).transpose().inspect_err(|_| self.over.set())?;
            let mut state = self.state.lock();
            state.playing -= 1;
            if let (Some(record), Some(rows)) = (&record, rows) {
                let progress = &mut state.progress;
                progress.finished += 1;
                progress.games += 1;
                progress.rows += rows;
                progress.moves += record.end.moves().len();
                progress.played_on += usize::from(record.turned().is_some());
                progress.turned += usize::from(record.turned() == Some(true));
                drop(state);
                (self.watch)(Some(record), &self.progress());
            }
        }
        Ok(())
    }

    /// The number of the game to begin, if there is one more to play.
    fn next(&self) -> Option<usize> {
        if self.over.is_set() {
            return None;
        }
        let mut state = self.state.lock();
        if self.plan.games.is_some_and(|games| state.progress.finished + state.playing >= games) {
            return None;
        }
        state.playing += 1;
        state.next += 1;
        Some(state.next)
    }

    /// Keeps a finished game, and returns how many rows it has.
    fn keep(&self, record: &GameRecord) -> Result<usize, StoreError> {
        let sgf = record.to_sgf();
        let game = fingerprint(&sgf);
        let mut shard = Shard::new(self.row_options.tensor.width());
        for row in rows(record, game, &self.row_options, &mut Rng::new(game as u64)) {
            shard.push(row);
        }
        let share = (game >> 64) as f64 / u64::MAX as f64;
        let part = if share < f64::from(self.plan.settings.rows.val_share) { Part::Val } else { Part::Train };
        self.store.add(part, &shard, &sgf)?;
        Ok(shard.len())
    }

    /// Looks for the games of other runs.
    fn count(&self) -> Result<(), StoreError> {
        let finished = self.store.finished().inspect_err(|_| self.over.set())?;
        self.state.lock().progress.finished = finished;
        Ok(())
    }

    /// Whether there are enough games.
    fn has_enough(&self) -> bool {
        self.plan.games.is_some_and(|games| self.state.lock().progress.finished >= games)
    }

    fn progress(&self) -> Progress {
        let evaluations = self.plan.judge.evaluations().unwrap_or_else(|| self.visits.load(Relaxed));
        Progress { evaluations, elapsed: self.begun.elapsed(), ..self.state.lock().progress }
    }
}

/// The seed of a run that goes on in a folder with so many games: another one each time, so that no game is played again.
fn run_seed(seed: Option<u64>, finished: usize) -> u64 {
    let chance = || RandomState::new().build_hasher().finish();
    let seed = seed.unwrap_or_else(chance);
    if finished == 0 { seed } else { Rng::new(seed ^ Rng::new(finished as u64).next_u64()).next_u64() }
}

/// Ends all games when one panics.
struct EndOnPanic<'a>(&'a StopFlag);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.set();
        }
    }
}
