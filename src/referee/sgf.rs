//! The record of a game of a match, as SGF.

use std::fmt::Write;

use super::Settings;
use super::record::GameRecord;
use super::summary::EngineSummary;
use crate::board::Color;
use crate::rules::Position;

/// The game as an SGF text.
pub(super) fn write(settings: &Settings, engines: &[EngineSummary; 2], record: &GameRecord, position: &Position) -> String {
    let size = settings.size;
    let mut text = "(;FF[4]GM[1]CA[UTF-8]AP[tengen]".to_owned();
    let mut put = |key: &str, value: &str| {
        let _ = write!(text, "{key}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"));
    };
    let name = |side: super::Side| format!("{} {}", engines[side.index()].name, engines[side.index()].version);
    put(
        "SZ",
        &if size.width() == size.height() { size.width().to_string() } else { format!("{}:{}", size.width(), size.height()) },
    );
    put("KM", &settings.rules.komi.to_string());
    put("PB", &name(record.black));
    put("PW", &name(record.black.other()));
    put("RE", &record.result);
    put("GC", &record.detail);
    for &(color, mv) in position.moves() {
        let at = |n: u8| (b'a' + n) as char;
        let place = mv.point().map(|point| size.coord(point)).map_or(String::new(), |c| format!("{}{}", at(c.x), at(c.y)));
        let _ = write!(text, "\n;{}[{place}]", if color == Color::Black { 'B' } else { 'W' });
    }
    text.push_str(")\n");
    text
}
