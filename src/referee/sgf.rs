//! The record of a game of a match, as SGF.

use super::Settings;
use super::record::GameRecord;
use super::summary::EngineSummary;
use super::time::write_time_control;
use crate::rules::Position;
use crate::sgf::{self, GameResult, Player, Record};

/// The game as an SGF text; `record` has its result, `position` its moves.
pub(super) fn write(settings: &Settings, engines: &[EngineSummary; 2], record: &GameRecord, position: &Position) -> String {
    let name = |engine: &EngineSummary| format!("{} {}", engine.name, engine.version).trim().to_owned();
    let player = |side: super::Side| Player { name: Some(name(&engines[side.index()])), rank: None };
    let rules = settings.rules;
    let mut info = vec![
        ("GN", format!("Game {}", record.number)),
        ("GC", format!("{}\n{} moves of opening", record.detail, record.opening_moves)),
    ];
    let [black, white] = [record.black, record.black.other()].map(|side| write_time_control(settings.times[side.index()]));
    match (black == white, black.as_str()) {
        (true, "none") => {}
        (true, _) => info.push(("OT", black)),
        (false, _) => info.push(("OT", format!("Black {black}, White {white}"))),
    }
    let mut game = Record {
        komi: Some(rules.komi),
        rules: Some(rules.name().map_or_else(|| rules.to_json(), str::to_owned)),
        players: [record.black, record.black.other()].map(player),
        result: GameResult::read(&record.result),
        info: info.into_iter().map(|(property, text)| (property.to_owned(), text)).collect(),
        ..Record::new(settings.size)
    };
    for &(color, mv) in position.moves() {
        game.push(color, mv);
    }
    sgf::write(&[game.to_tree()])
}
