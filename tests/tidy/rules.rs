//! The rules, each a function of a file that gives what is wrong with it.

use super::source::{Source, line_of};
use std::fmt;

/// Lines that no file exceeds.
const MOST_LINES: usize = 700;
/// Lines above which a file is worth splitting.
const MANY_LINES: usize = 400;

/// Modules that stand side by side: each may use what is above all of them, none of the others.
const SIBLINGS: [&str; 5] = ["gtp", "analysis", "review", "selfplay", "train"];

/// Words that begin a GTP command; only the module that speaks GTP has texts with them.
const GTP_WORDS: [&str; 12] = [
    "genmove",
    "list_commands",
    "known_command",
    "protocol_version",
    "boardsize",
    "clear_board",
    "time_left",
    "time_settings",
    "final_status_list",
    "showboard",
    "kata-genmove_analyze",
    "lz-analyze",
];

/// What is wrong, and where.
#[derive(Debug)]
pub(crate) struct Problem {
    place: String,
    what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

fn problem(path: &str, line: usize, what: impl Into<String>) -> Problem {
    Problem { place: format!("{path}:{line}"), what: what.into() }
}

/// The modules in their order, as the table at the head of `lib.rs` has them.
pub(crate) struct Map(Vec<String>);

impl Map {
    pub(crate) fn read(lib: &str) -> Self {
        let rows = lib.lines().filter_map(|line| line.strip_prefix("//! | [`")?.split_once("`]"));
        Self(rows.map(|(name, _)| name.to_owned()).collect())
    }

    fn place(&self, module: &str) -> Option<usize> {
        self.0.iter().position(|name| name == module)
    }
}

/// A module uses only modules above it on the map, and no sibling.
pub(crate) fn directions(file: &Source, map: &Map) -> Vec<Problem> {
    let Some((module, place)) = file.module().and_then(|module| Some((module, map.place(module)?))) else { return Vec::new() };
    let wrong = |(at, used): (usize, String)| {
        let used_place = map.place(&used)?;
        let what = if used_place > place {
            format!("`{module}` may not use `{used}`, which is below it on the map of src/lib.rs")
        } else if used != module && SIBLINGS.contains(&module) && SIBLINGS.contains(&used.as_str()) {
            format!("`{module}` may not use its sibling `{used}`; move what both need above them")
        } else {
            return None;
        };
        Some(problem(&file.path, line_of(&file.code, at), what))
    };
    let from_crate = uses(&file.code, "crate::").chain(uses(&file.code, "tengen::"));
    let up = "super::".repeat(file.depth());
    let from_above = uses(&file.code, &up);
    from_crate.chain(from_above).filter_map(wrong).collect()
}

/// The names that follow `path` in the code, those of a group in braces too, each with where `path` stands.
fn uses<'a>(code: &'a str, path: &'a str) -> impl Iterator<Item = (usize, String)> + 'a {
    let starts = code.match_indices(path).map(|(at, _)| at).filter(|&at| !code[..at].ends_with(is_word));
    starts.flat_map(move |at| first_names(&code[at + path.len()..]).into_iter().map(move |name| (at, name)))
}

/// `a` of `a::b`; `a` and `c` of `{a::b, c::{d, e}}`.
fn first_names(after: &str) -> Vec<String> {
    let Some(group) = after.strip_prefix('{') else {
        return vec![after.chars().take_while(|&c| is_word(c)).collect()];
    };
    let (mut depth, mut names, mut name, mut taking) = (0, Vec::new(), String::new(), true);
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(std::mem::take(&mut name));
                taking = true;
            }
            c if depth == 0 && taking && is_word(c) => name.push(c),
            c if c.is_whitespace() => {}
            _ => taking = false,
        }
    }
    names.push(name);
    names
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Every module of `src` is on the map, and nothing else is.
pub(crate) fn map_is_complete(files: &[Source], map: &Map) -> Vec<Problem> {
    let modules: Vec<&str> = files.iter().filter_map(Source::module).collect();
    let unknown = files.iter().filter_map(|file| {
        let module = file.module().filter(|module| map.place(module).is_none())?;
        Some(problem(&file.path, 1, format!("`{module}` is not on the map at the head of src/lib.rs: add a row in its place")))
    });
    let gone = map.0.iter().filter(|name| !modules.contains(&name.as_str()));
    let gone = gone.map(|name| problem("src/lib.rs", 1, format!("the map names `{name}`, but there is no such module")));
    unknown.chain(gone).collect()
}

/// A file with too many lines.
pub(crate) fn too_long(file: &Source) -> Option<Problem> {
    let lines = file.text.lines().count();
    (lines > MOST_LINES)
        .then(|| problem(&file.path, MOST_LINES, format!("{lines} lines, {MOST_LINES} at most: split it by what it does")))
}

/// A file that is getting long.
pub(crate) fn is_long(file: &Source) -> Option<Problem> {
    let lines = file.text.lines().count();
    (lines > MANY_LINES).then(|| problem(&file.path, MANY_LINES, format!("{lines} lines: a file should stay below {MANY_LINES}")))
}

/// Every `unsafe` has `SAFETY:` beside it or in the comment above (an `unsafe fn` may say `# Safety` in its docs instead).
pub(crate) fn unsafe_without_reason(file: &Source) -> Vec<Problem> {
    let lines: Vec<&str> = file.text.lines().collect();
    let says = |line: &str| line.contains("SAFETY:") || line.contains("# Safety");
    let explained = |number: usize| {
        let above = lines[..number].iter().rev().map(|line| line.trim());
        says(lines[number]) || above.take_while(|line| line.starts_with("//") || line.starts_with("#[")).any(says)
    };
    let found = file
        .code
        .match_indices("unsafe")
        .filter(|(at, word)| !file.code[..*at].ends_with(is_word) && !file.code[at + word.len()..].starts_with(is_word));
    let numbers = found.map(|(at, _)| line_of(&file.code, at));
    numbers
        .filter(|number| !explained(number - 1))
        .map(|number| problem(&file.path, number, "`unsafe` without a comment `// SAFETY: ...` above it"))
        .collect()
}

/// Only the torch files name `tch`, only `gtp` has GTP commands in its texts, only the commands print to standard output.
pub(crate) fn out_of_place(file: &Source) -> Vec<Problem> {
    let module = file.module().unwrap_or("");
    // What stands from the first test module on is not the program.
    let end = if file.path.ends_with("/tests.rs") { 0 } else { file.code.find("#[cfg(test)]").unwrap_or(file.code.len()) };
    let program = &file.code[..end];
    let words =
        |word: &'static str| program.match_indices(word).map(|(at, _)| at).filter(|&at| !program[..at].ends_with(is_word));
    let mut found: Vec<(usize, String)> = Vec::new();
    if module != "train" && !file.path.starts_with("src/nn/torch") {
        found.extend(words("tch::").map(|at| (at, "only src/nn/torch* and src/train may use `tch`".to_owned())));
    }
    if !matches!(module, "cmd" | "") {
        let prints = words("println!").chain(words("print!"));
        found.extend(
            prints.map(|at| (at, "only commands print to standard output, which to a GTP client is all replies".to_owned())),
        );
    }
    if !matches!(module, "gtp" | "cmd" | "cli") {
        let is_gtp = |text: &str| text.split_whitespace().next().is_some_and(|word| GTP_WORDS.contains(&word));
        let texts = file.literals.iter().filter(|(at, text)| *at < end && is_gtp(text));
        found.extend(texts.map(|(at, text)| (*at, format!("\"{text}\" is GTP, which only src/gtp speaks"))));
    }
    found.into_iter().map(|(at, what)| problem(&file.path, line_of(&file.code, at), what)).collect()
}

/// Hosts of package registries and absolute paths of somebody's machine. (Written in pieces, so that this file passes its own test.)
pub(crate) fn foreign_names(path: &str, bytes: &[u8]) -> Vec<Problem> {
    let hosts = [["crates", "io"], ["pypi", "org"], ["npmjs", "org"], ["npmjs", "com"], ["pythonhosted", "org"]]
        .map(|parts| parts.join("."));
    let folders = ["work", "root", "home", "Users"].map(|name| format!("/{name}/"));
    let text = String::from_utf8_lossy(bytes);
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for host in hosts.iter().filter(|host| line.contains(host.as_str())) {
            problems.push(problem(path, number + 1, format!("names a package registry's host, {host}")));
        }
        for folder in &folders {
            // `~/work/` or `a/work/` is no absolute path.
            let absolute = |(at, _): (usize, &str)| {
                !line[..at].ends_with(|c: char| is_word(c) || matches!(c, '~' | '.' | '}' | '/' | '-' | ')'))
            };
            if line.match_indices(folder.as_str()).any(absolute) {
                problems.push(problem(path, number + 1, format!("holds a path of one machine, {folder}")));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::{
        Map, Source, directions, first_names, foreign_names, is_long, map_is_complete, out_of_place, too_long,
        unsafe_without_reason,
    };

    const LIB: &str = "//! Map.\n//! | module | what |\n//! |---|---|\n//! | [`util`] | tools |\n//! | [`board`] | stones |\n//! | [`gtp`] | talk |\n//! | [`train`] | learn |\n";

    fn problems_of(path: &str, text: &str) -> String {
        let problems = directions(&Source::new(path, text), &Map::read(LIB));
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_use_of_a_lower_module_is_found() {
        assert!(
            problems_of("src/board/mod.rs", "\nuse crate::gtp::Reply;")
                .starts_with("src/board/mod.rs:2: `board` may not use `gtp`")
        );
        assert!(problems_of("src/util/rng.rs", "use crate::{util::x, board::{self, Color}};").contains("may not use `board`"));
        assert!(problems_of("src/util/rng.rs", "use super::super::board::Color;").contains("may not use `board`"));
        assert!(problems_of("src/util.rs", "fn f() { crate::board::go() }").contains("may not use `board`"));
        assert!(problems_of("src/train/mod.rs", "use crate::gtp::Reply;").contains("sibling"));
        for fine in [
            "use crate::util::Rng;",
            "// use crate::gtp;",
            "let a = \"crate::gtp\";",
            "use super::gtp;",
            "use crate::board::gtp;",
        ] {
            assert_eq!(problems_of("src/board/point.rs", fine), "", "{fine}");
        }
    }

    #[test]
    fn names_of_groups() {
        assert_eq!(first_names("a::b;"), ["a"]);
        assert_eq!(first_names("{a::{x, y}, b::c,\n d}"), ["a", "b", "d"]);
    }

    #[test]
    fn a_hole_in_the_map_is_found() {
        let files = ["src/util/mod.rs", "src/board.rs", "src/gtp/mod.rs", "src/opening/mod.rs", "src/lib.rs"]
            .map(|path| Source::new(path, ""));
        let problems = map_is_complete(&files, &Map::read(LIB));
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].contains("`opening` is not on the map") && problems[1].contains("the map names `train`"));
    }

    #[test]
    fn long_files_are_found() {
        let file = |lines: usize| Source::new("src/a.rs", "\n".repeat(lines));
        assert!(too_long(&file(701)).is_some() && too_long(&file(700)).is_none());
        assert!(is_long(&file(401)).is_some() && is_long(&file(400)).is_none());
    }

    #[test]
    fn bare_unsafe_is_found() {
        let count = |text: &str| unsafe_without_reason(&Source::new("src/a.rs", text)).len();
        assert_eq!(count("fn f() {\n    unsafe { g() }\n}"), 1);
        assert_eq!(count("// SAFETY: far away.\n\nunsafe { g() }"), 1);
        assert_eq!(count("unsafe fn f() {}\n"), 1);
        assert_eq!(count("// SAFETY: g takes anything.\nunsafe { g() }"), 0);
        assert_eq!(count("/// F.\n///\n/// # Safety\n/// Never.\n#[inline]\nunsafe fn f() {}"), 0);
        assert_eq!(count("#![deny(unsafe_code)] // unsafe\nlet a = \"unsafe\";"), 0);
    }

    #[test]
    fn what_is_out_of_place_is_found() {
        let count = |path: &str, text: &str| out_of_place(&Source::new(path, text)).len();
        assert_eq!(count("src/search/mod.rs", "use tch::Tensor;"), 1);
        assert_eq!(count("src/nn/torch.rs", "use tch::Tensor;"), 0);
        assert_eq!(count("src/search/mod.rs", "println!(\"x\");"), 1);
        assert_eq!(count("src/search/mod.rs", "eprintln!(\"x\");\n#[cfg(test)]\nmod tests { fn f() { println!(\"x\"); } }"), 0);
        assert_eq!(count("src/cmd/params.rs", "println!(\"x\");"), 0);
        assert_eq!(count("src/search/mod.rs", "let a = \"genmove b\";"), 1);
        assert_eq!(count("src/search/mod.rs", "let a = 1;\n#[cfg(test)]\nmod tests { const A: &str = \"genmove b\"; }"), 0);
        assert_eq!(count("src/gtp/mod.rs", "let a = \"genmove b\";"), 0);
    }

    #[test]
    fn foreign_names_are_found() {
        let count = |text: &str| foreign_names("a.md", text.as_bytes()).len();
        assert_eq!(count(&format!("see https://{}.io", "crates")), 1);
        assert_eq!(count(&format!("cd \"/{}/x\"", "work")), 1);
        assert_eq!(count(&format!("cd ~/{}/x and src/work/y", "home")), 0);
    }
}
