//! The subcommands, one file each: their flags and what they do. The list of them is in `cli.rs`.

pub mod bench;
pub mod completions;
pub mod engine_args;
pub mod gtp;
pub mod man;
pub mod match_;
pub mod params;
pub mod perft;
pub mod score;

use anyhow::Context;
use std::io::{ErrorKind, Write};

/// Writes to standard output. A reader that has seen enough (`tengen params | head`) is no error.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write to standard output"),
        _ => Ok(()),
    }
}
