//! Self-attention, and the rotation of queries and keys by their place.

use ndarray::{Array2, ArrayViewMut1, s};

use super::layers::{Activations, Grid, matrix};
use crate::nn::{AttentionBlock, Rope};

/// What the block adds to `x`.
pub(super) fn attention(grid: &Grid, block: &AttentionBlock, x: &Activations) -> Activations {
    let x = grid.rms_norm(x, &block.norm);
    let (mut q, mut k) = (x.dot(&matrix(&block.q)), x.dot(&matrix(&block.k)));
    let v = x.dot(&matrix(&block.v));
    let group = block.heads / block.kv_heads;
    if let Some(rope) = &block.rope {
        rotate(grid, &mut q, rope, block.q_dim, group);
        rotate(grid, &mut k, rope, block.q_dim, 1);
    }
    let mut heads = Activations::zeros((x.nrows(), block.heads * block.v_dim));
    for head in 0..block.heads {
        let kv = head / group;
        let q = q.slice(s![.., head * block.q_dim..(head + 1) * block.q_dim]);
        let k = k.slice(s![.., kv * block.q_dim..(kv + 1) * block.q_dim]);
        let v = v.slice(s![.., kv * block.v_dim..(kv + 1) * block.v_dim]);
        let mut weights = q.dot(&k.t()) / (block.q_dim as f32).sqrt();
        weights.rows_mut().into_iter().for_each(|row| softmax(row, grid.on_board()));
        heads.slice_mut(s![.., head * block.v_dim..(head + 1) * block.v_dim]).assign(&weights.dot(&v));
    }
    grid.masked(heads.dot(&matrix(&block.out)))
}

/// Logits to weights that sum to 1 on the board and are 0 off it.
fn softmax(mut row: ArrayViewMut1<'_, f32>, on_board: &[bool]) {
    let top = row.iter().zip(on_board).filter(|(_, on_board)| **on_board).map(|(&x, _)| x).fold(f32::MIN, f32::max);
    for (x, &on_board) in row.iter_mut().zip(on_board) {
        *x = if on_board { (*x - top).exp() } else { 0.0 };
    }
    row /= row.sum();
}

/// Rotates the channel pairs of each head by angles that depend on the point. `group` heads share the frequencies of one head of keys.
fn rotate(grid: &Grid, heads: &mut Array2<f32>, rope: &Rope, dim: usize, group: usize) {
    for ((x, y), mut row) in grid.coords().zip(heads.rows_mut()) {
        for (index, mut pair) in row.exact_chunks_mut(2).into_iter().enumerate() {
            let (head, p) = (index / (dim / 2), index % (dim / 2));
            let angle = angle(rope, dim, head / group, p, x as f32, y as f32);
            let (a, b) = (pair[0], pair[1]);
            pair[0] = a * angle.cos() - b * angle.sin();
            pair[1] = a * angle.sin() + b * angle.cos();
        }
    }
}

/// The angle of pair `p` of `dim / 2` at column `x`, row `y`.
fn angle(rope: &Rope, dim: usize, kv_head: usize, p: usize, x: f32, y: f32) -> f32 {
    match rope {
        Rope::Learnt { frequencies, .. } => {
            let at = 2 * (kv_head * (dim / 2) + p);
            x * frequencies[at] + y * frequencies[at + 1]
        }
        // The first half of the pairs turns by the row, the rest by the column.
        Rope::Fixed { theta, .. } => {
            let (place, p) = if p < dim / 4 { (y, p) } else { (x, p - dim / 4) };
            place * theta.powf(-2.0 * p as f32 / (dim as f32 / 2.0))
        }
    }
}
