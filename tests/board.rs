//! The board: undo gives back what was, set-up, ko and capture by hand. (Random play against a slow reference is in `rules.rs`.)

use tengen::board::{Board, Color, Point, Size};
use tengen::util::Rng;

/// Everything one can ask a board, as text.
fn everything(board: &Board) -> String {
    let points: Vec<String> = board
        .size()
        .points()
        .map(|point| {
            let mut chain: Vec<Point> = board.chain(point).collect();
            chain.sort();
            let legal = Color::ALL.map(|color| board.is_legal(color, point));
            let stones = board.chain_length(point);
            format!(
                "{chain:?} {stones} {} {} {legal:?} {:?}",
                board.liberty_count(point),
                board.in_atari(point),
                board.stone(point)
            )
        })
        .collect();
    let counts = Color::ALL.map(|color| (board.stones(color), board.captures(color)));
    format!("{board} {points:?} {counts:?} {:?} {:x} {:?}", board.ko(), board.hash(), board.empties())
}

#[test]
fn undo_restores_everything() {
    let mut rng = Rng::new(3);
    for (width, height) in [(2, 2), (2, 3), (3, 3), (5, 4), (7, 7), (9, 9), (25, 3), (13, 19)] {
        let mut board = Board::new(Size::new(width, height).unwrap());
        let mut color = Color::Black;
        for _ in 0..20 {
            // A line of moves, any empty point, suicide too; then all of it back.
            let mut line = Vec::new();
            for _ in 0..rng.below(60) {
                let empties = board.empties();
                if empties.is_empty() {
                    break;
                }
                let point = empties[rng.below(empties.len())];
                let before = everything(&board);
                line.push((before, board.play_undoable(color, point)));
                color = !color;
            }
            for (before, undo) in line.iter().rev() {
                board.undo(undo);
                assert_eq!(everything(&board), *before);
            }
            for _ in 0..rng.below(12) {
                if !board.empties().is_empty() {
                    board.play(color, board.empties()[rng.below(board.empties().len())]);
                    color = !color;
                }
            }
        }
    }
}

#[test]
fn incremental_board_equals_one_set_up_at_once() {
    let mut rng = Rng::new(4);
    for side in [2, 3, 4, 6, 9, 19] {
        let mut board = Board::new(Size::square(side).unwrap());
        for turn in 0..side * side * 3 {
            let color = Color::ALL[turn % 2];
            let legal: Vec<Point> = board.size().points().filter(|&point| board.is_legal(color, point)).collect();
            if legal.is_empty() {
                continue;
            }
            board.play(color, legal[rng.below(legal.len())]);
            let mut fresh = Board::new(board.size());
            let stones: Vec<_> = board.size().points().map(|point| (point, board.stone(point))).collect();
            fresh.set_up(&stones).unwrap();
            assert_eq!(fresh.hash(), board.hash());
            for point in board.size().points() {
                assert_eq!(fresh.liberty_count(point), board.liberty_count(point));
                assert_eq!(fresh.in_atari(point), board.liberty_count(point) == 1);
                assert_eq!(board.in_atari(point), board.liberty_count(point) == 1);
                assert_eq!(board.liberties::<3>(point).len(), board.liberty_count(point).min(3));
                assert_eq!(board.liberties::<700>(point).len(), board.liberty_count(point));
            }
        }
    }
}

#[test]
fn a_ko_forbids_the_retaking_and_only_that() {
    let mut board = Board::from_drawing(". X O . .\nX . X O .\n. X O . .\n. . . . .\n. . . . .").unwrap();
    let at = |x, y| board.size().point(x, y).unwrap();
    let (inside, taken) = (at(1, 1), at(2, 1));
    assert!(board.is_legal(Color::White, inside), "it captures");
    board.play(Color::White, inside);
    assert_eq!(board.ko(), Some(taken));
    assert!(!board.is_legal(Color::Black, taken));
    assert_eq!(board.captures(Color::White), 1);
}

#[test]
fn set_up_without_liberty_is_refused_and_changes_nothing() {
    let mut board = Board::new(Size::square(3).unwrap());
    let before = everything(&board);
    let at = |x, y| board.size().point(x, y).unwrap();
    let stones = [(at(0, 0), Some(Color::White)), (at(1, 0), Some(Color::Black)), (at(0, 1), Some(Color::Black))];
    let error = board.set_up(&stones).unwrap_err();
    assert_eq!(error.to_string(), "the chain at A3 would stand without a liberty");
    assert_eq!(everything(&board), before);
}

#[test]
fn looking_ahead_agrees_with_playing() {
    let mut rng = Rng::new(5);
    let (mut captures, mut self_ataris, mut pairs) = (0, 0, 0);
    for game in 0..12 {
        let mut board = Board::new(Size::square([5, 9, 13][game % 3]).unwrap());
        for turn in 0..300 {
            let color = Color::ALL[turn % 2];
            for point in board.size().points() {
                if board.stone(point).is_some() {
                    let two = board.two_liberties(point);
                    assert_eq!(two.is_some(), board.liberty_count(point) == 2);
                    pairs += usize::from(two.is_some());
                    continue;
                }
                if !board.is_legal(color, point) {
                    continue;
                }
                let taken: Vec<usize> = board
                    .neighbors(point)
                    .filter(|&near| board.stone(near) == Some(!color) && board.in_atari(near))
                    .map(|near| board.chain_length(near))
                    .collect();
                let mut after = board.clone();
                after.play(color, point);
                assert_eq!(board.is_capture(color, point), !taken.is_empty());
                captures += taken.len();
                // Where several stones are taken at once, the quick counts may differ from what really opens.
                if taken.iter().all(|&stones| stones == 1) {
                    assert_eq!(board.is_self_atari(color, point), after.liberty_count(point) < 2, "{board}");
                    self_ataris += usize::from(board.is_self_atari(color, point));
                    for most in 1..6 {
                        let counted = board.liberty_count_after(color, point, most);
                        assert!(counted == after.liberty_count(point).min(most) || !taken.is_empty(), "{board}");
                    }
                }
            }
            let legal: Vec<Point> =
                board.size().points().filter(|&point| board.is_legal(color, point) && !board.is_true_eye(color, point)).collect();
            if !legal.is_empty() {
                board.play(color, legal[rng.below(legal.len())]);
            }
        }
    }
    assert!(captures > 1000 && self_ataris > 1000 && pairs > 1000, "{captures} {self_ataris} {pairs}");
}
