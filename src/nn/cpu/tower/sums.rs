//! The gradient of a trunk's weights, as it is summed up over positions.

use super::super::buffer::Buffer;
use super::super::gradient::KernelGradient;
use super::weights::{Affine, Layer, Part};
use super::{Tower, add};
use crate::nn::PLANES;

/// The gradient of a tower's weights, as it is summed up.
pub struct TowerGradient {
    pub(super) initial: KernelGradient,
    pub(super) initial_mul: Vec<f32>,
    pub(super) parts: Vec<PartGradient>,
    pub(super) tip: AffineGradient,
}

pub(super) struct PartGradient {
    pub(super) pre: AffineGradient,
    pub(super) first: KernelGradient,
    pub(super) pool: Option<(AffineGradient, Vec<f32>)>,
    pub(super) mid: AffineGradient,
    pub(super) last: KernelGradient,
}
/// Gradient of a norm's multiplication and addition.
pub(super) struct AffineGradient {
    pub(super) scale: Buffer,
    pub(super) bias: Buffer,
}

impl AffineGradient {
    fn new(affine: &Affine) -> Self {
        Self { scale: Buffer::zeros(affine.stored()), bias: Buffer::zeros(affine.stored()) }
    }

    /// Gradients of the norm's own scale and bias, as far as it has them. Begins anew.
    fn finish(&mut self, affine: &Affine, out: &mut Vec<Vec<f32>>) {
        if affine.learns_scale {
            let each = (0..affine.channels()).map(|c| affine.inverse[c] * (self.scale[c] - affine.mean[c] * self.bias[c]));
            out.push(each.collect());
        }
        if affine.learns_bias {
            out.push(self.bias[..affine.channels()].to_vec());
        }
        self.scale.fill(0.0);
        self.bias.fill(0.0);
    }

    /// Takes over what another has.
    fn join(&mut self, other: &mut Self) {
        take_over(&mut self.scale, &mut other.scale);
        take_over(&mut self.bias, &mut other.bias);
    }
}
impl PartGradient {
    fn new(part: &Part) -> Self {
        let [first, last] = part.layers().map(|layer| KernelGradient::new(layer.inputs, layer.outputs));
        let (pool, mid) = match part {
            Part::Residual { mid, .. } => (None, mid),
            Part::GlobalPool { pool, pool_mul, mid, .. } => {
                (Some((AffineGradient::new(pool), vec![0.0; pool_mul.weights.len()])), mid)
            }
        };
        Self { pre: AffineGradient::new(part.pre()), first, pool, mid: AffineGradient::new(mid), last }
    }

    fn join(&mut self, other: &mut Self) {
        self.pre.join(&mut other.pre);
        self.first.join(&mut other.first);
        if let (Some((norm, mul)), Some((other_norm, other_mul))) = (&mut self.pool, &mut other.pool) {
            norm.join(other_norm);
            take_over(mul, other_mul);
        }
        self.mid.join(&mut other.mid);
        self.last.join(&mut other.last);
    }

    fn finish(&mut self, part: &Part, out: &mut Vec<Vec<f32>>) {
        self.pre.finish(part.pre(), out);
        let kernels = |gradient: &mut KernelGradient, layer: &Layer| {
            let mut weights = vec![0.0; 9 * layer.inputs * layer.outputs];
            gradient.finish(&mut weights);
            weights
        };
        match (part, &mut self.pool) {
            (Part::Residual { conv1, mid, conv2, .. }, _) => {
                out.push(kernels(&mut self.first, conv1));
                self.mid.finish(mid, out);
                out.push(kernels(&mut self.last, conv2));
            }
            (Part::GlobalPool { both, pool, pool_mul, mid, last, .. }, Some((pool_sums, mul_sums))) => {
                let weights = kernels(&mut self.first, both);
                let regular = pool_mul.outputs;
                out.push(weights.chunks_exact(both.outputs).flat_map(|row| row[..regular].to_vec()).collect());
                out.push(weights.chunks_exact(both.outputs).flat_map(|row| row[regular..].to_vec()).collect());
                pool_sums.finish(pool, out);
                out.push(mul_sums.clone());
                mul_sums.fill(0.0);
                self.mid.finish(mid, out);
                out.push(kernels(&mut self.last, last));
            }
            (Part::GlobalPool { .. }, None) => unreachable!("the gradient was made for this block"),
        }
    }
}

impl TowerGradient {
    pub(super) fn new(tower: &Tower) -> Self {
        Self {
            initial: KernelGradient::new(PLANES, tower.channels),
            initial_mul: vec![0.0; tower.initial_mul.weights.len()],
            parts: tower.parts.iter().map(PartGradient::new).collect(),
            tip: AffineGradient::new(&tower.tip),
        }
    }

    /// Adds another, which begins anew.
    pub fn join(&mut self, other: &mut Self) {
        self.initial.join(&mut other.initial);
        take_over(&mut self.initial_mul, &mut other.initial_mul);
        self.parts.iter_mut().zip(&mut other.parts).for_each(|(part, other)| part.join(other));
        self.tip.join(&mut other.tip);
    }

    /// The gradient of each array of the trunk that is learnt, in the order of the network's file. Begins anew.
    pub fn finish(&mut self, tower: &Tower) -> Vec<Vec<f32>> {
        let mut initial = vec![0.0; 9 * PLANES * tower.channels];
        self.initial.finish(&mut initial);
        let mut arrays = vec![initial, self.initial_mul.clone()];
        self.initial_mul.fill(0.0);
        self.parts.iter_mut().zip(&tower.parts).for_each(|(sums, part)| sums.finish(part, &mut arrays));
        self.tip.finish(&tower.tip, &mut arrays);
        arrays
    }
}

/// Adds `other` to `sums`, and clears it.
fn take_over(sums: &mut [f32], other: &mut [f32]) {
    add(sums, other);
    other.fill(0.0);
}
