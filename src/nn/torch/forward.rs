//! The forward pass: a network's definition, for evaluation and training. It reads from top to bottom: trunk, blocks, policy head, value head.

use tch::{Kind, Tensor};

use super::attention::attention;
use super::layers::{Grid, activated, add_vector, convolve, multiply, points};
use crate::nn::ActivationKind::Silu;
use crate::nn::{
    Block, FfnBlock, GlobalPoolBlock, META_INPUTS, MetaEncoder, NestedBlock, Network, PolicyHead, ResidualBlock, Trunk, ValueHead,
};

/// What norms by statistics go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By the stored ones.
    Evaluate,
    /// By those of the batch's points on the board, of which the stored ones become running averages. Norms without a scale of their own keep to
    /// the stored ones: in KataGo's files they only add a bias.
    Train,
}

/// What a network says of a batch of `n` positions in tensors of `h` rows and `w` columns, before it is given a meaning. All is float32.
#[derive(Debug)]
pub struct Heads {
    /// Policy logits `[n][channels][h w + 1]`, the pass last; so low off the board that a softmax gives nothing there.
    pub policy: Tensor,
    /// Logits of win, loss and no result, `[n][3]`.
    pub value: Tensor,
    /// Score values, `[n][4]` (version 8) or `[n][6]`, as in [`RawOutputs`](crate::nn::RawOutputs).
    pub score: Tensor,
    /// Ownership before tanh, `[n][1][h][w]`; off the board anything.
    pub ownership: Tensor,
    /// What the heads are computed from, `[n][c][h][w]`; zero off the board.
    pub trunk: Tensor,
}

/// What `network` says of a batch.
pub(super) fn forward(network: &Network<Tensor>, planes: &Tensor, globals: &Tensor, meta: Option<&Tensor>, mode: Mode) -> Heads {
    let grid = Grid::new(planes, mode);
    let features = trunk(&grid, &network.trunk, planes, globals, meta);
    heads(network, &grid, features)
}

/// What `network` says of a batch whose trunk has been computed.
pub(super) fn heads(network: &Network<Tensor>, grid: &Grid, features: Tensor) -> Heads {
    let policy = policy_head(grid, &network.policy, &features);
    let (value, score, ownership) = value_head(grid, &network.value, &features);
    Heads { policy, value, score, ownership, trunk: features }
}

fn trunk(grid: &Grid, trunk: &Trunk<Tensor>, planes: &Tensor, globals: &Tensor, meta: Option<&Tensor>) -> Tensor {
    let mut shift = multiply(globals, &trunk.initial_mul);
    if let Some(encoder) = &trunk.meta {
        let unknown = || Tensor::zeros([globals.size()[0], META_INPUTS as i64], (Kind::Float, globals.device()));
        shift += encode_meta(encoder, &meta.map_or_else(unknown, Tensor::shallow_clone));
    }
    let x = add_vector(&convolve(planes, &trunk.initial_conv), &shift);
    grid.tip(&run(grid, &trunk.blocks, x), &trunk.tip, &trunk.tip_activation)
}

fn encode_meta(encoder: &MetaEncoder<Tensor>, inputs: &Tensor) -> Tensor {
    let hidden = activated(multiply(inputs, &encoder.mul1) + &encoder.bias1.values, encoder.activation1.kind);
    let hidden = activated(multiply(&hidden, &encoder.mul2) + &encoder.bias2.values, encoder.activation2.kind);
    multiply(&hidden, &encoder.mul3)
}

fn run(grid: &Grid, blocks: &[Block<Tensor>], x: Tensor) -> Tensor {
    blocks.iter().fold(x, |x, block| {
        let addition = match block {
            Block::Residual(block) => residual(grid, block, &x),
            Block::GlobalPool(block) => global_pool(grid, block, &x),
            Block::Nested(block) => nested(grid, block, &x),
            Block::Attention(block) => attention(grid, block, &x),
            Block::Ffn(block) => ffn(grid, block, &x),
        };
        x + addition
    })
}

fn residual(grid: &Grid, block: &ResidualBlock<Tensor>, x: &Tensor) -> Tensor {
    let h = grid.norm(x, &block.pre_norm, &block.pre_activation);
    let h = convolve(&h, &block.conv1);
    let h = grid.norm(&h, &block.mid_norm, &block.mid_activation);
    convolve(&h, &block.conv2)
}

fn global_pool(grid: &Grid, block: &GlobalPoolBlock<Tensor>, x: &Tensor) -> Tensor {
    let h = grid.norm(x, &block.pre_norm, &block.pre_activation);
    let pooled = grid.norm(&convolve(&h, &block.pool_conv), &block.pool_norm, &block.pool_activation);
    let regular = add_vector(&convolve(&h, &block.regular_conv), &multiply(&grid.pool(&pooled), &block.pool_mul));
    convolve(&grid.norm(&regular, &block.mid_norm, &block.mid_activation), &block.final_conv)
}

fn nested(grid: &Grid, block: &NestedBlock<Tensor>, x: &Tensor) -> Tensor {
    let middle = convolve(&grid.norm(x, &block.pre_norm, &block.pre_activation), &block.pre_conv);
    let middle = run(grid, &block.blocks, middle);
    convolve(&grid.norm(&middle, &block.post_norm, &block.post_activation), &block.post_conv)
}

fn ffn(grid: &Grid, block: &FfnBlock<Tensor>, x: &Tensor) -> Tensor {
    let x = points(&grid.rms_norm(x, &block.norm));
    let wide = activated(multiply(&x, &block.linear1), Silu) * multiply(&x, &block.gate);
    grid.planes(&multiply(&wide, &block.linear2))
}

fn policy_head(grid: &Grid, head: &PolicyHead<Tensor>, x: &Tensor) -> Tensor {
    let pooled = grid.pool(&grid.norm(&convolve(x, &head.g1_conv), &head.g1_norm, &head.g1_activation));
    let p1 = add_vector(&convolve(x, &head.p1_conv), &multiply(&pooled, &head.pool_mul));
    let policy = convolve(&grid.norm(&p1, &head.p1_norm, &head.p1_activation), &head.p2_conv);
    let mut pass = multiply(&pooled, &head.pass_mul);
    if let Some(hidden) = &head.pass {
        pass = multiply(&activated(pass + &hidden.bias.values, hidden.activation.kind), &hidden.mul);
    }
    Tensor::cat(&[grid.excluded(&policy).flatten(2, 3), pass.unsqueeze(-1)], -1)
}

/// Value, score and ownership.
fn value_head(grid: &Grid, head: &ValueHead<Tensor>, x: &Tensor) -> (Tensor, Tensor, Tensor) {
    let v1 = grid.norm(&convolve(x, &head.v1_conv), &head.v1_norm, &head.v1_activation);
    let v2 = activated(multiply(&grid.value_pool(&v1), &head.v2_mul) + &head.v2_bias.values, head.v2_activation.kind);
    let value = multiply(&v2, &head.v3_mul) + &head.v3_bias.values;
    let score = multiply(&v2, &head.score_mul) + &head.score_bias.values;
    (value, score, convolve(&v1, &head.ownership_conv))
}
