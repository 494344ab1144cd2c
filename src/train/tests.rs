//! Tests of what computes with tensors.

use std::path::PathBuf;
use std::time::Duration;

use tch::{Device, Kind, Tensor};

use super::batch::{Batch, Blend, score_places};
use super::fresh::{Kind as BlockKind, Shape, fresh};
use super::learner::Learner;
use super::loss::LossWeights;
use super::schedule::Schedule;
use super::settings::{DeviceChoice, Norms, OptimiserKind, Settings, Start};
use crate::board::Size;
use crate::nn::{Backend, Cpu, GLOBALS, Inputs, Network, PLANES, RawOutputs, Role};
use crate::util::Rng;

const SHAPE: Shape = Shape { blocks: 3, channels: 32, kind: BlockKind::Residual, pool_every: 2 };

fn settings() -> Settings {
    Settings {
        data: Vec::new(),
        validation: None,
        validation_rows: 0,
        out: PathBuf::new(),
        start: Start::Fresh(SHAPE),
        name: "test".to_owned(),
        batch: 6,
        schedule: Schedule { rate: 0.01, warm_up: 0, rows: 100, last: 0.1 },
        optimiser: OptimiserKind::Adamw,
        weight_decay: 0.01,
        clip: 1e9,
        average_rows: 20.0,
        norms: Norms::Fixed,
        losses: LossWeights::default(),
        blend: Blend { search: 0.5 },
        seed: 1,
        report_rows: 100,
        checkpoint_every: Duration::MAX,
        small_checkpoint: None,
        device: DeviceChoice::Cpu,
        threads: Some(2),
    }
}

/// A network whose norms do all that norms can.
fn network(rng: &mut Rng) -> Network {
    fresh("test", &SHAPE, rng).map(|_, role, values: &Vec<f32>| {
        let mut near = |low: f32, high: f32| values.iter().map(|_| low + (high - low) * rng.unit()).collect::<Vec<f32>>();
        match role {
            Role::Mean | Role::Bias => near(-0.3, 0.3),
            Role::Variance | Role::Scale => near(0.5, 1.5),
            _ => values.clone(),
        }
    })
}

/// Random rows.
fn batch(board: Size, rows: usize, rng: &mut Rng) -> Batch {
    let area = board.area();
    let mut numbers =
        |count: usize, low: f32, high: f32| (0..count).map(|_| low + (high - low) * rng.unit()).collect::<Vec<f32>>();
    let shares = |values: Vec<f32>, each: usize| -> Vec<f32> {
        values.chunks(each).flat_map(|row| row.iter().map(|value| value / row.iter().sum::<f32>()).collect::<Vec<_>>()).collect()
    };
    let mut planes: Vec<f32> = numbers(rows * area * PLANES, 0.0, 1.0).into_iter().map(f32::round).collect();
    planes.iter_mut().step_by(PLANES).for_each(|on_board| *on_board = 1.0);
    Batch {
        board,
        rows,
        planes,
        globals: numbers(rows * GLOBALS, -1.0, 1.0),
        policy: shares(numbers(rows * (area + 1), 0.0, 1.0), area + 1),
        reply: shares(numbers(rows * (area + 1), 0.0, 1.0), area + 1),
        value: shares(numbers(rows * 3, 0.0, 1.0), 3),
        averages: shares(numbers(rows * 9, 0.0, 1.0), 3),
        score: numbers(rows, -30.0, 30.0),
        places: shares(numbers(rows * score_places(board), 0.0, 1.0), score_places(board)),
        lead: numbers(rows, -30.0, 30.0),
        variance_time: numbers(rows, 0.0, 20.0),
        ownership: numbers(rows * area, -1.0, 1.0),
        scoring: numbers(rows * area, -1.0, 1.0),
        future: numbers(rows * 2 * area, -1.0, 1.0),
        weights: std::array::from_fn(|_| numbers(rows, 0.5, 1.0)),
    }
}

fn length(tensor: &Tensor) -> f64 {
    tensor.square().sum(Kind::Double).sqrt().double_value(&[])
}

/// The trunk's own way forward and back agrees with libtorch's, on boards that are cut into squares of each size.
#[test]
fn a_tower_has_libtorchs_gradient() {
    tch::set_num_threads(1);
    let mut rng = Rng::new(3);
    for (width, height) in [(5, 5), (8, 7), (9, 9), (19, 19)] {
        let batch = batch(Size::new(width, height).unwrap(), 5, &mut rng);
        let network = network(&mut rng);
        let mut learner = Learner::new(&network, &settings(), Device::Cpu, 2);
        let (losses, fast) = learner.learn(&batch, true);
        let (expected, slow) = learner.learn(&batch, false);
        // Nothing of a step is left for the next.
        let (_, again) = learner.learn(&batch, true);
        assert!(fast.iter().flatten().zip(again.iter().flatten()).all(|(a, b)| a == b));
        assert!(length(&(&losses - &expected)) < 1e-4 * length(&expected), "{width}x{height}: {losses} {expected}");
        for ((fast, slow), name) in fast.iter().zip(&slow).zip(learner.names()) {
            let (fast, slow) = (fast.as_ref().unwrap(), slow.as_ref().unwrap());
            let off = length(&(fast - slow)) / length(slow).max(1e-3);
            assert!(off < 2e-3, "{width}x{height}, {name}: {off} of {}", length(slow));
        }
    }
}

/// Along random directions, the losses' sum changes as its gradient says.
///
/// A slope is measured in float32 over rectifiers' kinks, so it is off by some share of the gradient's length whatever it is itself;
/// slopes along random directions are of that length on average, single ones may be near nothing. So several are compared as one vector.
#[test]
fn gradients_are_slopes() {
    tch::set_num_threads(1);
    let mut rng = Rng::new(4);
    let batch = batch(Size::square(5).unwrap(), 6, &mut rng);
    let network = network(&mut rng);
    // The distribution's spread is what the network's own head learns, but does not learn from it: its gradient is no slope.
    let losses = LossWeights::default().with(&["score_stdev=0".parse().unwrap()]);
    let mut learner = Learner::new(&network, &Settings { losses, ..settings() }, Device::Cpu, 1);
    let (_, gradients) = learner.learn(&batch, true);
    let weights = learner.weights();
    let (mut off, mut of) = (0.0, 0.0);
    for _ in 0..8 {
        let directions: Vec<Tensor> = weights.iter().map(|weights| direction(weights, &mut rng)).collect();
        let expected: f64 =
            gradients.iter().zip(&directions).map(|(g, d)| (g.as_ref().unwrap() * d).sum(Kind::Double).double_value(&[])).sum();
        let mut total = |step: f64| {
            tch::no_grad(|| {
                weights.iter().zip(&directions).for_each(|(weights, d)| _ = weights.shallow_clone().g_add_(&(d * step)));
            });
            let (losses, _) = learner.learn(&batch, true);
            learner.total(&losses)
        };
        // Ten times this, and curvature shows; a tenth, and float32.
        let step = 5e-5;
        let (up, down) = (total(step), total(-2.0 * step));
        total(step);
        let slope = (up - down) / (2.0 * step);
        off += (slope - expected).powi(2);
        of += expected.powi(2);
    }
    assert!(off.sqrt() < 0.02 * of.sqrt(), "slopes are off by {} of {}", off.sqrt(), of.sqrt());
}

/// Numbers of mean 0 and variance 1 in a tensor's shape. (libtorch's own random numbers are shared by all tests of a process.)
fn direction(like: &Tensor, rng: &mut Rng) -> Tensor {
    let values: Vec<f32> = (0..like.numel()).map(|_| (2.0 * rng.unit() - 1.0) * 3.0_f32.sqrt()).collect();
    Tensor::from_slice(&values).reshape(like.size())
}

/// What was learnt before and after a checkpoint is the same as without one.
#[test]
fn a_resumed_run_has_the_same_losses() {
    tch::set_num_threads(1);
    let mut rng = Rng::new(5);
    let batches: Vec<Batch> = (0..6).map(|_| batch(Size::square(7).unwrap(), 6, &mut rng)).collect();
    let network = network(&mut rng);
    for kind in [OptimiserKind::Adamw, OptimiserKind::Sgd] {
        let settings = Settings { optimiser: kind, ..settings() };
        let mut learner = Learner::new(&network, &settings, Device::Cpu, 2);
        batches[..3].iter().for_each(|batch| _ = learner.step(batch, 0.01));
        let checkpoint = learner.checkpoint(());
        let mut resumed = Learner::new(&checkpoint.network, &settings, Device::Cpu, 2);
        resumed.restore(&checkpoint);
        for batch in &batches[3..] {
            let (a, b) = (learner.step(batch, 0.01), resumed.step(batch, 0.01));
            assert_eq!((a.losses, a.total, a.gradient), (b.losses, b.total, b.gradient));
        }
        // The average is kept as its difference, which is rounded.
        let averages = [learner, resumed].map(|learner| Tensor::from_slice(&learner.network().trunk.initial_conv.weights));
        assert!(length(&(&averages[0] - &averages[1])) < 1e-6 * length(&averages[0]));
    }
}

/// The exported network answers on our own backend what the tensors answer.
#[test]
fn the_exported_network_answers_as_the_tensors_do() {
    tch::set_num_threads(1);
    let mut rng = Rng::new(6);
    let board = Size::square(9).unwrap();
    let batch = batch(board, 4, &mut rng);
    let mut learner = Learner::new(&network(&mut rng), &Settings { average_rows: 0.0, ..settings() }, Device::Cpu, 1);
    (0..3).for_each(|_| _ = learner.step(&batch, 0.01));
    let heads = learner.heads(&batch);
    let inputs: Vec<Inputs> = (0..batch.rows)
        .map(|row| {
            let mut inputs = Inputs::new(board);
            inputs.spatial.copy_from_slice(&batch.planes[row * board.area() * PLANES..][..board.area() * PLANES]);
            inputs.global.copy_from_slice(&batch.globals[row * GLOBALS..][..GLOBALS]);
            inputs
        })
        .collect();
    let mut outputs = vec![RawOutputs::default(); batch.rows];
    Cpu::new(&learner.network()).evaluate(&inputs.iter().collect::<Vec<_>>(), &mut outputs);
    for (row, output) in outputs.iter().enumerate() {
        let near = |tensor: Tensor, values: &[f32]| {
            let off = (tensor.flatten(0, -1) - Tensor::from_slice(values)).abs().max().double_value(&[]);
            assert!(off < 1e-3, "row {row}: {off}");
        };
        let row = row as i64;
        let policy = heads.policy.select(0, row).select(0, 0);
        near(policy.narrow(0, 0, board.area() as i64), &output.policy);
        near(policy.narrow(0, board.area() as i64, 1), &output.pass);
        near(heads.value.select(0, row), &output.value);
        near(heads.score.select(0, row), &output.score[..4]);
        near(heads.ownership.select(0, row), &output.ownership);
    }
}
