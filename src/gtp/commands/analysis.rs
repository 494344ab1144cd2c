//! Analysis without end: any input ends it.

use std::time::Duration;

use super::{Arguments, Reply, Session};
use crate::gtp::analyze::{Region, Wishes};
use crate::gtp::format::{self, Style};
use crate::gtp::refusal::Refusal;
use crate::search::{Limits, Listener, Report, Restriction, SearchOptions};

/// An interval that does not come to an end: thirty years.
pub(super) const NEVER: Duration = Duration::from_secs(1_000_000_000);

/// `lz-analyze [COLOUR] [INTERVAL] [KEY VALUE]...`
pub(super) fn lz_analyze(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    analyze(session, arguments, Style::LeelaZero)
}

/// `kata-analyze` and, the same for Sabaki, `analyze`.
pub(super) fn kata_analyze(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    analyze(session, arguments, Style::KataGo)
}

fn analyze(session: &mut Session<'_>, arguments: &Arguments<'_>, style: Style) -> Reply {
    let size = session.size();
    let wishes = session.wishes(arguments)?;
    let color = session.color_of(&wishes);
    session.await_network()?;
    let (engine, replies, stop) = (&mut session.engine, &mut session.replies, session.inbox.arrival());
    replies.head();
    let write = |report: &Report| format::line(report, size, style, &wishes);
    let mut told = false;
    let mut tell = |report: &Report| {
        told = true;
        replies.line(&write(report));
    };
    let listener = Listener { interval: wishes.interval.unwrap_or(NEVER), tell: &mut tell };
    let report = engine.analyze(color, &Limits::default(), &options(&wishes), stop, Some(listener));
    if !told {
        replies.line(&write(&report));
    }
    session.in_game = false;
    Ok(String::new())
}

/// `kata-benchmark VISITS`: how fast the game as it stands is searched, from an empty tree. Any input ends it.
pub(super) fn benchmark(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let visits = arguments.number("a number of visits")?;
    if visits < 1.0 {
        return Err(Refusal::syntax("the number of visits is at least 1"));
    }
    session.await_network()?;
    session.engine.clear_cache();
    let limits = Limits { visits: Some(visits as u64), ..Limits::default() };
    let color = session.engine.position().to_move();
    let report = session.engine.analyze(color, &limits, &SearchOptions::default(), session.inbox.arrival(), None);
    let (size, threads, seconds) = (session.size(), session.engine.settings().search.threads, report.elapsed.as_secs_f64());
    let rate = report.visits as f64 / seconds.max(1e-9);
    Ok(format!("{} visits on {size} with {threads} threads in {seconds:.3} s: {rate:.1} visits a second", report.visits))
}

/// What the search may look at.
pub(super) fn options(wishes: &Wishes) -> SearchOptions {
    let avoid = wishes.avoid.iter().map(|region| (region, false));
    let allow = wishes.allow.iter().map(|region| (region, true));
    let restriction = |(region, only): (&Region, bool)| Restriction {
        player: region.color.index(),
        actions: region.moves.clone(),
        only,
        until_depth: region.until_depth as usize,
    };
    let restrictions = avoid.chain(allow).map(restriction).collect();
    let moves_ownership = wishes.moves_ownership || wishes.moves_ownership_stdev;
    SearchOptions { restrictions, moves_ownership, ..SearchOptions::default() }
}

/// `stop`: ends pondering, as its mere arrival ends an analysis.
pub(super) fn stop(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    session.in_game = false;
    Ok(String::new())
}
