//! A review on the terminal.

use super::words::{line, percent, points};
use super::{Phase, Review, Tally};
use crate::board::Color;
use crate::sgf::GameResult;

/// Columns of the graph, at most.
const WIDTH: usize = 72;
/// Rows of it.
const HEIGHT: usize = 8;
/// Parts that a cell can be filled by, from the bottom.
const CELLS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

impl Review {
    /// A short summary: who played, how the game went, how both did, and the largest mistakes.
    pub fn summary(&self) -> String {
        let record = &self.game.record;
        let [black, white] = Color::ALL.map(|color| self.game.name(color));
        let result = if record.result == GameResult::Unknown { String::new() } else { format!(", {}", record.result) };
        let heading = format!("{black} (Black) against {white} (White), {}, {} moves{result}", record.size, self.verdicts.len());
        let notes: Vec<String> = record.notes.iter().map(|note| format!("Note: {note}.\n")).collect();
        let notes = notes.concat();
        let terms = self.game.terms.in_words(record);
        let (graph, table, mistakes) = (self.graph(), self.table(), self.list());
        format!("{heading}\n{terms}\n{notes}Judged by {}.\n\n{graph}\n{table}\n{mistakes}", self.judge)
    }

    /// Black's win rate over the game.
    fn graph(&self) -> String {
        let shares: Vec<f32> = self.looks.iter().map(|look| look.winrate).collect();
        let columns = columns(&shares, WIDTH.min(shares.len()));
        let row = |row: usize| {
            let label = match row {
                0 => "100 %",
                row if row == HEIGHT / 2 => " 50 %",
                row if row == HEIGHT - 1 => "  0 %",
                _ => "     ",
            };
            let filled = |share: &f32| {
                let height = share * HEIGHT as f32 - (HEIGHT - 1 - row) as f32;
                CELLS[(height.clamp(0.0, 1.0) * (CELLS.len() - 1) as f32).round() as usize]
            };
            format!("{label} │{}\n", columns.iter().map(filled).collect::<String>())
        };
        let rows: String = (0..HEIGHT).map(row).collect();
        let last = self.verdicts.len().to_string();
        let gap = columns.len().saturating_sub(1 + last.len());
        format!(
            "Black's chance to win, move by move\n{rows}      └{}\n       0{}{last}\n",
            "─".repeat(columns.len()),
            " ".repeat(gap)
        )
    }

    /// How both did, in all and by phase.
    fn table(&self) -> String {
        self.table_rows().iter().map(row).collect()
    }

    /// The cells of that table, its head first. The names of phases begin with a blank.
    pub(super) fn table_rows(&self) -> Vec<[String; 8]> {
        let head = ["", "moves", "accuracy", "lost a move", "first choice", "inaccuracies", "mistakes", "blunders"];
        let mut rows = vec![head.map(str::to_owned)];
        for color in Color::ALL.into_iter().filter(|&color| self.tells_of(color)) {
            rows.push(tally(&color.to_string(), &self.tally(color, None)));
            let phases = Phase::ALL.map(|phase| (phase, self.tally(color, Some(phase))));
            let played = phases.iter().filter(|(_, counted)| counted.moves > 0);
            rows.extend(played.map(|(phase, counted)| tally(&format!("  {}", phase.word()), counted)));
        }
        rows
    }

    /// The largest mistakes.
    fn list(&self) -> String {
        let size = self.game.record.size;
        let mistakes = self.largest_mistakes();
        if mistakes.is_empty() {
            return "No move lost 1.5 points or more.\n".to_owned();
        }
        let entry = |verdict: &super::Verdict| {
            let shares = [verdict.number - 1, verdict.number].map(|place| percent(self.looks[place].winrate_of(verdict.color)));
            let best = self.looks[verdict.number - 1].best();
            let better = best.map_or_else(String::new, |best| {
                line(size, if best.line.is_empty() { std::slice::from_ref(&best.mv) } else { &best.line })
            });
            let (number, color, mv) = (verdict.number, verdict.color, size.vertex(verdict.mv));
            let (lost, [before, after]) = (points(verdict.lost.unwrap_or(0.0)), shares);
            format!("{number:>5}  {color:5} {mv:4} {lost:>12}  {before:>5} to {after:>5}  better {better}\n")
        };
        format!("Largest mistakes\n{}", mistakes.into_iter().map(entry).collect::<String>())
    }
}

/// The cells of a tally.
fn tally(name: &str, tally: &Tally) -> [String; 8] {
    let figure = |figure: Option<f32>, show: fn(f32) -> String| figure.map_or_else(|| "-".to_owned(), show);
    [
        name.to_owned(),
        tally.moves.to_string(),
        figure(tally.accuracy, |accuracy| format!("{accuracy:.0}")),
        figure(tally.mean_loss, |lost| format!("{lost:.1}")),
        figure(tally.first_choices, percent),
        tally.inaccuracies.to_string(),
        tally.mistakes.to_string(),
        tally.blunders.to_string(),
    ]
}

/// A line of the table.
fn row(cells: &[String; 8]) -> String {
    let [name, rest @ ..] = cells;
    let rest: Vec<String> = rest.iter().zip([6, 9, 12, 13, 13, 9, 9]).map(|(cell, width)| format!("{cell:>width$}")).collect();
    format!("{name:14}{}\n", rest.concat())
}

/// `values` as so many means of neighbours.
fn columns(values: &[f32], count: usize) -> Vec<f32> {
    let bound = |column: usize| column * values.len() / count;
    let mean = |part: &[f32]| part.iter().sum::<f32>() / part.len() as f32;
    (0..count).map(|column| mean(&values[bound(column)..bound(column + 1)])).collect()
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn columns_are_means_of_neighbours() {
        assert_eq!(columns(&[0.0, 1.0, 2.0, 3.0, 4.0], 2), [0.5, 3.0]);
        assert_eq!(columns(&[0.5, 1.0], 2), [0.5, 1.0]);
    }
}
