//! Networks on libtorch: to train them, and to evaluate many positions at once on a GPU. With the feature `torch`.
//!
//! A [`Model`] is a [`Network`](super::Network) whose numbers are tensors. Its forward pass stands once, in `forward.rs`, for evaluation and
//! training alike; `layers.rs` and `attention.rs` have what single layers do.

mod attention;
mod batch;
mod forward;
mod layers;
mod model;
#[cfg(test)]
mod tests;

pub use forward::{Heads, Mode};
pub use model::{Array, Model};
