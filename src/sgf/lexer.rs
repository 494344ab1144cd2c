//! Text to tokens.

use super::error::{Place, Problem};

/// The smallest parts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Semicolon,
    /// A property's name, as written.
    Name(&'a str),
    /// What stands between `[` and `]`, as written.
    Value(&'a str),
    /// The file is over.
    End,
}

/// Reads tokens off a text, from left to right.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// Byte offset of what is read next.
    at: usize,
    /// The place that was asked for last, and its offset.
    place: Place,
    place_at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, place: Place { line: 1, column: 1 }, place_at: 0 }
    }

    /// Goes to the next place where a game starts: a `(` before a `;`, or with `lenient` a `(` before a property as well.
    /// Says whether anything but white space was skipped on the way, or nothing if there is no game.
    pub(super) fn seek_game(&mut self, lenient: bool) -> Option<bool> {
        let rest = &self.text[self.at..];
        let starts = |after: &str| {
            let after = after.trim_start_matches(is_blank);
            let name_end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
            after.starts_with(';') || lenient && name_end > 0 && after[name_end..].trim_start_matches(is_blank).starts_with('[')
        };
        let start = rest.match_indices('(').map(|(at, _)| at).find(|at| starts(&rest[at + 1..]))?;
        self.at += start;
        Some(!rest[..start].chars().all(is_blank))
    }

    /// The place of the next token. Ask in the order of the text: each call goes on counting where the last one ended.
    pub(super) fn place(&mut self) -> Place {
        self.skip_blanks();
        self.count_to(self.at)
    }

    fn count_to(&mut self, offset: usize) -> Place {
        for character in self.text[self.place_at..offset].chars() {
            if character == '\n' {
                self.place = Place { line: self.place.line.saturating_add(1), column: 1 };
            } else {
                self.place.column = self.place.column.saturating_add(1);
            }
        }
        self.place_at = offset;
        self.place
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(is_blank).len();
    }

    /// Whether a value comes next.
    pub(super) fn at_value(&mut self) -> bool {
        self.skip_blanks();
        self.text[self.at..].starts_with('[')
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Result<Token<'a>, Problem> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        let (token, length) = match first {
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            ';' => (Token::Semicolon, 1),
            '[' => {
                let inside = &rest[1..];
                let length = value_length(inside).ok_or(Problem::OpenValue)?;
                (Token::Value(&inside[..length]), length + 2)
            }
            letter if letter.is_ascii_alphabetic() => {
                let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
                (Token::Name(&rest[..length]), length)
            }
            stray => return Err(Problem::Stray(stray)),
        };
        self.at += length;
        Ok(token)
    }
}

/// White space, and the control characters and stray byte order marks that files carry between their parts.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character.is_control() || character == '\u{feff}'
}

/// Bytes up to the first `]` without a backslash before it.
fn value_length(inside: &str) -> Option<usize> {
    let mut escaped = false;
    inside.bytes().position(|byte| {
        let ends = byte == b']' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::{Lexer, Token};
    use crate::sgf::{Place, Problem};

    #[test]
    fn tokens_and_places() {
        let mut lexer = Lexer::new("( ;\r\nBlack[a\\]b\\\\]\n (é");
        assert_eq!(lexer.next(), Ok(Token::Open));
        assert_eq!(lexer.next(), Ok(Token::Semicolon));
        assert_eq!(lexer.place(), Place { line: 2, column: 1 });
        assert_eq!(lexer.next(), Ok(Token::Name("Black")));
        assert!(lexer.at_value());
        assert_eq!(lexer.next(), Ok(Token::Value("a\\]b\\\\")));
        assert_eq!(lexer.next(), Ok(Token::Open));
        assert_eq!(lexer.place(), Place { line: 3, column: 3 });
        assert_eq!(lexer.next(), Err(Problem::Stray('é')));
        assert_eq!(Lexer::new("[a\\]").next(), Err(Problem::OpenValue));
        assert_eq!(Lexer::new(" \n").next(), Ok(Token::End));
    }
}
