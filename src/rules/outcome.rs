//! How a game ended.

use std::fmt;

use crate::board::Color;

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Black's points less White's, komi included: 0 is a draw.
    Score(f32),
    /// No result: under simple ko a position came up for the third time without a pass.
    NoResult,
}

impl Outcome {
    /// Who won; nobody if drawn or void.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Score(score) if score > 0.0 => Some(Color::Black),
            Self::Score(score) if score < 0.0 => Some(Color::White),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    /// As SGF has it: `B+3.5`, `W+0.5`, `0`, `Void`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.winner()) {
            (Self::NoResult, _) => f.write_str("Void"),
            (Self::Score(score), Some(color)) => write!(f, "{}+{}", color.letter(), score.abs()),
            (Self::Score(_), None) => f.write_str("0"),
        }
    }
}
