//! From a [`Network`] to a file, laid out as KataGo's exporter does.

use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::RAW_FLOATS;
use super::flaw::{BadNetwork, Flaw};
use crate::nn::backend::{GLOBALS, META_INPUTS, PLANES};
use crate::nn::network::{
    Activation, AttentionBlock, BatchNorm, Bias, Block, Conv, FfnBlock, GlobalPoolBlock, MatMul, MetaEncoder, Multipliers,
    NestedBlock, Network, PolicyHead, ResidualBlock, RmsNorm, Rope, Tip, Trunk, ValueHead,
};

/// How a network is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Its floats as raw little-endian bytes rather than as words.
    pub raw: bool,
    /// Compressed by gzip.
    pub gzip: bool,
}

impl Form {
    /// The form that a file's name tells KataGo: `.bin` or `.txt`, with or without `.gz`.
    pub fn of(path: &Path) -> Option<Self> {
        let gzip = path.extension()? == "gz";
        let path = if gzip { Path::new(path.file_stem()?) } else { path };
        match path.extension()?.to_str()? {
            "bin" => Some(Self { raw: true, gzip }),
            "txt" => Some(Self { raw: false, gzip }),
            _ => None,
        }
    }
}

impl Network {
    /// Writes the network to a file, in the form that its name tells. The file appears whole or not at all.
    ///
    /// # Errors
    /// If the name tells no form, the network cannot be written down (see [`Network::to_bytes`]), or the file cannot.
    pub fn write(&self, path: &Path) -> Result<(), BadNetwork> {
        let bad = |flaw| BadNetwork { file: Some(path.to_owned()), place: Vec::new(), flaw };
        let form = Form::of(path).ok_or_else(|| bad(Flaw::Ending))?;
        let bytes = self.to_bytes(form).map_err(|error| BadNetwork { file: Some(path.to_owned()), ..error })?;
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        fs::write(&part, bytes).and_then(|()| fs::rename(&part, path)).map_err(|error| bad(Flaw::Write(error)))
    }

    /// The content of a file that holds the network.
    ///
    /// # Errors
    /// If reading it would not give the network back: its parts do not fit together, a weight is not finite, a name has a space in it, or its
    /// version has no place for something.
    pub fn to_bytes(&self, form: Form) -> Result<Vec<u8>, BadNetwork> {
        let bad = |flaw| BadNetwork { file: None, place: Vec::new(), flaw };
        let plain = Writer { out: Vec::new(), raw: form.raw, version: self.version }.network(self);
        if Self::parse(&plain)? != *self {
            return Err(bad(Flaw::Lossy(self.version)));
        }
        if form.gzip { compressed(&plain).map_err(|error| bad(Flaw::Write(error))) } else { Ok(plain) }
    }
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    // Weights are all but random: a better level takes longer and saves next to nothing.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Writes one network. What must hold for it to be read again is checked by reading it.
struct Writer {
    out: Vec<u8>,
    raw: bool,
    version: u32,
}

impl Writer {
    fn word(&mut self, word: impl Display) {
        self.out.extend_from_slice(word.to_string().as_bytes());
        self.out.push(b'\n');
    }

    fn words<T: Display>(&mut self, words: impl IntoIterator<Item = T>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    fn flag(&mut self, flag: bool) {
        self.word(u8::from(flag));
    }

    fn reserved(&mut self, count: usize) {
        self.words(std::iter::repeat_n(0, count));
    }

    /// A float as a word: the shortest that reads back the same.
    fn float(&mut self, float: f32) {
        self.word(format_args!("{float:?}"));
    }

    fn floats(&mut self, floats: &[f32]) {
        if self.raw {
            self.out.extend_from_slice(RAW_FLOATS);
            self.out.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
        } else {
            let words: Vec<String> = floats.iter().map(|float| format!("{float:?}")).collect();
            self.out.extend_from_slice(words.join(" ").as_bytes());
        }
        self.out.push(b'\n');
    }

    fn network(mut self, network: &Network) -> Vec<u8> {
        self.word(&network.name);
        self.word(network.version);
        self.words([PLANES, GLOBALS]);
        if self.version >= 13 {
            self.multipliers(&network.multipliers);
        }
        if self.version >= 15 {
            self.flag(network.trunk.meta.is_some());
            self.flag(network.prefer_pass_alive);
            self.reserved(6);
        }
        self.trunk(&network.trunk);
        self.policy_head(&network.policy);
        self.value_head(&network.value);
        self.out
    }

    fn multipliers(&mut self, multipliers: &Multipliers) {
        let Multipliers { td_score, score_mean, score_stdev, lead, variance_time, shortterm_value_error, shortterm_score_error } =
            *multipliers;
        for multiplier in [td_score, score_mean, score_stdev, lead, variance_time, shortterm_value_error, shortterm_score_error] {
            self.float(multiplier);
        }
    }

    fn trunk(&mut self, trunk: &Trunk) {
        self.word(&trunk.name);
        self.words([trunk.blocks.len(), trunk.channels]);
        self.words(trunk.widths);
        if self.version >= 15 {
            self.flag(matches!(trunk.tip, Tip::Rms { .. }));
            self.reserved(5);
        }
        self.conv(&trunk.initial_conv);
        self.mat_mul(&trunk.initial_mul);
        if let Some(meta) = &trunk.meta {
            self.meta_encoder(meta);
        }
        trunk.blocks.iter().for_each(|block| self.block(block));
        self.tip(&trunk.tip);
        self.activation(&trunk.tip_activation);
    }

    fn meta_encoder(&mut self, meta: &MetaEncoder) {
        self.word(&meta.name);
        self.word(META_INPUTS);
        self.mat_mul(&meta.mul1);
        self.bias(&meta.bias1);
        self.activation(&meta.activation1);
        self.mat_mul(&meta.mul2);
        self.bias(&meta.bias2);
        self.activation(&meta.activation2);
        self.mat_mul(&meta.mul3);
    }

    fn block(&mut self, block: &Block) {
        self.word(block.word());
        match block {
            Block::Residual(block) => self.residual_block(block),
            Block::GlobalPool(block) => self.global_pool_block(block),
            Block::Nested(block) => self.nested_block(block),
            Block::Attention(block) => self.attention_block(block),
            Block::Ffn(block) => self.ffn_block(block),
        }
    }

    fn residual_block(&mut self, block: &ResidualBlock) {
        self.word(&block.name);
        self.batch_norm(&block.pre_norm);
        self.activation(&block.pre_activation);
        self.conv(&block.conv1);
        self.batch_norm(&block.mid_norm);
        self.activation(&block.mid_activation);
        self.conv(&block.conv2);
    }

    fn global_pool_block(&mut self, block: &GlobalPoolBlock) {
        self.word(&block.name);
        self.batch_norm(&block.pre_norm);
        self.activation(&block.pre_activation);
        self.conv(&block.regular_conv);
        self.conv(&block.pool_conv);
        self.batch_norm(&block.pool_norm);
        self.activation(&block.pool_activation);
        self.mat_mul(&block.pool_mul);
        self.batch_norm(&block.mid_norm);
        self.activation(&block.mid_activation);
        self.conv(&block.final_conv);
    }

    fn nested_block(&mut self, block: &NestedBlock) {
        self.word(&block.name);
        self.word(block.blocks.len());
        self.batch_norm(&block.pre_norm);
        self.activation(&block.pre_activation);
        self.conv(&block.pre_conv);
        block.blocks.iter().for_each(|inner| self.block(inner));
        self.batch_norm(&block.post_norm);
        self.activation(&block.post_activation);
        self.conv(&block.post_conv);
    }

    fn attention_block(&mut self, block: &AttentionBlock) {
        self.word(&block.name);
        self.words([block.heads, block.kv_heads, block.q_dim, block.v_dim]);
        self.flag(block.rope.is_some());
        self.flag(matches!(block.rope, Some(Rope::Learnt { .. })));
        self.rms_norm(&block.norm);
        self.mat_mul(&block.q);
        self.mat_mul(&block.k);
        self.mat_mul(&block.v);
        self.mat_mul(&block.out);
        match &block.rope {
            Some(Rope::Learnt { name, frequencies }) => {
                self.word(name);
                self.words([block.kv_heads, block.q_dim / 2, 2]);
                self.floats(frequencies);
            }
            Some(Rope::Fixed { name, theta }) => {
                self.word(name);
                self.float(*theta);
            }
            None => {}
        }
    }

    fn ffn_block(&mut self, block: &FfnBlock) {
        self.word(&block.name);
        self.words([block.linear1.inputs, block.linear1.outputs]);
        self.flag(true);
        self.rms_norm(&block.norm);
        self.mat_mul(&block.linear1);
        self.mat_mul(&block.gate);
        self.mat_mul(&block.linear2);
    }

    fn policy_head(&mut self, head: &PolicyHead) {
        self.word(&head.name);
        if self.version >= 17 {
            self.word(head.channels);
            self.reserved(3);
        }
        self.conv(&head.p1_conv);
        self.conv(&head.g1_conv);
        self.batch_norm(&head.g1_norm);
        self.activation(&head.g1_activation);
        self.mat_mul(&head.pool_mul);
        self.batch_norm(&head.p1_norm);
        self.activation(&head.p1_activation);
        self.conv(&head.p2_conv);
        self.mat_mul(&head.pass_mul);
        if let Some(pass) = &head.pass {
            self.bias(&pass.bias);
            self.activation(&pass.activation);
            self.mat_mul(&pass.mul);
        }
    }

    fn value_head(&mut self, head: &ValueHead) {
        self.word(&head.name);
        if self.version >= 17 {
            self.reserved(3);
        }
        self.conv(&head.v1_conv);
        self.batch_norm(&head.v1_norm);
        self.activation(&head.v1_activation);
        self.mat_mul(&head.v2_mul);
        self.bias(&head.v2_bias);
        self.activation(&head.v2_activation);
        self.mat_mul(&head.v3_mul);
        self.bias(&head.v3_bias);
        self.mat_mul(&head.score_mul);
        self.bias(&head.score_bias);
        self.conv(&head.ownership_conv);
    }
}

/// The layers.
impl Writer {
    fn conv(&mut self, conv: &Conv) {
        self.word(&conv.name);
        self.words([conv.height, conv.width, conv.inputs, conv.outputs, 1, 1]);
        self.floats(&conv.weights);
    }

    fn batch_norm(&mut self, norm: &BatchNorm) {
        self.word(&norm.name);
        self.word(norm.channels());
        self.float(norm.epsilon);
        self.flag(norm.scale.is_some());
        self.flag(norm.bias.is_some());
        self.floats(&norm.mean);
        self.floats(&norm.variance);
        norm.scale.iter().chain(&norm.bias).for_each(|floats| self.floats(floats));
    }

    fn activation(&mut self, activation: &Activation) {
        self.word(&activation.name);
        if self.version >= 11 {
            self.word(activation.kind.word());
        }
    }

    fn mat_mul(&mut self, mul: &MatMul) {
        self.word(&mul.name);
        self.words([mul.inputs, mul.outputs]);
        self.floats(&mul.weights);
    }

    fn bias(&mut self, bias: &Bias) {
        self.word(&bias.name);
        self.word(bias.values.len());
        self.floats(&bias.values);
    }

    fn rms_norm(&mut self, norm: &RmsNorm) {
        self.word(&norm.name);
        self.word(norm.weight.len());
        self.float(norm.epsilon);
        self.floats(&norm.weight);
    }

    fn tip(&mut self, tip: &Tip) {
        match tip {
            Tip::Batch(norm) => self.batch_norm(norm),
            Tip::Rms { norm, beta, spatial } => {
                self.word(&norm.name);
                self.word(norm.weight.len());
                self.float(norm.epsilon);
                self.flag(*spatial);
                self.reserved(1);
                self.floats(&norm.weight);
                self.floats(beta);
            }
        }
    }
}
