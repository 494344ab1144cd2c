//! The choice of what computes a network.

use super::torch::{self, Torch};
use super::{Backend, Cpu, Network};
use crate::board::Size;
use crate::params::{BackendKind, Device};

/// Why a network cannot be computed as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBackend {
    /// Libtorch is asked for.
    #[error(
        "this tengen was built without libtorch; build it with `scripts/with-libtorch cargo build --release --features torch`, \
         or take `--backend cpu`"
    )]
    NotBuilt,
    /// A GPU is asked for, and the CPU.
    #[error("the backend cpu does not compute on {0}; take `--backend torch`")]
    OnCpuAlone(Device),
    /// There is no such device.
    #[error("libtorch has no device {device}: it finds {found} GPUs; `--device cpu` is always there")]
    NoDevice {
        /// The one asked for.
        device: Device,
        /// How many GPUs there are.
        found: u32,
    },
    /// The device refuses.
    #[error("libtorch cannot take the network to {device}: {why}")]
    Failed {
        /// The one asked for.
        device: Device,
        /// What libtorch says.
        why: String,
    },
}

/// What computes one network, shared by all threads.
pub(super) enum Computer {
    Cpu(Box<Cpu>),
    Torch(Torch),
}

impl Computer {
    pub(super) fn new(network: &Network, backend: BackendKind, device: Device) -> Result<Self, NoBackend> {
        Ok(match chosen(backend, device, torch::gpus)? {
            None => Self::Cpu(Box::new(Cpu::new(network))),
            Some(device) => Self::Torch(Torch::new(network, device)?),
        })
    }

    /// A backend for a thread.
    pub(super) fn backend(&self) -> Box<dyn Backend> {
        match self {
            Self::Cpu(cpu) => cpu.clone(),
            Self::Torch(torch) => Box::new(torch.clone()),
        }
    }

    /// Lays out weights for boards of `size`, on all cores, if that takes time.
    pub(super) fn prepare(&self, size: Size) {
        if let Self::Cpu(cpu) = self {
            cpu.prepare(size);
        }
    }

    /// Bytes that the weights take of the machine's own memory, about.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Cpu(cpu) => cpu.bytes(),
            Self::Torch(torch) => torch.bytes(),
        }
    }
}

/// Whether these compute on a GPU, which wants many positions at once. Nothing is said of whether it works.
pub fn is_on_gpu(backend: BackendKind, device: Device) -> bool {
    matches!(chosen(backend, device, torch::gpus), Ok(Some(Device::Cuda(_))))
}

/// Where libtorch is to compute; nowhere if the program's own kernels are to. `gpus` counts the GPUs that libtorch has, if it is there.
fn chosen(backend: BackendKind, device: Device, gpus: impl FnOnce() -> Option<u32>) -> Result<Option<Device>, NoBackend> {
    match (backend, device) {
        (BackendKind::Cpu, Device::Cuda(_)) => Err(NoBackend::OnCpuAlone(device)),
        (BackendKind::Cpu, _) | (BackendKind::Auto, Device::Cpu) => Ok(None),
        (BackendKind::Auto, Device::Auto) => Ok(gpus().is_some_and(|count| count > 0).then_some(Device::Cuda(0))),
        (BackendKind::Auto | BackendKind::Torch, _) => {
            let found = gpus().ok_or(NoBackend::NotBuilt)?;
            match device {
                Device::Cuda(number) if number >= found => Err(NoBackend::NoDevice { device, found }),
                Device::Auto if found > 0 => Ok(Some(Device::Cuda(0))),
                Device::Auto => Ok(Some(Device::Cpu)),
                _ => Ok(Some(device)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NoBackend, chosen};
    use crate::params::BackendKind::{Auto, Cpu, Torch};
    use crate::params::Device;

    #[test]
    fn what_computes_follows_from_what_is_there() {
        let [cuda, second] = [Device::Cuda(0), Device::Cuda(1)];
        let missing = |device, found| Err(NoBackend::NoDevice { device, found });
        for (backend, device, without, no_gpu, one_gpu) in [
            (Cpu, Device::Auto, Ok(None), Ok(None), Ok(None)),
            (Cpu, Device::Cpu, Ok(None), Ok(None), Ok(None)),
            (Auto, Device::Auto, Ok(None), Ok(None), Ok(Some(cuda))),
            (Auto, Device::Cpu, Ok(None), Ok(None), Ok(None)),
            (Auto, cuda, Err(NoBackend::NotBuilt), missing(cuda, 0), Ok(Some(cuda))),
            (Torch, Device::Auto, Err(NoBackend::NotBuilt), Ok(Some(Device::Cpu)), Ok(Some(cuda))),
            (Torch, Device::Cpu, Err(NoBackend::NotBuilt), Ok(Some(Device::Cpu)), Ok(Some(Device::Cpu))),
            (Torch, second, Err(NoBackend::NotBuilt), missing(second, 0), missing(second, 1)),
        ] {
            assert_eq!(chosen(backend, device, || None), without, "{backend:?} {device}");
            assert_eq!(chosen(backend, device, || Some(0)), no_gpu, "{backend:?} {device}");
            assert_eq!(chosen(backend, device, || Some(1)), one_gpu, "{backend:?} {device}");
        }
        assert_eq!(chosen(Cpu, cuda, || Some(1)), Err(NoBackend::OnCpuAlone(cuda)));
    }
}
