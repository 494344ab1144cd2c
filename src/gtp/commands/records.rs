//! Game records.

use std::fs;

use super::{Arguments, Reply, Session};
use crate::gtp::refusal::Refusal;
use crate::rules::Position;
use crate::sgf::{self, Record};

/// `loadsgf FILE [MOVE]`: the position before that move, counted from 1, or at the end. The name may stand in quotes.
pub(super) fn loadsgf(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let path = arguments.path()?;
    let count = match arguments.peek() {
        Some(_) => arguments.parse::<usize>("a move number")?.saturating_sub(1),
        None => usize::MAX,
    };
    let bytes = fs::read(path).map_err(|error| Refusal::other(format!("cannot load file {path}: {error}")))?;
    let (start, end) = read(&bytes, count, session.engine.position())
        .map_err(|error| Refusal::other(format!("cannot load file {path}: {error}")))?;
    session.begin_game(start);
    for &(color, mv) in end.moves() {
        session.engine.play(color, mv).map_err(Refusal::other)?;
    }
    Ok(String::new())
}

/// The first game of a file: where its last setup before move `count + 1` left it, and the position before that move.
fn read(bytes: &[u8], count: usize, now: &Position) -> Result<(Position, Position), Box<dyn std::error::Error>> {
    let collection = sgf::parse(bytes)?;
    let record = Record::from_tree(&collection.games[0])?;
    let rules = record.rules_or(*now.rules());
    let end = record.replay_moves(rules, count)?;
    let played = count.min(record.moves().count());
    let start = record.replay_moves(rules, played - end.moves().len())?;
    Ok((start, end))
}

/// `printsgf [FILE]`: the game so far, into a file, or into the reply without one or with `-`.
pub(super) fn printsgf(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let text = sgf::write([&record(session).to_tree()]);
    if arguments.is_empty() || arguments.rest() == "-" {
        return Ok(text);
    }
    let path = arguments.path()?;
    fs::write(path, text).map_err(|error| Refusal::other(format!("cannot write {path}: {error}")))?;
    Ok(String::new())
}

fn record(session: &Session<'_>) -> Record {
    let (start, now) = (session.start(), session.engine.position());
    let rules = now.rules();
    let mut record = Record::new(now.size());
    record.komi = Some(rules.komi);
    record.rules = Some(rules.name().map_or_else(|| rules.to_json(), str::to_owned));
    record.handicap = start.handicap_stones() as usize;
    let board = start.board();
    record.steps[0].setup = now.size().points().filter_map(|point| Some((point, Some(board.stone(point)?)))).collect();
    record.steps[0].to_move = Some(start.to_move());
    for &(color, mv) in now.moves() {
        record.push(color, mv);
    }
    record
}
