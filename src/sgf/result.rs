//! How a game ended, as RE says it.

use std::fmt;

use crate::board::Color;
use crate::rules::Outcome;

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum GameResult {
    /// Not known, or not over.
    #[default]
    Unknown,
    /// Neither won.
    Draw,
    /// No result: a long cycle, or a game called off.
    Void,
    /// This player won.
    Win(Color, Margin),
}

/// By what a game was won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    /// Not known.
    Unknown,
    /// By this many points.
    Points(f32),
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Time,
    /// The loser broke the rules or did not appear.
    Forfeit,
}

impl GameResult {
    /// Reads an RE value: FF4's forms in any case with any remark behind them, `Black wins by resignation` and its like, and Chinese
    /// and Japanese phrases such as 白中押胜. What is none of these is unknown.
    pub fn read(text: &str) -> Self {
        let text = text.trim().to_lowercase();
        match text.as_str() {
            "0" | "draw" | "jigo" => Self::Draw,
            "void" => Self::Void,
            _ => short_form(&text).or_else(|| phrase(&text)).unwrap_or_default(),
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match (outcome, outcome.winner()) {
            (Outcome::NoResult, _) => Self::Void,
            (Outcome::Score(score), Some(winner)) => Self::Win(winner, Margin::Points(score.abs())),
            (Outcome::Score(_), None) => Self::Draw,
        }
    }
}

/// `b+3.5`, `w+resign`.
fn short_form(text: &str) -> Option<GameResult> {
    let (winner, margin) = text.split_once('+')?;
    let winner = winner.trim().parse().ok()?;
    let word = margin.trim().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let margin = match word {
        "r" => Margin::Resignation,
        word if word.starts_with("res") => Margin::Resignation,
        "t" | "time" | "timeout" => Margin::Time,
        "f" | "forfeit" => Margin::Forfeit,
        _ => points(margin.trim()),
    };
    Some(GameResult::Win(winner, margin))
}

/// `black wins by 3.5`, `白中押胜`.
fn phrase(text: &str) -> Option<GameResult> {
    let winner = match text.chars().next()? {
        '黑' | '黒' => Color::Black,
        '白' => Color::White,
        _ if text.starts_with("black") => Color::Black,
        _ if text.starts_with("white") => Color::White,
        _ => return None,
    };
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if !says(&["win", "won", "胜", "勝"]) || says(&["no win", "not w"]) {
        return None;
    }
    let margin = if says(&["resign", "中押", "中盘", "中盤"]) {
        Margin::Resignation
    } else if says(&["time", "超时", "時間"]) {
        Margin::Time
    } else {
        points(text.trim_start_matches(|c: char| !c.is_ascii_digit()))
    };
    Some(GameResult::Win(winner, margin))
}

/// The number that `text` starts with. A fraction such as 1/4 is not read.
fn points(text: &str) -> Margin {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(text.len());
    match text[..end].trim_end_matches(['.', ',']).replace(',', ".").parse::<f32>() {
        Ok(points) if points.is_finite() && !text[end..].starts_with('/') => Margin::Points(points),
        _ => Margin::Unknown,
    }
}

/// As FF4 writes it.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => write!(f, "?"),
            Self::Draw => write!(f, "0"),
            Self::Void => write!(f, "Void"),
            Self::Win(winner, margin) => {
                write!(f, "{}+", winner.letter())?;
                match margin {
                    Margin::Unknown => Ok(()),
                    Margin::Points(points) => write!(f, "{points}"),
                    Margin::Resignation => write!(f, "R"),
                    Margin::Time => write!(f, "T"),
                    Margin::Forfeit => write!(f, "F"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GameResult, Margin};
    use crate::board::Color::{Black, White};

    #[test]
    fn readings() {
        use GameResult::{Draw, Unknown, Void, Win};
        let cases = [
            ("B+3.5", Win(Black, Margin::Points(3.5))),
            ("w+0,5 ", Win(White, Margin::Points(0.5))),
            ("B+", Win(Black, Margin::Unknown)),
            ("B+R", Win(Black, Margin::Resignation)),
            ("W+Resign", Win(White, Margin::Resignation)),
            ("B+R (moves after 120 not recorded)", Win(Black, Margin::Resignation)),
            ("W+Time", Win(White, Margin::Time)),
            ("W+F", Win(White, Margin::Forfeit)),
            ("B+A", Win(Black, Margin::Unknown)),
            ("B+2.5 points.", Win(Black, Margin::Points(2.5))),
            ("Black wins by resignation", Win(Black, Margin::Resignation)),
            ("White won on time", Win(White, Margin::Time)),
            ("Black wins by 3.5 points", Win(Black, Margin::Points(3.5))),
            ("白中押勝ち", Win(White, Margin::Resignation)),
            ("黑胜3.5目", Win(Black, Margin::Points(3.5))),
            ("白胜1/4子", Win(White, Margin::Unknown)),
            ("0", Draw),
            ("Void", Void),
            ("?", Unknown),
            ("", Unknown),
            ("Black does not win", Unknown),
            ("Black resigned", Unknown),
            ("+", Unknown),
            ("é+R", Unknown),
        ];
        for (text, result) in cases {
            assert_eq!(GameResult::read(text), result, "{text}");
            let written = GameResult::read(text).to_string();
            assert_eq!(GameResult::read(&written), result, "{text}");
        }
    }
}
