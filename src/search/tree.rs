//! The arena of nodes: bounded memory, children side by side, compaction in place.

use std::sync::OnceLock;

use parking_lot::Mutex;

use super::node::{Node, Opinion};

/// Nodes in a chunk: 1 MiB. Chunks are made when they are needed, so a small search takes little memory, and little time to write it full, and
/// nodes never move while a search runs. A block of children lies within one chunk, so no state may have more actions than
/// this.
const CHUNK: usize = 1 << 14;
/// Nodes for which there is room in any case: 4 MiB.
const LEAST: usize = 1 << 16;

/// Index of the root.
pub(crate) const ROOT: usize = 0;

/// The tree. Any number of threads may read, add results and expand at once; what takes `&mut self` runs between searches.
pub(crate) struct Tree {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    /// Nodes that may be used.
    capacity: usize,
    /// The first unused index.
    used: Mutex<usize>,
}

/// The arena has no room for another block of children.
#[derive(Debug)]
pub(crate) struct Full;

impl Tree {
    /// A tree of one unvisited root that takes at most `memory` bytes, but has room for the root's children at the least.
    pub(crate) fn new(memory: u64) -> Self {
        let capacity = (memory as usize / size_of::<Node>()).clamp(LEAST, u32::MAX as usize) / CHUNK * CHUNK;
        let chunks = std::iter::repeat_with(OnceLock::new).take(capacity / CHUNK).collect();
        let tree = Self { chunks, capacity, used: Mutex::new(1) };
        tree.make_chunk(0);
        tree.node(ROOT).reset(0, Opinion::default());
        tree
    }

    fn make_chunk(&self, number: usize) {
        self.chunks[number].get_or_init(|| std::iter::repeat_with(Node::default).take(CHUNK).collect());
    }

    /// The node at `index`.
    #[inline]
    pub(crate) fn node(&self, index: usize) -> &Node {
        &self.chunk(index)[index % CHUNK]
    }

    #[inline]
    fn chunk(&self, index: usize) -> &[Node] {
        self.chunks[index / CHUNK].get().expect("indices come from blocks, whose chunk was made before they were handed out")
    }

    /// The children of `node`, side by side, and the index of the first; nothing for a leaf.
    #[inline]
    pub(crate) fn children(&self, node: &Node) -> Option<(usize, &[Node])> {
        let (first, count) = node.children()?;
        Some((first, &self.chunk(first)[first % CHUNK..first % CHUNK + count]))
    }

    /// Gives the claimed leaf `node` these children, at least one.
    ///
    /// # Errors
    /// If there is no room; `node` is a leaf again then.
    pub(crate) fn expand(&self, node: &Node, children: impl ExactSizeIterator<Item = (usize, Opinion)>) -> Result<(), Full> {
        let count = children.len();
        debug_assert!(count > 0, "a game that is not over has an action");
        let Some(first) = self.allocate(count) else {
            node.become_leaf();
            return Err(Full);
        };
        let block = &self.chunk(first)[first % CHUNK..first % CHUNK + count];
        for (child, (action, opinion)) in block.iter().zip(children) {
            child.reset(action, opinion);
        }
        node.publish_children(first, count);
        Ok(())
    }

    /// Gives the root these children instead of those it has: what is known of an action is kept.
    pub(crate) fn replace_root_children(&mut self, children: &[(usize, Opinion)]) {
        if self.used.get_mut().saturating_add(children.len() + CHUNK) > self.capacity {
            self.prune();
        }
        let first = self.allocate(children.len()).expect("a pruned tree has room for one block of children");
        let root = self.node(ROOT);
        let known = self.children(root).map_or(&[] as &[Node], |(_, children)| children);
        for (place, &(action, opinion)) in (first..).zip(children) {
            let child = self.node(place);
            match known.iter().find(|known| known.action() == action) {
                Some(known) => {
                    child.copy_from(known);
                    child.set_policy(opinion.policy);
                }
                None => child.reset(action, opinion),
            }
        }
        root.publish_children(first, children.len());
    }

    fn allocate(&self, count: usize) -> Option<usize> {
        let mut used = self.used.lock();
        let first = place(*used, count);
        if first + count > self.capacity {
            return None;
        }
        self.make_chunk(first / CHUNK);
        *used = first + count;
        Some(first)
    }

    /// Nodes in use.
    pub(crate) fn len(&self) -> usize {
        *self.used.lock()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self.used.get_mut() = 1;
        self.node(ROOT).reset(0, Opinion::default());
        for chunk in &mut self.chunks[1..] {
            chunk.take();
        }
    }

    /// Makes the node at the end of `actions` from the root the new root, and forgets what is not below it. False, with nothing changed, if the
    /// tree does not reach that far.
    pub(crate) fn advance(&mut self, actions: impl IntoIterator<Item = usize>) -> bool {
        let mut index = ROOT;
        for action in actions {
            let below = self.children(self.node(index)).and_then(|(first, children)| {
                children.iter().position(|child| child.action() == action).map(|place| first + place)
            });
            let Some(child) = below else { return false };
            index = child;
        }
        if index != ROOT {
            self.node(ROOT).copy_from(self.node(index));
            self.compact();
        }
        true
    }

    /// Makes room: the least visited inner nodes become leaves until at most half of the arena is in use.
    pub(crate) fn prune(&mut self) {
        let mut inner: Vec<(u32, usize)> = Vec::new();
        let mut stack = vec![ROOT];
        while let Some(index) = stack.pop() {
            if let Some((first, children)) = self.children(self.node(index)) {
                if index != ROOT {
                    inner.push((self.node(index).visits(), children.len()));
                }
                stack.extend(first..first + children.len());
            }
        }
        inner.sort_unstable_by(|a, b| b.cmp(a));
        let mut room = self.capacity / 2;
        let mut bar = 0;
        for (visits, children) in inner {
            let Some(left) = room.checked_sub(children) else {
                bar = visits + 1;
                break;
            };
            room = left;
        }
        stack.push(ROOT);
        while let Some(index) = stack.pop() {
            if let Some((first, children)) = self.children(self.node(index)) {
                if index != ROOT && self.node(index).visits() < bar {
                    self.node(index).become_leaf();
                } else {
                    stack.extend(first..first + children.len());
                }
            }
        }
        self.compact();
    }

    /// Moves all that hangs below the root together, in place: the blocks of children, in the order of their places, each towards the front
    /// over what is free already.
    fn compact(&mut self) {
        let mut blocks: Vec<(u32, u32, u16)> = Vec::new();
        let mut stack = vec![ROOT];
        while let Some(index) = stack.pop() {
            if let Some((first, children)) = self.children(self.node(index)) {
                blocks.push((first as u32, index as u32, children.len() as u16));
                stack.extend(first..first + children.len());
            }
        }
        blocks.sort_unstable();
        let mut used = 1;
        // Where each block came from and went to, in order: to find the parents in their new places.
        let mut moved: Vec<(u32, u32)> = vec![(ROOT as u32, ROOT as u32)];
        for &(first, _, count) in &blocks {
            let to = place(used, count as usize);
            for number in 0..count as usize {
                self.node(to + number).copy_from(self.node(first as usize + number));
            }
            moved.push((first, to as u32));
            used = to + count as usize;
        }
        for (&(_, parent, _), &(_, to)) in blocks.iter().zip(&moved[1..]) {
            let block = moved[moved.partition_point(|&(from, _)| from <= parent) - 1];
            self.node((block.1 + (parent - block.0)) as usize).move_children(to as usize);
        }
        *self.used.get_mut() = used;
        for chunk in &mut self.chunks[used.div_ceil(CHUNK)..] {
            chunk.take();
        }
    }

    /// True if no thread is on its way below any node: so it must be when no search runs. For tests.
    pub(crate) fn is_at_rest(&self) -> bool {
        let mut stack = vec![ROOT];
        while let Some(index) = stack.pop() {
            if self.node(index).threads() != 0 {
                return false;
            }
            if let Some((first, children)) = self.children(self.node(index)) {
                stack.extend(first..first + children.len());
            }
        }
        true
    }
}

/// Where a block of `count` nodes can begin at or after `used`: within one chunk.
fn place(used: usize, count: usize) -> usize {
    if used / CHUNK == (used + count.max(1) - 1) / CHUNK { used } else { used.next_multiple_of(CHUNK) }
}
