//! How fast a network is evaluated.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::positions;
use crate::board::Size;
use crate::nn::{Backend, FeatureOptions, Features, Inputs, LoadedNetwork, RawOutputs, Symmetry};
use crate::util::StopFlag;

/// Evaluations a second on boards of `size`: `threads` threads, each of which evaluates `batch` positions at a time, for `time`. The making
/// of inputs does not count.
pub(super) fn evaluation_rate(
    network: &LoadedNetwork,
    size: Size,
    threads: u32,
    batch: usize,
    time: Duration,
    stop: &StopFlag,
) -> f64 {
    let inputs = inputs(size);
    let batch: Vec<&Inputs> = inputs.iter().cycle().take(batch).collect();
    let count = AtomicU64::new(0);
    let mut backends: Vec<_> = (0..threads).map(|_| network.backend()).collect();
    let work = |backend: &mut Box<dyn Backend>, time: Duration| {
        let mut outputs = vec![RawOutputs::default(); batch.len()];
        let begun = Instant::now();
        loop {
            backend.evaluate(&batch, &mut outputs);
            count.fetch_add(batch.len() as u64, Relaxed);
            if begun.elapsed() >= time || stop.is_set() {
                return;
            }
        }
    };
    // Once for nothing: it lays out weights and memory.
    for backend in &mut backends {
        work(backend, Duration::ZERO);
    }
    count.store(0, Relaxed);
    let begun = Instant::now();
    thread::scope(|scope| {
        for backend in &mut backends {
            scope.spawn(|| work(backend, time));
        }
    });
    count.load(Relaxed) as f64 / begun.elapsed().as_secs_f64()
}

fn inputs(size: Size) -> Vec<Inputs> {
    let mut features = Features::new();
    let input = |position| {
        let mut inputs = Inputs::new(size);
        features.encode(&position, &FeatureOptions::default(), size, Symmetry::IDENTITY, &mut inputs);
        inputs
    };
    positions::of(size).into_iter().map(input).collect()
}
