//! UGF, Pandanet's format: `[Header]` with `Name=value` lines, and `[Data]` with a line a move, `QP,B1,1,0`: column and row, the row from the bottom, the
//! colour, the number. Handicap stones are black moves of number 0, and YA is a pass.

use super::{SgfError, Sheet, Size, Tree, Value, letters, off_board, size_of};
use crate::board::{Color, Point};

pub(super) fn read(text: &str) -> Result<Tree, SgfError> {
    let mut part = "";
    let mut head: Vec<(&str, &str)> = Vec::new();
    let mut data = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            part = name;
        } else if part == "Header" {
            head.extend(line.split_once('='));
        } else if part == "Data" {
            data.push((number, line));
        }
    }
    let value = |name: &str| head.iter().find(|(known, _)| *known == name).map_or("", |&(_, value)| value);
    let mut sheet = Sheet::new(size_of(value("Size"))?);
    facts(&mut sheet, value);
    let mut stones = Vec::new();
    for (number, line) in data {
        let fields: Vec<&str> = line.split(',').collect();
        let [at, color, turn, ..] = fields[..] else { continue };
        let color = match color.as_bytes().first() {
            Some(b'B') => Color::Black,
            Some(b'W') => Color::White,
            _ => continue,
        };
        let point = match at {
            "YA" => None,
            at => Some(point(sheet.size, at).ok_or_else(|| off_board((number, line), sheet.size))?),
        };
        if turn.trim() != "0" {
            sheet.play(color, point.map(|point| sheet.size.coord(point)).map(|at| (at.x.into(), at.y.into())), (number, line))?;
        } else if let Some(point) = point.filter(|_| color == Color::Black) {
            stones.push(Value::simple_text(&letters(sheet.size, point)));
        }
    }
    sheet.tree.set(Tree::ROOT, "AB", stones);
    sheet.finish()
}

fn facts<'t>(sheet: &mut Sheet, value: impl Fn(&str) -> &'t str) {
    for (color, name) in [(Color::Black, "PlayerB"), (Color::White, "PlayerW")] {
        let mut fields = value(name).split(',');
        let (name, rank) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        sheet.player(color, name, rank);
    }
    if let Some((stones, komi)) = value("Hdcp").split_once(',') {
        if stones != "0" {
            sheet.say("HA", stones);
        }
        sheet.say("KM", komi);
    }
    sheet.say(
        "RU",
        match value("Rule") {
            "JPN" => "Japanese",
            "CHN" => "Chinese",
            other => other,
        },
    );
    let date = value("Date").split(',').next().unwrap_or_default();
    sheet.say("DT", &date.replace('/', "-"));
    sheet.say("EV", value("Title").trim_end_matches(','));
    sheet.say("PC", value("Place"));
    sheet.say("CP", value("Copyright"));
    if let Some((winner, margin)) = value("Winner").split_once(',').filter(|(winner, _)| ["B", "W"].contains(winner)) {
        // C stands for 中押, resignation.
        let margin = if margin == "C" { "R" } else { margin };
        sheet.say("RE", &format!("{winner}+{margin}"));
    }
}

/// The point with these letters; nothing off the board.
fn point(size: Size, at: &str) -> Option<Point> {
    let &[column, row] = at.trim().as_bytes() else { return None };
    let number = |letter: u8| letter.to_ascii_uppercase().checked_sub(b'A').map(usize::from);
    size.point(number(column)?, size.height().checked_sub(number(row)? + 1)?)
}
