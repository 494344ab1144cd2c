//! Convolutions: by points, by squares (Winograd), or gathered for kernels of other sizes; and products with whole batches of rows.

use std::sync::OnceLock;

use super::buffer::{Buffer, padded};
use super::finish::{Finish, FinishRows};
use super::layout::Layout;
use super::product::{Packed, Product};
use super::simd::Level;
use super::winograd::{Gather, Spread, transform_kernel};
use crate::nn::Conv;

/// Rows of a product that are finished while they are in the nearest cache.
const ROWS: usize = 52;
/// Squares that go through a convolution together: more read the weights less often, fewer stay in the cache.
const SQUARES: usize = 128;

/// A convolution with its weights laid out.
pub(super) struct Convolution {
    conv: Conv,
    /// For each size of square when it is first needed, or the only one.
    packed: [OnceLock<Packed>; 3],
}

/// Scratch memory of convolutions.
#[derive(Default)]
pub(super) struct Work {
    spread: Buffer,
    products: Buffer,
}

impl Convolution {
    pub(super) fn new(conv: &Conv) -> Self {
        Self { conv: conv.clone(), packed: Default::default() }
    }

    /// Output channels as stored.
    pub(super) fn outputs(&self) -> usize {
        padded(self.conv.outputs)
    }

    /// Lays out the weights for the boards of `layout`, unless that was done.
    pub(super) fn prepare(&self, level: Level, layout: &Layout) {
        let conv = &self.conv;
        if (conv.height, conv.width) != (3, 3) {
            let inputs = conv.height * conv.width * conv.inputs;
            self.packed[0].get_or_init(|| Packed::new(level, inputs, conv.outputs, |i, o| conv.weights[i * conv.outputs + o]));
            return;
        }
        for ((tiles, side), packed) in layout.tiles.iter().zip(Layout::SIDES).zip(&self.packed) {
            if tiles.len() > 0 {
                packed.get_or_init(|| {
                    Packed::stack(level, [conv.inputs, conv.outputs], (side + 2) * (side + 2), |i, o, out| {
                        let kernel = std::array::from_fn(|tap| conv.weights[(tap * conv.inputs + i) * conv.outputs + o]);
                        transform_kernel(side, &kernel, out);
                    })
                });
            }
        }
    }

    /// Convolves `input`, `[row][channel]` with row 0 zero, and finishes what comes out.
    pub(super) fn run(&self, level: Level, layout: &Layout, input: &[f32], work: &mut Work, finish: &mut Finish<'_>) {
        self.prepare(level, layout);
        let channels = padded(self.conv.inputs);
        match (self.conv.height, self.conv.width) {
            (1, 1) => {
                let packed = self.packed[0].get().expect("prepared above");
                product(level, layout, 1..layout.rows(), &input[channels..], channels, packed, work, finish);
            }
            (3, 3) => {
                self.squares::<5, 3>(level, layout, 0, input, work, finish);
                self.squares::<6, 4>(level, layout, 1, input, work, finish);
                self.squares::<7, 5>(level, layout, 2, input, work, finish);
            }
            _ => self.gathered(level, layout, input, work, finish),
        }
    }

    fn squares<const INPUTS: usize, const SIDE: usize>(
        &self,
        level: Level,
        layout: &Layout,
        size: usize,
        input: &[f32],
        work: &mut Work,
        finish: &mut Finish<'_>,
    ) {
        let tiles = &layout.tiles[size];
        let Some(packed) = self.packed[size].get() else { return };
        let channels = padded(self.conv.inputs);
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
    fn gathered(&self, level: Level, layout: &Layout, input: &[f32], work: &mut Work, finish: &mut Finish<'_>) {
        let Conv { height, width, inputs, .. } = self.conv;
        let (channels, taps) = (padded(inputs), height * width * inputs);
        let mut spread = std::mem::take(&mut work.spread);
        spread.reserve(layout.rows() * taps);
        let mut to = spread.chunks_exact_mut(inputs);
        for place in &layout.places {
            for (y, x) in (0..place.height).flat_map(|y| (0..place.width).map(move |x| (y, x))) {
                for (down, across) in (0..height).flat_map(|down| (0..width).map(move |across| (down, across))) {
                    let row =
                        place.row((x + across) as isize - (width / 2) as isize, (y + down) as isize - (height / 2) as isize);
                    let tap = to.next().expect("room for every point's surroundings");
                    tap.copy_from_slice(&input[row * channels..][..inputs]);
                }
            }
        }
        let packed = self.packed[0].get().expect("prepared before");
        product(level, layout, 1..layout.rows(), &spread, taps, packed, work, finish);
        work.spread = spread;
    }
}

/// Multiplies rows, the first of `a` being the first of `rows`, with a matrix, and finishes what comes out.
#[allow(clippy::too_many_arguments)]
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
