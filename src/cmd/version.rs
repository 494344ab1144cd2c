//! `tengen version`: which Tengen this is.

use super::katago::KatagoArgs;
use super::print;
use std::path::PathBuf;

/// Print the version, and what this program was built with
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Taken for those who start it as KataGo is started; nothing is read
    #[arg(long, hide = true, value_name = "FILE")]
    net: Option<PathBuf>,

    #[command(flatten)]
    katago: KatagoArgs,
}

const EXAMPLES: &str = "\
Examples:
  tengen version
  tengen --version   the same on one line";

impl Args {
    /// Prints it.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn run(&self) -> anyhow::Result<()> {
        let backend = if cfg!(feature = "torch") { "own kernels on the CPU, libtorch" } else { "own kernels on the CPU" };
        let network = if cfg!(feature = "embedded-net") { "its own, and any of KataGo's" } else { "any of KataGo's" };
        // Programs that look for KataGo look for its name, and show the first line.
        let protocols = "GTP 2 with KataGo's extensions, KataGo's JSON analysis";
        let version = env!("CARGO_PKG_VERSION");
        print(&format!("Tengen v{version}\nProtocols: {protocols}\nBackends: {backend}\nNetworks: {network}\n"))
    }
}
