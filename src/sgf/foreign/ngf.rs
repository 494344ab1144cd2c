//! NGF, wBaduk's format: twelve lines of a head in a fixed order, then a line a move, `PMABBREER`: a number of two letters, the colour, and twice the
//! point, B being the first column and row. Older files have GI before each line of the head, which is in another order, and say who won in a
//! line that begins with ID, behind the moves.

use super::{Notes, SgfError, Sheet, Tree, size_of};
use crate::board::Color;

/// Names of the colours in results.
const COLORS: [(&str, Color); 7] = [
    ("black", Color::Black),
    ("white", Color::White),
    ("黑", Color::Black),
    ("黒", Color::Black),
    ("흑", Color::Black),
    ("白", Color::White),
    ("백", Color::White),
];

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
    let older: Vec<&str> = lines.iter().map_while(|line| line.strip_prefix("GI").map(str::trim)).collect();
    let mut sheet = if older.is_empty() { usual_head(head, notes)? } else { older_head(&older, notes)? };
    if let Some(end) = lines.iter().rev().find_map(|line| line.strip_prefix("ID")) {
        // Behind the winning colour and the number of moves in brackets.
        sheet.say("RE", &result(end.split_once(']').map_or(end, |(_, words)| words)));
    }
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
    player(&mut sheet, Color::White, head(2));
    player(&mut sheet, Color::Black, head(3));
    sheet.say("PC", head(4));
    terms(&mut sheet, head(5), head(7), notes);
    let date: String = head(8).chars().take_while(char::is_ascii_digit).collect();
    if date.len() == 8 {
        sheet.say("DT", &format!("{}-{}-{}", &date[..4], &date[4..6], &date[6..]));
    }
    sheet.say("RE", &result(head(10)));
    Ok(sheet)
}

/// The older head: event, both players, lines that may be empty, date, size, handicap, a nought, komi, moves.
fn older_head(head: &[&str], notes: &mut Notes) -> Result<Sheet, SgfError> {
    let line = |number: usize| head.get(number).copied().unwrap_or_default();
    let is_number = |line: &&str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    let size = (3..head.len()).find(|&number| is_number(&line(number))).unwrap_or(head.len());
    let mut sheet = Sheet::new(size_of(line(size))?);
    sheet.say("EV", line(0));
    player(&mut sheet, Color::White, line(1));
    player(&mut sheet, Color::Black, line(2));
    if !line(1).is_empty() {
        notes.add(None, "which player had which colour is not said; White read as the first, as in wBaduk's newer records");
    }
    let date: Vec<&str> = line(size.saturating_sub(1)).split('-').collect();
    if let [year, month, day] = date[..] {
        sheet.say("DT", &format!("{year}-{month:0>2}-{day:0>2}"));
    }
    terms(&mut sheet, line(size + 1), line(size + 3), notes);
    Ok(sheet)
}

/// A player, whose rank stands behind the name.
fn player(sheet: &mut Sheet, color: Color, line: &str) {
    let (name, rank) = line.rsplit_once(char::is_whitespace).unwrap_or((line, ""));
    let rank = rank.trim_end_matches('*').replace("DP", "p").replace('K', "k").replace('D', "d");
    sheet.player(color, name, &rank);
}

/// Handicap and komi.
fn terms(sheet: &mut Sheet, handicap: &str, komi: &str, notes: &mut Notes) {
    let handicap = handicap.parse().unwrap_or(0);
    sheet.handicap(handicap);
    if let Ok(komi) = komi.parse::<f32>() {
        // Komi of even games is written without its half.
        let half = if handicap < 2 && komi.fract() == 0.0 { 0.5 } else { 0.0 };
        if half > 0.0 {
            notes.add(None, &format!("a komi of {komi} read as half a point more, as wBaduk writes"));
        }
        sheet.say("KM", &(komi + half).to_string());
    }
}

/// `Black wins by 0.5!`, `White wins by  resign!`, and the same in the words of the East: `黑中盘胜`, `白5.5目勝ち!`, `250수 흑7집승`.
fn result(text: &str) -> String {
    let text = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let named = COLORS.iter().filter_map(|&(name, color)| Some((text.find(name)?, color))).min_by_key(|&(place, _)| place);
    let Some((place, color)) = named else { return String::new() };
    let winner = if says(&["lose"]) {
        !color
    } else if says(&["win", "胜", "勝", "승"]) {
        color
    } else {
        return String::new();
    };
    // In front of the colour may stand how many moves there were.
    let behind = &text[place..];
    let start = behind.find(|c: char| c.is_ascii_digit()).map_or("", |start| &behind[start..]);
    let number = start.split(|c: char| !(c.is_ascii_digit() || c == '.')).next().unwrap_or_default().trim_end_matches('.');
    let half = if start[number.len()..].chars().nth(1) == Some('半') { 0.5 } else { 0.0 };
    let margin = match number.parse::<f32>() {
        _ if says(&["resign", "中盘", "中盤", "中押", "불계"]) => "R".to_owned(),
        _ if says(&["time", "超时", "超時", "時間", "시간"]) => "T".to_owned(),
        Ok(points) => (points + half).to_string(),
        Err(_) => String::new(),
    };
    format!("{}+{margin}", winner.letter())
}

#[cfg(test)]
mod tests {
    use super::result;

    #[test]
    fn results_in_the_words_of_four_languages() {
        for (text, expected) in [
            ("Black wins by 0.5!", "B+0.5"),
            ("White 19Win  >> White(83):Black(64)", "W+19"),
            ("Black Win 6.5 >> White(50):Black(63)", "B+6.5"),
            ("White loses on time", "B+T"),
            ("White wins by  resign!", "W+R"),
            ("黑中盘胜(现场消息)[EndTxt]", "B+R"),
            ("白5.5目勝ち!", "W+5.5"),
            ("黒5.5目勝！ >> 白(64):黒(76)", "B+5.5"),
            ("232手完、黒2目半勝ち", "B+2.5"),
            ("白時間切れ勝ち！", "W+T"),
            ("250수 흑7집승", "B+7"),
            ("흑 1.5집 승", "B+1.5"),
            ("Progressing!", ""),
            ("白", ""),
            ("black 3", ""),
            ("", ""),
        ] {
            assert_eq!(result(text), expected, "{text}");
        }
    }
}
