//! Time controls: their notation on the command line, and the GTP commands that announce them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How much time a player has.
///
/// Written `none`, `5s/move`, `10m` (sudden death), `10m+30s/20` (Canadian: 20 moves in every 30 seconds after the main time),
/// `10m+3x30s` (byo-yomi: three periods), `5m+2s` (Fischer: two seconds more with every move). Units: ms, s, m, h.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// No clock.
    None,
    /// So long for each move.
    PerMove(Duration),
    /// So long for the whole game.
    SuddenDeath(Duration),
    /// Main time, then so many moves within each period.
    Canadian {
        /// Main time.
        main: Duration,
        /// A period's length.
        period: Duration,
        /// Moves to be made within a period, from 1.
        stones: u32,
    },
    /// Main time, then periods, each of which is lost only if a move takes it up whole.
    ByoYomi {
        /// Main time.
        main: Duration,
        /// A period's length.
        period: Duration,
        /// Number of periods, from 1.
        periods: u32,
    },
    /// Main time that grows with every move.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// What is added after each move.
        increment: Duration,
    },
}

impl TimeControl {
    /// The commands that announce it, best first; the plainest one, which every engine with a clock should know, comes last.
    /// An engine that knows only the last one is told a time in which it can never use more than it has.
    pub(super) fn commands(&self) -> Vec<String> {
        let s = |time: Duration| seconds(time);
        match *self {
            Self::None => Vec::new(),
            Self::PerMove(each) => vec![format!("time_settings 0 {} 1", s(each))],
            Self::SuddenDeath(main) => vec![format!("time_settings {} 0 0", s(main))],
            Self::Canadian { main, period, stones } => vec![format!("time_settings {} {} {stones}", s(main), s(period))],
            Self::ByoYomi { main, period, periods } => vec![
                format!("kgs-time_settings byoyomi {} {} {periods}", s(main), s(period)),
                format!("kata-time_settings byoyomi {} {} {periods}", s(main), s(period)),
                format!("time_settings {} {} 1", s(main), s(period)),
            ],
            Self::Fischer { main, increment } => {
                vec![format!("kata-time_settings fischer {} {}", s(main), s(increment)), format!("time_settings {} 0 0", s(main))]
            }
        }
    }
}

/// Seconds as GTP has them: a whole number where it is one, since engines differ in what else they read.
pub(super) fn seconds(time: Duration) -> String {
    format!("{}", time.as_secs_f64())
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no time control; use none, 5s/move, 10m (sudden death), 10m+30s/20 (Canadian), 10m+3x30s (byo-yomi) or 5m+2s (Fischer)"
)]
pub struct BadTime(String);

impl FromStr for TimeControl {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<Self, BadTime> {
        read(&text.trim().to_ascii_lowercase()).ok_or_else(|| BadTime(text.to_owned()))
    }
}

fn read(text: &str) -> Option<TimeControl> {
    if text == "none" {
        return Some(TimeControl::None);
    }
    if let Some(each) = text.strip_suffix("/move") {
        return Some(TimeControl::PerMove(read_time(each).filter(|each| !each.is_zero())?));
    }
    let Some((main, extra)) = text.split_once('+') else {
        return Some(TimeControl::SuddenDeath(read_time(text).filter(|main| !main.is_zero())?));
    };
    let main = read_time(main)?;
    let count = |number: &str| number.parse().ok().filter(|&number: &u32| number > 0);
    let length = |time: &str| read_time(time).filter(|time| !time.is_zero());
    if let Some((period, stones)) = extra.split_once('/') {
        Some(TimeControl::Canadian { main, period: length(period)?, stones: count(stones)? })
    } else if let Some((periods, period)) = extra.split_once('x') {
        Some(TimeControl::ByoYomi { main, period: length(period)?, periods: count(periods)? })
    } else {
        Some(TimeControl::Fischer { main, increment: length(extra)? })
    }
}

/// A number with a unit: `500ms`, `1.5s`, `10m`, `1h`; 0 needs none. At most a day.
fn read_time(text: &str) -> Option<Duration> {
    const DAY: f64 = 86_400.0;
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "" if digits == "0" => 0.0,
        _ => return None,
    };
    let seconds = digits.parse::<f64>().ok()? * unit;
    (0.0..=DAY).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |time: Duration| format!("{}s", seconds(time));
        match *self {
            Self::None => f.write_str("none"),
            Self::PerMove(each) => write!(f, "{}/move", s(each)),
            Self::SuddenDeath(main) => f.write_str(&s(main)),
            Self::Canadian { main, period, stones } => write!(f, "{}+{}/{stones}", s(main), s(period)),
            Self::ByoYomi { main, period, periods } => write!(f, "{}+{periods}x{}", s(main), s(period)),
            Self::Fischer { main, increment } => write!(f, "{}+{}", s(main), s(increment)),
        }
    }
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::TimeControl;

    #[test]
    fn notation_and_commands() {
        for (text, same, plainest) in [
            ("none", "none", None),
            ("1s/move", "1s/move", Some("time_settings 0 1 1")),
            ("500ms/move", "0.5s/move", Some("time_settings 0 0.5 1")),
            ("10S", "10s", Some("time_settings 10 0 0")),
            ("10m+30s/20", "600s+30s/20", Some("time_settings 600 30 20")),
            ("1h+3x30s", "3600s+3x30s", Some("time_settings 3600 30 1")),
            ("0+5x10s", "0s+5x10s", Some("time_settings 0 10 1")),
            ("5m+2s", "300s+2s", Some("time_settings 300 0 0")),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), same);
            assert_eq!(same.parse(), Ok(control));
            assert_eq!(control.commands().last().map(String::as_str), plainest);
        }
        assert_eq!("5m+2s".parse::<TimeControl>().unwrap().commands()[0], "kata-time_settings fischer 300 2");
        for bad in
            ["", "10", "s", "-1s", "0s", "0s/move", "1s/moves", "10m+", "10m+30s/0", "10m+0x30s", "1m+0s", "nans", "infs", "25h"]
        {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }
}
