//! The state of a match, counted from its finished games.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::record::{GameRecord, Side, Used};
use super::stats::{Sprt, Tally, Verdict};

/// What `summary.json` says, its settings aside. Shares and Elo are A's; numbers that are infinite become null.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// A and B.
    pub engines: [EngineSummary; 2],
    /// Finished games.
    pub games: usize,
    /// Games that the match is to have.
    pub games_planned: usize,
    /// Wins, draws and losses of A, and the pairs by A's points (0, 1/2, 1, 3/2, 2).
    pub tally: Tally,
    /// A's share of the points.
    pub score: f64,
    /// 95 % interval of it, were all games independent (Wilson).
    pub score_interval: (f64, f64),
    /// A's Elo minus B's.
    pub elo: f64,
    /// 95 % interval of it, from the spread of the pairs.
    pub elo_interval: (f64, f64),
    /// Likelihood that A is the stronger one.
    pub superiority: f64,
    /// The sequential test.
    pub sprt: Option<SprtSummary>,
    /// Games by the way they ended.
    pub ends: BTreeMap<String, usize>,
    /// Games that were counted, by the way of counting.
    pub counted: BTreeMap<String, usize>,
    /// Moves of an average game.
    pub average_moves: f64,
}

/// One engine's side of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EngineSummary {
    /// Its command line.
    pub command: String,
    /// The name it gave.
    pub name: String,
    /// The version it gave.
    pub version: String,
    /// Games won.
    pub wins: usize,
    /// Games won with Black.
    pub wins_as_black: usize,
    /// Games lost by a failure: time, illegal moves, crashes, hanging, refusals.
    pub failures: BTreeMap<String, usize>,
    /// Thinking time.
    pub time: Used,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtSummary {
    /// Its hypotheses and error rates.
    #[serde(flatten)]
    pub test: Sprt,
    /// Log-likelihood ratio.
    pub ratio: f64,
    /// The ratios at which it ends.
    pub bounds: (f64, f64),
    /// What it has found.
    pub verdict: Verdict,
}

impl Summary {
    /// Counts the games. `engines` have their names already.
    pub fn new(engines: &[EngineSummary; 2], games_planned: usize, sprt: Option<Sprt>, records: &[GameRecord]) -> Self {
        let mut engines = engines.clone();
        let tally = count(records);
        let mut ends = BTreeMap::new();
        let mut counted = BTreeMap::new();
        for record in records {
            *ends.entry(name_of(record.end)).or_default() += 1;
            if let Some(way) = record.counted {
                *counted.entry(name_of(way)).or_default() += 1;
            }
            for side in Side::BOTH {
                engines[side.index()].add(side, record);
            }
        }
        let (elo, low, high) = tally.elo();
        let state =
            |test: Sprt| SprtSummary { test, ratio: test.ratio(&tally), bounds: test.bounds(), verdict: test.verdict(&tally) };
        Self {
            engines,
            games: records.len(),
            games_planned,
            tally,
            score: tally.score(),
            score_interval: tally.wilson(),
            elo,
            elo_interval: (low, high),
            superiority: tally.superiority(),
            sprt: sprt.map(state),
            ends,
            counted,
            average_moves: records.iter().map(|record| record.moves).sum::<usize>() as f64 / records.len().max(1) as f64,
        }
    }

    /// Whether the sequential test has come to an end.
    pub fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.verdict != Verdict::Open)
    }

    /// The score so far in a few words, for a progress bar.
    pub fn line(&self) -> String {
        let Tally { wins, draws, losses, .. } = self.tally;
        let test = self.sprt.map(|sprt| format!(", LLR {:.2} [{:.2}, {:.2}]", sprt.ratio, sprt.bounds.0, sprt.bounds.1));
        format!("A {wins} : {losses} B{}, {}{}", drawn(draws), self.elo_text(), test.unwrap_or_default())
    }

    fn elo_text(&self) -> String {
        let (low, high) = self.elo_interval;
        format!("Elo {:+.0} [{low:+.0}, {high:+.0}]", self.elo)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { wins, draws, losses, pairs } = self.tally;
        for (side, engine) in Side::BOTH.into_iter().zip(&self.engines) {
            writeln!(f, "{side:?}: {} {}  [{}]", engine.name, engine.version, engine.command)?;
        }
        if self.games == 0 {
            return write!(f, "No game has ended yet.");
        }
        writeln!(f, "{} of {} games: A {wins} : {losses} B{}", self.games, self.games_planned, drawn(draws))?;
        let percent = |share: f64| 100.0 * share;
        let (low, high) = self.score_interval;
        writeln!(f, "A scores {:.1} % [{:.1}, {:.1}]", percent(self.score), percent(low), percent(high))?;
        writeln!(f, "{}, A is stronger with {:.1} %", self.elo_text(), percent(self.superiority))?;
        writeln!(f, "Pairs by A's points 0, 1/2, 1, 3/2, 2: {pairs:?}")?;
        if let Some(SprtSummary { test, ratio, bounds, verdict }) = self.sprt {
            let found = match verdict {
                Verdict::Open => "open",
                Verdict::Better => "A is better",
                Verdict::Worse => "A is not better",
            };
            writeln!(
                f,
                "SPRT {} to {} Elo: LLR {ratio:.2} in [{:.2}, {:.2}], {found}",
                test.elo0, test.elo1, bounds.0, bounds.1
            )?;
        }
        for (side, engine) in Side::BOTH.into_iter().zip(&self.engines) {
            let Used { total, longest, moves } = engine.time;
            let average = total / f64::from(moves.max(1));
            write!(f, "{side:?} won {} ({} with Black); ", engine.wins, engine.wins_as_black)?;
            writeln!(
                f,
                "{total:.1} s in {moves} moves, {average:.3} s a move, longest {longest:.3} s; failures: {}",
                list(&engine.failures)
            )?;
        }
        writeln!(f, "Ends: {}; {:.0} moves a game", list(&self.ends), self.average_moves)?;
        write!(f, "Counted: {}", list(&self.counted))
    }
}

impl EngineSummary {
    fn add(&mut self, side: Side, record: &GameRecord) {
        self.time.join(record.time[side.index()]);
        if record.winner == Some(side) {
            self.wins += 1;
            self.wins_as_black += usize::from(record.black == side);
        } else if record.winner.is_some() && record.end.is_failure() {
            *self.failures.entry(name_of(record.end)).or_default() += 1;
        }
    }
}

/// A's wins, draws and losses, and the finished pairs.
fn count(records: &[GameRecord]) -> Tally {
    let mut tally = Tally::default();
    let mut first_of_pair = BTreeMap::new();
    for record in records {
        let points = record.half_points();
        *[&mut tally.losses, &mut tally.draws, &mut tally.wins][points] += 1;
        match first_of_pair.remove(&record.pair()) {
            None => {
                first_of_pair.insert(record.pair(), points);
            }
            Some(other) => tally.pairs[points + other] += 1,
        }
    }
    tally
}

/// The name that an end or a way of counting has in the records.
fn name_of(kind: impl Serialize) -> String {
    serde_json::to_value(kind).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn drawn(draws: u32) -> String {
    if draws == 0 { String::new() } else { format!(", {draws} drawn") }
}

fn list(counts: &BTreeMap<String, usize>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    counts.iter().map(|(name, count)| format!("{count} {}", name.replace('_', " "))).collect::<Vec<_>>().join(", ")
}
