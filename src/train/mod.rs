//! Networks learn from rows: `tengen train`.
//!
//! `feed.rs` reads [rows](crate::rows) in random order and makes batches (`batch.rs`) of boards of one size. `learner.rs` has the network as tensors, the heads that
//! only training knows (`sides.rs`), the losses of a batch (`objective.rs`, whose weights are the table in `loss.rs`) and the optimiser. `run.rs` is a run from its start to its end: learning
//! rate (`schedule.rs`), validation, log and curves (`log.rs`, `chart.rs`), checkpoints. What computes with tensors needs the feature `torch`.
//!
//! A run's folder holds `checkpoint.tengen`, from which it goes on whenever it is started again; `net.bin.gz`, the network with averaged weights;
//! `log.tsv` and `curves.svg`. All are replaced whole, so a run may be killed at any time.

pub mod batch;
pub mod chart;
pub mod checkpoint;
pub mod feed;
pub mod fresh;
#[cfg(feature = "torch")]
mod learner;
pub mod log;
pub mod loss;
#[cfg(feature = "torch")]
mod objective;
#[cfg(feature = "torch")]
mod optimiser;
#[cfg(feature = "torch")]
mod run;
pub mod schedule;
pub mod settings;
#[cfg(feature = "torch")]
mod sides;
#[cfg(all(test, feature = "torch"))]
mod tests;

#[cfg(feature = "torch")]
pub use run::{Failure, Report, Watcher, run};
