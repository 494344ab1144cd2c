//! A network as tensors.

use tch::{Device, Kind, Tensor};

use super::batch::Batch;
use super::forward::{Heads, Mode, forward, heads};
use super::layers::Grid;
use crate::nn::{Inputs, Network, RawOutputs, Role};

/// A network whose arrays are tensors on one device.
#[derive(Debug)]
pub struct Model {
    network: Network<Tensor>,
    device: Device,
}

/// An array of a model's numbers.
#[derive(Debug)]
pub struct Array {
    /// The name of its layer and its role, such as `block0/conv1.weights`. Files seldom have a name twice, but nothing forbids it.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// The numbers themselves, not a copy. The axes of kernels are `[output][input][y][x]` here, those of the rest as its
    /// [`Role`] says.
    pub tensor: Tensor,
}

impl Array {
    /// Numbers in the file's order, such as a gradient, in the shape and on the device of this array.
    pub fn like(&self, values: &[f32]) -> Tensor {
        shaped(self.role, values).to_device(self.tensor.device())
    }
}

/// An array's numbers in the shape that its tensor has.
fn shaped(role: Role, values: &[f32]) -> Tensor {
    let values = Tensor::from_slice(values);
    match role {
        Role::Kernels { height, width, inputs, outputs } => {
            let shape = [height, width, inputs, outputs].map(|side| side as i64);
            // Channels lie together in memory, and so libtorch keeps those of activations together too: its fastest convolutions want that.
            values.view(shape).permute([3, 0, 1, 2]).contiguous().permute([0, 3, 1, 2])
        }
        Role::Matrix { inputs, outputs } => values.view([inputs as i64, outputs as i64]),
        Role::Frequencies { heads, pairs } => values.view([heads as i64, pairs as i64, 2]),
        Role::Scale | Role::Bias | Role::Mean | Role::Variance => values,
    }
}

impl Model {
    /// `network` on `device`. Weights of convolutions and matrices are kept, and their products computed, as `kind`; all else is float32.
    pub fn new(network: &Network, device: Device, kind: Kind) -> Self {
        let tensor = |_: &str, role: Role, values: &Vec<f32>| {
            let tensor = shaped(role, values).to_device(device);
            match role {
                Role::Kernels { .. } | Role::Matrix { .. } => tensor.to_kind(kind),
                _ => tensor,
            }
        };
        Self { network: network.map(tensor), device }
    }

    /// Where it is.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The network as it is now.
    pub fn to_network(&self) -> Network {
        self.network.map(|_, role, tensor| {
            let tensor = match role {
                Role::Kernels { .. } => tensor.permute([2, 3, 1, 0]),
                _ => tensor.shallow_clone(),
            };
            let flat = tensor.detach().to_device(Device::Cpu).to_kind(Kind::Float).contiguous().view(-1);
            Vec::try_from(flat).expect("a flat tensor of float32 on the CPU becomes a vector")
        })
    }

    /// All arrays, in the order of the network's file. Training changes those whose role [`is_learnt`](Role::is_learnt) by their gradients, and the
    /// others, running averages of the batches' statistics, by itself.
    pub fn arrays(&self) -> Vec<Array> {
        let mut arrays = Vec::new();
        self.network.map(|layer, role, tensor| {
            let name = format!("{layer}.{}", role.word());
            arrays.push(Array { name, role, tensor: tensor.shallow_clone() });
        });
        arrays
    }

    /// What the network says of a batch: `planes` are `[n][22][h][w]`, plane 0 saying which points are on the board; `globals` are `[n][19]`; `meta` is `[n][192]`,
    /// for networks with a metadata encoder, and all zero to them if missing. All are float32 on the model's device. Boards may differ in size
    /// within a batch.
    pub fn forward(&self, planes: &Tensor, globals: &Tensor, meta: Option<&Tensor>, mode: Mode) -> Heads {
        forward(&self.network, planes, globals, meta, mode)
    }

    /// The same where the trunk has been computed already: `trunk` is what [`Heads::trunk`] would be.
    pub fn heads(&self, planes: &Tensor, trunk: &Tensor, mode: Mode) -> Heads {
        heads(&self.network, &Grid::new(planes, mode), trunk.shallow_clone())
    }

    /// Evaluates each of `inputs` into the same place of `outputs`, all in one batch.
    pub fn evaluate(&self, inputs: &[&Inputs], outputs: &mut [RawOutputs]) {
        assert_eq!(inputs.len(), outputs.len(), "an output for each input");
        if inputs.is_empty() {
            return;
        }
        let batch = Batch::new(inputs, self.device);
        let heads = tch::no_grad(|| self.forward(&batch.planes, &batch.globals, Some(&batch.meta), Mode::Evaluate));
        batch.tell(&heads, inputs, outputs);
    }
}
