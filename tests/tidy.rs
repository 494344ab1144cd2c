//! Keeps the source in order: which module may use which, how long a file may get, what must be said beside `unsafe`, and what has no
//! place in the repository. The order of the modules is the map at the head of `src/lib.rs`, which this reads.

#[path = "tidy/rules.rs"]
mod rules;
#[path = "tidy/source.rs"]
mod source;

use rules::{Map, Problem};
use source::Source;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `folder` that ends in `.rs`, with its path from the package's root, in order.
fn rust_files(folder: &str) -> Vec<Source> {
    let mut pending = vec![PathBuf::from(folder)];
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        let here = root().join(&path);
        if here.is_dir() {
            let entries = here.read_dir().expect("a folder to read").map(|entry| path.join(entry.expect("an entry").file_name()));
            pending.extend(entries.filter(|path| !path.ends_with("target")));
        } else if path.extension().is_some_and(|end| end == "rs") {
            let name = path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
            files.push(Source::new(name, std::fs::read_to_string(here).expect("a file to read")));
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn map() -> Map {
    Map::read(&std::fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs"))
}

/// Fails with every problem on a line of its own.
fn none(problems: impl IntoIterator<Item = Problem>) {
    let problems: Vec<String> = problems.into_iter().map(|problem| problem.to_string()).collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn modules_use_only_those_above_them_on_the_map() {
    let map = map();
    none(rust_files("src").iter().flat_map(|file| rules::directions(file, &map)));
}

#[test]
fn every_module_is_on_the_map() {
    let files = rust_files("src");
    assert!(files.len() > 10, "the source was not found");
    none(rules::map_is_complete(&files, &map()));
}

#[test]
fn files_stay_short() {
    let files: Vec<Source> =
        ["src", "tests", "benches", "fuzz"].into_iter().filter(|name| root().join(name).exists()).flat_map(rust_files).collect();
    for file in &files {
        if let Some(note) = rules::is_long(file) {
            println!("note: {note}");
        }
    }
    none(files.iter().filter_map(rules::too_long));
}

#[test]
fn unsafe_code_says_why_it_is_safe() {
    none(
        ["src", "tests", "benches"]
            .into_iter()
            .filter(|name| root().join(name).exists())
            .flat_map(rust_files)
            .flat_map(|file| rules::unsafe_without_reason(&file)),
    );
}

#[test]
fn each_trade_has_its_own_place() {
    none(rust_files("src").iter().flat_map(rules::out_of_place));
}

#[test]
fn files_name_no_registry_and_no_path_of_a_machine() {
    let listed =
        Command::new("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root()).output();
    let Some(listed) = listed.ok().filter(|output| output.status.success()) else {
        println!("skipped: no git, or no repository");
        return;
    };
    let names = String::from_utf8(listed.stdout).unwrap();
    let files = names.split_terminator('\0').filter(|name| *name != "Cargo.lock" && !name.ends_with("/Cargo.lock"));
    let texts: Vec<(&str, Vec<u8>)> = files.filter_map(|name| Some((name, std::fs::read(root().join(name)).ok()?))).collect();
    assert!(!texts.is_empty());
    none(texts.iter().flat_map(|(name, bytes)| rules::foreign_names(name, bytes)));
}
