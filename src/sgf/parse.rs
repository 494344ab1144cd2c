//! Tokens to trees.

use super::error::{Notes, Place, Problem, SgfError};
use super::lexer::{Lexer, Token};
use super::tree::{NodeId, Property, Tree, is_name};
use super::value::Value;

/// The games of a text.
pub(super) fn parse_games(text: &str, notes: &mut Notes) -> Result<Vec<Tree>, SgfError> {
    let fail = |problem| Err(SgfError { place: None, property: None, problem });
    let start = text.trim_start();
    if start.is_empty() {
        return fail(Problem::Empty);
    }
    if ["<!doctype", "<html", "<?xml"].iter().any(|tag| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag))) {
        return fail(Problem::WebPage);
    }
    let mut games = Vec::new();
    let mut lexer = Lexer::new(text);
    while let Some(skipped) = lexer.seek_game(false).or_else(|| lexer.seek_game(true).filter(|_| games.is_empty())) {
        let place = lexer.place();
        if skipped {
            notes.add(Some(place), "text before the game was skipped");
        }
        games.push(Game::new(&mut lexer, notes).read()?);
    }
    if games.is_empty() { fail(Problem::NoGame) } else { Ok(games) }
}

/// What came last, where it matters for what may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Open,
    Close,
    Node,
}

/// A game being read.
struct Game<'l, 'text> {
    lexer: &'l mut Lexer<'text>,
    notes: &'l mut Notes,
    tree: Tree,
    /// Where the next node goes: nothing before the root.
    current: Option<NodeId>,
    /// Where to go back to at each `)` to come.
    open: Vec<Option<NodeId>>,
    after: After,
}

impl<'l, 'text> Game<'l, 'text> {
    fn new(lexer: &'l mut Lexer<'text>, notes: &'l mut Notes) -> Self {
        Self { lexer, notes, tree: Tree::new(), current: None, open: Vec::new(), after: After::Node }
    }

    /// Reads from a `(` to its `)`, or to the end of the file. The lexer stands at a `(`, and a node comes next.
    fn read(mut self) -> Result<Tree, SgfError> {
        loop {
            let place = self.lexer.place();
            let fail = |problem| SgfError { place: Some(place), property: None, problem };
            match self.lexer.next().map_err(fail)? {
                Token::Open => {
                    self.open.push(self.current);
                    self.after = After::Open;
                }
                Token::Close => {
                    self.current = self.open.pop().flatten();
                    self.after = After::Close;
                    if self.open.is_empty() {
                        break;
                    }
                }
                Token::Semicolon if self.after == After::Close => return Err(fail(Problem::AfterVariation)),
                Token::Semicolon => {
                    self.add_node();
                }
                Token::Name(name) => self.read_property(name, place)?,
                Token::Value(_) => return Err(fail(Problem::NoName)),
                Token::End => {
                    self.notes.add(Some(place), "the file ends before the game's last ')'");
                    break;
                }
            }
        }
        self.tree.merge_duplicates();
        Ok(self.tree)
    }

    fn add_node(&mut self) -> NodeId {
        let node = self.current.map_or(Tree::ROOT, |parent| self.tree.add_child(parent));
        self.current = Some(node);
        self.after = After::Node;
        node
    }

    fn read_property(&mut self, name: &str, place: Place) -> Result<(), SgfError> {
        let fail = |problem| SgfError { place: Some(place), property: Some(name.to_owned()), problem };
        let node = match (self.after, self.current) {
            (After::Close, _) => return Err(fail(Problem::AfterVariation)),
            (After::Node, Some(node)) => node,
            (After::Open, _) | (After::Node, None) => {
                self.notes.add(Some(place), "a ';' is missing before the first property");
                self.add_node()
            }
        };
        // FF[1] to FF[3] write GaMe, SiZe, Black: the small letters do not count.
        let short: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        if !is_name(&short) {
            return Err(fail(Problem::BadName));
        }
        let mut values = Vec::new();
        while self.lexer.at_value() {
            if let Token::Value(source) = self.lexer.next().map_err(fail)? {
                values.push(Value::from_source(source));
            }
        }
        if values.is_empty() {
            return Err(fail(Problem::NoValue));
        }
        self.tree.push_property(node, Property { name: short, values, place: Some(place) });
        Ok(())
    }
}
