//! `tengen score`: who won a finished game.

mod json;
mod scored;
mod svg;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::print;
use super::values::read_komi;
use crate::rules::Rules;
use crate::sgf::{self, Record, Terms};
use crate::util::{StopFlag, write_whole};
use scored::Scored;

/// Tell who won a finished game
///
/// Reads game records, judges which stones are dead, and prints the board, the count and whether the record's own result agrees. Rules and
/// komi are the record's; where it names none, Chinese rules and the customary komi, and the output says so.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game records in SGF, GIB, NGF or UGF; of a file with several games the first is scored
    #[arg(value_name = "FILE.sgf", required = true)]
    files: Vec<PathBuf>,

    /// Score the position after this many moves (passes count) instead of the last one
    #[arg(long, value_name = "N")]
    moves: Option<usize>,

    /// Rules to score by, instead of the record's: chinese, japanese, tromp-taylor and others, as for `tengen gtp`
    #[arg(long, value_name = "RULES", value_parser = Rules::parse)]
    rules: Option<Rules>,

    /// Komi, instead of the record's
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = read_komi)]
    komi: Option<f32>,

    /// Print JSON, a line a file
    #[arg(long)]
    json: bool,

    /// Draw the board to a file too, with dead stones and territory; with one record only
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tengen score game.sgf
  tengen score --rules japanese --komi 6.5 game.sgf
  tengen score --moves 150 game.sgf
  tengen score --json games/*.sgf
  tengen score --svg board.svg game.sgf";

impl Args {
    /// Scores each file and prints what came of it. One that cannot be scored does not keep the others from it.
    ///
    /// # Errors
    /// If a file could not be scored, or standard output cannot be written.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        ensure!(self.svg.is_none() || self.files.len() == 1, "--svg draws one board, so it takes one record");
        let mut failed = 0;
        for (number, file) in self.files.iter().enumerate() {
            if stop.is_set() {
                bail!("stopped after {number} of {} files", self.files.len());
            }
            let name = file.display().to_string();
            let scored = self.score(file);
            if let (Some(path), Ok(scored)) = (&self.svg, &scored) {
                write_whole(path, svg::picture(scored).as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
            }
            print(&match &scored {
                Ok(scored) if self.json => json::line(&name, scored),
                Ok(scored) => text::page(&name, scored, number > failed),
                Err(error) if self.json => json::error_line(&name, &format!("{error:#}")),
                Err(_) => String::new(),
            })?;
            match scored.context(name) {
                Ok(_) => {}
                Err(error) if self.files.len() == 1 => return Err(error),
                Err(error) => {
                    failed += 1;
                    eprintln!("tengen: {error:#}");
                }
            }
        }
        ensure!(failed == 0, "{failed} of {} files could not be scored", self.files.len());
        Ok(())
    }

    fn score(&self, file: &Path) -> anyhow::Result<Scored> {
        let bytes = fs::read(file).context("cannot read the file")?;
        let mut collection = sgf::parse(&bytes)?;
        let mut record = Record::from_tree(&collection.games[0])?;
        record.notes.splice(0..0, collection.notes.drain(..));
        if collection.games.len() > 1 {
            record.notes.push(format!("the file has {} games; this is the first", collection.games.len()));
        }
        let moves = record.moves().count();
        if let Some(wanted) = self.moves.filter(|&wanted| wanted > moves) {
            bail!("it has {moves} moves, so there is none after --moves {wanted}");
        }
        let terms = Terms::of(&record, self.rules, self.komi);
        Ok(Scored::new(record, terms, self.moves.unwrap_or(moves))?)
    }
}
