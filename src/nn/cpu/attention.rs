//! The two blocks of a transformer.

use std::f64::consts::TAU;

use super::buffer::{Buffer, padded};
use super::conv::{ROWS, Work, odd_lines, product};
use super::finish::Finish;
use super::layout::{Layout, Place};
use super::math::{exp, silu};
use super::pool::{Rms, RmsRows};
use super::product::{Columns, Order, Packed, Product};
use super::simd::{Kernel, Level, Simd};
use crate::board::MAX_SIDE;
use crate::nn::{AttentionBlock, FfnBlock, Rope};

/// Scratch memory of transformer blocks.
#[derive(Default)]
pub(super) struct Room {
    normed: Buffer,
    wide: Buffer,
    keys: Buffer,
    logits: Buffer,
    heads: Buffer,
}

/// Self-attention with its weights laid out. A row of queries, keys and values holds first the values, each head's filled up to whole
/// lines, then queries, then keys; in a head of these the first parts of all rotated pairs come before the second parts, which changes no
/// product of query and key.
pub(super) struct Attention {
    norm: Rms,
    values_queries_keys: Packed,
    out: Packed,
    heads: usize,
    /// Query heads for each head of keys.
    sharing: usize,
    q_dim: usize,
    /// Channels of a value as stored.
    v_dim: usize,
    rope: Option<Rotation>,
}

/// Cosines and sines of the rotation for each coordinate, `[coordinate][kv head][pair]`; a point's is that of its column, then that of
/// its row.
struct Rotation {
    columns: [Vec<f32>; 2],
    rows: [Vec<f32>; 2],
}

impl Attention {
    pub(super) fn new(level: Level, block: &AttentionBlock) -> Self {
        let AttentionBlock { heads, kv_heads, q_dim, v_dim, .. } = *block;
        let stored = padded(v_dim);
        let (values, queries, keys) = (kv_heads * stored, heads * q_dim, kv_heads * q_dim);
        let scale = 1.0 / (q_dim as f32).sqrt();
        // Where a query's or key's channel comes from.
        let source = |channel: usize| {
            let (head, place) = (channel / q_dim, channel % q_dim);
            let half = q_dim / 2;
            head * q_dim + if block.rope.is_none() || place >= 2 * half { place } else { 2 * (place % half) + place / half }
        };
        let weight = |input: usize, column: usize| {
            if column < values {
                let (head, place) = (column / stored, column % stored);
                if place < v_dim { block.v.weights[input * block.v.outputs + head * v_dim + place] } else { 0.0 }
            } else if column < values + queries {
                scale * block.q.weights[input * queries + source(column - values)]
            } else {
                block.k.weights[input * keys + source(column - values - queries)]
            }
        };
        let out = |input: usize, output: usize| {
            let (head, place) = (input / stored, input % stored);
            if place < v_dim { block.out.weights[(head * v_dim + place) * block.out.outputs + output] } else { 0.0 }
        };
        Self {
            norm: Rms::new(&block.norm),
            values_queries_keys: Packed::new(level, block.q.inputs, values + queries + keys, weight),
            out: Packed::new(level, heads * stored, block.out.outputs, out),
            heads,
            sharing: heads / kv_heads,
            q_dim,
            v_dim: stored,
            rope: block.rope.as_ref().map(|rope| Rotation::new(rope, kv_heads, q_dim / 2)),
        }
    }

    /// Channels of the stream as stored.
    pub(super) fn channels(&self) -> usize {
        self.out.outputs()
    }

    /// Bytes that the weights take.
    pub(super) fn bytes(&self) -> usize {
        self.values_queries_keys.bytes() + self.out.bytes()
    }

    /// Adds to the stream of `finish`, which is the block's input too.
    pub(super) fn run(&self, level: Level, layout: &Layout, room: &mut Room, work: &mut Work, finish: &mut Finish<'_>) {
        let channels = finish.channels;
        let wide = self.values_queries_keys.outputs();
        room.normed.reserve(layout.rows() * channels);
        room.wide.reserve(layout.rows() * wide);
        room.heads.reserve(layout.rows() * self.heads * self.v_dim);
        let end = layout.rows() * channels;
        level.run(RmsRows { norm: &self.norm, values: &finish.stream()[channels..end], out: &mut room.normed[channels..end] });
        level.run(Product {
            rows: layout.rows() - 1,
            a: &room.normed[channels..],
            a_stride: channels,
            b: self.values_queries_keys.columns(),
            c: &mut room.wide[wide..],
            c_stride: wide,
        });
        for place in &layout.places {
            self.attend(level, *place, room);
        }
        let heads = self.heads * self.v_dim;
        product(level, layout, 1..layout.rows(), &room.heads[heads..], heads, &self.out, work, finish);
    }

    /// Each head's mean of values, weighted by the softmax of query times key.
    fn attend(&self, level: Level, place: Place, room: &mut Room) {
        let (area, stored) = (place.area(), padded(place.area()));
        let wide = self.values_queries_keys.outputs();
        let kv_heads = self.heads / self.sharing;
        let queries = kv_heads * self.v_dim;
        let keys = queries + self.heads * self.q_dim;
        let Room { wide: rows, keys: turned, logits, heads, .. } = room;
        let rows = &mut rows[place.first * wide..(place.first + area) * wide];
        if let Some(rotation) = &self.rope {
            level.run(Rotate { rotation, attention: self, place, rows, stride: wide, queries });
        }
        turned.reserve(self.q_dim * stored);
        logits.reserve(ROWS * stored);
        for kv_head in 0..kv_heads {
            for (point, row) in rows.chunks_exact(wide).enumerate() {
                for (channel, &value) in row[keys + kv_head * self.q_dim..][..self.q_dim].iter().enumerate() {
                    turned[channel * stored + point] = value;
                }
            }
            let keys = Columns { floats: turned, inputs: self.q_dim, outputs: stored, order: Order::Rows(stored) };
            let values =
                Columns { floats: &rows[kv_head * self.v_dim..], inputs: area, outputs: self.v_dim, order: Order::Rows(wide) };
            for head in kv_head * self.sharing..(kv_head + 1) * self.sharing {
                for first in (0..area).step_by(ROWS) {
                    let count = ROWS.min(area - first);
                    let query = &rows[first * wide + queries + head * self.q_dim..];
                    level.run(Product { rows: count, a: query, a_stride: wide, b: keys, c: logits, c_stride: stored });
                    level.run(Softmax { logits: &mut logits[..count * stored], stride: stored, length: area });
                    let stride = self.heads * self.v_dim;
                    let c = &mut heads[(place.first + first) * stride + head * self.v_dim..];
                    level.run(Product { rows: count, a: logits, a_stride: stored, b: values, c, c_stride: stride });
                }
            }
        }
    }
}

impl Rotation {
    fn new(rope: &Rope, kv_heads: usize, pairs: usize) -> Self {
        // Turns for each step along a row, and down a column.
        let frequency = |head: usize, pair: usize| match rope {
            Rope::Learnt { frequencies, .. } => [0, 1].map(|axis| f64::from(frequencies[2 * (head * pairs + pair) + axis])),
            Rope::Fixed { theta, .. } => {
                let first = pairs / 2;
                let power = if pair < first { pair } else { pair - first };
                let frequency = f64::from(*theta).powf(-(2.0 * power as f64) / pairs as f64);
                if pair < first { [0.0, frequency] } else { [frequency, 0.0] }
            }
        };
        let table = |axis: usize, function: fn(f64) -> f64| {
            let angles = (0..MAX_SIDE).flat_map(|coordinate| {
                let frequency = &frequency;
                (0..kv_heads * pairs).map(move |i| (coordinate as f64 * frequency(i / pairs, i % pairs)[axis]) % TAU)
            });
            angles.map(|angle| function(angle) as f32).collect()
        };
        Self { columns: [table(0, f64::cos), table(0, f64::sin)], rows: [table(1, f64::cos), table(1, f64::sin)] }
    }
}

/// Rotates queries and keys by their places.
struct Rotate<'a> {
    rotation: &'a Rotation,
    attention: &'a Attention,
    place: Place,
    rows: &'a mut [f32],
    stride: usize,
    /// Where the queries begin in a row; the keys follow.
    queries: usize,
}

impl Kernel for Rotate<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Attention { heads, sharing, q_dim, .. } = *self.attention;
        let (pairs, kv_heads) = (q_dim / 2, heads / sharing);
        let Rotation { columns, rows } = self.rotation;
        for (point, row) in self.rows.chunks_exact_mut(self.stride).enumerate() {
            let (x, y) = (point % self.place.width, point / self.place.width);
            let all = &mut row[self.queries..][..(heads + kv_heads) * q_dim];
            for (head, parts) in all.chunks_exact_mut(q_dim).enumerate() {
                let kv_head = if head < heads { head / sharing } else { head - heads };
                let of = |coordinate: usize| {
                    let start = (coordinate * kv_heads + kv_head) * pairs;
                    start..start + pairs
                };
                let (x, y) = (of(x), of(y));
                let (cos_x, sin_x) = (&columns[0][x.clone()], &columns[1][x]);
                let (cos_y, sin_y) = (&rows[0][y.clone()], &rows[1][y]);
                let (first, second) = parts.split_at_mut(pairs);
                for pair in 0..pairs {
                    let cos = cos_x[pair] * cos_y[pair] - sin_x[pair] * sin_y[pair];
                    let sin = sin_x[pair] * cos_y[pair] + cos_x[pair] * sin_y[pair];
                    let (a, b) = (first[pair], second[pair]);
                    first[pair] = a * cos - b * sin;
                    second[pair] = a * sin + b * cos;
                }
            }
        }
    }
}

/// Softmax of the first `length` floats of each row; what becomes of the others is of no account.
struct Softmax<'a> {
    logits: &'a mut [f32],
    stride: usize,
    length: usize,
}

impl Kernel for Softmax<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for row in self.logits.chunks_exact_mut(self.stride) {
            row[self.length..].fill(f32::NEG_INFINITY);
            let mut most = s.splat(f32::NEG_INFINITY);
            for i in (0..row.len()).step_by(S::LANES) {
                most = s.max(most, s.read(&row[i..]));
            }
            let most = s.splat(s.largest(most));
            let mut sum = s.splat(0.0);
            for i in (0..row.len()).step_by(S::LANES) {
                let value = exp(s, s.sub(s.read(&row[i..]), most));
                sum = s.add(sum, value);
                s.write(&mut row[i..], value);
            }
            let factor = s.splat(1.0 / s.sum(sum));
            for i in (0..row.len()).step_by(S::LANES) {
                let value = s.mul(s.read(&row[i..]), factor);
                s.write(&mut row[i..], value);
            }
        }
    }
}

/// The feed-forward block with its weights laid out.
pub(super) struct Ffn {
    norm: Rms,
    /// First layer and gate side by side, each filled up to whole lines.
    linear_gate: Packed,
    back: Packed,
    /// Width of the middle as stored.
    middle: usize,
}

impl Ffn {
    pub(super) fn new(level: Level, block: &FfnBlock) -> Self {
        let (width, middle) = (block.linear1.outputs, padded(block.linear1.outputs));
        let weight = |input: usize, column: usize| {
            let (matrix, column) = if column < middle { (&block.linear1, column) } else { (&block.gate, column - middle) };
            if column < width { matrix.weights[input * width + column] } else { 0.0 }
        };
        let outputs = block.linear2.outputs;
        let back = |input: usize, output: usize| block.linear2.weights[input * outputs + output];
        Self {
            norm: Rms::new(&block.norm),
            linear_gate: Packed::new(level, block.linear1.inputs, 2 * middle, weight),
            back: Packed::new(level, width, outputs, back),
            middle,
        }
    }

    /// Channels of the stream as stored.
    pub(super) fn channels(&self) -> usize {
        self.back.outputs()
    }

    /// Bytes that the weights take.
    pub(super) fn bytes(&self) -> usize {
        self.linear_gate.bytes() + self.back.bytes()
    }

    /// As [`Attention::run`].
    pub(super) fn run(&self, level: Level, layout: &Layout, room: &mut Room, work: &mut Work, finish: &mut Finish<'_>) {
        let channels = finish.channels;
        let wide = odd_lines(2 * self.middle);
        room.normed.reserve(ROWS * channels);
        room.wide.reserve(ROWS * wide);
        for first in (1..layout.rows()).step_by(ROWS) {
            let count = ROWS.min(layout.rows() - first);
            let values = &finish.stream()[first * channels..(first + count) * channels];
            level.run(RmsRows { norm: &self.norm, values, out: &mut room.normed });
            let (a, c) = (&room.normed[..], &mut room.wide[..]);
            level.run(Product { rows: count, a, a_stride: channels, b: self.linear_gate.columns(), c, c_stride: wide });
            level.run(Gate { rows: &mut room.wide[..count * wide], stride: wide, middle: self.middle });
            product(level, layout, first..first + count, &room.wide, wide, &self.back, work, finish);
        }
    }
}

/// The front half of each row becomes silu(front) times the back half.
struct Gate<'a> {
    rows: &'a mut [f32],
    stride: usize,
    middle: usize,
}

impl Kernel for Gate<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for row in self.rows.chunks_exact_mut(self.stride) {
            let (front, back) = row[..2 * self.middle].split_at_mut(self.middle);
            for channel in (0..self.middle).step_by(S::LANES) {
                let value = s.mul(silu(s, s.read(&front[channel..])), s.read(&back[channel..]));
                s.write(&mut front[channel..], value);
            }
        }
    }
}
