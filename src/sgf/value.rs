//! A property's value, as it stands between its brackets.

/// A value, kept as written: with its escapes, so that nothing of an unknown property is lost. Line ends are `\n`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Value(String);

impl Value {
    /// From the text between the brackets of a file, where a `]` stands only behind a backslash, and no backslash ends it.
    pub(super) fn from_source(source: &str) -> Self {
        if source.contains('\r') { Self(normal_line_ends(source)) } else { Self(source.to_owned()) }
    }

    /// A value that reads as `text`: SGF's Text, with lines.
    pub fn text(text: &str) -> Self {
        Self(escape(&normal_line_ends(text), &['\\', ']']))
    }

    /// A value that reads as `text` on one line: SGF's SimpleText.
    pub fn simple_text(text: &str) -> Self {
        Self(escape(&normal_line_ends(text).replace('\n', " "), &['\\', ']']))
    }

    /// SGF's composed value `first:second`, as for a label: `pd:A`.
    pub fn pair(first: &str, second: &str) -> Self {
        let half = |text: &str| escape(&normal_line_ends(text), &['\\', ']', ':']);
        Self(format!("{}:{}", half(first), half(second)))
    }

    /// As it stands in the file, escapes included.
    pub fn source(&self) -> &str {
        &self.0
    }

    /// As Text: escapes and soft line breaks resolved, white space other than line breaks made spaces.
    pub fn to_text(&self) -> String {
        let mut text = String::with_capacity(self.0.len());
        let mut characters = self.0.chars();
        while let Some(character) = characters.next() {
            let character = match character {
                '\\' => match characters.next() {
                    Some('\n') | None => continue,
                    Some(escaped) => escaped,
                },
                plain => plain,
            };
            text.push(if character != '\n' && character.is_ascii_control() { ' ' } else { character });
        }
        text
    }

    /// As SimpleText: as [`Value::to_text`], with line breaks made spaces and white space at the ends left out.
    pub fn to_simple_text(&self) -> String {
        self.to_text().replace('\n', " ").trim().to_owned()
    }

    /// The two halves of a composed value, parted at the first colon without a backslash; nothing if there is none.
    pub fn to_pair(&self) -> Option<(Self, Self)> {
        let mut escaped = false;
        let colon = self.0.bytes().position(|byte| {
            let found = byte == b':' && !escaped;
            escaped = byte == b'\\' && !escaped;
            found
        })?;
        Some((Self(self.0[..colon].to_owned()), Self(self.0[colon + 1..].to_owned())))
    }
}

/// CR LF, LF CR and lone CR become LF.
fn normal_line_ends(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let partner = match character {
            '\r' => '\n',
            '\n' => '\r',
            other => {
                normal.push(other);
                continue;
            }
        };
        characters.next_if_eq(&partner);
        normal.push('\n');
    }
    normal
}

fn escape(text: &str, special: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if special.contains(&character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn escapes_go_in_and_out() {
        let text = "a [b] \\ c:\n\nd";
        assert_eq!(Value::text(text).to_text(), text);
        assert_eq!(Value::text(text).source(), "a [b\\] \\\\ c:\n\nd");
        assert_eq!(Value::simple_text(text).to_simple_text(), "a [b] \\ c:  d");
        let (first, second) = Value::pair("x:y]", "z:").to_pair().unwrap();
        assert_eq!((first.to_text(), second.to_text()), ("x:y]".to_owned(), "z:".to_owned()));
        assert_eq!(Value::text("no colon").to_pair(), None);
        assert_eq!(Value::from_source("a\\:b").to_pair(), None);
    }

    #[test]
    fn line_ends_and_soft_breaks() {
        assert_eq!(Value::from_source("a\r\nb\rc\n\rd\n\ne").to_text(), "a\nb\nc\nd\n\ne");
        assert_eq!(Value::from_source("soft \\\r\nbreak\tand\\\ttab").to_text(), "soft break and tab");
    }
}
