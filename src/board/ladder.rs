//! Ladders: whether a chain can be kept in atari until it is caught.
//!
//! The definition is the one of KataGo's input planes 14 to 17, so that one reader serves playouts, priors and networks: the attacker
//! only ever fills one of the chain's two liberties; the defender plays its last liberty, or takes an attacking chain in atari that touches
//! it. A ko made on the way is an escape. The attacker never commits suicide, nor does the defender, whatever the rules.

use arrayvec::ArrayVec;

use super::board::{Board, Cell};
use super::color::Color;
use super::point::Point;

/// Positions that KataGo looks at before it calls a chain not captured; its networks were trained with this.
pub const NODE_BUDGET: u32 = 25_000;

/// True if the chain at `point`, which has one liberty, is lost in a ladder though its owner moves first. A ko ban that stands on `board` is
/// ignored. At most `budget` positions are read; if that is not enough, the chain counts as not captured. `board` is left as it was.
pub fn cannot_escape(board: &mut Board, point: Point, budget: u32) -> bool {
    let Some(defender) = board.stone(point).filter(|_| board.in_atari(point)) else { return false };
    Reader::new(board, defender, point, budget).without_ko(|reader| reader.defender_is_lost(0))
}

/// The liberties of the two-liberty chain at `point` that capture it in a ladder when the opponent plays there now, obeying a standing ko ban.
/// Each has its own `budget` (see [`cannot_escape`]); a chain without exactly two liberties has none. `board` is left as it was.
pub fn capturing_moves(board: &mut Board, point: Point, budget: u32) -> ArrayVec<Point, 2> {
    let Some(defender) = board.stone(point) else { return ArrayVec::new() };
    let liberties: ArrayVec<Point, 3> = board.liberties(point);
    if liberties.len() != 2 {
        return ArrayVec::new();
    }
    let mut works = |&first: &Point| {
        board.is_legal(!defender, first) && {
            let undo = board.play_undoable(!defender, first);
            let captured = cannot_escape(board, point, budget);
            board.undo(&undo);
            captured
        }
    };
    liberties.iter().copied().filter(|first| works(first)).collect()
}

/// Most capturing moves looked at for one defence. A chain with more attackers in atari around it is not found in any game.
const MOST_CAPTURES: usize = 127;

/// One ladder being read.
struct Reader<'a> {
    board: &'a mut Board,
    defender: Color,
    /// A stone of the chain.
    target: Point,
    nodes_left: u32,
    /// A line of this length counts as captured (KataGo's limit).
    deepest: usize,
}

impl<'a> Reader<'a> {
    fn new(board: &'a mut Board, defender: Color, target: Point, budget: u32) -> Self {
        let deepest = board.size().area() * 3 / 2;
        Self { board, defender, target, nodes_left: budget, deepest }
    }

    /// Reads with no ko ban at the start.
    fn without_ko(mut self, read: impl FnOnce(&mut Self) -> bool) -> bool {
        let ko = std::mem::take(&mut self.board.ko);
        let captured = read(&mut self);
        self.board.ko = ko;
        captured
    }

    /// The defender is to move, its chain in atari or free.
    fn defender_is_lost(&mut self, depth: usize) -> bool {
        if self.is_cut_short(depth) {
            return self.nodes_left > 0;
        }
        let Some(escape) = self.board.atari_liberty(self.target) else { return false };
        if self.board.ko().is_some() {
            return false;
        }
        let mut moves = self.gaining_captures();
        moves.push(escape);
        !moves.iter().any(|&mv| self.escapes_by(mv, depth))
    }

    fn escapes_by(&mut self, mv: Point, depth: usize) -> bool {
        self.board.is_legal(self.defender, mv) && !self.after(self.defender, mv, |reader| reader.attacker_captures(depth + 1))
    }

    /// The attacker is to move.
    fn attacker_captures(&mut self, depth: usize) -> bool {
        if self.is_cut_short(depth) {
            return self.nodes_left > 0;
        }
        let liberties: ArrayVec<Point, 3> = self.board.liberties(self.target);
        match liberties[..] {
            [_] => true,
            [a, b] => self.is_dead_in_double_ko(a, b) || self.captures_by(a, b, depth) || self.captures_by(b, a, depth),
            _ => false,
        }
    }

    /// Plays at `mv`, which leaves the defender `escape`.
    fn captures_by(&mut self, mv: Point, escape: Point, depth: usize) -> bool {
        // Quick and exact: an escape to three new liberties, none of which this move takes.
        let too_wide = self.board.empty_neighbors(escape) >= 3 && !self.board.neighbors(mv).any(|near| near == escape);
        let attacker = !self.defender;
        !too_wide && self.board.is_legal(attacker, mv) && self.after(attacker, mv, |reader| reader.defender_is_lost(depth + 1))
    }

    /// What `read` finds after a move.
    fn after(&mut self, color: Color, mv: Point, read: impl FnOnce(&mut Self) -> bool) -> bool {
        self.nodes_left = self.nodes_left.saturating_sub(1);
        let undo = self.board.play_undoable(color, mv);
        let captured = read(self);
        self.board.undo(&undo);
        captured
    }

    /// True if this line is too deep (it then counts as captured) or the budget spent (not captured).
    fn is_cut_short(&self, depth: usize) -> bool {
        depth >= self.deepest || self.nodes_left == 0
    }

    /// Liberties of the attacker's chains in atari that touch the target: taking one may gain a liberty. One place is left free.
    fn gaining_captures(&self) -> ArrayVec<Point, { MOST_CAPTURES + 1 }> {
        let mut moves = ArrayVec::new();
        for stone in self.board.chain(self.target) {
            for near in self.board.around(stone.index()) {
                let near = Point::from_index(near);
                if (self.board.cell(near.index()) == Cell::stone(!self.defender)) & self.board.in_atari(near)
                    && let Some(liberty) = self.board.atari_liberty(near)
                    && !moves.contains(&liberty)
                    && moves.len() < MOST_CAPTURES
                {
                    moves.push(liberty);
                }
            }
        }
        moves
    }

    /// True if the two liberties are ko mouths, so that the chain is dead in spite of any number of ko threats: neither has room, the
    /// attacker can take a ko at each, connecting at either gains nothing, and no attacking chain is in atari.
    fn is_dead_in_double_ko(&mut self, a: Point, b: Point) -> bool {
        let mouths = [a, b];
        mouths.iter().all(|&mouth| self.board.ko_capture(!self.defender, mouth).is_some())
            && mouths.iter().all(|&mouth| self.liberties_when_defended(mouth) <= 2)
            && self.gaining_captures().is_empty()
    }

    /// Liberties, up to three, of the defender's chain at `mouth` if it is played.
    fn liberties_when_defended(&mut self, mouth: Point) -> usize {
        let undo = self.board.play_undoable(self.defender, mouth);
        let liberties = self.board.liberties::<3>(mouth).len();
        self.board.undo(&undo);
        liberties
    }
}
