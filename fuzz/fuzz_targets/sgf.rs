//! Any bytes as an SGF file. What can be read must come back the same after writing, and no reading or replaying may panic.
//!
//! `cargo fuzz run sgf fuzz/corpus/sgf sgf` starts from the fixtures in `sgf/`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen::rules::Rules;
use tengen::sgf::{self, Record, Tree};

/// Lines of a tree that are looked at: a tree of many variations would take too long for one try.
const LINES: usize = 16;

fuzz_target!(|bytes: &[u8]| {
    let Ok(collection) = sgf::parse(bytes) else { return };
    let text = sgf::write(&collection.games);
    let again = sgf::parse(text.as_bytes()).expect("what was written can be read");
    assert_eq!(text, sgf::write(&again.games));
    assert!(again.notes.is_empty(), "{:?}", again.notes);
    for (game, same) in collection.games.iter().zip(&again.games) {
        assert!(without_marks(game) == without_marks(same));
        for node in game.nodes().filter(|&id| game.children(id).next().is_none()).take(LINES) {
            check_line(game, &game.path_to(node));
        }
    }
});

/// The writer sets these two.
fn without_marks(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    tree.set(Tree::ROOT, "FF", Vec::new());
    tree.set(Tree::ROOT, "CA", Vec::new());
    tree
}

fn check_line(game: &Tree, line: &[sgf::NodeId]) {
    let Ok(record) = Record::from_path(game, line) else { return };
    let written = sgf::write(&[record.to_tree()]);
    let read = sgf::parse(written.as_bytes()).expect("what was written can be read");
    let back = Record::from_tree(&read.games[0]).expect("what was written can be read");
    assert_eq!(Record { notes: Vec::new(), ..back }, Record { notes: Vec::new(), ..record.clone() });
    _ = record.replay(record.rules_or(Rules::default()));
}
