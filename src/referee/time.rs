//! Time controls as the command line writes them.

use std::time::Duration;

use crate::clock::TimeControl;

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no time control; use none, 5s/move, 10m (sudden death), 10m+30s/20 (Canadian), 10m+3x30s (byo-yomi) or 5m+2s (Fischer), \
     in whole seconds, as GTP tells them; for less, use none and the engines' own limits"
)]
pub struct BadNotation(String);

/// Reads `none`, `5s/move` (so long for each move), `10m` (sudden death), `10m+30s/20` (Canadian: 20 moves in every 30 seconds after the
/// main time), `10m+3x30s` (byo-yomi: three periods) or `5m+2s` (Fischer: two seconds more with every move). Units: s, m, h.
///
/// # Errors
/// If the text is none of these.
pub fn read_time_control(text: &str) -> Result<TimeControl, BadNotation> {
    read(&text.trim().to_ascii_lowercase()).ok_or_else(|| BadNotation(text.to_owned()))
}

/// The same notation, the other way.
pub fn write_time_control(control: TimeControl) -> String {
    let s = |time: Duration| format!("{}s", time.as_secs_f64());
    match control {
        TimeControl::None => "none".to_owned(),
        TimeControl::Absolute { main } => s(main),
        TimeControl::Canadian { main, period, stones: 1 } if main.is_zero() => format!("{}/move", s(period)),
        TimeControl::Canadian { main, period, stones } => format!("{}+{}/{stones}", s(main), s(period)),
        TimeControl::ByoYomi { main, period, periods } => format!("{}+{periods}x{}", s(main), s(period)),
        TimeControl::Fischer { main, increment, .. } => format!("{}+{}", s(main), s(increment)),
    }
}

fn read(text: &str) -> Option<TimeControl> {
    if text == "none" {
        return Some(TimeControl::None);
    }
    let length = |time: &str| read_length(time).filter(|time| !time.is_zero());
    let count = |number: &str| number.parse().ok().filter(|&number: &u32| number > 0);
    if let Some(each) = text.strip_suffix("/move") {
        return Some(TimeControl::canadian(Duration::ZERO, length(each)?, 1));
    }
    let Some((main, extra)) = text.split_once('+') else {
        return Some(TimeControl::absolute(length(text)?));
    };
    let main = read_length(main)?;
    Some(if let Some((period, stones)) = extra.split_once('/') {
        TimeControl::canadian(main, length(period)?, count(stones)?)
    } else if let Some((periods, period)) = extra.split_once('x') {
        TimeControl::byo_yomi(main, length(period)?, count(periods)?)
    } else {
        TimeControl::fischer(main, length(extra)?, None, None)
    })
}

/// A number with a unit: `15s`, `1.5m`, `1h`; 0 needs none. At most a day. Whole seconds: of half a second GTP's time_left would say 0, and
/// engines would not think at all.
fn read_length(text: &str) -> Option<Duration> {
    const DAY: f64 = 86_400.0;
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "" if digits == "0" => 0.0,
        _ => return None,
    };
    let seconds = digits.parse::<f64>().ok()? * unit;
    ((0.0..=DAY).contains(&seconds) && seconds.fract() == 0.0).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::{read_time_control, write_time_control};

    #[test]
    fn notation() {
        for (text, same) in [
            ("none", "none"),
            ("1s/move", "1s/move"),
            ("0.5m/move", "30s/move"),
            ("10S", "10s"),
            ("10m+30s/20", "600s+30s/20"),
            ("1h+3x30s", "3600s+3x30s"),
            ("0+5x10s", "0s+5x10s"),
            ("0+10s/1", "10s/move"),
            ("5m+2s", "300s+2s"),
        ] {
            let control = read_time_control(text).unwrap();
            assert_eq!(write_time_control(control), same);
            assert_eq!(read_time_control(same), Ok(control));
        }
        let bad = [
            "",
            "10",
            "s",
            "-1s",
            "0s",
            "0s/move",
            "1s/moves",
            "10m+",
            "10m+30s/0",
            "10m+0x30s",
            "1m+0s",
            "nans",
            "infs",
            "25h",
            "500ms/move",
            "0.5s/move",
        ];
        for bad in bad {
            assert!(read_time_control(bad).is_err(), "{bad}");
        }
    }
}
