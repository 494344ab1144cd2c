//! The trunk of a network for training, forward and back, in half the time that libtorch takes on a CPU.
//!
//! Only trunks of residual and global pooling blocks with rectifiers and norms by stored statistics, of which scale and bias are learnt. Layers'
//! inputs before their norms are kept from the forward pass, and what comes after a norm is computed again on the way back.

use std::thread;

use super::buffer::{Buffer, padded};
use super::conv::{Convolution, Work};
use super::finish::{Finish, NormAct, Stream, line, normalize};
use super::gradient::{BackThroughNorm, KernelGradient, Room};
use super::layout::Layout;
use super::pool::{Pool, Pooling};
use super::simd::Level;
use crate::board::Size;
use crate::nn::{
    Activation, ActivationKind, BatchNorm, Block, Conv, GLOBALS, GlobalPoolBlock, MatMul, Network, PLANES, ResidualBlock, Tip,
};

/// A trunk whose weights are laid out, for boards of one size. Threads share it.
pub struct Tower {
    level: Level,
    channels: usize,
    initial: Convolution,
    initial_mul: MatMul,
    parts: Vec<Part>,
    tip: Affine,
}

/// A block.
#[allow(clippy::large_enum_variant, reason = "there are few of them")]
enum Part {
    Residual {
        pre: Affine,
        conv1: Layer,
        mid: Affine,
        conv2: Layer,
    },
    GlobalPool {
        pre: Affine,
        /// The convolution that goes on, and after its channels the one that is pooled.
        both: Layer,
        pool: Affine,
        pool_mul: MatMul,
        mid: Affine,
        last: Layer,
    },
}

impl Part {
    fn pre(&self) -> &Affine {
        match self {
            Self::Residual { pre, .. } | Self::GlobalPool { pre, .. } => pre,
        }
    }

    fn layers(&self) -> [&Layer; 2] {
        match self {
            Self::Residual { conv1, conv2, .. } => [conv1, conv2],
            Self::GlobalPool { both, last, .. } => [both, last],
        }
    }
}

/// A convolution, and the one that takes gradients back through it.
struct Layer {
    forward: Convolution,
    back: Convolution,
    inputs: usize,
    outputs: usize,
}

impl Layer {
    fn new(level: Level, conv: &Conv) -> Self {
        let &Conv { inputs, outputs, .. } = conv;
        let mut turned = Conv { inputs: outputs, outputs: inputs, ..conv.clone() };
        for tap in 0..9 {
            for input in 0..inputs {
                for output in 0..outputs {
                    turned.weights[((8 - tap) * outputs + output) * inputs + input] =
                        conv.weights[(tap * inputs + input) * outputs + output];
                }
            }
        }
        Self { forward: Convolution::new(level, conv), back: Convolution::new(level, &turned), inputs, outputs }
    }
}

/// A norm by stored statistics and the rectifier after it.
struct Affine {
    norm: NormAct,
    scale: Buffer,
    bias: Buffer,
    /// Of each channel, what its deviation is divided by, and its mean.
    inverse: Vec<f32>,
    mean: Vec<f32>,
    learns_scale: bool,
    learns_bias: bool,
}

impl Affine {
    fn new(norm: &BatchNorm, activation: &Activation) -> Self {
        let (scale, bias) = norm.merged();
        Self {
            norm: NormAct::new(norm, activation),
            scale: line(&scale),
            bias: line(&bias),
            inverse: norm.variance.iter().map(|variance| 1.0 / (variance + norm.epsilon).sqrt()).collect(),
            mean: norm.mean.clone(),
            learns_scale: norm.scale.is_some(),
            learns_bias: norm.bias.is_some(),
        }
    }

    fn channels(&self) -> usize {
        self.mean.len()
    }

    /// Channels as stored.
    fn stored(&self) -> usize {
        self.scale.len()
    }

    /// What comes after norm and rectifier; rows of both are `stride` apart, and row 0 is cleared.
    fn apply(&self, level: Level, values: &[f32], rows: usize, out: &mut Buffer) {
        let stored = self.stored();
        out.reserve(rows * stored);
        out[..stored].fill(0.0);
        normalize(level, &values[stored..rows * stored], stored, &self.norm, &mut out[stored..rows * stored]);
    }

    /// Takes `gradient` back through rectifier and norm. Rows of values and gradient are `stride` apart, the channels beginning at `first`.
    fn back(&self, level: Level, values: &[f32], stride: usize, first: usize, gradient: &mut [f32], sums: &mut AffineGradient) {
        level.run(BackThroughNorm {
            // Row 0 is nobody's.
            values: &values[stride + first..],
            stride,
            channels: self.stored(),
            scale: &self.scale,
            bias: &self.bias,
            gradient: &mut gradient[stride + first..],
            sums: [&mut sums.scale, &mut sums.bias],
        });
    }
}

/// Gradient of a norm's multiplication and addition.
struct AffineGradient {
    scale: Buffer,
    bias: Buffer,
}

impl AffineGradient {
    fn new(affine: &Affine) -> Self {
        Self { scale: Buffer::zeros(affine.stored()), bias: Buffer::zeros(affine.stored()) }
    }

    /// Gradients of the norm's own scale and bias, as far as it has them. Begins anew.
    fn finish(&mut self, affine: &Affine, out: &mut Vec<Vec<f32>>) {
        if affine.learns_scale {
            let each = (0..affine.channels()).map(|c| affine.inverse[c] * (self.scale[c] - affine.mean[c] * self.bias[c]));
            out.push(each.collect());
        }
        if affine.learns_bias {
            out.push(self.bias[..affine.channels()].to_vec());
        }
        self.scale.fill(0.0);
        self.bias.fill(0.0);
    }

    /// Takes over what another has.
    fn join(&mut self, other: &mut Self) {
        take_over(&mut self.scale, &mut other.scale);
        take_over(&mut self.bias, &mut other.bias);
    }
}

fn add(sums: &mut [f32], more: &[f32]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Adds `other` to `sums`, and clears it.
fn take_over(sums: &mut [f32], other: &mut [f32]) {
    add(sums, other);
    other.fill(0.0);
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

/// The gradient of a tower's weights, as it is summed up.
pub struct TowerGradient {
    initial: KernelGradient,
    initial_mul: Vec<f32>,
    parts: Vec<PartGradient>,
    tip: AffineGradient,
}

struct PartGradient {
    pre: AffineGradient,
    first: KernelGradient,
    pool: Option<(AffineGradient, Vec<f32>)>,
    mid: AffineGradient,
    last: KernelGradient,
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
        TowerGradient {
            initial: KernelGradient::new(PLANES, self.channels),
            initial_mul: vec![0.0; self.initial_mul.weights.len()],
            parts: self.parts.iter().map(PartGradient::new).collect(),
            tip: AffineGradient::new(&self.tip),
        }
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

/// Copies `width` channels from `first` on to rows of their own.
fn strip(values: &[f32], stride: usize, first: usize, width: usize, rows: usize, out: &mut Buffer) {
    out.reserve(rows * width);
    for (from, to) in values[..rows * stride].chunks_exact(stride).zip(out.chunks_exact_mut(width)) {
        to.copy_from_slice(&from[first..first + width]);
    }
}

/// Pools the second part of `middle`'s channels.
fn pool_middle(
    level: Level,
    layout: &Layout,
    [pool, mid]: [&Affine; 2],
    middle: &[f32],
    hidden: &mut Buffer,
    pooled: &mut Buffer,
) {
    let (regular, width, rows) = (mid.stored(), pool.stored(), layout.rows());
    strip(middle, regular + width, regular, width, rows, hidden);
    let values = std::mem::take(hidden);
    pool.apply(level, &values, rows, hidden);
    pooled.reserve(layout.places.len() * 3 * width);
    level.run(Pool { layout, pooling: Pooling::Features, values: hidden, channels: width, out: pooled });
}

/// Adds to the first part of `middle`'s channels what was pooled of the second.
fn shift_middle(layout: &Layout, [pool, mid]: [&Affine; 2], mul: &MatMul, pooled: &[f32], middle: &mut [f32]) {
    let (regular, width) = (mid.stored(), pool.stored());
    let mut shift = vec![0.0; regular];
    for (place, pooled) in layout.places.iter().zip(pooled.chunks_exact(3 * width)) {
        shift.fill(0.0);
        multiply(mul, pooled, &mut shift);
        for row in place.rows() {
            add(&mut middle[row * (regular + width)..][..regular], &shift);
        }
    }
}

/// From the gradient of the shifted channels to that of the pooled ones, which stand after them in each row.
fn pool_back(
    layout: &Layout,
    [pool, mid]: [&Affine; 2],
    mul: &MatMul,
    pooled: &[f32],
    active: &[f32],
    gradient: &mut [f32],
    sums: &mut [f32],
) {
    let (regular, width) = (mid.stored(), pool.stored());
    let stride = regular + width;
    for (place, pooled) in layout.places.iter().zip(pooled.chunks_exact(3 * width)) {
        let shift = summed(gradient, stride, mul.outputs, place.rows());
        outer(pooled, &shift, sums);
        let back: Vec<f32> =
            mul.weights.chunks_exact(mul.outputs).map(|row| row.iter().zip(&shift).map(|(a, b)| a * b).sum()).collect();
        let (mean, rest) = back.split_at(width);
        let (scaled, most) = rest.split_at(width);
        let area = place.area() as f32;
        let factor = (area.sqrt() - 14.0) / 10.0;
        let each: Vec<f32> = mean.iter().zip(scaled).map(|(mean, scaled)| (mean + scaled * factor) / area).collect();
        for row in place.rows() {
            gradient[row * stride + regular..][..width].copy_from_slice(&each);
        }
        for channel in 0..width {
            let most_active = place.rows().find(|row| active[row * width + channel] == pooled[2 * width + channel]);
            if let Some(row) = most_active {
                gradient[row * stride + regular + channel] += most[channel];
            }
        }
    }
}

/// Adds `vector` times a matrix to `out`.
fn multiply(mul: &MatMul, vector: &[f32], out: &mut [f32]) {
    for (&value, weights) in vector.iter().zip(mul.weights.chunks_exact(mul.outputs)).filter(|(value, _)| **value != 0.0) {
        out.iter_mut().zip(weights).for_each(|(out, weight)| *out += value * weight);
    }
}

/// Adds each product of a number of `a` and one of `b`.
fn outer(a: &[f32], b: &[f32], sums: &mut [f32]) {
    for (&a, sums) in a.iter().zip(sums.chunks_exact_mut(b.len())).filter(|(a, _)| **a != 0.0) {
        sums.iter_mut().zip(b).for_each(|(sum, b)| *sum += a * b);
    }
}

/// The sum of some rows' first channels.
fn summed(values: &[f32], stride: usize, channels: usize, rows: std::ops::Range<usize>) -> Vec<f32> {
    rows.fold(vec![0.0; channels], |mut sums, row| {
        add(&mut sums, &values[row * stride..][..channels]);
        sums
    })
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

impl Part {
    fn new(level: Level, block: &Block) -> Option<Self> {
        match block {
            Block::Residual(block) => Self::residual(level, block),
            Block::GlobalPool(block) => Self::global_pool(level, block),
            _ => None,
        }
    }

    fn residual(level: Level, block: &ResidualBlock) -> Option<Self> {
        let fits =
            is_3x3(&block.conv1) && is_3x3(&block.conv2) && is_relu(&block.pre_activation) && is_relu(&block.mid_activation);
        fits.then(|| Self::Residual {
            pre: Affine::new(&block.pre_norm, &block.pre_activation),
            conv1: Layer::new(level, &block.conv1),
            mid: Affine::new(&block.mid_norm, &block.mid_activation),
            conv2: Layer::new(level, &block.conv2),
        })
    }

    fn global_pool(level: Level, block: &GlobalPoolBlock) -> Option<Self> {
        let [regular, pooled] = [&block.regular_conv, &block.pool_conv];
        let activations = [&block.pre_activation, &block.pool_activation, &block.mid_activation];
        let convolutions = [regular, pooled, &block.final_conv];
        // Both lie side by side without gaps.
        let whole = regular.outputs == padded(regular.outputs) && pooled.outputs == padded(pooled.outputs);
        if !whole || !activations.into_iter().all(is_relu) || !convolutions.into_iter().all(is_3x3) {
            return None;
        }
        let rows = regular.weights.chunks_exact(regular.outputs).zip(pooled.weights.chunks_exact(pooled.outputs));
        let weights = rows.flat_map(|(regular, pooled)| regular.iter().chain(pooled).copied()).collect();
        let both = Conv { outputs: regular.outputs + pooled.outputs, weights, ..regular.clone() };
        Some(Self::GlobalPool {
            pre: Affine::new(&block.pre_norm, &block.pre_activation),
            both: Layer::new(level, &both),
            pool: Affine::new(&block.pool_norm, &block.pool_activation),
            pool_mul: block.pool_mul.clone(),
            mid: Affine::new(&block.mid_norm, &block.mid_activation),
            last: Layer::new(level, &block.final_conv),
        })
    }
}

fn is_3x3(conv: &Conv) -> bool {
    (conv.height, conv.width) == (3, 3)
}

fn is_relu(activation: &Activation) -> bool {
    activation.kind == ActivationKind::Relu
}

impl PartGradient {
    fn new(part: &Part) -> Self {
        let [first, last] = part.layers().map(|layer| KernelGradient::new(layer.inputs, layer.outputs));
        let (pool, mid) = match part {
            Part::Residual { mid, .. } => (None, mid),
            Part::GlobalPool { pool, pool_mul, mid, .. } => {
                (Some((AffineGradient::new(pool), vec![0.0; pool_mul.weights.len()])), mid)
            }
        };
        Self { pre: AffineGradient::new(part.pre()), first, pool, mid: AffineGradient::new(mid), last }
    }

    fn join(&mut self, other: &mut Self) {
        self.pre.join(&mut other.pre);
        self.first.join(&mut other.first);
        if let (Some((norm, mul)), Some((other_norm, other_mul))) = (&mut self.pool, &mut other.pool) {
            norm.join(other_norm);
            take_over(mul, other_mul);
        }
        self.mid.join(&mut other.mid);
        self.last.join(&mut other.last);
    }

    fn finish(&mut self, part: &Part, out: &mut Vec<Vec<f32>>) {
        self.pre.finish(part.pre(), out);
        let kernels = |gradient: &mut KernelGradient, layer: &Layer| {
            let mut weights = vec![0.0; 9 * layer.inputs * layer.outputs];
            gradient.finish(&mut weights);
            weights
        };
        match (part, &mut self.pool) {
            (Part::Residual { conv1, mid, conv2, .. }, _) => {
                out.push(kernels(&mut self.first, conv1));
                self.mid.finish(mid, out);
                out.push(kernels(&mut self.last, conv2));
            }
            (Part::GlobalPool { both, pool, pool_mul, mid, last, .. }, Some((pool_sums, mul_sums))) => {
                let weights = kernels(&mut self.first, both);
                let regular = pool_mul.outputs;
                out.push(weights.chunks_exact(both.outputs).flat_map(|row| row[..regular].to_vec()).collect());
                out.push(weights.chunks_exact(both.outputs).flat_map(|row| row[regular..].to_vec()).collect());
                pool_sums.finish(pool, out);
                out.push(mul_sums.clone());
                mul_sums.fill(0.0);
                self.mid.finish(mid, out);
                out.push(kernels(&mut self.last, last));
            }
            (Part::GlobalPool { .. }, None) => unreachable!("the gradient was made for this block"),
        }
    }
}

impl TowerGradient {
    /// Adds another, which begins anew.
    pub fn join(&mut self, other: &mut Self) {
        self.initial.join(&mut other.initial);
        take_over(&mut self.initial_mul, &mut other.initial_mul);
        self.parts.iter_mut().zip(&mut other.parts).for_each(|(part, other)| part.join(other));
        self.tip.join(&mut other.tip);
    }

    /// The gradient of each array of the trunk that is learnt, in the order of the network's file. Begins anew.
    pub fn finish(&mut self, tower: &Tower) -> Vec<Vec<f32>> {
        let mut initial = vec![0.0; 9 * PLANES * tower.channels];
        self.initial.finish(&mut initial);
        let mut arrays = vec![initial, self.initial_mul.clone()];
        self.initial_mul.fill(0.0);
        self.parts.iter_mut().zip(&tower.parts).for_each(|(sums, part)| sums.finish(part, &mut arrays));
        self.tip.finish(&tower.tip, &mut arrays);
        arrays
    }
}
