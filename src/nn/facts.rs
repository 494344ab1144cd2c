//! Facts of a network: its size, what it costs to compute, and a short name for its shape.

use std::iter::Sum;
use std::ops::Add;

use super::network::{
    AttentionBlock, BatchNorm, Bias, Block, Conv, FfnBlock, GlobalPoolBlock, MatMul, MetaEncoder, NestedBlock, Network,
    PolicyHead, ResidualBlock, RmsNorm, Rope, Tip, Trunk, ValueHead,
};

impl Network {
    /// Numbers that it holds: weights, biases, statistics.
    pub fn parameters(&self) -> usize {
        self.cost().parameters
    }

    /// Multiply-adds to evaluate one position on a board of `area` points, with direct convolutions. Norms and activations, a hundredth of them, are
    /// not counted.
    pub fn multiply_adds(&self, area: usize) -> usize {
        let Cost { once, per_point, per_pair, .. } = self.cost();
        once + per_point * area + per_pair * area * area
    }

    /// Its shape as KataGo's names give it: b6c96 has 6 blocks of 96 channels. Then h6, heads of attention; nbt, nested blocks; tf, transformer
    /// blocks, with l for learnt rope, r for rope and s for a gate. A transformer's two halves count as one block.
    pub fn shape(&self) -> String {
        let Trunk { channels, blocks, .. } = &self.trunk;
        let count = blocks.iter().filter(|block| !matches!(block, Block::Ffn(_))).count();
        let all = self.all_blocks();
        let attention = all.iter().find_map(|block| if let Block::Attention(block) = block { Some(block) } else { None });
        let heads = attention.map_or_else(String::new, |block| format!("h{}", block.heads));
        let nested = if all.iter().any(|block| matches!(block, Block::Nested(_))) { "nbt" } else { "" };
        let transformer = if attention.is_some() { "tf" } else { "" };
        let rope = match attention.and_then(|block| block.rope.as_ref()) {
            None => "",
            Some(Rope::Fixed { .. }) => "r",
            Some(Rope::Learnt { .. }) => "lr",
        };
        let gate = if all.iter().any(|block| matches!(block, Block::Ffn(_))) { "s" } else { "" };
        format!("b{count}c{channels}{heads}{nested}{transformer}{rope}{gate}")
    }

    /// All blocks, those inside others after them.
    pub fn all_blocks(&self) -> Vec<&Block> {
        fn add<'a>(blocks: &'a [Block], all: &mut Vec<&'a Block>) {
            for block in blocks {
                all.push(block);
                if let Block::Nested(block) = block {
                    add(&block.blocks, all);
                }
            }
        }
        let mut all = Vec::new();
        add(&self.trunk.blocks, &mut all);
        all
    }

    fn cost(&self) -> Cost {
        trunk(&self.trunk) + policy_head(&self.policy) + value_head(&self.value)
    }
}

/// What a part holds, and its multiply-adds.
#[derive(Clone, Copy, Default)]
struct Cost {
    parameters: usize,
    /// Once a position.
    once: usize,
    /// At every point.
    per_point: usize,
    /// For every pair of points.
    per_pair: usize,
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            parameters: self.parameters + other.parameters,
            once: self.once + other.once,
            per_point: self.per_point + other.per_point,
            per_pair: self.per_pair + other.per_pair,
        }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), Self::add)
    }
}

fn stored(parameters: usize) -> Cost {
    Cost { parameters, ..Cost::default() }
}

fn conv(conv: &Conv) -> Cost {
    Cost { per_point: conv.weights.len(), ..stored(conv.weights.len()) }
}

/// Of a vector.
fn mul_once(mul: &MatMul) -> Cost {
    Cost { once: mul.weights.len(), ..stored(mul.weights.len()) }
}

/// Of a vector at every point.
fn mul_everywhere(mul: &MatMul) -> Cost {
    Cost { per_point: mul.weights.len(), ..stored(mul.weights.len()) }
}

fn bias(bias: &Bias) -> Cost {
    stored(bias.values.len())
}

fn batch_norm(norm: &BatchNorm) -> Cost {
    [Some(&norm.mean), Some(&norm.variance), norm.scale.as_ref(), norm.bias.as_ref()]
        .into_iter()
        .flatten()
        .map(|of| stored(of.len()))
        .sum()
}

fn rms_norm(norm: &RmsNorm) -> Cost {
    stored(norm.weight.len())
}

fn trunk(trunk: &Trunk) -> Cost {
    let tip = match &trunk.tip {
        Tip::Batch(norm) => batch_norm(norm),
        Tip::Rms { norm, beta, .. } => rms_norm(norm) + stored(beta.len()),
    };
    conv(&trunk.initial_conv)
        + mul_once(&trunk.initial_mul)
        + trunk.meta.iter().map(meta_encoder).sum()
        + blocks(&trunk.blocks)
        + tip
}

fn meta_encoder(meta: &MetaEncoder) -> Cost {
    mul_once(&meta.mul1) + bias(&meta.bias1) + mul_once(&meta.mul2) + bias(&meta.bias2) + mul_once(&meta.mul3)
}

fn blocks(blocks: &[Block]) -> Cost {
    let cost = |block: &Block| match block {
        Block::Residual(block) => residual_block(block),
        Block::GlobalPool(block) => global_pool_block(block),
        Block::Nested(block) => nested_block(block),
        Block::Attention(block) => attention_block(block),
        Block::Ffn(block) => ffn_block(block),
    };
    blocks.iter().map(cost).sum()
}

fn residual_block(block: &ResidualBlock) -> Cost {
    batch_norm(&block.pre_norm) + conv(&block.conv1) + batch_norm(&block.mid_norm) + conv(&block.conv2)
}

fn global_pool_block(block: &GlobalPoolBlock) -> Cost {
    let pooled = conv(&block.pool_conv) + batch_norm(&block.pool_norm) + mul_once(&block.pool_mul);
    batch_norm(&block.pre_norm) + conv(&block.regular_conv) + pooled + batch_norm(&block.mid_norm) + conv(&block.final_conv)
}

fn nested_block(block: &NestedBlock) -> Cost {
    let outer = batch_norm(&block.pre_norm) + conv(&block.pre_conv) + batch_norm(&block.post_norm) + conv(&block.post_conv);
    outer + blocks(&block.blocks)
}

fn attention_block(block: &AttentionBlock) -> Cost {
    let rope = if let Some(Rope::Learnt { frequencies, .. }) = &block.rope { frequencies.len() } else { 0 };
    let muls: Cost = [&block.q, &block.k, &block.v, &block.out].into_iter().map(mul_everywhere).sum();
    // Every point weighs every other, then sums their values.
    let pairs = Cost { per_pair: block.heads * (block.q_dim + block.v_dim), ..Cost::default() };
    rms_norm(&block.norm) + muls + pairs + stored(rope)
}

fn ffn_block(block: &FfnBlock) -> Cost {
    rms_norm(&block.norm) + [&block.linear1, &block.gate, &block.linear2].into_iter().map(mul_everywhere).sum()
}

fn policy_head(head: &PolicyHead) -> Cost {
    let pooled = conv(&head.g1_conv) + batch_norm(&head.g1_norm) + mul_once(&head.pool_mul);
    let pass = mul_once(&head.pass_mul) + head.pass.iter().map(|pass| bias(&pass.bias) + mul_once(&pass.mul)).sum();
    conv(&head.p1_conv) + pooled + batch_norm(&head.p1_norm) + conv(&head.p2_conv) + pass
}

fn value_head(head: &ValueHead) -> Cost {
    let pooled = mul_once(&head.v2_mul) + bias(&head.v2_bias);
    let values = mul_once(&head.v3_mul) + bias(&head.v3_bias) + mul_once(&head.score_mul) + bias(&head.score_bias);
    conv(&head.v1_conv) + batch_norm(&head.v1_norm) + pooled + values + conv(&head.ownership_conv)
}
