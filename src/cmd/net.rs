//! `tengen net`: work on network files.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::print;
use crate::board::Size;
use crate::nn::{Block, Network};

/// Look into networks
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

/// What can be done with networks.
#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Describe a network of KataGo's: its shape, size and cost, and what it answers
    Info {
        /// The network: .bin.gz, .bin, .txt.gz or .txt, version 8 to 17
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
}

const EXAMPLES: &str = "\
Examples:
  tengen net info b6c96.bin.gz
  tengen net info networks/*.gz";

impl Args {
    /// Describes each file.
    ///
    /// # Errors
    /// If a file is no network that can be used, or standard output cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        let Command::Info { files } = self.command;
        for (i, file) in files.iter().enumerate() {
            let network = Network::read(file)?;
            let bytes = file.metadata().with_context(|| format!("cannot ask for the size of {}", file.display()))?.len();
            print(&format!("{}{}", if i > 0 { "\n" } else { "" }, describe(file, bytes, &network)))?;
        }
        Ok(())
    }
}

fn describe(file: &Path, bytes: u64, network: &Network) -> String {
    let area = Size::STANDARD.area();
    let rows = [
        ("file", format!("{}, {} MB", file.display(), decimals(bytes as f64 / 1e6))),
        ("name", network.name.clone()),
        ("version", network.version.to_string()),
        ("shape", format!("{}: {} blocks of {} channels", network.shape(), network.trunk.blocks.len(), network.trunk.channels)),
        ("blocks", kinds(&network.all_blocks())),
        ("parameters", format!("{} million", decimals(network.parameters() as f64 / 1e6))),
        ("cost", format!("{} million multiply-adds a position on 19x19", decimals(network.multiply_adds(area) as f64 / 1e6))),
        ("policies", policies(network.policy.channels).to_owned()),
        ("values", values(network.version)),
        ("profiles", if network.trunk.meta.is_some() { "plays like people of a given rank or time" } else { "none" }.to_owned()),
        ("rules", "all: every ko rule, area and territory scoring, taxes, suicide, button".to_owned()),
    ];
    rows.iter().fold(String::new(), |mut text, (name, value)| {
        _ = writeln!(text, "{name:<11} {value}");
        text
    })
}

/// Three digits or more: 1.03, 37.5, 2710.
fn decimals(number: f64) -> String {
    let digits = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.digits$}")
}

/// How many blocks there are of each kind, in the order in which they first appear.
fn kinds(blocks: &[&Block]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for block in blocks {
        let kind = match block {
            Block::Residual(_) => "residual",
            Block::GlobalPool(_) => "with global pooling",
            Block::Nested(_) => "nested",
            Block::Attention(_) => "attention",
            Block::Ffn(_) => "feed-forward",
        };
        match counts.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

fn policies(channels: usize) -> &'static str {
    match channels {
        1 => "1: usual",
        2 => "2: usual and optimistic",
        _ => "4: usual and optimistic; win rate and score after each move (not used)",
    }
}

fn values(version: u32) -> String {
    let more = if version >= 9 { ", time left, short-term errors of value and score" } else { "" };
    format!("win, loss, no result; score and its deviation, lead{more}; ownership")
}
