//! Global pooling, forward and back, and the small products that go with it.

use std::ops::Range;

use super::super::buffer::Buffer;
use super::super::layout::Layout;
use super::super::pool::{Pool, Pooling};
use super::super::simd::Level;
use super::add;
use super::weights::Affine;
use crate::nn::MatMul;

/// Copies `width` channels from `first` on to rows of their own.
pub(super) fn strip(values: &[f32], stride: usize, first: usize, width: usize, rows: usize, out: &mut Buffer) {
    out.reserve(rows * width);
    for (from, to) in values[..rows * stride].chunks_exact(stride).zip(out.chunks_exact_mut(width)) {
        to.copy_from_slice(&from[first..first + width]);
    }
}

/// Pools the second part of `middle`'s channels.
pub(super) fn pool_middle(
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
pub(super) fn shift_middle(layout: &Layout, [pool, mid]: [&Affine; 2], mul: &MatMul, pooled: &[f32], middle: &mut [f32]) {
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
pub(super) fn pool_back(
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
pub(super) fn multiply(mul: &MatMul, vector: &[f32], out: &mut [f32]) {
    for (&value, weights) in vector.iter().zip(mul.weights.chunks_exact(mul.outputs)).filter(|(value, _)| **value != 0.0) {
        out.iter_mut().zip(weights).for_each(|(out, weight)| *out += value * weight);
    }
}

/// Adds each product of a number of `a` and one of `b`.
pub(super) fn outer(a: &[f32], b: &[f32], sums: &mut [f32]) {
    for (&a, sums) in a.iter().zip(sums.chunks_exact_mut(b.len())).filter(|(a, _)| **a != 0.0) {
        sums.iter_mut().zip(b).for_each(|(sum, b)| *sum += a * b);
    }
}

/// The sum of some rows' first channels.
pub(super) fn summed(values: &[f32], stride: usize, channels: usize, rows: Range<usize>) -> Vec<f32> {
    rows.fold(vec![0.0; channels], |mut sums, row| {
        add(&mut sums, &values[row * stride..][..channels]);
        sums
    })
}
