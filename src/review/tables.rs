//! A review as JSON and CSV: a row a move.

use serde_json::{Map, Value, json};

use super::look::{Choice, Look};
use super::verdict::{Phase, Verdict};
use super::{Review, Tally};
use crate::board::{Color, Move};
use crate::sgf::GameResult;

/// The columns of a table, in order: names and what they hold. Figures are Black's but for those of a loss, which are the player's.
const COLUMNS: [&str; 17] = [
    "move",
    "color",
    "vertex",
    "black_winrate",
    "black_lead",
    "points_lost",
    "winrate_lost",
    "class",
    "phase",
    "rank",
    "prior",
    "visits",
    "best",
    "best_black_winrate",
    "best_black_lead",
    "best_line",
    "told",
];

impl Review {
    /// A row for each move, with a head.
    pub fn to_csv(&self) -> String {
        let mut text = COLUMNS.join(",") + "\r\n";
        for verdict in &self.verdicts {
            let cells = self.cells(verdict).map(|cell| match cell {
                Value::Null => String::new(),
                Value::String(text) => quoted(&text),
                other => other.to_string(),
            });
            text += &(cells.join(",") + "\r\n");
        }
        text
    }

    /// The game, the summary, and the moves, each on a line of its own.
    pub fn to_json(&self) -> String {
        let record = &self.game.record;
        let rules = &self.game.terms.rules;
        let player = |color: Color| {
            let player = &record.players[color.index()];
            let phases: Map<String, Value> = Phase::ALL
                .iter()
                .map(|&phase| (phase.word().replace(' ', "_"), tally(&self.tally(color, Some(phase)))))
                .collect();
            json!({ "name": player.name, "rank": player.rank, "game": tally(&self.tally(color, None)), "phases": phases })
        };
        let Value::Object(head) = json!({
            "source": self.game.source,
            "judge": self.judge,
            "width": record.size.width(),
            "height": record.size.height(),
            "rules": rules.name().map_or_else(|| json!(rules), |name| json!(name)),
            "rules_from": self.game.terms.rules_from,
            "komi": rules.komi,
            "komi_from": self.game.terms.komi_from,
            "handicap": record.handicap,
            "result": Some(record.result).filter(|&result| result != GameResult::Unknown).map(|result| result.to_string()),
            "notes": record.notes,
            "black": player(Color::Black),
            "white": player(Color::White),
            "largest_mistakes": self.largest_mistakes().iter().map(|verdict| verdict.number).collect::<Vec<_>>(),
            "start": { "black_winrate": rounded(self.looks[0].winrate), "black_lead": rounded(self.looks[0].lead) },
        }) else {
            unreachable!("it is written as an object")
        };
        let row = |verdict: &Verdict| {
            let row: Map<String, Value> =
                COLUMNS.iter().zip(self.cells(verdict)).map(|(&name, cell)| (name.to_owned(), cell)).collect();
            format!("  {}", Value::Object(row))
        };
        let rows: Vec<String> = self.verdicts.iter().map(row).collect();
        let lines: Vec<String> = head.iter().map(|(name, value)| format!("\"{name}\": {value},\n")).collect();
        format!("{{\n{}\"moves\": [\n{}\n]\n}}\n", lines.concat(), rows.join(",\n"))
    }

    fn cells(&self, verdict: &Verdict) -> [Value; COLUMNS.len()] {
        let size = self.game.record.size;
        let (before, after): (&Look, &Look) = (&self.looks[verdict.number - 1], &self.looks[verdict.number]);
        let best: Option<&Choice> = before.best();
        let names = |moves: &[Move]| moves.iter().map(|&mv| size.vertex(mv)).collect::<Vec<_>>().join(" ");
        [
            json!(verdict.number),
            json!(verdict.color.letter().to_string()),
            json!(size.vertex(verdict.mv)),
            rounded(after.winrate),
            rounded(after.lead),
            verdict.lost.map_or(Value::Null, rounded),
            verdict.winrate_lost.map_or(Value::Null, rounded),
            json!(verdict.class),
            json!(verdict.phase),
            json!(verdict.rank),
            rounded(verdict.prior),
            json!(after.visits),
            json!(best.map(|best| size.vertex(best.mv))),
            best.map_or(Value::Null, |best| rounded(best.winrate)),
            best.map_or(Value::Null, |best| rounded(best.lead)),
            json!(best.map(|best| names(&best.line))),
            json!(self.judged(verdict)),
        ]
    }
}

/// A tally, its figures rounded.
fn tally(tally: &Tally) -> Value {
    json!({
        "moves": tally.moves,
        "accuracy": tally.accuracy.map(rounded),
        "mean_loss": tally.mean_loss.map(rounded),
        "first_choices": tally.first_choices.map(rounded),
        "inaccuracies": tally.inaccuracies,
        "mistakes": tally.mistakes,
        "blunders": tally.blunders,
    })
}

/// A figure with as many decimals as mean something.
pub(super) fn rounded(figure: f32) -> Value {
    json!((f64::from(figure) * 1000.0).round() / 1000.0)
}

/// A cell of a table in quotation marks, if it needs them. One that a spreadsheet would take for a formula gets an apostrophe before it.
fn quoted(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@', '\t']) { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::{quoted, rounded};

    #[test]
    fn cells_are_safe_in_spreadsheets() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
    }

    #[test]
    fn figures_are_short() {
        assert_eq!(rounded(0.1).to_string(), "0.1");
        assert_eq!(rounded(-12.345_6).to_string(), "-12.346");
        assert_eq!(rounded(f32::NAN).to_string(), "null");
    }
}
