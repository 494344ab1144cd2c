//! Convolution by Winograd's minimal filtering: a square of outputs costs as many products as it has inputs.
//! (S. Winograd, Arithmetic Complexity of Computations, 1980; A. Lavin and S. Gray, Fast Algorithms for Convolutional Neural Networks, 2016.)
//!
//! Y = A'[(G g G') * (B' d B)] A, where the product * is one of matrices for each place of the square. The polynomials are
//! interpolated at 0, 1, -1, 2 (and -2, and 1/2, for larger squares) and infinity.

use super::finish::Finish;
use super::layout::Tiles;
use super::simd::{Kernel, Simd};

/// G g G' for a 3x3 kernel and a square of `side` outputs, into `out`: `side + 2` squared values, row by row.
pub(super) fn transform_kernel(side: usize, kernel: &[f32; 9], out: &mut [f32]) {
    const SMALL: [[f32; 3]; 5] = [
        [0.5, 0.0, 0.0],
        [-0.5, -0.5, -0.5],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
        [0.0, 0.0, 1.0],
    ];
    const LARGE: [[f32; 3]; 6] = [
        [0.25, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];
    const LARGEST: [[f32; 3]; 7] = [
        [-0.5, 0.0, 0.0],
        [-1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0],
        [1.0 / 9.0, -1.0 / 9.0, 1.0 / 9.0],
        [1.0 / 36.0, 1.0 / 18.0, 1.0 / 9.0],
        [-1.0 / 60.0, 1.0 / 30.0, -1.0 / 15.0],
        [32.0 / 45.0, 16.0 / 45.0, 8.0 / 45.0],
        [0.0, 0.0, 1.0],
    ];
    let g: &[[f32; 3]] = match side {
        3 => &SMALL,
        4 => &LARGE,
        _ => &LARGEST,
    };
    let dot = |a: &[f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (down, out) in g.iter().zip(out.chunks_exact_mut(side + 2)) {
        let row = [0, 1, 2].map(|x| dot(down, [kernel[x], kernel[3 + x], kernel[6 + x]]));
        for (across, out) in g.iter().zip(out) {
            *out = dot(across, row);
        }
    }
}

/// `$array[$i] = $value` for each place of an array of `$count` vectors, seven at most, written out. A closure would be a function by itself, made
/// for any processor; a loop may stay one. Where the compiler then chooses otherwise (which changes with what stands around it), each
/// vector goes through memory, or worse.
macro_rules! fill {
    ($array:ident[$i:ident; $count:expr] = $value:expr) => {
        fill!(@ $array $i $count, $value; 0 1 2 3 4 5 6)
    };
    (@ $array:ident $i:ident $count:expr, $value:expr; $($place:literal)*) => {
        $(if $place < $count {
            #[allow(non_upper_case_globals, reason = "it stands for a loop's variable")]
            const $i: usize = $place;
            $array[$place] = $value;
        })*
    };
}
pub(super) use fill;

/// One dimension of B' d.
#[inline(always)]
fn transform_inputs<S: Simd, const INPUTS: usize>(s: S, d: [S::V; INPUTS]) -> [S::V; INPUTS] {
    macro_rules! times {
        ($factor:expr, $v:expr, $plus:expr) => {
            s.mul_add(s.splat($factor), $v, $plus)
        };
    }
    let mut out = d;
    if INPUTS == 5 {
        let a = s.sub(d[3], d[1]);
        out[0] = times!(2.0, s.sub(d[0], d[2]), a);
        out[1] = times!(-2.0, d[1], s.sub(d[3], d[2]));
        out[2] = times!(2.0, d[1], times!(-3.0, d[2], d[3]));
        out[3] = a;
        out[4] = times!(-2.0, a, s.sub(d[4], d[2]));
        return out;
    }
    // The polynomials of the largest square are those of the next one times x - 1/2.
    let mut e = [d[0]; 6];
    fill!(e[i; 6] = if INPUTS == 7 { times!(-0.5, d[i], d[i + 1]) } else if i < INPUTS { d[i] } else { d[0] });
    let (a, b) = (times!(-4.0, e[2], e[4]), times!(-4.0, e[1], e[3]));
    let (c, f) = (s.sub(e[4], e[2]), s.sub(e[3], e[1]));
    out[0] = times!(4.0, e[0], times!(-5.0, e[2], e[4]));
    out[1] = s.add(a, b);
    out[2] = s.sub(a, b);
    out[3] = times!(2.0, f, c);
    out[4] = times!(-2.0, f, c);
    if INPUTS == 7 {
        out[5] = times!(4.0, d[1], times!(-5.0, d[3], d[5]));
    }
    out[INPUTS - 1] = times!(4.0, e[1], times!(-5.0, e[3], e[5]));
    out
}

/// One dimension of A' y.
#[inline(always)]
fn transform_outputs<S: Simd, const INPUTS: usize, const SIDE: usize>(s: S, y: [S::V; INPUTS]) -> [S::V; SIDE] {
    macro_rules! times {
        ($factor:expr, $v:expr, $plus:expr) => {
            s.mul_add(s.splat($factor), $v, $plus)
        };
    }
    let (sum, difference) = (s.add(y[1], y[2]), s.sub(y[1], y[2]));
    let mut out = [sum; SIDE];
    if SIDE == 3 {
        out[0] = s.add(s.add(y[0], sum), y[3]);
        out[1] = times!(2.0, y[3], difference);
        out[2] = times!(4.0, y[3], s.add(sum, y[4]));
        return out;
    }
    let (sum2, difference2) = (s.add(y[3], y[4]), s.sub(y[3], y[4]));
    out[0] = s.add(s.add(y[0], sum), sum2);
    out[1] = times!(2.0, difference2, difference);
    out[2] = times!(4.0, sum2, sum);
    out[3] = times!(8.0, difference2, difference);
    if SIDE == 5 {
        out[4] = times!(16.0, sum2, sum);
        let mut power = 1.0;
        for out in &mut out {
            *out = times!(power, y[5], *out);
            power *= 0.5;
        }
    }
    out[SIDE - 1] = s.add(out[SIDE - 1], y[INPUTS - 1]);
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
        // Out here, or the compiler clears it anew for each vector.
        let mut columns = [[s.splat(0.0); INPUTS]; INPUTS];
        let tiles = self.tiles.inputs.chunks_exact(INPUTS * INPUTS);
        for (number, rows) in tiles.take(self.range.end).skip(self.range.start).enumerate() {
            assert!((INPUTS * INPUTS - 1) * self.stride + (number + 1) * self.channels <= self.out.len());
            let highest = rows.iter().fold(0, |highest, &row| highest.max(row as usize));
            assert!((highest + 1) * self.channels <= self.input.len() && self.channels.is_multiple_of(S::LANES));
            for channel in (0..self.channels).step_by(S::LANES) {
                for (x, column) in columns.iter_mut().enumerate() {
                    let mut down = [s.splat(0.0); INPUTS];
                    // SAFETY: the largest row's channels lie in `input`, and a vector from `channel` on in the row.
                    fill!(down[y; INPUTS] = unsafe {
                        s.load(self.input.as_ptr().add(rows[y * INPUTS + x] as usize * self.channels + channel))
                    });
                    *column = transform_inputs(s, down);
                }
                #[expect(clippy::needless_range_loop, reason = "it is the second index that runs")]
                for y in 0..INPUTS {
                    let mut across = [s.splat(0.0); INPUTS];
                    fill!(across[x; INPUTS] = columns[x][y]);
                    for (x, &value) in transform_inputs(s, across).iter().enumerate() {
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
    /// The channels that `values` holds.
    pub(super) columns: std::ops::Range<usize>,
    /// `[place][tile][channel]`.
    pub(super) values: &'a [f32],
    /// From a place to the next.
    pub(super) stride: usize,
    pub(super) finish: &'a mut Finish<'b>,
}

impl<const INPUTS: usize, const SIDE: usize> Kernel for Gather<'_, '_, INPUTS, SIDE> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let width = self.columns.len();
        let mut columns = [[s.splat(0.0); SIDE]; INPUTS];
        for (number, tile) in self.range.enumerate() {
            let rows = &self.tiles.outputs[tile * SIDE * SIDE..][..SIDE * SIDE];
            let sample = self.tiles.samples[tile] as usize;
            assert!((INPUTS * INPUTS - 1) * self.stride + (number + 1) * width <= self.values.len());
            assert!(width.is_multiple_of(S::LANES));
            for channel in (0..width).step_by(S::LANES) {
                for (x, column) in columns.iter_mut().enumerate() {
                    let mut down = [s.splat(0.0); INPUTS];
                    // SAFETY: the last place's tile ends within `values`.
                    fill!(down[y; INPUTS] = unsafe {
                        s.load(self.values.as_ptr().add((y * INPUTS + x) * self.stride + number * width + channel))
                    });
                    *column = transform_outputs::<S, INPUTS, SIDE>(s, down);
                }
                for y in 0..SIDE {
                    let mut across = [s.splat(0.0); INPUTS];
                    fill!(across[x; INPUTS] = columns[x][y]);
                    for (x, &value) in transform_outputs::<S, INPUTS, SIDE>(s, across).iter().enumerate() {
                        let row = rows[y * SIDE + x] as usize;
                        if row != 0 {
                            self.finish.put(s, row, sample, self.columns.start + channel, value);
                        }
                    }
                }
            }
        }
    }
}
