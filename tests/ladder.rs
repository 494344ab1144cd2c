//! Ladders: known ones, and thousands of random positions against a reader that only follows the definition.

use tengen::board::ladder::{NODE_BUDGET, cannot_escape, capturing_moves};
use tengen::board::{Board, Color, Point, Size};
use tengen::util::Rng;

/// Names of the first moves that capture the chain at `vertex`.
fn captures(drawing: &str, vertex: &str) -> Vec<String> {
    let mut board = Board::from_drawing(drawing).unwrap();
    let point = board.size().parse_vertex(vertex).unwrap().point().unwrap();
    let (before, ko) = (board.hash(), board.ko());
    let moves = capturing_moves(&mut board, point, NODE_BUDGET);
    assert_eq!((board.hash(), board.ko()), (before, ko));
    moves.into_iter().map(|mv| board.size().vertex(mv)).collect()
}

const LADDER: &str = "
    . . . . . . . . .
    . . X X . . . . .
    . X O . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .";

/// `LADDER` with one more stone.
fn with(stone: char, x: usize, y: usize) -> String {
    let mut rows: Vec<Vec<char>> =
        LADDER.lines().skip(1).map(|row| row.chars().filter(|c| !c.is_whitespace()).collect()).collect();
    rows[y][x] = stone;
    rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
}

#[test]
fn a_ladder_works_in_one_direction_unless_a_stone_stands_in_its_way() {
    assert_eq!(captures(LADDER, "C7"), ["C6"]);
    assert!(captures(&with('O', 6, 6), "C7").is_empty(), "a ladder breaker");
    assert_eq!(captures(&with('X', 6, 6), "C7"), ["C6"]);
    assert_eq!(captures(&with('O', 8, 2), "C7"), ["C6"], "a stone out of the way");
}

#[test]
fn an_attacker_in_atari_is_taken() {
    // The same ladder, but the stone at B7 is in atari: taking it at B6 breaks out.
    let drawing = "
        . . . . . . . . .
        . O X X . . . . .
        O X O . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    assert!(captures(drawing, "C7").is_empty());
}

#[test]
fn a_chain_in_atari_at_the_edge_runs_into_nothing() {
    let mut board = Board::from_drawing("O . . .\nO X X .\nX . . .\n. . . .").unwrap();
    let corner = board.size().point(0, 0).unwrap();
    assert!(cannot_escape(&mut board, corner, NODE_BUDGET));
    assert!(!cannot_escape(&mut board, corner, 0), "without budget nothing counts as captured");
    let free = board.size().point(1, 1).unwrap();
    assert!(!cannot_escape(&mut board, free, NODE_BUDGET), "not in atari");
    let empty = board.size().point(3, 3).unwrap();
    assert!(!cannot_escape(&mut board, empty, NODE_BUDGET) && capturing_moves(&mut board, empty, NODE_BUDGET).is_empty());
}

#[test]
fn a_ban_that_stands_is_ignored_and_still_there_afterwards() {
    let drawing = ". X O . .\nX . X O .\n. X O . .\n. . . . .\n. . . . .\nX X . . .\nO . X . .";
    let mut board = Board::from_drawing(drawing).unwrap();
    let at = |x, y| board.size().point(x, y).unwrap();
    let (inside, taken, corner) = (at(1, 1), at(2, 1), at(0, 6));
    board.play(Color::White, inside);
    assert_eq!(board.ko(), Some(taken));
    // In a reading, a ban that the attacker's last move left would be an escape.
    assert!(cannot_escape(&mut board, corner, NODE_BUDGET));
    assert_eq!(board.ko(), Some(taken));
}

/// The definition in its plainest form: copies instead of undo, no shortcuts.
mod slow {
    use super::{Board, Color, Point};
    use std::collections::BTreeSet;

    fn liberties(board: &Board, chain: Point) -> BTreeSet<Point> {
        board.chain(chain).flat_map(|stone| board.neighbors(stone)).filter(|&near| board.is_empty(near)).collect()
    }

    fn around(board: &Board, chain: Point, color: Color) -> BTreeSet<Point> {
        board.chain(chain).flat_map(|stone| board.neighbors(stone)).filter(|&near| board.stone(near) == Some(color)).collect()
    }

    fn after(board: &Board, color: Color, mv: Point) -> Option<Board> {
        board.is_legal(color, mv).then(|| {
            let mut next = board.clone();
            next.play(color, mv);
            next
        })
    }

    pub(super) fn defender_is_lost(board: &Board, target: Point, depth: usize) -> bool {
        if depth >= board.size().area() * 3 / 2 {
            return true;
        }
        let defender = board.stone(target).unwrap();
        if liberties(board, target).len() >= 2 || board.ko().is_some() {
            return false;
        }
        let attackers = around(board, target, !defender);
        let takes =
            attackers.into_iter().filter(|&near| liberties(board, near).len() == 1).flat_map(|near| liberties(board, near));
        let moves: BTreeSet<Point> = takes.chain(liberties(board, target)).collect();
        moves.into_iter().filter_map(|mv| after(board, defender, mv)).all(|next| attacker_captures(&next, target, depth + 1))
    }

    fn attacker_captures(board: &Board, target: Point, depth: usize) -> bool {
        if depth >= board.size().area() * 3 / 2 {
            return true;
        }
        let defender = board.stone(target).unwrap();
        let moves = liberties(board, target);
        match moves.len() {
            1 => true,
            2 => {
                is_dead_in_double_ko(board, target, &moves)
                    || moves
                        .into_iter()
                        .filter_map(|mv| after(board, !defender, mv))
                        .any(|next| defender_is_lost(&next, target, depth + 1))
            }
            _ => false,
        }
    }

    fn is_dead_in_double_ko(board: &Board, target: Point, moves: &BTreeSet<Point>) -> bool {
        let defender = board.stone(target).unwrap();
        let mouth = |&mv: &Point| {
            let heads: BTreeSet<Point> = board
                .neighbors(mv)
                .filter(|&near| board.stone(near) == Some(defender) && liberties(board, near).len() == 1)
                .collect();
            board.neighbors(mv).all(|near| board.stone(near) == Some(defender))
                && heads.len() == 1
                && heads.iter().all(|&head| board.chain(head).count() == 1)
        };
        let stays_short = |&mv: &Point| {
            let mut next = board.clone();
            next.play(defender, mv);
            liberties(&next, mv).len() <= 2
        };
        let attackers = around(board, target, !defender);
        moves.iter().all(mouth)
            && moves.iter().all(stays_short)
            && attackers.iter().all(|&near| liberties(board, near).len() != 1)
    }

    pub(super) fn capturing_moves(board: &Board, target: Point) -> BTreeSet<Point> {
        let attacker = !board.stone(target).unwrap();
        let moves = liberties(board, target);
        let works = |mv: &Point| {
            after(board, attacker, *mv).is_some_and(|mut next| {
                next.clear_ko();
                defender_is_lost(&next, target, 0)
            })
        };
        if moves.len() == 2 { moves.into_iter().filter(works).collect() } else { BTreeSet::new() }
    }
}

#[test]
fn reads_random_boards_as_the_definition_does() {
    let mut rng = Rng::new(12);
    let (mut caught, mut free, mut attacks) = (0, 0, 0);
    for game in 0..400 {
        let (width, height) = [(5, 5), (7, 7), (9, 9), (3, 9), (13, 13)][game % 5];
        let size = Size::new(width, height).unwrap();
        let mut board = Board::new(size);
        for turn in 0..size.area() * 3 / 2 {
            let color = Color::ALL[turn % 2];
            let legal: Vec<Point> =
                size.points().filter(|&point| board.is_legal(color, point) && !board.is_true_eye(color, point)).collect();
            if legal.is_empty() {
                board.clear_ko();
                continue;
            }
            board.play(color, legal[rng.below(legal.len())]);
            if turn % 7 != game % 7 {
                continue;
            }
            let before = board.clone();
            for point in size.points().filter(|&point| before.stone(point).is_some() && before.head(point) == point) {
                if board.in_atari(point) {
                    let mut start = board.clone();
                    start.clear_ko();
                    let expected = slow::defender_is_lost(&start, point, 0);
                    assert_eq!(cannot_escape(&mut board, point, NODE_BUDGET), expected, "{board} {}", size.vertex(point));
                    *(if expected { &mut caught } else { &mut free }) += 1;
                } else {
                    let mut found = capturing_moves(&mut board, point, NODE_BUDGET);
                    found.sort();
                    let expected: Vec<Point> = slow::capturing_moves(&board, point).into_iter().collect();
                    assert_eq!(found.to_vec(), expected, "{board} {}", size.vertex(point));
                    attacks += found.len();
                }
            }
            assert_eq!((board.hash(), board.ko()), (before.hash(), before.ko()));
        }
    }
    assert!(caught > 1000 && free > 1000 && attacks > 1000, "{caught} {free} {attacks}");
}
