//! The end of the game, with dead stones as the engine judges them.

use super::{Arguments, Reply, Session};
use crate::gtp::refusal::Refusal;
use crate::rules::Outcome;

/// `final_score`: `B+3.5`, `W+0.5` or `0`.
pub(super) fn final_score(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    Ok(Outcome::Score(session.engine.judge().score).to_string())
}

/// `final_status_list dead|alive|seki`: a line for each chain.
pub(super) fn final_status_list(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let status = arguments.word("a status (dead, alive or seki)")?;
    let judgement = session.engine.judge().clone();
    let position = session.engine.position();
    let stones = match status {
        "dead" => judgement.dead,
        "seki" => judgement.seki,
        "alive" => judgement.alive(position),
        _ => return Err(Refusal::syntax(format!("'{status}' is no status; there are dead, alive and seki"))),
    };
    let board = position.board();
    let heads = stones.iter().filter(|&point| board.head(point) == point);
    let chain = |head| board.chain(head).map(|point| board.size().vertex(point)).collect::<Vec<_>>().join(" ");
    Ok(heads.map(chain).collect::<Vec<_>>().join("\n"))
}
