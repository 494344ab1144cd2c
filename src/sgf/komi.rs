//! What a KM value means. Half the world's files have it wrong, each in a way of its own.

/// Beyond this many points a number is no komi.
const MOST: f32 = 9999.0;
/// Hundredths that are no komi in points on any board, so that they are known without Fox's signature.
const KNOWN_HUNDREDTHS: [f32; 5] = [325.0, 375.0, 550.0, 650.0, 750.0];
/// Komi in Chinese counting's stones (zi), each worth two points. A komi in points is never a quarter.
const STONES: [f32; 3] = [2.75, 3.25, 3.75];

/// What else of a record bears on its komi.
pub(super) struct Context<'a> {
    /// The program that wrote the file: AP.
    pub(super) app: &'a str,
    /// Whether White gave handicap stones.
    pub(super) handicap: bool,
}

/// The komi in points, and a note if that is not simply what the file says.
pub(super) fn read_komi(text: &str, context: &Context<'_>) -> (Option<f32>, Option<String>) {
    let text = text.trim();
    if text.is_empty() {
        return (None, Some("KM is empty; the komi is unknown".to_owned()));
    }
    let Some((number, exact)) = number(text).filter(|(number, _)| number.abs() <= MOST) else {
        return (None, Some(format!("KM[{}] is no number of points; the komi is unknown", super::error::quote(text))));
    };
    let (komi, reason) = meaning(number, context);
    let note = match (komi, reason) {
        (None, reason) => Some(format!("KM[{text}]: the komi is unknown: {}", reason.unwrap_or_default())),
        (Some(komi), Some(reason)) => Some(format!("KM[{text}] read as {komi}: {reason}")),
        (Some(komi), None) => (!exact).then(|| format!("KM[{text}] read as {komi}")),
    };
    (komi, note)
}

fn meaning(number: f32, context: &Context<'_>) -> (Option<f32>, Option<&'static str>) {
    let is_from = |name: &str| context.app.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let fox = is_from("foxwq");
    if is_from("Tengen") {
        return (Some(number), None);
    }
    if number == 0.0 && !context.handicap && (fox || is_from("GNU Go:3.8")) {
        return (None, Some("Fox writes 0 for even games, too, also where another program saved them again"));
    }
    let hundredths = if fox { number.fract() == 0.0 && number.abs() >= 25.0 } else { KNOWN_HUNDREDTHS.contains(&number) };
    match (hundredths, if hundredths { number / 100.0 } else { number }) {
        (true, stones) if number % 50.0 != 0.0 => {
            (Some(stones * 2.0), Some("hundredths of a stone of Chinese counting, as Fox writes"))
        }
        (true, points) => (Some(points), Some("hundredths of a point, as Fox writes")),
        (false, stones) if STONES.contains(&stones) => (Some(stones * 2.0), Some("stones of Chinese counting, two points each")),
        (false, points) => (Some(points), None),
    }
}

/// The number that `text` is or, a comma read as a point, starts with before a unit (`6,5`, `6.5目`, `7 points`). False with it if it took such a
/// reading. Nothing if more digits follow, or it is not finite.
fn number(text: &str) -> Option<(f32, bool)> {
    let finite = |number: f32| number.is_finite().then_some(number);
    if let Ok(number) = text.parse() {
        return finite(number).map(|number| (number, true));
    }
    let text = text.replace(',', ".");
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c))).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if unit.contains(|c: char| c.is_numeric()) {
        return None;
    }
    finite(number.parse().ok()?).map(|number| (number, false))
}

#[cfg(test)]
mod tests {
    use super::{Context, read_komi};

    #[test]
    fn readings() {
        let even = |app| Context { app, handicap: false };
        let handicap = |app| Context { app, handicap: true };
        let cases = [
            ("6.5", even(""), Some(6.5), false),
            ("-999", even(""), Some(-999.0), false),
            ("0", even(""), Some(0.0), false),
            ("6,5", even(""), Some(6.5), true),
            ("6.5目", even(""), Some(6.5), true),
            ("7 points", even(""), Some(7.0), true),
            ("325", even("foxwq"), Some(6.5), true),
            ("375", even("foxwq"), Some(7.5), true),
            ("650", even("foxwq"), Some(6.5), true),
            ("50", handicap("foxwq"), Some(0.5), true),
            ("0", handicap("foxwq"), Some(0.0), false),
            ("0", even("foxwq"), None, true),
            ("0", even("GNU Go:3.8"), None, true),
            ("375", even("CGoban:3"), Some(7.5), true),
            ("200", even("CGoban:3"), Some(200.0), false),
            ("650", even("Tengen:1"), Some(650.0), false),
            ("3.75", even(""), Some(7.5), true),
            ("", even(""), None, true),
            ("nan", even(""), None, true),
            ("-inf", even(""), None, true),
            ("1e400", even(""), None, true),
            ("1e9", even(""), None, true),
            ("3 3/4", even(""), None, true),
            ("6½", even(""), None, true),
            ("six", even(""), None, true),
        ];
        for (text, context, komi, noted) in cases {
            let (read, note) = read_komi(text, &context);
            assert_eq!(read, komi, "{text}");
            assert_eq!(note.is_some(), noted, "{text}: {note:?}");
        }
    }
}
