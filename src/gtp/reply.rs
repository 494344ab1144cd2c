//! Writing replies, so that every one has the protocol's frame whatever a command says.

use std::io::{self, Write};

use super::refusal::Reply;

/// Writes one reply at a time: [`Replies::begin`], any number of [`Replies::line`]s, [`Replies::finish`].
pub(crate) struct Replies<'a> {
    out: &'a mut dyn Write,
    id: String,
    begun: bool,
    broken: bool,
}

impl<'a> Replies<'a> {
    /// Replies written to `out`.
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, id: String::new(), begun: false, broken: false }
    }

    /// Whether the other side no longer listens.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Starts the reply to a command with this id.
    pub(crate) fn begin(&mut self, id: Option<&str>) {
        id.unwrap_or_default().clone_into(&mut self.id);
        self.begun = false;
    }

    /// Writes `=ID` at once, as the analysing commands do before they have anything to say. A blank follows here too, though KataGo
    /// writes none: Sabaki takes what stands next to `=` for the id.
    pub(crate) fn head(&mut self) {
        if !self.begun {
            self.begun = true;
            let head = format!("={} \n", self.id);
            self.write(&head);
        }
    }

    /// Writes a line of a reply that grows while the command works.
    pub(crate) fn line(&mut self, text: &str) {
        self.head();
        let text = tidy(text);
        if !text.is_empty() {
            self.write(&format!("{text}\n"));
        }
    }

    /// Ends the reply with what the command answers. After lines were written an error can no longer be told.
    pub(crate) fn finish(&mut self, answer: &Reply) {
        let text = match answer {
            Ok(text) if self.begun && text.is_empty() => "\n".to_owned(),
            Ok(text) if self.begun => format!("{}\n\n", tidy(text)),
            Ok(text) => format!("={} {}\n\n", self.id, tidy(text)),
            Err(error) if self.begun => {
                log::error!("a command failed half-way: {error}");
                "\n".to_owned()
            }
            Err(error) => format!("?{} {}\n\n", self.id, tidy(&error.to_string()).replace('\n', " ")),
        };
        self.write(&text);
    }

    fn write(&mut self, text: &str) {
        let result = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        if let Err(error) = result
            && !self.broken
        {
            self.broken = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                log::error!("replies can no longer be written: {error}");
            }
        }
    }
}

/// The text without blanks at line ends and without empty lines, but for a first one: a board begins below the `=`.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.lines().map(|line| line.trim_end().replace('\r', " ")).enumerate() {
        if number > 0 && !line.is_empty() {
            out.push('\n');
        }
        out += &line;
    }
    out
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::Replies;
    use crate::gtp::refusal::{Refusal, Reply};

    fn written(id: Option<&str>, lines: &[&str], answer: &Reply) -> String {
        let mut out = Vec::new();
        let mut replies = Replies::new(&mut out);
        replies.begin(id);
        for line in lines {
            replies.line(line);
        }
        replies.finish(answer);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn frames() {
        assert_eq!(written(None, &[], &Ok(String::new())), "= \n\n");
        assert_eq!(written(Some("0"), &[], &Ok("Q16".into())), "=0 Q16\n\n");
        assert_eq!(written(Some("7"), &[], &Err(Refusal::IllegalMove)), "?7 illegal move\n\n");
        assert_eq!(written(None, &[], &Err(Refusal::other("a\n\nb\n"))), "? a b\n\n");
        assert_eq!(written(None, &[], &Ok("\n  A B \r\n\n 1 . \n\n".into())), "= \n  A B\n 1 .\n\n");
        assert_eq!(written(Some("5"), &["info a", "info b\n"], &Ok(String::new())), "=5 \ninfo a\ninfo b\n\n");
        assert_eq!(written(None, &["info a"], &Ok("play D4".into())), "= \ninfo a\nplay D4\n\n");
        assert_eq!(written(None, &["info a"], &Err(Refusal::IllegalMove)), "= \ninfo a\n\n");
    }

    #[test]
    fn a_reader_that_is_gone() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut gone = Gone;
        let mut replies = Replies::new(&mut gone);
        replies.begin(None);
        assert!(!replies.is_broken());
        replies.finish(&Ok("D4".into()));
        assert!(replies.is_broken());
    }
}
