//! Analysis without end: any input ends it.

use std::time::Duration;

use super::{Arguments, Reply, Session};
use crate::gtp::analyze::{Region, Wishes};
use crate::gtp::format::{self, Style};
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
    let wishes = Wishes::parse(arguments.clone(), size)?;
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
    SearchOptions { restrictions, moves_ownership: wishes.moves_ownership, ..SearchOptions::default() }
}

/// `stop`: ends pondering, as its mere arrival ends an analysis.
pub(super) fn stop(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    session.in_game = false;
    Ok(String::new())
}
