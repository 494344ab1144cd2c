//! `tengen params`: prints the table of parameters.

use super::print;
use crate::params::{Settings, Table, markdown, text, toml};
use crate::selfplay;

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

    /// Those of `tengen selfplay`, rather than the engine's
    #[arg(long)]
    selfplay: bool,
}

const EXAMPLES: &str = "\
Examples:
  tengen params
  tengen params --toml > tengen.toml      then: tengen gtp --config tengen.toml
  tengen params --selfplay";

impl Args {
    /// Prints the table.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        print(&if self.selfplay {
            let settings = selfplay::Settings::default();
            self.show(&settings, &settings)
        } else {
            self.show(&Settings::for_machine(), &Settings::default())
        })
    }

    /// A table's parameters, at the values for this machine or for any.
    fn show<S: Table>(self, here: &S, anywhere: &S) -> String {
        if self.toml {
            toml(here)
        } else if self.markdown {
            markdown(anywhere)
        } else {
            text(here)
        }
    }
}
