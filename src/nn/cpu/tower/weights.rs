//! A trunk's weights, laid out for both directions.

use super::super::buffer::{Buffer, padded};
use super::super::conv::Convolution;
use super::super::finish::{NormAct, line, normalize};
use super::super::gradient::BackThroughNorm;
use super::super::simd::Level;
use super::sums::AffineGradient;
use crate::nn::{Activation, ActivationKind, BatchNorm, Block, Conv, GlobalPoolBlock, MatMul, ResidualBlock};

/// A block.
#[expect(clippy::large_enum_variant, reason = "there are few of them")]
pub(super) enum Part {
    Residual {
        pre: Affine,
        conv1: Layer,
        mid: Affine,
        conv2: Layer,
    },
    GlobalPool {
        pre: Affine,
        /// The convolution that goes on, and after its channels the one that is pooled.
        both: Layer,
        pool: Affine,
        pool_mul: MatMul,
        mid: Affine,
        last: Layer,
    },
}

impl Part {
    pub(super) fn pre(&self) -> &Affine {
        match self {
            Self::Residual { pre, .. } | Self::GlobalPool { pre, .. } => pre,
        }
    }

    pub(super) fn layers(&self) -> [&Layer; 2] {
        match self {
            Self::Residual { conv1, conv2, .. } => [conv1, conv2],
            Self::GlobalPool { both, last, .. } => [both, last],
        }
    }
}

/// A convolution, and the one that takes gradients back through it.
pub(super) struct Layer {
    pub(super) forward: Convolution,
    pub(super) back: Convolution,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

impl Layer {
    fn new(level: Level, conv: &Conv) -> Self {
        let &Conv { inputs, outputs, .. } = conv;
        let mut turned = Conv { inputs: outputs, outputs: inputs, ..conv.clone() };
        for tap in 0..9 {
            for input in 0..inputs {
                for output in 0..outputs {
                    turned.weights[((8 - tap) * outputs + output) * inputs + input] =
                        conv.weights[(tap * inputs + input) * outputs + output];
                }
            }
        }
        Self { forward: Convolution::new(level, conv), back: Convolution::new(level, &turned), inputs, outputs }
    }
}

/// A norm by stored statistics and the rectifier after it.
pub(super) struct Affine {
    pub(super) norm: NormAct,
    scale: Buffer,
    bias: Buffer,
    /// Of each channel, what its deviation is divided by, and its mean.
    pub(super) inverse: Vec<f32>,
    pub(super) mean: Vec<f32>,
    pub(super) learns_scale: bool,
    pub(super) learns_bias: bool,
}

impl Affine {
    pub(super) fn new(norm: &BatchNorm, activation: &Activation) -> Self {
        let (scale, bias) = norm.merged();
        Self {
            norm: NormAct::new(norm, activation),
            scale: line(&scale),
            bias: line(&bias),
            inverse: norm.variance.iter().map(|variance| 1.0 / (variance + norm.epsilon).sqrt()).collect(),
            mean: norm.mean.clone(),
            learns_scale: norm.scale.is_some(),
            learns_bias: norm.bias.is_some(),
        }
    }

    pub(super) fn channels(&self) -> usize {
        self.mean.len()
    }

    /// Channels as stored.
    pub(super) fn stored(&self) -> usize {
        self.scale.len()
    }

    /// What comes after norm and rectifier; rows of both are `stride` apart, and row 0 is cleared.
    pub(super) fn apply(&self, level: Level, values: &[f32], rows: usize, out: &mut Buffer) {
        let stored = self.stored();
        out.reserve(rows * stored);
        out[..stored].fill(0.0);
        normalize(level, &values[stored..rows * stored], stored, &self.norm, &mut out[stored..rows * stored]);
    }

    /// Takes `gradient` back through rectifier and norm. Rows of values and gradient are `stride` apart, the channels beginning at `first`.
    pub(super) fn back(
        &self,
        level: Level,
        values: &[f32],
        stride: usize,
        first: usize,
        gradient: &mut [f32],
        sums: &mut AffineGradient,
    ) {
        level.run(BackThroughNorm {
            // Row 0 is nobody's.
            values: &values[stride + first..],
            stride,
            channels: self.stored(),
            scale: &self.scale,
            bias: &self.bias,
            gradient: &mut gradient[stride + first..],
            sums: [&mut sums.scale, &mut sums.bias],
        });
    }
}
impl Part {
    pub(super) fn new(level: Level, block: &Block) -> Option<Self> {
        match block {
            Block::Residual(block) => Self::residual(level, block),
            Block::GlobalPool(block) => Self::global_pool(level, block),
            _ => None,
        }
    }

    fn residual(level: Level, block: &ResidualBlock) -> Option<Self> {
        let fits =
            is_3x3(&block.conv1) && is_3x3(&block.conv2) && is_relu(&block.pre_activation) && is_relu(&block.mid_activation);
        fits.then(|| Self::Residual {
            pre: Affine::new(&block.pre_norm, &block.pre_activation),
            conv1: Layer::new(level, &block.conv1),
            mid: Affine::new(&block.mid_norm, &block.mid_activation),
            conv2: Layer::new(level, &block.conv2),
        })
    }

    fn global_pool(level: Level, block: &GlobalPoolBlock) -> Option<Self> {
        let [regular, pooled] = [&block.regular_conv, &block.pool_conv];
        let activations = [&block.pre_activation, &block.pool_activation, &block.mid_activation];
        let convolutions = [regular, pooled, &block.final_conv];
        // Both lie side by side without gaps.
        let whole = regular.outputs == padded(regular.outputs) && pooled.outputs == padded(pooled.outputs);
        if !whole || !activations.into_iter().all(is_relu) || !convolutions.into_iter().all(is_3x3) {
            return None;
        }
        let rows = regular.weights.chunks_exact(regular.outputs).zip(pooled.weights.chunks_exact(pooled.outputs));
        let weights = rows.flat_map(|(regular, pooled)| regular.iter().chain(pooled).copied()).collect();
        let both = Conv { outputs: regular.outputs + pooled.outputs, weights, ..regular.clone() };
        Some(Self::GlobalPool {
            pre: Affine::new(&block.pre_norm, &block.pre_activation),
            both: Layer::new(level, &both),
            pool: Affine::new(&block.pool_norm, &block.pool_activation),
            pool_mul: block.pool_mul.clone(),
            mid: Affine::new(&block.mid_norm, &block.mid_activation),
            last: Layer::new(level, &block.final_conv),
        })
    }
}

pub(super) fn is_3x3(conv: &Conv) -> bool {
    (conv.height, conv.width) == (3, 3)
}

pub(super) fn is_relu(activation: &Activation) -> bool {
    activation.kind == ActivationKind::Relu
}
