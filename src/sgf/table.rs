//! Games as the rows of a table: size, komi, handicap, rules, result, ranks of both, setup, moves, separated by tabs.

use super::{GameResult, Player, Record, point};
use crate::board::{Color, Move, Size};

/// Columns of a row.
const COLUMNS: usize = 9;

/// The game of a row; nothing if it is no such row. `?` is an unknown komi and `-` says nothing. Setup is `B:aabb W:cc`, as points' letters; a
/// move is a colour's letter and a point's, or `--` for a pass.
pub(super) fn read(row: &str) -> Option<Record> {
    let columns: Vec<&str> = row.trim_end_matches(['\r', '\n']).split('\t').collect();
    let [size, komi, handicap, rules, result, black, white, setup, moves] = <[&str; COLUMNS]>::try_from(columns).ok()?;
    let size = Size::square(size.parse().ok()?).ok()?;
    let mut game = Record::new(size);
    game.komi = komi.parse().ok().filter(|komi: &f32| komi.is_finite());
    game.rules = said(rules);
    game.result = GameResult::read(result);
    game.players = [black, white].map(|rank| Player { name: None, rank: said(rank) });
    for stones in setup.split(' ').filter(|stones| !matches!(*stones, "" | "-")) {
        let (color, points) = stones.split_once(':')?;
        let color: Color = color.parse().ok()?;
        for name in pieces(points, 2) {
            game.steps[0].setup.push((point(size, name?)?, Some(color)));
        }
    }
    // One stone is none.
    game.handicap = handicap.parse().ok().filter(|&stones| stones > 1).unwrap_or(0);
    for mv in pieces(moves, 3) {
        let (color, place) = mv?.split_at_checked(1)?;
        let mv = if place == "--" { Move::PASS } else { point(size, place)?.into() };
        game.push(color.parse().ok()?, mv);
    }
    Some(game)
}

fn said(text: &str) -> Option<String> {
    (text != "-").then(|| text.to_owned())
}

/// The text in pieces of so many bytes; nothing in the place of what is no text of this length.
fn pieces(text: &str, length: usize) -> impl Iterator<Item = Option<&str>> {
    let pieces = text.as_bytes().chunks(length);
    pieces.map(move |piece| std::str::from_utf8(piece).ok().filter(|piece| piece.len() == length))
}
