//! The fast backend: any network on any CPU.
//!
//! `forward.rs` names the layers in their order; the kernels stand apart: `product.rs` (matrix products), `winograd.rs` and `conv.rs`
//! (convolutions), `finish.rs` (norms, activations and skips, done while values are in registers), `attention.rs`, `pool.rs`. `layout.rs`
//! says where points lie, `model.rs` lays out weights, `simd` has the machine's vectors.
//!
//! One evaluation runs on one core; threads evaluate different positions.

mod attention;
mod buffer;
mod conv;
mod finish;
mod forward;
mod gradient;
mod layout;
mod math;
mod model;
mod pool;
mod product;
mod simd;
#[cfg(test)]
mod tests;
mod tower;
mod winograd;

use std::sync::Arc;

pub use simd::Level;
pub use tower::{Tower, TowerGradient, TowerRoom, Trace};

use super::{Backend, Inputs, Network, RawOutputs};
use crate::board::Size;
use layout::Layout;
use model::Model;

/// Bytes of one activation of the trunk that may go through the layers together: more boards share the weights' way from far memory, but
/// soon their own values no longer fit in the near one. (19x19, one thread: with four boards at a time g170-b6c96 is 10 % faster than with
/// eight, g170e-b15c192 with two 13 %.)
const TOGETHER: usize = 600 << 10;

/// A network on the CPU. Clones share the weights.
pub struct Cpu {
    model: Arc<Model>,
    scratch: forward::Scratch,
}

impl Cpu {
    /// The network, computed with the machine's best instructions.
    pub fn new(network: &Network) -> Self {
        Self::with_level(network, Level::best())
    }

    /// The network, computed with certain instructions; with the portable ones where the machine lacks them.
    pub fn with_level(network: &Network, level: Level) -> Self {
        let level = if Level::available().contains(&level) { level } else { Level::Portable };
        Self { model: Arc::new(Model::new(level, network)), scratch: forward::Scratch::default() }
    }

    /// Bytes that the weights take, about, once they are laid out for a size of board.
    pub fn bytes(&self) -> u64 {
        self.model.bytes() as u64
    }

    /// Lays out the weights for boards of this size, on all cores. What is not prepared is laid out when it is first needed.
    pub fn prepare(&self, board: Size) {
        let mut layout = Layout::default();
        layout.set(std::iter::once(board));
        self.model.prepare(&layout);
    }
}

impl Clone for Cpu {
    fn clone(&self) -> Self {
        Self { model: Arc::clone(&self.model), scratch: forward::Scratch::default() }
    }
}

impl Backend for Cpu {
    fn evaluate(&mut self, inputs: &[&Inputs], outputs: &mut [RawOutputs]) {
        assert_eq!(inputs.len(), outputs.len());
        let bytes = |input: &Inputs| input.board.area() * self.model.channels * size_of::<f32>();
        let (mut inputs, mut outputs) = (inputs, outputs);
        while let Some(first) = inputs.first() {
            let count = (TOGETHER / bytes(first)).max(2).min(inputs.len());
            let (batch, more_inputs) = inputs.split_at(count);
            let (out, more_outputs) = outputs.split_at_mut(count);
            self.scratch.layout.set(batch.iter().map(|input| input.board));
            forward::forward(&self.model, batch, &mut self.scratch, out);
            (inputs, outputs) = (more_inputs, more_outputs);
        }
    }
}
