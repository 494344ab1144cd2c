//! A scored game as text.

use super::scored::Scored;
use crate::board::{Color, Point, draw};
use crate::rules::Outcome;
use crate::sgf::{GameResult, Margin};

/// More chains than this are counted, not named.
const LONGEST_LIST: usize = 8;
/// A finished game leaves fewer than one in so many points to nobody.
const FINISHED: usize = 10;

/// The page of a scored game; `further` if one stands before it.
pub(super) fn page(file: &str, scored: &Scored, further: bool) -> String {
    let gap = if further { "\n" } else { "" };
    let (heading, board, legend) = (heading(scored), board(scored), legend(scored));
    let (table, verdict, terms) = (table(scored), verdict(scored), terms(scored));
    let notes: Vec<String> = scored.record.notes.iter().map(|note| format!("Note: {note}.\n")).collect();
    let notes = notes.concat();
    format!("{gap}{file}\n{heading}\n\n{board}\n{legend}\n\n{table}\n{verdict}\n{terms}\n{notes}")
}

/// Who played, on what, how far.
fn heading(scored: &Scored) -> String {
    let name = |color: Color| {
        let player = &scored.record.players[color.index()];
        let words = [player.name.as_deref(), player.rank.as_deref()];
        let name = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
        if name.is_empty() { color.to_string() } else { format!("{name} ({color})") }
    };
    let moves = match (scored.moves, scored.record.moves().count()) {
        (moves, all) if moves == all => format!("{moves} moves"),
        (moves, all) => format!("after {moves} of {all} moves"),
    };
    format!("{} against {}, {}, {moves}", name(Color::Black), name(Color::White), scored.position.size())
}

fn board(scored: &Scored) -> String {
    let board = scored.position.board();
    draw(board.size(), |point: Point| match (board.stone(point), scored.owners.owner(point)) {
        (Some(Color::Black), _) if scored.dead.contains(point) => 'x',
        (Some(Color::White), _) if scored.dead.contains(point) => 'o',
        (Some(Color::Black), _) => 'X',
        (Some(Color::White), _) => 'O',
        (None, Some(Color::Black)) => 'b',
        (None, Some(Color::White)) => 'w',
        (None, None) => '.',
    })
}

fn legend(scored: &Scored) -> String {
    let dead = if scored.dead.is_empty() { "" } else { "x dead Black  o dead White  " };
    format!("X Black  O White  {dead}b Black's territory  w White's territory  . nobody's")
}

fn table(scored: &Scored) -> String {
    let line = |name: &str, [black, white]: [String; 2]| format!("{name:12}{black:>8}{white:>8}\n");
    let rows = scored.rows();
    let cell = |points: Option<f32>| points.map_or_else(String::new, |points| points.to_string());
    let body: Vec<String> = rows.iter().map(|(name, points)| line(name, points.map(cell))).collect();
    let total = [0, 1].map(|side| rows.iter().filter_map(|(_, points)| points[side]).sum::<f32>().to_string());
    let head = ["Black", "White"].map(str::to_owned);
    [line("", head), body.concat(), line("Total", total)].concat()
}

/// The result, what the record says, and how sure it is.
fn verdict(scored: &Scored) -> String {
    let result = match (scored.outcome, scored.outcome.winner()) {
        (Outcome::NoResult, _) => "No result: the same position came up three times".to_owned(),
        (Outcome::Score(_), None) => "A draw".to_owned(),
        (Outcome::Score(score), Some(winner)) => format!("{winner} wins by {}", points(score.abs())),
    };
    format!("{result} ({}). {}{}{}", scored.outcome, comparison(scored), doubts(scored), openness(scored))
}

/// The chains in doubt, and what hangs on them; a line of its own.
fn doubts(scored: &Scored) -> String {
    let board = scored.position.board();
    let heads = scored.doubtful.iter().filter(|&point| board.head(point) == point);
    let names: Vec<String> = heads.map(|point| board.size().vertex(point)).collect();
    let chains = match names.len() {
        0 => return String::new(),
        number if number > LONGEST_LIST => format!("{number} chains"),
        _ => names.join(", "),
    };
    let [black, white] = scored.at_best;
    format!("\nNot clear is the fate of {chains}: the result is between {black} and {white}.")
}

/// Says that a game is not over if so it seems; a line of its own.
fn openness(scored: &Scored) -> String {
    let neutral = scored.neutral();
    if neutral * FINISHED < scored.position.size().area() || scored.terms.rules.counts_as_it_stands() {
        return String::new();
    }
    format!("\n{neutral} points are nobody's: the game does not seem to be over, and this is no estimate of how it will end.")
}

fn points(number: f32) -> String {
    if number == 1.0 { "1 point".to_owned() } else { format!("{number} points") }
}

fn comparison(scored: &Scored) -> String {
    let recorded = scored.record.result;
    let reason = match (recorded, scored.agrees()) {
        (_, Some(true)) => return "The record says the same.".to_owned(),
        (_, Some(false)) => return format!("The record says {recorded}."),
        (GameResult::Unknown, _) => return "The record gives no result.".to_owned(),
        (GameResult::Win(winner, Margin::Resignation), _) => format!("{} resigned", !winner),
        (GameResult::Win(winner, Margin::Time), _) => format!("{} ran out of time", !winner),
        (GameResult::Win(winner, Margin::Forfeit), _) => format!("{} forfeited the game", !winner),
        _ => "at its end".to_owned(),
    };
    format!("The record says {recorded} ({reason}).")
}

/// Rules and komi, and why these.
fn terms(scored: &Scored) -> String {
    let counted =
        if scored.terms.rules.counts_as_it_stands() { "These rules count every stone on the board as alive.\n" } else { "" };
    format!("{counted}{}", scored.terms.in_words(&scored.record))
}
