//! A run of training from its start, or its last checkpoint, to its end.

use std::path::PathBuf;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tch::{Cuda, Device};

use super::batch::Batch;
use super::checkpoint::{BadCheckpoint, Checkpoint};
use super::feed::{BadFeed, FeedSettings, Progress, feed, read_all};
use super::fresh::fresh;
use super::learner::{Learner, Step};
use super::log::{BadLog, Log};
use super::loss::{LOSSES, TABLE};
use super::objective::Marks;
use super::settings::{DeviceChoice, Settings, Start};
use crate::nn::{BadNetwork, Network};
use crate::util::{Rng, StopFlag, write_whole};

/// The run's checkpoint, in its folder.
const CHECKPOINT: &str = "checkpoint.tengen";
/// Its network with averaged weights.
const NETWORK: &str = "net.bin.gz";
/// Its log.
const LOG: &str = "log.tsv";
/// The log's curves.
const CURVES: &str = "curves.svg";

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The rows.
    #[error(transparent)]
    Feed(#[from] BadFeed),
    /// A checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] BadCheckpoint),
    /// A network.
    #[error(transparent)]
    Network(#[from] BadNetwork),
    /// The log.
    #[error(transparent)]
    Log(#[from] BadLog),
    /// A file of the run.
    #[error("cannot write {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// No such device.
    #[error("there is no device cuda:{wanted}; libtorch sees {there} CUDA devices")]
    Device {
        /// Its number.
        wanted: usize,
        /// How many there are.
        there: usize,
    },
    /// The losses are no numbers any more.
    #[error("the losses are no numbers any more after {rows} rows: a lower learning rate may help; the last checkpoint is whole")]
    Diverged {
        /// Rows trained on.
        rows: u64,
    },
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    /// Rows trained on.
    rows: u64,
    /// Time that took, in seconds.
    seconds: f64,
    /// Place in the stream of batches.
    progress: Progress,
}

/// What a run tells as it goes on.
#[derive(Clone, Debug)]
pub struct Report {
    /// Rows trained on.
    pub rows: u64,
    /// Of how many.
    pub of: u64,
    /// Rows a second since the last report.
    pub pace: f64,
    /// In words; only after a validation.
    pub text: Option<String>,
}

/// Sees a run's reports.
pub type Watcher<'a> = &'a mut dyn FnMut(&Report);

/// Trains until the schedule's rows are done or `stop` is set. A run whose folder has a checkpoint goes on from there.
///
/// # Errors
/// If rows, networks or checkpoints cannot be read or written, or the losses diverge.
pub fn run(settings: &Settings, stop: &StopFlag, watch: Watcher) -> Result<(), Failure> {
    let mut run = Run::begin(settings)?;
    let feed_settings =
        FeedSettings { folders: settings.data.clone(), batch: settings.batch, seed: settings.seed, blend: settings.blend };
    let batches = feed(feed_settings, run.state.progress.clone());
    let mut saved = Instant::now();
    while run.state.rows < settings.schedule.rows && !stop.is_set() {
        let Ok(fed) = batches.recv() else { break };
        let (batch, progress) = fed?;
        run.step(&batch, progress)?;
        watch(&run.report(None));
        if run.state.rows / settings.report_rows != run.reported / settings.report_rows {
            let text = run.validate()?;
            watch(&run.report(Some(text)));
        }
        if saved.elapsed() >= settings.checkpoint_every {
            run.save()?;
            saved = Instant::now();
        }
    }
    if run.sums.steps > 0 && run.state.rows >= settings.schedule.rows {
        let text = run.validate()?;
        watch(&run.report(Some(text)));
    }
    run.save()
}

struct Run<'a> {
    settings: &'a Settings,
    learner: Learner,
    state: State,
    validation: Vec<Batch>,
    log: Log,
    /// Since the last report.
    sums: Sums,
    /// Rows at the last report.
    reported: u64,
    since: Instant,
    /// When the state's seconds were last counted.
    counted: Instant,
}

/// Steps since the last report, summed.
#[derive(Default)]
struct Sums {
    steps: u64,
    rows: u64,
    losses: [f64; LOSSES],
    total: f64,
    gradient: f64,
}

impl<'a> Run<'a> {
    fn begin(settings: &'a Settings) -> Result<Self, Failure> {
        let device = device(settings.device)?;
        let threads = settings.threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
        tch::set_num_threads(threads as i32);
        std::fs::create_dir_all(&settings.out).map_err(|error| Failure::File { path: settings.out.clone(), error })?;
        let own = settings.out.join(CHECKPOINT);
        let checkpoint = match &settings.start {
            _ if own.exists() => Some(Checkpoint::<State>::read(&own)?),
            Start::Checkpoint(file) => Some(Checkpoint::read(file)?),
            _ => None,
        };
        let mut network = match (&checkpoint, &settings.start) {
            (Some(checkpoint), _) => checkpoint.network.clone(),
            (None, Start::Fresh(shape)) => fresh(&settings.name, shape, &mut Rng::new(settings.seed)),
            (None, Start::Network(file) | Start::Checkpoint(file)) => Network::read(file)?,
        };
        network.name.clone_from(&settings.name);
        let mut learner = Learner::new(&network, settings, device, threads);
        let state = checkpoint.as_ref().map_or_else(State::default, |checkpoint| checkpoint.state.clone());
        if let Some(checkpoint) = &checkpoint {
            learner.restore(checkpoint);
        }
        let validation = match &settings.validation {
            Some(folder) => read_all(folder, settings.validation_rows, settings.batch, settings.blend)?,
            None => Vec::new(),
        };
        let log = Log::open(&settings.out.join(LOG), &columns(), state.rows)?;
        let (reported, now) = (state.rows, Instant::now());
        Ok(Self { settings, learner, state, validation, log, sums: Sums::default(), reported, since: now, counted: now })
    }

    fn step(&mut self, batch: &Batch, progress: Progress) -> Result<(), Failure> {
        let rate = self.settings.schedule.at(self.state.rows);
        let Step { losses, total, gradient } = self.learner.step(batch, rate);
        self.state.rows += batch.rows as u64;
        self.state.progress = progress;
        if !gradient.is_finite() {
            return Err(Failure::Diverged { rows: self.state.rows });
        }
        let rows = batch.rows as f64;
        let sums = &mut self.sums;
        sums.losses.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += rows * loss);
        sums.steps += 1;
        sums.rows += batch.rows as u64;
        sums.total += rows * total;
        sums.gradient += gradient;
        Ok(())
    }

    fn report(&self, text: Option<String>) -> Report {
        let pace = self.sums.rows as f64 / self.since.elapsed().as_secs_f64().max(1e-9);
        Report { rows: self.state.rows, of: self.settings.schedule.rows, pace, text }
    }

    fn count_time(&mut self) {
        self.state.seconds += self.counted.elapsed().as_secs_f64();
        self.counted = Instant::now();
    }

    /// Validates, and writes a line of the log. Returns it in words.
    fn validate(&mut self) -> Result<String, Failure> {
        self.count_time();
        let sums = std::mem::take(&mut self.sums);
        let pace = sums.rows as f64 / self.since.elapsed().as_secs_f64().max(1e-9);
        let mut marks = Marks::default();
        let (mut held_out, mut held_out_rows) = ([0.0; LOSSES], 0);
        for batch in &self.validation {
            let (batch_marks, losses) = self.learner.validate(batch);
            marks.add(&batch_marks);
            held_out.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss);
            held_out_rows += batch.rows;
        }
        let mean = |sum: f64, rows: f64| sum / rows;
        let figures = [
            100.0 * mean(marks.policy_right, marks.policy_rows),
            100.0 * mean(marks.value_right, marks.value_rows),
            mean(marks.value_square, marks.value_weight),
            mean(marks.score_off, marks.score_rows),
            mean(marks.lead_off, marks.lead_rows),
        ];
        let rate = self.settings.schedule.at(self.state.rows);
        let mut line = vec![self.state.rows as f64, self.state.seconds, pace, rate, sums.gradient / sums.steps as f64];
        line.push(mean(sums.total, sums.rows as f64));
        line.extend(sums.losses.map(|sum| mean(sum, sums.rows as f64)));
        line.extend(figures);
        line.extend(held_out.map(|sum| mean(sum, held_out_rows as f64)));
        self.log.add(line)?;
        let curves = self.log.curves(&panels());
        let path = self.settings.out.join(CURVES);
        write_whole(&path, curves.as_bytes()).map_err(|error| Failure::File { path, error })?;
        self.reported = self.state.rows;
        self.since = Instant::now();
        let [policy, value, square, score, lead] = figures;
        Ok(format!(
            "{} rows, {pace:.0} a second, rate {rate:.2e}, gradient {:.2}, loss {:.4}; held out: policy {policy:.2} %, value {value:.2} % \
             (square {square:.3}), score {score:.2}, lead {lead:.2} points off",
            self.state.rows,
            sums.gradient / sums.steps as f64,
            mean(sums.total, sums.rows as f64),
        ))
    }

    /// Writes checkpoint and network.
    fn save(&mut self) -> Result<(), Failure> {
        self.count_time();
        let checkpoint = self.learner.checkpoint(self.state.clone());
        checkpoint.write(&self.settings.out.join(CHECKPOINT), false)?;
        if let Some(file) = &self.settings.small_checkpoint {
            checkpoint.write(file, true)?;
        }
        Ok(self.learner.network().write(&self.settings.out.join(NETWORK))?)
    }
}

/// The columns of the log.
fn columns() -> Vec<String> {
    let first = ["rows", "seconds", "rows_a_second", "rate", "gradient", "loss"];
    let marks =
        ["held_out_policy_percent", "held_out_value_percent", "held_out_value_square", "held_out_score_off", "held_out_lead_off"];
    let losses = TABLE.iter().map(|entry| entry.name.to_owned());
    let held_out = TABLE.iter().map(|entry| format!("held_out_{}", entry.name));
    first.iter().map(|&name| name.to_owned()).chain(losses).chain(marks.map(str::to_owned)).chain(held_out).collect()
}

/// The log's curves: titles, columns and their names.
fn panels() -> [(&'static str, &'static [(&'static str, &'static str)]); 9] {
    const BOTH: [&str; 2] = ["training", "held out"];
    [
        ("policy: cross-entropy", &[("policy", BOTH[0]), ("held_out_policy", BOTH[1])]),
        ("value: cross-entropy", &[("value", BOTH[0]), ("held_out_value", BOTH[1])]),
        ("ownership: cross-entropy", &[("ownership", BOTH[0]), ("held_out_ownership", BOTH[1])]),
        ("best move as the target's, %", &[("held_out_policy_percent", BOTH[1])]),
        ("winner as the target's, %", &[("held_out_value_percent", BOTH[1])]),
        ("points off", &[("held_out_score_off", "score"), ("held_out_lead_off", "lead")]),
        ("sum of losses", &[("loss", BOTH[0])]),
        ("length of the gradient", &[("gradient", BOTH[0])]),
        ("learning rate", &[("rate", "rate")]),
    ]
}

fn device(choice: DeviceChoice) -> Result<Device, Failure> {
    let there = Cuda::device_count().max(0) as usize;
    match choice {
        DeviceChoice::Cpu => Ok(Device::Cpu),
        DeviceChoice::Auto => Ok(if there > 0 { Device::Cuda(0) } else { Device::Cpu }),
        DeviceChoice::Cuda(wanted) if wanted < there => Ok(Device::Cuda(wanted)),
        DeviceChoice::Cuda(wanted) => Err(Failure::Device { wanted, there }),
    }
}
