//! The seam between networks and what computes them: the CPU, plainly or fast, or libtorch.

use crate::board::Size;

/// Input planes (input set V7).
pub const PLANES: usize = 22;
/// Global inputs.
pub const GLOBALS: usize = 19;
/// Inputs that say who is playing.
pub const META_INPUTS: usize = 192;

/// A position as a network sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// The board. It lies in the upper left corner of the tensor.
    pub board: Size,
    /// The tensor's width and height, at least the board's.
    pub tensor: Size,
    /// `[y][x][plane]` over the tensor, rows from the top.
    pub spatial: Vec<f32>,
    /// The global inputs.
    pub global: [f32; GLOBALS],
    /// Who is playing, for networks with a metadata encoder; ignored by the others, and all zero to them that miss it.
    pub meta: Option<Box<[f32; META_INPUTS]>>,
}

impl Inputs {
    /// All zero: memory for [`Features::encode`](super::Features::encode) to write to.
    pub fn new(tensor: Size) -> Self {
        Self { board: tensor, tensor, spatial: vec![0.0; tensor.area() * PLANES], global: [0.0; GLOBALS], meta: None }
    }
}

/// What a network says, before it is given a meaning. All is seen from the player to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawOutputs {
    /// Policy logits `[channel][y][x]` over the tensor; off the board anything. Only the channels that are policies, 1 or 2.
    pub policy: Vec<f32>,
    /// Policy logit of a pass, by channel.
    pub pass: Vec<f32>,
    /// Logits of win, loss and no result.
    pub value: [f32; 3],
    /// Score values as they leave the head: 4 (version 8) or 6, the rest 0.
    pub score: [f32; 6],
    /// Ownership before tanh, `[y][x]` over the tensor; off the board anything.
    pub ownership: Vec<f32>,
}

/// Computes a network. Each thread owns one, with its scratch memory; weights are shared.
pub trait Backend: Send {
    /// Evaluates each of `inputs` into the same place of `outputs`, whose old content goes. Both are as long.
    fn evaluate(&mut self, inputs: &[&Inputs], outputs: &mut [RawOutputs]);
}
