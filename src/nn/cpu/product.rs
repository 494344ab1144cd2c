//! The product of two matrices, which is nine tenths of all work.

use super::buffer::{Buffer, LINE, padded};
use super::simd::{Kernel, Level, Simd, by_rows};
use crate::util::prefetch;

/// Rows of the right matrix that are asked for ahead of time: weights come from far away (9 % of a small network's time).
const AHEAD: usize = 64;

/// The right matrix of a product, `[input][output]`.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    pub(super) floats: &'a [f32],
    /// Rows: the length that is summed over.
    pub(super) inputs: usize,
    /// Columns, whole lines.
    pub(super) outputs: usize,
    pub(super) order: Order,
}

/// How a right matrix lies in memory.
#[derive(Clone, Copy)]
pub(super) enum Order {
    /// In panels of two vectors' columns, of which the last may have one.
    Panels,
    /// Row by row, so many floats apart.
    Rows(usize),
}

/// Matrices of weights: of all the first panel, then of all the second, and so on, in the order in which products read them.
pub(super) struct Packed {
    panels: Buffer,
    count: usize,
    inputs: usize,
    outputs: usize,
    /// Columns of a panel.
    panel: usize,
}

impl Packed {
    /// The matrix of `inputs` rows and `outputs` columns whose elements `weight(input, output)` tells, filled up with zero columns.
    pub(super) fn new(level: Level, inputs: usize, outputs: usize, weight: impl Fn(usize, usize) -> f32) -> Self {
        Self::stack(level, [inputs, outputs], 1, |input, output, out| out[0] = weight(input, output))
    }

    /// `count` matrices; `weights(input, output, out)` tells the element of each.
    pub(super) fn stack(level: Level, size: [usize; 2], count: usize, weights: impl Fn(usize, usize, &mut [f32])) -> Self {
        let [inputs, outputs] = size;
        let (stored, panel) = (padded(outputs), 2 * level.lanes());
        let mut packed = Self { panels: Buffer::zeros(count * inputs * stored), count, inputs, outputs: stored, panel };
        let mut elements = vec![0.0; count];
        for first in (0..outputs).step_by(panel) {
            for input in 0..inputs {
                for output in first..outputs.min(first + panel) {
                    weights(input, output, &mut elements);
                    for (number, &element) in elements.iter().enumerate() {
                        let (start, width) = packed.place(number, first);
                        packed.panels[start + input * width + output - first] = element;
                    }
                }
            }
        }
        packed
    }

    /// Where the panel of a matrix that begins with a column lies, and its width.
    fn place(&self, number: usize, column: usize) -> (usize, usize) {
        let width = self.panel.min(self.outputs - column);
        (self.inputs * (column * self.count + number * width), width)
    }

    /// The only matrix.
    pub(super) fn columns(&self) -> Columns<'_> {
        debug_assert_eq!(self.count, 1);
        let Self { panels, inputs, outputs, .. } = self;
        Columns { floats: panels, inputs: *inputs, outputs: *outputs, order: Order::Panels }
    }

    /// The panel of a matrix that begins with `column`.
    pub(super) fn panel(&self, number: usize, column: usize) -> Columns<'_> {
        let (start, width) = self.place(number, column);
        let floats = &self.panels[start..start + self.inputs * width];
        Columns { floats, inputs: self.inputs, outputs: width, order: Order::Panels }
    }

    /// The first columns of all panels.
    pub(super) fn panels(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.outputs).step_by(self.panel)
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.panels[..])
    }

    /// Columns as stored.
    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }
}

/// `c = a b`.
pub(super) struct Product<'a> {
    /// Rows of `a` and `c`.
    pub(super) rows: usize,
    /// `[row][input]`.
    pub(super) a: &'a [f32],
    /// From a row of `a` to the next.
    pub(super) a_stride: usize,
    pub(super) b: Columns<'a>,
    /// `[row][output]`; its rows' tails beyond the outputs stay as they are.
    pub(super) c: &'a mut [f32],
    /// From a row of `c` to the next.
    pub(super) c_stride: usize,
}

impl Product<'_> {
    /// Panics unless all that the kernel touches lies in the slices.
    fn check(&self, lanes: usize) {
        let Columns { floats, inputs, outputs, order } = self.b;
        assert!(inputs > 0 && outputs > 0 && outputs.is_multiple_of(lanes));
        assert!((self.rows - 1) * self.a_stride + inputs <= self.a.len(), "a is too short");
        assert!((self.rows - 1) * self.c_stride + outputs <= self.c.len(), "c is too short");
        let needed = match order {
            Order::Panels => inputs * outputs,
            Order::Rows(stride) => (inputs - 1) * stride + outputs,
        };
        assert!(needed <= floats.len(), "b is too short");
    }
}

impl Kernel for Product<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if self.rows == 0 {
            return;
        }
        self.check(S::LANES);
        let Columns { inputs, outputs, order, floats } = self.b;
        // A piece of rows stays in the nearest cache while all columns go by.
        let pieces = self.rows.div_ceil(S::ROWS);
        for piece in 0..pieces {
            // As even as can be: 25 rows are 9, 8 and 8.
            let row = self.rows * piece / pieces;
            let rows = self.rows * (piece + 1) / pieces - row;
            for column in (0..outputs).step_by(2 * S::LANES) {
                let narrow = outputs - column < 2 * S::LANES;
                let (start, b_stride) = match order {
                    Order::Panels => (column * inputs, if narrow { S::LANES } else { 2 * S::LANES }),
                    Order::Rows(stride) => (column, stride),
                };
                // SAFETY: `check` has made sure that rows and panels lie in their slices.
                unsafe {
                    let a = self.a.as_ptr().add(row * self.a_stride);
                    let b = floats.as_ptr().add(start);
                    let c = self.c.as_mut_ptr().add(row * self.c_stride + column);
                    let tile = Tile { inputs, a, a_stride: self.a_stride, b, b_stride, c, c_stride: self.c_stride };
                    tile.compute(s, rows, narrow);
                }
            }
        }
    }
}

/// A piece of the product that fits in the registers.
struct Tile {
    inputs: usize,
    a: *const f32,
    a_stride: usize,
    b: *const f32,
    b_stride: usize,
    c: *mut f32,
    c_stride: usize,
}

impl Tile {
    /// # Safety
    /// The pointers lead to all that `rows` and two vectors' columns (one if `narrow`) need.
    #[inline(always)]
    unsafe fn compute<S: Simd>(self, s: S, rows: usize, narrow: bool) {
        // SAFETY: the caller's.
        unsafe { by_rows!(self, s, rows, narrow) }
    }

    /// # Safety
    /// As for `compute`.
    #[inline(always)]
    unsafe fn rows<S: Simd, const ROWS: usize, const VECTORS: usize>(self, s: S) {
        let mut sums = [[s.splat(0.0); VECTORS]; ROWS];
        // Three rows for each pointer: an address can hold a pointer, and a register times one or two.
        let mut a = [self.a, self.a.wrapping_add(3 * self.a_stride), self.a.wrapping_add(6 * self.a_stride)];
        let mut b = self.b;
        // Written out, since the compiler may leave a loop of many rows a loop, with all sums in memory.
        macro_rules! each_row {
            ($row:ident: $($r:literal)*) => {
                $(if $r < ROWS {
                    let x = s.splat(*a[$r / 3].add($r % 3 * self.a_stride));
                    sums[$r][0] = s.mul_add(x, $row[0], sums[$r][0]);
                    if VECTORS > 1 {
                        sums[$r][1] = s.mul_add(x, $row[1], sums[$r][1]);
                    }
                })*
            };
        }
        for _ in 0..self.inputs {
            for line in 0..(VECTORS * S::LANES).div_ceil(LINE) {
                prefetch(b.wrapping_add(AHEAD * self.b_stride + line * LINE));
            }
            // SAFETY: the caller's; pointers go on by `inputs` steps in all.
            unsafe {
                let mut row = [s.load(b); VECTORS];
                if VECTORS > 1 {
                    row[1] = s.load(b.add(S::LANES));
                }
                each_row!(row: 0 1 2 3 4 5 6 7 8);
            }
            b = b.wrapping_add(self.b_stride);
            for pointer in &mut a {
                *pointer = pointer.wrapping_add(1);
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            for (v, &sum) in sums.iter().enumerate() {
                // SAFETY: the caller's.
                unsafe { s.store(self.c.add(r * self.c_stride + v * S::LANES), sum) };
            }
        }
    }
}
