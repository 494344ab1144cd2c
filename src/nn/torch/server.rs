//! The backend: one thread owns the tensors and serves all others.
//!
//! What waits when it is free makes its next batch. So there need be no waiting for more: the busier it is, the larger its batches.

use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use tch::{Cuda, Kind};

use super::Model;
use crate::nn::{Backend, Inputs, Network, NoBackend, RawOutputs};
use crate::params::Device;

/// Positions in a batch at most, on a CPU and on a GPU. More use none of them better, and take memory.
const MOST_ON_CPU: usize = 32;
const MOST_ON_GPU: usize = 512;

/// A network on libtorch. Clones share the thread that computes it, which ends with the last of them.
#[derive(Clone)]
pub struct Torch {
    jobs: Sender<Job>,
    bytes: u64,
}

/// Positions of one client, and where the answers go.
struct Job {
    inputs: Vec<Inputs>,
    answers: Sender<Vec<RawOutputs>>,
}

impl Torch {
    /// `network` on `device`: in half precision on a GPU, in float32 on the CPU.
    ///
    /// # Errors
    /// If libtorch cannot take it there.
    pub fn new(network: &Network, device: Device) -> Result<Self, NoBackend> {
        let (to, kind, most) = match device {
            Device::Cuda(number) => (tch::Device::Cuda(number as usize), Kind::Half, MOST_ON_GPU),
            Device::Auto | Device::Cpu => (tch::Device::Cpu, Kind::Float, MOST_ON_CPU),
        };
        let failed = |why: String| NoBackend::Failed { device, why };
        let bytes = if to.is_cuda() { 0 } else { (network.parameters() * size_of::<f32>()) as u64 };
        let (jobs, coming) = mpsc::channel();
        let network = network.clone();
        let (ready, is_ready) = mpsc::channel();
        let work = move || {
            let model = Model::new(&network, to, kind);
            drop(network);
            if ready.send(()).is_ok() {
                serve(&model, &coming, most);
            }
        };
        thread::Builder::new().name("libtorch".to_owned()).spawn(work).map_err(|error| failed(error.to_string()))?;
        // What libtorch has to say was told on standard error.
        is_ready.recv().map_err(|_| failed("see above".to_owned()))?;
        Ok(Self { jobs, bytes })
    }

    /// Bytes that the weights take of the machine's own memory.
    pub(in crate::nn) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Backend for Torch {
    fn evaluate(&mut self, inputs: &[&Inputs], outputs: &mut [RawOutputs]) {
        assert_eq!(inputs.len(), outputs.len(), "an output for each input");
        if inputs.is_empty() {
            return;
        }
        let (answers, coming) = mpsc::channel();
        let job = Job { inputs: inputs.iter().map(|&input| input.clone()).collect(), answers };
        let sent = self.jobs.send(job).is_ok();
        let answers = sent.then(|| coming.recv().ok()).flatten().expect("libtorch computes until it fails, which it told above");
        for (output, answer) in outputs.iter_mut().zip(answers) {
            *output = answer;
        }
    }
}

/// How many GPUs libtorch has.
#[expect(clippy::unnecessary_wraps, reason = "a build without libtorch has nothing to tell")]
pub(in crate::nn) fn gpus() -> Option<u32> {
    Some(if Cuda::is_available() { Cuda::device_count() as u32 } else { 0 })
}

/// Answers jobs until nobody can send any more.
fn serve(model: &Model, jobs: &Receiver<Job>, most: usize) {
    let mut waiting = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let Ok(job) = jobs.recv() else { return };
            waiting.push_back(job);
        }
        waiting.extend(jobs.try_iter());
        let batch = next_batch(&mut waiting, most);
        let inputs: Vec<&Inputs> = batch.iter().flat_map(|job| &job.inputs).collect();
        let mut outputs = vec![RawOutputs::default(); inputs.len()];
        model.evaluate(&inputs, &mut outputs);
        let mut outputs = outputs.into_iter();
        for job in &batch {
            // Who has gone wants no answer.
            let _ = job.answers.send(outputs.by_ref().take(job.inputs.len()).collect());
        }
    }
}

/// Takes the job that has waited longest, and those that fit beside it: of tensors of the same size, `most` positions in all.
fn next_batch(waiting: &mut VecDeque<Job>, most: usize) -> Vec<Job> {
    let mut batch: Vec<Job> = waiting.pop_front().into_iter().collect();
    let mut count = batch.iter().map(|job| job.inputs.len()).sum::<usize>();
    let mut others = VecDeque::new();
    for job in waiting.drain(..) {
        if count + job.inputs.len() <= most && job.inputs[0].tensor == batch[0].inputs[0].tensor {
            count += job.inputs.len();
            batch.push(job);
        } else {
            others.push_back(job);
        }
    }
    *waiting = others;
    batch
}

#[cfg(test)]
mod tests {
    use super::{Job, Torch, next_batch};
    use crate::board::Size;
    use crate::nn::{Backend, BlockKind, GLOBALS, Inputs, Network, RawOutputs};
    use crate::params::Device;
    use crate::util::Rng;
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn a_batch_is_of_one_size_and_leaves_the_rest_in_order() {
        let job = |side, count| Job { inputs: vec![Inputs::new(Size::square(side).unwrap()); count], answers: mpsc::channel().0 };
        let mut waiting = [(9, 2), (19, 1), (9, 3), (9, 5), (9, 1), (19, 9)].map(|(side, count)| job(side, count)).into();
        let mut batches = Vec::new();
        while batches.len() < 4 {
            let batch = next_batch(&mut waiting, 8);
            batches.push(batch.iter().map(|job| (job.inputs[0].tensor.width(), job.inputs.len())).collect::<Vec<_>>());
        }
        assert_eq!(batches, [vec![(9, 2), (9, 3), (9, 1)], vec![(19, 1)], vec![(9, 5)], vec![(19, 9)]]);
        assert!(waiting.is_empty());
    }

    /// A position with its number in it.
    fn numbered(number: usize) -> Inputs {
        let mut inputs = Inputs::new(Size::square(3 + number % 4).unwrap());
        inputs.spatial.fill(1.0);
        inputs.global = [number as f32 / 100.0; GLOBALS];
        inputs
    }

    /// Each client gets the answers to its own questions, whatever they are batched with; then the thread ends.
    #[test]
    fn many_threads_are_served_at_once() {
        tch::set_num_threads(1);
        let network = Network::random(11, 8, &[BlockKind::Residual, BlockKind::GlobalPool], &mut Rng::new(1));
        let torch = Torch::new(&network, Device::Cpu).unwrap();
        let mut alone = torch.clone();
        let expected: Vec<RawOutputs> = (0..24)
            .map(|number| {
                let mut outputs = [RawOutputs::default()];
                alone.evaluate(&[&numbered(number)], &mut outputs);
                let [output] = outputs;
                output
            })
            .collect();
        drop(alone);
        thread::scope(|scope| {
            for client in 0..12 {
                let (mut torch, expected) = (torch.clone(), &expected);
                scope.spawn(move || {
                    let mut rng = Rng::new(client);
                    for _ in 0..40 {
                        let numbers: Vec<usize> = (0..=rng.below(3)).map(|_| rng.below(expected.len())).collect();
                        let inputs: Vec<Inputs> = numbers.iter().map(|&number| numbered(number)).collect();
                        let mut outputs = vec![RawOutputs::default(); inputs.len()];
                        torch.evaluate(&inputs.iter().collect::<Vec<_>>(), &mut outputs);
                        for (number, output) in numbers.iter().zip(&outputs) {
                            let expected = &expected[*number];
                            assert_eq!(output.policy.len(), expected.policy.len());
                            let pairs =
                                output.policy.iter().chain(&output.value).zip(expected.policy.iter().chain(&expected.value));
                            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-4), "position {number}");
                        }
                    }
                });
            }
        });
    }
}
