//! What a network learns of the whole board at once, and the norm over channels.

use super::buffer::{Buffer, padded};
use super::finish::line;
use super::layout::Layout;
use super::simd::{Kernel, Simd};
use crate::nn::RmsNorm;

/// Three pooled values a channel.
#[derive(Clone, Copy)]
pub(super) enum Pooling {
    /// The mean, the mean scaled by the board's size, the maximum: of blocks and the policy head.
    Features,
    /// The mean, and two more scaled by the board's size: of the value head.
    Value,
}

/// Pools each sample: `[sample][which][channel]`.
pub(super) struct Pool<'a> {
    pub(super) layout: &'a Layout,
    pub(super) pooling: Pooling,
    /// `[row][channel]`.
    pub(super) values: &'a [f32],
    /// Channels as stored.
    pub(super) channels: usize,
    pub(super) out: &'a mut [f32],
}

impl Kernel for Pool<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let channels = self.channels;
        for (place, out) in self.layout.places.iter().zip(self.out.chunks_exact_mut(3 * channels)) {
            let n = place.area() as f32;
            // The constants are KataGo's: 14 is about the mean side of its boards.
            let scaled = (n.sqrt() - 14.0) / 10.0;
            for channel in (0..channels).step_by(S::LANES) {
                // From -1, as KataGo does; only an identity could go below.
                let (mut sum, mut most) = (s.splat(0.0), s.splat(-1.0));
                for row in place.rows() {
                    let value = s.read(&self.values[row * channels + channel..]);
                    sum = s.add(sum, value);
                    most = s.max(most, value);
                }
                let mean = s.mul(sum, s.splat(1.0 / n));
                let third = match self.pooling {
                    Pooling::Features => most,
                    Pooling::Value => s.mul(mean, s.splat(scaled * scaled - 0.1)),
                };
                s.write(&mut out[channel..], mean);
                s.write(&mut out[channels + channel..], s.mul(mean, s.splat(scaled)));
                s.write(&mut out[2 * channels + channel..], third);
            }
        }
    }
}

/// The norm by the mean square over channels.
pub(super) struct Rms {
    weight: Buffer,
    epsilon: f32,
    channels: usize,
}

impl Rms {
    pub(super) fn new(norm: &RmsNorm) -> Self {
        Self { weight: line(&norm.weight), epsilon: norm.epsilon, channels: norm.weight.len() }
    }
}

/// Normalizes each row of `values`, `[row][channel]`, into `out`.
pub(super) struct RmsRows<'a> {
    pub(super) norm: &'a Rms,
    pub(super) values: &'a [f32],
    pub(super) out: &'a mut [f32],
}

impl Kernel for RmsRows<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let stored = padded(self.norm.channels);
        for (values, out) in self.values.chunks_exact(stored).zip(self.out.chunks_exact_mut(stored)) {
            let factor = inverse_root(s, values, self.norm);
            scale(s, values, factor, &self.norm.weight, out);
        }
    }
}

/// 1 / sqrt(mean square + epsilon) over `values`, rows of the norm's channels.
#[inline(always)]
fn inverse_root<S: Simd>(s: S, values: &[f32], norm: &Rms) -> f32 {
    let mut squares = s.splat(0.0);
    for channel in (0..values.len()).step_by(S::LANES) {
        let value = s.read(&values[channel..]);
        squares = s.mul_add(value, value, squares);
    }
    let count = values.len() / padded(norm.channels) * norm.channels;
    1.0 / (s.sum(squares) / count as f32 + norm.epsilon).sqrt()
}

#[inline(always)]
fn scale<S: Simd>(s: S, values: &[f32], factor: f32, weight: &[f32], out: &mut [f32]) {
    for channel in (0..values.len()).step_by(S::LANES) {
        let value = s.mul(s.read(&values[channel..]), s.splat(factor));
        s.write(&mut out[channel..], s.mul(value, s.read(&weight[channel..])));
    }
}

/// The trunk's end: each sample's rows are divided by the root of the mean square of a row or of the whole board, and weighted.
pub(super) struct RmsTip<'a> {
    pub(super) norm: &'a Rms,
    pub(super) layout: &'a Layout,
    /// Whether the mean is over the board.
    pub(super) spatial: bool,
    /// `[row][channel]`.
    pub(super) values: &'a [f32],
    pub(super) out: &'a mut [f32],
}

impl Kernel for RmsTip<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let stored = padded(self.norm.channels);
        for place in &self.layout.places {
            let range = place.rows().start * stored..place.rows().end * stored;
            let (values, out) = (&self.values[range.clone()], &mut self.out[range]);
            let whole = if self.spatial { inverse_root(s, values, self.norm) } else { 0.0 };
            for (values, out) in values.chunks_exact(stored).zip(out.chunks_exact_mut(stored)) {
                let factor = if self.spatial { whole } else { inverse_root(s, values, self.norm) };
                scale(s, values, factor, &self.norm.weight, out);
            }
        }
    }
}
