//! The trunk of a network for training, forward and back, in half the time that libtorch takes on a CPU.
//!
//! Only trunks of residual and global pooling blocks with rectifiers and norms by stored statistics, of which scale and bias are learnt. Layers'
//! inputs before their norms are kept from the forward pass, and what comes after a norm is computed again on the way back.

mod pooling;
mod sums;
mod weights;

use std::thread;

use super::buffer::{Buffer, padded};
use super::conv::{Convolution, Work};
use super::finish::{Finish, Stream};
use super::gradient::Room;
use super::layout::Layout;
use super::simd::Level;
use crate::board::Size;
use crate::nn::{GLOBALS, MatMul, Network, PLANES, Tip};
use pooling::{multiply, outer, pool_back, pool_middle, shift_middle, strip, summed};
use sums::PartGradient;
pub use sums::TowerGradient;
use weights::{Affine, Layer, Part, is_3x3, is_relu};

/// A trunk whose weights are laid out, for boards of one size. Threads share it.
pub struct Tower {
    level: Level,
    channels: usize,
    initial: Convolution,
    initial_mul: MatMul,
    parts: Vec<Part>,
    tip: Affine,
}
/// What a forward pass leaves for the way back. It can be used again, which saves memory's being asked for.
#[derive(Default)]
pub struct Trace {
    layout: Layout,
    planes: Buffer,
    globals: Vec<f32>,
    /// The stream before each block, and at the end.
    streams: Vec<Buffer>,
    /// What each block's first convolution put out.
    middles: Vec<Buffer>,
    /// What global pooling blocks pooled: `[sample][3][channel]`.
    pooled: Vec<Buffer>,
}

/// A thread's scratch memory.
#[derive(Default)]
pub struct TowerRoom {
    work: Work,
    room: Room,
    active: Buffer,
    hidden: Buffer,
    gradient: Buffer,
    middle: Buffer,
    more: Buffer,
    vectors: Vec<f32>,
}
impl Tower {
    /// The trunk of `network`, laid out for `board` by so many threads; nothing if it has other layers than a tower's.
    pub fn new(network: &Network, board: Size, threads: usize) -> Option<Self> {
        let level = Level::best();
        let trunk = &network.trunk;
        let Tip::Batch(tip) = &trunk.tip else { return None };
        let parts: Option<Vec<Part>> = trunk.blocks.iter().map(|block| Part::new(level, block)).collect();
        let fits = is_3x3(&trunk.initial_conv) && trunk.meta.is_none() && is_relu(&trunk.tip_activation);
        let tower = Self {
            level,
            channels: trunk.channels,
            initial: if fits { Convolution::new(level, &trunk.initial_conv) } else { return None },
            initial_mul: trunk.initial_mul.clone(),
            parts: parts?,
            tip: Affine::new(tip, &trunk.tip_activation),
        };
        tower.prepare(board, threads);
        Some(tower)
    }

    /// Lays out all weights.
    fn prepare(&self, board: Size, threads: usize) {
        let mut layout = Layout::default();
        layout.set(std::iter::once(board));
        let layers = self.parts.iter().flat_map(Part::layers).flat_map(|layer| [&layer.forward, &layer.back]);
        let layers: Vec<&Convolution> = layers.chain([&self.initial]).collect();
        thread::scope(|scope| {
            for layers in layers.chunks(layers.len().div_ceil(threads.max(1))) {
                scope.spawn(|| layers.iter().for_each(|layer| layer.prepare(self.level, &layout)));
            }
        });
    }

    /// A gradient of nothing yet.
    pub fn gradient(&self) -> TowerGradient {
        TowerGradient::new(self)
    }

    /// Channels of the trunk.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Computes the trunk of positions on `board`: `planes` are `[position][y][x][22]`, `globals` `[position][19]`, and `out` becomes `[position][y][x][channel]`.
    pub fn forward(
        &self,
        board: Size,
        planes: &[f32],
        globals: &[f32],
        trace: &mut Trace,
        room: &mut TowerRoom,
        out: &mut [f32],
    ) {
        let (level, count, stored) = (self.level, globals.len() / GLOBALS, padded(self.channels));
        trace.begin(board, planes, globals, self);
        let rows = trace.layout.rows();
        let Trace { layout, planes, globals, streams, middles, pooled } = trace;
        let TowerRoom { work, active, hidden, vectors: shift, .. } = room;
        active.reserve(rows * stored);
        active[..stored].fill(0.0);
        shift.clear();
        shift.resize(count * stored, 0.0);
        for (globals, shift) in globals.chunks_exact(GLOBALS).zip(shift.chunks_exact_mut(stored)) {
            multiply(&self.initial_mul, globals, shift);
        }
        let first = self.parts.first().map_or(&self.tip, Part::pre);
        let norm = Some((&first.norm, &mut active[..]));
        let mut finish = Finish { channels: stored, shift: Some(shift), stream: Stream::Set(&mut streams[0]), norm };
        self.initial.run(level, layout, planes, work, &mut finish);
        for (number, part) in self.parts.iter().enumerate() {
            let next = self.parts.get(number + 1).map_or(&self.tip, Part::pre);
            let [before, after] = &mut streams[number..number + 2] else { unreachable!("there is one more stream than blocks") };
            after[..rows * stored].copy_from_slice(&before[..rows * stored]);
            let middle = &mut middles[number];
            let last = match part {
                Part::Residual { conv1, mid, conv2, .. } => {
                    let channels = mid.stored();
                    hidden.reserve(rows * channels);
                    hidden[..channels].fill(0.0);
                    let norm = Some((&mid.norm, &mut hidden[..]));
                    let mut finish = Finish { channels, shift: None, stream: Stream::Set(middle), norm };
                    conv1.forward.run(level, layout, active, work, &mut finish);
                    conv2
                }
                Part::GlobalPool { both, pool, pool_mul, mid, last, .. } => {
                    let channels = padded(both.outputs);
                    let mut finish = Finish { channels, shift: None, stream: Stream::Set(middle), norm: None };
                    both.forward.run(level, layout, active, work, &mut finish);
                    let pooled = &mut pooled[number];
                    pool_middle(level, layout, [pool, mid], middle, hidden, pooled);
                    shift_middle(layout, [pool, mid], pool_mul, pooled, middle);
                    strip(middle, channels, 0, mid.stored(), rows, hidden);
                    let hidden_rows = std::mem::take(hidden);
                    mid.apply(level, &hidden_rows, rows, hidden);
                    last
                }
            };
            let norm = Some((&next.norm, &mut active[..]));
            let mut finish = Finish { channels: stored, shift: None, stream: Stream::Add(after), norm };
            last.forward.run(level, layout, hidden, work, &mut finish);
        }
        for (row, out) in active[stored..rows * stored].chunks_exact(stored).zip(out.chunks_exact_mut(self.channels)) {
            out.copy_from_slice(&row[..self.channels]);
        }
    }

    /// Takes the gradient of what [`Tower::forward`] put out, in the same order, back to all weights.
    pub fn backward(&self, trace: &Trace, out: &[f32], room: &mut TowerRoom, sums: &mut TowerGradient) {
        let (level, stored) = (self.level, padded(self.channels));
        let Trace { layout, planes, globals, streams, .. } = trace;
        let rows = layout.rows();
        let mut gradient = std::mem::take(&mut room.gradient);
        gradient.reserve(rows * stored);
        gradient[..stored].fill(0.0);
        for (row, out) in gradient[stored..rows * stored].chunks_exact_mut(stored).zip(out.chunks_exact(self.channels)) {
            row[..self.channels].copy_from_slice(out);
        }
        let end = rows * stored;
        self.tip.back(level, &streams[self.parts.len()][..end], stored, 0, &mut gradient[..end], &mut sums.tip);
        for number in (0..self.parts.len()).rev() {
            self.block_back(number, trace, &mut gradient, room, &mut sums.parts[number]);
        }
        sums.initial.add(level, layout, planes, &gradient, &mut room.room);
        for (place, globals) in layout.places.iter().zip(globals.chunks_exact(GLOBALS)) {
            let shift = summed(&gradient, stored, self.channels, place.rows());
            outer(globals, &shift, &mut sums.initial_mul);
        }
        room.gradient = gradient;
    }

    /// Takes the gradient of the stream after a block to that before it.
    fn block_back(&self, number: usize, trace: &Trace, gradient: &mut Buffer, room: &mut TowerRoom, sums: &mut PartGradient) {
        let (level, stored) = (self.level, padded(self.channels));
        let Trace { layout, streams, middles, pooled, .. } = trace;
        let TowerRoom { work, room, active, hidden, middle, more, .. } = room;
        let (rows, stream, values) = (layout.rows(), &streams[number], &middles[number]);
        let (pre, first) = match &self.parts[number] {
            Part::Residual { pre, conv1, mid, conv2 } => {
                let channels = mid.stored();
                mid.apply(level, values, rows, hidden);
                sums.last.add(level, layout, hidden, gradient, room);
                back_through(level, conv2, layout, gradient, channels, work, middle);
                mid.back(level, &values[..rows * channels], channels, 0, &mut middle[..rows * channels], &mut sums.mid);
                (pre, conv1)
            }
            Part::GlobalPool { pre, both, pool, pool_mul, mid, last } => {
                let channels = padded(both.outputs);
                strip(values, channels, 0, mid.stored(), rows, more);
                mid.apply(level, more, rows, hidden);
                sums.last.add(level, layout, hidden, gradient, room);
                back_through(level, last, layout, gradient, channels, work, middle);
                let end = rows * channels;
                mid.back(level, &values[..end], channels, 0, &mut middle[..end], &mut sums.mid);
                let (pool_sums, mul_sums) = sums.pool.as_mut().expect("this block pools");
                strip(values, channels, mid.stored(), pool.stored(), rows, more);
                pool.apply(level, more, rows, hidden);
                pool_back(layout, [pool, mid], pool_mul, &pooled[number], hidden, middle, mul_sums);
                pool.back(level, &values[..end], channels, mid.stored(), &mut middle[..end], pool_sums);
                (pre, both)
            }
        };
        pre.apply(level, stream, rows, active);
        sums.first.add(level, layout, active, middle, room);
        back_through(level, first, layout, middle, stored, work, more);
        let end = rows * stored;
        pre.back(level, &stream[..end], stored, 0, &mut more[..end], &mut sums.pre);
        add(&mut gradient[stored..end], &more[stored..end]);
    }
}
/// The gradient of a convolution's input, in rows of so many channels.
fn back_through(
    level: Level,
    layer: &Layer,
    layout: &Layout,
    gradient: &[f32],
    channels: usize,
    work: &mut Work,
    out: &mut Buffer,
) {
    out.reserve(layout.rows() * channels);
    out[..channels].fill(0.0);
    let mut finish = Finish { channels, shift: None, stream: Stream::Set(out), norm: None };
    layer.back.run(level, layout, gradient, work, &mut finish);
}
fn add(sums: &mut [f32], more: &[f32]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}
impl Trace {
    /// Takes the inputs, and memory for what will be kept.
    fn begin(&mut self, board: Size, planes: &[f32], globals: &[f32], tower: &Tower) {
        let count = globals.len() / GLOBALS;
        self.layout.set(std::iter::repeat_n(board, count));
        let rows = self.layout.rows();
        let stored = padded(PLANES);
        self.planes.reserve(rows * stored);
        for (from, to) in planes.chunks_exact(PLANES).zip(self.planes[stored..].chunks_exact_mut(stored)) {
            to[..PLANES].copy_from_slice(from);
        }
        self.globals.clear();
        self.globals.extend_from_slice(globals);
        let blocks = tower.parts.len();
        self.streams.resize_with(blocks + 1, Buffer::default);
        self.middles.resize_with(blocks, Buffer::default);
        self.pooled.resize_with(blocks, Buffer::default);
        self.streams.iter_mut().for_each(|stream| stream.reserve(rows * padded(tower.channels)));
        for (middle, part) in self.middles.iter_mut().zip(&tower.parts) {
            middle.reserve(rows * padded(part.layers()[0].outputs));
        }
    }
}
