//! A scored game as a line of JSON.

use serde_json::{Value, json};

use super::scored::Scored;
use crate::board::{Color, Point, PointSet};
use crate::rules::Outcome;
use crate::sgf::GameResult;

/// The line of a scored game.
pub(super) fn line(file: &str, scored: &Scored) -> String {
    let size = scored.position.size();
    let board = scored.position.board();
    let names = |points: &PointSet| points.iter().map(|point| size.vertex(point)).collect::<Vec<_>>();
    let side = |color: Color| {
        let territory = |point: &Point| board.stone(*point) != Some(color);
        json!({
            "name": scored.record.players[color.index()].name,
            "stones": scored.stones(color),
            "captures": board.captures(color),
            "prisoners": scored.prisoners(color),
            "territory": names(&scored.owners.of(color).iter().filter(territory).collect()),
        })
    };
    let rules = &scored.terms.rules;
    let score = match scored.outcome {
        Outcome::Score(score) => json!(score),
        Outcome::NoResult => Value::Null,
    };
    let recorded = Some(scored.record.result).filter(|&result| result != GameResult::Unknown);
    let value = json!({
        "file": file,
        "width": size.width(),
        "height": size.height(),
        "moves": scored.moves,
        "rules": rules.name().map_or_else(|| json!(rules), |name| json!(name)),
        "rules_from": scored.terms.rules_from,
        "komi": rules.komi,
        "komi_from": scored.terms.komi_from,
        "score": score,
        "result": scored.outcome.to_string(),
        "recorded": recorded.map(|result| result.to_string()),
        "agrees": scored.agrees(),
        "dead": names(&scored.dead),
        "seki": names(&scored.seki),
        "neutral": scored.neutral(),
        "doubtful": names(&scored.doubtful),
        "best_for_black": scored.at_best[0].to_string(),
        "best_for_white": scored.at_best[1].to_string(),
        "black": side(Color::Black),
        "white": side(Color::White),
        "notes": scored.record.notes,
    });
    format!("{value}\n")
}

/// The line of a file that cannot be scored.
pub(super) fn error_line(file: &str, error: &str) -> String {
    format!("{}\n", json!({ "file": file, "error": error }))
}
