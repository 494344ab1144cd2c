//! Trees to text: FF4, UTF-8.

use super::tree::{NodeId, Property, Tree};
use super::value::Value;

/// A line is broken once it is this many bytes long, between nodes.
const LINE: usize = 80;

/// Writes games one after another, as FF4 in UTF-8: each root says so, whatever it said before. All else is kept as it is.
/// Reading it back gives trees that are equal but for FF and CA of the root.
pub fn write<'t>(games: impl IntoIterator<Item = &'t Tree>) -> String {
    let mut out = Output::default();
    for tree in games {
        out.game(tree);
    }
    out.text
}

#[derive(Default)]
struct Output {
    text: String,
    line_start: usize,
}

impl Output {
    fn new_line(&mut self) {
        self.text.push('\n');
        self.line_start = self.text.len();
    }

    fn game(&mut self, tree: &Tree) {
        for id in tree.nodes() {
            if id == Tree::ROOT {
                self.text.push('(');
            } else if tree.has_siblings(id) {
                self.new_line();
                self.text.push('(');
            } else if tree.parent(id) == Some(Tree::ROOT) || self.text.len() - self.line_start >= LINE {
                self.new_line();
            }
            self.node(tree, id);
            if tree.children(id).next().is_none() {
                self.close_variations(tree, id);
            }
        }
        self.new_line();
    }

    /// Behind the last node of a line: closes the variations that end here.
    fn close_variations(&mut self, tree: &Tree, leaf: NodeId) {
        for id in std::iter::successors(Some(leaf), |&id| tree.parent(id)) {
            if id == Tree::ROOT || tree.has_siblings(id) {
                self.text.push(')');
            }
            if tree.next_sibling(id).is_some() {
                return;
            }
        }
    }

    fn node(&mut self, tree: &Tree, id: NodeId) {
        self.text.push(';');
        let properties = tree.properties(id);
        if id == Tree::ROOT {
            self.property("FF", &[Value::simple_text("4")]);
            self.property("CA", &[Value::simple_text("UTF-8")]);
        }
        for Property { name, values, .. } in properties {
            if id != Tree::ROOT || !["FF", "CA"].contains(&name.as_str()) {
                self.property(name, values);
            }
        }
    }

    fn property(&mut self, name: &str, values: &[Value]) {
        self.text.push_str(name);
        for value in values {
            self.text.push('[');
            self.text.push_str(value.source());
            self.text.push(']');
        }
    }
}
