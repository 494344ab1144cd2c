//! What stands for libtorch in a build without it: nothing that could be had.

use std::convert::Infallible;

use super::{Backend, Inputs, Network, NoBackend, RawOutputs};
use crate::params::Device;

/// A network on libtorch: there is none.
#[derive(Clone)]
pub(super) struct Torch(Infallible);

impl Torch {
    pub(super) fn new(_: &Network, _: Device) -> Result<Self, NoBackend> {
        Err(NoBackend::NotBuilt)
    }

    pub(super) fn bytes(&self) -> u64 {
        match self.0 {}
    }
}

impl Backend for Torch {
    fn evaluate(&mut self, _: &[&Inputs], _: &mut [RawOutputs]) {
        match self.0 {}
    }
}

/// How many GPUs libtorch has: nothing, as it is not there.
pub(super) fn gpus() -> Option<u32> {
    None
}
