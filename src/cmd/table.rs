//! `tengen table`: every position of a tiny board.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};

use super::print;
use super::values::{read_komi, read_size};
use crate::adversarial::Worth;
use crate::board::{Board, Color};
use crate::rules::{Position, Rules};
use crate::solve::{Table, Terms};

/// Say who wins every position of a board up to 3x3
///
/// Solves all positions of the board at once, backwards from the ends (retrograde analysis): stones, who is to move, the point that a ko bars, and whether
/// the last move was a pass. A ko may not be retaken at once, two passes end the game, points are counted by area; a game that repeats itself has no
/// result, which is worth as much as a draw. Then says what the asked position is worth and what each move does to it. A table can be kept in a file and
/// asked again.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A board's size, such as 3 or 3x2, or the file of a table
    #[arg(value_name = "SIZE|FILE")]
    what: String,

    /// Moves that lead to the position asked about, from the board below or an empty one; pass is one
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,

    /// The board before these moves: rows from the top with slashes between, X for Black, O for White, a dot for nothing
    #[arg(long, value_name = "ROWS")]
    board: Option<String>,

    /// Who is to move on it
    #[arg(long, value_name = "COLOR", default_value = "b")]
    first: Color,

    /// Points that White gets [default: 0]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = read_komi)]
    komi: Option<f32>,

    /// Let chains of two stones or more take themselves off
    #[arg(long)]
    suicide: bool,

    /// Keep the table in this file
    #[arg(long, short = 'o', value_name = "FILE")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tengen table 3                           3x3: Black wins by 9
  tengen table 3x2 B1 pass                 after two moves
  tengen table 3 --board X.O/.X./..O --first w
  tengen table 3 --komi 0.5 --out t3.bin   keeps the table
  tengen table t3.bin B2 A1                and asks it";

impl Args {
    /// Makes or reads the table, and asks it.
    ///
    /// # Errors
    /// If there is none, the position is not the board's, or the table cannot be kept.
    pub fn run(self) -> anyhow::Result<()> {
        let table = self.table()?;
        let position = self.position(table.terms())?;
        if let Some(out) = &self.out {
            table.write(out).with_context(|| format!("cannot write {}", out.display()))?;
        }
        print(&format!("{}\n{}", contents(&table), answer(&table, &position)?))
    }

    fn table(&self) -> anyhow::Result<Table> {
        if let Ok(size) = read_size(&self.what) {
            return Ok(Table::build(Terms { size, suicide: self.suicide, komi: self.komi.unwrap_or(0.0) })?);
        }
        let table = Table::read(self.what.as_ref())?;
        let Terms { suicide, komi, .. } = table.terms();
        let others = self.komi.is_some_and(|wanted| wanted != komi) || (self.suicide && !suicide);
        ensure!(!others, "{} is for komi {komi}, {}; give a size instead of a file to make another", self.what, chains(suicide));
        Ok(table)
    }

    fn position(&self, terms: Terms) -> anyhow::Result<Position> {
        let rules = rules(terms)?;
        let board = match &self.board {
            Some(rows) => Board::from_drawing(&rows.replace('/', "\n"))?,
            None => Board::new(terms.size),
        };
        ensure!(board.size() == terms.size, "the board given is {}, and the table's is {}", board.size(), terms.size);
        let mut position = Position::from_board(board, self.first, rules);
        for (index, name) in self.moves.iter().enumerate() {
            ensure!(!position.is_over(), "the game is over after {index} moves");
            let mv = terms.size.parse_vertex(name)?;
            position.play(mv).with_context(|| format!("move {}, {name}", index + 1))?;
        }
        Ok(position)
    }
}

/// The rules of a table.
fn rules(terms: Terms) -> anyhow::Result<Rules> {
    let rules = Rules::parse("tromp-taylor")?.with_setting("ko", "SIMPLE")?;
    Ok(rules.with_setting("suicide", if terms.suicide { "true" } else { "false" })?.with_komi(terms.komi))
}

fn chains(suicide: bool) -> &'static str {
    if suicide { "with suicide" } else { "without suicide" }
}

/// What a table holds.
fn contents(table: &Table) -> String {
    let Terms { size, suicide, komi } = table.terms();
    let count = |wanted: fn(f32) -> bool| table.worths().filter(|worth| wanted(worth.value)).count();
    let (black, white, nobody) = (count(|value| value > 0.0), count(|value| value < 0.0), count(|value| value == 0.0));
    let all = table.worths().len();
    format!(
        "{size}, {}, komi {komi}: {all} positions, {black} won by Black, {white} by White, {nobody} by nobody\n",
        chains(suicide)
    )
}

/// A position, its value, and that of each move.
fn answer(table: &Table, position: &Position) -> anyhow::Result<String> {
    let worth = table.worth(position).context("the table does not know this position")?;
    let mut out = format!("{}\n", position.board());
    if position.is_over() {
        let _ = writeln!(out, "The game is over: {}", outcome(worth));
        return Ok(out);
    }
    if let Some(ko) = position.board().ko() {
        let _ = writeln!(out, "{} is barred by ko", position.size().vertex(ko));
    }
    let _ = writeln!(out, "{} to move: {}\n", position.to_move(), outcome(worth));
    let moves = table.moves(position);
    let best = moves.first().map(|(_, worth)| *worth);
    for (mv, worth) in &moves {
        let mark = if Some(*worth) == best { "  best" } else { "" };
        let _ = writeln!(out, "{:4}  {}{mark}", position.size().vertex(*mv), outcome(*worth));
    }
    Ok(out)
}

fn outcome(worth: Worth) -> String {
    let winner = if worth.value > 0.0 { Color::Black } else { Color::White };
    let moves = |end| if end == 1 { "1 move".to_owned() } else { format!("{end} moves") };
    match worth.end {
        None => "nobody wins: a draw, or no result".to_owned(),
        Some(0) if worth.value == 0.0 => "a draw".to_owned(),
        Some(0) => format!("{winner} has won by {}", worth.value.abs()),
        Some(end) => format!("{winner} wins by {} in {}", worth.value.abs(), moves(end)),
    }
}
