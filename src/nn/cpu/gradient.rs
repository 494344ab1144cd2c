//! Kernels that training needs besides those of the forward pass.

use std::ops::Range;

use super::buffer::{Buffer, padded};
use super::conv::odd_lines;
use super::layout::{Layout, Tiles};
use super::simd::{Kernel, Level, Simd, by_rows};
use super::winograd::{Spread, fill, transform_kernel};

/// Squares whose products are summed before the sums go back to memory: more do so less often, fewer stay in the cache.
const SQUARES: usize = 128;
/// Places of the largest square's inputs.
const MOST_PLACES: usize = 49;

/// The gradient of a 3x3 convolution's kernels, as it is summed up: by Winograd's filtering too, whose products with the inputs' squares are kept apart
/// until the end.
pub(super) struct KernelGradient {
    inputs: usize,
    outputs: usize,
    /// Side of the squares of outputs; 0 if nothing was added.
    side: usize,
    /// `[place][input][output]`, with channels as stored.
    sums: Buffer,
}

/// Scratch memory.
#[derive(Default)]
pub(super) struct Room {
    inputs: Buffer,
    outputs: Buffer,
}

impl KernelGradient {
    pub(super) fn new(inputs: usize, outputs: usize) -> Self {
        Self { inputs, outputs, side: 0, sums: Buffer::default() }
    }

    /// Adds what a batch says: `input` is what was convolved, `gradient` that of what came out, both `[row][channel]` with row 0 zero.
    pub(super) fn add(&mut self, level: Level, layout: &Layout, input: &[f32], gradient: &[f32], room: &mut Room) {
        self.squares::<5, 3>(level, &layout.tiles[0], input, gradient, room);
        self.squares::<6, 4>(level, &layout.tiles[1], input, gradient, room);
        self.squares::<7, 5>(level, &layout.tiles[2], input, gradient, room);
    }

    fn squares<const INPUTS: usize, const SIDE: usize>(
        &mut self,
        level: Level,
        tiles: &Tiles,
        input: &[f32],
        gradient: &[f32],
        room: &mut Room,
    ) {
        if tiles.len() == 0 {
            return;
        }
        assert!(self.side == 0 || self.side == SIDE, "all batches of a step have boards of one size");
        let (inputs, outputs, places) = (padded(self.inputs), padded(self.outputs), INPUTS * INPUTS);
        if self.side == 0 {
            self.side = SIDE;
            self.sums.reserve(places * inputs * outputs);
            self.sums[..places * inputs * outputs].fill(0.0);
        }
        let parts = tiles.len().div_ceil(SQUARES);
        for part in 0..parts {
            let range = tiles.len() * part / parts..tiles.len() * (part + 1) / parts;
            let strides = [odd_lines(range.len() * inputs), odd_lines(range.len() * outputs)];
            room.inputs.reserve(places * strides[0]);
            room.outputs.reserve(places * strides[1]);
            let out = &mut room.inputs;
            level.run(Spread::<INPUTS> { tiles, range: range.clone(), input, channels: inputs, out, stride: strides[0] });
            let out = &mut room.outputs;
            let range_of = range.clone();
            level.run(Expand::<INPUTS, SIDE> { tiles, range: range_of, gradient, channels: outputs, out, stride: strides[1] });
            for (place, sums) in self.sums.chunks_exact_mut(inputs * outputs).take(places).enumerate() {
                level.run(Outer {
                    count: range.len(),
                    a: &room.inputs[place * strides[0]..],
                    rows: inputs,
                    b: &room.outputs[place * strides[1]..],
                    columns: outputs,
                    sums,
                });
            }
        }
    }

    /// Writes the gradient `[y][x][input][output]` to `out`, adding it to what is there, and begins anew.
    pub(super) fn finish(&mut self, out: &mut [f32]) {
        let side = std::mem::take(&mut self.side);
        if side == 0 {
            return;
        }
        let (inputs, outputs, places) = (padded(self.inputs), padded(self.outputs), (side + 2) * (side + 2));
        // The transform of a kernel is linear: what each tap adds to each place is what the transform makes of a kernel of this tap alone.
        let mut shares = [[0.0_f32; MOST_PLACES]; 9];
        for (tap, shares) in shares.iter_mut().enumerate() {
            transform_kernel(side, &std::array::from_fn(|other| f32::from(u8::from(other == tap))), shares);
        }
        for input in 0..self.inputs {
            for (tap, shares) in shares.iter().enumerate() {
                let out = &mut out[(tap * self.inputs + input) * self.outputs..][..self.outputs];
                for (place, &share) in shares.iter().enumerate().take(places).filter(|(_, share)| **share != 0.0) {
                    let sums = &self.sums[(place * inputs + input) * outputs..][..self.outputs];
                    out.iter_mut().zip(sums).for_each(|(out, sum)| *out += share * sum);
                }
            }
        }
    }

    /// Adds what another has summed up.
    pub(super) fn join(&mut self, other: &mut Self) {
        if self.side == 0 {
            std::mem::swap(self, other);
        } else if other.side != 0 {
            assert_eq!(self.side, other.side, "all batches of a step have boards of one size");
            self.sums.iter_mut().zip(&other.sums[..]).for_each(|(sum, other)| *sum += other);
            other.side = 0;
        }
    }
}

/// One dimension of A y, the transpose of what makes outputs of products.
#[inline(always)]
fn expand<S: Simd, const INPUTS: usize, const SIDE: usize>(s: S, y: [S::V; SIDE]) -> [S::V; INPUTS] {
    macro_rules! times {
        ($factor:expr, $v:expr, $plus:expr) => {
            s.mul_add(s.splat($factor), $v, $plus)
        };
    }
    let mut out = [y[0]; INPUTS];
    let (even, odd) = (s.add(y[0], y[2]), y[1]);
    if SIDE == 3 {
        out[1] = s.add(even, odd);
        out[2] = s.sub(even, odd);
        out[3] = times!(4.0, y[2], times!(2.0, y[1], y[0]));
        out[4] = y[2];
        return out;
    }
    let (mut even, odd) = (even, s.add(odd, y[3]));
    let (mut even2, odd2) = (times!(4.0, y[2], y[0]), times!(8.0, y[3], s.add(y[1], y[1])));
    if SIDE == 5 {
        even = s.add(even, y[4]);
        even2 = times!(16.0, y[4], even2);
        out[5] = times!(0.5, times!(0.5, times!(0.5, times!(0.5, y[4], y[3]), y[2]), y[1]), y[0]);
    }
    out[1] = s.add(even, odd);
    out[2] = s.sub(even, odd);
    out[3] = s.add(even2, odd2);
    out[4] = s.sub(even2, odd2);
    out[INPUTS - 1] = y[SIDE - 1];
    out
}

/// A y A' of each square of a gradient, to `[place][tile][channel]`.
struct Expand<'a, const INPUTS: usize, const SIDE: usize> {
    tiles: &'a Tiles,
    range: Range<usize>,
    /// `[row][channel]`, row 0 zero.
    gradient: &'a [f32],
    /// Channels as stored.
    channels: usize,
    out: &'a mut [f32],
    /// From a place to the next.
    stride: usize,
}

impl<const INPUTS: usize, const SIDE: usize> Kernel for Expand<'_, INPUTS, SIDE> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut columns = [[s.splat(0.0); INPUTS]; SIDE];
        for (number, tile) in self.range.enumerate() {
            let rows = &self.tiles.outputs[tile * SIDE * SIDE..][..SIDE * SIDE];
            assert!((INPUTS * INPUTS - 1) * self.stride + (number + 1) * self.channels <= self.out.len());
            let highest = rows.iter().fold(0, |highest, &row| highest.max(row as usize));
            assert!((highest + 1) * self.channels <= self.gradient.len() && self.channels.is_multiple_of(S::LANES));
            for channel in (0..self.channels).step_by(S::LANES) {
                for (x, column) in columns.iter_mut().enumerate() {
                    let mut down = [s.splat(0.0); SIDE];
                    // SAFETY: the largest row's channels lie in `gradient`, and a vector from `channel` on in the row.
                    fill!(down[y; SIDE] = unsafe {
                        s.load(self.gradient.as_ptr().add(rows[y * SIDE + x] as usize * self.channels + channel))
                    });
                    *column = expand::<S, INPUTS, SIDE>(s, down);
                }
                #[expect(clippy::needless_range_loop, reason = "it is the second index that runs")]
                for y in 0..INPUTS {
                    let mut across = [s.splat(0.0); SIDE];
                    fill!(across[x; SIDE] = columns[x][y]);
                    for (x, &value) in expand::<S, INPUTS, SIDE>(s, across).iter().enumerate() {
                        let at = (y * INPUTS + x) * self.stride + number * self.channels + channel;
                        // SAFETY: the last place's tile ends within `out`.
                        unsafe { s.store(self.out.as_mut_ptr().add(at), value) };
                    }
                }
            }
        }
    }
}

/// `sums += a' b`: of each pair of rows the product of every number of the one with every number of the other.
pub(super) struct Outer<'a> {
    /// Rows of `a` and `b`.
    pub(super) count: usize,
    /// `[count][rows]`.
    pub(super) a: &'a [f32],
    pub(super) rows: usize,
    /// `[count][columns]`.
    pub(super) b: &'a [f32],
    /// Whole lines.
    pub(super) columns: usize,
    /// `[rows][columns]`.
    pub(super) sums: &'a mut [f32],
}

impl Kernel for Outer<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { count, rows, columns, .. } = self;
        assert!(count * rows <= self.a.len() && count * columns <= self.b.len() && rows * columns <= self.sums.len());
        assert!(columns.is_multiple_of(S::LANES));
        let pieces = rows.div_ceil(S::ROWS);
        for piece in 0..pieces {
            let row = rows * piece / pieces;
            let height = rows * (piece + 1) / pieces - row;
            for column in (0..columns).step_by(2 * S::LANES) {
                let narrow = columns - column < 2 * S::LANES;
                // SAFETY: the piece and its columns lie in the slices, as was made sure above.
                unsafe {
                    let piece = Piece {
                        count,
                        a: self.a.as_ptr().add(row),
                        a_stride: rows,
                        b: self.b.as_ptr().add(column),
                        columns,
                        sums: self.sums.as_mut_ptr().add(row * columns + column),
                    };
                    piece.compute(s, height, narrow);
                }
            }
        }
    }
}

/// A piece of the sums that fits in the registers.
struct Piece {
    count: usize,
    a: *const f32,
    a_stride: usize,
    b: *const f32,
    columns: usize,
    sums: *mut f32,
}

impl Piece {
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
        let at = |row: usize, vector: usize| row * self.columns + vector * S::LANES;
        for (r, sums) in sums.iter_mut().enumerate() {
            for (v, sum) in sums.iter_mut().enumerate() {
                // SAFETY: the caller's.
                *sum = unsafe { s.load(self.sums.add(at(r, v))) };
            }
        }
        let (mut a, mut b) = (self.a, self.b);
        // Written out, since the compiler may leave a loop of many rows a loop, with all sums in memory.
        macro_rules! each_row {
            ($row:ident: $($r:literal)*) => {
                $(if $r < ROWS {
                    let x = s.splat(*a.add($r));
                    sums[$r][0] = s.mul_add(x, $row[0], sums[$r][0]);
                    if VECTORS > 1 {
                        sums[$r][1] = s.mul_add(x, $row[1], sums[$r][1]);
                    }
                })*
            };
        }
        for _ in 0..self.count {
            // SAFETY: the caller's; pointers go on by `count` steps in all.
            unsafe {
                let mut row = [s.load(b); VECTORS];
                if VECTORS > 1 {
                    row[1] = s.load(b.add(S::LANES));
                }
                each_row!(row: 0 1 2 3 4 5 6 7 8);
            }
            a = a.wrapping_add(self.a_stride);
            b = b.wrapping_add(self.columns);
        }
        for (r, sums) in sums.iter().enumerate() {
            for (v, &sum) in sums.iter().enumerate() {
                // SAFETY: the caller's.
                unsafe { s.store(self.sums.add(at(r, v)), sum) };
            }
        }
    }
}

/// Back through a norm and a rectifier, row by row.
pub(super) struct BackThroughNorm<'a> {
    /// What went in, `[row][channel]`, rows `stride` apart.
    pub(super) values: &'a [f32],
    pub(super) stride: usize,
    /// Channels as stored.
    pub(super) channels: usize,
    /// The norm as a multiplication and an addition.
    pub(super) scale: &'a [f32],
    pub(super) bias: &'a [f32],
    /// The gradient of what came out, rows `stride` apart; becomes that of what went in.
    pub(super) gradient: &'a mut [f32],
    /// Those of `scale` and `bias`, which are added to.
    pub(super) sums: [&'a mut [f32]; 2],
}

/// A number that makes 1 or more of all but the smallest floats.
const STEEP: f32 = 1e30;

impl Kernel for BackThroughNorm<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let [scale_sums, bias_sums] = self.sums;
        let (zero, one, steep) = (s.splat(0.0), s.splat(1.0), s.splat(STEEP));
        for (values, gradients) in self.values.chunks(self.stride).zip(self.gradient.chunks_mut(self.stride)) {
            for channel in (0..self.channels).step_by(S::LANES) {
                let (value, scale) = (s.read(&values[channel..]), s.read(&self.scale[channel..]));
                let out = s.mul_add(value, scale, s.read(&self.bias[channel..]));
                let open = s.min(s.max(s.mul(out, steep), zero), one);
                let gradient = s.mul(s.read(&gradients[channel..]), open);
                let sum = s.mul_add(gradient, value, s.read(&scale_sums[channel..]));
                s.write(&mut scale_sums[channel..], sum);
                let sum = s.add(gradient, s.read(&bias_sums[channel..]));
                s.write(&mut bias_sums[channel..], sum);
                s.write(&mut gradients[channel..], s.mul(gradient, scale));
            }
        }
    }
}
