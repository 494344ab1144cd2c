//! The way of one iteration through the tree.

use super::node::Node;
use super::tree::Tree;

/// The nodes that an iteration has gone through, from the root on. Each counts the thread, which selection takes for lost visits, for as
/// long as it is on the path; clearing or dropping the path takes it off, on whichever way the iteration ends.
pub(super) struct Path<'a> {
    tree: &'a Tree,
    steps: Vec<Step>,
}

/// A node on the path.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Its index.
    pub(super) node: usize,
    /// The player who moved into it; for the root, the one who did not move last.
    pub(super) mover: usize,
}

impl<'a> Path<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        Self { tree, steps: Vec::with_capacity(256) }
    }

    /// Goes on to `node`, into which `mover` moves.
    pub(super) fn push(&mut self, node: usize, mover: usize) -> &'a Node {
        let reached = self.tree.node(node);
        reached.enter();
        self.steps.push(Step { node, mover });
        reached
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Leaves all nodes and begins anew.
    pub(super) fn clear(&mut self) {
        for step in self.steps.drain(..) {
            self.tree.node(step.node).leave();
        }
    }
}

impl Drop for Path<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}
