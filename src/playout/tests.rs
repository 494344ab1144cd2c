//! Positions in which each kind of suggestion must come, and its neighbours in which it must not.

use crate::board::{Board, Color, Point};

use super::moves::{self, Ladders, Moves};

fn board(drawing: &str) -> Board {
    Board::from_drawing(drawing).unwrap()
}

fn at(board: &Board, vertex: &str) -> Point {
    board.size().parse_vertex(vertex).unwrap().point().unwrap()
}

/// Names of what `suggest` adds, sorted.
fn names(drawing: &str, suggest: impl Fn(&mut Board, &mut Moves)) -> Vec<String> {
    let mut board = board(drawing);
    let before = board.hash();
    let mut moves = Moves::new();
    suggest(&mut board, &mut moves);
    assert_eq!(board.hash(), before, "reading leaves the board as it was");
    let mut names: Vec<String> = moves.iter().map(|&mv| board.size().vertex(mv)).collect();
    names.sort();
    names
}

fn settle(drawing: &str, color: Color, chain: &str) -> Vec<String> {
    names(drawing, |board, found| moves::settle_atari(board, color, at(board, chain), Ladders::AtTheEdge, found))
}

#[test]
fn an_enemy_chain_in_atari_is_taken_unless_it_is_a_ko_ban() {
    let drawing = ". X O . .\nX O . O .\n. X O . .\n. . . . .\n. . . . .";
    assert_eq!(settle(drawing, Color::Black, "B4"), ["C4"]);
    let mut board = board(drawing);
    board.play(Color::Black, at(&board, "C4"));
    let mut moves = Moves::new();
    let taker = at(&board, "C4");
    moves::settle_atari(&mut board, Color::White, taker, Ladders::AtTheEdge, &mut moves);
    assert!(moves.is_empty(), "White may not retake at once");
}

#[test]
fn an_own_chain_in_atari_runs_only_where_it_gets_away_and_takes_attackers() {
    let in_the_open = ". . . . . .\n. O . . . .\nO X . . . .\n. O . . . .\n. . . . . .\n. . . . . .";
    assert_eq!(settle(in_the_open, Color::Black, "B4"), ["C4"]);
    let walled_in = ". . . . . .\n. O O . . .\nO X . O . .\n. O O . . .\n. . . . . .\n. . . . . .";
    assert!(settle(walled_in, Color::Black, "B4").is_empty());
    let attacker_in_atari = ". X . . . .\nX O O X . .\nO X . O . .\n. O O . . .\n. . . . . .\n. . . . . .";
    assert_eq!(settle(attacker_in_atari, Color::Black, "B4"), ["A3"]);
}

fn fight(drawing: &str, color: Color, chain: &str) -> Vec<String> {
    names(drawing, |board, found| {
        let chain = at(board, chain);
        let liberties = board.two_liberties(chain).unwrap();
        if board.stone(chain) == Some(color) {
            moves::defenses(board, color, chain, liberties, Ladders::AtTheEdge, found);
        } else {
            moves::attacks(board, color, chain, liberties, found);
        }
    })
}

#[test]
fn a_chain_of_two_liberties_at_the_edge_is_caught_or_freed() {
    let held_from_above = ". . . . . .\n. . . . . .\n. . . . . .\n. . X X . .\n. X O . . .\n. . . . . .";
    assert_eq!(fight(held_from_above, Color::Black, "C2"), ["C1", "D2"]);
    assert_eq!(fight(held_from_above, Color::White, "C2"), ["C1", "D2"]);
    // Only driving it down works; up, it has the open board.
    let open_above = ". . . . . .\n. . . . . .\n. . . . . .\n. . X . . .\n. X O . . .\n. . . . . .";
    assert_eq!(fight(open_above, Color::Black, "C2"), ["D2"]);
    let in_the_open = ". . . . . .\n. . . . . .\n. . X . . .\n. X O . . .\n. . . . . .\n. . . . . .";
    assert!(fight(in_the_open, Color::Black, "C3").is_empty() && fight(in_the_open, Color::White, "C3").is_empty());
}

#[test]
fn an_atari_is_told_by_whether_its_chain_gets_away() {
    // The stone can be laddered from C6 only; playing D7 lets it run into the open.
    let drawing = ". . . . . . . . .\n. . X X . . . . .\n. X O . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .";
    let mut board = board(drawing);
    let [chain, good, bad] = ["C7", "C6", "D7"].map(|name| at(&board, name));
    let mut atari = |pair, ladders| moves::atari(&mut board, Color::Black, chain, pair, ladders);
    assert_eq!(atari([good, bad], Ladders::Everywhere), Some(moves::Atari::Catches));
    assert_eq!(atari([bad, good], Ladders::Everywhere), Some(moves::Atari::Chases));
    assert_eq!(atari([good, bad], Ladders::AtTheEdge), Some(moves::Atari::Chases), "playouts do not read across the board");
}

fn vital(drawing: &str, start: &str) -> Option<String> {
    let board = board(drawing);
    moves::vital_point(&board, at(&board, start)).map(|point| board.size().vertex(point))
}

#[test]
fn eye_spaces_have_their_vital_points() {
    let three = ". . . X O .\nX X X X O .\nO O O O O .\n. . . . . .\n. . . . . .\n. . . . . .";
    assert_eq!(vital(three, "A6").as_deref(), Some("B6"));
    let four_in_a_row = ". . . . X O\nX X X X X O\nO O O O O O\n. . . . . .\n. . . . . .\n. . . . . .";
    assert_eq!(vital(four_in_a_row, "A6"), None, "alive as it is");
    let pyramid = ". . . X O .\nX . X X O .\nX X X O O .\nO O O O . .\n. . . . . .\n. . . . . .";
    assert_eq!(vital(pyramid, "B5").as_deref(), Some("B6"));
    let bulky_five = ". . . X O .\n. . X X O .\nX X X O O .\nO O O O . .\n. . . . . .\n. . . . . .";
    assert_eq!(vital(bulky_five, "A5").as_deref(), Some("B6"));
    let rabbity_six = "X . . X O .\n. . . X O .\nX . X X O .\nX X X O O .\nO O O O . .\n. . . . . .";
    assert_eq!(vital(rabbity_six, "B4").as_deref(), Some("B5"));
    let square = ". . X O . .\n. . X O . .\nX X X O . .\nO O O O . .\n. . . . . .\n. . . . . .";
    assert_eq!(vital(square, "A6"), None, "one eye, whoever moves");
    let open = ". . . X O .\nX X O X O .\nO O . O O .\n. . . . . .\n. . . . . .\n. . . . . .";
    assert_eq!(vital(open, "A6"), None, "both colours border it");
}

#[test]
fn an_eye_is_kept_from_becoming_false_just_when_it_must() {
    let keeper = |drawing: &str| {
        let board = board(drawing);
        moves::eye_keeper(&board, Color::Black, at(&board, "B5")).map(|point| board.size().vertex(point))
    };
    let threatened = ". . . . . .\n. O X X . .\n. X . X . .\n. . X X . .\n. . . . . .\n. . . . . .";
    assert_eq!(keeper(threatened).as_deref(), Some("B3"));
    let safe = ". . . . . .\n. O X X . .\n. X . X . .\n. X X X . .\n. . . . . .\n. . . . . .";
    assert_eq!(keeper(safe), None);
    let false_already = ". . . . . .\n. O X X . .\n. X . X . .\n. O X X . .\n. . . . . .\n. . . . . .";
    assert_eq!(keeper(false_already), None);
}

fn is_bad(drawing: &str, color: Color, vertex: &str) -> bool {
    let board = board(drawing);
    moves::is_bad_self_atari(&board, color, at(&board, vertex))
}

#[test]
fn self_atari_is_bad_but_as_throw_in_nakade_or_ko() {
    assert!(is_bad(". O . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", Color::Black, "A5"));
    assert!(!is_bad(". O . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", Color::White, "A5"));
    // Inside an eye space of three with no other liberty, the second stone gives atari and leaves a three to be played into.
    let nakade = ". X . O X .\nO O O O X .\nX X X X X .\n. . . . . .\n. . . . . .\n. . . . . .";
    assert!(!is_bad(nakade, Color::Black, "A6") && !is_bad(nakade, Color::Black, "C6"));
    // Four in a row taken leave two eyes.
    let row = "X X X . . O X\nO O O O O O X\nX X X X X X X\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .";
    assert!(is_bad(row, Color::Black, "D7"));
    let ko = ". X O . .\nX O . O .\n. X O . .\n. . . . .\n. . . . .";
    assert!(!is_bad(ko, Color::Black, "C4"));
}
