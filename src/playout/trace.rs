//! What a playout leaves behind: its moves, and whose each point is at the end.

use arrayvec::ArrayVec;

use crate::board::{Board, Cell, Color, GRID, MAX_AREA, Move, Point, PointSet};

/// A playout may last this many moves for each point of the board. Uniform ones average 1.3 and end by themselves but for rare
/// long cycles (triple kos), which the cap cuts short.
const MOVES_A_POINT: usize = 3;

/// The moves of one playout in order, its final board's owners, and its score. Made once and reused: no heap.
#[derive(Clone)]
pub struct Trace {
    first: Color,
    moves: ArrayVec<Move, { MOVES_A_POINT * MAX_AREA }>,
    /// By grid index: the colour that the point counts for, `EMPTY` where it is neutral.
    owner: [Cell; GRID],
    score: i32,
}

impl Default for Trace {
    fn default() -> Self {
        Self { first: Color::Black, moves: ArrayVec::new(), owner: [Cell::BORDER; GRID], score: 0 }
    }
}

impl Trace {
    /// An empty trace.
    pub fn new() -> Self {
        Self::default()
    }

    /// The moves with their colours, passes included, first to last. Colours alternate.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = (Color, Move)> + '_ {
        let colors = [self.first, !self.first];
        self.moves.iter().enumerate().map(move |(turn, &mv)| (colors[turn % 2], mv))
    }

    /// Black's area minus White's on the final board, without komi.
    pub fn score(&self) -> i32 {
        self.score
    }

    /// Whose `point` is at the end: its stone's colour, or the one colour that the empty region around it touches.
    #[inline]
    pub fn owner(&self, point: Point) -> Option<Color> {
        self.owner[point.index()].color()
    }

    /// Forgets the last playout; the next one starts with a move of `first`.
    pub(super) fn start(&mut self, first: Color) {
        self.first = first;
        self.moves.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, mv: Move) {
        self.moves.push(mv);
    }

    /// The number of moves after which a playout on `board` is cut short.
    pub(super) fn longest(board: &Board) -> usize {
        MOVES_A_POINT * board.size().area()
    }

    /// Counts the final board.
    pub(super) fn finish(&mut self, board: &Board) {
        let cells = board.cells();
        self.owner[..cells.len()].copy_from_slice(cells);
        let mut score = board.stones(Color::Black) as i32 - board.stones(Color::White) as i32;
        for &point in board.empties() {
            // Both bits of a border cell are set, so that what is left is what all neighbours have in common.
            let common = board.around(point.index()).map(|near| board.cell(near)).into_iter().fold(Cell::BORDER, Cell::common);
            if let Some(color) = common.color() {
                self.owner[point.index()] = common;
                score += color.sign() as i32;
            }
        }
        self.score = score;
        if board.empties().iter().any(|&point| board.empty_neighbors(point) > 0) {
            self.score += self.fill_regions(board);
        }
    }

    /// Gives each empty region of more than one point to the colour that alone borders it. Returns what that adds to the score.
    #[cold]
    fn fill_regions(&mut self, board: &Board) -> i32 {
        let mut score = 0;
        let mut seen = PointSet::EMPTY;
        for &start in board.empties() {
            if board.empty_neighbors(start) == 0 || !seen.insert(start) {
                continue;
            }
            let mut region: ArrayVec<Point, MAX_AREA> = ArrayVec::new();
            region.push(start);
            let mut common = Cell::BORDER;
            let mut done = 0;
            while done < region.len() {
                for near in board.neighbors(region[done]) {
                    match board.cell(near.index()) {
                        Cell::EMPTY if seen.insert(near) => region.push(near),
                        Cell::EMPTY => {}
                        stone => common = common.common(stone),
                    }
                }
                done += 1;
            }
            if let Some(color) = common.color() {
                for point in &region {
                    self.owner[point.index()] = common;
                }
                score += color.sign() as i32 * region.len() as i32;
            }
        }
        score
    }
}
