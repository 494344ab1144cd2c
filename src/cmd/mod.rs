//! The subcommands, one file each: their flags and what they do. The list of them is in `cli.rs`.

pub mod analysis;
pub mod bench;
pub mod book;
pub mod completions;
pub mod engine_args;
pub mod gate;
pub mod gtp;
pub mod katago;
pub mod label;
pub mod man;
pub mod match_;
pub mod net;
pub mod params;
pub mod perft;
pub mod review;
pub mod score;
pub mod selfplay;
pub mod solve;
pub mod table;
pub mod train;
mod values;
pub mod version;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{ErrorKind, Write};

/// Writes to standard output. A reader that has seen enough (`tengen params | head`) is no error.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write to standard output"),
        _ => Ok(()),
    }
}

/// A bar on standard error, if that is a terminal, for work in so many steps.
fn progress_bar(steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("[{elapsed_precise}] {wide_bar} {pos}/{len}  {msg}");
    let bar = ProgressBar::new(steps);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
