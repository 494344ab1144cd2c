//! Networks that know nothing yet.

use crate::nn::{
    Activation, ActivationKind, BatchNorm, Bias, Block, Conv, GLOBALS, GlobalPoolBlock, MatMul, Multipliers, NestedBlock,
    Network, PLANES, PolicyHead, ResidualBlock, Tip, Trunk, ValueHead,
};
use crate::util::Rng;

/// Version of the format: the oldest, which every reader of KataGo's networks knows and which holds all that is trained here.
const VERSION: u32 = 8;
/// Standard deviation of the first convolution's weights: with some twenty ones among a point's 9 x 22 inputs, sums have about the size 1.
const FIRST: f32 = 0.2;

/// What blocks the trunk is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Two convolutions of the trunk's width
    Residual,
    /// Two such blocks of half the width between 1x1 convolutions
    Nested,
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks of the trunk, from 1.
    pub blocks: usize,
    /// Its channels.
    pub channels: usize,
    /// What the blocks are.
    pub kind: Kind,
    /// One block of so many looks at the whole board; none if it is 0.
    pub pool_every: usize,
}

impl Shape {
    /// Channels that a block of so many pools: a third, but if possible in whole vectors of the fast kernels.
    fn pooled(channels: usize) -> usize {
        let third = (channels / 3).max(1);
        if channels.is_multiple_of(16) && channels > 16 { third.next_multiple_of(16) } else { third }
    }

    /// Channels of the heads' convolutions.
    fn head(&self) -> usize {
        self.channels.clamp(8, 32)
    }

    /// Whether a block looks at the whole board: the last of each so many, but never the network's last, as nothing spreads after it.
    fn pools(&self, block: usize) -> bool {
        self.pool_every > 0 && (block + 1).is_multiple_of(self.pool_every) && block + 1 < self.blocks
    }
}

/// A network of this shape with random weights.
///
/// Nothing in it measures the sizes of what flows through; weights and norms are such that sizes are about 1 everywhere: each convolution keeps the
/// size of what it is given (K. He and others, 2015), a block adds a share of the trunk's first variance, and the norms before blocks divide by what has been added so far. What heads
/// put out begins small, so that the first losses are those of knowing nothing.
pub fn fresh(name: &str, shape: &Shape, rng: &mut Rng) -> Network {
    let mut maker = Maker { rng, added: 1.0 / shape.blocks as f32 };
    let mut network = Network {
        name: name.to_owned(),
        version: VERSION,
        multipliers: Multipliers::default(),
        prefer_pass_alive: false,
        trunk: maker.trunk(shape),
        policy: maker.policy_head(shape),
        value: maker.value_head(shape),
    };
    // Ties between equal networks are broken by their names in matches' records; the format wants a short one without spaces.
    network.name.retain(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_');
    network
}

struct Maker<'a> {
    rng: &'a mut Rng,
    /// The variance that each block adds to the trunk's.
    added: f32,
}

impl Maker<'_> {
    fn trunk(&mut self, shape: &Shape) -> Trunk {
        let width = shape.channels;
        let middle = if shape.kind == Kind::Nested { width / 2 } else { width };
        Trunk {
            name: "model".to_owned(),
            channels: width,
            widths: [middle, middle, middle, Shape::pooled(middle)],
            initial_conv: self.conv("model.conv1", 3, PLANES, width, FIRST),
            initial_mul: self.mat_mul("model.ginputw", GLOBALS, width, FIRST),
            meta: None,
            blocks: (0..shape.blocks).map(|number| self.block(shape, number)).collect(),
            tip: Tip::Batch(norm("model.tip", width, 1.0 + self.added * shape.blocks as f32)),
            tip_activation: relu("model.tip"),
        }
    }

    fn block(&mut self, shape: &Shape, number: usize) -> Block {
        let name = format!("block{number}");
        let (variance, pools) = (1.0 + self.added * number as f32, shape.pools(number));
        match shape.kind {
            Kind::Residual => self.simple(&name, shape.channels, Shape::pooled(shape.channels), pools, variance, self.added),
            Kind::Nested => {
                let middle = shape.channels / 2;
                let simple = |maker: &mut Self, inner: usize| {
                    let name = format!("{name}.inner{inner}");
                    maker.simple(&name, middle, Shape::pooled(middle), pools && inner == 0, 1.0 + 0.5 * inner as f32, 0.5)
                };
                Block::Nested(NestedBlock {
                    pre_norm: norm(&format!("{name}.pre"), shape.channels, variance),
                    pre_activation: relu(&format!("{name}.pre")),
                    pre_conv: self.he_conv(&format!("{name}.narrow"), 1, shape.channels, middle, 1.0),
                    blocks: (0..2).map(|inner| simple(self, inner)).collect(),
                    post_norm: norm(&format!("{name}.post"), middle, 2.0),
                    post_activation: relu(&format!("{name}.post")),
                    post_conv: self.he_conv(&format!("{name}.widen"), 1, middle, shape.channels, self.added),
                    name,
                })
            }
        }
    }

    /// A block of two convolutions whose input has this variance, and which adds so much to it.
    fn simple(&mut self, name: &str, width: usize, pooled: usize, pools: bool, variance: f32, added: f32) -> Block {
        let part = |part: &str| format!("{name}.{part}");
        let (pre_norm, pre_activation) = (norm(&part("pre"), width, variance), relu(&part("pre")));
        if !pools {
            return Block::Residual(ResidualBlock {
                name: name.to_owned(),
                pre_norm,
                pre_activation,
                conv1: self.he_conv(&part("conv1"), 3, width, width, 1.0),
                mid_norm: norm(&part("mid"), width, 1.0),
                mid_activation: relu(&part("mid")),
                conv2: self.he_conv(&part("conv2"), 3, width, width, added),
            });
        }
        let regular = width.saturating_sub(pooled).max(1);
        Block::GlobalPool(GlobalPoolBlock {
            name: name.to_owned(),
            pre_norm,
            pre_activation,
            regular_conv: self.he_conv(&part("conv1"), 3, width, regular, 1.0),
            pool_conv: self.he_conv(&part("pool"), 3, width, pooled, 1.0),
            pool_norm: norm(&part("pool"), pooled, 1.0),
            pool_activation: relu(&part("pool")),
            pool_mul: self.pool_mul(&part("poolmul"), pooled, regular),
            mid_norm: norm(&part("mid"), regular, 1.0),
            mid_activation: relu(&part("mid")),
            final_conv: self.he_conv(&part("conv2"), 3, regular, width, added),
        })
    }

    fn policy_head(&mut self, shape: &Shape) -> PolicyHead {
        let (trunk, width) = (shape.channels, shape.head());
        PolicyHead {
            name: "policyhead".to_owned(),
            channels: 1,
            p1_conv: self.he_conv("policy.p1", 1, trunk, width, 1.0),
            g1_conv: self.he_conv("policy.g1", 1, trunk, width, 1.0),
            g1_norm: norm("policy.g1", width, 1.0),
            g1_activation: relu("policy.g1"),
            pool_mul: self.pool_mul("policy.poolmul", width, width),
            p1_norm: norm("policy.p1", width, 1.0),
            p1_activation: relu("policy.p1"),
            p2_conv: self.he_conv("policy.p2", 1, width, 1, 0.1),
            pass_mul: self.mat_mul("policy.pass", 3 * width, 1, 0.1 / (3.0 * width as f32).sqrt()),
            pass: None,
        }
    }

    fn value_head(&mut self, shape: &Shape) -> ValueHead {
        let (trunk, width, hidden) = (shape.channels, shape.head(), 2 * shape.head());
        let small = 0.3 / (hidden as f32).sqrt();
        ValueHead {
            name: "valuehead".to_owned(),
            v1_conv: self.he_conv("value.v1", 1, trunk, width, 1.0),
            v1_norm: norm("value.v1", width, 1.0),
            v1_activation: relu("value.v1"),
            v2_mul: self.mat_mul("value.v2", 3 * width, hidden, (2.0 / width as f32).sqrt()),
            v2_bias: Bias { name: "value.v2bias".to_owned(), values: vec![0.0; hidden] },
            v2_activation: relu("value.v2"),
            v3_mul: self.mat_mul("value.v3", hidden, 3, small),
            v3_bias: Bias { name: "value.v3bias".to_owned(), values: vec![0.0; 3] },
            score_mul: self.mat_mul("value.score", hidden, 4, small),
            score_bias: Bias { name: "value.scorebias".to_owned(), values: vec![0.0; 4] },
            ownership_conv: self.he_conv("value.ownership", 1, width, 1, 0.1),
        }
    }

    /// From means, scaled means and largest values, which are of size 1 at most, to something smaller than what it is added to.
    fn pool_mul(&mut self, name: &str, pooled: usize, outputs: usize) -> MatMul {
        self.mat_mul(name, 3 * pooled, outputs, 0.5 / (3.0 * pooled as f32).sqrt())
    }

    /// A convolution of what a rectifier lets through, half of a variance of 1: what comes out has this `variance`.
    fn he_conv(&mut self, name: &str, side: usize, inputs: usize, outputs: usize, variance: f32) -> Conv {
        self.conv(name, side, inputs, outputs, (2.0 * variance / (side * side * inputs) as f32).sqrt())
    }

    fn conv(&mut self, name: &str, side: usize, inputs: usize, outputs: usize, stdev: f32) -> Conv {
        let weights = self.numbers(side * side * inputs * outputs, stdev);
        Conv { name: name.to_owned(), height: side, width: side, inputs, outputs, weights }
    }

    fn mat_mul(&mut self, name: &str, inputs: usize, outputs: usize, stdev: f32) -> MatMul {
        MatMul { name: name.to_owned(), inputs, outputs, weights: self.numbers(inputs * outputs, stdev) }
    }

    /// Numbers of a normal distribution (by the method of Box and Muller), none beyond three deviations.
    fn numbers(&mut self, count: usize, stdev: f32) -> Vec<f32> {
        let mut number = || {
            let (size, turn) = (1.0 - self.rng.unit(), std::f32::consts::TAU * self.rng.unit());
            ((-2.0 * size.ln()).sqrt() * turn.cos()).clamp(-3.0, 3.0)
        };
        (0..count).map(|_| stdev * number()).collect()
    }
}

/// A norm that brings this variance to 1.
fn norm(name: &str, channels: usize, variance: f32) -> BatchNorm {
    BatchNorm {
        name: format!("{name}.norm"),
        // As KataGo's exporter writes it; what training adds stands in the variance.
        epsilon: 1e-20,
        mean: vec![0.0; channels],
        variance: vec![1.0; channels],
        scale: Some(vec![1.0 / variance.sqrt(); channels]),
        bias: Some(vec![0.0; channels]),
    }
}

fn relu(name: &str) -> Activation {
    Activation { name: format!("{name}.act"), kind: ActivationKind::Relu }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Shape, fresh};
    use crate::nn::{Form, Network};
    use crate::util::Rng;

    fn shapes() -> [Shape; 3] {
        [
            Shape { blocks: 6, channels: 32, kind: Kind::Residual, pool_every: 3 },
            Shape { blocks: 4, channels: 48, kind: Kind::Nested, pool_every: 2 },
            Shape { blocks: 1, channels: 8, kind: Kind::Residual, pool_every: 0 },
        ]
    }

    #[test]
    fn a_fresh_network_can_be_written_and_read() {
        for shape in shapes() {
            let network = fresh("a new one", &shape, &mut Rng::new(5));
            assert_eq!(network.name, "anewone");
            let bytes = network.to_bytes(Form { raw: true, gzip: false }).unwrap();
            assert_eq!(Network::parse(&bytes).unwrap(), network);
        }
    }
}
