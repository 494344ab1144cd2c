//! A network whose arrays of numbers are something else: tensors on a device, or no more than their names.

use super::network::{
    AttentionBlock, BatchNorm, Bias, Block, Conv, FfnBlock, GlobalPoolBlock, MatMul, MetaEncoder, NestedBlock, Network, PassHead,
    PolicyHead, ResidualBlock, RmsNorm, Rope, Tip, Trunk, ValueHead,
};

/// What an array of a network's numbers is for, and its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Weights of a convolution, `[y][x][input][output]`.
    Kernels {
        /// Height of a kernel.
        height: usize,
        /// Width of a kernel.
        width: usize,
        /// Input channels.
        inputs: usize,
        /// Output channels.
        outputs: usize,
    },
    /// A matrix, `[input][output]`.
    Matrix {
        /// Length of the input.
        inputs: usize,
        /// Length of the output.
        outputs: usize,
    },
    /// What a norm multiplies by, a number a channel.
    Scale,
    /// What is added, a number a channel.
    Bias,
    /// The mean that a norm subtracts, a number a channel.
    Mean,
    /// The variance that a norm divides by, a number a channel.
    Variance,
    /// Of a rope, `[head][pair][x, y]`.
    Frequencies {
        /// Heads of keys.
        heads: usize,
        /// Pairs of a key's channels.
        pairs: usize,
    },
}

impl Role {
    /// Whether training changes it by its gradient. Means and variances are what they are in the rows.
    pub fn is_learnt(self) -> bool {
        !matches!(self, Self::Mean | Self::Variance)
    }

    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Kernels { .. } | Self::Matrix { .. } => "weights",
            Self::Scale => "scale",
            Self::Bias => "bias",
            Self::Mean => "mean",
            Self::Variance => "variance",
            Self::Frequencies { .. } => "frequencies",
        }
    }
}

/// What becomes of the array of a layer: the layer's name, the array's role, its content.
type Each<'a, T, U> = &'a mut dyn FnMut(&str, Role, &T) -> U;

impl<T> Network<T> {
    /// The same network with what `each` makes of each of its arrays, called in the file's order. It is given the layer's name, the role of the array and the
    /// array.
    pub fn map<U>(&self, mut each: impl FnMut(&str, Role, &T) -> U) -> Network<U> {
        let each = &mut each;
        Network {
            name: self.name.clone(),
            version: self.version,
            multipliers: self.multipliers,
            prefer_pass_alive: self.prefer_pass_alive,
            trunk: self.trunk.map(each),
            policy: self.policy.map(each),
            value: self.value.map(each),
        }
    }
}

/// Something with arrays. `By<U>` is the same with other arrays.
trait Mapped<T> {
    type By<U>;
    fn map<U>(&self, each: Each<'_, T, U>) -> Self::By<U>;
}

impl<T, M: Mapped<T>> Mapped<T> for Option<M> {
    type By<U> = Option<M::By<U>>;

    fn map<U>(&self, each: Each<'_, T, U>) -> Self::By<U> {
        self.as_ref().map(|some| Mapped::map(some, each))
    }
}

impl<T, M: Mapped<T>> Mapped<T> for Vec<M> {
    type By<U> = Vec<M::By<U>>;

    fn map<U>(&self, each: Each<'_, T, U>) -> Self::By<U> {
        self.iter().map(|one| one.map(&mut *each)).collect()
    }
}

/// A layer with one array of its own: fields that are copied, the array, its role.
macro_rules! layer {
    ($Layer:ident { $($copied:ident),* } $array:ident, |$layer:pat_param| $role:expr) => {
        impl<T> Mapped<T> for $Layer<T> {
            type By<U> = $Layer<U>;

            fn map<U>(&self, each: Each<'_, T, U>) -> $Layer<U> {
                let $layer = self;
                $Layer { $($copied: self.$copied.clone(),)* $array: each(&self.name, $role, &self.$array) }
            }
        }
    };
}

/// Something made of layers: fields that are copied, then parts that are mapped.
macro_rules! whole {
    ($Whole:ident { $($copied:ident),* } { $($part:ident),* }) => {
        impl<T> Mapped<T> for $Whole<T> {
            type By<U> = $Whole<U>;

            fn map<U>(&self, each: Each<'_, T, U>) -> $Whole<U> {
                $Whole { $($copied: self.$copied.clone(),)* $($part: Mapped::map(&self.$part, each),)* }
            }
        }
    };
}

layer!(Conv { name, height, width, inputs, outputs } weights, |&Conv { height, width, inputs, outputs, .. }| {
    Role::Kernels { height, width, inputs, outputs }
});
layer!(MatMul { name, inputs, outputs } weights, |&MatMul { inputs, outputs, .. }| Role::Matrix { inputs, outputs });
layer!(Bias { name } values, |_| Role::Bias);
layer!(RmsNorm { name, epsilon } weight, |_| Role::Scale);

whole!(Trunk { name, channels, widths, tip_activation } { initial_conv, initial_mul, meta, blocks, tip });
whole!(MetaEncoder { name, activation1, activation2 } { mul1, bias1, mul2, bias2, mul3 });
whole!(ResidualBlock { name, pre_activation, mid_activation } { pre_norm, conv1, mid_norm, conv2 });
whole!(GlobalPoolBlock { name, pre_activation, pool_activation, mid_activation } {
    pre_norm, regular_conv, pool_conv, pool_norm, pool_mul, mid_norm, final_conv
});
whole!(NestedBlock { name, pre_activation, post_activation } { pre_norm, pre_conv, blocks, post_norm, post_conv });
whole!(FfnBlock { name } { norm, linear1, gate, linear2 });
whole!(PolicyHead { name, channels, g1_activation, p1_activation } {
    p1_conv, g1_conv, g1_norm, pool_mul, p1_norm, p2_conv, pass_mul, pass
});
whole!(PassHead { activation } { bias, mul });
whole!(ValueHead { name, v1_activation, v2_activation } {
    v1_conv, v1_norm, v2_mul, v2_bias, v3_mul, v3_bias, score_mul, score_bias, ownership_conv
});

impl<T> Mapped<T> for BatchNorm<T> {
    type By<U> = BatchNorm<U>;

    fn map<U>(&self, each: Each<'_, T, U>) -> BatchNorm<U> {
        let name = &self.name;
        BatchNorm {
            name: name.clone(),
            epsilon: self.epsilon,
            mean: each(name, Role::Mean, &self.mean),
            variance: each(name, Role::Variance, &self.variance),
            scale: self.scale.as_ref().map(|scale| each(name, Role::Scale, scale)),
            bias: self.bias.as_ref().map(|bias| each(name, Role::Bias, bias)),
        }
    }
}

impl<T> Mapped<T> for Tip<T> {
    type By<U> = Tip<U>;

    fn map<U>(&self, each: Each<'_, T, U>) -> Tip<U> {
        match self {
            Self::Batch(norm) => Tip::Batch(norm.map(each)),
            Self::Rms { norm, beta, spatial } => {
                let (norm, beta) = (Mapped::map(norm, &mut *each), each(&norm.name, Role::Bias, beta));
                Tip::Rms { norm, beta, spatial: *spatial }
            }
        }
    }
}

impl<T> Mapped<T> for Block<T> {
    type By<U> = Block<U>;

    fn map<U>(&self, each: Each<'_, T, U>) -> Block<U> {
        match self {
            Self::Residual(block) => Block::Residual(block.map(each)),
            Self::GlobalPool(block) => Block::GlobalPool(block.map(each)),
            Self::Nested(block) => Block::Nested(block.map(each)),
            Self::Attention(block) => Block::Attention(block.map(each)),
            Self::Ffn(block) => Block::Ffn(block.map(each)),
        }
    }
}

impl<T> Mapped<T> for AttentionBlock<T> {
    type By<U> = AttentionBlock<U>;

    fn map<U>(&self, each: Each<'_, T, U>) -> AttentionBlock<U> {
        let &Self { heads, kv_heads, q_dim, v_dim, .. } = self;
        AttentionBlock {
            name: self.name.clone(),
            heads,
            kv_heads,
            q_dim,
            v_dim,
            norm: self.norm.map(each),
            q: self.q.map(each),
            k: self.k.map(each),
            v: self.v.map(each),
            out: self.out.map(each),
            rope: self.rope.as_ref().map(|rope| match rope {
                Rope::Fixed { name, theta } => Rope::Fixed { name: name.clone(), theta: *theta },
                Rope::Learnt { name, frequencies } => {
                    let role = Role::Frequencies { heads: kv_heads, pairs: q_dim / 2 };
                    Rope::Learnt { name: name.clone(), frequencies: each(name, role, frequencies) }
                }
            }),
        }
    }
}
