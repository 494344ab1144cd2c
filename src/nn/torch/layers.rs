//! Single layers.
//!
//! Activations are `[n][channel][y][x]`, vectors `[n][channel]`, and points in a row `[n][point][channel]`.

use tch::{Device, Kind, Tensor};

use super::Mode;
use crate::nn::{Activation, ActivationKind, BatchNorm, Conv, MatMul, RmsNorm, Tip};

/// How far running averages move towards a batch's statistics.
const MOMENTUM: f64 = 0.05;
/// The least that is added to a variance in training: files may hold next to nothing, since theirs are of many batches.
const LEAST_EPSILON: f64 = 1e-5;
/// Added to logits off the board.
const EXCLUDED: f64 = 5000.0;

/// `x` times a matrix, as the matrix's kind.
pub(super) fn multiply(x: &Tensor, layer: &MatMul<Tensor>) -> Tensor {
    x.to_kind(layer.weights.kind()).matmul(&layer.weights).to_kind(Kind::Float)
}

/// Convolution with zeros around the tensor, as the kernels' kind.
pub(super) fn convolve(x: &Tensor, conv: &Conv<Tensor>) -> Tensor {
    let around = [conv.height as i64 / 2, conv.width as i64 / 2];
    x.to_kind(conv.weights.kind()).conv2d(&conv.weights, None::<Tensor>, 1, around, 1, 1).to_kind(Kind::Float)
}

/// Activations as points in a row.
pub(super) fn points(x: &Tensor) -> Tensor {
    x.flatten(2, 3).transpose(1, 2)
}

/// Activations with a vector added at every point.
pub(super) fn add_vector(x: &Tensor, vector: &Tensor) -> Tensor {
    x + vector.unsqueeze(-1).unsqueeze(-1)
}

/// `x` after a nonlinearity.
pub(super) fn activated(x: Tensor, kind: ActivationKind) -> Tensor {
    match kind {
        ActivationKind::Identity => x,
        ActivationKind::Relu => x.relu(),
        ActivationKind::Mish => x.mish(),
        ActivationKind::Silu => x.silu(),
    }
}

/// The points of a batch's tensors, some of which are on the board.
pub(super) struct Grid {
    mode: Mode,
    height: i64,
    width: i64,
    device: Device,
    /// 1 on the board, `[n][1][y][x]`; none if everything is.
    mask: Option<Tensor>,
    /// Points on the board, `[n][1]`.
    area: Tensor,
}

impl Grid {
    /// The grid of `planes`. Boards are where plane 0 is 1.
    pub(super) fn new(planes: &Tensor, mode: Mode) -> Self {
        let mask = planes.narrow(1, 0, 1);
        let (_, _, height, width) = planes.size4().expect("planes have four axes");
        let area = mask.sum_dim_intlist([2_i64, 3].as_slice(), false, Kind::Float);
        let is_full = mask.min().double_value(&[]) == 1.0;
        Self { mode, height, width, device: planes.device(), mask: (!is_full).then_some(mask), area }
    }

    /// Which points are on the board, `[n][1][1][point]`; none if all are.
    pub(super) fn on_board(&self) -> Option<Tensor> {
        self.mask.as_ref().map(|mask| mask.to_kind(Kind::Bool).flatten(2, 3).unsqueeze(1))
    }

    /// Column and row of each point.
    pub(super) fn coords(&self) -> [Tensor; 2] {
        let count = |to: i64| Tensor::arange(to, (Kind::Float, self.device));
        [count(self.width).repeat([self.height]), count(self.height).repeat_interleave_self_int(self.width, None, None)]
    }

    /// Points in a row as activations; zero off the board.
    pub(super) fn planes(&self, x: &Tensor) -> Tensor {
        self.masked(x.transpose(1, 2).unflatten(2, [self.height, self.width]))
    }

    /// `x` with zeros off the board.
    fn masked(&self, x: Tensor) -> Tensor {
        match &self.mask {
            Some(mask) => x * mask,
            None => x,
        }
    }

    /// Logits that are so low off the board that a softmax makes nothing of them.
    pub(super) fn excluded(&self, x: &Tensor) -> Tensor {
        match &self.mask {
            Some(mask) => x * mask + (mask - 1.0) * EXCLUDED,
            None => x.shallow_clone(),
        }
    }

    /// Batch norm, then activation; zero off the board.
    pub(super) fn norm(&self, x: &Tensor, norm: &BatchNorm<Tensor>, activation: &Activation) -> Tensor {
        let by_batch = self.mode == Mode::Train && norm.scale.is_some();
        let x = match &self.mask {
            Some(mask) if by_batch => by_masked_batch(x, mask, norm),
            _ => {
                let epsilon = f64::from(norm.epsilon);
                let epsilon = if by_batch { epsilon.max(LEAST_EPSILON) } else { epsilon };
                let (mean, variance) = (Some(&norm.mean), Some(&norm.variance));
                // cuDNN takes no small epsilon.
                x.batch_norm(norm.scale.as_ref(), norm.bias.as_ref(), mean, variance, by_batch, MOMENTUM, epsilon, false)
            }
        };
        self.masked(activated(x, activation.kind))
    }

    /// Each point divided by the root of its mean square; zero off the board.
    pub(super) fn rms_norm(&self, x: &Tensor, norm: &RmsNorm<Tensor>) -> Tensor {
        let size = (x.square().mean_dim(1, true, Kind::Float) + f64::from(norm.epsilon)).sqrt();
        self.masked(x * of_channels(&norm.weight) / size)
    }

    /// The norm and activation at the trunk's end.
    pub(super) fn tip(&self, x: &Tensor, tip: &Tip<Tensor>, activation: &Activation) -> Tensor {
        match tip {
            Tip::Batch(norm) => self.norm(x, norm, activation),
            Tip::Rms { norm, beta, spatial: false } => {
                self.masked(activated(self.rms_norm(x, norm) + of_channels(beta), activation.kind))
            }
            Tip::Rms { norm, beta, spatial: true } => {
                let x = self.masked(x.shallow_clone());
                let count = &self.area * x.size()[1];
                let squares = x.square().sum_dim_intlist([1_i64, 2, 3].as_slice(), false, Kind::Float).unsqueeze(-1);
                let size = (squares / count + f64::from(norm.epsilon)).sqrt().unsqueeze(-1).unsqueeze(-1);
                self.masked(activated(x * of_channels(&norm.weight) / size + of_channels(beta), activation.kind))
            }
        }
    }

    /// What a channel is over the board: its mean, the mean scaled by the board's size, and its maximum. `x` is zero off the board.
    pub(super) fn pool(&self, x: &Tensor) -> Tensor {
        let mean = self.mean(x);
        // The maximum starts from -1, as KataGo's does: so what is off the board may be -1 too.
        let max = match &self.mask {
            Some(mask) => x + (mask - 1.0),
            None => x.shallow_clone(),
        };
        let max = max.amax([2_i64, 3].as_slice(), false).clamp_min(-1.0);
        Tensor::cat(&[&mean, &(&mean * self.width_factor()), &max], 1)
    }

    /// The value head's: the mean, and the mean scaled by the board's size and its square. `x` is zero off the board.
    pub(super) fn value_pool(&self, x: &Tensor) -> Tensor {
        let (mean, factor) = (self.mean(x), self.width_factor());
        Tensor::cat(&[&mean, &(&mean * &factor), &(&mean * (factor.square() - 0.1))], 1)
    }

    fn mean(&self, x: &Tensor) -> Tensor {
        x.sum_dim_intlist([2_i64, 3].as_slice(), false, Kind::Float) / &self.area
    }

    /// How much wider the board is than 14 points, in tens.
    fn width_factor(&self) -> Tensor {
        (self.area.sqrt() - 14.0) / 10.0
    }
}

/// A number a channel, to be multiplied with or added to activations.
fn of_channels(values: &Tensor) -> Tensor {
    values.view([-1, 1, 1])
}

/// Batch norm by the statistics of the points on the board alone, where there are others. `norm`'s own become running averages.
fn by_masked_batch(x: &Tensor, mask: &Tensor, norm: &BatchNorm<Tensor>) -> Tensor {
    let count = mask.sum(Kind::Float);
    let sum = |x: Tensor| x.sum_dim_intlist([0_i64, 2, 3].as_slice(), false, Kind::Float) / &count;
    let mean = sum(x * mask);
    let x = x - of_channels(&mean);
    let variance = sum(x.square() * mask);
    tch::no_grad(|| {
        for (running, new) in [(&norm.mean, &mean), (&norm.variance, &variance)] {
            let _ = running.shallow_clone().lerp_(new, MOMENTUM);
        }
    });
    let x = x / of_channels(&(variance + f64::from(norm.epsilon).max(LEAST_EPSILON)).sqrt());
    let x = norm.scale.as_ref().map_or(x.shallow_clone(), |scale| x * of_channels(scale));
    norm.bias.as_ref().map_or(x.shallow_clone(), |bias| &x + of_channels(bias))
}
