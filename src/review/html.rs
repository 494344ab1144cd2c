//! A review as one page for a browser, which needs nothing else: `page/` has its parts. What the game says reaches the page only as JSON that cannot
//! end its element, and as the escaped title; a policy lets no other script run and nothing be fetched.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::look::Choice;
use super::tables::rounded;
use super::verdict::Verdict;
use super::{Review, words};
use crate::board::{Board, Color, Move, Size};
use crate::sgf::GameResult;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");
/// The board: Shudan 1.7.1 (MIT), built by `scripts/board-component`.
const BOARD: &str = include_str!("page/board.js");
const BOARD_STYLE: &str = include_str!("page/board.css");

/// Choices of a position on the page.
const MOST_CHOICES: usize = 5;
/// Moves of the policy on the page.
const MOST_LIKELY: usize = 20;

impl Review {
    /// The page.
    pub fn to_html(&self) -> String {
        let [black, white] = Color::ALL.map(|color| self.game.name(color));
        let hashes = [BOARD, SCRIPT].map(|script| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)))).join(" ");
        fill(PAGE, |part| match part {
            "title" => escape(&format!("{black} – {white}, reviewed")),
            "generator" => concat!("Tengen ", env!("CARGO_PKG_VERSION")).to_owned(),
            "script_hashes" => hashes.clone(),
            "board_style" => BOARD_STYLE.to_owned(),
            "style" => STYLE.to_owned(),
            "data" => in_script(&self.page_data()),
            "board" => BOARD.to_owned(),
            "script" => SCRIPT.to_owned(),
            _ => unreachable!("page.html names a part that is not here: {part}"),
        })
    }

    fn page_data(&self) -> Value {
        let record = &self.game.record;
        let size = record.size;
        let empty = Board::new(size);
        let looks = self.looks.iter().enumerate().map(|(moves, look)| {
            let before = moves.checked_sub(1).map_or(&empty, |before| &self.boards[before]);
            let changes = changes(before, &self.boards[moves]);
            let played = self.game.moves.get(moves).map(|&(_, mv)| mv);
            let shown = look.choices.iter().filter(|choice| !choice.mirrors || Some(choice.mv) == played).take(MOST_CHOICES);
            json!({
                "changes": changes,
                "toMove": look.to_move.letter().to_string(),
                "winrate": rounded(look.winrate),
                "lead": rounded(look.lead),
                "standing": words::standing(look),
                "said": self.said(moves),
                "choices": shown.map(|choice| choice_data(size, choice)).collect::<Vec<_>>(),
                "policy": look.policy.iter().take(MOST_LIKELY).map(|&(mv, prior)| json!([place(size, mv), rounded(prior)])).collect::<Vec<_>>(),
                "ownership": look.ownership_text(),
            })
        });
        let looks: Vec<Value> = looks.collect();
        json!({
            "size": [size.width(), size.height()],
            "players": Color::ALL.map(|color| self.game.name(color)),
            "facts": self.facts(),
            "judge": self.judge,
            "player": self.player.map(|color| color.letter().to_string()),
            "looks": looks,
            "moves": self.verdicts.iter().map(|verdict| self.move_data(verdict)).collect::<Vec<_>>(),
            "table": self.table_rows(),
        })
    }

    /// What stands below the names: how the game ended, when and where it was, the rules, and what was read into the record.
    fn facts(&self) -> Vec<String> {
        let record = &self.game.record;
        let info = |name: &str| record.info.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone());
        let result = Some(record.result).filter(|&result| result != GameResult::Unknown).map(|result| format!("Result {result}"));
        let first: Vec<String> = [result, info("EV"), info("RO"), info("DT"), info("PC")].into_iter().flatten().collect();
        let mut facts = vec![first.join(" · ")];
        facts.push(self.game.terms.in_words(record));
        facts.extend(record.notes.iter().map(|note| format!("Note: {note}.")));
        facts.retain(|fact| !fact.is_empty());
        facts
    }

    /// What the record says at a position.
    fn said(&self, moves: usize) -> Option<String> {
        let tree = &self.game.tree;
        let comment = tree.property(self.game.node_of_position(moves), "C")?;
        let text = comment.values().iter().map(crate::sgf::Value::to_text).collect::<Vec<_>>().join("\n");
        let own = super::sgf::without_ours(&text).trim();
        (!own.is_empty()).then(|| own.to_owned())
    }

    fn move_data(&self, verdict: &Verdict) -> Value {
        json!({
            "number": verdict.number,
            "color": verdict.color.letter().to_string(),
            "place": place(self.game.record.size, verdict.mv),
            "lost": verdict.lost.map(rounded),
            "kind": verdict.class as usize,
            "told": self.judged(verdict),
        })
    }
}

fn choice_data(size: Size, choice: &Choice) -> Value {
    let line = if choice.line.is_empty() { std::slice::from_ref(&choice.mv) } else { &choice.line[..] };
    json!({
        "place": place(size, choice.mv),
        "winrate": rounded(choice.winrate),
        "lead": rounded(choice.lead),
        "line": line.iter().map(|&mv| place(size, mv)).collect::<Vec<_>>(),
    })
}

/// The row-major number of a move's point; -1 for a pass.
fn place(size: Size, mv: Move) -> i32 {
    mv.point().map_or(-1, |point| size.dense(point) as i32)
}

/// The points that differ between two boards, and what is on the second: 1 black, -1 white, 0 nothing.
fn changes(before: &Board, after: &Board) -> Vec<[i32; 2]> {
    let size = after.size();
    let stone = |board: &Board, point| board.stone(point).map_or(0, |color| if color == Color::Black { 1 } else { -1 });
    let points = size.points().enumerate();
    let changed = points.map(|(place, point)| (place as i32, stone(before, point), stone(after, point)));
    changed.filter(|(_, before, after)| before != after).map(|(place, _, after)| [place, after]).collect()
}

/// A template with its parts, `{{name}}`, filled in.
fn fill(template: &str, part: impl Fn(&str) -> String) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else { break };
        page += before;
        page += &part(name);
        rest = after;
    }
    page + rest
}

/// Text for HTML, in elements and attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
    }
    escaped
}

/// JSON for a script element: nothing in it can end the element or begin a comment.
fn in_script(data: &Value) -> String {
    let mut text = String::new();
    for c in data.to_string().chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => _ = write!(text, "\\u{:04x}", c as u32),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{BOARD, BOARD_STYLE, escape, fill, in_script};
    use serde_json::json;
    use sha2::{Digest, Sha256};

    #[test]
    fn nothing_ends_its_element() {
        assert_eq!(escape("<b a=\"1\">'&"), "&lt;b a=&quot;1&quot;&gt;&#39;&amp;");
        let hostile = json!({ "name": "</script><script>alert(1)</script><!-- & \u{2028}" });
        let text = in_script(&hostile);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), hostile);
    }

    #[test]
    fn parts_are_filled_in_once() {
        assert_eq!(fill("a {{x}} b {{y}} {{", |part| format!("<{{{{{part}}}}}>")), "a <{{x}}> b <{{y}}> {{");
    }

    /// What `scripts/board-component` built is what is here.
    #[test]
    fn the_board_is_the_pinned_one() {
        let pinned = include_str!("page/board.sha256");
        for (name, text) in [("board.js", BOARD), ("board.css", BOARD_STYLE)] {
            let hash = format!("{:x}", Sha256::digest(text));
            assert!(pinned.contains(&format!("{hash}  {name}\n")), "{name} has {hash}");
        }
    }
}
