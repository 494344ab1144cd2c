//! Convolution by Winograd's minimal filtering: a square of outputs costs as many products as it has inputs.
//! (S. Winograd, Arithmetic Complexity of Computations, 1980; A. Lavin and S. Gray, Fast Algorithms for Convolutional Neural Networks, 2016.)
//!
//! Y = A'[(G g G') * (B' d B)] A, where the product * is one of matrices for each place of the square. The polynomials are
//! interpolated at 0, 1, -1, 2 (and -2 for the larger square) and infinity.

use super::finish::Finish;
use super::layout::Tiles;
use super::simd::{Kernel, Simd};

/// G g G' for a 3x3 kernel and a square of `side` outputs: `side + 2` squared values, row by row.
pub(super) fn transform_kernel(side: usize, kernel: &[f32; 9]) -> Vec<f32> {
    let g: &[[f64; 3]] = match side {
        3 => &[
            [0.5, 0.0, 0.0],
            [-0.5, -0.5, -0.5],
            [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
            [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
            [0.0, 0.0, 1.0],
        ],
        _ => &[
            [0.25, 0.0, 0.0],
            [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
            [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
            [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
            [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
            [0.0, 0.0, 1.0],
        ],
    };
    let dot = |a: &[f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let kernel = |y: usize, x: usize| f64::from(kernel[3 * y + x]);
    let mut out = Vec::with_capacity(g.len() * g.len());
    for down in g {
        let row = [0, 1, 2].map(|x| dot(down, [kernel(0, x), kernel(1, x), kernel(2, x)]));
        out.extend(g.iter().map(|across| dot(across, row) as f32));
    }
    out
}

/// One dimension of B' d.
#[inline(always)]
fn transform_inputs<S: Simd, const INPUTS: usize>(s: S, d: [S::V; INPUTS]) -> [S::V; INPUTS] {
    let times = |factor: f32, v: S::V, plus: S::V| s.mul_add(s.splat(factor), v, plus);
    let mut out = d;
    if INPUTS == 5 {
        let a = s.sub(d[3], d[1]);
        out[0] = times(2.0, s.sub(d[0], d[2]), a);
        out[1] = times(-2.0, d[1], s.sub(d[3], d[2]));
        out[2] = times(2.0, d[1], times(-3.0, d[2], d[3]));
        out[3] = a;
        out[4] = times(-2.0, a, s.sub(d[4], d[2]));
    } else {
        let (a, b) = (times(-4.0, d[2], d[4]), times(-4.0, d[1], d[3]));
        let (c, e) = (s.sub(d[4], d[2]), s.sub(d[3], d[1]));
        out[0] = times(4.0, d[0], times(-5.0, d[2], d[4]));
        out[1] = s.add(a, b);
        out[2] = s.sub(a, b);
        out[3] = times(2.0, e, c);
        out[4] = times(-2.0, e, c);
        out[5] = times(4.0, d[1], times(-5.0, d[3], d[5]));
    }
    out
}

/// One dimension of A' y.
#[inline(always)]
fn transform_outputs<S: Simd, const INPUTS: usize, const SIDE: usize>(s: S, y: [S::V; INPUTS]) -> [S::V; SIDE] {
    let times = |factor: f32, v: S::V, plus: S::V| s.mul_add(s.splat(factor), v, plus);
    let (sum, difference) = (s.add(y[1], y[2]), s.sub(y[1], y[2]));
    let mut out = [sum; SIDE];
    if SIDE == 3 {
        out[0] = s.add(s.add(y[0], sum), y[3]);
        out[1] = times(2.0, y[3], difference);
        out[2] = times(4.0, y[3], s.add(sum, y[4]));
    } else {
        let (sum2, difference2) = (s.add(y[3], y[4]), s.sub(y[3], y[4]));
        out[0] = s.add(s.add(y[0], sum), sum2);
        out[1] = times(2.0, difference2, difference);
        out[2] = times(4.0, sum2, sum);
        out[3] = times(8.0, difference2, s.add(difference, y[5]));
    }
    out
}

/// B' d B of each tile, to `[place][tile][channel]`.
pub(super) struct Spread<'a, const INPUTS: usize> {
    pub(super) tiles: &'a Tiles,
    pub(super) range: std::ops::Range<usize>,
    /// `[row][channel]`.
    pub(super) input: &'a [f32],
    /// Channels as stored.
    pub(super) channels: usize,
    pub(super) out: &'a mut [f32],
    /// From a place to the next.
    pub(super) stride: usize,
}

impl<const INPUTS: usize> Kernel for Spread<'_, INPUTS> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let tiles = self.tiles.inputs.chunks_exact(INPUTS * INPUTS);
        for (number, rows) in tiles.take(self.range.end).skip(self.range.start).enumerate() {
            assert!((INPUTS * INPUTS - 1) * self.stride + (number + 1) * self.channels <= self.out.len());
            let highest = rows.iter().fold(0, |highest, &row| highest.max(row as usize));
            assert!((highest + 1) * self.channels <= self.input.len() && self.channels.is_multiple_of(S::LANES));
            for channel in (0..self.channels).step_by(S::LANES) {
                let mut columns = [[s.splat(0.0); INPUTS]; INPUTS];
                for (x, column) in columns.iter_mut().enumerate() {
                    // SAFETY: the largest row's channels lie in `input`, and a vector from `channel` on in the row.
                    let down = |y: usize| unsafe {
                        s.load(self.input.as_ptr().add(rows[y * INPUTS + x] as usize * self.channels + channel))
                    };
                    *column = transform_inputs(s, std::array::from_fn(down));
                }
                #[allow(clippy::needless_range_loop)] // It is the second index that runs.
                for y in 0..INPUTS {
                    let row: [S::V; INPUTS] = transform_inputs(s, std::array::from_fn(|x| columns[x][y]));
                    for (x, &value) in row.iter().enumerate() {
                        let at = (y * INPUTS + x) * self.stride + number * self.channels + channel;
                        // SAFETY: the last place's tile ends within `out`.
                        unsafe { s.store(self.out.as_mut_ptr().add(at), value) };
                    }
                }
            }
        }
    }
}

/// A' y A of each tile, finished.
pub(super) struct Gather<'a, 'b, const INPUTS: usize, const SIDE: usize> {
    pub(super) tiles: &'a Tiles,
    pub(super) range: std::ops::Range<usize>,
    /// `[place][tile][channel]`.
    pub(super) values: &'a [f32],
    /// From a place to the next.
    pub(super) stride: usize,
    pub(super) finish: &'a mut Finish<'b>,
}

impl<const INPUTS: usize, const SIDE: usize> Kernel for Gather<'_, '_, INPUTS, SIDE> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let channels = self.finish.channels;
        for (number, tile) in self.range.enumerate() {
            let rows = &self.tiles.outputs[tile * SIDE * SIDE..][..SIDE * SIDE];
            let sample = self.tiles.samples[tile] as usize;
            assert!((INPUTS * INPUTS - 1) * self.stride + (number + 1) * channels <= self.values.len());
            assert!(channels.is_multiple_of(S::LANES));
            for channel in (0..channels).step_by(S::LANES) {
                let mut columns = [[s.splat(0.0); SIDE]; INPUTS];
                for (x, column) in columns.iter_mut().enumerate() {
                    // SAFETY: the last place's tile ends within `values`.
                    let down = |y: usize| unsafe {
                        s.load(self.values.as_ptr().add((y * INPUTS + x) * self.stride + number * channels + channel))
                    };
                    *column = transform_outputs::<S, INPUTS, SIDE>(s, std::array::from_fn(down));
                }
                for y in 0..SIDE {
                    let row: [S::V; SIDE] = transform_outputs::<S, INPUTS, SIDE>(s, std::array::from_fn(|x| columns[x][y]));
                    for (x, &value) in row.iter().enumerate() {
                        let row = rows[y * SIDE + x] as usize;
                        if row != 0 {
                            self.finish.put(s, row, sample, channel, value);
                        }
                    }
                }
            }
        }
    }
}
