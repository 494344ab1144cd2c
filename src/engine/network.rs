//! The engine's network, which is read while the engine already does other things.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::board::Size;
use crate::nn::{LoadedNetwork, NetEvaluator};

/// Why there is no network though the settings name one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoNetwork(String);

/// Where the network is.
pub(super) enum NetworkSlot {
    /// None is asked for.
    Empty,
    /// It is being read.
    Coming(JoinHandle<Result<Arc<LoadedNetwork>, NoNetwork>>),
    /// Here.
    Ready(Arc<LoadedNetwork>),
    /// It cannot be had.
    Failed(NoNetwork),
}

impl NetworkSlot {
    /// Begins to read the network in `file`, if there is one, and to make it ready for boards of `size`. `cache` bytes are for what it
    /// will say. An error is logged at once.
    pub(super) fn begin(file: Option<PathBuf>, cache: u64, size: Size) -> Self {
        let Some(file) = file else { return Self::Empty };
        let read = move || match LoadedNetwork::read(&file, cache) {
            Ok(network) => {
                let network = Arc::new(network);
                NetEvaluator::warm_up(&network, size);
                Ok(network)
            }
            Err(error) => {
                log::error!("no move can be searched: {error}");
                Err(NoNetwork(error.to_string()))
            }
        };
        match thread::Builder::new().name("network".to_owned()).spawn(read) {
            Ok(reading) => Self::Coming(reading),
            Err(error) => Self::Failed(NoNetwork(format!("no thread can be started to read the network: {error}"))),
        }
    }

    /// Waits for it. True if it has just come.
    pub(super) fn wait(&mut self) -> bool {
        let Self::Coming(_) = self else { return false };
        let failed = Self::Failed(NoNetwork("reading the network failed by a fault of Tengen's".to_owned()));
        let Self::Coming(reading) = std::mem::replace(self, failed) else { return false };
        match reading.join() {
            Ok(Ok(network)) => *self = Self::Ready(network),
            Ok(Err(error)) => *self = Self::Failed(error),
            // The panic was told on standard error.
            Err(_) => {}
        }
        matches!(self, Self::Ready(_))
    }

    /// The network, if it has come.
    pub(super) fn get(&self) -> Option<&Arc<LoadedNetwork>> {
        if let Self::Ready(network) = self { Some(network) } else { None }
    }
}
