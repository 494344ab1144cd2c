//! A Rust file, seen as code: with its comments and the insides of its texts blanked out, line for line.

/// A file of Rust.
pub(crate) struct Source {
    /// Its path from the package's root, with slashes.
    pub(crate) path: String,
    /// What is in it.
    pub(crate) text: String,
    /// The same, byte for byte, with blanks for comments and for what stands between quotes; line ends stay.
    pub(crate) code: String,
    /// The texts between quotes, each with where it begins.
    pub(crate) literals: Vec<(usize, String)>,
}

impl Source {
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let (code, literals) = strip(&text);
        Self { path: path.into(), text, code, literals }
    }

    /// The module on the map that the file belongs to; nothing for `lib.rs` and `main.rs`.
    pub(crate) fn module(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        let name = inside.split('/').next()?;
        let name = name.strip_suffix(".rs").unwrap_or(name);
        (!matches!(name, "lib" | "main" | "bin")).then_some(name)
    }

    /// How many modules deep the file is: 1 for `src/game.rs` and `src/board/mod.rs`, 2 for `src/board/point.rs`.
    pub(crate) fn depth(&self) -> usize {
        let parts = self.path.split('/').count() - 1;
        if self.path.ends_with("/mod.rs") { parts - 1 } else { parts }
    }
}

/// Number of the line, from 1, in which byte `at` of `text` lies.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Blanks out comments and literals. Knows nested comments, escapes, raw texts and the difference of `'a'` and `'a`.
fn strip(text: &str) -> (String, Vec<(usize, String)>) {
    let mut code = String::with_capacity(text.len());
    let mut literals = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word_before = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment_length(rest),
            '"' => text_length(rest),
            'r' | 'b' | 'c' if !word_before && prefixed_text(rest).is_some() => prefixed_text(rest).unwrap_or(1),
            '\'' => char_length(rest).unwrap_or(0),
            _ => 0,
        };
        if length == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (gone, after) = rest.split_at(length);
        if !gone.starts_with('/') && !gone.starts_with('\'') {
            let inside = gone.trim_start_matches(['r', 'b', 'c']).trim_matches('#').trim_matches('"');
            literals.push((text.len() - rest.len(), inside.to_owned()));
        }
        code.extend(gone.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        rest = after;
    }
    (code, literals)
}

fn comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn text_length(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Length of `r"..."`, `r#"..."#`, `b"..."`, `br"..."`, `c"..."`.
fn prefixed_text(rest: &str) -> Option<usize> {
    let letters = rest.find(|c: char| !matches!(c, 'r' | 'b' | 'c'))?;
    let hashes = rest[letters..].find(|c| c != '#')?;
    let start = letters + hashes;
    if letters > 2 || !rest[start..].starts_with('"') {
        return None;
    }
    if !rest[..letters].contains('r') {
        return (hashes == 0).then(|| start + text_length(&rest[start..]));
    }
    let end = format!("\"{}", "#".repeat(hashes));
    Some(rest[start + 1..].find(&end).map_or(rest.len(), |at| start + 1 + at + end.len()))
}

/// Length of a character in quotes; nothing for a lifetime.
fn char_length(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    match chars.next()? {
        (_, '\\') => rest[3..].find('\'').map(|at| 3 + at + 1),
        _ => chars.next().filter(|(_, c)| *c == '\'').map(|(at, _)| at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn comments_and_texts_are_blanked() {
        let tricky = "/* é */ let a = \"crate::x // \\\" /*\"; // crate::y\n/* crate::z /* deep */ still */ let b = r#\"un\"safe\"#; let c = '\"'; fn f<'a>(x: &'a str) {}";
        let source = Source::new("src/a.rs", tricky);
        for gone in ["crate", "un", "deep", "still", "safe"] {
            assert!(!source.code.contains(gone), "{gone}: {}", source.code);
        }
        for kept in ["let a", "let b", "let c", "fn f<'a>(x: &'a str) {}"] {
            assert!(source.code.contains(kept), "{kept}: {}", source.code);
        }
        assert_eq!(source.code.lines().count(), 2);
        assert_eq!(source.code.len(), tricky.len());
        assert_eq!(source.literals[1].1, "un\"safe");
    }

    #[test]
    fn modules_and_depths() {
        for (path, module, depth) in
            [("src/game.rs", "game", 1), ("src/board/mod.rs", "board", 1), ("src/nn/cpu/net.rs", "nn", 3)]
        {
            let source = Source::new(path, "");
            assert_eq!((source.module(), source.depth()), (Some(module), depth), "{path}");
        }
        assert_eq!(Source::new("src/lib.rs", "").module(), None);
    }
}
