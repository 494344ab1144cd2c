//! A network with its weights laid out for the kernels.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::attention::{Attention, Ffn};
use super::buffer::padded;
use super::conv::Convolution;
use super::finish::{NormAct, line};
use super::layout::Layout;
use super::pool::Rms;
use super::product::Packed;
use super::simd::Level;
use crate::nn::{
    Activation, ActivationKind, BatchNorm, Bias, Block, Conv, MatMul, MetaEncoder, Network, PolicyHead, RmsNorm, Tip, ValueHead,
};

/// The network. Shared by all threads.
pub(super) struct Model {
    pub(super) level: Level,
    pub(super) initial_conv: Convolution,
    pub(super) initial_mul: Packed,
    pub(super) meta: Option<Meta>,
    pub(super) blocks: Vec<Part>,
    pub(super) tip: End,
    pub(super) policy: Policy,
    pub(super) value: Value,
    /// Channels of the trunk as stored.
    pub(super) channels: usize,
}

/// A block.
#[expect(clippy::large_enum_variant, reason = "there are few of them")]
pub(super) enum Part {
    Residual {
        pre: NormAct,
        conv1: Convolution,
        mid: NormAct,
        conv2: Convolution,
    },
    GlobalPool {
        pre: NormAct,
        pool_conv: Convolution,
        pool: NormAct,
        pool_mul: Packed,
        conv: Convolution,
        mid: NormAct,
        last: Convolution,
    },
    Nested {
        pre: NormAct,
        narrow: Convolution,
        blocks: Vec<Part>,
        post: NormAct,
        widen: Convolution,
    },
    Attention(Attention),
    Ffn(Ffn),
}

/// The end of the trunk.
pub(super) enum End {
    Batch(NormAct),
    Rms { norm: Rms, spatial: bool, act: NormAct },
}

/// Who is playing, as layers with what follows each.
pub(super) struct Meta {
    pub(super) layers: [(Packed, NormAct); 2],
    pub(super) last: Packed,
}

pub(super) struct Policy {
    pub(super) p1: Convolution,
    pub(super) g1: Convolution,
    pub(super) g1_act: NormAct,
    pub(super) pool_mul: Packed,
    pub(super) p1_act: NormAct,
    pub(super) p2: Convolution,
    pub(super) pass: Packed,
    pub(super) pass_end: Option<(NormAct, Packed)>,
    /// Policies among the channels.
    pub(super) policies: usize,
}

pub(super) struct Value {
    pub(super) v1: Convolution,
    pub(super) v1_act: NormAct,
    pub(super) v2: Packed,
    pub(super) v2_act: NormAct,
    pub(super) v3: Packed,
    pub(super) v3_bias: NormAct,
    pub(super) score: Packed,
    pub(super) score_bias: NormAct,
    pub(super) scores: usize,
    pub(super) ownership: Convolution,
}

impl Model {
    pub(super) fn new(level: Level, network: &Network) -> Self {
        let trunk = &network.trunk;
        Self {
            level,
            initial_conv: Convolution::new(level, &trunk.initial_conv),
            initial_mul: matrix(level, &trunk.initial_mul),
            meta: trunk.meta.as_ref().map(|meta| Meta::new(level, meta)),
            blocks: parts(level, &trunk.blocks),
            tip: End::new(&trunk.tip, &trunk.tip_activation),
            policy: Policy::new(level, &network.policy),
            value: Value::new(level, &network.value),
            channels: padded(trunk.channels),
        }
    }

    /// Bytes that the weights take, all but those of small layers.
    pub(super) fn bytes(&self) -> usize {
        let transformers: usize = self.blocks.iter().map(Part::transformer_bytes).sum();
        transformers + self.convolutions().iter().map(|convolution| convolution.bytes()).sum::<usize>()
    }

    fn convolutions(&self) -> Vec<&Convolution> {
        let mut convolutions = vec![&self.initial_conv, &self.policy.p1, &self.policy.g1, &self.value.v1];
        collect(&self.blocks, &mut convolutions);
        convolutions
    }

    /// Lays out all weights for the boards of `layout`, on all cores. (With threads of its own: a pool's could wait for whoever waits for this.)
    pub(super) fn prepare(&self, layout: &Layout) {
        let convolutions = self.convolutions();
        let next = AtomicUsize::new(0);
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(convolution) = convolutions.get(next.fetch_add(1, Relaxed)) {
                        convolution.prepare(self.level, layout);
                    }
                });
            }
        });
    }
}

fn collect<'a>(parts: &'a [Part], into: &mut Vec<&'a Convolution>) {
    for part in parts {
        match part {
            Part::Residual { conv1, conv2, .. } => into.extend([conv1, conv2]),
            Part::GlobalPool { pool_conv, conv, last, .. } => into.extend([pool_conv, conv, last]),
            Part::Nested { narrow, blocks, widen, .. } => {
                into.extend([narrow, widen]);
                collect(blocks, into);
            }
            Part::Attention(_) | Part::Ffn(_) => {}
        }
    }
}

fn matrix(level: Level, mul: &MatMul) -> Packed {
    Packed::new(level, mul.inputs, mul.outputs, |input, output| mul.weights[input * mul.outputs + output])
}

/// A matrix for three pooled values a channel, each kind filled up to whole lines.
fn pooled(level: Level, mul: &MatMul) -> Packed {
    let channels = mul.inputs / 3;
    let stored = padded(channels);
    Packed::new(level, 3 * stored, mul.outputs, |input, output| {
        let (kind, channel) = (input / stored, input % stored);
        if channel < channels { mul.weights[(kind * channels + channel) * mul.outputs + output] } else { 0.0 }
    })
}

fn biased(bias: &Bias, kind: ActivationKind) -> NormAct {
    NormAct::from_parts(line(&vec![1.0; bias.values.len()]), line(&bias.values), kind)
}

fn parts(level: Level, blocks: &[Block]) -> Vec<Part> {
    let conv = |conv: &Conv| Convolution::new(level, conv);
    let norm = |norm: &BatchNorm, activation: &Activation| NormAct::new(norm, activation);
    let part = |block: &Block| match block {
        Block::Residual(block) => Part::Residual {
            pre: norm(&block.pre_norm, &block.pre_activation),
            conv1: conv(&block.conv1),
            mid: norm(&block.mid_norm, &block.mid_activation),
            conv2: conv(&block.conv2),
        },
        Block::GlobalPool(block) => Part::GlobalPool {
            pre: norm(&block.pre_norm, &block.pre_activation),
            pool_conv: conv(&block.pool_conv),
            pool: norm(&block.pool_norm, &block.pool_activation),
            pool_mul: pooled(level, &block.pool_mul),
            conv: conv(&block.regular_conv),
            mid: norm(&block.mid_norm, &block.mid_activation),
            last: conv(&block.final_conv),
        },
        Block::Nested(block) => Part::Nested {
            pre: norm(&block.pre_norm, &block.pre_activation),
            narrow: conv(&block.pre_conv),
            blocks: parts(level, &block.blocks),
            post: norm(&block.post_norm, &block.post_activation),
            widen: conv(&block.post_conv),
        },
        Block::Attention(block) => Part::Attention(Attention::new(level, block)),
        Block::Ffn(block) => Part::Ffn(Ffn::new(level, block)),
    };
    blocks.iter().map(part).collect()
}

impl Part {
    /// Bytes of the weights of transformer blocks.
    fn transformer_bytes(&self) -> usize {
        match self {
            Self::Attention(attention) => attention.bytes(),
            Self::Ffn(ffn) => ffn.bytes(),
            Self::Nested { blocks, .. } => blocks.iter().map(Self::transformer_bytes).sum(),
            Self::Residual { .. } | Self::GlobalPool { .. } => 0,
        }
    }

    /// What the block does to its input first, if that is a norm by stored statistics: whoever writes the input does it at once.
    pub(super) fn pre(&self) -> Option<&NormAct> {
        match self {
            Self::Residual { pre, .. } | Self::GlobalPool { pre, .. } | Self::Nested { pre, .. } => Some(pre),
            Self::Attention(_) | Self::Ffn(_) => None,
        }
    }
}

impl End {
    fn new(tip: &Tip, activation: &Activation) -> Self {
        match tip {
            Tip::Batch(norm) => Self::Batch(NormAct::new(norm, activation)),
            Tip::Rms { norm, beta, spatial } => {
                let RmsNorm { weight, .. } = norm;
                let act = NormAct::from_parts(line(&vec![1.0; weight.len()]), line(beta), activation.kind);
                Self::Rms { norm: Rms::new(norm), spatial: *spatial, act }
            }
        }
    }

    /// As [`Part::pre`].
    pub(super) fn pre(&self) -> Option<&NormAct> {
        match self {
            Self::Batch(norm) => Some(norm),
            Self::Rms { .. } => None,
        }
    }
}

impl Meta {
    fn new(level: Level, meta: &MetaEncoder) -> Self {
        let first = (matrix(level, &meta.mul1), biased(&meta.bias1, meta.activation1.kind));
        let second = (matrix(level, &meta.mul2), biased(&meta.bias2, meta.activation2.kind));
        Self { layers: [first, second], last: matrix(level, &meta.mul3) }
    }
}

impl Policy {
    fn new(level: Level, head: &PolicyHead) -> Self {
        Self {
            p1: Convolution::new(level, &head.p1_conv),
            g1: Convolution::new(level, &head.g1_conv),
            g1_act: NormAct::new(&head.g1_norm, &head.g1_activation),
            pool_mul: pooled(level, &head.pool_mul),
            p1_act: NormAct::new(&head.p1_norm, &head.p1_activation),
            p2: Convolution::new(level, &head.p2_conv),
            pass: pooled(level, &head.pass_mul),
            pass_end: head.pass.as_ref().map(|pass| (biased(&pass.bias, pass.activation.kind), matrix(level, &pass.mul))),
            policies: head.channels.min(2),
        }
    }
}

impl Value {
    fn new(level: Level, head: &ValueHead) -> Self {
        Self {
            v1: Convolution::new(level, &head.v1_conv),
            v1_act: NormAct::new(&head.v1_norm, &head.v1_activation),
            v2: pooled(level, &head.v2_mul),
            v2_act: biased(&head.v2_bias, head.v2_activation.kind),
            v3: matrix(level, &head.v3_mul),
            v3_bias: biased(&head.v3_bias, ActivationKind::Identity),
            score: matrix(level, &head.score_mul),
            score_bias: biased(&head.score_bias, ActivationKind::Identity),
            scores: head.score_mul.outputs,
            ownership: Convolution::new(level, &head.ownership_conv),
        }
    }
}
