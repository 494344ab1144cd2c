//! `tengen perft`: counts that prove the rules right.

/// Count positions, to prove the rules right
///
/// Counts the legal positions of a small board, or all sequences of moves of a given length: numbers known from the literature, which
/// only an engine with exact rules reproduces. A 2x2 board has 57 legal positions, 3x3 has 12,675 and 4x4 has 24,318,165.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Board: one number for a square, or WIDTHxHEIGHT
    #[arg(value_name = "SIZE", default_value = "3")]
    size: String,

    /// Count the sequences of this many moves instead of positions
    #[arg(long, value_name = "MOVES")]
    depth: Option<u32>,

    /// Rules that forbid repetition and suicide, as for `tengen gtp`
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    rules: String,
}

const EXAMPLES: &str = "\
Examples:
  tengen perft 3                       12675
  tengen perft 2 --depth 6             sequences of six moves on 2x2
  tengen perft 3x2 --depth 5 --rules japanese";
