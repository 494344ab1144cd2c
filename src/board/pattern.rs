//! 3x3 shapes: an empty point and its eight neighbours, in which a move at the point is likely to be good.
//!
//! The kinds are those of the first strong playouts (S. Gelly, Y. Wang, R. Munos, O. Teytaud, Modification of UCT with Patterns in
//! Monte-Carlo Go, 2006): hane, cuts, and shapes at the edge. Each holds turned, mirrored and with colours swapped.

use std::sync::LazyLock;

use super::board::{Board, Cell};
use super::point::Point;

/// The shapes, seen with the move in the middle. `X` and `O` are the two colours, `.` is empty, `#` the border; `x` is anything but an X, `o`
/// anything but an O, `?` anything at all.
const SHAPES: [(&str, [&[u8; 3]; 3]); 13] = [
    ("hane around a stone that is already flanked", [b"XOX", b"...", b"???"]),
    ("hane at the head of a pair", [b"XO.", b"...", b"?.?"]),
    ("bend that keeps the other in", [b"XO?", b"X..", b"x.?"]),
    ("diagonal contact", [b".O.", b"X..", b"..."]),
    ("cut that nothing protects", [b"XO?", b"O.o", b"?o?"]),
    ("cut after a peep", [b"XO?", b"O.X", b"???"]),
    ("push between two stones", [b"?X?", b"O.O", b"ooo"]),
    ("cut of a knight's move", [b"OX?", b"o.O", b"???"]),
    ("chase along the edge", [b"X.?", b"O.?", b"###"]),
    ("block of a cut at the edge", [b"OX?", b"X.O", b"###"]),
    ("block of a connection at the edge", [b"?X?", b"x.O", b"###"]),
    ("descent to the edge", [b"?XO", b"x.x", b"###"]),
    ("cut at the edge", [b"?OX", b"X.O", b"###"]),
];

/// The eight neighbours in the order of an index's bits, two for each: row by row from the top left.
const AROUND: [(usize, usize); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)];

/// A bit for each of the 4^8 neighbourhoods.
static TABLE: LazyLock<Box<[u64; 1024]>> = LazyLock::new(|| {
    let mut table = Box::new([0; 1024]);
    for (_, shape) in SHAPES {
        for symmetry in 0..8 {
            for swapped in [false, true] {
                let cells = AROUND.map(|place| meaning(turned(&shape, place, symmetry), swapped));
                add_all(&mut table, &cells, 0);
            }
        }
    }
    table
});

/// The mark that comes to `place` under one of the eight symmetries.
fn turned(shape: &[&[u8; 3]; 3], (y, x): (usize, usize), symmetry: usize) -> u8 {
    let y = if symmetry & 1 == 0 { y } else { 2 - y };
    let x = if symmetry & 2 == 0 { x } else { 2 - x };
    if symmetry & 4 == 0 { shape[y][x] } else { shape[x][y] }
}

/// The cells that a mark allows.
fn meaning(mark: u8, swapped: bool) -> &'static [u8] {
    const EMPTY: u8 = Cell::EMPTY.bits();
    const BORDER: u8 = Cell::BORDER.bits();
    match (mark, swapped) {
        (b'X', false) | (b'O', true) => &[1],
        (b'O', false) | (b'X', true) => &[2],
        (b'.', _) => &[EMPTY],
        (b'#', _) => &[BORDER],
        (b'x', false) | (b'o', true) => &[EMPTY, 2, BORDER],
        (b'o', false) | (b'x', true) => &[EMPTY, 1, BORDER],
        _ => &[EMPTY, 1, 2, BORDER],
    }
}

/// Sets the bits of all neighbourhoods that start with `index` and go on as `cells` allow.
fn add_all(table: &mut [u64; 1024], cells: &[&[u8]], index: usize) {
    match cells {
        [] => table[index / 64] |= 1 << (index % 64),
        [rest @ .., last] => last.iter().for_each(|&cell| add_all(table, rest, index << 2 | usize::from(cell))),
    }
}

impl Board {
    /// The eight cells around `point`, two bits each, row by row from the top left in the lowest bits.
    #[inline]
    fn neighborhood(&self, point: Point) -> usize {
        let [_, left, below, above] = self.around(point.index());
        let row = |left: usize| {
            let cells = &self.cells[left..left + 3];
            [0, 1, 2].map(|place: usize| usize::from(cells[place].bits()) << (2 * place)).iter().sum::<usize>()
        };
        let middle = row(left);
        row(above - 1) | (middle & 0b11 | middle >> 2 & 0b1100) << 6 | row(below - 1) << 10
    }
}

/// All good shapes. Taken out once, it spares each look-up the question whether the table is there yet.
#[derive(Clone, Copy)]
pub struct Shapes(&'static [u64; 1024]);

impl Shapes {
    /// The table, which is made at the first call.
    pub fn all() -> Self {
        Self(&TABLE)
    }

    /// True if the stones around the empty point `point` make one of the shapes in which a move there is likely to be good.
    #[inline]
    pub fn fit(self, board: &Board, point: Point) -> bool {
        let index = board.neighborhood(point);
        self.0[index / 64] & 1 << (index % 64) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, Shapes};

    fn fires(drawing: &str, vertex: &str) -> bool {
        let board = Board::from_drawing(drawing).unwrap();
        Shapes::all().fit(&board, board.size().parse_vertex(vertex).unwrap().point().unwrap())
    }

    #[test]
    fn shapes_fire_turned_and_swapped_and_nothing_else_does() {
        assert!(fires(". . . . .\n. X O . .\n. . . . .\n. . . . .\n. . . . .", "C3"), "hane");
        assert!(fires(". . . . .\n. O . . .\n. X . . .\n. . . . .\n. . . . .", "C3"), "the same turned and swapped");
        assert!(fires(". . . . .\n. X O . .\n. O . . .\n. . . . .\n. . . . .", "C3"), "cut");
        assert!(!fires(". . . . .\n. X O . .\n. O . O .\n. . . . .\n. . . . .", "C3"), "a protected cut");
        assert!(fires(". . . . .\n. . . . .\n. . . . .\n. X . . .\n. O . . .", "C1"), "chase along the edge");
        assert!(!fires(". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", "C3"), "nothing there");
        assert!(!fires(". . . . .\n. . . . .\n. . . O .\n. . . . .\n. . . . .", "C3"), "one stone");
    }

    #[test]
    fn each_shape_fires_in_all_its_forms() {
        // Any concrete form of each shape, laid into the middle of a board or at its edge.
        for (name, shape) in super::SHAPES {
            for symmetry in 0..8 {
                for swapped in [false, true] {
                    let cells = super::AROUND.map(|place| super::meaning(super::turned(&shape, place, symmetry), swapped)[0]);
                    let index = cells.iter().rev().fold(0, |index, &cell| index << 2 | usize::from(cell));
                    assert!(super::TABLE[index / 64] & 1 << (index % 64) != 0, "{name} {symmetry} {swapped}");
                }
            }
        }
    }

    #[test]
    fn a_small_part_of_all_neighborhoods_fires() {
        let count: u32 = super::TABLE.iter().map(|word| word.count_ones()).sum();
        assert!((2_000..16_000).contains(&count), "{count}");
    }
}
