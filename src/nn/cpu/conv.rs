//! Convolutions: by points, by squares (Winograd), or gathered for kernels of other sizes; and products with whole batches of rows.

use std::sync::OnceLock;

use super::buffer::{Buffer, padded};
use super::finish::{Finish, FinishRows};
use super::layout::Layout;
use super::product::{Packed, Product};
use super::simd::Level;
use super::winograd::{Gather, Spread, transform_kernel};
use crate::nn::Conv;

/// Rows that go through a step together, so that they are still in the cache in the next: whole pieces of a product, of 9 rows or 6.
pub(super) const ROWS: usize = 54;
/// Squares that go through a convolution together: more read the weights less often, fewer stay in the cache.
const SQUARES: usize = 128;

/// A convolution with its weights laid out.
pub(super) struct Convolution {
    height: usize,
    width: usize,
    inputs: usize,
    outputs: usize,
    weights: Weights,
}

enum Weights {
    /// As one matrix, `[y][x][input]` times `[output]`.
    Matrix(Packed),
    /// Of 3x3 kernels: as in the file, and transformed for each size of square when that is first needed.
    Squares { kernels: Vec<f32>, packed: [OnceLock<Packed>; 3] },
}

/// Scratch memory of convolutions.
#[derive(Default)]
pub(super) struct Work {
    spread: Buffer,
    products: Buffer,
}

impl Convolution {
    pub(super) fn new(level: Level, conv: &Conv) -> Self {
        let Conv { height, width, inputs, outputs, .. } = *conv;
        let weights = if (height, width) == (3, 3) {
            Weights::Squares { kernels: conv.weights.clone(), packed: Default::default() }
        } else {
            Weights::Matrix(Packed::new(level, height * width * inputs, outputs, |i, o| conv.weights[i * outputs + o]))
        };
        Self { height, width, inputs, outputs, weights }
    }

    /// Output channels as stored.
    pub(super) fn outputs(&self) -> usize {
        padded(self.outputs)
    }

    /// Bytes that its weights take, with those for one size of square.
    pub(super) fn bytes(&self) -> usize {
        match &self.weights {
            Weights::Matrix(packed) => packed.bytes(),
            // 9 numbers a kernel, and the 49 of the largest square.
            Weights::Squares { kernels, .. } => kernels.len() / 9 * (9 + 49) * size_of::<f32>(),
        }
    }

    /// Lays out the weights for the boards of `layout`, unless that was done.
    pub(super) fn prepare(&self, level: Level, layout: &Layout) {
        let Weights::Squares { kernels, packed } = &self.weights else { return };
        for ((tiles, side), packed) in layout.tiles.iter().zip(Layout::SIDES).zip(packed) {
            if tiles.len() > 0 {
                packed.get_or_init(|| {
                    Packed::stack(level, [self.inputs, self.outputs], (side + 2) * (side + 2), |i, o, out| {
                        let kernel = std::array::from_fn(|tap| kernels[(tap * self.inputs + i) * self.outputs + o]);
                        transform_kernel(side, &kernel, out);
                    })
                });
            }
        }
    }

    /// Convolves `input`, `[row][channel]` with row 0 zero, and finishes what comes out.
    pub(super) fn run(&self, level: Level, layout: &Layout, input: &[f32], work: &mut Work, finish: &mut Finish<'_>) {
        self.prepare(level, layout);
        let channels = padded(self.inputs);
        match &self.weights {
            Weights::Matrix(packed) if (self.height, self.width) == (1, 1) => {
                product(level, layout, 1..layout.rows(), &input[channels..], channels, packed, work, finish);
            }
            Weights::Matrix(packed) => self.gathered(packed, level, layout, input, work, finish),
            Weights::Squares { packed, .. } => {
                self.squares::<5, 3>(&packed[0], level, layout, 0, input, work, finish);
                self.squares::<6, 4>(&packed[1], level, layout, 1, input, work, finish);
                self.squares::<7, 5>(&packed[2], level, layout, 2, input, work, finish);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "scratch memory and results are borrowed apart")]
    fn squares<const INPUTS: usize, const SIDE: usize>(
        &self,
        packed: &OnceLock<Packed>,
        level: Level,
        layout: &Layout,
        size: usize,
        input: &[f32],
        work: &mut Work,
        finish: &mut Finish<'_>,
    ) {
        let tiles = &layout.tiles[size];
        let Some(packed) = packed.get() else { return };
        let channels = padded(self.inputs);
        let parts = tiles.len().div_ceil(SQUARES);
        let mut start = 0;
        for part in 0..parts {
            let count = (tiles.len() - start).div_ceil(parts - part);
            let range = start..start + count;
            let spread_stride = odd_lines(count * channels);
            work.spread.reserve(INPUTS * INPUTS * spread_stride);
            let Work { spread, products } = work;
            level.run(Spread::<INPUTS> { tiles, range: range.clone(), input, channels, out: spread, stride: spread_stride });
            // A panel of output channels at a time: its products stay in the cache until they are gathered.
            for column in packed.panels() {
                let width = packed.panel(0, column).outputs;
                let stride = odd_lines(count * width);
                products.reserve(INPUTS * INPUTS * stride);
                for place in 0..INPUTS * INPUTS {
                    level.run(Product {
                        rows: count,
                        a: &spread[place * spread_stride..],
                        a_stride: channels,
                        b: packed.panel(place, column),
                        c: &mut products[place * stride..],
                        c_stride: width,
                    });
                }
                let columns = column..column + width;
                level.run(Gather::<INPUTS, SIDE> { tiles, range: range.clone(), columns, values: products, stride, finish });
            }
            start += count;
        }
    }

    /// Copies the surroundings of each point side by side, and multiplies.
    fn gathered(&self, packed: &Packed, level: Level, layout: &Layout, input: &[f32], work: &mut Work, finish: &mut Finish<'_>) {
        let Self { height, width, inputs, .. } = *self;
        let (channels, taps) = (padded(inputs), height * width * inputs);
        let mut spread = std::mem::take(&mut work.spread);
        spread.reserve(ROWS * taps);
        for first in (1..layout.rows()).step_by(ROWS) {
            let rows = first..layout.rows().min(first + ROWS);
            for (row, to) in rows.clone().zip(spread.chunks_exact_mut(taps)) {
                let place = layout.places[layout.samples[row] as usize];
                let (x, y) = ((row - place.first) % place.width, (row - place.first) / place.width);
                for (tap, to) in to.chunks_exact_mut(inputs).enumerate() {
                    let (down, across) = (tap / width, tap % width);
                    let from =
                        place.row((x + across) as isize - (width / 2) as isize, (y + down) as isize - (height / 2) as isize);
                    to.copy_from_slice(&input[from * channels..][..inputs]);
                }
            }
            product(level, layout, rows, &spread, taps, packed, work, finish);
        }
        work.spread = spread;
    }
}

/// Multiplies rows, the first of `a` being the first of `rows`, with a matrix, and finishes what comes out.
#[expect(clippy::too_many_arguments, reason = "scratch memory and results are borrowed apart")]
pub(super) fn product(
    level: Level,
    layout: &Layout,
    rows: std::ops::Range<usize>,
    a: &[f32],
    a_stride: usize,
    packed: &Packed,
    work: &mut Work,
    finish: &mut Finish<'_>,
) {
    let outputs = packed.outputs();
    work.products.reserve(ROWS * outputs);
    for first in rows.clone().step_by(ROWS) {
        let count = ROWS.min(rows.end - first);
        let a = &a[(first - rows.start) * a_stride..];
        level.run(Product { rows: count, a, a_stride, b: packed.columns(), c: &mut work.products, c_stride: outputs });
        level.run(FinishRows { values: &work.products, first, samples: &layout.samples, rows: count, finish });
    }
}

/// At least `floats`, and an odd number of lines: places a power of two apart would share a few places in the cache.
pub(super) fn odd_lines(floats: usize) -> usize {
    padded(floats) | 16
}
