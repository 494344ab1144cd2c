//! `tengen score`: who won a finished game.

use super::engine_args::EngineArgs;
use std::path::PathBuf;

/// Tell who won a finished game
///
/// Reads a game record, judges which stones are dead, and prints the board, the score and how sure it is, under the rules and komi that the
/// record names or the flags give.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game record
    #[arg(value_name = "FILE.sgf", required = true)]
    files: Vec<PathBuf>,

    /// Score the position after this many moves instead of the last one
    #[arg(long, value_name = "N")]
    moves: Option<usize>,

    /// Rules to score by, instead of the record's
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,

    /// Komi, instead of the record's
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    komi: Option<f32>,

    /// Print JSON, a line a file
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    engine: EngineArgs,
}

const EXAMPLES: &str = "\
Examples:
  tengen score game.sgf
  tengen score --rules japanese --komi 6.5 game.sgf
  tengen score --json games/*.sgf";
