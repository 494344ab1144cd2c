//! The ladders on a board and on the two before it. Reading them is most of the work of making inputs, so what was read is remembered: in a
//! search the boards before this one nearly always were current a moment ago.

use crate::board::ladder::{NODE_BUDGET, cannot_escape, capturing_moves};
use crate::board::{Board, Color, Point, PointSet, Size};
use crate::rules::Position;

/// What the ladders on one board do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ladders {
    /// Stones of chains that cannot escape: with one liberty though they move first, with two if the opponent does.
    pub(super) caught: PointSet,
    /// By colour: its first moves that catch a chain with two liberties.
    moves: [PointSet; 2],
}

impl Ladders {
    /// Reads every ladder on `board`, which is left as it was.
    fn read(board: &mut Board) -> Self {
        let mut found = Self::default();
        for point in board.size().points() {
            let Some(color) = board.stone(point).filter(|_| board.head(point) == point) else { continue };
            let caught = if board.in_atari(point) {
                cannot_escape(board, point, NODE_BUDGET)
            } else if board.has_few_liberties(point) {
                let moves = capturing_moves(board, point, NODE_BUDGET);
                moves.iter().for_each(|&mv| found.add_move(!color, mv));
                !moves.is_empty()
            } else {
                false
            };
            if caught {
                board.chain(point).for_each(|stone| {
                    found.caught.insert(stone);
                });
            }
        }
        found
    }

    fn add_move(&mut self, color: Color, mv: Point) {
        self.moves[color.index()].insert(mv);
    }

    /// First moves of `color` that catch a chain with two liberties.
    pub(super) fn capturing_moves(&self, color: Color) -> &PointSet {
        &self.moves[color.index()]
    }
}

/// Boards whose ladders are remembered: more than a search path and its siblings have, in 70 KiB.
const SLOTS: usize = 256;

/// Remembers the ladders of boards by their hash.
pub(super) struct Memory {
    size: Option<Size>,
    slots: Vec<(Key, Ladders)>,
    /// Scratch: the board being read.
    board: Board,
}

/// Hash of the stones and the point barred by simple ko, on which ladders depend.
type Key = (u64, Option<Point>);

impl Memory {
    pub(super) fn new() -> Self {
        Self { size: None, slots: Vec::new(), board: Board::new(Size::STANDARD) }
    }

    /// Calls `each` with the ladders on the board of `position`, a move ago and two moves ago. Of the moves since then only the last
    /// `shown` are shown; a board before that is not looked at: the one after it stands in.
    pub(super) fn read_last_three(&mut self, position: &Position, shown: usize, mut each: impl FnMut(usize, &Ladders)) {
        if self.size != Some(position.size()) {
            self.size = Some(position.size());
            self.slots.clear();
            self.slots.resize(SLOTS, ((0, None), Ladders::default()));
        }
        for age in 0..3 {
            if age <= shown {
                position.copy_board_before(age, &mut self.board);
            }
            each(age, self.read());
        }
    }

    fn read(&mut self) -> &Ladders {
        let key = (self.board.hash(), self.board.ko());
        let (found, ladders) = &mut self.slots[key.0 as usize % SLOTS];
        if *found != key {
            *ladders = Ladders::read(&mut self.board);
            *found = key;
        }
        ladders
    }
}
