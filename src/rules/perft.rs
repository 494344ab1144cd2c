//! Counts that check the rules: known numbers of legal positions, and sizes of game trees.

use super::position::Position;
use crate::board::{Board, Color, Move, Point, Size};

/// Number of legal positions on a board of this size: colourings in which every chain has a liberty. By playing stones on the real
/// board and taking them back, point by point; the time grows as three to the power of the area.
///
/// Known are 57 on 2x2, 12,675 on 3x3, 24,318,165 on 4x4 (J. Tromp and G. Farnebäck, Combinatorics of Go, 2016).
pub fn legal_positions(size: Size) -> u64 {
    legal_positions_by_top_row(size).sum()
}

/// [`legal_positions`] in parts, one for each of the three to the power of the width colourings of the top row: to show how far the
/// count is.
pub fn legal_positions_by_top_row(size: Size) -> impl Iterator<Item = u64> {
    let points: Vec<Point> = size.points().collect();
    (0..3_u64.pow(size.width() as u32)).map(move |mut colouring| {
        let (top, open) = points.split_at(size.width());
        let mut board = Board::new(size);
        for &point in top {
            // The row below is empty, so nothing is captured.
            if let Some(&color) = Color::ALL.get((colouring % 3) as usize) {
                board.play(color, point);
            }
            colouring /= 3;
        }
        count(&mut board, open)
    })
}

/// Legal positions that differ from `board` in `open` points only, all of which are empty now. A stone whose play captures stones or
/// is suicide belongs to no legal position, whatever is played later: the chain's liberties are all taken.
fn count(board: &mut Board, open: &[Point]) -> u64 {
    let Some((&point, open)) = open.split_first() else { return 1 };
    let mut total = count(board, open);
    for color in Color::ALL {
        if board.is_suicide(color, point) {
            continue;
        }
        let captures = board.captures(color);
        let undo = board.play_undoable(color, point);
        if board.captures(color) == captures {
            total += count(board, open);
        }
        board.undo(&undo);
    }
    total
}

/// Number of sequences of `depth` legal moves from `position`, passes included. A finished game has no further moves.
pub fn perft(position: &Position, depth: usize) -> u64 {
    if depth == 0 { 1 } else { perft_by_move(position, depth).sum() }
}

/// [`perft`] to a `depth` of at least 1 in parts, one for each first move: to show how far the count is.
pub fn perft_by_move(position: &Position, depth: usize) -> impl ExactSizeIterator<Item = u64> {
    let moves: Vec<Move> = if position.is_over() { Vec::new() } else { position.legal_moves().collect() };
    let mut line = vec![position.clone(); depth];
    moves.into_iter().map(move |mv| {
        line[0].clone_from(position);
        line[0].play_unchecked(mv);
        walk(&mut line)
    })
}

/// The positions of a line, of which the first is given and the others are scratch memory.
fn walk(line: &mut [Position]) -> u64 {
    let Some((position, deeper)) = line.split_first_mut() else { return 0 };
    if deeper.is_empty() {
        return 1;
    }
    if position.is_over() {
        return 0;
    }
    let mut total = 0;
    let moves: Vec<Move> = position.legal_moves().collect();
    for mv in moves {
        deeper[0].clone_from(position);
        deeper[0].play_unchecked(mv);
        total += walk(deeper);
    }
    total
}
