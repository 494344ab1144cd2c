//! `tengen completions`: lets a shell complete this program's words.

use super::print;
use anyhow::Context;
use clap_complete::Shell;

/// Print a script that lets your shell complete tengen's commands and flags
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Your shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  tengen completions bash > ~/.local/share/bash-completion/completions/tengen
  tengen completions fish > ~/.config/fish/completions/tengen.fish
  tengen completions powershell >> $PROFILE";

impl Args {
    /// Prints the script for `program`.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn run(self, mut program: clap::Command) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "tengen", &mut script);
        print(&String::from_utf8(script).context("the script is no text")?)
    }
}
