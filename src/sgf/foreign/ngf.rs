//! NGF, wBaduk's format: twelve lines of a head in a fixed order, then a line a move, `PMABBREER`: a number of two letters, the colour, and twice the
//! point, B being the first column and row. Some files have GI before each line of a head in another order, of which only some is known.

use super::{Notes, SgfError, Sheet, Tree, size_of};
use crate::board::Color;

/// Lines of the head.
const HEAD: usize = 12;

/// Whether a file looks like one: a board size in its second line, and moves.
pub(super) fn is_like(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let size = lines.by_ref().nth(1).map(|line| line.strip_prefix(b"GI").unwrap_or(line));
    let is_size = size.is_some_and(|line| line.len() <= 2 && !line.is_empty() && line.iter().all(u8::is_ascii_digit))
        || bytes.starts_with(b"GI");
    is_size && lines.take(2 * HEAD).any(|line| line.starts_with(b"PM") && line.len() >= 7)
}

pub(super) fn read(text: &str, notes: &mut Notes) -> Result<Tree, SgfError> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let head = |number: usize| lines.get(number).copied().filter(|line| !line.starts_with("PM")).unwrap_or_default();
    let mut sheet = match head(0).strip_prefix("GI") {
        Some(event) => other_head(event, |number| head(number).strip_prefix("GI").unwrap_or_default())?,
        None => usual_head(head, notes)?,
    };
    for (number, line) in lines.iter().enumerate() {
        let &[b'P', b'M', _, _, color, x, y, ..] = line.as_bytes() else { continue };
        let color = match color {
            b'B' => Color::Black,
            b'W' => Color::White,
            _ => continue,
        };
        let place = |letter: u8| usize::from(letter.wrapping_sub(b'B'));
        let pass = x == b'A' || y == b'A';
        sheet.play(color, (!pass).then(|| (place(x), place(y))), (number, line))?;
    }
    sheet.finish()
}

/// Who played, how, and how it ended.
fn usual_head<'t>(head: impl Fn(usize) -> &'t str, notes: &mut Notes) -> Result<Sheet, SgfError> {
    let mut sheet = Sheet::new(size_of(head(1))?);
    for (color, line) in [(Color::White, head(2)), (Color::Black, head(3))] {
        let (name, rank) = line.rsplit_once(char::is_whitespace).unwrap_or((line, ""));
        let rank = rank.trim_end_matches('*').replace("DP", "p").replace('K', "k").replace('D', "d");
        sheet.player(color, name, &rank);
    }
    sheet.say("PC", head(4));
    let handicap = head(5).parse().unwrap_or(0);
    sheet.handicap(handicap);
    if let Ok(komi) = head(7).parse::<f32>() {
        // Komi of even games is written without its half.
        let half = if handicap < 2 && komi.fract() == 0.0 { 0.5 } else { 0.0 };
        if half > 0.0 {
            notes.add(None, &format!("a komi of {komi} read as half a point more, as wBaduk writes"));
        }
        sheet.say("KM", &(komi + half).to_string());
    }
    let date: String = head(8).chars().take_while(char::is_ascii_digit).collect();
    if date.len() == 8 {
        sheet.say("DT", &format!("{}-{}-{}", &date[..4], &date[4..6], &date[6..]));
    }
    sheet.say("RE", &result(head(10)));
    Ok(sheet)
}

/// The head of the other kind: event, both players, date and size are known, not who had which colour, nor komi.
fn other_head<'t>(event: &str, head: impl Fn(usize) -> &'t str) -> Result<Sheet, SgfError> {
    let mut sheet = Sheet::new(size_of(head(7))?);
    sheet.say("EV", event);
    sheet.say("GN", &format!("{}, {}", head(1), head(2)));
    sheet.say("DT", head(6));
    Ok(sheet)
}

/// `Black wins by 0.5!`, `White wins by  resign!`.
fn result(text: &str) -> String {
    let text = text.to_lowercase();
    let winner = if text.contains("white win") || text.contains("black lose") {
        'W'
    } else if text.contains("black win") || text.contains("white lose") {
        'B'
    } else {
        return String::new();
    };
    let number =
        text.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(|word| word.trim_end_matches('.').parse::<f32>().ok());
    let margin = match number {
        _ if text.contains("resign") => "R".to_owned(),
        _ if text.contains("time") => "T".to_owned(),
        Some(points) => points.to_string(),
        None => String::new(),
    };
    format!("{winner}+{margin}")
}
