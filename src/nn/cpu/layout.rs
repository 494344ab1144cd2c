//! Where the points of a batch lie.
//!
//! Row 0 is always zero: whatever is off the board is read there. From row 1 on come the points of the first board, row by row from the
//! top, then those of the second, and so on. Boards may differ in size.

use crate::board::Size;

/// What reading the weights of one product costs, in squares.
const WEIGHTS: usize = 6;

/// A sample's place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Row of its first point.
    pub(super) first: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Place {
    pub(super) fn area(self) -> usize {
        self.width * self.height
    }

    /// Rows of its points.
    pub(super) fn rows(self) -> std::ops::Range<usize> {
        self.first..self.first + self.area()
    }

    /// The row of a point; 0 off the board.
    pub(super) fn row(self, x: isize, y: isize) -> usize {
        let on = (0..self.width as isize).contains(&x) && (0..self.height as isize).contains(&y);
        if on { self.first + y as usize * self.width + x as usize } else { 0 }
    }
}

/// The layout of a batch.
#[derive(Default)]
pub(super) struct Layout {
    pub(super) places: Vec<Place>,
    /// The sample of each row; row 0 belongs to none.
    pub(super) samples: Vec<u32>,
    /// Squares of outputs, of each size for the boards on which it costs least.
    pub(super) tiles: [Tiles; 3],
    boards: Vec<Size>,
}

/// Squares of outputs that a fast convolution computes together.
#[derive(Default)]
pub(super) struct Tiles {
    /// The row of each input of a square, `[tile][y][x]`.
    pub(super) inputs: Vec<u32>,
    /// The row of each output, `[tile][y][x]`; 0 off the board.
    pub(super) outputs: Vec<u32>,
    /// The sample of each square.
    pub(super) samples: Vec<u32>,
}

impl Layout {
    /// Sides of the squares of `tiles`.
    pub(super) const SIDES: [usize; 3] = [3, 4, 5];

    /// Lays out these boards.
    pub(super) fn set(&mut self, boards: impl Iterator<Item = Size> + Clone) {
        if boards.clone().eq(self.boards.iter().copied()) {
            return;
        }
        *self = Self { boards: boards.collect(), samples: vec![0], ..Self::default() };
        for (sample, board) in self.boards.iter().enumerate() {
            let place = Place { first: self.samples.len(), width: board.width(), height: board.height() };
            self.places.push(place);
            self.samples.resize(place.rows().end, sample as u32);
            let cost = |side: usize| {
                let tiles = place.width.div_ceil(side) * place.height.div_ceil(side);
                (tiles + WEIGHTS) * (side + 2) * (side + 2)
            };
            let cheapest = (0..Self::SIDES.len()).min_by_key(|&size| cost(Self::SIDES[size])).unwrap_or(0);
            self.tiles[cheapest].add(place, sample, Self::SIDES[cheapest]);
        }
    }

    /// Rows of the batch, with row 0.
    pub(super) fn rows(&self) -> usize {
        self.samples.len()
    }
}

impl Tiles {
    fn add(&mut self, place: Place, sample: usize, side: usize) {
        let square = |from: isize, side: isize, left: usize, top: usize| {
            (0..side * side).map(move |i| place.row(left as isize + from + i % side, top as isize + from + i / side) as u32)
        };
        for top in (0..place.height).step_by(side) {
            for left in (0..place.width).step_by(side) {
                self.inputs.extend(square(-1, side as isize + 2, left, top));
                self.outputs.extend(square(0, side as isize, left, top));
                self.samples.push(sample as u32);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }
}
