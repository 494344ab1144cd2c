//! The two players' colours.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// A player, or the colour of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Moves first in an even game.
    Black = 0,
    /// Receives komi.
    White = 1,
}

impl Color {
    /// Both colours, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// 0 for Black, 1 for White: for tables with an entry a colour.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The other colour.
    #[inline]
    pub fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// `B` or `W`.
    pub fn letter(self) -> char {
        match self {
            Self::Black => 'B',
            Self::White => 'W',
        }
    }

    /// +1 for Black, -1 for White: turns a figure seen from Black into one seen from this colour, and back.
    #[inline]
    pub fn sign(self) -> f32 {
        match self {
            Self::Black => 1.0,
            Self::White => -1.0,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.opponent()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}

/// A text that is no colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no colour; use b, black, w or white")]
pub struct NoColor(String);

impl FromStr for Color {
    type Err = NoColor;

    /// Reads `b`, `black`, `w` or `white` in any case, as GTP and SGF write them.
    fn from_str(text: &str) -> Result<Self, NoColor> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Self::Black),
            "w" | "white" => Ok(Self::White),
            _ => Err(NoColor(text.to_owned())),
        }
    }
}
