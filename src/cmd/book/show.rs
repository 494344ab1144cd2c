//! A book as text.

use std::fmt::Write;

use crate::book::{Book, BookMove, Mark, chances};
use crate::params::BookParams;
use crate::rules::{Position, Scoring};

/// Most moves of a continuation that are shown.
const LONGEST_LINE: usize = 8;
/// Most moves of a position that are shown.
const MOST_MOVES: usize = 20;

/// What a book holds, a line a page.
pub(super) fn contents(book: &Book) -> String {
    let mut out = "board  scoring    komi  positions     moves\n".to_owned();
    for (page, positions, moves) in book.pages() {
        let (size, scoring, komi) = (page.size().to_string(), scoring(page.scoring()), page.komi());
        let _ = writeln!(out, "{size:5}  {scoring:9}  {komi:4}  {positions:9}  {moves:8}");
    }
    out
}

fn scoring(scoring: Scoring) -> &'static str {
    match scoring {
        Scoring::Area => "area",
        Scoring::Territory => "territory",
    }
}

/// A position and its moves: how often each was played, what share of the decided games it won, and how likely it is played with default settings.
pub(super) fn position(book: &Book, position: &Position) -> String {
    let (rules, size) = (position.rules(), position.size());
    let (scoring, to_move) = (scoring(rules.scoring), position.to_move());
    let mut out = format!("{size}, {scoring} scoring, komi {}, {to_move} to move\n{}\n\n", rules.komi, position.board());
    let moves = book.moves(position);
    if moves.is_empty() {
        out += "The book does not know this position.\n";
        return out;
    }
    out += "move   games    won  played  mark   continuation\n";
    let chances = chances(&moves, &BookParams::default());
    for (known, chance) in moves.iter().zip(chances).take(MOST_MOVES) {
        let won = known.figures.won().map_or("-".to_owned(), |won| format!("{:.1}%", 100.0 * won));
        let (vertex, games, share) = (size.vertex(known.mv), known.figures.games, format!("{:.1}%", 100.0 * chance));
        let row = format!("{vertex:4}  {games:6}  {won:>5}  {share:>6}  {:5}  {}", mark(known), line(book, position, known));
        let _ = writeln!(out, "{}", row.trim_end());
    }
    if moves.len() > MOST_MOVES {
        let _ = writeln!(out, "and {} more", moves.len() - MOST_MOVES);
    }
    out
}

fn mark(known: &BookMove) -> &'static str {
    match known.mark {
        Mark::None => "",
        Mark::Play => "play",
        Mark::Avoid => "avoid",
    }
}

/// What was played most after a move.
fn line(book: &Book, position: &Position, first: &BookMove) -> String {
    let (mut position, mut next, mut names) = (position.clone(), Some(*first), Vec::new());
    while let Some(known) = next.filter(|_| names.len() <= LONGEST_LINE) {
        position.play_unchecked(known.mv);
        names.push(position.size().vertex(known.mv));
        next = book.moves(&position).into_iter().find(|known| known.mark != Mark::Avoid);
    }
    names[1..].join(" ")
}
