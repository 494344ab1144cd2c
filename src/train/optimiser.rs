//! How weights follow their gradients.

use tch::{Kind, Tensor};

use super::settings::OptimiserKind;

/// How much of the mean of gradients is kept from step to step.
const MOMENTUM: f64 = 0.9;
/// The same of the mean of their squares.
const SQUARES: f64 = 0.99;
/// Added to the root of that, so that weights without gradients stay.
const EPSILON: f64 = 1e-8;

/// Weights that learn, and what is remembered of each.
#[derive(Debug)]
pub(super) struct Weights {
    /// Name, unique in the optimiser.
    pub(super) name: String,
    /// The weights.
    pub(super) tensor: Tensor,
    /// Whether they decay.
    pub(super) decays: bool,
    /// Mean of gradients.
    pub(super) first: Tensor,
    /// Mean of their squares; unused by SGD.
    pub(super) second: Tensor,
}

impl Weights {
    pub(super) fn new(name: String, tensor: Tensor, decays: bool) -> Self {
        let (first, second) = (tensor.zeros_like().detach(), tensor.zeros_like().detach());
        Self { name, tensor, decays, first, second }
    }
}

/// An optimiser.
#[derive(Debug)]
pub(super) struct Optimiser {
    pub(super) kind: OptimiserKind,
    pub(super) weights: Vec<Weights>,
    /// Share of decaying weights taken off a step, times the learning rate.
    pub(super) decay: f64,
    /// Longest gradient.
    pub(super) clip: f64,
    /// Steps taken.
    pub(super) steps: u64,
}

impl Optimiser {
    /// Takes a step by the weights' gradients; where there is none nothing changes. Returns how long the gradient was. If that is no number, nothing changes
    /// at all.
    pub(super) fn step(&mut self, gradients: &[Option<Tensor>], rate: f64) -> f64 {
        tch::no_grad(|| {
            let squares: Vec<Tensor> = gradients.iter().flatten().map(|gradient| gradient.square().sum(Kind::Float)).collect();
            let length = Tensor::stack(&squares, 0).sum(Kind::Float).sqrt().double_value(&[]);
            if !length.is_finite() {
                return length;
            }
            self.steps += 1;
            let scale = (self.clip / length.max(1e-12)).min(1.0);
            for (weights, gradient) in self.weights.iter_mut().zip(gradients) {
                if let Some(gradient) = gradient {
                    let decay = if weights.decays { self.decay } else { 0.0 };
                    match self.kind {
                        OptimiserKind::Adamw => adam(weights, &(gradient * scale), rate, decay, self.steps),
                        OptimiserKind::Sgd => descend(weights, &(gradient * scale), rate, decay),
                    }
                }
            }
            length
        })
    }
}

/// AdamW (D. Kingma and J. Ba, 2015; I. Loshchilov and F. Hutter, 2019).
fn adam(weights: &mut Weights, gradient: &Tensor, rate: f64, decay: f64, steps: u64) {
    let Weights { tensor, first, second, .. } = weights;
    _ = first.lerp_(gradient, 1.0 - MOMENTUM);
    _ = second.g_mul_scalar_(SQUARES);
    _ = second.addcmul_(gradient, gradient);
    let steps = steps as f64;
    // The sum of squares is kept rather than their mean, by which `addcmul_` cannot scale.
    let mean = second.shallow_clone() * ((1.0 - SQUARES) / (1.0 - SQUARES.powf(steps)));
    let step = first.shallow_clone() / (mean.sqrt() + EPSILON) * (rate / (1.0 - MOMENTUM.powf(steps)));
    _ = tensor.g_mul_scalar_(1.0 - rate * decay);
    _ = tensor.g_sub_(&step);
}

/// Nesterov's momentum, in the form of I. Sutskever and others (2013).
fn descend(weights: &mut Weights, gradient: &Tensor, rate: f64, decay: f64) {
    let Weights { tensor, first, .. } = weights;
    _ = first.g_mul_scalar_(MOMENTUM);
    _ = first.g_add_(gradient);
    let step = (gradient + &*first * MOMENTUM) * rate;
    _ = tensor.g_mul_scalar_(1.0 - rate * decay);
    _ = tensor.g_sub_(&step);
}
