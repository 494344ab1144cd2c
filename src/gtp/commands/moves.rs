//! Commands that find a move. More input does not end them; GoGui's `# interrupt` does, and `stop` those that play nothing.

use std::time::Duration;

use super::analysis;
use super::{Arguments, Reply, Session};
use crate::board::Color;
use crate::engine::{Decision, Ending};
use crate::gtp::analyze::Wishes;
use crate::gtp::format::{self, Style};
use crate::gtp::refusal::Refusal;
use crate::gtp::session::Telling;
use crate::search::{Report, SearchOptions};
use crate::util::StopFlag;

/// `genmove COLOUR`
pub(super) fn genmove(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let color = arguments.color()?;
    let decision = find(session, color, &session.inbox.interrupt().clone(), None)?;
    session.carry_out(color, decision)
}

/// `reg_genmove COLOUR`: plays nothing, and leaves the clock alone.
pub(super) fn reg_genmove(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let clocks = session.clocks.clone();
    let reply = search(session, arguments);
    session.clocks = clocks;
    reply
}

/// `kata-search COLOUR`: plays nothing.
pub(super) fn search(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let color = arguments.color()?;
    let decision = find(session, color, &session.inbox.halt().clone(), None)?;
    Ok(session.name_of(decision))
}

/// `kata-search_cancellable COLOUR`: any input ends it.
pub(super) fn search_cancellable(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let color = arguments.color()?;
    let decision = find(session, color, &session.inbox.arrival().clone(), None)?;
    Ok(name_unless_cancelled(session, decision))
}

/// `lz-genmove_analyze`, with the arguments of `lz-analyze`.
pub(super) fn lz_genmove_analyze(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    genmove_analyze(session, arguments, Style::LeelaZero)
}

/// `kata-genmove_analyze`, with the arguments of `kata-analyze`.
pub(super) fn kata_genmove_analyze(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    genmove_analyze(session, arguments, Style::KataGo)
}

fn genmove_analyze(session: &mut Session<'_>, arguments: &mut Arguments<'_>, style: Style) -> Reply {
    let wishes = session.wishes(arguments)?;
    let color = session.color_of(&wishes);
    let decision = find_and_tell(session, &wishes, style, &session.inbox.interrupt().clone())?;
    Ok(format!("play {}", session.carry_out(color, decision)?))
}

/// `kata-search_analyze`, with the arguments of `kata-analyze`: plays nothing.
pub(super) fn search_analyze(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let wishes = session.wishes(arguments)?;
    let decision = find_and_tell(session, &wishes, Style::KataGo, &session.inbox.halt().clone())?;
    Ok(format!("play {}", session.name_of(decision)))
}

/// `kata-search_analyze_cancellable`: any input ends it.
pub(super) fn search_analyze_cancellable(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let wishes = session.wishes(arguments)?;
    let decision = find_and_tell(session, &wishes, Style::KataGo, &session.inbox.arrival().clone())?;
    Ok(format!("play {}", name_unless_cancelled(session, decision)))
}

/// `cgos-genmove_analyze COLOUR`: a line of JSON before the move.
pub(super) fn cgos_genmove_analyze(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let color = arguments.color()?;
    let size = session.size();
    session.await_network()?;
    session.replies.head();
    let write = move |report: &Report| format::cgos(report, size);
    let only_at_the_end = analysis::NEVER;
    let telling: Telling<'_> = Some((only_at_the_end, &write));
    let decision = find(session, color, &session.inbox.interrupt().clone(), telling)?;
    Ok(format!("play {}", session.carry_out(color, decision)?))
}

/// `kgs-genmove_cleanup COLOUR`: as `genmove`, but it does not pass while dead stones of the opponent are on the board, nor resign.
pub(super) fn genmove_cleanup(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let color = arguments.color()?;
    let stop = session.inbox.interrupt().clone();
    let decision = session.think(color, &SearchOptions::default(), Ending::Cleanup, &stop, None)?;
    session.carry_out(color, decision)
}

fn find_and_tell(session: &mut Session<'_>, wishes: &Wishes, style: Style, stop: &StopFlag) -> Result<Decision, Refusal> {
    let size = session.size();
    let color = session.color_of(wishes);
    session.await_network()?;
    session.replies.head();
    let write = |report: &Report| format::line(report, size, style, wishes);
    let interval: Duration = wishes.interval.unwrap_or(analysis::NEVER);
    session.think(color, &analysis::options(wishes), Ending::Usual, stop, Some((interval, &write)))
}

fn find(session: &mut Session<'_>, color: Color, stop: &StopFlag, telling: Telling<'_>) -> Result<Decision, Refusal> {
    session.think(color, &SearchOptions::default(), Ending::Usual, stop, telling)
}

/// The move, unless input has come that cancels it.
fn name_unless_cancelled(session: &Session<'_>, decision: Decision) -> String {
    if session.inbox.arrival().is_set() { "cancelled".to_owned() } else { session.name_of(decision) }
}
