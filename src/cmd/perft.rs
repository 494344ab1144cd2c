//! `tengen perft`: counts that prove the rules right.

use std::time::Instant;

use anyhow::bail;

use super::values::{at_least_1, read_size};
use super::{print, progress_bar};
use crate::board::Size;
use crate::rules::{Position, Rules, legal_positions_by_top_row, perft_by_move};
use crate::util::StopFlag;

/// Boards with more points have too many positions to count them one by one: 5x5 has four hundred thousand million.
const MOST_POINTS: usize = 20;
/// About this many sequences can be counted in a day.
const MOST_SEQUENCES: f64 = 1e11;

/// Count positions, to prove the rules right
///
/// Counts the legal positions of a small board, or all sequences of moves up to a given length: numbers that only an engine with exact rules
/// reproduces. A 2x2 board has 57 legal positions, 3x3 has 12675 and 4x4 has 24318165 (Tromp and Farnebäck, Combinatorics of Go).
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Board: one number for a square, or WIDTHxHEIGHT
    #[arg(value_name = "SIZE", default_value = "3", value_parser = read_size)]
    size: Size,

    /// Count the sequences of so many moves, passes among them, instead of positions; two passes end the game
    #[arg(long, value_name = "MOVES", value_parser = at_least_1)]
    depth: Option<usize>,

    /// Rules that forbid repetition and suicide, as for `tengen gtp`
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor", requires = "depth", value_parser = Rules::parse)]
    rules: Rules,
}

const EXAMPLES: &str = "\
Examples:
  tengen perft 3                       12675 legal positions
  tengen perft 2 --depth 6             sequences of up to six moves on 2x2
  tengen perft 3x2 --depth 5 --rules japanese";

impl Args {
    /// Counts.
    ///
    /// # Errors
    /// If there is too much to count, it was stopped, or standard output cannot be written.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        match self.depth {
            None => self.count_positions(stop),
            Some(depth) => self.count_sequences(depth, stop),
        }
    }

    fn count_positions(self, stop: &StopFlag) -> anyhow::Result<()> {
        let Self { size, .. } = self;
        if size.area() > MOST_POINTS {
            bail!(
                "a {size} board has far too many positions to count them one by one; {MOST_POINTS} points, such as 5x4, are the most"
            );
        }
        // Turned by a quarter, a board has as many positions, and a wide one is counted in more parts.
        let wide = Size::new(size.width().max(size.height()), size.width().min(size.height()))?;
        let parts = 3_u64.pow(wide.width() as u32);
        let (count, time) = count(legal_positions_by_top_row(wide), parts, stop)?;
        print(&format!("{size} has {count} legal positions ({time})\n"))
    }

    fn count_sequences(self, depth: usize, stop: &StopFlag) -> anyhow::Result<()> {
        let choices = self.size.area() as f64 + 1.0;
        if choices.powf(depth as f64) > MOST_SEQUENCES {
            let most = (MOST_SEQUENCES.ln() / choices.ln()) as usize;
            bail!("there are too many sequences of {depth} moves to count them one by one; on {} try --depth {most}", self.size);
        }
        let mut position = Position::new(self.size, self.rules);
        position.set_cleanup_played(false);
        for depth in 1..=depth {
            let parts = perft_by_move(&position, depth);
            let steps = parts.len() as u64;
            let (count, time) = count(parts, steps, stop)?;
            let moves = if depth == 1 { "move " } else { "moves" };
            print(&format!("{depth:2} {moves} {count:>14} ({time})\n"))?;
        }
        Ok(())
    }
}

/// The sum of `parts`, of which there are `steps`, and the time it took in words.
fn count(parts: impl Iterator<Item = u64>, steps: u64, stop: &StopFlag) -> anyhow::Result<(u64, String)> {
    let (begun, mut total) = (Instant::now(), 0);
    let bar = progress_bar(steps);
    for part in parts {
        total += part;
        bar.inc(1);
        if stop.is_set() {
            bar.finish_and_clear();
            bail!("stopped after {} of {steps} parts, {total} so far", bar.position());
        }
    }
    bar.finish_and_clear();
    Ok((total, format!("{:.2} s", begun.elapsed().as_secs_f64())))
}
