//! `tengen bench`: how fast this machine searches.

use super::engine_args::EngineArgs;

/// Measure how fast this machine searches
///
/// Searches a fixed set of positions and prints playouts a second for each board size, with one thread up to the number given. With
/// --seed and one thread the final line, a number made of everything searched, is the same on every machine: it changes only when the
/// engine plays differently.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,

    /// Boards to measure on
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [9, 13, 19], value_parser = clap::value_parser!(u32).range(2..=25))]
    sizes: Vec<u32>,

    /// Playouts alone, moves chosen at random, without a search
    #[arg(long)]
    playouts_only: bool,
}

const EXAMPLES: &str = "\
Examples:
  tengen bench                           all sizes, one thread up to one a core
  tengen bench --sizes 9 --threads 1
  tengen bench --sizes 9,19 --playouts-only";
