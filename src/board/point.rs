//! Where things are: board sizes, points, moves, and their names.
//!
//! A [`Point`] is an index into a padded grid, so that its neighbours are fixed steps away and the edge needs no tests:
//! rows are `width + 1` apart, one column of border serving as the right edge of a row and the left edge of the next.

use std::fmt;

/// The shortest side of a board.
pub const MIN_SIDE: u8 = 2;
/// The longest side of a board: GTP's letters A to Z without I name 25 columns.
pub const MAX_SIDE: u8 = 25;
/// The most points a board can have.
pub const MAX_AREA: usize = MAX_SIDE as usize * MAX_SIDE as usize;
/// Length of a table with an entry for every index of the padded grid of the largest board: a border row above and below, a
/// border column, and one entry more for the last row's right neighbour.
pub(crate) const GRID: usize = (MAX_SIDE as usize + 2) * (MAX_SIDE as usize + 1) + 1;

/// Column names from left to right, as GTP has them: no I.
const COLUMNS: &[u8; MAX_SIDE as usize] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A point of the board, as an index into the padded grid of a board of some [`Size`]. Only meaningful together with that size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// Every [`Point::index`] is below this, whatever the board's size.
    pub const INDICES: usize = GRID;

    /// The point with this grid index (see [`Point::index`]).
    #[inline]
    pub(crate) fn from_index(index: usize) -> Self {
        Self(index as u16)
    }

    /// Its index in the padded grid, from 1 to below 703: for tables with an entry a point.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Point({})", self.0)
    }
}

/// A move: a stone on a point, or a pass. Two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// The pass. (Grid index 0 lies in the border, so no point has it.)
    pub const PASS: Self = Self(0);

    /// The move with this [`Move::index`].
    #[inline]
    pub(crate) fn from_index(index: usize) -> Self {
        Self(index as u16)
    }

    /// Where the stone goes; nothing for a pass.
    #[inline]
    pub fn point(self) -> Option<Point> {
        (self.0 != 0).then_some(Point(self.0))
    }

    /// True for a pass.
    #[inline]
    pub fn is_pass(self) -> bool {
        self.0 == 0
    }

    /// The point's grid index, or 0 for a pass: for tables with an entry a move.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Point> for Move {
    #[inline]
    fn from(point: Point) -> Self {
        Self(point.0)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() { f.write_str("Pass") } else { write!(f, "Move({})", self.0) }
    }
}

/// Column from the left and row from the top, both from 0: the way SGF, KataGo's tensors and pictures count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Coord {
    /// Column, from the left.
    pub x: u8,
    /// Row, from the top.
    pub y: u8,
}

/// A board's width and height, each from [`MIN_SIDE`] to [`MAX_SIDE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

/// A board size out of range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board of {width}x{height} is not supported; each side is from {MIN_SIDE} to {MAX_SIDE}")]
pub struct BadSize {
    width: usize,
    height: usize,
}

impl Size {
    /// 19x19.
    pub const STANDARD: Self = Self { width: 19, height: 19 };

    /// A board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// If a side is shorter than [`MIN_SIDE`] or longer than [`MAX_SIDE`].
    pub fn new(width: usize, height: usize) -> Result<Self, BadSize> {
        let fits = |side| (MIN_SIDE as usize..=MAX_SIDE as usize).contains(&side);
        if fits(width) && fits(height) {
            Ok(Self { width: width as u8, height: height as u8 })
        } else {
            Err(BadSize { width, height })
        }
    }

    /// A square board.
    ///
    /// # Errors
    /// As for [`Size::new`].
    pub fn square(side: usize) -> Result<Self, BadSize> {
        Self::new(side, side)
    }

    /// Columns.
    #[inline]
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// Rows.
    #[inline]
    pub fn height(self) -> usize {
        self.height as usize
    }

    /// Points.
    #[inline]
    pub fn area(self) -> usize {
        self.width() * self.height()
    }

    /// Grid indices from one row to the next.
    #[inline]
    pub(crate) fn stride(self) -> usize {
        self.width() + 1
    }

    /// Number of grid indices, border included.
    #[inline]
    pub(crate) fn grid(self) -> usize {
        (self.height() + 2) * self.stride() + 1
    }

    /// The point in column `x` from the left and row `y` from the top; nothing off the board.
    #[inline]
    pub fn point(self, x: usize, y: usize) -> Option<Point> {
        (x < self.width() && y < self.height()).then(|| Point(((y + 1) * self.stride() + x + 1) as u16))
    }

    /// The point at `coord`; nothing off the board.
    #[inline]
    pub fn at(self, coord: Coord) -> Option<Point> {
        self.point(coord.x as usize, coord.y as usize)
    }

    /// Column and row of `point`.
    #[inline]
    pub fn coord(self, point: Point) -> Coord {
        let (row, column) = (point.index() / self.stride(), point.index() % self.stride());
        Coord { x: (column - 1) as u8, y: (row - 1) as u8 }
    }

    /// Row-major number of `point` from the top left, in `0..area()`: for dense tables and network tensors.
    #[inline]
    pub fn dense(self, point: Point) -> usize {
        let coord = self.coord(point);
        coord.y as usize * self.width() + coord.x as usize
    }

    /// All points, row by row from the top left.
    pub fn points(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.height()).flat_map(move |y| (0..self.width()).map(move |x| Point(((y + 1) * self.stride() + x + 1) as u16)))
    }

    /// GTP's name of a point or a pass: `Q16`, `pass`.
    pub fn vertex(self, mv: impl Into<Move>) -> String {
        match mv.into().point() {
            None => "pass".to_owned(),
            Some(point) => {
                let coord = self.coord(point);
                format!("{}{}", COLUMNS[coord.x as usize] as char, self.height() - coord.y as usize)
            }
        }
    }

    /// Reads GTP's name of a point or a pass, in any case.
    ///
    /// # Errors
    /// If the text is neither, or the point is off the board.
    pub fn parse_vertex(self, text: &str) -> Result<Move, BadVertex> {
        let bad = || BadVertex { text: text.to_owned(), size: self };
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::PASS);
        }
        let mut letters = text.chars();
        let column = letters.next().ok_or_else(bad)?.to_ascii_uppercase();
        let x = COLUMNS.iter().position(|&name| name as char == column).ok_or_else(bad)?;
        let digits = letters.as_str();
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(bad());
        }
        let row: usize = digits.parse().map_err(|_| bad())?;
        let y = self.height().checked_sub(row).ok_or_else(bad)?;
        self.point(x, y).map(Move::from).ok_or_else(bad)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A text that names no point of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no point of a {size} board; use a letter (not I) and a number, such as D4, or pass")]
pub struct BadVertex {
    text: String,
    size: Size,
}

#[cfg(test)]
mod tests {
    use super::{Coord, GRID, Move, Size};

    #[test]
    fn names_and_numbers_agree_on_every_size() {
        for width in 2..=25 {
            for height in 2..=25 {
                let size = Size::new(width, height).unwrap();
                assert!(size.grid() <= GRID);
                for (number, point) in size.points().enumerate() {
                    assert_eq!(size.dense(point), number);
                    assert_eq!(size.at(size.coord(point)), Some(point));
                    assert_eq!(size.parse_vertex(&size.vertex(point)), Ok(Move::from(point)));
                    assert!(point.index() + size.stride() < size.grid());
                }
            }
        }
    }

    #[test]
    fn gtp_names() {
        let size = Size::STANDARD;
        assert_eq!(size.vertex(size.point(15, 3).unwrap()), "Q16");
        assert_eq!(size.coord(size.parse_vertex("j1").unwrap().point().unwrap()), Coord { x: 8, y: 18 });
        assert_eq!(size.parse_vertex("PASS"), Ok(Move::PASS));
        for bad in ["", "I5", "A0", "A20", "T20", "U1", "A", "5", "A+1", "A 1", "Ä1", "A99999999999999999999"] {
            assert!(size.parse_vertex(bad).is_err(), "{bad}");
        }
        assert!(Size::new(1, 9).is_err() && Size::new(9, 26).is_err());
    }
}
