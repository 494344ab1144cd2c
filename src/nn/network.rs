//! A network as its file describes it: plain data, every weight in the file's order.
//!
//! Names of layers are the file's own: errors quote them, and a written file gives them back.
//!
//! `T` is what an array of numbers is: a vector in memory, or whatever a backend keeps in its place ([`Network::map`]).

/// A whole network.
#[derive(Clone, Debug, PartialEq)]
pub struct Network<T = Vec<f32>> {
    /// The model's name.
    pub name: String,
    /// Version of the format, 8 to 17: it decides what some outputs mean.
    pub version: u32,
    /// Factors that turn raw outputs into points, turns and errors.
    pub multipliers: Multipliers,
    /// Whether the area plane takes pass-alive regions as under suicide rules, whatever the rules are.
    pub prefer_pass_alive: bool,
    /// From the inputs to the features that all heads share.
    pub trunk: Trunk<T>,
    /// Where to play.
    pub policy: PolicyHead<T>,
    /// Who wins, by how much, and who owns what.
    pub value: ValueHead<T>,
}

/// What raw value outputs are multiplied by. Stored from version 13 on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multipliers {
    /// Value targets of the near future.
    pub td_score: f32,
    /// Mean of the final score, in points.
    pub score_mean: f32,
    /// Its standard deviation, in points.
    pub score_stdev: f32,
    /// Lead, in points.
    pub lead: f32,
    /// Variance of the time left, in turns.
    pub variance_time: f32,
    /// Squared error of the short-term value.
    pub shortterm_value_error: f32,
    /// Squared error of the short-term score.
    pub shortterm_score_error: f32,
}

impl Default for Multipliers {
    /// Those of the versions that do not store them.
    fn default() -> Self {
        Self {
            td_score: 20.0,
            score_mean: 20.0,
            score_stdev: 20.0,
            lead: 20.0,
            variance_time: 40.0,
            shortterm_value_error: 0.25,
            shortterm_score_error: 30.0,
        }
    }
}

/// The trunk.
#[derive(Clone, Debug, PartialEq)]
pub struct Trunk<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// Channels of the trunk.
    pub channels: usize,
    /// What the file says of widths inside blocks: middle, regular, dilated, global pooling. Informative; the layers have the truth.
    pub widths: [usize; 4],
    /// From the 22 input planes.
    pub initial_conv: Conv<T>,
    /// From the 19 global inputs, added at every point.
    pub initial_mul: MatMul<T>,
    /// Of human-style networks: who is playing.
    pub meta: Option<MetaEncoder<T>>,
    /// The blocks, at least one.
    pub blocks: Vec<Block<T>>,
    /// Norm of the trunk's end.
    pub tip: Tip<T>,
    /// And its activation.
    pub tip_activation: Activation,
}

/// A convolution with zero padding to the same size, without bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Conv<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// Height of the kernel, odd.
    pub height: usize,
    /// Width of the kernel, odd.
    pub width: usize,
    /// Input channels.
    pub inputs: usize,
    /// Output channels.
    pub outputs: usize,
    /// `[y][x][input][output]`, the last fastest; not flipped.
    pub weights: T,
}

/// Normalization by stored statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchNorm<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// Added to the variance.
    pub epsilon: f32,
    /// Mean a channel.
    pub mean: T,
    /// Variance a channel.
    pub variance: T,
    /// Scale a channel, if stored; else 1.
    pub scale: Option<T>,
    /// Bias a channel, if stored; else 0.
    pub bias: Option<T>,
}

impl BatchNorm {
    /// Channels.
    pub fn channels(&self) -> usize {
        self.mean.len()
    }

    /// The norm as one multiplication and one addition a channel: scale and bias.
    pub fn merged(&self) -> (Vec<f32>, Vec<f32>) {
        let scale: Vec<f32> = (0..self.channels())
            .map(|c| self.scale.as_ref().map_or(1.0, |scale| scale[c]) / (self.variance[c] + self.epsilon).sqrt())
            .collect();
        let bias = (0..self.channels()).map(|c| self.bias.as_ref().map_or(0.0, |bias| bias[c]) - scale[c] * self.mean[c]);
        let bias = bias.collect();
        (scale, bias)
    }
}

/// A nonlinearity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    /// Name in the file.
    pub name: String,
    /// Which.
    pub kind: ActivationKind,
}

/// The nonlinearities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActivationKind {
    /// x
    Identity,
    /// max(x, 0)
    Relu,
    /// x tanh(ln(1 + e^x))
    Mish,
    /// x / (1 + e^-x)
    Silu,
}

impl ActivationKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Identity, Self::Relu, Self::Mish, Self::Silu];

    /// Its word in a file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Identity => "ACTIVATION_IDENTITY",
            Self::Relu => "ACTIVATION_RELU",
            Self::Mish => "ACTIVATION_MISH",
            Self::Silu => "ACTIVATION_SILU",
        }
    }
}

/// A product with a matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct MatMul<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// Length of the input.
    pub inputs: usize,
    /// Length of the output.
    pub outputs: usize,
    /// `[input][output]`, the last fastest.
    pub weights: T,
}

/// An addition of a vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Bias<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// The vector.
    pub values: T,
}

/// Normalization by the root of the mean square over channels.
#[derive(Clone, Debug, PartialEq)]
pub struct RmsNorm<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// Added to the mean square.
    pub epsilon: f32,
    /// Weight a channel.
    pub weight: T,
}

/// The norm at the trunk's end.
#[derive(Clone, Debug, PartialEq)]
pub enum Tip<T = Vec<f32>> {
    /// By stored statistics.
    Batch(BatchNorm<T>),
    /// By the mean square, with a bias.
    Rms {
        /// Scale; its `weight` is the file's gamma.
        norm: RmsNorm<T>,
        /// Bias a channel: the file's beta.
        beta: T,
        /// Whether the mean is over the whole board rather than a point.
        spatial: bool,
    },
}

/// Who is playing, for networks that imitate people: 192 numbers to an addition to the trunk.
#[derive(Clone, Debug, PartialEq)]
pub struct MetaEncoder<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// From the 192 inputs.
    pub mul1: MatMul<T>,
    /// Bias.
    pub bias1: Bias<T>,
    /// Activation.
    pub activation1: Activation,
    /// Second layer.
    pub mul2: MatMul<T>,
    /// Bias.
    pub bias2: Bias<T>,
    /// Activation.
    pub activation2: Activation,
    /// To the trunk's channels.
    pub mul3: MatMul<T>,
}

/// A block of the trunk: it adds to its input.
#[derive(Clone, Debug, PartialEq)]
pub enum Block<T = Vec<f32>> {
    /// Two convolutions.
    Residual(ResidualBlock<T>),
    /// The same, with a look at the whole board between them.
    GlobalPool(GlobalPoolBlock<T>),
    /// Blocks of fewer channels between two 1x1 convolutions.
    Nested(NestedBlock<T>),
    /// Self-attention.
    Attention(AttentionBlock<T>),
    /// The feed-forward part of a transformer.
    Ffn(FfnBlock<T>),
}

impl<T> Block<T> {
    /// The word for its kind in a file.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Residual(_) => "ordinary_block",
            Self::GlobalPool(_) => "gpool_block",
            Self::Nested(_) => "nested_bottleneck_block",
            Self::Attention(_) => "transformer_attention_block",
            Self::Ffn(_) => "transformer_ffn_block",
        }
    }
}

/// x + conv2(act(norm(conv1(act(norm(x)))))).
#[derive(Clone, Debug, PartialEq)]
pub struct ResidualBlock<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// First norm.
    pub pre_norm: BatchNorm<T>,
    /// First activation.
    pub pre_activation: Activation,
    /// First convolution.
    pub conv1: Conv<T>,
    /// Second norm.
    pub mid_norm: BatchNorm<T>,
    /// Second activation.
    pub mid_activation: Activation,
    /// Second convolution.
    pub conv2: Conv<T>,
}

/// A residual block whose middle is shifted by what is pooled over the board.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalPoolBlock<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// First norm.
    pub pre_norm: BatchNorm<T>,
    /// First activation.
    pub pre_activation: Activation,
    /// The convolution that goes on.
    pub regular_conv: Conv<T>,
    /// The convolution that is pooled.
    pub pool_conv: Conv<T>,
    /// Its norm.
    pub pool_norm: BatchNorm<T>,
    /// Its activation.
    pub pool_activation: Activation,
    /// From the pooled to a bias of the regular channels.
    pub pool_mul: MatMul<T>,
    /// Second norm.
    pub mid_norm: BatchNorm<T>,
    /// Second activation.
    pub mid_activation: Activation,
    /// Last convolution.
    pub final_conv: Conv<T>,
}

/// x + post_conv(act(norm(blocks(pre_conv(act(norm(x))))))).
#[derive(Clone, Debug, PartialEq)]
pub struct NestedBlock<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// First norm.
    pub pre_norm: BatchNorm<T>,
    /// First activation.
    pub pre_activation: Activation,
    /// 1x1, to fewer channels.
    pub pre_conv: Conv<T>,
    /// The inner blocks.
    pub blocks: Vec<Block<T>>,
    /// Last norm.
    pub post_norm: BatchNorm<T>,
    /// Last activation.
    pub post_activation: Activation,
    /// 1x1, back to the trunk's channels.
    pub post_conv: Conv<T>,
}

/// x + out(attention(q, k, v of norm(x))).
#[derive(Clone, Debug, PartialEq)]
pub struct AttentionBlock<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// Query heads, a multiple of `kv_heads`.
    pub heads: usize,
    /// Heads of keys and values.
    pub kv_heads: usize,
    /// Channels of a query or key.
    pub q_dim: usize,
    /// Channels of a value.
    pub v_dim: usize,
    /// Rotation of queries and keys by their place, if any.
    pub rope: Option<Rope<T>>,
    /// Norm.
    pub norm: RmsNorm<T>,
    /// Queries.
    pub q: MatMul<T>,
    /// Keys.
    pub k: MatMul<T>,
    /// Values.
    pub v: MatMul<T>,
    /// Back to the trunk.
    pub out: MatMul<T>,
}

/// Rotary position embedding.
#[derive(Clone, Debug, PartialEq)]
pub enum Rope<T = Vec<f32>> {
    /// Learnt frequencies, `[kv_head][pair][x, y]`.
    Learnt {
        /// Name in the file.
        name: String,
        /// The frequencies.
        frequencies: T,
    },
    /// Frequencies theta^(-2p/(d/2)).
    Fixed {
        /// Name in the file.
        name: String,
        /// The base.
        theta: f32,
    },
}

/// x + linear2(silu(linear1(n)) gate(n)), n = norm(x).
#[derive(Clone, Debug, PartialEq)]
pub struct FfnBlock<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// Norm.
    pub norm: RmsNorm<T>,
    /// To the wide middle.
    pub linear1: MatMul<T>,
    /// The gate, as wide.
    pub gate: MatMul<T>,
    /// Back.
    pub linear2: MatMul<T>,
}

/// The policy head.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyHead<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// Policies: 1, 2 (and short-term optimistic) or 4 (and two Q values).
    pub channels: usize,
    /// The 1x1 convolution that goes on.
    pub p1_conv: Conv<T>,
    /// The 1x1 convolution that is pooled.
    pub g1_conv: Conv<T>,
    /// Its norm.
    pub g1_norm: BatchNorm<T>,
    /// Its activation.
    pub g1_activation: Activation,
    /// From the pooled to a bias.
    pub pool_mul: MatMul<T>,
    /// Norm.
    pub p1_norm: BatchNorm<T>,
    /// Activation.
    pub p1_activation: Activation,
    /// 1x1, to the policies.
    pub p2_conv: Conv<T>,
    /// From the pooled to the passes; from version 15 on to a hidden layer.
    pub pass_mul: MatMul<T>,
    /// What follows it from version 15 on.
    pub pass: Option<PassHead<T>>,
}

/// The hidden layer of the pass logits.
#[derive(Clone, Debug, PartialEq)]
pub struct PassHead<T = Vec<f32>> {
    /// Bias.
    pub bias: Bias<T>,
    /// Activation.
    pub activation: Activation,
    /// To the passes.
    pub mul: MatMul<T>,
}

/// The value head.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueHead<T = Vec<f32>> {
    /// Name in the file.
    pub name: String,
    /// 1x1.
    pub v1_conv: Conv<T>,
    /// Norm.
    pub v1_norm: BatchNorm<T>,
    /// Activation.
    pub v1_activation: Activation,
    /// From the pooled to a hidden layer.
    pub v2_mul: MatMul<T>,
    /// Bias.
    pub v2_bias: Bias<T>,
    /// Activation.
    pub v2_activation: Activation,
    /// To win, loss, no result.
    pub v3_mul: MatMul<T>,
    /// Bias.
    pub v3_bias: Bias<T>,
    /// To the score values: 4 (version 8) or 6.
    pub score_mul: MatMul<T>,
    /// Bias.
    pub score_bias: Bias<T>,
    /// 1x1, to ownership.
    pub ownership_conv: Conv<T>,
}
