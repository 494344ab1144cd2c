//! A game tree: nodes in an arena, each with its properties.

use super::error::Place;
use super::value::Value;

/// A node of a [`Tree`]. Only meaningful together with that tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// A property of a node: a name of capital letters (and, in extensions, digits) and its values.
#[derive(Clone, Debug)]
pub struct Property {
    pub(super) name: String,
    pub(super) values: Vec<Value>,
    pub(super) place: Option<Place>,
}

impl Property {
    /// Its name, such as `AB`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values: one or more.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Where it stood in the file; nothing if it was not read from one.
    pub fn place(&self) -> Option<Place> {
        self.place
    }
}

/// The place in the file is left out of account.
impl PartialEq for Property {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.values == other.values
    }
}

impl Eq for Property {}

#[derive(Clone, Debug, Default)]
struct Node {
    properties: Vec<Property>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

/// One game: a tree of nodes with properties. It has a root, always. A node's first child goes on with the main line, its others are
/// variations. Walks are loops, never recursive, so depth costs no stack.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// A root without properties.
    pub fn new() -> Self {
        Self { nodes: vec![Node::default()] }
    }

    /// How many nodes it has.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// The node before; nothing for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// The nodes after, the main line's first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).first_child, |&child| self.next_sibling(child))
    }

    /// The next variation beside this node.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next_sibling
    }

    /// Whether its parent has other children.
    pub(super) fn has_siblings(&self, id: NodeId) -> bool {
        self.parent(id).is_some_and(|parent| self.node(parent).first_child != self.node(parent).last_child)
    }

    /// Adds a node behind `parent`, as its last variation.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        match self.node_mut(parent).last_child.replace(id) {
            Some(elder) => self.node_mut(elder).next_sibling = Some(id),
            None => self.node_mut(parent).first_child = Some(id),
        }
        id
    }

    /// The node's properties, in the order of the file. No name comes twice.
    pub fn properties(&self, id: NodeId) -> &[Property] {
        &self.node(id).properties
    }

    /// The property `name` of a node.
    pub fn property(&self, id: NodeId, name: &str) -> Option<&Property> {
        self.properties(id).iter().find(|property| property.name == name)
    }

    /// The first value of the property `name` of a node.
    pub fn value(&self, id: NodeId, name: &str) -> Option<&Value> {
        self.property(id, name).and_then(|property| property.values.first())
    }

    /// Gives the property `name` of a node these values, in place of those it had. No values remove the property.
    ///
    /// # Panics
    /// If the name is not an ASCII capital and then capitals and digits, since such a file could not be read back.
    pub fn set(&mut self, id: NodeId, name: &str, values: Vec<Value>) {
        assert!(is_name(name), "'{name}' is no property name");
        let properties = &mut self.node_mut(id).properties;
        if values.is_empty() {
            properties.retain(|property| property.name != name);
            return;
        }
        match properties.iter_mut().find(|property| property.name == name) {
            Some(property) => property.values = values,
            None => properties.push(Property { name: name.to_owned(), values, place: None }),
        }
    }

    /// Adds a property as read; [`Tree::merge_duplicates`] must follow.
    pub(super) fn push_property(&mut self, id: NodeId, property: Property) {
        self.node_mut(id).properties.push(property);
    }

    /// Gives the values of properties that came twice in a node to the first of them: FF4 wants each name once.
    pub(super) fn merge_duplicates(&mut self) {
        for node in &mut self.nodes {
            let properties = &mut node.properties;
            if properties.len() < 2 {
                continue;
            }
            let mut order: Vec<usize> = (0..properties.len()).collect();
            order.sort_by(|&a, &b| properties[a].name.cmp(&properties[b].name));
            let mut first = 0;
            for &next in &order {
                if next != first && properties[next].name == properties[first].name {
                    let values = std::mem::take(&mut properties[next].values);
                    properties[first].values.extend(values);
                } else {
                    first = next;
                }
            }
            properties.retain(|property| !property.values.is_empty());
        }
    }

    /// From the root along first children to the end: the game as it was played.
    pub fn main_line(&self) -> Vec<NodeId> {
        self.line_through(Self::ROOT)
    }

    /// From the root to `id`, and on along first children to the end.
    pub fn line_through(&self, id: NodeId) -> Vec<NodeId> {
        let mut line = self.path_to(id);
        line.extend(std::iter::successors(self.node(id).first_child, |&id| self.node(id).first_child));
        line
    }

    /// From the root to `id`, both included.
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// All nodes in the order of a file: each before its children, a variation whole before the next.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(Self::ROOT), |&id| {
            let upwards = std::iter::successors(Some(id), |&id| self.parent(id));
            self.node(id).first_child.or_else(|| upwards.map(|id| self.next_sibling(id)).find_map(|next| next))
        })
    }
}

/// Equal if they read the same in a file, whatever the order in which they were built.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        let shape = |tree: &Self, id| (tree.node(id).first_child.is_some(), tree.node(id).next_sibling.is_some());
        self.node_count() == other.node_count()
            && self.nodes().zip(other.nodes()).all(|(mine, theirs)| {
                shape(self, mine) == shape(other, theirs) && self.properties(mine) == other.properties(theirs)
            })
    }
}

impl Eq for Tree {}

/// An ASCII capital, and then capitals and digits.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Tree, Value};

    #[test]
    fn walks_visit_nodes_in_file_order() {
        let mut tree = Tree::new();
        let a = tree.add_child(Tree::ROOT);
        let b = tree.add_child(Tree::ROOT);
        let a1 = tree.add_child(a);
        let a2 = tree.add_child(a);
        assert_eq!(tree.nodes().collect::<Vec<_>>(), [Tree::ROOT, a, a1, a2, b]);
        assert_eq!(tree.main_line(), [Tree::ROOT, a, a1]);
        assert_eq!(tree.path_to(a2), [Tree::ROOT, a, a2]);
        assert_eq!(tree.line_through(b), [Tree::ROOT, b]);
        assert_eq!(tree.line_through(a), [Tree::ROOT, a, a1]);
        assert_eq!(tree.children(Tree::ROOT).collect::<Vec<_>>(), [a, b]);
        assert!(tree.has_siblings(a) && tree.has_siblings(a2) && !tree.has_siblings(Tree::ROOT));
    }

    #[test]
    fn equality_follows_the_file_not_the_arena() {
        let build = |first_then_deeper: bool| {
            let mut tree = Tree::new();
            let (a, b) = (tree.add_child(Tree::ROOT), tree.add_child(Tree::ROOT));
            for id in if first_then_deeper { [a, b] } else { [b, a] } {
                let child = tree.add_child(id);
                tree.set(child, "N", vec![Value::simple_text(if id == a { "a" } else { "b" })]);
            }
            tree
        };
        assert_eq!(build(true), build(false));
        let mut other = build(true);
        other.set(Tree::ROOT, "C", vec![Value::text("x")]);
        assert_ne!(build(true), other);
        let (mut chain, mut fork) = (Tree::new(), Tree::new());
        let child = chain.add_child(Tree::ROOT);
        chain.add_child(child);
        fork.add_child(Tree::ROOT);
        fork.add_child(Tree::ROOT);
        assert_ne!(chain, fork);
    }

    #[test]
    fn set_replaces_and_removes() {
        let mut tree = Tree::new();
        tree.set(Tree::ROOT, "C", vec![Value::text("x")]);
        tree.set(Tree::ROOT, "C", vec![Value::text("y")]);
        assert_eq!(tree.value(Tree::ROOT, "C").unwrap().to_text(), "y");
        tree.set(Tree::ROOT, "C", Vec::new());
        assert!(tree.properties(Tree::ROOT).is_empty());
    }
}
