//! What servers and referees say around a game.

use std::time::Duration;

use super::{Arguments, Reply, Session};
use crate::clock::Budget;
use crate::gtp::format;
use crate::search::{Limits, SearchOptions};
use crate::util::StopFlag;

/// How long to look at a position for the sake of a remark.
const GLANCE: Duration = Duration::from_millis(300);
/// And how many playouts, which say as much as the remark can hold.
const PLAYOUTS: u64 = 1000;

/// `kgs-chat game|private NAME TEXT`: answers with the engine's view of the game.
pub(super) fn chat(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    let size = session.size();
    if let Some((_, report)) = &session.last_search {
        return Ok(format::sentence(report, size));
    }
    session.await_network()?;
    let color = session.engine.position().to_move();
    let limits = Limits { budget: Some(Budget::exactly(GLANCE)), playouts: Some(PLAYOUTS), ..Limits::default() };
    let options = SearchOptions::default();
    let report = session.engine.analyze(color, &limits, &options, &StopFlag::new(), None);
    Ok(format::sentence(&report, size))
}

/// `kgs-game_over`, `cgos-gameover RESULT`: there is nothing left to think about.
pub(super) fn game_over(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    session.in_game = false;
    Ok(String::new())
}

/// `cgos-opponent_name NAME`, `cgos-opponent_rating RATING`: it plays alike against everybody.
pub(super) fn take_note(_: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(String::new())
}

/// `gomill-explain_last_move`: empty if there was none.
pub(super) fn explain_last_move(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    let Some((decision, report)) = &session.last_search else { return Ok(String::new()) };
    Ok(format!("{}: {}", session.name_of(*decision), format::sentence(report, session.size())))
}
