//! `tengen train`: a network learns from rows.

use std::path::PathBuf;
use std::time::Duration;

use super::values::{at_least_1, read_seconds};
use crate::train::batch::Blend;
use crate::train::fresh::{Kind, Shape};
use crate::train::loss::{LossChange, LossWeights};
use crate::train::schedule::Schedule;
use crate::train::settings::{DeviceChoice, Norms, OptimiserKind, Settings, Start};
use crate::util::StopFlag;

/// Train a network on rows of self-play, labelled games or KataGo's published data
///
/// Reads all .npz files below the --data folders again and again, in random order and turned and mirrored at random. The folder --out gets net.bin.gz, a network for
/// --net and for KataGo, whose weights are an average over the last rows; log.tsv and curves.svg; and checkpoint.tengen: the same command goes on from there,
/// after Ctrl-C or worse.
///
/// Figures in the log beginning with held_out are those of the averaged network on the rows of --validate.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Folder of rows; may be given again and again
    #[arg(long, short = 'd', value_name = "FOLDER", required = true)]
    data: Vec<PathBuf>,

    /// Folder of rows that are held out, to validate
    #[arg(long, value_name = "FOLDER")]
    validate: Option<PathBuf>,

    /// Folder of the run
    #[arg(long, short = 'o', value_name = "FOLDER")]
    out: PathBuf,

    /// Train this long, in rows
    #[arg(long, short = 'n', value_name = "N", default_value = "1000000", value_parser = read_count)]
    rows: u64,

    /// Begin with this network, which may have been trained on other sizes of board
    #[arg(long, help_heading = "Network", value_name = "FILE", conflicts_with_all = ["blocks", "channels", "kind", "pool_every"])]
    start: Option<PathBuf>,

    /// Begin with this checkpoint, such as a small one of another run: network, optimiser and place in the schedule
    #[arg(long, help_heading = "Network", value_name = "FILE", conflicts_with_all = ["start", "blocks", "channels", "kind", "pool_every"])]
    resume: Option<PathBuf>,

    /// Blocks of a new network
    #[arg(long, help_heading = "Network", value_name = "N", default_value = "6", value_parser = at_least_1)]
    blocks: usize,

    /// Its channels
    #[arg(long, help_heading = "Network", value_name = "N", default_value = "96", value_parser = at_least_1)]
    channels: usize,

    /// What its blocks are
    #[arg(long, help_heading = "Network", value_name = "KIND", default_value = "residual")]
    kind: Kind,

    /// Let one block of so many look at the whole board; 0 for none
    #[arg(long, help_heading = "Network", value_name = "N", default_value = "3")]
    pool_every: usize,

    /// The name that the network tells [default: the run's folder]
    #[arg(long, help_heading = "Network", value_name = "NAME")]
    name: Option<String>,

    /// Rows of a batch, that is of a step
    #[arg(long, short = 'b', help_heading = "Learning", value_name = "N", default_value = "64", value_parser = at_least_1)]
    batch: usize,

    /// Highest learning rate [default: 0.003 with adamw, 0.02 with sgd]
    #[arg(long, help_heading = "Learning", value_name = "RATE", value_parser = read_positive)]
    rate: Option<f64>,

    /// Rows over which the learning rate rises to its highest; then it falls along a cosine
    #[arg(long, help_heading = "Learning", value_name = "N", default_value = "20000", value_parser = read_count)]
    warm_up: u64,

    /// Share of the learning rate that is left after --rows
    #[arg(long, help_heading = "Learning", value_name = "SHARE", default_value = "0.02", value_parser = read_share)]
    last_rate: f64,

    /// How weights follow their gradients
    #[arg(long, help_heading = "Learning", value_name = "OPTIMISER", default_value = "adamw")]
    optimiser: OptimiserKind,

    /// Share of kernels and matrices taken off at each step, times the learning rate
    #[arg(long, help_heading = "Learning", value_name = "SHARE", default_value = "0.02", value_parser = read_share)]
    weight_decay: f64,

    /// Shorten gradients to this length
    #[arg(long, help_heading = "Learning", value_name = "LENGTH", default_value = "2", value_parser = read_positive)]
    clip: f64,

    /// Average the exported weights over about so many rows; 0 for the last weights
    #[arg(long, help_heading = "Learning", value_name = "N", default_value = "30000", value_parser = read_count)]
    average: u64,

    /// What norms go by
    #[arg(long, help_heading = "Learning", value_name = "WHAT", default_value = "fixed")]
    norms: Norms,

    /// Share of a search's or teacher's opinion in the value to be learnt; the rest is how the game ended
    #[arg(long, help_heading = "Learning", value_name = "SHARE", default_value = "0.5", value_parser = read_share)]
    search_value: f64,

    /// Another weight for a loss, such as ownership=0.5; may be given again and again
    #[arg(long, help_heading = "Learning", value_name = "LOSS=WEIGHT", long_help = losses_help())]
    loss: Vec<LossChange>,

    /// Seed of all chance: with the same rows, device and number of threads the same network comes again
    #[arg(long, help_heading = "Learning", value_name = "N", default_value = "1")]
    seed: u64,

    /// What computes: auto, cpu, cuda or cuda:NUMBER
    #[arg(long, help_heading = "Machine", value_name = "DEVICE", default_value = "auto")]
    device: DeviceChoice,

    /// Threads [default: one a core]
    #[arg(long, short = 't', help_heading = "Machine", value_name = "N", value_parser = at_least_1)]
    threads: Option<usize>,

    /// Validate and report after so many rows
    #[arg(long, help_heading = "Reports", value_name = "N", default_value = "20000", value_parser = read_count)]
    report: u64,

    /// Most rows to validate with
    #[arg(long, help_heading = "Reports", value_name = "N", default_value = "2000", value_parser = at_least_1)]
    validate_rows: usize,

    /// Time between checkpoints
    #[arg(long, help_heading = "Reports", value_name = "SECONDS", default_value = "300", value_parser = read_seconds)]
    checkpoint: Duration,

    /// Keep a small checkpoint here too (11 MB for 6 blocks of 96 channels)
    #[arg(long, help_heading = "Reports", value_name = "FILE")]
    small_checkpoint: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tengen train --data rows/train --validate rows/val --out run
  tengen train --data rows/train --out small --blocks 4 --channels 48 --rows 300k
  tengen train --data rows19/train --start run9x9/net.bin.gz --out run19x19 --rate 0.001

Needs a build with libtorch: scripts/with-libtorch cargo build --release --features torch";

impl Args {
    /// Trains until all rows are done or `stop` is set.
    ///
    /// # Errors
    /// If the program was built without libtorch, flags do not fit together, or the run fails.
    #[cfg(feature = "torch")]
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        keep_freed_memory();
        let settings = self.settings();
        let bar = super::progress_bar(settings.schedule.rows);
        let mut watch = |report: &crate::train::Report| {
            bar.set_position(report.rows);
            bar.set_message(format!("{:.0} rows/s", report.pace));
            if let Some(text) = &report.text {
                bar.suspend(|| eprintln!("{text}"));
            }
        };
        crate::train::run(&settings, stop, &mut watch)?;
        bar.finish_and_clear();
        if stop.is_set() {
            eprintln!("Stopped; the same command goes on.");
        }
        Ok(())
    }

    /// Says how to get a program that can.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "torch"))]
    pub fn run(self, _: &StopFlag) -> anyhow::Result<()> {
        _ = self.settings();
        anyhow::bail!(
            "this program was built without libtorch, which training needs; in its source folder, this builds one with it:\n  \
             scripts/with-libtorch cargo build --release --features torch"
        )
    }

    fn settings(self) -> Settings {
        let shape = Shape { blocks: self.blocks, channels: self.channels, kind: self.kind, pool_every: self.pool_every };
        let start = match (self.start, self.resume) {
            (Some(file), _) => Start::Network(file),
            (None, Some(file)) => Start::Checkpoint(file),
            (None, None) => Start::Fresh(shape),
        };
        let usual_rate = match self.optimiser {
            OptimiserKind::Adamw => 0.003,
            OptimiserKind::Sgd => 0.02,
        };
        let folder_name = self.out.file_name().map_or_else(|| "tengen".to_owned(), |name| name.to_string_lossy().into_owned());
        Settings {
            data: self.data,
            validation: self.validate,
            validation_rows: self.validate_rows,
            out: self.out,
            start,
            name: self.name.unwrap_or(folder_name).replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_', "-"),
            batch: self.batch,
            schedule: Schedule {
                rate: self.rate.unwrap_or(usual_rate),
                warm_up: self.warm_up,
                rows: self.rows,
                last: self.last_rate,
            },
            optimiser: self.optimiser,
            weight_decay: self.weight_decay,
            clip: self.clip,
            average_rows: self.average as f64,
            norms: self.norms,
            losses: LossWeights::default().with(&self.loss),
            blend: Blend { search: self.search_value as f32 },
            seed: self.seed,
            report_rows: self.report.max(1),
            checkpoint_every: self.checkpoint,
            small_checkpoint: self.small_checkpoint,
            device: self.device,
            threads: self.threads,
        }
    }
}

/// Lets glibc's allocator keep what is freed, up to blocks of 32 MiB: tensors come and go by the hundred each step, and memory fresh from
/// the system has to be cleared page by page.
#[cfg(feature = "torch")]
fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: any thread may call it at any time, and the numbers are within the allowed range.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 1 << 30);
    }
}

/// The table of losses.
fn losses_help() -> String {
    let head = "Another weight for a loss, such as ownership=0.5; may be given again and again. The losses and their weights:"
        .to_owned();
    crate::train::loss::TABLE.iter().fold(head, |text, entry| format!("{text}\n{} {}: {}", entry.name, entry.weight, entry.about))
}

/// A number of rows: 1000000, 500k or 1.5M.
fn read_count(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.trim_end_matches(['k', 'M']) {
        number if number.len() == text.len() => (number, 1.0),
        number if text.ends_with('k') && text.len() == number.len() + 1 => (number, 1e3),
        number if text.ends_with('M') && text.len() == number.len() + 1 => (number, 1e6),
        _ => return Err("this takes a number such as 200000, 200k or 1.5M".to_owned()),
    };
    let count = number.parse().ok().map(|number: f64| number * unit).filter(|count| (0.0..=1e15).contains(count));
    count.map(|count| count.round() as u64).ok_or_else(|| "this takes a number such as 200000, 200k or 1.5M".to_owned())
}

fn read_positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|&number: &f64| number > 0.0 && number.is_finite())
        .ok_or_else(|| "this takes a number above 0".to_owned())
}

fn read_share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number| (0.0..=1.0).contains(number)).ok_or_else(|| "this takes a number from 0 to 1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Args, read_count};
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn the_run_is_named_by_its_folder() {
        let words =
            ["program", "--data", "a", "--data", "b", "--out", "runs/first try.2", "--rows", "1.5M", "--optimiser", "sgd"];
        let settings = Program::try_parse_from(words).unwrap().args.settings();
        assert_eq!((settings.name.as_str(), settings.data.len(), settings.schedule.rows), ("first-try-2", 2, 1_500_000));
        assert!((settings.schedule.rate - 0.02).abs() < 1e-9);
    }

    #[test]
    fn counts_of_rows() {
        assert_eq!(["7", "20k", "0.5M"].map(|text| read_count(text).unwrap()), [7, 20_000, 500_000]);
        for bad in ["", "k", "-1", "5kk", "1e99", "3 k", "nan"] {
            assert!(read_count(bad).is_err(), "{bad}");
        }
    }
}
