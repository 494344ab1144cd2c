//! A network that learns.

use std::fmt;
use std::panic::resume_unwind;
use std::thread;

use tch::{Device, Kind, Tensor};

use super::batch::Batch;
use super::checkpoint::{Array, Checkpoint};
use super::loss::{LOSSES, LossWeights, TABLE};
use super::objective::{Marks, Targets, losses, total};
use super::optimiser::{Optimiser, Weights};
use super::settings::{Norms, Settings};
use super::sides::Sides;
use crate::nn::torch::{Mode, Model};
use crate::nn::{GLOBALS, Multipliers, Network, PLANES, Role, Tower, TowerGradient, TowerRoom, Trace};
use crate::util::Rng;

/// Steps in which the average of weights follows them faster, as it began with random ones.
const EARLY_STEPS: f64 = 10.0;

/// Points that go through a tower together: 8 boards of 19x19. More read the weights less often, fewer stay in the cache.
const POINTS_TOGETHER: usize = 3000;

/// The network, the heads that only training knows, the average of its weights, and what the optimiser remembers.
#[derive(Debug)]
pub(super) struct Learner {
    /// One for each thread; the first is the one that counts, the others are made like it before each step.
    replicas: Vec<Replica>,
    optimiser: Optimiser,
    averaged: Model,
    average_rows: f64,
    terms: Terms,
}

/// The network with the side heads, as one thread has them.
#[derive(Debug)]
struct Replica {
    model: Model,
    sides: Sides,
    memory: Memory,
}

/// Memory that passes through a tower use again and again.
#[derive(Default)]
struct Memory {
    traces: Vec<Trace>,
    room: TowerRoom,
    /// What comes out of the trunk, then its gradient.
    out: Vec<f32>,
    /// The gradient of the trunk's weights.
    sums: Option<TowerGradient>,
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

/// What a replica learnt from its part of a batch.
struct Learnt {
    /// Each loss, the sum over the rows.
    losses: Tensor,
    /// Gradients of the replica's weights. Those of a trunk that went through a tower are in the replica's memory instead.
    gradients: Vec<Option<Tensor>>,
}

impl Replica {
    fn new(network: &Network, settings: &Settings, device: Device) -> Self {
        let sides = Sides::new(network.trunk.channels, device, &mut Rng::for_stream(settings.seed, 1));
        let replica = Self { model: Model::new(network, device, Kind::Float), sides, memory: Memory::default() };
        for (_, tensor, _) in replica.learnt() {
            _ = tensor.set_requires_grad(true);
        }
        replica
    }

    /// All that learns: name, weights, and whether they decay. The trunk's come first.
    fn learnt(&self) -> Vec<(String, Tensor, bool)> {
        let learnt = self.model.arrays().into_iter().filter(|array| array.role.is_learnt()).enumerate();
        let own = learnt.map(|(number, array)| {
            let decays = matches!(array.role, Role::Kernels { .. } | Role::Matrix { .. });
            (format!("{number} {}", array.name), array.tensor, decays)
        });
        let side = self.sides.arrays().map(|(name, tensor)| (name.to_owned(), tensor.shallow_clone(), tensor.dim() > 1));
        own.chain(side).collect()
    }

    /// Makes its weights those of another.
    fn follow(&self, other: &Self) {
        tch::no_grad(|| {
            for ((_, own, _), (_, other, _)) in self.learnt().into_iter().zip(other.learnt()) {
                own.detach().copy_(&other);
            }
        });
    }

    /// Losses and gradients of a batch; its trunk goes through `tower` if there is one.
    fn learn(&mut self, batch: &Batch, tower: Option<&Tower>, terms: &Terms) -> Learnt {
        let targets = Targets::new(batch, terms.device);
        let mode = if terms.norms == Norms::Batch { Mode::Train } else { Mode::Evaluate };
        let trunk = tower.map(|tower| self.memory.forward(tower, batch));
        let heads = match &trunk {
            Some(trunk) => self.model.heads(&targets.planes, trunk, mode),
            None => self.model.forward(&targets.planes, &targets.globals, None, mode),
        };
        let sides = self.sides.forward(&heads.trunk, batch.board);
        let losses = losses(&heads, &sides, &targets, &terms.multipliers);
        // A batch that is not full counts less.
        total(&losses, &terms.weights, terms.batch).backward();
        if let Some((tower, trunk)) = tower.zip(trunk) {
            self.memory.backward(tower, batch, &trunk.grad());
        }
        let gradients = self.learnt().into_iter().map(|(_, tensor, _)| take_gradient(&tensor)).collect();
        Learnt { losses: losses.detach(), gradients }
    }
}

/// The gradient that libtorch left, which is then gone.
fn take_gradient(tensor: &Tensor) -> Option<Tensor> {
    let mut gradient = tensor.grad();
    gradient.defined().then(|| {
        let taken = gradient.copy();
        _ = gradient.zero_();
        taken
    })
}

impl Memory {
    /// What comes out of the trunk, `[row][channel][y][x]`.
    fn forward(&mut self, tower: &Tower, batch: &Batch) -> Tensor {
        let (area, channels) = (batch.board.area(), tower.channels());
        self.out.resize(batch.rows * area * channels, 0.0);
        let each = rows_together(batch);
        self.traces.resize_with(batch.rows.div_ceil(each), Trace::default);
        let pieces = batch.planes.chunks(each * area * PLANES).zip(batch.globals.chunks(each * GLOBALS));
        for (((planes, globals), out), trace) in pieces.zip(self.out.chunks_mut(each * area * channels)).zip(&mut self.traces) {
            tower.forward(batch.board, planes, globals, trace, &mut self.room, out);
        }
        let sizes = [batch.rows, batch.board.height(), batch.board.width(), channels].map(|side| side as i64);
        Tensor::from_slice(&self.out).view(sizes).permute([0, 3, 1, 2]).set_requires_grad(true)
    }

    /// Adds up the gradient of the trunk's weights, from that of what came out.
    fn backward(&mut self, tower: &Tower, batch: &Batch, gradient: &Tensor) {
        let count = self.out.len();
        gradient.permute([0, 2, 3, 1]).contiguous().copy_data(&mut self.out, count);
        let sums = self.sums.get_or_insert_with(|| tower.gradient());
        let each = rows_together(batch) * batch.board.area() * tower.channels();
        for (trace, gradient) in self.traces.iter().zip(self.out.chunks(each)) {
            tower.backward(trace, gradient, &mut self.room, sums);
        }
    }
}

/// Rows that go through a tower together: as many as a cache has room for.
fn rows_together(batch: &Batch) -> usize {
    (POINTS_TOGETHER / batch.board.area()).max(1)
}

/// What losses depend on besides the batch.
#[derive(Clone, Debug)]
struct Terms {
    multipliers: Multipliers,
    norms: Norms,
    weights: LossWeights,
    /// Rows of a full batch.
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
    /// Learns `network` by `threads` threads if it is the CPU that computes.
    pub(super) fn new(network: &Network, settings: &Settings, device: Device, threads: usize) -> Self {
        // Norms by a batch's statistics are those of all its rows.
        let count = if device == Device::Cpu && settings.norms == Norms::Fixed { threads } else { 1 };
        let replicas: Vec<Replica> = (0..count.max(1)).map(|_| Replica::new(network, settings, device)).collect();
        let all = replicas[0].learnt().into_iter();
        let optimiser = Optimiser {
            kind: settings.optimiser,
            weights: all.map(|(name, tensor, decays)| Weights::new(name, tensor, decays)).collect(),
            decay: settings.weight_decay,
            clip: settings.clip,
            steps: 0,
        };
        let terms = Terms {
            multipliers: network.multipliers,
            norms: settings.norms,
            weights: settings.losses,
            batch: settings.batch,
            device,
        };
        let averaged = Model::new(network, device, Kind::Float);
        Self { averaged, replicas, optimiser, average_rows: settings.average_rows, terms }
    }

    fn model(&self) -> &Model {
        &self.replicas[0].model
    }

    fn sides(&self) -> &Sides {
        &self.replicas[0].sides
    }

    /// Learns from a batch.
    pub(super) fn step(&mut self, batch: &Batch, rate: f64) -> Step {
        let (losses, gradients) = self.learn(batch, true);
        let gradient = self.optimiser.step(&gradients, rate);
        self.average(batch.rows);
        self.told(&losses, batch.rows, gradient)
    }

    /// Losses and gradients of a batch. Each thread has a part of it and its own replica; its trunk
    /// is computed by a tower `by_tower`, if that can be. (libtorch's own threads wait for each other in every
    /// operation, which costs dearly where other work shares the cores.)
    pub(super) fn learn(&mut self, batch: &Batch, by_tower: bool) -> (Tensor, Vec<Option<Tensor>>) {
        let terms = &self.terms;
        let fits = by_tower && terms.device == Device::Cpu && terms.norms == Norms::Fixed;
        let tower = fits.then(|| Tower::new(&self.model().to_network(), batch.board, self.replicas.len())).flatten();
        let (first, others) = self.replicas.split_first_mut().expect("there is a replica");
        for other in others.iter() {
            other.follow(first);
        }
        let learn = |replica: &mut Replica, part: &Batch| {
            if terms.device == Device::Cpu {
                tch::set_num_threads(1);
            }
            replica.learn(part, tower.as_ref(), terms)
        };
        let parts = batch.split(1 + others.len());
        let learnt: Vec<Learnt> = thread::scope(|scope| {
            let spawn = |(replica, part)| scope.spawn(move || learn(replica, part));
            let running: Vec<_> = others.iter_mut().zip(&parts[1..]).map(spawn).collect();
            let own = learn(first, &parts[0]);
            let join = |thread: thread::ScopedJoinHandle<Learnt>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            std::iter::once(own).chain(running.into_iter().map(join)).collect()
        });
        let Some(Learnt { losses, mut gradients }) = learnt.into_iter().reduce(joined) else { unreachable!("there is a part") };
        if let Some((tower, sums)) = tower.as_ref().zip(first.memory.sums.as_mut()) {
            others.iter_mut().filter_map(|other| other.memory.sums.as_mut()).for_each(|more| sums.join(more));
            let arrays = first.model.arrays().into_iter().filter(|array| array.role.is_learnt());
            for ((gradient, array), values) in gradients.iter_mut().zip(arrays).zip(sums.finish(tower)) {
                *gradient = Some(array.like(&values));
            }
        }
        (losses, gradients)
    }

    /// Names of all that learns.
    #[cfg(test)]
    pub(super) fn names(&self) -> Vec<String> {
        self.replicas[0].learnt().into_iter().map(|(name, ..)| name).collect()
    }

    /// All that learns.
    #[cfg(test)]
    pub(super) fn weights(&self) -> Vec<Tensor> {
        self.replicas[0].learnt().into_iter().map(|(_, tensor, _)| tensor).collect()
    }

    /// What the network says of a batch.
    #[cfg(test)]
    pub(super) fn heads(&self, batch: &Batch) -> crate::nn::torch::Heads {
        let targets = Targets::new(batch, self.terms.device);
        tch::no_grad(|| self.model().forward(&targets.planes, &targets.globals, None, Mode::Evaluate))
    }

    /// The sum of losses, as it is minimised.
    #[cfg(test)]
    pub(super) fn total(&self, losses: &Tensor) -> f64 {
        total(losses, &self.terms.weights, self.terms.batch).double_value(&[])
    }

    fn told(&self, losses: &Tensor, rows: usize, gradient: f64) -> Step {
        let sums: Vec<f64> = Vec::try_from(losses.to_device(Device::Cpu).to_kind(Kind::Double)).expect("a vector of losses");
        let losses: [f64; LOSSES] = std::array::from_fn(|i| sums[i] / rows as f64);
        let total = TABLE.iter().zip(losses).map(|(entry, loss)| self.terms.weights.of(entry.loss) * loss).sum();
        Step { losses, total, gradient }
    }

    /// Moves the averaged weights towards the present ones.
    fn average(&mut self, rows: usize) {
        let steps = self.optimiser.steps as f64;
        let kept = if self.average_rows > 0.0 { (-(rows as f64) / self.average_rows).exp() } else { 0.0 };
        let kept = kept.min((1.0 + steps) / (EARLY_STEPS + steps));
        tch::no_grad(|| {
            for (average, now) in self.averaged.arrays().into_iter().zip(self.model().arrays()) {
                // Norms' statistics are averages already.
                let share = if now.role.is_learnt() { 1.0 - kept } else { 1.0 };
                _ = average.tensor.shallow_clone().lerp_(&now.tensor, share);
            }
        });
    }

    /// What the network with averaged weights scores on a batch, and its losses, as sums over the rows.
    pub(super) fn validate(&self, batch: &Batch) -> (Marks, Vec<f64>) {
        tch::no_grad(|| {
            let targets = Targets::new(batch, self.terms.device);
            let heads = self.averaged.forward(&targets.planes, &targets.globals, None, Mode::Evaluate);
            let sides = self.sides().forward(&heads.trunk, batch.board);
            let sums = losses(&heads, &sides, &targets, &self.terms.multipliers).to_device(Device::Cpu).to_kind(Kind::Double);
            (Marks::of(&heads, &targets, &self.terms.multipliers), Vec::try_from(sums).expect("a vector of losses"))
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
        for (name, tensor) in self.sides().arrays() {
            add("side", name, tensor, false);
        }
        let pairs = self.averaged.arrays().into_iter().zip(self.model().arrays()).filter(|(_, now)| now.role.is_learnt());
        for (number, (average, now)) in pairs.enumerate() {
            // The difference is small, and stays exact enough when it is halved.
            add("average", &format!("{number} {}", now.name), &(average.tensor - now.tensor), true);
        }
        arrays.push(Array { name: "steps".to_owned(), values: vec![self.optimiser.steps as f32], bears_halving: false });
        Checkpoint { state, network: self.model().to_network(), arrays }
    }

    /// Goes on from a checkpoint whose network this was made of. What the checkpoint does not know stays as it is.
    pub(super) fn restore<S>(&mut self, checkpoint: &Checkpoint<S>) {
        let set = |kind: &str, name: &str, tensor: &Tensor, plus: Option<&Tensor>| {
            let name = format!("{kind} {name}");
            let array = checkpoint.arrays.iter().find(|array| array.name == name && array.values.len() == tensor.numel());
            if let Some(array) = array {
                let values = Tensor::from_slice(&array.values).view(tensor.size().as_slice()).to_device(self.terms.device);
                let values = if let Some(plus) = plus { values + plus } else { values };
                tensor.detach().copy_(&values);
            }
        };
        tch::no_grad(|| {
            for weights in &self.optimiser.weights {
                set("first", &weights.name, &weights.first, None);
                set("second", &weights.name, &weights.second, None);
            }
            for (name, tensor) in self.sides().arrays() {
                set("side", name, tensor, None);
            }
            let pairs = self.averaged.arrays().into_iter().zip(self.model().arrays()).filter(|(_, now)| now.role.is_learnt());
            for (number, (average, now)) in pairs.enumerate() {
                set("average", &format!("{number} {}", now.name), &average.tensor, Some(&now.tensor));
            }
        });
        if let Some(steps) = checkpoint.arrays.iter().find(|array| array.name == "steps") {
            self.optimiser.steps = steps.values[0] as u64;
        }
    }
}

/// The sum of what two replicas learnt.
fn joined(mut one: Learnt, other: Learnt) -> Learnt {
    one.losses += other.losses;
    for (gradient, more) in one.gradients.iter_mut().zip(other.gradients) {
        if let (Some(gradient), Some(more)) = (gradient, more) {
            *gradient += more;
        }
    }
    one
}

/// The numbers of a tensor.
fn numbers(tensor: &Tensor) -> Vec<f32> {
    let flat = tensor.detach().to_device(Device::Cpu).to_kind(Kind::Float).contiguous().view(-1);
    Vec::try_from(flat).expect("a flat tensor of float32 becomes a vector")
}
