//! The forward pass: a network's layers in their order.
//!
//! Two buffers go along the trunk: the *stream*, to which each block adds, and the *active* one, which is the stream after the norm and
//! activation that the next block begins with. Whoever writes the stream writes both, while the values are in registers.

use super::buffer::{Buffer, padded};
use super::conv::{Convolution, Work};
use super::finish::{Finish, NormAct, Stream, normalize};
use super::layout::Layout;
use super::model::{End, Meta, Model, Part, Policy, Value};
use super::pool::{Pool, Pooling, RmsTip};
use super::product::{Packed, Product};
use crate::nn::{GLOBALS, Inputs, META_INPUTS, PLANES, RawOutputs};

/// A thread's scratch memory. It grows to what the largest batch needs.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) layout: Layout,
    planes: Buffer,
    /// Stream and active buffer of the trunk, and of nested blocks by depth.
    pairs: Vec<Pair>,
    middle: Buffer,
    pooled: Buffer,
    vectors: [Buffer; 2],
    work: Work,
    room: super::attention::Room,
}

#[derive(Default)]
struct Pair {
    stream: Buffer,
    active: Buffer,
}

/// Evaluates the batch that `scratch.layout` describes.
pub(super) fn forward(model: &Model, inputs: &[&Inputs], scratch: &mut Scratch, outputs: &mut [RawOutputs]) {
    let mut trunk = take_pair(scratch, 0, model.channels);
    begin(model, inputs, &mut trunk, scratch);
    blocks(model, &model.blocks, 0, &mut trunk, scratch, model.tip.pre());
    end(model, &mut trunk, scratch);
    policy(model, &model.policy, &trunk.active, scratch, outputs);
    value(model, &model.value, &trunk.active, scratch, outputs);
    scratch.pairs[0] = trunk;
    for (input, output) in inputs.iter().zip(outputs) {
        spread_to_tensor(input, output);
    }
}

/// The first convolution, shifted by what the global inputs say.
fn begin(model: &Model, inputs: &[&Inputs], trunk: &mut Pair, scratch: &mut Scratch) {
    let channels = model.channels;
    let Scratch { layout, planes, vectors: [shift, more], work, pooled, .. } = scratch;
    clear_first(planes, padded(PLANES), layout.rows());
    for (input, place) in inputs.iter().zip(&layout.places) {
        for (point, row) in place.rows().enumerate() {
            let (x, y) = (point % place.width, point / place.width);
            let from = &input.spatial[(y * input.tensor.width() + x) * PLANES..][..PLANES];
            planes[row * padded(PLANES)..][..PLANES].copy_from_slice(from);
        }
    }
    let samples = inputs.len();
    pooled.reserve(samples * GLOBALS);
    for (input, to) in inputs.iter().zip(pooled.chunks_exact_mut(GLOBALS)) {
        to.copy_from_slice(&input.global);
    }
    multiply(model, &model.initial_mul, samples, pooled, GLOBALS, shift);
    if let Some(meta) = &model.meta {
        encode_meta(model, meta, inputs, [pooled, more], |addition| {
            shift.iter_mut().zip(addition).for_each(|(shift, addition)| *shift += addition);
        });
    }
    let first = model.blocks.first().and_then(Part::pre);
    trunk.active[..channels].fill(0.0);
    let norm = first.map(|norm| (norm, &mut trunk.active[..]));
    let mut finish = Finish { channels, shift: Some(shift), stream: Stream::Set(&mut trunk.stream), norm };
    model.initial_conv.run(model.level, layout, planes, work, &mut finish);
}

/// Who is playing: three layers.
fn encode_meta(model: &Model, meta: &Meta, inputs: &[&Inputs], [a, b]: [&mut Buffer; 2], add: impl FnOnce(&[f32])) {
    let samples = inputs.len();
    a.reserve(samples * META_INPUTS);
    for (input, to) in inputs.iter().zip(a.chunks_exact_mut(META_INPUTS)) {
        match &input.meta {
            Some(meta) => to.copy_from_slice(&meta[..]),
            None => to.fill(0.0),
        }
    }
    let mut width = META_INPUTS;
    for (layer, act) in &meta.layers {
        multiply(model, layer, samples, a, width, b);
        width = layer.outputs();
        a.reserve(samples * width);
        normalize(model.level, &b[..samples * width], width, act, a);
    }
    multiply(model, &meta.last, samples, a, width, b);
    add(&b[..samples * meta.last.outputs()]);
}

/// Blocks in a row. `next` is what follows the last of them.
fn blocks(model: &Model, parts: &[Part], depth: usize, pair: &mut Pair, scratch: &mut Scratch, next: Option<&NormAct>) {
    for (number, part) in parts.iter().enumerate() {
        let next = parts.get(number + 1).map_or(next, Part::pre);
        block(model, part, depth, pair, scratch, next);
    }
}

/// One block: adds to the stream, and writes the active buffer for the next.
fn block(model: &Model, part: &Part, depth: usize, pair: &mut Pair, scratch: &mut Scratch, next: Option<&NormAct>) {
    let level = model.level;
    match part {
        Part::Residual { conv1, mid, conv2, .. } => {
            convolve_active(model, conv1, &pair.active, None, mid, scratch);
            let Scratch { layout, middle, work, .. } = scratch;
            conv2.run(level, layout, middle, work, &mut add_to(pair, conv2.outputs(), next));
        }
        Part::GlobalPool { pool_conv, pool, pool_mul, conv, mid, last, .. } => {
            convolve_active(model, pool_conv, &pair.active, None, pool, scratch);
            pool_middle(model, pool_conv.outputs(), Pooling::Features, scratch);
            let samples = scratch.layout.places.len();
            let [shift, _] = &mut scratch.vectors;
            multiply(model, pool_mul, samples, &scratch.pooled, 3 * pool_conv.outputs(), shift);
            let shift = std::mem::take(shift);
            convolve_active(model, conv, &pair.active, Some(&shift), mid, scratch);
            scratch.vectors[0] = shift;
            let Scratch { layout, middle, work, .. } = scratch;
            last.run(level, layout, middle, work, &mut add_to(pair, last.outputs(), next));
        }
        Part::Nested { narrow, blocks: parts, post, widen, .. } => {
            let mut inner = take_pair(scratch, depth + 1, narrow.outputs());
            let first = parts.first().map_or(Some(post), Part::pre);
            let norm = first.map(|norm| (norm, &mut inner.active[..]));
            let mut finish = Finish { channels: narrow.outputs(), shift: None, stream: Stream::Set(&mut inner.stream), norm };
            narrow.run(level, &scratch.layout, &pair.active, &mut scratch.work, &mut finish);
            blocks(model, parts, depth + 1, &mut inner, scratch, Some(post));
            widen.run(level, &scratch.layout, &inner.active, &mut scratch.work, &mut add_to(pair, widen.outputs(), next));
            scratch.pairs[depth + 1] = inner;
        }
        Part::Attention(attention) => {
            let channels = attention.channels();
            let Scratch { layout, work, room, .. } = scratch;
            attention.run(level, layout, room, work, &mut add_to(pair, channels, next));
        }
        Part::Ffn(ffn) => {
            let channels = ffn.channels();
            let Scratch { layout, work, room, .. } = scratch;
            ffn.run(level, layout, room, work, &mut add_to(pair, channels, next));
        }
    }
}

/// The trunk's last norm and activation.
fn end(model: &Model, trunk: &mut Pair, scratch: &mut Scratch) {
    // A norm by stored statistics was applied by the last block.
    if let End::Rms { norm, spatial, act } = &model.tip {
        let Scratch { layout, middle, .. } = scratch;
        let end = layout.rows() * model.channels;
        middle.reserve(end);
        let (values, out) = (&trunk.stream[..end], &mut middle[..end]);
        model.level.run(RmsTip { norm, layout, spatial: *spatial, values, out });
        normalize(model.level, &middle[model.channels..end], model.channels, act, &mut trunk.active[model.channels..end]);
    }
}

fn policy(model: &Model, head: &Policy, trunk: &[f32], scratch: &mut Scratch, outputs: &mut [RawOutputs]) {
    convolve_active(model, &head.g1, trunk, None, &head.g1_act, scratch);
    pool_middle(model, head.g1.outputs(), Pooling::Features, scratch);
    let samples = scratch.layout.places.len();
    let pooled = 3 * head.g1.outputs();
    let [shift, passes] = &mut scratch.vectors;
    multiply(model, &head.pool_mul, samples, &scratch.pooled, pooled, shift);
    multiply(model, &head.pass, samples, &scratch.pooled, pooled, passes);
    let mut width = head.pass.outputs();
    let shift = std::mem::take(shift);
    if let Some((act, mul)) = &head.pass_end {
        scratch.pooled.reserve(samples * width);
        let passes = &mut scratch.vectors[1];
        normalize(model.level, &passes[..samples * width], width, act, &mut scratch.pooled);
        multiply(model, mul, samples, &scratch.pooled, width, passes);
        width = mul.outputs();
    }
    for (output, passes) in outputs.iter_mut().zip(scratch.vectors[1].chunks_exact(width)) {
        output.pass.clear();
        output.pass.extend_from_slice(&passes[..head.policies]);
    }
    convolve_active(model, &head.p1, trunk, Some(&shift), &head.p1_act, scratch);
    scratch.vectors[0] = shift;
    convolve_middle(model, &head.p2, scratch);
    for (output, place) in outputs.iter_mut().zip(&scratch.layout.places) {
        output.policy.clear();
        for channel in 0..head.policies {
            output.policy.extend(place.rows().map(|row| scratch.planes[row * head.p2.outputs() + channel]));
        }
    }
}

fn value(model: &Model, head: &Value, trunk: &[f32], scratch: &mut Scratch, outputs: &mut [RawOutputs]) {
    convolve_active(model, &head.v1, trunk, None, &head.v1_act, scratch);
    pool_middle(model, head.v1.outputs(), Pooling::Value, scratch);
    let samples = scratch.layout.places.len();
    let Scratch { pooled, vectors: [hidden, out], .. } = scratch;
    multiply(model, &head.v2, samples, pooled, 3 * head.v1.outputs(), out);
    let width = head.v2.outputs();
    hidden.reserve(samples * width);
    normalize(model.level, &out[..samples * width], width, &head.v2_act, hidden);
    let mut layer = |mul: &Packed, bias: &NormAct, take: &mut dyn FnMut(usize, &[f32])| {
        multiply(model, mul, samples, hidden, width, out);
        pooled.reserve(samples * mul.outputs());
        normalize(model.level, &out[..samples * mul.outputs()], mul.outputs(), bias, pooled);
        pooled.chunks_exact(mul.outputs()).take(samples).enumerate().for_each(|(sample, values)| take(sample, values));
    };
    layer(&head.v3, &head.v3_bias, &mut |sample, values| outputs[sample].value.copy_from_slice(&values[..3]));
    layer(&head.score, &head.score_bias, &mut |sample, values| {
        outputs[sample].score = [0.0; 6];
        outputs[sample].score[..head.scores].copy_from_slice(&values[..head.scores]);
    });
    convolve_middle(model, &head.ownership, scratch);
    for (output, place) in outputs.iter_mut().zip(&scratch.layout.places) {
        output.ownership.clear();
        output.ownership.extend(place.rows().map(|row| scratch.planes[row * head.ownership.outputs()]));
    }
}

/// `middle = act(norm(conv(active) + shift))`.
fn convolve_active(
    model: &Model,
    conv: &Convolution,
    active: &[f32],
    shift: Option<&[f32]>,
    act: &NormAct,
    scratch: &mut Scratch,
) {
    let Scratch { layout, middle, work, .. } = scratch;
    clear_first(middle, conv.outputs(), layout.rows());
    let mut finish = Finish { channels: conv.outputs(), shift, stream: Stream::Leave, norm: Some((act, middle)) };
    conv.run(model.level, layout, active, work, &mut finish);
}

/// `planes = conv(middle)`: the last step of a head. (The input planes are not needed any more.)
fn convolve_middle(model: &Model, conv: &Convolution, scratch: &mut Scratch) {
    let Scratch { layout, middle, planes, work, .. } = scratch;
    planes.reserve(layout.rows() * conv.outputs());
    let mut finish = Finish { channels: conv.outputs(), shift: None, stream: Stream::Set(planes), norm: None };
    conv.run(model.level, layout, middle, work, &mut finish);
}

/// `pooled` = three values of each of `middle`'s channels.
fn pool_middle(model: &Model, channels: usize, pooling: Pooling, scratch: &mut Scratch) {
    let Scratch { layout, middle, pooled, .. } = scratch;
    pooled.reserve(layout.places.len() * 3 * channels);
    model.level.run(Pool { layout, pooling, values: middle, channels, out: pooled });
}

/// `out = a matrix`, a row for each sample.
fn multiply(model: &Model, matrix: &Packed, samples: usize, a: &[f32], a_stride: usize, out: &mut Buffer) {
    out.reserve(samples * matrix.outputs());
    let c_stride = matrix.outputs();
    model.level.run(Product { rows: samples, a, a_stride, b: matrix.columns(), c: out, c_stride });
}

/// The finish of a block's last step.
fn add_to<'a>(pair: &'a mut Pair, channels: usize, next: Option<&'a NormAct>) -> Finish<'a> {
    let Pair { stream, active } = pair;
    Finish { channels, shift: None, stream: Stream::Add(stream), norm: next.map(|norm| (norm, &mut active[..])) }
}

/// Takes the buffers of a depth, with room for the batch, their first rows zero.
fn take_pair(scratch: &mut Scratch, depth: usize, channels: usize) -> Pair {
    if scratch.pairs.len() <= depth {
        scratch.pairs.resize_with(depth + 1, Pair::default);
    }
    let mut pair = std::mem::take(&mut scratch.pairs[depth]);
    let rows = scratch.layout.rows();
    clear_first(&mut pair.stream, channels, rows);
    clear_first(&mut pair.active, channels, rows);
    pair
}

/// Makes room for `rows` rows, the first of them zero: it is what convolutions read off the board.
fn clear_first(buffer: &mut Buffer, channels: usize, rows: usize) {
    buffer.reserve(rows * channels);
    buffer[..channels].fill(0.0);
}

/// From the board's points to the tensor's, where it is larger.
fn spread_to_tensor(input: &Inputs, output: &mut RawOutputs) {
    let (board, tensor) = (input.board, input.tensor);
    if board == tensor {
        return;
    }
    let spread = |values: &mut Vec<f32>| {
        let mut wide = vec![0.0; values.len() / board.area() * tensor.area()];
        for (number, row) in values.chunks_exact(board.width()).enumerate() {
            let (plane, y) = (number / board.height(), number % board.height());
            wide[plane * tensor.area() + y * tensor.width()..][..board.width()].copy_from_slice(row);
        }
        *values = wide;
    };
    spread(&mut output.policy);
    spread(&mut output.ownership);
}
