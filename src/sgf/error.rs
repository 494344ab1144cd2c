//! What can be wrong with a file, and where.

use std::fmt;

use crate::board::{MAX_SIDE, MIN_SIDE, Size};

/// A place in a file: line and column, both from 1. Columns count characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a file cannot be read: what is wrong, in which property, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfError {
    /// Where; nothing for a tree that was built in memory.
    pub place: Option<Place>,
    /// The property's name, where one is to blame.
    pub property: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for SgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        }
        if let Some(property) = &self.property {
            write!(f, "property {property}: ")?;
        }
        write!(f, "{}", self.problem)
    }
}

impl std::error::Error for SgfError {}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No bytes at all.
    #[error("the file is empty; save or download the game again")]
    Empty,
    /// HTML: a failed download.
    #[error("this is a web page, not a game; the download failed, so try it again")]
    WebPage,
    /// Nothing that starts a game.
    #[error("no game found; an SGF file starts with '(;' and holds properties such as B[pd]")]
    NoGame,
    /// The file ends inside a value.
    #[error("its value has no closing ']'; the file is cut off or a bracket is missing")]
    OpenValue,
    /// A name with nothing behind it.
    #[error("it has no value; write NAME[value]")]
    NoValue,
    /// A value with no name before it.
    #[error("a value stands without a property name; write NAME[value]")]
    NoName,
    /// A name without capitals, or with a digit before them.
    #[error("this is no property name; a name starts with a capital letter")]
    BadName,
    /// A character that has no business between properties.
    #[error("unexpected '{}'; only properties, ';', '(' and ')' may stand here", .0.escape_default())]
    Stray(char),
    /// A node or property behind a closed variation.
    #[error("moves go on after a variation has closed; put them into a variation of their own, or before the first '('")]
    AfterVariation,
    /// Another game.
    #[error("GM[{0}] is another game; only Go, GM[1], can be read")]
    NotGo(String),
    /// A board this engine has not.
    #[error("'{0}' is no board size; write SZ[19] or SZ[19:13], each side from {MIN_SIDE} to {MAX_SIDE}")]
    BadSize(String),
    /// A value that names no point.
    #[error("'{value}' is no point of a {size} board; {}", point_help(.value))]
    BadPoint {
        /// The value, shortened if long.
        value: String,
        /// The board.
        size: Size,
    },
    /// The same in a line of another format than SGF.
    #[error("'{line}' names no point of a {size} board")]
    OffBoard {
        /// The line, shortened if long.
        line: String,
        /// The board.
        size: Size,
    },
    /// A node with two moves.
    #[error("the node has more than one move; give each move a node of its own")]
    TwoMoves,
}

fn point_help(value: &str) -> &'static str {
    if value.contains('[') {
        "it seems that a ']' is missing before it ends"
    } else if value.bytes().any(|b| b.is_ascii_uppercase()) {
        "capital letters stand for columns and rows 27 to 52; write small ones, such as pd"
    } else {
        "write column and row as two letters, such as pd, counted from the top left"
    }
}

/// At most this many characters of a bad value are quoted.
const QUOTE: usize = 40;

/// The start of `text`, for a message.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTE) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// What a reader had to guess or leave out, in sentences for a person. Bounded, so that a broken file cannot fill memory with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes(Vec<String>);

impl Notes {
    const MOST: usize = 20;

    pub(super) fn add(&mut self, place: Option<Place>, text: &str) {
        if self.0.len() < Self::MOST {
            self.0.push(place.map_or_else(|| text.to_owned(), |place| format!("{place}: {text}")));
        }
    }

    pub(super) fn into_vec(self) -> Vec<String> {
        self.0
    }
}
