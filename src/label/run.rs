//! A run from its first row to its last.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use super::games::{Games, Order};
use super::journal::Journal;
use super::samples::Sampler;
use super::teacher::Teaching;
use super::{LabelError, Policy, Settings};
use crate::rows::{Row, Shard};
use crate::util::StopFlag;

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Rows that are kept, those of earlier calls among them.
    pub kept: usize,
    /// Rows that are made but not yet kept.
    pub pending: usize,
    /// Of those kept, rows for validation.
    pub validation: usize,
    /// Games that there are.
    pub games: usize,
    /// Records that could not be read.
    pub broken: usize,
}

/// Makes rows until there are as many as asked for, or no position is left, or `stop` is set. Tells each row to `watch`.
///
/// # Errors
/// If games or teacher cannot be read, or rows cannot be kept.
pub fn run(settings: &Settings, stop: &StopFlag, watch: &(dyn Fn(Progress) + Sync)) -> Result<Progress, LabelError> {
    let games = Games::read(settings)?;
    let mut journal = Journal::open(settings, terms(settings, &games))?;
    let teaching = || settings.teacher.as_ref().map(Teaching::new);
    let mut samplers: Vec<Sampler<'_>> = (0..settings.threads).map(|_| Sampler::new(settings, teaching())).collect();
    let orders = [false, true].map(|validation| games.order(settings, validation));
    let mut left = orders.each_ref().map(|order| order.len() > 0);
    let progress = |journal: &Journal, pending| {
        let validation = journal.done(true).rows;
        let kept = journal.done(false).rows + validation;
        Progress { kept, pending, validation, games: games.len(), broken: games.broken }
    };
    loop {
        let now = progress(&journal, 0);
        watch(now);
        let Some(validation) = next_set(settings, now, left) else { break };
        if stop.is_set() {
            break;
        }
        let set = usize::from(validation);
        let wanted = settings.rows_per_file.min(room(settings, now, validation));
        let part = Part { settings, games: &games, order: &orders[set], from: journal.done(validation).turns, wanted };
        let (rows, turns) = part.make(&mut samplers, stop, &|pending| watch(progress(&journal, pending)));
        // No game had a position left.
        left[set] = !rows.is_empty() || stop.is_set();
        let mut shard = Shard::new(settings.side);
        for row in rows {
            shard.push(row);
        }
        if turns > 0 {
            journal.add(&shard, turns, validation)?;
        }
    }
    journal.close()?;
    Ok(progress(&journal, 0))
}

/// What a run goes by, and a later one with the same journal has to agree with.
fn terms(settings: &Settings, games: &Games) -> Map<String, Value> {
    let teacher = settings.teacher.as_ref().map(|teacher| {
        let file = teacher.network.file().and_then(Path::file_name);
        let name = file.map_or_else(|| teacher.network.name().into(), |file| file.to_string_lossy());
        let policy = match teacher.policy {
            Policy::Teacher => json!(true),
            Policy::Record => json!(false),
            Policy::Both => json!("both"),
        };
        let mut terms =
            json!({ "network": name, "symmetries": teacher.symmetries, "policy": policy, "random_rules": teacher.random_rules });
        // Absent where there are none: journals of before know of none.
        if teacher.astray > 0.0 {
            terms["astray"] = json!(teacher.astray);
        }
        terms
    });
    let terms = json!({
        "games": games.fingerprint(),
        "side": settings.side,
        "per_game": settings.per_game,
        "held_out": settings.held_out,
        "teacher": teacher,
    });
    let Value::Object(terms) = terms else { unreachable!("it is written as an object") };
    terms
}

/// Rows that a set may still get.
fn room(settings: &Settings, now: Progress, validation: bool) -> usize {
    let for_validation = (settings.rows as f64 * settings.validation).round() as usize;
    if validation {
        for_validation.saturating_sub(now.validation)
    } else {
        (settings.rows - for_validation).saturating_sub(now.kept - now.validation)
    }
}

/// Which set gets the next file: that which has the smaller share of its rows. Nothing when both are full, or have no positions `left`.
fn next_set(settings: &Settings, now: Progress, left: [bool; 2]) -> Option<bool> {
    let open = |validation: bool| left[usize::from(validation)] && room(settings, now, validation) > 0;
    let done = [(now.kept - now.validation) as f64, now.validation as f64];
    let validation_behind = done[1] * (1.0 - settings.validation) < done[0] * settings.validation;
    match (open(false), open(true)) {
        (false, false) => None,
        (true, true) => Some(validation_behind),
        (_, validation) => Some(validation),
    }
}

/// Rows that make a file.
struct Part<'a> {
    settings: &'a Settings,
    games: &'a Games,
    order: &'a Order,
    /// The first turn.
    from: usize,
    /// Rows that are to be made.
    wanted: usize,
}

impl Part<'_> {
    /// Makes the rows, and says how many turns of games they took. If `stop` is set, as many as are made by then.
    fn make(&self, samplers: &mut [Sampler<'_>], stop: &StopFlag, watch: &(dyn Fn(usize) + Sync)) -> (Vec<Row>, usize) {
        let (mut rows, mut turns) = (Vec::new(), 0);
        // A game can have fewer positions than are wanted of it; those of a whole round without any are all used up.
        let mut idle = 0;
        while rows.len() < self.wanted && idle < self.order.len() && !stop.is_set() {
            let count = (self.wanted - rows.len()).div_ceil(self.settings.per_game);
            let done = self.make_turns(self.from + turns, count, samplers, stop, &|pending| watch(rows.len() + pending));
            turns += done.len();
            let before = rows.len();
            idle += done.len();
            rows.extend(done.into_iter().flatten());
            if rows.len() > before {
                idle = 0;
            }
        }
        rows.truncate(self.wanted);
        (rows, turns)
    }

    /// The rows of so many turns, each in its place; those after the first that was not finished when `stop` was set are left out.
    fn make_turns(
        &self,
        from: usize,
        count: usize,
        samplers: &mut [Sampler<'_>],
        stop: &StopFlag,
        watch: &(dyn Fn(usize) + Sync),
    ) -> Vec<Vec<Row>> {
        let (next, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let done: Mutex<Vec<Option<Vec<Row>>>> = Mutex::new((0..count).map(|_| None).collect());
        let work = |sampler: &mut Sampler<'_>| {
            while !stop.is_set() {
                let turn = next.fetch_add(1, Relaxed);
                if turn >= count {
                    break;
                }
                let Some((game, round)) = self.order.game(from + turn) else { break };
                let record = self.games.record(game);
                let rows = record.map_or_else(Vec::new, |record| sampler.rows(&record, self.games.hash(game), round));
                watch(made.fetch_add(rows.len(), Relaxed) + rows.len());
                done.lock()[turn] = Some(rows);
            }
        };
        thread::scope(|scope| {
            for sampler in samplers {
                scope.spawn(|| work(sampler));
            }
        });
        done.into_inner().into_iter().map_while(|rows| rows).collect()
    }
}
