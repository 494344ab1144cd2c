//! The `tengen` program.

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;
use tengen::cli::Cli;
use tengen::cmd::katago;
use tengen::util::StopFlag;

/// Exit code after a second Ctrl-C: 128 and the number of the signal, as shells have it.
const INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    let cli = Cli::parse_from(katago::translate(std::env::args_os()));
    // GTP clients read standard error too: no line may look like an answer, so each begins with a bracket.
    env_logger::Builder::new()
        .filter_level(log::LevelFilter::Warn)
        .format(|out, record| writeln!(out, "[{}] {}", record.level().as_str().to_lowercase(), record.args()))
        .init();
    give_large_blocks_back();
    let stop = StopFlag::new();
    end_on_ctrl_c(&stop);
    match cli.run(&stop) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tengen: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Lets glibc's allocator have large blocks straight from the system, to which they go back. By itself it takes them out of its heaps after
/// the first is freed; small blocks then settle where parts of a pruned tree were, which never fit again: an engine that analysed for an
/// hour in 512 MiB took 635. A chunk of the tree is one mebibyte.
fn give_large_blocks_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: any thread may call it at any time; it is the first thing done, and the number is within the allowed range.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 19);
    }
}

/// Lets Ctrl-C end the command in its own way, and a second one end it at once.
fn end_on_ctrl_c(stop: &StopFlag) {
    let stop = stop.clone();
    let handler = move || {
        if stop.is_set() {
            std::process::exit(INTERRUPTED);
        }
        stop.set();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("Ctrl-C will not end this cleanly: {error}");
    }
}
