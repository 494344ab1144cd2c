//! The engine's network, which is read while the engine already does other things.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::board::Size;
use crate::nn::{LoadedNetwork, NetEvaluator};
use crate::params::{NetworkFile, NetworkParams};

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
    /// Here, and being made ready for boards of another size.
    Preparing(Arc<LoadedNetwork>, JoinHandle<()>),
    /// Here.
    Ready(Arc<LoadedNetwork>),
    /// It cannot be had.
    Failed(NoNetwork),
}

impl NetworkSlot {
    /// Begins to read the network that judges, if `params` name one, and to make it ready for boards of `size`. `cache` bytes are for what it
    /// will say. An error is logged at once.
    pub(super) fn begin(params: &NetworkParams, cache: u64, size: Size) -> Self {
        Self::read(params.file.clone(), params, cache, size, "no move can be searched")
    }

    /// The same of the network of human play.
    pub(super) fn begin_human(params: &NetworkParams, size: Size) -> Self {
        Self::read(params.human_model.clone(), params, 0, size, "nothing can be told of how people play")
    }

    /// Begins to read `file`; if it cannot be had, that has a `consequence`.
    fn read(file: NetworkFile, params: &NetworkParams, cache: u64, size: Size, consequence: &'static str) -> Self {
        if file == NetworkFile::None {
            return Self::Empty;
        }
        let (backend, device) = (params.backend, params.device);
        let read = move || match LoadedNetwork::named(&file, backend, device, cache) {
            Ok(network) => {
                let network = Arc::new(network);
                NetEvaluator::warm_up(&network, size);
                Ok(network)
            }
            Err(error) => {
                log::error!("{consequence}: {error}");
                Err(NoNetwork(error.to_string()))
            }
        };
        Self::coming(read)
    }

    /// The network comes from `make`, which runs in the background.
    fn coming(make: impl FnOnce() -> Result<Arc<LoadedNetwork>, NoNetwork> + Send + 'static) -> Self {
        match spawn(make) {
            Ok(reading) => Self::Coming(reading),
            Err(error) => Self::Failed(NoNetwork(format!("no thread can be started to read the network: {error}"))),
        }
    }

    /// Makes the network ready for boards of `size` in the background, once it is here: what a search did of that would take its time.
    pub(super) fn prepare(&mut self, size: Size) {
        let (network, before) = match std::mem::replace(self, Self::Empty) {
            Self::Coming(reading) => {
                *self = Self::coming(move || {
                    let network = join(reading)?;
                    NetEvaluator::warm_up(&network, size);
                    Ok(network)
                });
                return;
            }
            Self::Preparing(network, before) => (network, Some(before)),
            Self::Ready(network) => (network, None),
            other => {
                *self = other;
                return;
            }
        };
        let shared = Arc::clone(&network);
        let preparing = spawn(move || {
            // One after the other, so that each measures alone how long an evaluation takes.
            let _ = before.map(JoinHandle::join);
            NetEvaluator::warm_up(&shared, size);
        });
        *self = match preparing {
            Ok(preparing) => Self::Preparing(network, preparing),
            Err(_) => Self::Ready(network),
        };
    }

    /// Waits until it is ready. True if it has just come.
    pub(super) fn wait(&mut self) -> bool {
        match std::mem::replace(self, Self::Empty) {
            Self::Coming(reading) => {
                *self = join(reading).map_or_else(Self::Failed, Self::Ready);
                return matches!(self, Self::Ready(_));
            }
            Self::Preparing(network, preparing) => {
                // A panic was told on standard error, and will come again with the first evaluation.
                let _ = preparing.join();
                *self = Self::Ready(network);
            }
            other => *self = other,
        }
        false
    }

    /// The network, if it has come.
    pub(super) fn get(&self) -> Option<&Arc<LoadedNetwork>> {
        match self {
            Self::Ready(network) | Self::Preparing(network, _) => Some(network),
            Self::Empty | Self::Coming(_) | Self::Failed(_) => None,
        }
    }
}

fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    thread::Builder::new().name("network".to_owned()).spawn(work)
}

/// What came of reading. (A panic was told on standard error.)
fn join(reading: JoinHandle<Result<Arc<LoadedNetwork>, NoNetwork>>) -> Result<Arc<LoadedNetwork>, NoNetwork> {
    let fault = |_| Err(NoNetwork("reading the network failed by a fault of Tengen's".to_owned()));
    reading.join().unwrap_or_else(fault)
}
