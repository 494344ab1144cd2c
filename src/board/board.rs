//! Stones, chains, liberties, capture and undo.

use arrayvec::ArrayVec;

use super::color::Color;
use super::liberties::Liberties;
use super::point::{GRID, MAX_AREA, Point, Size};
use crate::util::Rng;

/// What lies on a grid index. A border counts as a stone of both colours, so that "all own or border" is one bitwise and.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Cell(u8);

impl Cell {
    pub(crate) const EMPTY: Self = Self(0);
    pub(crate) const BORDER: Self = Self(3);

    /// A stone of `color`.
    #[inline]
    pub(crate) fn stone(color: Color) -> Self {
        Self(color as u8 + 1)
    }

    /// The stone's colour; nothing for an empty point or the border.
    #[inline]
    pub(crate) fn color(self) -> Option<Color> {
        match self.0 {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }

    /// True for a stone of either colour.
    #[inline]
    pub(crate) fn is_stone(self) -> bool {
        self.0.wrapping_sub(1) < 2
    }

    /// Two bits: 0 empty, 1 black, 2 white, 3 border.
    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// The colours that both have: of two stones of one colour that colour, and the border changes nothing.
    #[inline]
    pub(crate) fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// A board position with its simple-ko point. No heap: copying it is copying memory, and playing and undoing allocate nothing.
///
/// Every grid index, empty points included, belongs to a chain with a `head`; an empty point is a chain of itself, whose liberties are its
/// empty neighbours. So a stone that comes or goes changes its four neighbours' chains without asking what they are, and a new stone
/// finds its liberties already counted.
pub struct Board {
    pub(super) size: Size,
    pub(super) stride: u16,
    /// Grid index of the point that simple ko forbids; 0 for none.
    pub(super) ko: u16,
    /// Points in use in `empties`.
    pub(super) empty: u16,
    pub(super) stones: [u16; 2],
    pub(super) captures: [u16; 2],
    pub(super) hash: u64,
    pub(super) cells: [Cell; GRID],
    /// The grid index that stands for the chain of this index.
    pub(super) head: [u16; GRID],
    /// The next stone of the same chain, in a ring.
    pub(super) next: [u16; GRID],
    /// By head: number of stones.
    pub(super) length: [u16; GRID],
    /// By head.
    pub(super) liberties: [Liberties; GRID],
    pub(super) empties: [Point; MAX_AREA],
    /// Where an empty point stands in `empties`.
    pub(super) slot: [u16; GRID],
}

/// Set-up stones that would have no liberty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the chain at {vertex} would stand without a liberty")]
pub struct NoLiberty {
    vertex: String,
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Self {
        let mut board = Self {
            size,
            stride: size.stride() as u16,
            ko: 0,
            empty: 0,
            stones: [0; 2],
            captures: [0; 2],
            hash: 0,
            cells: [Cell::BORDER; GRID],
            head: std::array::from_fn(|index| index as u16),
            next: std::array::from_fn(|index| index as u16),
            length: [1; GRID],
            liberties: [Liberties::default(); GRID],
            empties: [Point::from_index(0); MAX_AREA],
            slot: [0; GRID],
        };
        for point in size.points() {
            board.cells[point.index()] = Cell::EMPTY;
            board.add_empty(point);
            for near in board.around(point.index()) {
                board.liberties[near].add(Liberties::one(point.index()));
            }
        }
        board
    }

    /// Its width and height.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stone on `point`.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        self.cells[point.index()].color()
    }

    /// True if no stone is on `point`.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point.index()] == Cell::EMPTY
    }

    /// What lies on a grid index, the border included.
    #[inline]
    pub(crate) fn cell(&self, index: usize) -> Cell {
        self.cells[index]
    }

    /// All cells by grid index, as far as this size has them.
    #[inline]
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells[..self.size.grid()]
    }

    /// The four grid indices next to `index`, the border included: right, left, below, above.
    #[inline]
    pub(crate) fn around(&self, index: usize) -> [usize; 4] {
        let stride = self.stride as usize;
        [index + 1, index - 1, index + stride, index - stride]
    }

    /// The four diagonal grid indices, the border included.
    #[inline]
    pub(crate) fn diagonals(&self, index: usize) -> [usize; 4] {
        let stride = self.stride as usize;
        [index + stride + 1, index + stride - 1, index - stride + 1, index - stride - 1]
    }

    /// The eight grid indices around `index`, the border included.
    #[inline]
    pub(crate) fn eight_around(&self, index: usize) -> [usize; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (self.around(index), self.diagonals(index));
        [a, b, c, d, e, f, g, h]
    }

    /// The two to four points next to `point`.
    #[inline]
    pub fn neighbors(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let near = self.around(point.index()).map(|index| (index, self.cells[index] != Cell::BORDER));
        near.into_iter().filter(|&(_, on_board)| on_board).map(|(index, _)| Point::from_index(index))
    }

    /// The one to four points diagonally next to `point`.
    #[inline]
    pub fn diagonal_neighbors(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let near = self.diagonals(point.index()).map(|index| (index, self.cells[index] != Cell::BORDER));
        near.into_iter().filter(|&(_, on_board)| on_board).map(|(index, _)| Point::from_index(index))
    }

    /// All empty points, in no particular but repeatable order.
    #[inline]
    pub fn empties(&self) -> &[Point] {
        &self.empties[..self.empty as usize]
    }

    /// A random one of those empty points that are `playable`, each equally likely; nothing if there is none.
    /// Points found unplayable move to the end of the list of empty points: no stone changes, but no older [`Undo`] may be used.
    #[inline]
    pub(crate) fn random_empty(&mut self, rng: &mut Rng, playable: impl Fn(&Self, Point) -> bool) -> Option<Point> {
        let mut count = self.empty as usize;
        while count > 0 {
            let slot = rng.below(count);
            let point = self.empties[slot];
            if playable(self, point) {
                return Some(point);
            }
            count -= 1;
            self.swap_empties(slot, count);
        }
        None
    }

    #[inline]
    fn swap_empties(&mut self, a: usize, b: usize) {
        self.empties.swap(a, b);
        self.slot[self.empties[a].index()] = a as u16;
        self.slot[self.empties[b].index()] = b as u16;
    }

    /// True if the empty point `point` is an eye of `color` that the opponent cannot make false: own stones or border on all four sides,
    /// and on the diagonals at most one enemy stone, none if the border is among them.
    #[inline]
    pub fn is_true_eye(&self, color: Color, point: Point) -> bool {
        let own = Cell::stone(color);
        let common = self.around(point.index()).into_iter().fold(own, |common, near| common.common(self.cells[near]));
        if common == Cell::EMPTY {
            return false;
        }
        let diagonals = self.diagonals(point.index()).map(|near| self.cells[near]);
        let count = |cell| diagonals.iter().filter(|&&diagonal| diagonal == cell).count();
        count(Cell::stone(!color)) + usize::from(count(Cell::BORDER) > 0) < 2
    }

    /// Number of stones of `color` on the board.
    #[inline]
    pub fn stones(&self, color: Color) -> usize {
        self.stones[color.index()] as usize
    }

    /// Number of stones that `color` has captured so far (the opponent's suicides included).
    #[inline]
    pub fn captures(&self, color: Color) -> usize {
        self.captures[color.index()] as usize
    }

    /// The point where simple ko forbids the next move.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        (self.ko != 0).then(|| Point::from_index(self.ko as usize))
    }

    /// Forgets the simple-ko point, as a pass does.
    #[inline]
    pub fn clear_ko(&mut self) {
        self.ko = 0;
    }

    /// Puts back a simple-ko point that a pass had cleared.
    #[inline]
    pub(crate) fn restore_ko(&mut self, ko: Option<Point>) {
        self.ko = ko.map_or(0, |point| point.index() as u16);
    }

    /// Zobrist hash of the stones: equal boards of one size have equal hashes.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// A point that stands for the chain at `point`: the same one for all its stones.
    #[inline]
    pub fn head(&self, point: Point) -> Point {
        Point::from_index(self.head[point.index()] as usize)
    }

    /// The stones of the chain at `point` (of an empty point: itself).
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let first = self.head[point.index()] as usize;
        let mut following = Some(first);
        std::iter::from_fn(move || {
            let index = following?;
            let next = self.following(index);
            following = (next != first).then_some(next);
            Some(Point::from_index(index))
        })
    }

    /// The stone after `index` in its chain's ring. (A captured stone's place keeps its old `next` for the undo.)
    #[inline]
    fn following(&self, index: usize) -> usize {
        if self.cells[index] == Cell::EMPTY { index } else { self.next[index] as usize }
    }

    /// Number of stones in the chain at `point`.
    #[inline]
    pub fn chain_length(&self, point: Point) -> usize {
        self.length[self.head[point.index()] as usize] as usize
    }

    /// True if the chain at `point` has exactly one liberty.
    #[inline]
    pub fn in_atari(&self, point: Point) -> bool {
        self.liberties[self.head[point.index()] as usize].is_single()
    }

    /// The only liberty of the chain at `point`; nothing if it has more.
    #[inline]
    pub fn atari_liberty(&self, point: Point) -> Option<Point> {
        let liberties = self.liberties[self.head[point.index()] as usize];
        liberties.is_single().then(|| Point::from_index(liberties.single()))
    }

    /// Number of empty points next to the empty point `point`.
    #[inline]
    pub fn empty_neighbors(&self, point: Point) -> usize {
        debug_assert!(self.is_empty(point));
        self.liberties[point.index()].pseudo()
    }

    /// Number of empty points next to the grid index `index` if that is empty itself, else 0; without a branch.
    #[inline]
    pub(crate) fn room(&self, index: usize) -> usize {
        self.liberties[index].pseudo() * usize::from(self.cells[index] == Cell::EMPTY)
    }

    /// The first `N` liberties of the chain at `point`, in the order of a walk along it: all of them if there are fewer.
    pub fn liberties<const N: usize>(&self, point: Point) -> ArrayVec<Point, N> {
        let mut found = ArrayVec::new();
        let first = self.head[point.index()] as usize;
        let mut index = first;
        loop {
            for near in self.around(index) {
                if self.cells[near] == Cell::EMPTY && !found.contains(&Point::from_index(near)) {
                    found.push(Point::from_index(near));
                    if found.is_full() {
                        return found;
                    }
                }
            }
            index = self.following(index);
            if index == first {
                return found;
            }
        }
    }

    /// False only if the chain at `point` has more than two liberties; quick. (A liberty touches at most four of its stones.)
    #[inline]
    pub fn has_few_liberties(&self, point: Point) -> bool {
        self.liberties[self.head[point.index()] as usize].pseudo() <= 8
    }

    /// The liberties of the chain at `point` if it has exactly two.
    #[inline]
    pub fn two_liberties(&self, point: Point) -> Option<[Point; 2]> {
        if !self.has_few_liberties(point) {
            return None;
        }
        let found: ArrayVec<Point, 3> = self.liberties(point);
        <[Point; 2]>::try_from(&found[..]).ok()
    }

    /// True if `point` is on the first or second line.
    #[inline]
    pub fn is_near_edge(&self, point: Point) -> bool {
        let is_border = |&near: &usize| self.cells[near] == Cell::BORDER;
        let around = self.around(point.index());
        around.iter().any(|near| is_border(near) || self.around(*near).iter().any(is_border))
    }

    /// Number of liberties of the chain at `point`.
    pub fn liberty_count(&self, point: Point) -> usize {
        let near = self.chain(point).flat_map(|stone| self.neighbors(stone)).filter(|&near| self.is_empty(near));
        near.collect::<super::PointSet>().len()
    }

    /// True if a stone of `color` on the empty point `point` would capture nothing and leave its own chain without a liberty.
    #[inline]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        self.liberties[point.index()].pseudo() == 0 && {
            let own = Cell::stone(color);
            // An own chain lives on with a second liberty; an enemy chain whose last liberty this is comes off. All four are looked at,
            // since a guess about an early end goes wrong too often.
            let helps = |near: usize| {
                let cell = self.cells[near];
                (cell != Cell::BORDER) & ((cell == own) != self.liberties[self.head[near] as usize].is_only(point.index()))
            };
            let [a, b, c, d] = self.around(point.index()).map(helps);
            !(a | b | c | d)
        }
    }

    /// True if `color` may play on `point` by the board's own rules: it is empty, no simple ko forbids it, and it is no suicide.
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.cells[point.index()] == Cell::EMPTY && point.index() != self.ko as usize && !self.is_suicide(color, point)
    }

    /// Sets up or clears points, whatever stood there: no captures, no ko. For set-up stones and records; not for play.
    ///
    /// # Errors
    /// If a chain would stand without a liberty; the board is then left as it was.
    pub fn set_up(&mut self, changes: &[(Point, Option<Color>)]) -> Result<(), NoLiberty> {
        let mut cells = self.cells;
        for &(point, stone) in changes {
            cells[point.index()] = stone.map_or(Cell::EMPTY, Cell::stone);
        }
        let mut board = Self::new(self.size);
        board.captures = self.captures;
        for point in self.size.points() {
            if let Some(color) = cells[point.index()].color() {
                board.add_set_up_stone(color, point.index());
            }
        }
        let stuck = self
            .size
            .points()
            .find(|&point| board.stone(point).is_some() && board.liberties[board.head[point.index()] as usize].is_none());
        if let Some(point) = stuck {
            return Err(NoLiberty { vertex: self.size.vertex(point) });
        }
        *self = board;
        Ok(())
    }

    fn add_set_up_stone(&mut self, color: Color, index: usize) {
        self.put(color, index);
        for near in self.around(index) {
            self.liberties[self.head[near] as usize].remove(Liberties::one(index));
        }
        for near in self.around(index) {
            if self.cells[near] == Cell::stone(color) && self.head[near] != self.head[index] {
                self.merge(self.head[index], self.head[near]);
            }
        }
    }
}

impl Clone for Board {
    fn clone(&self) -> Self {
        let mut board = Self {
            cells: [Cell::BORDER; GRID],
            head: [0; GRID],
            next: [0; GRID],
            length: [0; GRID],
            liberties: [Liberties::default(); GRID],
            empties: [Point::from_index(0); MAX_AREA],
            slot: [0; GRID],
            ..*self
        };
        board.clone_from(self);
        board
    }

    /// Copies only the part of the tables that a board of this size uses: a tenth of them on 9x9.
    #[inline]
    fn clone_from(&mut self, from: &Self) {
        let grid = from.size.grid();
        let empty = from.empty as usize;
        self.size = from.size;
        self.stride = from.stride;
        self.ko = from.ko;
        self.empty = from.empty;
        self.stones = from.stones;
        self.captures = from.captures;
        self.hash = from.hash;
        self.cells[..grid].copy_from_slice(&from.cells[..grid]);
        self.head[..grid].copy_from_slice(&from.head[..grid]);
        self.next[..grid].copy_from_slice(&from.next[..grid]);
        self.length[..grid].copy_from_slice(&from.length[..grid]);
        self.liberties[..grid].copy_from_slice(&from.liberties[..grid]);
        self.slot[..grid].copy_from_slice(&from.slot[..grid]);
        self.empties[..empty].copy_from_slice(&from.empties[..empty]);
    }
}
