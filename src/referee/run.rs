//! A match from its first game to its last.

use std::collections::VecDeque;
use std::thread;

use parking_lot::Mutex;

use super::game::{Plan, Played, Table, play};
use super::record::GameRecord;
use super::store::{Store, StoreError};
use super::summary::{EngineSummary, Summary};
use super::{Settings, sgf};
use crate::clock::TimeControl;
use crate::gtp::{Remote, controller::Failure};
use crate::util::StopFlag;

/// Why a match could not begin, or go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine does not even start, or refuses to set up a game.
    #[error("engine {which} [{command}] cannot take part: {failure}")]
    Engine {
        /// A, B or the judge.
        which: String,
        /// Its command line.
        command: String,
        /// What went wrong.
        failure: Failure,
    },
    /// The folder for the games.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Sees every game as it ends, with the summary so far; at the start of a match, what there is of it already.
pub type Watcher<'a> = &'a (dyn Fn(Option<&GameRecord>, &Summary) + Sync);

/// What all tables share.
struct State<'a> {
    settings: &'a Settings,
    engines: [EngineSummary; 2],
    /// Numbers of the games nobody plays yet.
    waiting: VecDeque<usize>,
    records: Vec<GameRecord>,
    store: Option<Store>,
}

/// Plays a match, or what is left of it in [`Settings::out`], and returns its summary: at its end, at the decision of its sequential
/// test, or soon after `stop` was set.
///
/// # Errors
/// If an engine does not start at all, or games cannot be kept.
pub fn run(settings: &Settings, stop: &StopFlag, watch: Watcher) -> Result<Summary, MatchError> {
    let (store, records) = match &settings.out {
        Some(folder) => Store::open(folder, settings.terms()).map(|(store, records)| (Some(store), records))?,
        None => (None, Vec::new()),
    };
    let engines = introduce(settings)?;
    let played = |number: &usize| records.iter().any(|record| record.number == *number);
    let waiting: VecDeque<usize> = (1..=settings.games).filter(|number| !played(number)).collect();
    let tables = settings.concurrency.clamp(1, waiting.len().max(1));
    let state = State { settings, engines, waiting, records, store };
    let summary = state.summary();
    state.keep_summary(&summary)?;
    watch(None, &summary);

    let over = StopFlag::new();
    if summary.is_decided() {
        over.set();
    }
    let state = Mutex::new(state);
    let table = || serve(&state, settings, &over, stop, watch);
    thread::scope(|scope| {
        let tables: Vec<_> = (0..tables).map(|_| scope.spawn(table)).collect();
        let join = |table: thread::ScopedJoinHandle<_>| table.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        tables.into_iter().try_for_each(join)
    })?;
    let state = state.into_inner();
    Ok(state.summary())
}

/// Plays game after game at one table.
fn serve(state: &Mutex<State>, settings: &Settings, over: &StopFlag, stop: &StopFlag, watch: Watcher) -> Result<(), StoreError> {
    let stopped = || over.is_set() || stop.is_set();
    let mut table = Table::new(settings);
    while !stopped() {
        let Some(number) = state.lock().waiting.pop_front() else { break };
        let plan = Plan::new(number, settings);
        let Some(played) = play(settings, &plan, &mut table, &stopped) else { break };
        let mut state = state.lock();
        if over.is_set() {
            break;
        }
        let summary = state.add(played).inspect_err(|_| over.set())?;
        if summary.is_decided() {
            over.set();
        }
        watch(state.records.last(), &summary);
    }
    table.close();
    Ok(())
}

impl State<'_> {
    fn summary(&self) -> Summary {
        Summary::new(&self.engines, self.settings.games, self.settings.sprt, &self.records)
    }

    fn keep_summary(&self, summary: &Summary) -> Result<(), StoreError> {
        self.store.as_ref().map_or(Ok(()), |store| store.summarise(summary))
    }

    /// Keeps a game, and returns the summary with it.
    fn add(&mut self, Played { record, position }: Played) -> Result<Summary, StoreError> {
        if let Some(store) = &mut self.store {
            let sgf = sgf::write(self.settings, &self.engines, &record, &position);
            store.add(&record, sgf.as_bytes())?;
        }
        self.records.push(record);
        let summary = self.summary();
        self.keep_summary(&summary)?;
        Ok(summary)
    }
}

/// Starts every engine once, for its name, and to find a wrong command line or a board it does not play on before the first game.
fn introduce(settings: &Settings) -> Result<[EngineSummary; 2], MatchError> {
    let meet = |which: &str, command: &String, time: TimeControl| -> Result<EngineSummary, MatchError> {
        let ready = Remote::start(command, settings.patience)
            .and_then(|mut remote| remote.new_game(settings.size, &settings.rules, time).map(|()| remote));
        let remote =
            ready.map_err(|failure| MatchError::Engine { which: which.to_owned(), command: command.clone(), failure })?;
        let (name, version) = (remote.name().to_owned(), remote.version().to_owned());
        remote.quit();
        Ok(EngineSummary { command: command.clone(), name, version, ..EngineSummary::default() })
    };
    if let Some(judge) = &settings.judge {
        meet("judge", judge, TimeControl::None)?;
    }
    let [a, b] = &settings.engines;
    Ok([meet("A", a, settings.times[0])?, meet("B", b, settings.times[1])?])
}
