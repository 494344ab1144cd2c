//! Self-attention, and the rotation of queries and keys by their place.

use tch::{Kind, Tensor};

use super::layers::{Grid, multiply, points};
use crate::nn::{AttentionBlock, MatMul, Rope};

/// What the block adds to `x`.
pub(super) fn attention(grid: &Grid, block: &AttentionBlock<Tensor>, x: &Tensor) -> Tensor {
    let x = points(&grid.rms_norm(x, &block.norm));
    let group = block.heads / block.kv_heads;
    // `[n][point][key head][query head of it][channel]`
    let project = |mul: &MatMul<Tensor>, group: usize| multiply(&x, mul).unflatten(-1, [block.kv_heads as i64, group as i64, -1]);
    let (mut q, mut k, v) = (project(&block.q, group), project(&block.k, 1), project(&block.v, 1));
    if let Some(rope) = &block.rope {
        let angles = angles(grid, rope, block.q_dim);
        (q, k) = (rotate(&q, &angles), rotate(&k, &angles));
    }
    let kind = block.out.weights.kind();
    // `[n][query head][point][channel]`; a head of keys and values serves all queries of its group.
    let heads = |x: &Tensor| x.expand([-1, -1, -1, group as i64, -1], false).flatten(2, 3).transpose(1, 2).to_kind(kind);
    let (q, k, v) = (heads(&q), heads(&k), heads(&v));
    let heads = Tensor::scaled_dot_product_attention(&q, &k, &v, grid.on_board(), 0.0, false, None, false);
    grid.planes(&multiply(&heads.transpose(1, 2).flatten(2, 3), &block.out))
}

/// Rotates the channel pairs of each head by angles that depend on the point.
fn rotate(heads: &Tensor, angles: &Tensor) -> Tensor {
    let pairs = heads.unflatten(-1, [-1, 2]);
    let (a, b) = (pairs.select(-1, 0), pairs.select(-1, 1));
    let (cos, sin) = (angles.cos(), angles.sin());
    Tensor::stack(&[&a * &cos - &b * &sin, a * sin + b * cos], -1).flatten(-2, -1)
}

/// By how much pairs are turned, `[point][key head or 1][1][pair]`.
fn angles(grid: &Grid, rope: &Rope<Tensor>, dim: usize) -> Tensor {
    let [x, y] = grid.coords().map(|place| place.unsqueeze(-1));
    let angles = match rope {
        Rope::Learnt { frequencies, .. } => {
            let [x, y] = [x, y].map(|place| place.unsqueeze(-1));
            x * frequencies.select(-1, 0) + y * frequencies.select(-1, 1)
        }
        // The first half of the pairs turns by the row, the rest by the column.
        Rope::Fixed { theta, .. } => {
            let (pairs, by_row) = (dim as i64 / 2, dim as i64 / 4);
            let frequencies = |count: i64| {
                let powers = Tensor::arange(count, (Kind::Float, x.device())) * (-2.0 / (dim as f64 / 2.0));
                (powers * f64::from(theta.ln())).exp()
            };
            Tensor::cat(&[&y * frequencies(by_row), &x * frequencies(pairs - by_row)], -1).unsqueeze(1)
        }
    };
    angles.unsqueeze(2)
}
