//! GIB, Tygem's format: a head of `\[NAME=value\]` lines, then lines of a word and numbers.

use super::{SgfError, Sheet, Tree};
use crate::board::{Color, Size};

pub(super) fn read(text: &str) -> Result<Tree, SgfError> {
    let mut sheet = Sheet::new(Size::STANDARD);
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some((name, value)) = line.strip_prefix("\\[").and_then(|line| line.split_once('=')) {
            head(&mut sheet, name, value.trim_end_matches(']').trim_end_matches('\\'));
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            // Handicap stones are counted only.
            ["INI", _, _, stones, ..] => sheet.handicap(stones.parse().unwrap_or(0)),
            ["STO", _, _, color, x, y, ..] => {
                let color = if color == "1" { Color::Black } else { Color::White };
                let at = x.parse().ok().zip(y.parse().ok()).unwrap_or((usize::MAX, usize::MAX));
                sheet.play(color, Some(at), (number, line))?;
            }
            // A pass, which does not say whose.
            ["SKI", ..] => sheet.pass(),
            _ => {}
        }
    }
    sheet.finish()
}

fn head(sheet: &mut Sheet, name: &str, value: &str) {
    match name {
        "GAMEBLACKNAME" => player(sheet, Color::Black, value),
        "GAMEWHITENAME" => player(sheet, Color::White, value),
        "GAMENAME" => sheet.say("EV", value),
        "GAMEPLACE" => sheet.say("PC", value),
        "GAMEINFOMAIN" => {
            // Komi and margin are in tenths.
            let field = |name: &str| value.split(',').find_map(|field| field.strip_prefix(name)?.parse::<u32>().ok());
            if let Some(komi) = field("GONGJE:") {
                sheet.say("KM", &tenths(komi));
            }
            sheet.say("RE", &result(field("GRLT:"), field("ZIPSU:")));
        }
        "GAMETAG" => {
            let date = value.split(',').find_map(|field| field.trim().strip_prefix('C').filter(|date| date.contains(':')));
            let date: Vec<&str> = date.unwrap_or_default().split(':').take(3).collect();
            if date.len() == 3 {
                sheet.say("DT", &date.join("-"));
            }
        }
        _ => {}
    }
}

/// `name (rank)`.
fn player(sheet: &mut Sheet, color: Color, text: &str) {
    let parted = text.trim().strip_suffix(')').and_then(|text| text.rsplit_once('('));
    match parted.filter(|(name, _)| !name.trim().is_empty()) {
        Some((name, rank)) => sheet.player(color, name, rank),
        None => sheet.player(color, text, ""),
    }
}

fn result(kind: Option<u32>, margin: Option<u32>) -> String {
    match (kind, margin) {
        (Some(0), Some(margin)) => format!("B+{}", tenths(margin)),
        (Some(1), Some(margin)) => format!("W+{}", tenths(margin)),
        (Some(3), _) => "B+R".to_owned(),
        (Some(4), _) => "W+R".to_owned(),
        (Some(7), _) => "B+T".to_owned(),
        (Some(8), _) => "W+T".to_owned(),
        _ => String::new(),
    }
}

fn tenths(number: u32) -> String {
    (f64::from(number) / 10.0).to_string()
}
