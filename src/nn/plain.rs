//! The reference forward pass: a network's definition, written down as plainly as it can be, to judge all other backends by.
//!
//! It reads from top to bottom: trunk, blocks, policy head, value head. What single layers do is in `layers.rs` and `attention.rs`.
//! Numerics are those of KataGo's CPU backend: float32 throughout.

mod attention;
mod layers;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ndarray::ArrayView2;

use self::attention::attention;
use self::layers::{Activations, Grid, Vector, activated, bias, matrix, vector};
use super::{
    Backend, Block, FfnBlock, GlobalPoolBlock, Inputs, META_INPUTS, MetaEncoder, NestedBlock, Network, PLANES, PolicyHead,
    RawOutputs, ResidualBlock, Trunk, ValueHead,
};
use crate::nn::ActivationKind::Silu;

/// The slow backend that is the reference for all others.
#[derive(Clone, Debug)]
pub struct Plain {
    network: Arc<Network>,
}

impl Plain {
    /// A backend for `network`, whose layers fit each other as those of a file that was read do.
    pub fn new(network: Arc<Network>) -> Self {
        Self { network }
    }
}

impl Backend for Plain {
    fn evaluate(&mut self, inputs: &[&Inputs], outputs: &mut [RawOutputs]) {
        assert_eq!(inputs.len(), outputs.len(), "an output for each input");
        for (inputs, outputs) in inputs.iter().zip(outputs) {
            *outputs = forward(&self.network, inputs);
        }
    }
}

fn forward(network: &Network, inputs: &Inputs) -> RawOutputs {
    let spatial = ArrayView2::from_shape((inputs.tensor.area(), PLANES), &inputs.spatial).expect("inputs fill their tensor");
    let grid = Grid::new(inputs.tensor, spatial);
    let features = trunk(&grid, &network.trunk, &spatial.to_owned(), inputs);
    let mut outputs = RawOutputs::default();
    policy_head(&grid, &network.policy, &features, &mut outputs);
    value_head(&grid, &network.value, &features, &mut outputs);
    outputs
}

fn trunk(grid: &Grid, trunk: &Trunk, spatial: &Activations, inputs: &Inputs) -> Activations {
    let mut x = grid.conv(spatial, &trunk.initial_conv) + vector(&inputs.global).dot(&matrix(&trunk.initial_mul));
    if let Some(encoder) = &trunk.meta {
        x += &meta(encoder, inputs.meta.as_deref().unwrap_or(&[0.0; META_INPUTS]));
    }
    run(grid, &trunk.blocks, &mut x);
    grid.tip(&x, &trunk.tip, &trunk.tip_activation)
}

fn meta(encoder: &MetaEncoder, inputs: &[f32]) -> Vector {
    let hidden = activated(vector(inputs).dot(&matrix(&encoder.mul1)) + bias(&encoder.bias1), encoder.activation1.kind);
    let hidden = activated(hidden.dot(&matrix(&encoder.mul2)) + bias(&encoder.bias2), encoder.activation2.kind);
    hidden.dot(&matrix(&encoder.mul3))
}

fn run(grid: &Grid, blocks: &[Block], x: &mut Activations) {
    for block in blocks {
        *x += &match block {
            Block::Residual(block) => residual(grid, block, x),
            Block::GlobalPool(block) => global_pool(grid, block, x),
            Block::Nested(block) => nested(grid, block, x),
            Block::Attention(block) => attention(grid, block, x),
            Block::Ffn(block) => ffn(grid, block, x),
        };
    }
}

fn residual(grid: &Grid, block: &ResidualBlock, x: &Activations) -> Activations {
    let h = grid.norm(x, &block.pre_norm, &block.pre_activation);
    let h = grid.conv(&h, &block.conv1);
    let h = grid.norm(&h, &block.mid_norm, &block.mid_activation);
    grid.conv(&h, &block.conv2)
}

fn global_pool(grid: &Grid, block: &GlobalPoolBlock, x: &Activations) -> Activations {
    let h = grid.norm(x, &block.pre_norm, &block.pre_activation);
    let pooled = grid.norm(&grid.conv(&h, &block.pool_conv), &block.pool_norm, &block.pool_activation);
    let regular = grid.conv(&h, &block.regular_conv) + grid.pool(&pooled).dot(&matrix(&block.pool_mul));
    grid.conv(&grid.norm(&regular, &block.mid_norm, &block.mid_activation), &block.final_conv)
}

fn nested(grid: &Grid, block: &NestedBlock, x: &Activations) -> Activations {
    let mut middle = grid.conv(&grid.norm(x, &block.pre_norm, &block.pre_activation), &block.pre_conv);
    run(grid, &block.blocks, &mut middle);
    grid.conv(&grid.norm(&middle, &block.post_norm, &block.post_activation), &block.post_conv)
}

fn ffn(grid: &Grid, block: &FfnBlock, x: &Activations) -> Activations {
    let x = grid.rms_norm(x, &block.norm);
    let wide = activated(x.dot(&matrix(&block.linear1)), Silu) * x.dot(&matrix(&block.gate));
    wide.dot(&matrix(&block.linear2))
}

fn policy_head(grid: &Grid, head: &PolicyHead, x: &Activations, outputs: &mut RawOutputs) {
    let pooled = grid.pool(&grid.norm(&grid.conv(x, &head.g1_conv), &head.g1_norm, &head.g1_activation));
    let p1 = grid.conv(x, &head.p1_conv) + pooled.dot(&matrix(&head.pool_mul));
    let policy = grid.conv(&grid.norm(&p1, &head.p1_norm, &head.p1_activation), &head.p2_conv);
    let mut pass = pooled.dot(&matrix(&head.pass_mul));
    if let Some(hidden) = &head.pass {
        pass = activated(pass + bias(&hidden.bias), hidden.activation.kind).dot(&matrix(&hidden.mul));
    }
    // Channels after the second are no policies.
    let channels = head.channels.min(2);
    outputs.policy = policy.t().rows().into_iter().take(channels).flatten().copied().collect();
    outputs.pass = pass.into_iter().take(channels).collect();
}

fn value_head(grid: &Grid, head: &ValueHead, x: &Activations, outputs: &mut RawOutputs) {
    let v1 = grid.norm(&grid.conv(x, &head.v1_conv), &head.v1_norm, &head.v1_activation);
    let v2 = activated(grid.value_pool(&v1).dot(&matrix(&head.v2_mul)) + bias(&head.v2_bias), head.v2_activation.kind);
    let value = v2.dot(&matrix(&head.v3_mul)) + bias(&head.v3_bias);
    let score = v2.dot(&matrix(&head.score_mul)) + bias(&head.score_bias);
    outputs.value = [value[0], value[1], value[2]];
    for (output, value) in outputs.score.iter_mut().zip(score) {
        *output = value;
    }
    outputs.ownership = grid.conv(&v1, &head.ownership_conv).into_raw_vec_and_offset().0;
}
