//! The layers of a network file, which all of its parts are made of.

use super::flaw::Flaw;
use super::read::{MOST_CHANNELS, Read, Reader};
use super::source::wrong;
use crate::nn::network::{Activation, ActivationKind, BatchNorm, Bias, Conv, MatMul, RmsNorm, Tip};

/// Longest side of a kernel; public networks have up to 5. From further away nothing reaches a point of the largest board.
const LONGEST_KERNEL: usize = 49;

/// What size a kernel may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    /// Any odd one.
    Any,
    /// 1x1.
    One,
}

/// The layers. Each is told the width that comes in, and the width that must come out if that is known.
impl Reader<'_> {
    pub(super) fn conv(&mut self, role: &str, kernel: Kernel, inputs: usize, outputs: Option<usize>) -> Read<Conv> {
        self.part(role, |reader, name| {
            let height = reader.kernel_side("kernel's height", kernel)?;
            let width = reader.kernel_side("kernel's width", kernel)?;
            reader.source.exactly("input channels", inputs)?;
            let outputs = reader.width("output channels", outputs)?;
            reader.source.exactly("vertical dilation", 1)?;
            reader.source.exactly("horizontal dilation", 1)?;
            let weights = reader.source.floats("weights", &[height, width, inputs, outputs])?;
            Ok(Conv { name, height, width, inputs, outputs, weights })
        })
    }

    fn kernel_side(&mut self, field: &'static str, kernel: Kernel) -> Read<usize> {
        if kernel == Kernel::One {
            self.source.exactly(field, 1)?;
            return Ok(1);
        }
        let side = self.source.count(field, 1..=LONGEST_KERNEL)?;
        if side % 2 == 1 { Ok(side) } else { Err(wrong(field, "an odd number", side)) }
    }

    /// A width: a known one, or any.
    fn width(&mut self, field: &'static str, known: Option<usize>) -> Read<usize> {
        match known {
            Some(width) => self.source.exactly(field, width).map(|()| width),
            None => self.source.count(field, 1..=MOST_CHANNELS),
        }
    }

    pub(super) fn mat_mul(&mut self, role: &str, inputs: usize, outputs: Option<usize>) -> Read<MatMul> {
        self.part(role, |reader, name| {
            reader.source.exactly("inputs", inputs)?;
            let outputs = reader.width("outputs", outputs)?;
            Ok(MatMul { name, inputs, outputs, weights: reader.source.floats("weights", &[inputs, outputs])? })
        })
    }

    pub(super) fn bias(&mut self, role: &str, channels: usize) -> Read<Bias> {
        self.part(role, |reader, name| {
            reader.source.exactly("channels", channels)?;
            Ok(Bias { name, values: reader.source.floats("biases", &[channels])? })
        })
    }

    pub(super) fn activation(&mut self, role: &str) -> Read<Activation> {
        self.part(role, |reader, name| {
            if reader.version < 11 {
                return Ok(Activation { name, kind: ActivationKind::Relu });
            }
            let word = reader.source.word("its kind")?;
            let kind = ActivationKind::ALL.into_iter().find(|kind| kind.word() == word);
            let kind = kind.ok_or_else(|| wrong("kind of activation", "one that Tengen knows", word.escape_debug()))?;
            Ok(Activation { name, kind })
        })
    }

    pub(super) fn batch_norm(&mut self, role: &str, channels: usize) -> Read<BatchNorm> {
        self.part(role, |reader, name| {
            reader.source.exactly("channels", channels)?;
            let epsilon = reader.source.positive("epsilon")?;
            let has_scale = reader.source.flag("whether it has scales")?;
            let has_bias = reader.source.flag("whether it has biases")?;
            let mean = reader.source.floats("means", &[channels])?;
            let variance = reader.source.floats("variances", &[channels])?;
            if let Some(index) = variance.iter().position(|variance| variance + epsilon <= 0.0) {
                let found = variance[index].to_string();
                return Err(Flaw::Weight { what: "variances", index, count: channels, found });
            }
            let scale = if has_scale { Some(reader.source.floats("scales", &[channels])?) } else { None };
            let bias = if has_bias { Some(reader.source.floats("biases", &[channels])?) } else { None };
            Ok(BatchNorm { name, epsilon, mean, variance, scale, bias })
        })
    }

    pub(super) fn rms_norm(&mut self, role: &str, channels: usize) -> Read<RmsNorm> {
        self.part(role, |reader, name| {
            reader.source.exactly("channels", channels)?;
            let epsilon = reader.source.positive("epsilon")?;
            Ok(RmsNorm { name, epsilon, weight: reader.source.floats("weights", &[channels])? })
        })
    }

    pub(super) fn rms_tip(&mut self, channels: usize) -> Read<Tip> {
        self.part("last norm", |reader, name| {
            reader.source.exactly("channels", channels)?;
            let epsilon = reader.source.positive("epsilon")?;
            let spatial = reader.source.flag("whether it spans the board")?;
            reader.source.exactly("size of a group", 0)?;
            let weight = reader.source.floats("weights", &[channels])?;
            let beta = reader.source.floats("biases", &[channels])?;
            Ok(Tip::Rms { norm: RmsNorm { name, epsilon, weight }, beta, spatial })
        })
    }
}
