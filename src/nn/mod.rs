//! Networks in KataGo's format: their files, input planes, forward passes, and what comes out of them means.
//!
//! A file becomes a [`Network`], plain data (`network.rs`). [`Features`] turn a position into [`Inputs`], in any [`Symmetry`]. A [`Backend`]
//! is made from the network and turns [`Inputs`] into [`RawOutputs`]; [`Outputs`] are what these mean in the game. There are two backends on
//! the CPU, `plain`, slow and simple, which is the reference for all others, and `cpu`, the fast one; and `torch`, with the feature of that
//! name, for GPUs and training.
//!
//! To play, a file is made a [`LoadedNetwork`], and each search thread asks it through a [`NetEvaluator`], which looks into the cache first.

mod backend;
mod cache;
mod computer;
mod cpu;
mod embedded;
mod evaluator;
mod facts;
mod features;
mod file;
mod loaded;
mod map;
mod network;
mod outputs;
mod people;
mod plain;
mod random;
#[cfg(not(feature = "torch"))]
#[path = "no_torch.rs"]
mod torch;
#[cfg(feature = "torch")]
pub mod torch;

pub use crate::board::Symmetry;
pub use backend::{Backend, GLOBALS, Inputs, META_INPUTS, PLANES, RawOutputs};
pub use computer::{NoBackend, is_on_gpu};
pub use cpu::{Cpu, Level, Tower, TowerGradient, TowerRoom, Trace};
pub use evaluator::{NetEvaluator, Question};
pub use features::{FeatureOptions, Features};
pub use file::{BadNetwork, Flaw, Form, NEWEST_VERSION, OLDEST_VERSION};
pub use loaded::{LoadedNetwork, NotLoaded};
pub use map::Role;
pub use network::{
    Activation, ActivationKind, AttentionBlock, BatchNorm, Bias, Block, Conv, FfnBlock, GlobalPoolBlock, MatMul, MetaEncoder,
    Multipliers, NestedBlock, Network, PassHead, PolicyHead, ResidualBlock, RmsNorm, Rope, Tip, Trunk, ValueHead,
};
pub use outputs::{Decoder, Outputs, PolicyOptions};
pub use plain::Plain;
pub use random::BlockKind;
