//! Positions as tensors, and what a network says of them as numbers.

use tch::{Device, Kind, Tensor};

use super::Heads;
use crate::nn::{GLOBALS, Inputs, META_INPUTS, PLANES, RawOutputs};

/// Positions side by side in tensors that hold the largest.
pub(super) struct Batch {
    pub(super) planes: Tensor,
    pub(super) globals: Tensor,
    pub(super) meta: Tensor,
    width: usize,
}

impl Batch {
    pub(super) fn new(inputs: &[&Inputs], device: Device) -> Self {
        let most = |side: fn(&Inputs) -> usize| inputs.iter().map(|input| side(input)).max().unwrap_or(0);
        let (height, width) = (most(|input| input.tensor.height()), most(|input| input.tensor.width()));
        let mut planes = vec![0.0; inputs.len() * height * width * PLANES];
        let mut globals = Vec::with_capacity(inputs.len() * GLOBALS);
        let mut meta = Vec::with_capacity(inputs.len() * META_INPUTS);
        for (input, planes) in inputs.iter().zip(planes.chunks_exact_mut(height * width * PLANES)) {
            let row = input.tensor.width() * PLANES;
            for (from, to) in input.spatial.chunks_exact(row).zip(planes.chunks_exact_mut(width * PLANES)) {
                to[..row].copy_from_slice(from);
            }
            globals.extend_from_slice(&input.global);
            meta.extend_from_slice(input.meta.as_deref().unwrap_or(&[0.0; META_INPUTS]));
        }
        let tensor = |values: &[f32], shape: &[usize]| {
            let shape: Vec<i64> = shape.iter().map(|&side| side as i64).collect();
            Tensor::from_slice(values).view(shape.as_slice()).to_device(device)
        };
        Self {
            planes: tensor(&planes, &[inputs.len(), height, width, PLANES]).permute([0, 3, 1, 2]),
            globals: tensor(&globals, &[inputs.len(), GLOBALS]),
            meta: tensor(&meta, &[inputs.len(), META_INPUTS]),
            width,
        }
    }

    /// Writes what a network says of each of `inputs`, which made this batch.
    pub(super) fn tell(&self, heads: &Heads, inputs: &[&Inputs], outputs: &mut [RawOutputs]) {
        let Heads { policy, value, score, ownership, .. } = heads;
        // Channels after the second are no policies.
        let policies = (policy.size()[1] as usize).min(2);
        let policy = policy.narrow(1, 0, policies as i64);
        let sizes = [policy.size()[2] as usize, score.size()[1] as usize];
        let [channel, scores] = sizes;
        // One transfer for all.
        let all =
            Tensor::cat(&[policy.flatten(1, -1), value.shallow_clone(), score.shallow_clone(), ownership.flatten(1, -1)], 1);
        let all = all.to_device(Device::Cpu).to_kind(Kind::Float).contiguous().view(-1);
        let all: Vec<f32> = Vec::try_from(all).expect("a flat tensor of float32 on the CPU becomes a vector");
        let each = all.chunks_exact(all.len() / inputs.len());
        for ((&input, output), all) in inputs.iter().zip(outputs).zip(each) {
            let (policy, rest) = all.split_at(policies * channel);
            let (value, rest) = rest.split_at(3);
            let (score, ownership) = rest.split_at(scores);
            output.policy.clear();
            output.pass.clear();
            for policy in policy.chunks_exact(channel) {
                self.crop(&policy[..channel - 1], input, &mut output.policy);
                output.pass.push(policy[channel - 1]);
            }
            output.value.copy_from_slice(value);
            output.score = [0.0; 6];
            output.score[..scores].copy_from_slice(score);
            output.ownership.clear();
            self.crop(ownership, input, &mut output.ownership);
        }
    }

    /// The part of a plane that is the tensor of `input`.
    fn crop(&self, plane: &[f32], input: &Inputs, to: &mut Vec<f32>) {
        let (height, width) = (input.tensor.height(), input.tensor.width());
        to.extend(plane.chunks_exact(self.width).take(height).flat_map(|row| &row[..width]));
    }
}
