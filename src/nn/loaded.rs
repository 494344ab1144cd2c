//! A network in memory, ready to be asked by any number of threads.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};

use super::cache::Cache;
use super::computer::{Computer, NoBackend};
use super::embedded::embedded;
use super::file::BadNetwork;
use super::outputs::Decoder;
use super::{Backend, Cpu, Network};
use crate::board::Size;
use crate::params::{BackendKind, Device, NetworkFile};

/// A network whose weights are laid out for evaluation. Threads share it, each with a backend of its own, and what it has said.
pub struct LoadedNetwork {
    file: Option<PathBuf>,
    name: String,
    version: u32,
    imitates_people: bool,
    prefer_pass_alive: bool,
    pub(super) decoder: Decoder,
    pub(super) cache: Cache,
    /// Backends that no thread uses. Their scratch memory is some megabytes, which a search of fifty visits would wait for.
    spare: Mutex<Vec<Box<dyn Backend>>>,
    computer: Computer,
    /// Bytes of the weights as they are laid out.
    weights: u64,
    /// Nanoseconds that an evaluation takes for each point of the board.
    pace: AtomicU64,
    evaluations: AtomicU64,
}

/// Why a network cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum NotLoaded {
    /// Its file.
    #[error(transparent)]
    File(#[from] BadNetwork),
    /// None is to be had.
    #[error("this takes a network: a file in KataGo's format or embedded, not none")]
    NoneNamed,
    /// The program carries none.
    #[error(
        "this tengen was built without a network of its own (feature embedded-net); take `--net FILE`, or `--net none` for playouts"
    )]
    NotEmbedded,
    /// What should compute it.
    #[error(transparent)]
    Backend(#[from] NoBackend),
}

impl LoadedNetwork {
    /// Makes `network` ready for evaluation on the CPU; `cache` bytes are for what it has said.
    pub fn new(network: &Network, cache: u64) -> Self {
        Self::by(Computer::Cpu(Box::new(Cpu::new(network))), network, cache)
    }

    /// Reads a network from a file and makes it ready, on libtorch if that has a GPU, else on the CPU; `cache` bytes are for what it has said.
    ///
    /// # Errors
    /// As [`Network::read`], and if the GPU refuses.
    pub fn read(file: &Path, cache: u64) -> Result<Self, NotLoaded> {
        Self::made_ready(&Network::read(file)?, Some(file), BackendKind::Auto, Device::Auto, cache)
    }

    /// The network that is named: from its file, or the one that the program carries. `backend` computes it on `device`.
    ///
    /// # Errors
    /// As [`Network::read`], and if none is named, the program carries none, or there is no such backend or device.
    pub fn named(file: &NetworkFile, backend: BackendKind, device: Device, cache: u64) -> Result<Self, NotLoaded> {
        let (network, file) = match file {
            NetworkFile::None => return Err(NotLoaded::NoneNamed),
            NetworkFile::Embedded => (Network::parse(embedded().ok_or(NotLoaded::NotEmbedded)?)?, None),
            NetworkFile::At(file) => (Network::read(file)?, Some(file.as_path())),
        };
        Self::made_ready(&network, file, backend, device, cache)
    }

    fn made_ready(
        network: &Network,
        file: Option<&Path>,
        backend: BackendKind,
        device: Device,
        cache: u64,
    ) -> Result<Self, NotLoaded> {
        let computer = Computer::new(network, backend, device)?;
        Ok(Self { file: file.map(Path::to_owned), ..Self::by(computer, network, cache) })
    }

    fn by(computer: Computer, network: &Network, cache: u64) -> Self {
        Self {
            file: None,
            name: network.name.clone(),
            version: network.version,
            imitates_people: network.trunk.meta.is_some(),
            prefer_pass_alive: network.prefer_pass_alive,
            decoder: Decoder::new(network),
            cache: Cache::new(cache),
            weights: computer.bytes(),
            computer,
            spare: Mutex::default(),
            pace: AtomicU64::new(0),
            evaluations: AtomicU64::new(0),
        }
    }

    /// The file that it was read from.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Its own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Version of the format: 8 to 17.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// What it is, as KataGo lists its models.
    pub fn to_json(&self) -> Value {
        let file = self.file().map_or_else(|| self.name().into(), Path::to_string_lossy);
        json!({
            "name": file,
            "internalName": self.name(),
            "maxBatchSize": 1,
            "usesHumanSLProfile": self.imitates_people(),
            "version": self.version(),
            "usingFP16": "false",
        })
    }

    /// Whether it plays as people of a certain strength would, rather than as well as it can.
    pub fn imitates_people(&self) -> bool {
        self.imitates_people
    }

    /// Whether it is shown pass-alive regions as under rules that allow suicide: [`FeatureOptions::prefer_pass_alive`](super::FeatureOptions).
    pub fn prefers_pass_alive(&self) -> bool {
        self.prefer_pass_alive
    }

    /// Lays out the weights for boards of `size`, on all cores; else they are when such a board is first evaluated, on one.
    pub(super) fn prepare(&self, size: Size) {
        self.computer.prepare(size);
    }

    /// A backend for a thread: one that was given back, or a new one.
    pub fn backend(&self) -> Box<dyn Backend> {
        let spare = self.spare.lock().pop();
        spare.unwrap_or_else(|| self.computer.backend())
    }

    /// Takes a backend back, for the next thread that needs one.
    pub(super) fn give_back(&self, backend: Box<dyn Backend>) {
        self.spare.lock().push(backend);
    }

    /// Memory that its weights take, in bytes, about.
    pub fn memory(&self) -> u64 {
        self.weights
    }

    /// Forgets what it has said.
    pub fn clear_cache(&self) {
        self.cache.clear();
    }

    /// How often it was asked what it had said before.
    pub fn cache_hits(&self) -> u64 {
        self.cache.hits()
    }

    /// How many evaluations there were.
    pub fn evaluations(&self) -> u64 {
        self.evaluations.load(Relaxed)
    }

    /// Notes so many evaluations.
    pub(super) fn note_evaluations(&self, count: usize) {
        self.evaluations.fetch_add(count as u64, Relaxed);
    }

    /// How long an evaluation of a board of `area` points takes, about; zero before the first.
    pub fn evaluation_time(&self, area: usize) -> Duration {
        Duration::from_nanos(self.pace.load(Relaxed) * area as u64)
    }

    /// Forgets how long evaluations took.
    pub(super) fn forget_time(&self) {
        self.pace.store(0, Relaxed);
    }

    /// Notes that evaluations of `points` points in all took `time`.
    pub(super) fn note_time(&self, points: usize, time: Duration) {
        let new = (time.as_nanos() / points.max(1) as u128) as u64;
        let old = self.pace.load(Relaxed);
        // Slower at once, faster by and by: it is asked for to be on time. A hiccup of the machine's counts double the usual at most.
        let pace = match old {
            0 => new,
            _ if new > old => new.min(old * 2),
            _ => (old * 15 + new) / 16,
        };
        self.pace.store(pace, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::LoadedNetwork;
    use crate::nn::{BlockKind, Network};
    use crate::params::{BackendKind, Device, NetworkFile};
    use crate::util::Rng;

    #[test]
    fn the_program_carries_a_network_if_it_was_built_with_one() {
        let network = LoadedNetwork::named(&NetworkFile::Embedded, BackendKind::Cpu, Device::Auto, 0);
        if cfg!(feature = "embedded-net") {
            assert!(network.unwrap().name().starts_with("tengen"));
        } else {
            assert!(network.err().unwrap().to_string().contains("--net none"));
        }
    }

    #[test]
    fn one_slow_evaluation_does_not_slow_the_pace_for_long() {
        let network = LoadedNetwork::new(&Network::random(8, 8, &[BlockKind::Residual], &mut Rng::new(1)), 1 << 20);
        let note = |millis| {
            network.note_time(100, Duration::from_millis(millis));
            network.evaluation_time(100).as_millis()
        };
        assert_eq!(note(20), 20);
        assert_eq!(note(1_000), 40, "a hiccup");
        assert!(note(20) < 40);
        (0..40).for_each(|_| network.note_time(100, Duration::from_millis(20)));
        assert!(note(20) <= 22);
        (0..6).for_each(|_| network.note_time(100, Duration::from_secs(1)));
        assert!(note(1_000) >= 999, "slower for good");
    }
}
