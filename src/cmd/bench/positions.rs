//! The positions that are measured.

use crate::board::Size;
use crate::rules::{Position, Rules};
use crate::sgf::{self, Record};

/// Whole games, one for each usual size.
const GAMES: [&[u8]; 3] = [
    include_bytes!("../../../sgf/even-9x9.sgf"),
    include_bytes!("../../../sgf/even-13x13.sgf"),
    include_bytes!("../../../sgf/even-19x19.sgf"),
];

/// The empty board and, where there is a game of this size, the positions after each quarter of it but the last.
pub(super) fn of(size: Size) -> Vec<Position> {
    let mut positions = vec![Position::new(size, rules())];
    for game in GAMES.map(read).iter().filter(|game| game.size == size) {
        let moves = game.moves().count();
        let after = |quarter| game.replay_moves(rules(), moves * quarter / 4).expect("a fixture's moves are legal");
        positions.extend((1..4).map(after));
    }
    positions
}

fn read(game: &[u8]) -> Record {
    let collection = sgf::parse(game).expect("a fixture can be read");
    Record::from_tree(&collection.games[0]).expect("a fixture can be read")
}

fn rules() -> Rules {
    Rules::parse("chinese").expect("a known name")
}
