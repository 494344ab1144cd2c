//! The moves worth a look: what playouts answer with, and what the tree's priors favour.
//!
//! Each function says what one kind of knowledge suggests at one place; playouts ask around the last moves, priors all over the board.

use arrayvec::ArrayVec;

use crate::board::ladder;
use crate::board::{Board, Cell, Color, Point};

/// Suggested moves. A list that is full takes no more: it holds as many as anyone wants.
pub(crate) type Moves = ArrayVec<Point, 24>;

/// Positions read for a ladder within a playout: a ladder across a 9x9 board takes about 20. A longer one counts as not working.
const PLAYOUT_LADDER: u32 = 24;
/// Positions read for a ladder when priors are made: one across a 19x19 board, with some branches.
const PRIOR_LADDER: u32 = 500;
/// Largest eye space that one stone inside can reduce to one eye: the rabbity six.
const LARGEST_EYE_SPACE: usize = 6;
/// Most stones that are worth giving away: taken, they leave an eye space of that size, with the move to its vital point.
const LARGEST_SACRIFICE: usize = 6;

/// Adds a move to the list, once.
pub(super) fn suggest(moves: &mut Moves, point: Point) {
    if !moves.contains(&point) {
        let _full = moves.try_push(point);
    }
}

/// The liberties of enemy chains in atari that touch the chain at `chain`: taking one of them saves it.
pub(super) fn counter_captures(board: &Board, color: Color, chain: Point, moves: &mut Moves) {
    for stone in board.chain(chain) {
        for near in board.around(stone.index()) {
            let near = Point::from_index(near);
            if (board.cell(near.index()) == Cell::stone(!color)) & board.in_atari(near)
                && let Some(liberty) = board.atari_liberty(near)
                && board.is_legal(color, liberty)
            {
                suggest(moves, liberty);
            }
        }
    }
}

/// True if a chain of `attacker` in atari touches the chain at `chain`.
fn has_counter_capture(board: &Board, attacker: Color, chain: Point) -> bool {
    let in_atari = |near| (board.cell(near) == Cell::stone(attacker)) & board.in_atari(Point::from_index(near));
    board.chain(chain).any(|stone| board.around(stone.index()).into_iter().any(in_atari))
}

/// The extension that brings `color`'s chain at `chain`, which is in atari, to safety; nothing if it runs into a ladder or a wall.
pub(super) fn extension(board: &mut Board, color: Color, chain: Point, ladders: Ladders) -> Option<Point> {
    let liberty = board.atari_liberty(chain)?;
    let safe = match board.liberty_count_after(color, liberty, 3) {
        0 | 1 => false,
        2 if ladders == Ladders::AtTheEdge && !board.is_near_edge(liberty) => true,
        2 => board.is_legal(color, liberty) && !ladder::cannot_escape(board, chain, ladders.budget()),
        _ => true,
    };
    (safe && board.is_legal(color, liberty)).then_some(liberty)
}

/// What `color` does about the chain at `chain`, which is in atari: takes the enemy's, saves its own.
pub(crate) fn settle_atari(board: &mut Board, color: Color, chain: Point, ladders: Ladders, moves: &mut Moves) {
    if board.stone(chain) == Some(color) {
        counter_captures(board, color, chain, moves);
        if let Some(point) = extension(board, color, chain, ladders) {
            suggest(moves, point);
        }
    } else if let Some(liberty) = board.atari_liberty(chain).filter(|&liberty| board.is_legal(color, liberty)) {
        suggest(moves, liberty);
    }
}

/// Which runs across the board are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ladders {
    /// Those that start at the edge, and are soon over: for playouts, which have no time. Others count as got away.
    AtTheEdge,
    /// All.
    Everywhere,
}

impl Ladders {
    fn budget(self) -> u32 {
        match self {
            Self::AtTheEdge => PLAYOUT_LADDER,
            Self::Everywhere => PRIOR_LADDER,
        }
    }
}

/// How an atari on a chain of two liberties ends if its owner runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atari {
    /// The chain is caught.
    Catches,
    /// The chain gets away.
    Chases,
}

/// What an atari at `mv` does to the enemy chain at `chain` whose other liberty is `escape`; nothing if the move is illegal or puts itself
/// into atari.
pub(crate) fn atari(board: &mut Board, color: Color, chain: Point, [mv, escape]: [Point; 2], ladders: Ladders) -> Option<Atari> {
    if !board.is_legal(color, mv) || board.is_self_atari(color, mv) {
        return None;
    }
    // The move takes one of the liberties that the runner would have.
    let left = board.liberty_count_after(!color, escape, 4) - 1;
    if left > 2 || left == 2 && ladders == Ladders::AtTheEdge && !board.is_near_edge(escape) {
        return Some(Atari::Chases);
    }
    if left < 2 && !has_counter_capture(board, color, chain) {
        return Some(Atari::Catches);
    }
    let undo = board.play_undoable(color, mv);
    let caught = ladder::cannot_escape(board, chain, ladders.budget());
    board.undo(&undo);
    Some(if caught { Atari::Catches } else { Atari::Chases })
}

/// Moves that catch the enemy chain at `chain`, which has the two liberties `liberties`.
pub(super) fn attacks(board: &mut Board, color: Color, chain: Point, liberties: [Point; 2], moves: &mut Moves) {
    let [a, b] = liberties;
    for pair in [[a, b], [b, a]] {
        if atari(board, color, chain, pair, Ladders::AtTheEdge) == Some(Atari::Catches) {
            suggest(moves, pair[0]);
        }
    }
}

/// Moves that free `color`'s chain at `chain`, of two liberties, if the enemy threatens to catch it.
pub(crate) fn defenses(
    board: &mut Board,
    color: Color,
    chain: Point,
    liberties: [Point; 2],
    ladders: Ladders,
    moves: &mut Moves,
) {
    let [a, b] = liberties;
    let threats = [[a, b], [b, a]].map(|pair| atari(board, !color, chain, pair, ladders) == Some(Atari::Catches));
    if !threats.contains(&true) {
        return;
    }
    counter_captures(board, color, chain, moves);
    for liberty in liberties {
        if board.is_legal(color, liberty) && board.liberty_count_after(color, liberty, 3) > 2 {
            suggest(moves, liberty);
        }
    }
}

/// The point that decides whether the small empty region around `start` is one eye or two; nothing if it is decided already, too large, or
/// bordered by both colours.
pub(super) fn vital_point(board: &Board, start: Point) -> Option<Point> {
    // In the shapes that matter, a point with one, two or three neighbours has at most 4, 6 or 5 beyond them. Most places are wider.
    let beyond: usize = board.around(start.index()).map(|near| board.room(near)).iter().sum();
    if beyond > [0, 4, 6, 5, usize::MAX][board.empty_neighbors(start)] {
        return None;
    }
    let mut region: ArrayVec<Point, LARGEST_EYE_SPACE> = ArrayVec::new();
    region.push(start);
    // What all stones around have in common; a border changes nothing.
    let mut owner = Cell::BORDER;
    let mut done = 0;
    while done < region.len() {
        for near in board.around(region[done].index()) {
            let cell = board.cell(near);
            if cell != Cell::EMPTY {
                owner = owner.common(cell);
                if owner == Cell::EMPTY {
                    return None;
                }
            } else if !region.contains(&Point::from_index(near)) && region.try_push(Point::from_index(near)).is_err() {
                return None;
            }
        }
        done += 1;
    }
    if region.len() < 3 {
        return None;
    }
    // A shape is told by how many of its points touch: twice the pairs, and the most that one point has.
    let touching = |&point: &Point| board.empty_neighbors(point);
    let center = region.iter().copied().max_by_key(touching)?;
    let pairs: usize = region.iter().map(touching).sum::<usize>() / 2;
    let decided_by_center =
        matches!((region.len(), touching(&center), pairs), (3, 2, _) | (4, 3, _) | (5, 4, _) | (5, 3, 5) | (6, 4, 6));
    decided_by_center.then_some(center)
}

/// The diagonal point with which `color` keeps an eye from becoming false, after the enemy's stone on `last` took another diagonal of it.
pub(super) fn eye_keeper(board: &Board, color: Color, last: Point) -> Option<Point> {
    board.diagonal_neighbors(last).find_map(|eye| {
        if !board.is_true_eye(color, eye) {
            return None;
        }
        let mut open = board.diagonal_neighbors(eye).filter(|&diagonal| board.is_empty(diagonal));
        let (first, second) = (open.next(), open.next());
        first.filter(|&keeper| second.is_none() && board.is_legal(color, keeper))
    })
}

/// True if `color` at `point` would put its own stones into atari for nothing: neither a capture, nor a throw-in that gives atari, nor
/// stones of a shape that leaves no two eyes where they are taken.
pub(super) fn is_bad_self_atari(board: &Board, color: Color, point: Point) -> bool {
    board.is_self_atari(color, point) && !is_sacrifice(board, color, point)
}

/// True if a self-atari at `point` does something for the stones that it loses: it captures, or it gives atari and leaves a shape that can
/// be played into again.
#[cold]
fn is_sacrifice(board: &Board, color: Color, point: Point) -> bool {
    let gives_atari = |near: Point| board.stone(near) == Some(!color) && board.liberties::<3>(near).len() <= 2;
    let mut stones: ArrayVec<Point, { LARGEST_SACRIFICE + 1 }> = ArrayVec::new();
    stones.push(point);
    for near in board.neighbors(point) {
        if board.stone(near) == Some(color) {
            for stone in board.chain(near) {
                if !stones.contains(&stone) && stones.try_push(stone).is_err() {
                    return false;
                }
            }
        }
    }
    if stones.len() > LARGEST_SACRIFICE || !board.neighbors(point).any(gives_atari) {
        return false;
    }
    let touching = |&stone: &Point| board.neighbors(stone).filter(|near| stones.contains(near)).count();
    let most = stones.iter().map(touching).max().unwrap_or(0);
    let pairs: usize = stones.iter().map(touching).sum::<usize>() / 2;
    matches!((stones.len(), most, pairs), (1..=3, ..) | (4, 3, _) | (4, 2, 4) | (5, 4, _) | (5, 3, 5) | (6, 4, 6))
}
