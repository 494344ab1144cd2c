//! `tengen man`: the manual pages.

use super::print;
use anyhow::Context;
use std::path::PathBuf;

/// Print the manual page, or write one for each command
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Write a page for each command into this folder
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tengen man | man -l -
  tengen man --dir ~/.local/share/man/man1";

impl Args {
    /// Prints or writes the pages of `program`.
    ///
    /// # Errors
    /// If standard output or the folder cannot be written.
    pub fn run(self, program: clap::Command) -> anyhow::Result<()> {
        let Some(folder) = self.dir else {
            let mut page = Vec::new();
            clap_mangen::Man::new(program).render(&mut page)?;
            return print(&String::from_utf8(page).context("the page is no text")?);
        };
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        clap_mangen::generate_to(program, &folder).with_context(|| format!("cannot write into the folder {}", folder.display()))
    }
}
