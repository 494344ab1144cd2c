//! The model against the plain backend, and training's own statistics against evaluation's.

use std::sync::Arc;

use tch::{Device, Kind, Tensor};

use super::batch::Batch;
use super::{Mode, Model};
use crate::board::Size;
use crate::nn::{Backend, BlockKind, Inputs, META_INPUTS, Network, PLANES, Plain, RawOutputs};
use crate::util::Rng;

/// Libtorch's own threads would wait for each other more than they compute here.
fn one_thread() {
    tch::set_num_threads(1);
}

fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).unwrap()
}

/// A board in a tensor, with noise on its planes.
fn inputs(board: Size, tensor: Size, rng: &mut Rng) -> Inputs {
    let mut inputs = Inputs::new(tensor);
    inputs.board = board;
    for y in 0..board.height() {
        for x in 0..board.width() {
            let planes = &mut inputs.spatial[(y * tensor.width() + x) * PLANES..][..PLANES];
            planes.fill_with(|| f32::from(rng.unit() < 0.2));
            planes[0] = 1.0;
        }
    }
    inputs.global.fill_with(|| rng.unit());
    let mut meta = Box::new([0.0; META_INPUTS]);
    meta.fill_with(|| rng.unit());
    inputs.meta = Some(meta);
    inputs
}

fn networks(rng: &mut Rng) -> Vec<Network> {
    (8..=17).map(|version| Network::random(version, 6 + 2 * version as usize, &BlockKind::all(), rng)).collect()
}

/// What is said of the points on the board, and of the whole.
fn said(output: &RawOutputs, input: &Inputs) -> Vec<f32> {
    let mut values = [&output.value[..], &output.score, &output.pass].concat();
    let (board, tensor) = (input.board, input.tensor);
    for plane in output.policy.chunks_exact(tensor.area()).chain([&output.ownership[..]]) {
        values.extend(plane.chunks_exact(tensor.width()).take(board.height()).flat_map(|row| &row[..board.width()]));
    }
    values
}

#[track_caller]
fn assert_close(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(1.0_f32, |most, value| most.max(value.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < tolerance * largest, "{what}: {found}, not {expected}");
    }
}

fn evaluate(model: &Model, inputs: &[&Inputs]) -> Vec<RawOutputs> {
    let mut outputs = vec![RawOutputs::default(); inputs.len()];
    model.evaluate(inputs, &mut outputs);
    outputs
}

#[test]
fn a_network_comes_back_as_it_was() {
    for network in networks(&mut Rng::new(1)) {
        let model = Model::new(&network, Device::Cpu, Kind::Float);
        assert!(model.to_network() == network, "version {}", network.version);
        assert_eq!(model.arrays().iter().map(|array| array.tensor.numel()).sum::<usize>(), network.parameters());
    }
}

#[test]
fn agrees_with_the_plain_backend_in_batches_of_boards_of_all_sizes() {
    one_thread();
    let mut rng = Rng::new(2);
    let shapes = [(size(9, 9), size(9, 9)), (size(5, 5), size(11, 11)), (size(2, 7), size(7, 7)), (size(11, 10), size(11, 11))];
    let batch = shapes.map(|(board, tensor)| inputs(board, tensor, &mut rng));
    for network in networks(&mut rng) {
        let model = Model::new(&network, Device::Cpu, Kind::Float);
        let mut plain = Plain::new(Arc::new(network));
        let together = evaluate(&model, &batch.each_ref());
        for (input, together) in batch.iter().zip(together) {
            let mut expected = [RawOutputs::default()];
            plain.evaluate(&[input], &mut expected);
            let expected = said(&expected[0], input);
            assert_close(&said(&together, input), &expected, 1e-4, "together");
            assert_close(&said(&evaluate(&model, &[input])[0], input), &expected, 1e-4, "alone");
        }
    }
}

/// All heads on the board, as one row of numbers.
fn heads(model: &Model, batch: &[&Inputs], mode: Mode) -> Vec<f32> {
    let tensors = Batch::new(batch, Device::Cpu);
    let heads = model.forward(&tensors.planes, &tensors.globals, Some(&tensors.meta), mode);
    let mut outputs = vec![RawOutputs::default(); batch.len()];
    tensors.tell(&heads, batch, &mut outputs);
    batch.iter().zip(&outputs).flat_map(|(input, output)| said(output, input)).collect()
}

/// Training sees the board alone, whatever tensor it lies in, and its averages come to what evaluation does.
#[test]
fn training_goes_by_the_statistics_of_points_on_the_board() {
    one_thread();
    let mut rng = Rng::new(3);
    let kinds = [BlockKind::Residual, BlockKind::GlobalPool];
    let (board, tensor) = (size(5, 4), size(7, 7));
    let wide: Vec<Inputs> = (0..6).map(|_| inputs(board, tensor, &mut rng)).collect();
    let tight: Vec<Inputs> = wide.iter().map(|wide| crop(wide, board)).collect();
    let (wide, tight): (Vec<_>, Vec<_>) = (wide.iter().collect(), tight.iter().collect());
    let network = Network::random(11, 12, &kinds, &mut rng);
    let new = || Model::new(&network, Device::Cpu, Kind::Float);
    let (in_wide, in_tight) = (new(), new());
    let expected = heads(&in_tight, &tight, Mode::Train);
    assert_close(&heads(&in_wide, &wide, Mode::Train), &expected, 1e-4, "a mask or none");
    for _ in 0..250 {
        heads(&in_wide, &wide, Mode::Train);
        heads(&in_tight, &tight, Mode::Train);
    }
    assert_close(&heads(&in_wide, &wide, Mode::Evaluate), &expected, 1e-2, "averages under a mask");
    // Without a mask libtorch's own averages take the variance of a sample, which is larger by one point in 120.
    assert_close(&heads(&in_tight, &tight, Mode::Evaluate), &expected, 2e-2, "averages without");
}

fn crop(wide: &Inputs, board: Size) -> Inputs {
    let mut tight = Inputs { board, ..Inputs::new(board) };
    for (y, row) in tight.spatial.chunks_exact_mut(board.width() * PLANES).enumerate() {
        row.copy_from_slice(&wide.spatial[y * wide.tensor.width() * PLANES..][..row.len()]);
    }
    Inputs { global: wide.global, meta: wide.meta.clone(), ..tight }
}

/// A step down the gradient of a loss lowers it, and every learnt array has a gradient.
#[test]
fn gradients_reach_every_learnt_array() {
    one_thread();
    let mut rng = Rng::new(4);
    for version in [8, 15, 17] {
        let network = Network::random(version, 10, &BlockKind::all(), &mut rng);
        let model = Model::new(&network, Device::Cpu, Kind::Float);
        let batch = [inputs(size(5, 5), size(5, 5), &mut rng), inputs(size(4, 3), size(5, 5), &mut rng)];
        let batch = Batch::new(&batch.each_ref(), Device::Cpu);
        let learnt: Vec<_> = model.arrays().into_iter().filter(|array| array.role.is_learnt()).collect();
        for array in &learnt {
            let _ = array.tensor.set_requires_grad(true);
        }
        let loss = || {
            let heads = model.forward(&batch.planes, &batch.globals, Some(&batch.meta), Mode::Train);
            let policy = heads.policy.log_softmax(-1, Kind::Float).select(-1, 7).sum(Kind::Float);
            let values = [heads.value, heads.score, heads.ownership].map(|head| (head - 0.5).square().sum(Kind::Float));
            values.iter().sum::<Tensor>() - policy
        };
        let before = loss();
        before.backward();
        for array in &learnt {
            assert!(array.tensor.grad().defined(), "version {version}: {} has no gradient", array.name);
            tch::no_grad(|| {
                let _ = array.tensor.shallow_clone().subtract_(&(array.tensor.grad() * 1e-5));
            });
        }
        let (before, after) = (before.double_value(&[]), loss().double_value(&[]));
        assert!(after.is_finite() && after < before, "version {version}: from {before} to {after}");
    }
}
