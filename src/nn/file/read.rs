//! From a file to a [`Network`]: its layers in the file's order, and what must agree between them.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::flaw::{BadNetwork, Flaw};
use super::layers::Kernel;
use super::source::{Source, wrong};
use super::{NEWEST_VERSION, OLDEST_VERSION};
use crate::nn::backend::{GLOBALS, META_INPUTS, PLANES};
use crate::nn::network::{
    AttentionBlock, Block, FfnBlock, GlobalPoolBlock, MetaEncoder, Multipliers, NestedBlock, Network, PassHead, PolicyHead,
    ResidualBlock, Rope, Tip, Trunk, ValueHead,
};

/// Most channels of anything; public networks have up to 3,072.
pub(super) const MOST_CHANNELS: usize = 16_384;
/// Most blocks of the trunk, and within a nested block; public networks have up to 60.
const MOST_BLOCKS: usize = 1024;
/// Most heads of attention; all heads together have at most the most channels.
const MOST_HEADS: usize = 1024;
/// Most blocks within one another; public networks have two.
const DEEPEST: usize = 8;

impl Network {
    /// Reads a network from a file, in either form, compressed or not: what it is shows in its content, whatever its name.
    ///
    /// # Errors
    /// If the file cannot be read, or is no network of a known version whose parts fit together.
    pub fn read(path: &Path) -> Result<Self, BadNetwork> {
        let file = File::open(path).map_err(|error| BadNetwork { file: None, place: Vec::new(), flaw: Flaw::Open(error) });
        let network = file.and_then(|file| read(BufReader::with_capacity(1 << 18, file)));
        network.map_err(|error| BadNetwork { file: Some(path.to_owned()), ..error })
    }

    /// Reads a network from the content of a file.
    ///
    /// # Errors
    /// As [`Network::read`].
    pub fn parse(bytes: &[u8]) -> Result<Self, BadNetwork> {
        read(bytes)
    }
}

fn read<'a>(input: impl BufRead + 'a) -> Result<Network, BadNetwork> {
    let bad = |place, flaw| BadNetwork { file: None, place, flaw };
    let mut reader = Reader { source: Source::new(input).map_err(|flaw| bad(Vec::new(), flaw))?, version: 0 };
    reader.network().map_err(|flaw| bad(reader.source.into_place(), flaw))
}

/// Reads one network.
pub(super) struct Reader<'a> {
    pub(super) source: Source<'a>,
    /// Version of the format.
    pub(super) version: u32,
}

pub(super) type Read<T> = Result<T, Flaw>;

impl Reader<'_> {
    /// Reads a part of the network that begins with its name.
    pub(super) fn part<T>(&mut self, role: &str, read: impl FnOnce(&mut Self, String) -> Read<T>) -> Read<T> {
        self.source.enter(role);
        let name = self.source.name()?;
        let part = read(self, name)?;
        self.source.leave();
        Ok(part)
    }

    fn network(&mut self) -> Read<Network> {
        let (name, version) = self.head()?;
        self.version = version;
        self.source.exactly("number of input planes", PLANES)?;
        self.source.exactly("number of global inputs", GLOBALS)?;
        let multipliers = if version >= 13 { self.multipliers()? } else { Multipliers::default() };
        let (mut has_meta, mut prefer_pass_alive) = (false, false);
        if version >= 15 {
            has_meta = self.source.flag("version of the metadata encoder")?;
            prefer_pass_alive = self.source.flag("preference for pass-alive area under suicide rules")?;
            self.source.reserved(6)?;
        }
        let trunk = self.part("trunk", |reader, name| reader.trunk(name, has_meta))?;
        let channels = trunk.channels;
        let policy = self.part("policy head", |reader, name| reader.policy_head(name, channels))?;
        let value = self.part("value head", |reader, name| reader.value_head(name, channels))?;
        self.source.finish()?;
        Ok(Network { name, version, multipliers, prefer_pass_alive, trunk, policy, value })
    }

    /// Name and version. Here it shows whether the file is a network at all.
    fn head(&mut self) -> Read<(String, u32)> {
        let foreign = |flaw| match flaw {
            Flaw::Read(_) | Flaw::Damaged(_) => flaw,
            _ => Flaw::Foreign(format!("it does not begin with a name and a version ({flaw})")),
        };
        let name = self.source.word("its name").map_err(foreign)?;
        let version = self.source.count("version", 0..=9999).map_err(foreign)? as u32;
        if (OLDEST_VERSION..=NEWEST_VERSION).contains(&version) { Ok((name, version)) } else { Err(Flaw::Version(version)) }
    }

    fn multipliers(&mut self) -> Read<Multipliers> {
        Ok(Multipliers {
            td_score: self.source.positive("multiplier of near scores")?,
            score_mean: self.source.positive("multiplier of the mean score")?,
            score_stdev: self.source.positive("multiplier of the score's deviation")?,
            lead: self.source.positive("multiplier of the lead")?,
            variance_time: self.source.positive("multiplier of the time left")?,
            shortterm_value_error: self.source.positive("multiplier of the short-term value error")?,
            shortterm_score_error: self.source.positive("multiplier of the short-term score error")?,
        })
    }

    fn trunk(&mut self, name: String, has_meta: bool) -> Read<Trunk> {
        let count = self.source.count("number of blocks", 1..=MOST_BLOCKS)?;
        let channels = self.source.count("channels", 1..=MOST_CHANNELS)?;
        let mut widths = [0; 4];
        for width in &mut widths {
            *width = self.source.count("channels inside blocks", 0..=MOST_CHANNELS)?;
        }
        let mut is_rms = false;
        if self.version >= 15 {
            is_rms = self.source.flag("kind of the last norm")?;
            self.source.reserved(5)?;
        }
        Ok(Trunk {
            name,
            channels,
            widths,
            initial_conv: self.conv("first convolution", Kernel::Any, PLANES, Some(channels))?,
            initial_mul: self.mat_mul("first matrix", GLOBALS, Some(channels))?,
            meta: if has_meta {
                Some(self.part("metadata encoder", |reader, name| reader.meta_encoder(name, channels))?)
            } else {
                None
            },
            blocks: self.blocks(count, channels, 1)?,
            tip: if is_rms { self.rms_tip(channels)? } else { Tip::Batch(self.batch_norm("last norm", channels)?) },
            tip_activation: self.activation("last activation")?,
        })
    }

    fn meta_encoder(&mut self, name: String, channels: usize) -> Read<MetaEncoder> {
        self.source.exactly("number of inputs", META_INPUTS)?;
        let mul1 = self.mat_mul("first matrix", META_INPUTS, None)?;
        let bias1 = self.bias("first bias", mul1.outputs)?;
        let activation1 = self.activation("first activation")?;
        let mul2 = self.mat_mul("second matrix", mul1.outputs, None)?;
        let bias2 = self.bias("second bias", mul2.outputs)?;
        let activation2 = self.activation("second activation")?;
        let mul3 = self.mat_mul("third matrix", mul2.outputs, Some(channels))?;
        Ok(MetaEncoder { name, mul1, bias1, activation1, mul2, bias2, activation2, mul3 })
    }

    /// `count` blocks of so many channels, `depth` blocks deep.
    fn blocks(&mut self, count: usize, channels: usize, depth: usize) -> Read<Vec<Block>> {
        if depth > DEEPEST {
            return Err(Flaw::TooLarge(format!("blocks nested more than {DEEPEST} deep")));
        }
        let mut blocks = Vec::new();
        for number in 1..=count {
            let role = if depth == 1 { format!("block {number}") } else { format!("inner block {number}") };
            self.source.enter(&role);
            blocks.push(self.block(channels, depth)?);
            self.source.leave();
        }
        Ok(blocks)
    }

    fn block(&mut self, channels: usize, depth: usize) -> Read<Block> {
        let kind = self.source.word("its kind")?;
        let name = self.source.name()?;
        Ok(match kind.as_str() {
            "ordinary_block" => Block::Residual(self.residual_block(name, channels)?),
            "gpool_block" => Block::GlobalPool(self.global_pool_block(name, channels)?),
            "nested_bottleneck_block" => Block::Nested(self.nested_block(name, channels, depth)?),
            "transformer_attention_block" => Block::Attention(self.attention_block(name, channels)?),
            "transformer_ffn_block" => Block::Ffn(self.ffn_block(name, channels)?),
            _ => return Err(wrong("kind of block", "one that Tengen knows", kind.escape_debug())),
        })
    }

    fn residual_block(&mut self, name: String, channels: usize) -> Read<ResidualBlock> {
        let pre_norm = self.batch_norm("first norm", channels)?;
        let pre_activation = self.activation("first activation")?;
        let conv1 = self.conv("first convolution", Kernel::Any, channels, None)?;
        let mid_norm = self.batch_norm("second norm", conv1.outputs)?;
        let mid_activation = self.activation("second activation")?;
        let conv2 = self.conv("second convolution", Kernel::Any, conv1.outputs, Some(channels))?;
        Ok(ResidualBlock { name, pre_norm, pre_activation, conv1, mid_norm, mid_activation, conv2 })
    }

    fn global_pool_block(&mut self, name: String, channels: usize) -> Read<GlobalPoolBlock> {
        let pre_norm = self.batch_norm("first norm", channels)?;
        let pre_activation = self.activation("first activation")?;
        let regular_conv = self.conv("regular convolution", Kernel::Any, channels, None)?;
        let pool_conv = self.conv("pooled convolution", Kernel::Any, channels, None)?;
        let pool_norm = self.batch_norm("pooled norm", pool_conv.outputs)?;
        let pool_activation = self.activation("pooled activation")?;
        let pool_mul = self.mat_mul("matrix of the pooled", 3 * pool_conv.outputs, Some(regular_conv.outputs))?;
        let mid_norm = self.batch_norm("second norm", regular_conv.outputs)?;
        let mid_activation = self.activation("second activation")?;
        let final_conv = self.conv("last convolution", Kernel::Any, regular_conv.outputs, Some(channels))?;
        Ok(GlobalPoolBlock {
            name,
            pre_norm,
            pre_activation,
            regular_conv,
            pool_conv,
            pool_norm,
            pool_activation,
            pool_mul,
            mid_norm,
            mid_activation,
            final_conv,
        })
    }

    fn nested_block(&mut self, name: String, channels: usize, depth: usize) -> Read<NestedBlock> {
        let count = self.source.count("number of inner blocks", 1..=MOST_BLOCKS)?;
        let pre_norm = self.batch_norm("first norm", channels)?;
        let pre_activation = self.activation("first activation")?;
        let pre_conv = self.conv("first convolution", Kernel::One, channels, None)?;
        let blocks = self.blocks(count, pre_conv.outputs, depth + 1)?;
        let post_norm = self.batch_norm("last norm", pre_conv.outputs)?;
        let post_activation = self.activation("last activation")?;
        let post_conv = self.conv("last convolution", Kernel::One, pre_conv.outputs, Some(channels))?;
        Ok(NestedBlock { name, pre_norm, pre_activation, pre_conv, blocks, post_norm, post_activation, post_conv })
    }

    fn attention_block(&mut self, name: String, channels: usize) -> Read<AttentionBlock> {
        let heads = self.source.count("number of heads", 1..=MOST_HEADS)?;
        let kv_heads = self.source.count("number of key heads", 1..=MOST_HEADS)?;
        if !heads.is_multiple_of(kv_heads) {
            return Err(wrong("number of heads", format!("a multiple of the {kv_heads} key heads"), heads));
        }
        let q_dim = self.source.count("channels of a query", 1..=MOST_CHANNELS / heads)?;
        let v_dim = self.source.count("channels of a value", 1..=MOST_CHANNELS / heads)?;
        let has_rope = self.source.flag("whether it has rope")?;
        let is_learnt = self.source.flag("whether rope is learnt")?;
        if has_rope && !q_dim.is_multiple_of(2) {
            return Err(wrong("channels of a query", "an even number, for rope", q_dim));
        }
        Ok(AttentionBlock {
            name,
            heads,
            kv_heads,
            q_dim,
            v_dim,
            norm: self.rms_norm("norm", channels)?,
            q: self.mat_mul("matrix of queries", channels, Some(heads * q_dim))?,
            k: self.mat_mul("matrix of keys", channels, Some(kv_heads * q_dim))?,
            v: self.mat_mul("matrix of values", channels, Some(kv_heads * v_dim))?,
            out: self.mat_mul("last matrix", heads * v_dim, Some(channels))?,
            rope: if has_rope {
                Some(self.part("rope", |reader, name| reader.rope(name, is_learnt, kv_heads, q_dim / 2))?)
            } else {
                None
            },
        })
    }

    fn rope(&mut self, name: String, is_learnt: bool, kv_heads: usize, pairs: usize) -> Read<Rope> {
        if !is_learnt {
            return Ok(Rope::Fixed { name, theta: self.source.positive("theta")? });
        }
        self.source.exactly("number of key heads", kv_heads)?;
        self.source.exactly("pairs of channels", pairs)?;
        self.source.exactly("directions", 2)?;
        Ok(Rope::Learnt { name, frequencies: self.source.floats("frequencies", &[kv_heads, pairs, 2])? })
    }

    fn ffn_block(&mut self, name: String, channels: usize) -> Read<FfnBlock> {
        self.source.exactly("channels", channels)?;
        let middle = self.source.count("inner channels", 1..=MOST_CHANNELS)?;
        if !self.source.flag("whether it has a gate")? {
            return Err(wrong("whether it has a gate", "1 (the format leaves open what happens without one)", 0));
        }
        Ok(FfnBlock {
            name,
            norm: self.rms_norm("norm", channels)?,
            linear1: self.mat_mul("first matrix", channels, Some(middle))?,
            gate: self.mat_mul("matrix of the gate", channels, Some(middle))?,
            linear2: self.mat_mul("last matrix", middle, Some(channels))?,
        })
    }

    fn policy_head(&mut self, name: String, channels: usize) -> Read<PolicyHead> {
        let policies = self.policies()?;
        let p1_conv = self.conv("first convolution", Kernel::One, channels, None)?;
        let g1_conv = self.conv("pooled convolution", Kernel::One, channels, None)?;
        let (middle, pooled) = (p1_conv.outputs, 3 * g1_conv.outputs);
        let has_hidden_pass = self.version >= 15;
        Ok(PolicyHead {
            name,
            channels: policies,
            g1_norm: self.batch_norm("pooled norm", g1_conv.outputs)?,
            g1_activation: self.activation("pooled activation")?,
            pool_mul: self.mat_mul("matrix of the pooled", pooled, Some(middle))?,
            p1_norm: self.batch_norm("norm", middle)?,
            p1_activation: self.activation("activation")?,
            p2_conv: self.conv("last convolution", Kernel::One, middle, Some(policies))?,
            pass_mul: self.mat_mul("matrix of passes", pooled, Some(if has_hidden_pass { middle } else { policies }))?,
            pass: if has_hidden_pass { Some(self.pass_head(middle, policies)?) } else { None },
            p1_conv,
            g1_conv,
        })
    }

    /// Channels of the policy.
    fn policies(&mut self) -> Read<usize> {
        match self.version {
            ..12 => Ok(1),
            12..16 => Ok(2),
            16 => Ok(4),
            _ => {
                let count = self.source.count("number of policies", 0..=MOST_CHANNELS)?;
                self.source.reserved(3)?;
                if count == 2 || count == 4 { Ok(count) } else { Err(wrong("number of policies", "2 or 4", count)) }
            }
        }
    }

    fn pass_head(&mut self, middle: usize, policies: usize) -> Read<PassHead> {
        Ok(PassHead {
            bias: self.bias("bias of passes", middle)?,
            activation: self.activation("activation of passes")?,
            mul: self.mat_mul("last matrix of passes", middle, Some(policies))?,
        })
    }

    fn value_head(&mut self, name: String, channels: usize) -> Read<ValueHead> {
        if self.version >= 17 {
            self.source.reserved(3)?;
        }
        let v1_conv = self.conv("first convolution", Kernel::One, channels, None)?;
        let v1_norm = self.batch_norm("norm", v1_conv.outputs)?;
        let v1_activation = self.activation("activation")?;
        let v2_mul = self.mat_mul("matrix of the pooled", 3 * v1_conv.outputs, None)?;
        let scores = if self.version == 8 { 4 } else { 6 };
        Ok(ValueHead {
            name,
            v2_bias: self.bias("bias of the pooled", v2_mul.outputs)?,
            v2_activation: self.activation("activation of the pooled")?,
            v3_mul: self.mat_mul("matrix of the value", v2_mul.outputs, Some(3))?,
            v3_bias: self.bias("bias of the value", 3)?,
            score_mul: self.mat_mul("matrix of scores", v2_mul.outputs, Some(scores))?,
            score_bias: self.bias("bias of scores", scores)?,
            ownership_conv: self.conv("convolution of ownership", Kernel::One, v1_conv.outputs, Some(1))?,
            v1_conv,
            v1_norm,
            v1_activation,
            v2_mul,
        })
    }
}
