//! `tengen bench`: how fast this machine searches.

mod measure;
mod network;
mod positions;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;

use super::engine_args::BackendArgs;
use super::print;
use super::values::{read_seconds, read_size};
use crate::board::Size;
use crate::nn::LoadedNetwork;
use crate::params::{PlayoutPolicy, Settings};
use crate::rules::Position;
use crate::util::StopFlag;
use measure::{playout_rate, search_rate, signature};
use network::evaluation_rate;

/// Measure how fast this machine searches
///
/// In three parts. Playouts alone: games played to the end from the empty board, at random and by the rules that the search uses. The
/// search: playouts a second on a fixed set of positions, with one thread and more. The signature: a number made of everything that
/// a search of one thread and a fixed seed finds, the same on every machine; it changes only when the engine plays differently.
///
/// With --net, instead, how many positions a second a network evaluates: one thread up to all, one position at a time and more together.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Boards to measure on, each a number or WIDTHxHEIGHT
    #[arg(long, value_name = "SIZE", value_delimiter = ',', default_values = ["9", "13", "19"], value_parser = read_size)]
    sizes: Vec<Size>,

    /// Most threads to search with [default: one a core]
    #[arg(long, short = 't', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// Time for each of the first two parts, and so how exact they are
    #[arg(long, value_name = "SECONDS", default_value = "6", value_parser = read_seconds)]
    time: Duration,

    /// Playouts for each position of the signature; another number gives another signature
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,

    /// One part alone
    #[arg(long, value_name = "PART")]
    only: Option<Part>,

    /// Measure this network instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["only", "playouts"])]
    net: Option<PathBuf>,

    #[command(flatten)]
    backend: BackendArgs,

    /// Positions that each thread gives a network at a time
    #[arg(long, value_name = "N", value_delimiter = ',', default_values = ["1", "8"], requires = "net", value_parser = clap::value_parser!(u32).range(1..=4096))]
    batch: Vec<u32>,
}

/// A part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Playouts without a search
    Playouts,
    /// The search
    Search,
    /// The signature
    Signature,
}

const EXAMPLES: &str = "\
Examples:
  tengen bench                           all sizes, one thread up to one a core
  tengen bench --sizes 9 --threads 1
  tengen bench --only search --time 60   more exact
  tengen bench --net FILE --sizes 19     how fast a network is
  tengen bench --net FILE --sizes 19 --threads 2 --batch 16,64,256   the same on a GPU
  tengen bench --only signature          whether the engine plays as before";

impl Args {
    /// Measures, and prints each line when it is known.
    ///
    /// # Errors
    /// If it was stopped, standard output cannot be written, or the network not read.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        if let Some(file) = &self.net {
            return self.network(&self.backend.network(file, 0)?, stop);
        }
        let parts = [Part::Playouts, Part::Search, Part::Signature];
        for (number, &part) in parts.iter().filter(|&&part| self.only.is_none_or(|only| only == part)).enumerate() {
            if number > 0 {
                print("\n")?;
            }
            match part {
                Part::Playouts => self.playouts(stop)?,
                Part::Search => self.search(stop)?,
                Part::Signature => self.signature(stop)?,
            }
        }
        Ok(())
    }

    fn network(&self, network: &LoadedNetwork, stop: &StopFlag) -> anyhow::Result<()> {
        let counts = self.thread_counts();
        let kinds: Vec<(u32, u32)> =
            counts.iter().flat_map(|&threads| self.batch.iter().map(move |&batch| (threads, batch))).collect();
        let heads = kinds.iter().map(|&(threads, batch)| format!("{threads} x {batch}"));
        print(&format!("Evaluations a second of {}, threads x positions at a time\n{}", network.name(), row("", heads)))?;
        let share = self.time / (self.sizes.len() * kinds.len()) as u32;
        for &size in &self.sizes {
            let rate = |&(threads, batch)| evaluation_rate(network, size, threads, batch as usize, share, stop);
            let rates: Vec<f64> = kinds.iter().map(rate).collect();
            go_on(stop)?;
            print(&row(&size.to_string(), rates.iter().map(|rate| format!("{rate:.1}"))))?;
        }
        Ok(())
    }

    fn playouts(&self, stop: &StopFlag) -> anyhow::Result<()> {
        let heads = ["random", "light"].map(str::to_owned).into_iter();
        print(&format!("Playouts a second, one thread, empty board\n{}", row("", heads)))?;
        let share = self.time / (2 * self.sizes.len() as u32);
        for &size in &self.sizes {
            let policies = [PlayoutPolicy::Uniform, PlayoutPolicy::Light];
            let rates = policies.map(|policy| playout_rate(size, policy, share, stop));
            go_on(stop)?;
            print(&row(&size.to_string(), rates.iter().map(|rate| format!("{rate:.0}"))))?;
        }
        Ok(())
    }

    fn search(&self, stop: &StopFlag) -> anyhow::Result<()> {
        let threads = self.thread_counts();
        let heads = threads.iter().map(|&n| if n == 1 { "1 thread".to_owned() } else { format!("{n} threads") });
        print(&format!("Playouts a second of the whole search\n{}", row("", heads.chain(["ratio".to_owned()]))))?;
        let share = self.time / (self.sizes.len() * threads.len()) as u32;
        for &size in &self.sizes {
            let rates = search_rates(&positions::of(size), &threads, share, stop)?;
            let ratio = rates[rates.len() - 1] / rates[0];
            let cells = rates.iter().map(|rate| format!("{rate:.0}"));
            print(&row(&size.to_string(), cells.chain([format!("{ratio:.2}")])))?;
        }
        Ok(())
    }

    fn signature(&self, stop: &StopFlag) -> anyhow::Result<()> {
        let positions: Vec<Position> = self.sizes.iter().flat_map(|&size| positions::of(size)).collect();
        let signature = signature(&positions, &settings(), self.playouts, stop);
        go_on(stop)?;
        print(&format!("Signature of {} playouts from each of {} positions: {signature:016x}\n", self.playouts, positions.len()))
    }

    /// One thread, then twice as many each time, up to the most.
    fn thread_counts(&self) -> Vec<u32> {
        let most = self.threads.unwrap_or(Settings::for_machine().search.threads);
        let doubled = std::iter::successors(Some(1), |n| Some(n * 2)).take_while(|&n| n < most);
        doubled.chain([most]).collect()
    }
}

/// Playouts a second over all `positions`, for each number of threads, each measured for `share` in all. The numbers of threads take
/// turns at each position, so that other work on the machine disturbs them alike.
fn search_rates(positions: &[Position], threads: &[u32], share: Duration, stop: &StopFlag) -> anyhow::Result<Vec<f64>> {
    let mut sums = vec![0.0; threads.len()];
    for position in positions {
        for (&threads, sum) in threads.iter().zip(&mut sums) {
            let mut settings = settings();
            settings.search.threads = threads;
            *sum += search_rate(position, settings, share / positions.len() as u32, stop);
            go_on(stop)?;
        }
    }
    Ok(sums.iter().map(|sum| sum / positions.len() as f64).collect())
}

/// A line of a table.
fn row(name: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.map(|cell| format!("{cell:>12}")).collect();
    format!("{name:7}{}\n", cells.concat())
}

/// The defaults, the same on every machine, with a fixed seed.
fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.search.seed = Some(1);
    settings
}

fn go_on(stop: &StopFlag) -> anyhow::Result<()> {
    if stop.is_set() {
        bail!("stopped");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn threads_double_up_to_the_most() {
        for (most, counts) in [("1", vec![1]), ("2", vec![1, 2]), ("6", vec![1, 2, 4, 6]), ("8", vec![1, 2, 4, 8])] {
            let program = Program::try_parse_from(["program", "--threads", most]).unwrap();
            assert_eq!(program.args.thread_counts(), counts);
        }
    }
}
