//! Small networks with random weights, for tests: every kind of block and layer, in any version of the format.

use super::backend::{GLOBALS, META_INPUTS, PLANES};
use super::network::{
    Activation, ActivationKind, AttentionBlock, BatchNorm, Bias, Block, Conv, FfnBlock, GlobalPoolBlock, MatMul, MetaEncoder,
    Multipliers, NestedBlock, Network, PassHead, PolicyHead, ResidualBlock, RmsNorm, Rope, Tip, Trunk, ValueHead,
};
use crate::util::Rng;

/// A block of a network to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Two convolutions.
    Residual,
    /// With global pooling.
    GlobalPool,
    /// These between two 1x1 convolutions.
    Nested(Vec<BlockKind>),
    /// Self-attention.
    Attention,
    /// The feed-forward part of a transformer.
    Ffn,
}

impl BlockKind {
    /// Blocks of every kind, also within one another.
    pub fn all() -> Vec<Self> {
        let simple = [Self::Residual, Self::GlobalPool, Self::Attention, Self::Ffn];
        let nested = Self::Nested(simple.iter().cloned().chain([Self::Nested(vec![Self::Residual])]).collect());
        simple.into_iter().chain([nested]).collect()
    }
}

impl Network {
    /// A network of a version from 8 to 17 with such blocks and so many channels. All that the version leaves open is drawn from `rng`: widths
    /// inside blocks and heads (from half to one and a half times `channels`), kernels of 1x1 to 5x5, activations, which norms have a scale or a bias,
    /// the norm at the trunk's end, heads of attention and their rope, the metadata encoder, the number of policies, multipliers. Weights are such that
    /// values neither vanish nor explode over a few tens of blocks.
    pub fn random(version: u32, channels: usize, blocks: &[BlockKind], rng: &mut Rng) -> Self {
        let mut maker = Maker { version, width: channels, rng, names: 0 };
        Self {
            name: format!("random-v{version}"),
            version,
            multipliers: if version >= 13 { maker.multipliers() } else { Multipliers::default() },
            prefer_pass_alive: version >= 15 && maker.coin(),
            trunk: maker.trunk(blocks),
            policy: maker.policy_head(),
            value: maker.value_head(),
        }
    }
}

/// Makes one network.
struct Maker<'a> {
    version: u32,
    /// Channels of the trunk.
    width: usize,
    rng: &'a mut Rng,
    /// Names given so far.
    names: usize,
}

impl Maker<'_> {
    fn coin(&mut self) -> bool {
        self.rng.below(2) == 1
    }

    /// From `low` to `high`.
    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.rng.below(high + 1 - low)
    }

    /// A width inside a block or head.
    fn middle(&mut self) -> usize {
        self.between(self.width.div_ceil(2), self.width + self.width / 2)
    }

    /// `kind` and a number: unique in the network.
    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    /// Numbers from `low` to `high`.
    fn floats(&mut self, count: usize, low: f32, high: f32) -> Vec<f32> {
        (0..count).map(|_| low + (high - low) * self.rng.unit()).collect()
    }

    /// Weights of a layer whose outputs each sum `inputs` products: the sum has about the size of an input.
    fn weights(&mut self, count: usize, inputs: usize) -> Vec<f32> {
        // A number drawn from -a to a has the variance a^2 / 3.
        let most = (3.0 / inputs as f32).sqrt();
        self.floats(count, -most, most)
    }

    fn multipliers(&mut self) -> Multipliers {
        let usual = Multipliers::default();
        let mut near = |usual: f32| usual * (0.8 + 0.4 * self.rng.unit());
        Multipliers {
            td_score: near(usual.td_score),
            score_mean: near(usual.score_mean),
            score_stdev: near(usual.score_stdev),
            lead: near(usual.lead),
            variance_time: near(usual.variance_time),
            shortterm_value_error: near(usual.shortterm_value_error),
            shortterm_score_error: near(usual.shortterm_score_error),
        }
    }

    fn trunk(&mut self, blocks: &[BlockKind]) -> Trunk {
        let width = self.width;
        let has_rms_tip = self.version >= 15 && self.coin();
        Trunk {
            name: "trunk".to_owned(),
            channels: width,
            widths: [width; 4],
            initial_conv: self.conv(PLANES, width),
            initial_mul: self.mat_mul(GLOBALS, width),
            meta: if self.version >= 15 && self.coin() { Some(self.meta_encoder()) } else { None },
            blocks: self.blocks(blocks, width),
            tip: if has_rms_tip { self.rms_tip() } else { Tip::Batch(self.batch_norm(width)) },
            tip_activation: self.activation(),
        }
    }

    fn meta_encoder(&mut self) -> MetaEncoder {
        let (first, second) = (self.middle(), self.middle());
        MetaEncoder {
            name: self.name("meta"),
            mul1: self.mat_mul(META_INPUTS, first),
            bias1: self.bias(first),
            activation1: self.activation(),
            mul2: self.mat_mul(first, second),
            bias2: self.bias(second),
            activation2: self.activation(),
            mul3: self.mat_mul(second, self.width),
        }
    }

    fn blocks(&mut self, kinds: &[BlockKind], width: usize) -> Vec<Block> {
        kinds.iter().map(|kind| self.block(kind, width)).collect()
    }

    fn block(&mut self, kind: &BlockKind, width: usize) -> Block {
        match kind {
            BlockKind::Residual => Block::Residual(self.residual_block(width)),
            BlockKind::GlobalPool => Block::GlobalPool(self.global_pool_block(width)),
            BlockKind::Nested(inner) => Block::Nested(self.nested_block(inner, width)),
            BlockKind::Attention => Block::Attention(self.attention_block(width)),
            BlockKind::Ffn => Block::Ffn(self.ffn_block(width)),
        }
    }

    fn residual_block(&mut self, width: usize) -> ResidualBlock {
        let middle = self.middle();
        ResidualBlock {
            name: self.name("block"),
            pre_norm: self.batch_norm(width),
            pre_activation: self.activation(),
            conv1: self.conv(width, middle),
            mid_norm: self.batch_norm(middle),
            mid_activation: self.activation(),
            conv2: self.conv(middle, width),
        }
    }

    fn global_pool_block(&mut self, width: usize) -> GlobalPoolBlock {
        let (regular, pooled) = (self.middle(), self.middle());
        GlobalPoolBlock {
            name: self.name("block"),
            pre_norm: self.batch_norm(width),
            pre_activation: self.activation(),
            regular_conv: self.conv(width, regular),
            pool_conv: self.conv(width, pooled),
            pool_norm: self.batch_norm(pooled),
            pool_activation: self.activation(),
            pool_mul: self.mat_mul(3 * pooled, regular),
            mid_norm: self.batch_norm(regular),
            mid_activation: self.activation(),
            final_conv: self.conv(regular, width),
        }
    }

    fn nested_block(&mut self, inner: &[BlockKind], width: usize) -> NestedBlock {
        let middle = self.middle();
        NestedBlock {
            name: self.name("block"),
            pre_norm: self.batch_norm(width),
            pre_activation: self.activation(),
            pre_conv: self.conv_of(1, 1, width, middle),
            blocks: self.blocks(inner, middle),
            post_norm: self.batch_norm(middle),
            post_activation: self.activation(),
            post_conv: self.conv_of(1, 1, middle, width),
        }
    }

    fn attention_block(&mut self, width: usize) -> AttentionBlock {
        let kv_heads = self.between(1, 2);
        let heads = kv_heads * self.between(1, 3);
        let (q_dim, v_dim) = (2 * self.between(1, 4), self.between(1, 8));
        AttentionBlock {
            name: self.name("block"),
            heads,
            kv_heads,
            q_dim,
            v_dim,
            rope: match self.rng.below(3) {
                0 => None,
                1 => Some(Rope::Fixed { name: self.name("rope"), theta: 10.0 + 90.0 * self.rng.unit() }),
                _ => Some(Rope::Learnt { name: self.name("rope"), frequencies: self.floats(kv_heads * q_dim, -0.5, 0.5) }),
            },
            norm: self.rms_norm(width),
            q: self.mat_mul(width, heads * q_dim),
            k: self.mat_mul(width, kv_heads * q_dim),
            v: self.mat_mul(width, kv_heads * v_dim),
            out: self.mat_mul(heads * v_dim, width),
        }
    }

    fn ffn_block(&mut self, width: usize) -> FfnBlock {
        let middle = self.middle();
        FfnBlock {
            name: self.name("block"),
            norm: self.rms_norm(width),
            linear1: self.mat_mul(width, middle),
            gate: self.mat_mul(width, middle),
            linear2: self.mat_mul(middle, width),
        }
    }

    fn policy_head(&mut self) -> PolicyHead {
        let channels = match self.version {
            ..12 => 1,
            12..16 => 2,
            16 => 4,
            _ => 2 * self.between(1, 2),
        };
        let (middle, pooled) = (self.middle(), self.middle());
        let has_hidden_pass = self.version >= 15;
        PolicyHead {
            name: self.name("policy"),
            channels,
            p1_conv: self.conv_of(1, 1, self.width, middle),
            g1_conv: self.conv_of(1, 1, self.width, pooled),
            g1_norm: self.batch_norm(pooled),
            g1_activation: self.activation(),
            pool_mul: self.mat_mul(3 * pooled, middle),
            p1_norm: self.batch_norm(middle),
            p1_activation: self.activation(),
            p2_conv: self.conv_of(1, 1, middle, channels),
            pass_mul: self.mat_mul(3 * pooled, if has_hidden_pass { middle } else { channels }),
            pass: has_hidden_pass.then(|| PassHead {
                bias: self.bias(middle),
                activation: self.activation(),
                mul: self.mat_mul(middle, channels),
            }),
        }
    }

    fn value_head(&mut self) -> ValueHead {
        let (first, second) = (self.middle(), self.middle());
        let scores = if self.version == 8 { 4 } else { 6 };
        ValueHead {
            name: self.name("value"),
            v1_conv: self.conv_of(1, 1, self.width, first),
            v1_norm: self.batch_norm(first),
            v1_activation: self.activation(),
            v2_mul: self.mat_mul(3 * first, second),
            v2_bias: self.bias(second),
            v2_activation: self.activation(),
            v3_mul: self.mat_mul(second, 3),
            v3_bias: self.bias(3),
            score_mul: self.mat_mul(second, scores),
            score_bias: self.bias(scores),
            ownership_conv: self.conv_of(1, 1, first, 1),
        }
    }
}

/// The layers.
impl Maker<'_> {
    /// With a kernel of any size.
    fn conv(&mut self, inputs: usize, outputs: usize) -> Conv {
        let (height, width) = [(1, 1), (3, 3), (3, 3), (3, 3), (5, 5), (1, 3), (5, 3)][self.rng.below(7)];
        self.conv_of(height, width, inputs, outputs)
    }

    fn conv_of(&mut self, height: usize, width: usize, inputs: usize, outputs: usize) -> Conv {
        let products = height * width * inputs;
        Conv { name: self.name("conv"), height, width, inputs, outputs, weights: self.weights(products * outputs, products) }
    }

    fn mat_mul(&mut self, inputs: usize, outputs: usize) -> MatMul {
        MatMul { name: self.name("matmul"), inputs, outputs, weights: self.weights(inputs * outputs, inputs) }
    }

    fn bias(&mut self, channels: usize) -> Bias {
        Bias { name: self.name("bias"), values: self.floats(channels, -0.5, 0.5) }
    }

    fn activation(&mut self) -> Activation {
        let kinds = ActivationKind::ALL;
        let kind = if self.version >= 11 { kinds[self.rng.below(kinds.len())] } else { ActivationKind::Relu };
        Activation { name: self.name("act"), kind }
    }

    fn batch_norm(&mut self, channels: usize) -> BatchNorm {
        BatchNorm {
            name: self.name("norm"),
            epsilon: [1e-20, 1e-5, 0.5][self.rng.below(3)],
            mean: self.floats(channels, -0.5, 0.5),
            variance: self.floats(channels, 0.5, 2.0),
            scale: if self.coin() { Some(self.floats(channels, 0.5, 1.0)) } else { None },
            bias: if self.coin() { Some(self.floats(channels, -0.5, 0.5)) } else { None },
        }
    }

    fn rms_norm(&mut self, channels: usize) -> RmsNorm {
        RmsNorm { name: self.name("norm"), epsilon: 1e-6, weight: self.floats(channels, 0.5, 1.5) }
    }

    fn rms_tip(&mut self) -> Tip {
        Tip::Rms { norm: self.rms_norm(self.width), beta: self.floats(self.width, -0.5, 0.5), spatial: self.coin() }
    }
}
