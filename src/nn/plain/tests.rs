//! Layers against their formulas, written once more as loops over numbers.

use ndarray::{Array1, Array2};

use super::attention::attention;
use super::layers::{Activations, Grid, activated};
use super::meta;
use crate::board::Size;
use crate::nn::{
    Activation, ActivationKind, AttentionBlock, BatchNorm, Bias, Conv, META_INPUTS, MatMul, MetaEncoder, RmsNorm, Rope, Tip,
};
use crate::util::Rng;

/// A grid of 5 columns and 4 rows with a board of 3 columns and 4 rows in its left.
fn grid() -> Grid {
    let plane = Array2::from_shape_fn((20, 1), |(point, _)| if point % 5 < 3 { 1.0 } else { 0.0 });
    Grid::new(Size::new(5, 4).unwrap(), plane.view())
}

fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut rng = Rng::new(seed);
    move || rng.below(2001) as f32 / 1000.0 - 1.0
}

fn numbers(count: usize, seed: u64) -> Vec<f32> {
    std::iter::repeat_with(noise(seed)).take(count).collect()
}

fn features(channels: usize, seed: u64) -> Activations {
    let mut noise = noise(seed);
    Array2::from_shape_simple_fn((20, channels), &mut noise)
}

fn identity() -> Activation {
    Activation { name: String::new(), kind: ActivationKind::Identity }
}

fn mat_mul(inputs: usize, outputs: usize, seed: u64) -> MatMul {
    MatMul { name: String::new(), inputs, outputs, weights: numbers(inputs * outputs, seed) }
}

#[track_caller]
fn assert_close(found: f32, expected: f64) {
    assert!((f64::from(found) - expected).abs() < 1e-5, "{found} is not {expected}");
}

#[test]
fn nonlinearities_have_known_values_and_do_not_overflow() {
    let at = |kind, x: f32| activated(Array1::from_elem(1, x), kind)[0];
    for (kind, x, expected) in [
        (ActivationKind::Identity, -3.0, -3.0),
        (ActivationKind::Relu, -3.0, 0.0),
        (ActivationKind::Relu, 3.0, 3.0),
        (ActivationKind::Mish, 1.0, 0.865_098),
        (ActivationKind::Mish, -1.0, -0.303_401),
        (ActivationKind::Mish, 100.0, 100.0),
        (ActivationKind::Mish, -100.0, 0.0),
        (ActivationKind::Silu, 1.0, 0.731_059),
        (ActivationKind::Silu, 100.0, 100.0),
        (ActivationKind::Silu, -100.0, 0.0),
    ] {
        assert_close(at(kind, x), expected);
    }
}

#[test]
fn convolution_sums_what_is_around_and_is_not_flipped() {
    let (height, width, inputs, outputs) = (3, 5, 2, 3);
    let weights = numbers(height * width * inputs * outputs, 1);
    let x = features(inputs, 2);
    let conv = Conv { name: String::new(), height, width, inputs, outputs, weights };
    let found = grid().conv(&x, &conv);
    for (y, x0, o) in triples(4, 5, outputs) {
        let mut expected = 0.0;
        for (dy, dx, i) in triples(height, width, inputs) {
            let (row, column) = (y as i32 + dy as i32 - 1, x0 as i32 + dx as i32 - 2);
            if (0..4).contains(&row) && (0..5).contains(&column) {
                let weight = conv.weights[((dy * width + dx) * inputs + i) * outputs + o];
                expected += f64::from(x[(row as usize * 5 + column as usize, i)] * weight);
            }
        }
        assert_close(found[(y * 5 + x0, o)], expected);
    }
}

/// All triples below three bounds.
fn triples(a: usize, b: usize, c: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..a).flat_map(move |i| (0..b).flat_map(move |j| (0..c).map(move |k| (i, j, k))))
}

#[test]
fn pools_see_the_board_alone() {
    let x = grid().masked(features(1, 3) - 3.0);
    let on_board: Vec<f64> = (0..20).filter(|point| point % 5 < 3).map(|point| f64::from(x[(point, 0)])).collect();
    let mean = on_board.iter().sum::<f64>() / 12.0;
    let factor = (12f64.sqrt() - 14.0) / 10.0;
    let pooled = grid().pool(&x);
    assert_close(pooled[0], mean);
    assert_close(pooled[1], mean * factor);
    // All are below -2; the maximum starts from -1.
    assert_close(pooled[2], -1.0);
    let pooled = grid().value_pool(&x);
    assert_close(pooled[0], mean);
    assert_close(pooled[1], mean * factor);
    assert_close(pooled[2], mean * (factor * factor - 0.1));

    let x = grid().masked(x + 3.5);
    let most = (0..20).map(|point| x[(point, 0)]).fold(f32::MIN, f32::max);
    assert!(most > 1.0);
    assert_close(grid().pool(&x)[2], f64::from(most));
    assert_close(grid().pool(&x)[0], mean + 3.5);
}

#[test]
fn norms_are_zero_off_the_board() {
    let x = features(2, 4);
    let norm = BatchNorm {
        name: String::new(),
        epsilon: 0.5,
        mean: vec![1.0, 2.0],
        variance: vec![3.5, 15.5],
        scale: Some(vec![4.0, 8.0]),
        bias: None,
    };
    let found = grid().norm(&x, &norm, &identity());
    let rms = RmsNorm { name: String::new(), epsilon: 0.25, weight: vec![2.0, 3.0] };
    let found_rms = grid().rms_norm(&x, &rms);
    for point in 0..20 {
        let on_board = point % 5 < 3;
        let (a, b) = (f64::from(x[(point, 0)]), f64::from(x[(point, 1)]));
        let size = f64::midpoint(a * a, b * b) + 0.25;
        let expected = [(a - 1.0) * 2.0, (b - 2.0) * 2.0, a * 2.0 / size.sqrt(), b * 3.0 / size.sqrt()];
        for (found, expected) in found.row(point).iter().chain(found_rms.row(point)).zip(expected) {
            assert_close(*found, if on_board { expected } else { 0.0 });
        }
    }
}

#[test]
fn the_spatial_tip_divides_by_one_mean_over_the_board() {
    let x = features(2, 5);
    let norm = RmsNorm { name: String::new(), epsilon: 0.25, weight: vec![2.0, 3.0] };
    let tip = Tip::Rms { norm, beta: vec![0.5, -0.5], spatial: true };
    let found = grid().tip(&x, &tip, &identity());
    let on_board = |point: usize| point % 5 < 3;
    let squares: f64 = (0..20).filter(|&p| on_board(p)).flat_map(|p| x.row(p).to_vec()).map(|x| f64::from(x * x)).sum();
    let size = (squares / 24.0 + 0.25).sqrt();
    for (point, c) in (0..20).flat_map(|point| [(point, 0), (point, 1)]) {
        let expected = f64::from(x[(point, c)]) * [2.0, 3.0][c] / size + [0.5, -0.5][c];
        assert_close(found[(point, c)], if on_board(point) { expected } else { 0.0 });
    }
}

/// No network of the golden positions has an encoder of who is playing.
#[test]
fn the_encoder_of_who_plays_has_two_hidden_layers() {
    let bias = |seed| Bias { name: String::new(), values: numbers(2, seed) };
    let relu = Activation { name: String::new(), kind: ActivationKind::Relu };
    let encoder = MetaEncoder {
        name: String::new(),
        mul1: mat_mul(META_INPUTS, 2, 20),
        bias1: bias(21),
        activation1: relu,
        mul2: mat_mul(2, 2, 22),
        bias2: bias(23),
        activation2: identity(),
        mul3: mat_mul(2, 3, 24),
    };
    let inputs = numbers(META_INPUTS, 25);
    let times = |x: &[f32], layer: &MatMul, o: usize| -> f32 {
        x.iter().enumerate().map(|(i, x)| x * layer.weights[i * layer.outputs + o]).sum()
    };
    let hidden = [0, 1].map(|o| (times(&inputs, &encoder.mul1, o) + encoder.bias1.values[o]).max(0.0));
    let hidden = [0, 1].map(|o| times(&hidden, &encoder.mul2, o) + encoder.bias2.values[o]);
    for (o, found) in meta(&encoder, &inputs).into_iter().enumerate() {
        let expected = times(&hidden, &encoder.mul3, o);
        assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    }
}

/// Four heads that share two heads of keys and values, against the formula for one point at a time.
#[test]
fn attention_is_the_mean_of_values_weighted_by_keys() {
    let (channels, heads, kv_heads, q_dim, v_dim) = (6, 4, 2, 8, 3);
    let learnt = Rope::Learnt { name: String::new(), frequencies: numbers(kv_heads * q_dim, 6) };
    for rope in [None, Some(learnt), Some(Rope::Fixed { name: String::new(), theta: 20.0 })] {
        let block = AttentionBlock {
            name: String::new(),
            heads,
            kv_heads,
            q_dim,
            v_dim,
            rope,
            norm: RmsNorm { name: String::new(), epsilon: 1e-3, weight: numbers(channels, 7) },
            q: mat_mul(channels, heads * q_dim, 8),
            k: mat_mul(channels, kv_heads * q_dim, 9),
            v: mat_mul(channels, kv_heads * v_dim, 10),
            out: mat_mul(heads * v_dim, channels, 11),
        };
        let x = features(channels, 12) * 3.0;
        let normed = grid().rms_norm(&x, &block.norm);
        let found = attention(&grid(), &block, &x);
        for point in 0..20 {
            let expected = if point % 5 < 3 { attended(&block, &normed, point) } else { vec![0.0; channels] };
            for (found, expected) in found.row(point).iter().zip(expected) {
                assert_close(*found, expected);
            }
        }
    }
}

/// What attention adds at one point.
fn attended(block: &AttentionBlock, x: &Activations, point: usize) -> Vec<f64> {
    let mut heads = Vec::new();
    for head in 0..block.heads {
        let kv = head / (block.heads / block.kv_heads);
        let query = turned(block, project(&block.q, x, point, head, block.q_dim), kv, point);
        let (mut total, mut sum) = (0.0, vec![0.0; block.v_dim]);
        for other in (0..20).filter(|other| other % 5 < 3) {
            let key = turned(block, project(&block.k, x, other, kv, block.q_dim), kv, other);
            let logit: f64 = query.iter().zip(key).map(|(q, k)| q * k).sum();
            let weight = (logit / (block.q_dim as f64).sqrt()).exp();
            total += weight;
            let value = project(&block.v, x, other, kv, block.v_dim);
            sum.iter_mut().zip(value).for_each(|(sum, value)| *sum += weight * value);
        }
        heads.extend(sum.into_iter().map(|sum| sum / total));
    }
    let out = |c: usize| heads.iter().enumerate().map(|(i, x)| x * f64::from(block.out.weights[i * block.out.outputs + c])).sum();
    (0..block.out.outputs).map(out).collect()
}

/// One head's part of a product.
fn project(layer: &MatMul, x: &Activations, point: usize, head: usize, dim: usize) -> Vec<f64> {
    let one = |o: usize| x.row(point).iter().enumerate().map(|(i, x)| f64::from(x * layer.weights[i * layer.outputs + o])).sum();
    (head * dim..(head + 1) * dim).map(one).collect()
}

/// Rotates pairs of 8 channels: by learnt frequencies, or fixed ones of which the first two pairs take the row.
fn turned(block: &AttentionBlock, mut head: Vec<f64>, kv: usize, point: usize) -> Vec<f64> {
    let (x, y) = ((point % 5) as f64, (point / 5) as f64);
    for p in 0..4 {
        let angle = match &block.rope {
            None => return head,
            Some(Rope::Learnt { frequencies, .. }) => {
                x * f64::from(frequencies[kv * 8 + p * 2]) + y * f64::from(frequencies[kv * 8 + p * 2 + 1])
            }
            Some(Rope::Fixed { .. }) => [y, y / 20f64.sqrt(), x, x / 20f64.sqrt()][p],
        };
        let (a, b) = (head[2 * p], head[2 * p + 1]);
        (head[2 * p], head[2 * p + 1]) = (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos());
    }
    head
}
