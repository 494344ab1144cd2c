//! `tengen params`: prints the table of parameters.

use super::print;
use crate::params::{Settings, markdown, text, toml};

/// List every setting: what it does, its values and its default
///
/// Each setting can be given to `tengen gtp` as --set NAME=VALUE, in a config file, and, where the list does not say that it is fixed at
/// the start, during a game by GTP's kata-set-param.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// As a config file, to change and give to --config
    #[arg(long)]
    toml: bool,

    /// As Markdown, for the docs, with the defaults of no particular machine
    #[arg(long, conflicts_with = "toml")]
    markdown: bool,
}

const EXAMPLES: &str = "\
Examples:
  tengen params
  tengen params --toml > tengen.toml      then: tengen gtp --config tengen.toml";

impl Args {
    /// Prints the table.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        print(&if self.toml {
            toml(&Settings::for_machine())
        } else if self.markdown {
            markdown(&Settings::default())
        } else {
            text(&Settings::for_machine())
        })
    }
}
