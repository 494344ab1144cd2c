//! What a run of training is told.

use std::path::PathBuf;
use std::time::Duration;

use super::batch::Blend;
use super::fresh::Shape;
use super::loss::LossWeights;
use super::schedule::Schedule;

/// A run of training.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folders of rows, with those below them.
    pub data: Vec<PathBuf>,
    /// Folder of rows that are held out to validate.
    pub validation: Option<PathBuf>,
    /// Of these at most so many.
    pub validation_rows: usize,
    /// Folder of the run.
    pub out: PathBuf,
    /// What the network is at first.
    pub start: Start,
    /// Its name in its file.
    pub name: String,
    /// Rows of a batch.
    pub batch: usize,
    /// Learning rate and length of the run.
    pub schedule: Schedule,
    /// Optimiser.
    pub optimiser: OptimiserKind,
    /// Share of weights that is taken off a step, times the learning rate. Only for kernels and matrices.
    pub weight_decay: f64,
    /// The longest that the gradient may be; longer ones are shortened.
    pub clip: f64,
    /// The exported weights are the average of the last so many rows', the older the less. 0: the last weights themselves.
    pub average_rows: f64,
    /// What norms go by.
    pub norms: Norms,
    /// What the losses count.
    pub losses: LossWeights,
    /// How rows become targets.
    pub blend: Blend,
    /// Seed of weights, order and symmetries.
    pub seed: u64,
    /// Rows between two reports.
    pub report_rows: u64,
    /// Time between two checkpoints.
    pub checkpoint_every: Duration,
    /// Where a small checkpoint is kept as well.
    pub small_checkpoint: Option<PathBuf>,
    /// What computes.
    pub device: DeviceChoice,
    /// Threads; none: one a core.
    pub threads: Option<usize>,
}

/// What the network is at first.
#[derive(Clone, Debug)]
pub enum Start {
    /// A new one.
    Fresh(Shape),
    /// One of a file.
    Network(PathBuf),
    /// That of a checkpoint, with all that the run had learnt and the place in its schedule.
    Checkpoint(PathBuf),
}

/// Optimisers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OptimiserKind {
    /// Steps of about the same size for every weight (I. Loshchilov and F. Hutter, 2019)
    Adamw,
    /// Steps along the gradient, with Nesterov's momentum
    Sgd,
}

/// What the norms of a network go by in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Norms {
    /// Their stored statistics, so that scale and bias are all that is learnt: faster, and any size of batch will do
    Fixed,
    /// The batch's statistics
    Batch,
}

/// What computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceChoice {
    /// CUDA if there is any, else the CPU.
    Auto,
    /// The CPU.
    Cpu,
    /// A CUDA device, from 0.
    Cuda(usize),
}

impl std::str::FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number =
            text.strip_prefix("cuda").map(|rest| rest.strip_prefix(':').unwrap_or(if rest.is_empty() { "0" } else { rest }));
        match (text, number.map(str::parse)) {
            ("auto", _) => Ok(Self::Auto),
            ("cpu", _) => Ok(Self::Cpu),
            (_, Some(Ok(number))) => Ok(Self::Cuda(number)),
            _ => Err("this takes auto, cpu, cuda or cuda:NUMBER".to_owned()),
        }
    }
}
