//! Taking a command line apart.

use std::str::FromStr;

use super::refusal::Refusal;
use crate::board::{Color, Move, Size};

/// A command: `[id] name [arguments]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number before the name, to be repeated in the reply, digit by digit.
    pub id: Option<String>,
    /// The name; empty where a line holds nothing but a number.
    pub name: String,
    /// Everything after the name, without blanks at its ends.
    pub arguments: String,
}

impl Command {
    /// Reads a line by the protocol's rules: control characters are dropped, a tab is a blank, `#` begins a comment. Nothing if
    /// nothing is left.
    ///
    /// Bytes that are no UTF-8 become U+FFFD, and a byte order mark, with which some Windows programs begin a file, is dropped.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(line);
        let text = text.split('#').next().unwrap_or_default();
        let text: String = text
            .chars()
            .filter(|&letter| letter == '\t' || !letter.is_ascii_control() && letter != '\u{feff}')
            .map(|letter| if letter == '\t' { ' ' } else { letter })
            .collect();
        let (first, rest) = split_word(&text);
        if first.is_empty() {
            None
        } else if first.bytes().all(|byte| byte.is_ascii_digit()) {
            let (name, arguments) = split_word(rest);
            Some(Self { id: Some(first.to_owned()), name: name.to_owned(), arguments: arguments.to_owned() })
        } else {
            Some(Self { id: None, name: first.to_owned(), arguments: rest.to_owned() })
        }
    }
}

/// The first word and what follows, without blanks around either.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// A command's arguments, read from left to right. Words that nobody asks for are ignored, as other engines do.
#[derive(Clone, Debug)]
pub(crate) struct Arguments<'a> {
    rest: &'a str,
}

impl<'a> Arguments<'a> {
    /// The arguments of a command.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text.trim() }
    }

    /// Everything not yet read.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Whether all is read.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next word, if there is one.
    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = split_word(self.rest);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// The next word without reading it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The next word; `what` it should be goes into the error.
    pub(crate) fn word(&mut self, what: &str) -> Result<&'a str, Refusal> {
        self.next().ok_or_else(|| Refusal::syntax(format!("{what} is missing")))
    }

    /// A number, or anything else that can be read from a word.
    pub(crate) fn parse<T: FromStr>(&mut self, what: &str) -> Result<T, Refusal> {
        let word = self.word(what)?;
        word.parse().map_err(|_| Refusal::syntax(format!("'{word}' is not {what}")))
    }

    /// A finite number.
    pub(crate) fn number(&mut self, what: &str) -> Result<f64, Refusal> {
        let number: f64 = self.parse(what)?;
        if number.is_finite() { Ok(number) } else { Err(Refusal::syntax(format!("'{number}' is not {what}"))) }
    }

    /// A colour.
    pub(crate) fn color(&mut self) -> Result<Color, Refusal> {
        self.word("a colour (b or w)")?.parse().map_err(Refusal::syntax)
    }

    /// A colour if the next word is one; otherwise nothing is read.
    pub(crate) fn optional_color(&mut self) -> Option<Color> {
        let color = self.peek()?.parse().ok()?;
        self.next();
        Some(color)
    }

    /// A point of the board, or `pass`.
    pub(crate) fn vertex(&mut self, size: Size) -> Result<Move, Refusal> {
        size.parse_vertex(self.word("a vertex")?).map_err(Refusal::syntax)
    }

    /// The name of a file: a word, or anything between two `"`.
    pub(crate) fn path(&mut self) -> Result<&'a str, Refusal> {
        let Some(quoted) = self.rest.strip_prefix('"') else { return self.word("a file name") };
        let (path, rest) = quoted.split_once('"').ok_or_else(|| Refusal::syntax("the quote \" is not closed"))?;
        self.rest = rest.trim_start();
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Arguments, Command};
    use crate::board::{Color, Size};

    fn parts(line: &[u8]) -> Option<(String, String, String)> {
        Command::parse(line).map(|c| (c.id.unwrap_or_default(), c.name, c.arguments))
    }

    fn check(line: &[u8], id: &str, name: &str, arguments: &str) {
        assert_eq!(parts(line), Some((id.to_owned(), name.to_owned(), arguments.to_owned())));
    }

    #[test]
    fn lines_as_clients_send_them() {
        check(b"name", "", "name", "");
        check(b"0 name\r\n", "0", "name", "");
        check(b"11  lz-genmove_analyze black 100\n", "11", "lz-genmove_analyze", "black 100");
        check(b"play\tB\tq16 # the corner\r\n", "", "play", "B q16");
        check(b"\xef\xbb\xbf1 name", "1", "name", "");
        check(b"na\x07me \x7fx\0", "", "name", "x");
        check("loadsgf \"Gō a.sgf\"".as_bytes(), "", "loadsgf", "\"Gō a.sgf\"");
        check(b"12", "12", "", "");
        check(b"1name x", "", "1name", "x");
        check(b"99999999999999999999999 name", "99999999999999999999999", "name", "");
        for blank in [&b""[..], b"\n", b"\r\n", b" \t ", b"# interrupt", b"  # 1 name", b"\x01\x02"] {
            assert_eq!(parts(blank), None);
        }
    }

    #[test]
    fn arguments_from_left_to_right() {
        let size = Size::STANDARD;
        let mut arguments = Arguments::new("B q16 W 12.5 \"a b.sgf\" 30");
        assert_eq!(arguments.color(), Ok(Color::Black));
        assert_eq!(size.vertex(arguments.vertex(size).unwrap()), "Q16");
        assert_eq!(arguments.optional_color(), Some(Color::White));
        assert_eq!(arguments.optional_color(), None);
        assert_eq!(arguments.number("a time"), Ok(12.5));
        assert_eq!(arguments.path(), Ok("a b.sgf"));
        assert_eq!(arguments.parse::<u32>("a move number"), Ok(30));
        assert!(arguments.is_empty());
        assert_eq!(arguments.word("a name").unwrap_err().to_string(), "syntax error: a name is missing");
        assert!(Arguments::new("\"open").path().is_err());
        assert!(Arguments::new("inf").number("a number").is_err());
        assert!(Arguments::new("1e999").number("a number").is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_clean_command_or_nothing(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Some(command) = Command::parse(&line) {
                let text = format!("{} {} {}", command.id.clone().unwrap_or_default(), command.name, command.arguments);
                prop_assert!(!text.contains(|c: char| c.is_ascii_control() || c == '#'));
                prop_assert!(!command.name.contains(char::is_whitespace));
                prop_assert!(command.id.is_some() || !command.name.is_empty());
            }
        }

        #[test]
        fn what_is_written_is_read_back(id in proptest::option::of(0u32..0x8000_0000), name in "[a-z_-]{1,20}", arguments in "[A-Za-z0-9.,]{0,9}( [A-Za-z0-9]{1,9}){0,5}", gap in "[ \t]{1,3}", end in "(\r\n|\n|| # x)") {
            let line = format!("{}{gap}{name}{gap}{arguments}{end}", id.map(|id| id.to_string()).unwrap_or_default());
            let command = Command::parse(line.as_bytes()).unwrap();
            prop_assert_eq!(command.id, id.map(|id| id.to_string()));
            prop_assert_eq!(command.name, name);
            prop_assert_eq!(command.arguments, arguments.trim());
        }
    }
}
