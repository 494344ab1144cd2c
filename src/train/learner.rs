//! A network that learns.

use tch::{Device, Kind, Tensor};

use super::batch::Batch;
use super::checkpoint::{Array, Checkpoint};
use super::loss::{LOSSES, LossWeights, TABLE};
use super::objective::{Marks, Targets, losses, total};
use super::optimiser::{Optimiser, Weights};
use super::settings::{Norms, Settings};
use super::sides::Sides;
use crate::nn::torch::{Mode, Model};
use crate::nn::{Multipliers, Network, Role};
use crate::util::Rng;

/// Steps in which the average of weights follows them faster, as it began with random ones.
const EARLY_STEPS: f64 = 10.0;

/// The network, the heads that only training knows, the average of its weights, and what the optimiser remembers.
#[derive(Debug)]
pub(super) struct Learner {
    model: Model,
    sides: Sides,
    optimiser: Optimiser,
    averaged: Model,
    average_rows: f64,
    multipliers: Multipliers,
    norms: Norms,
    weights: LossWeights,
    batch: usize,
    device: Device,
}

/// What a step came to.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Each loss, the mean over the rows, before its weight.
    pub(super) losses: [f64; LOSSES],
    /// With their weights.
    pub(super) total: f64,
    /// Length of the gradient before it was clipped.
    pub(super) gradient: f64,
}

impl Learner {
    pub(super) fn new(network: &Network, settings: &Settings, device: Device) -> Self {
        let model = Model::new(network, device, Kind::Float);
        let sides = Sides::new(network.trunk.channels, device, &mut Rng::for_stream(settings.seed, 1));
        let learnt = model.arrays().into_iter().filter(|array| array.role.is_learnt()).enumerate().map(|(number, array)| {
            let decays = matches!(array.role, Role::Kernels { .. } | Role::Matrix { .. });
            Weights::new(format!("{number} {}", array.name), array.tensor, decays)
        });
        let side = sides.arrays().map(|(name, tensor)| Weights::new(name.to_owned(), tensor.shallow_clone(), tensor.dim() > 1));
        let optimiser = Optimiser {
            kind: settings.optimiser,
            weights: learnt.chain(side).collect(),
            decay: settings.weight_decay,
            clip: settings.clip,
            steps: 0,
        };
        Self {
            averaged: Model::new(network, device, Kind::Float),
            model,
            sides,
            optimiser,
            average_rows: settings.average_rows,
            multipliers: network.multipliers,
            norms: settings.norms,
            weights: settings.losses,
            batch: settings.batch,
            device,
        }
    }

    /// Learns from a batch.
    pub(super) fn step(&mut self, batch: &Batch, rate: f64) -> Step {
        let losses = self.losses(batch);
        // A batch that is not full counts less.
        total(&losses, &self.weights, self.batch).backward();
        let gradient = self.optimiser.step(rate);
        self.average(batch.rows);
        self.told(&losses, batch.rows, gradient)
    }

    /// The losses of a batch, each the sum over its rows.
    fn losses(&self, batch: &Batch) -> Tensor {
        let targets = Targets::new(batch, self.device);
        let mode = if self.norms == Norms::Batch { Mode::Train } else { Mode::Evaluate };
        let heads = self.model.forward(&targets.planes, &targets.globals, None, mode);
        let sides = self.sides.forward(&heads.trunk, batch.board);
        losses(&heads, &sides, &targets, &self.multipliers)
    }

    fn told(&self, losses: &Tensor, rows: usize, gradient: f64) -> Step {
        let sums: Vec<f64> = Vec::try_from(losses.to_device(Device::Cpu).to_kind(Kind::Double)).expect("a vector of losses");
        let losses: [f64; LOSSES] = std::array::from_fn(|i| sums[i] / rows as f64);
        let total = TABLE.iter().zip(losses).map(|(entry, loss)| self.weights.of(entry.loss) * loss).sum();
        Step { losses, total, gradient }
    }

    /// Moves the averaged weights towards the present ones.
    fn average(&mut self, rows: usize) {
        let steps = self.optimiser.steps as f64;
        let kept = if self.average_rows > 0.0 { (-(rows as f64) / self.average_rows).exp() } else { 0.0 };
        let kept = kept.min((1.0 + steps) / (EARLY_STEPS + steps));
        tch::no_grad(|| {
            for (average, now) in self.averaged.arrays().into_iter().zip(self.model.arrays()) {
                // Norms' statistics are averages already.
                let share = if now.role.is_learnt() { 1.0 - kept } else { 1.0 };
                _ = average.tensor.shallow_clone().lerp_(&now.tensor, share);
            }
        });
    }

    /// What the network with averaged weights scores on a batch, and its losses, as sums over the rows.
    pub(super) fn validate(&self, batch: &Batch) -> (Marks, Vec<f64>) {
        tch::no_grad(|| {
            let targets = Targets::new(batch, self.device);
            let heads = self.averaged.forward(&targets.planes, &targets.globals, None, Mode::Evaluate);
            let sides = self.sides.forward(&heads.trunk, batch.board);
            let sums = losses(&heads, &sides, &targets, &self.multipliers).to_device(Device::Cpu).to_kind(Kind::Double);
            (Marks::of(&heads, &targets, &self.multipliers), Vec::try_from(sums).expect("a vector of losses"))
        })
    }

    /// The network with averaged weights.
    pub(super) fn network(&self) -> Network {
        self.averaged.to_network()
    }

    /// All that is needed to go on from here.
    pub(super) fn checkpoint<S>(&self, state: S) -> Checkpoint<S> {
        let mut arrays = Vec::new();
        let mut add = |kind: &str, name: &str, tensor: &Tensor, bears_halving| {
            arrays.push(Array { name: format!("{kind} {name}"), values: numbers(tensor), bears_halving });
        };
        for weights in &self.optimiser.weights {
            add("first", &weights.name, &weights.first, true);
            add("second", &weights.name, &weights.second, true);
        }
        for (name, tensor) in self.sides.arrays() {
            add("side", name, tensor, false);
        }
        let pairs = self.averaged.arrays().into_iter().zip(self.model.arrays()).filter(|(_, now)| now.role.is_learnt());
        for (number, (average, now)) in pairs.enumerate() {
            // The difference is small, and stays exact enough when it is halved.
            add("average", &format!("{number} {}", now.name), &(average.tensor - now.tensor), true);
        }
        arrays.push(Array { name: "steps".to_owned(), values: vec![self.optimiser.steps as f32], bears_halving: false });
        Checkpoint { state, network: self.model.to_network(), arrays }
    }

    /// Goes on from a checkpoint whose network this was made of. What the checkpoint does not know stays as it is.
    pub(super) fn restore<S>(&mut self, checkpoint: &Checkpoint<S>) {
        let set = |kind: &str, name: &str, tensor: &Tensor, plus: Option<&Tensor>| {
            let name = format!("{kind} {name}");
            let array = checkpoint.arrays.iter().find(|array| array.name == name && array.values.len() == tensor.numel());
            if let Some(array) = array {
                let values = Tensor::from_slice(&array.values).view(tensor.size().as_slice()).to_device(self.device);
                let values = if let Some(plus) = plus { values + plus } else { values };
                tensor.detach().copy_(&values);
            }
        };
        tch::no_grad(|| {
            for weights in &self.optimiser.weights {
                set("first", &weights.name, &weights.first, None);
                set("second", &weights.name, &weights.second, None);
            }
            for (name, tensor) in self.sides.arrays() {
                set("side", name, tensor, None);
            }
            let pairs = self.averaged.arrays().into_iter().zip(self.model.arrays()).filter(|(_, now)| now.role.is_learnt());
            for (number, (average, now)) in pairs.enumerate() {
                set("average", &format!("{number} {}", now.name), &average.tensor, Some(&now.tensor));
            }
        });
        if let Some(steps) = checkpoint.arrays.iter().find(|array| array.name == "steps") {
            self.optimiser.steps = steps.values[0] as u64;
        }
    }
}

/// The numbers of a tensor.
fn numbers(tensor: &Tensor) -> Vec<f32> {
    let flat = tensor.detach().to_device(Device::Cpu).to_kind(Kind::Float).contiguous().view(-1);
    Vec::try_from(flat).expect("a flat tensor of float32 becomes a vector")
}
