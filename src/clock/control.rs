//! Time controls: what a player is given at the start, and what overtime brings.

use crate::util::seconds;
use std::time::Duration;

/// A clock with more main time than this is none: nobody waits a month for a move.
const ENDLESS: Duration = Duration::from_secs(30 * 24 * 3600);

/// How a game's time is given to each player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// No limit.
    None,
    /// This much for the whole game.
    Absolute {
        /// Time for the game.
        main: Duration,
    },
    /// Japanese byo-yomi: after the main time a number of periods. A move inside a period leaves it whole; a longer one uses it
    /// up, and the player loses with the last one.
    ByoYomi {
        /// Time before the periods.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Number of periods, at least 1.
        periods: u32,
    },
    /// Canadian overtime: after the main time so many stones in each period, over and over.
    Canadian {
        /// Time before the overtime.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Stones to play in it, at least 1.
        stones: u32,
    },
    /// Fischer: every move adds to the clock.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// Added after each move.
        increment: Duration,
        /// The clock never shows more than this after the increment.
        cap: Option<Duration>,
        /// Most time for any one move.
        move_cap: Option<Duration>,
    },
}

/// Arguments that are no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTime {
    /// A kind that does not exist.
    #[error("unknown time control '{0}'; known are {kinds}", kinds = TimeControl::KINDS.map(|(kind, _)| kind).join(", "))]
    Kind(String),
    /// Too few or too many numbers.
    #[error("{kind} takes {}", if numbers.is_empty() { "no numbers" } else { numbers })]
    Count {
        /// The kind.
        kind: &'static str,
        /// The numbers it takes.
        numbers: &'static str,
    },
    /// A word where a number should be.
    #[error("'{0}' is no number")]
    Number(String),
}

impl TimeControl {
    /// The kinds by name, as [`TimeControl::read`] knows them, with the numbers that each takes; times are in seconds.
    pub const KINDS: [(&str, &str); 6] = [
        ("none", ""),
        ("absolute", "MAIN"),
        ("byoyomi", "MAIN PERIOD PERIODS"),
        ("canadian", "MAIN PERIOD STONES"),
        ("fischer", "MAIN INCREMENT"),
        ("fischer-capped", "MAIN INCREMENT CAP MOVE_CAP"),
    ];

    /// Reads a kind and its numbers, such as `byoyomi 600 30 5`: the arguments of KGS's and KataGo's time commands. Fractions are
    /// fine everywhere, negative times count as 0, and a negative cap is none.
    ///
    /// # Errors
    /// If the kind is unknown, or its numbers are too few, too many or none.
    pub fn read(kind: &str, numbers: &[&str]) -> Result<Self, BadTime> {
        let &(kind, names) = Self::KINDS.iter().find(|(name, _)| *name == kind).ok_or_else(|| BadTime::Kind(kind.to_owned()))?;
        if numbers.len() != names.split_whitespace().count() {
            return Err(BadTime::Count { kind, numbers: names });
        }
        let numbers = numbers.iter().map(|text| read_number(text)).collect::<Result<Vec<_>, _>>()?;
        Ok(match (kind, numbers.as_slice()) {
            ("absolute", &[main]) => Self::absolute(at_least_0(main)),
            ("byoyomi", &[main, period, periods]) => Self::byo_yomi(at_least_0(main), at_least_0(period), periods as u32),
            ("canadian", &[main, period, stones]) => Self::canadian(at_least_0(main), at_least_0(period), stones as u32),
            ("fischer", &[main, increment]) => Self::fischer(at_least_0(main), at_least_0(increment), None, None),
            ("fischer-capped", &[main, increment, cap, move_cap]) => {
                Self::fischer(at_least_0(main), at_least_0(increment), seconds(cap), seconds(move_cap))
            }
            _ => Self::None,
        })
    }

    /// The meaning of GTP's `time_settings MAIN PERIOD STONES`: overtime is Canadian; a period without stones is no limit; no
    /// period and no stones is absolute time.
    ///
    /// # Errors
    /// If an argument is no number.
    pub fn read_gtp(main: &str, period: &str, stones: &str) -> Result<Self, BadTime> {
        let (main, period) = (at_least_0(read_number(main)?), at_least_0(read_number(period)?));
        let stones = read_number(stones)? as u32;
        Ok(if stones == 0 && !period.is_zero() { Self::None } else { Self::canadian(main, period, stones) })
    }

    /// Absolute time. None at all is no game that could be played, and so no limit; nor is a month or more.
    pub fn absolute(main: Duration) -> Self {
        if main.is_zero() || main > ENDLESS { Self::None } else { Self::Absolute { main } }
    }

    /// Byo-yomi; absolute if there are no periods.
    pub fn byo_yomi(main: Duration, period: Duration, periods: u32) -> Self {
        if period.is_zero() || periods == 0 {
            Self::absolute(main)
        } else if main.max(period) > ENDLESS {
            Self::None
        } else {
            Self::ByoYomi { main, period, periods }
        }
    }

    /// Canadian overtime; absolute if it has no time or no stones.
    pub fn canadian(main: Duration, period: Duration, stones: u32) -> Self {
        if period.is_zero() || stones == 0 {
            Self::absolute(main)
        } else if main.max(period / stones) > ENDLESS {
            Self::None
        } else {
            Self::Canadian { main, period, stones }
        }
    }

    /// Fischer time; absolute if there is no increment and no cap on a move.
    pub fn fischer(main: Duration, increment: Duration, cap: Option<Duration>, move_cap: Option<Duration>) -> Self {
        if increment.is_zero() && move_cap.is_none() {
            Self::absolute(main)
        } else if main.max(increment) > ENDLESS {
            Self::None
        } else {
            Self::Fischer { main, increment, cap: cap.map(|cap| cap.max(main)), move_cap }
        }
    }
}

/// A number, which may have a fraction.
pub(super) fn read_number(text: &str) -> Result<f64, BadTime> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| BadTime::Number(text.to_owned()))
}

/// A time; negative counts as 0.
pub(super) fn at_least_0(number: f64) -> Duration {
    seconds(number.max(0.0)).unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests {
    use super::{BadTime, TimeControl};
    use std::time::Duration;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn gtp_time_settings() {
        let read = |text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            TimeControl::read_gtp(words[0], words[1], words[2])
        };
        assert_eq!(read("0 5 1"), Ok(TimeControl::Canadian { main: s(0), period: s(5), stones: 1 }));
        assert_eq!(read("600 300 25"), Ok(TimeControl::Canadian { main: s(600), period: s(300), stones: 25 }));
        assert_eq!(read("600 0 0"), Ok(TimeControl::Absolute { main: s(600) }));
        assert_eq!(read("600 0 5"), Ok(TimeControl::Absolute { main: s(600) }));
        assert_eq!(read("1.5 -3 -1"), Ok(TimeControl::Absolute { main: Duration::from_millis(1500) }));
        for endless in ["0 1 0", "1 1 0", "0 0 0", "-5 0 0", "2147483647 0 0", "0 2147483647 1"] {
            assert_eq!(read(endless), Ok(TimeControl::None), "{endless}");
        }
        assert_eq!(read("x 0 0"), Err(BadTime::Number("x".to_owned())));
        assert_eq!(read("nan 0 0"), Err(BadTime::Number("nan".to_owned())));
        assert_eq!(read("inf 0 0"), Err(BadTime::Number("inf".to_owned())));
    }

    #[test]
    fn kinds_by_name() {
        let read = |text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            TimeControl::read(words[0], &words[1..])
        };
        let fischer = |cap, move_cap| TimeControl::Fischer { main: s(600), increment: s(10), cap, move_cap };
        assert_eq!(read("none"), Ok(TimeControl::None));
        assert_eq!(read("absolute 600"), Ok(TimeControl::Absolute { main: s(600) }));
        assert_eq!(read("byoyomi 600 30 5"), Ok(TimeControl::ByoYomi { main: s(600), period: s(30), periods: 5 }));
        assert_eq!(read("byoyomi 600 30 0"), Ok(TimeControl::Absolute { main: s(600) }));
        assert_eq!(read("canadian 0 300 25"), Ok(TimeControl::Canadian { main: s(0), period: s(300), stones: 25 }));
        assert_eq!(read("fischer 600 10"), Ok(fischer(None, None)));
        assert_eq!(read("fischer 600 0"), Ok(TimeControl::Absolute { main: s(600) }));
        assert_eq!(read("fischer-capped 600 10 1200 -1"), Ok(fischer(Some(s(1200)), None)));
        assert_eq!(read("fischer-capped 600 10 -1 60"), Ok(fischer(None, Some(s(60)))));
        assert_eq!(read("fischer-capped 600 10 30 -1"), Ok(fischer(Some(s(600)), None)));
        assert_eq!(read("absolute 2147483647"), Ok(TimeControl::None));
    }

    #[test]
    fn errors_say_what_is_known() {
        let say = |kind, numbers: &[&str]| TimeControl::read(kind, numbers).unwrap_err().to_string();
        let known = "none, absolute, byoyomi, canadian, fischer, fischer-capped";
        assert_eq!(say("hourglass", &["3"]), format!("unknown time control 'hourglass'; known are {known}"));
        assert_eq!(say("byoyomi", &["3"]), "byoyomi takes MAIN PERIOD PERIODS");
        assert_eq!(say("none", &["3"]), "none takes no numbers");
        assert_eq!(say("absolute", &["soon"]), "'soon' is no number");
    }
}
