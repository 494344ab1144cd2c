//! Figures in the properties that clients read: Sabaki's SBKV and SBKS, KaTrain's KT, Lizzie's LZ.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use half::f16;
use serde_json::{Map, Value as Json, json};

use super::look::{Choice, Look};
use crate::board::{Board, Color, Size};
use crate::sgf::{NodeId, Tree, Value};

/// The version of KT's form, as KaTrain writes it at the root.
const KATRAIN_FORM: &str = "1.0";

/// Gives a node what is known of the position at it.
pub(super) fn annotate(tree: &mut Tree, node: NodeId, look: &Look, board: &Board) {
    standing(tree, node, look.winrate, look.lead);
    tree.set(node, "LZ", vec![Value::text(&lizzie(look, board.size()))]);
    tree.set(node, "KT", katrain(look, board).iter().map(|part| Value::simple_text(part)).collect());
}

/// Gives a node Black's win rate in percent and lead in points, as Sabaki reads them.
pub(super) fn standing(tree: &mut Tree, node: NodeId, winrate: f32, lead: f32) {
    tree.set(node, "SBKV", vec![Value::simple_text(&format!("{:.2}", 100.0 * winrate))]);
    tree.set(node, "SBKS", vec![Value::simple_text(&format!("{lead:.2}"))]);
}

/// What the root says of the form of KT.
pub(super) fn declare(tree: &mut Tree) {
    tree.set(Tree::ROOT, "KTV", vec![Value::simple_text(KATRAIN_FORM)]);
}

/// Lizzie's LZ: the program's version, the win rate in percent of who moved last, the visits, and on the next line the choices, their win rates (in
/// hundredths of a percent) and scores from the side of who is to move.
fn lizzie(look: &Look, size: Size) -> String {
    let last = 100.0 * look.winrate_of(!look.to_move);
    let mut text = format!("{} {last:.1} {}\n", env!("CARGO_PKG_VERSION"), look.visits);
    for choice in &look.choices {
        let winrate = (10_000.0 * choice.winrate_of(look.to_move)).round();
        let line: Vec<String> = choice.line.iter().map(|&mv| size.vertex(mv)).collect();
        let (mv, visits, score) = (size.vertex(choice.mv), choice.visits, look.to_move.sign() * choice.lead);
        let _ = write!(text, "move {mv} visits {visits} winrate {winrate} scoreMean {score:.2} pv {} info ", line.join(" "));
    }
    text
}

/// KaTrain's KT: ownership and policy as half floats and the rest as JSON, each packed by gzip and base64. All figures are Black's.
fn katrain(look: &Look, board: &Board) -> [String; 3] {
    let size = board.size();
    let ownership: Vec<f32> = (0..look.ownership.len()).map(|place| look.owned(place)).collect();
    // -1 is for moves that are not legal.
    let mut policy: Vec<f32> = size.points().map(|point| if board.is_empty(point) { 0.0 } else { -1.0 }).collect();
    policy.push(0.0);
    for &(mv, prior) in &look.policy {
        policy[mv.point().map_or(size.area(), |point| size.dense(point))] = prior;
    }
    let choice = |(order, choice): (usize, &Choice)| {
        let mv = size.vertex(choice.mv);
        let line: Vec<String> = choice.line.iter().map(|&mv| size.vertex(mv)).collect();
        let entry = json!({
            "move": mv, "order": order, "visits": choice.visits, "winrate": choice.winrate, "scoreLead": choice.lead,
            "scoreMean": choice.lead, "scoreStdev": look.score_stdev, "prior": choice.prior, "pv": line,
        });
        (mv, entry)
    };
    let moves: Map<String, Json> = look.choices.iter().enumerate().map(choice).collect();
    let player = look.to_move.letter().to_string();
    let analysis = json!({
        "moves": moves,
        "root": {
            "winrate": look.winrate, "scoreLead": look.lead, "scoreStdev": look.score_stdev, "visits": look.visits,
            "currentPlayer": player,
        },
        "completed": true,
    });
    [pack(&halves(&ownership)), pack(&halves(&policy)), pack(analysis.to_string().as_bytes())]
}

/// Half floats, little-endian.
fn halves(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| f16::from_f32(number).to_le_bytes()).collect()
}

fn pack(bytes: &[u8]) -> String {
    let packed = || -> io::Result<Vec<u8>> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(bytes)?;
        packer.finish()
    };
    STANDARD.encode(packed().expect("memory can be written"))
}

/// The property of a move of `color`.
pub(super) fn move_property(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}
