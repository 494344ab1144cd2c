//! What is done to each value that a convolution puts out, while it is still in a register.

use super::buffer::{Buffer, padded};
use super::math::activate;
use super::simd::{Kernel, Level, Simd};
use crate::nn::{Activation, ActivationKind, BatchNorm};

/// A norm as a multiplication and an addition, and the activation after it.
pub(super) struct NormAct {
    scale: Buffer,
    bias: Buffer,
    kind: ActivationKind,
}

impl NormAct {
    pub(super) fn new(norm: &BatchNorm, activation: &Activation) -> Self {
        let (scale, bias) = norm.merged();
        Self::from_parts(line(&scale), line(&bias), activation.kind)
    }

    pub(super) fn from_parts(scale: Buffer, bias: Buffer, kind: ActivationKind) -> Self {
        Self { scale, bias, kind }
    }

    /// The channels from `channel` on.
    #[inline(always)]
    pub(super) fn apply<S: Simd>(&self, s: S, channel: usize, value: S::V) -> S::V {
        activate(s, self.kind, s.mul_add(value, s.read(&self.scale[channel..]), s.read(&self.bias[channel..])))
    }
}

/// `values`, filled up with zeros to whole lines.
pub(super) fn line(values: &[f32]) -> Buffer {
    let mut buffer = Buffer::zeros(padded(values.len()));
    buffer[..values.len()].copy_from_slice(values);
    buffer
}

/// What becomes of the stream that blocks add to.
pub(super) enum Stream<'a> {
    /// It is not touched.
    Leave,
    /// It begins with these values.
    Set(&'a mut [f32]),
    /// They are added to it; the sum goes on to the norm.
    Add(&'a mut [f32]),
}

/// The finish of values `[row][channel]`.
pub(super) struct Finish<'a> {
    /// Channels as stored.
    pub(super) channels: usize,
    /// Added first: `[sample][channel]`.
    pub(super) shift: Option<&'a [f32]>,
    pub(super) stream: Stream<'a>,
    /// Norm and activation, whose result goes to `out`.
    pub(super) norm: Option<(&'a NormAct, &'a mut [f32])>,
}

impl Finish<'_> {
    /// The stream as it is now; empty if it is left alone.
    pub(super) fn stream(&self) -> &[f32] {
        match &self.stream {
            Stream::Leave => &[],
            Stream::Set(stream) | Stream::Add(stream) => stream,
        }
    }

    /// Finishes a vector of `row`, which belongs to `sample`, from `channel` on.
    #[inline(always)]
    pub(super) fn put<S: Simd>(&mut self, s: S, row: usize, sample: usize, channel: usize, mut value: S::V) {
        let at = row * self.channels + channel;
        if let Some(shift) = self.shift {
            value = s.add(value, s.read(&shift[sample * self.channels + channel..]));
        }
        match &mut self.stream {
            Stream::Leave => {}
            Stream::Set(stream) => s.write(&mut stream[at..], value),
            Stream::Add(stream) => {
                value = s.add(value, s.read(&stream[at..]));
                s.write(&mut stream[at..], value);
            }
        }
        if let Some((norm, out)) = &mut self.norm {
            s.write(&mut out[at..], norm.apply(s, channel, value));
        }
    }
}

/// Finishes rows of values that lie in memory.
pub(super) struct FinishRows<'a, 'b> {
    /// `[row][channel]`, the first row being `first`.
    pub(super) values: &'a [f32],
    pub(super) first: usize,
    /// The sample of each row of the batch.
    pub(super) samples: &'a [u32],
    pub(super) rows: usize,
    pub(super) finish: &'a mut Finish<'b>,
}

impl Kernel for FinishRows<'_, '_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let channels = self.finish.channels;
        for (number, values) in self.values.chunks_exact(channels).take(self.rows).enumerate() {
            let row = self.first + number;
            for channel in (0..channels).step_by(S::LANES) {
                self.finish.put(s, row, self.samples[row] as usize, channel, s.read(&values[channel..]));
            }
        }
    }
}

/// `out = act(norm(values))`, row by row.
pub(super) fn normalize(level: Level, values: &[f32], channels: usize, norm: &NormAct, out: &mut [f32]) {
    struct Pass<'a>(&'a [f32], usize, &'a NormAct, &'a mut [f32]);
    impl Kernel for Pass<'_> {
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            for (values, out) in self.0.chunks_exact(self.1).zip(self.3.chunks_exact_mut(self.1)) {
                for channel in (0..self.1).step_by(S::LANES) {
                    s.write(&mut out[channel..], self.2.apply(s, channel, s.read(&values[channel..])));
                }
            }
        }
    }
    level.run(Pass(values, channels, norm, out));
}
