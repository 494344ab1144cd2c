//! Networks on libtorch: to train them, and to evaluate many positions at once on a GPU. With the feature `torch`.
//!
//! A [`Model`] is a [`Network`](super::Network) whose numbers are tensors. Its forward pass stands once, in `forward.rs`, for evaluation and
//! training alike; `layers.rs` and `attention.rs` have what single layers do. To play, a thread owns a model and serves the others, as the
//! backend [`Torch`] (`server.rs`).

mod attention;
mod batch;
mod forward;
mod layers;
mod model;
mod server;
#[cfg(test)]
mod tests;

pub use forward::{Heads, Mode};
pub use model::{Array, Model};
pub use server::Torch;
pub(in crate::nn) use server::gpus;
