//! A game as a plain list of what happened, out of one line of a tree, and back into a tree.

use super::points::letters;
use super::result::GameResult;
use super::tree::Tree;
use super::value::Value;
use crate::board::{Color, Move, Point, Size};

/// Facts about a game that are kept as text, by the SGF names of their properties: annotator, teams, copyright, date, event, comment,
/// name, opening, overtime, place, round, source, main time in seconds, user.
pub(super) const INFO: [&str; 15] = ["AN", "BT", "CP", "DT", "EV", "GC", "GN", "ON", "OT", "PC", "RO", "SO", "TM", "US", "WT"];

/// A game along one line of its tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The board.
    pub size: Size,
    /// Points White gets; nothing if the file does not say, or what it says means nothing. Always finite.
    pub komi: Option<f32>,
    /// The rules, as the file calls them.
    pub rules: Option<String>,
    /// Handicap stones: 0, or 2 and more. They stand in the setup of the first steps, or were played as Black's first moves.
    pub handicap: usize,
    /// Black and White, by [`Color::index`].
    pub players: [Player; 2],
    /// How it ended.
    pub result: GameResult,
    /// Other facts about the game: the name of the property (`DT`, `EV`, `GC`, ...) and its text.
    pub info: Vec<(String, String)>,
    /// What happened, a step for each node of the line. The first is the root.
    pub steps: Vec<Step>,
    /// What the reader had to guess or ignore, in sentences for a person.
    pub notes: Vec<String>,
}

/// A player, as the file names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Name.
    pub name: Option<String>,
    /// Rank, as in `5d`.
    pub rank: Option<String>,
}

/// One node of a game: first the setup, then who is to move, then a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Points that become stones of a colour, or empty; each point once, row by row.
    pub setup: Vec<(Point, Option<Color>)>,
    /// Who is to move from here, where the file says so.
    pub to_move: Option<Color>,
    /// The move, if there is one.
    pub mv: Option<(Color, Move)>,
    /// What is said about it.
    pub comment: Option<String>,
}

impl Record {
    /// A game without moves.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            komi: None,
            rules: None,
            handicap: 0,
            players: Default::default(),
            result: GameResult::Unknown,
            info: Vec::new(),
            steps: vec![Step::default()],
            notes: Vec::new(),
        }
    }

    /// Adds a move as the next step.
    pub fn push(&mut self, color: Color, mv: Move) {
        self.steps.push(Step { mv: Some((color, mv)), ..Step::default() });
    }

    /// The moves in order, passes among them.
    pub fn moves(&self) -> impl Iterator<Item = (Color, Move)> {
        self.steps.iter().filter_map(|step| step.mv)
    }

    /// Who is to move at the start: as the file says, or else who does move first, or else White if there is a handicap and Black if not.
    pub fn first_to_move(&self) -> Color {
        let before = self.steps.iter().position(|step| step.mv.is_some()).map_or(self.steps.len(), |at| at + 1);
        let said = self.steps[..before].iter().rev().find_map(|step| step.to_move);
        let even = if self.handicap > 0 { Color::White } else { Color::Black };
        self.moves().next().map(|(color, _)| color).or(said).unwrap_or(even)
    }

    /// The game as a tree of one line, signed by this program.
    pub fn to_tree(&self) -> Tree {
        let mut tree = Tree::new();
        let mut set = |name, text: &str| tree.set(Tree::ROOT, name, vec![Value::simple_text(text)]);
        set("GM", "1");
        set("AP", concat!("Tengen:", env!("CARGO_PKG_VERSION")));
        set("SZ", &size_text(self.size));
        if let Some(komi) = self.komi.filter(|komi| komi.is_finite()) {
            set("KM", &komi.to_string());
        }
        if let Some(rules) = &self.rules {
            set("RU", rules);
        }
        if self.handicap > 0 {
            set("HA", &self.handicap.to_string());
        }
        for (player, [name, rank]) in self.players.iter().zip([["PB", "BR"], ["PW", "WR"]]) {
            for (property, text) in [(name, &player.name), (rank, &player.rank)] {
                if let Some(text) = text {
                    set(property, text);
                }
            }
        }
        if self.result != GameResult::Unknown {
            set("RE", &self.result.to_string());
        }
        for (name, text) in &self.info {
            tree.set(Tree::ROOT, name, vec![if name == "GC" { Value::text(text) } else { Value::simple_text(text) }]);
        }
        let mut node = Tree::ROOT;
        for (number, step) in self.steps.iter().enumerate() {
            if number > 0 {
                node = tree.add_child(node);
            }
            for (name, values) in step.properties(self.size) {
                tree.set(node, name, values);
            }
        }
        tree
    }
}

impl Step {
    fn properties(&self, size: Size) -> impl Iterator<Item = (&'static str, Vec<Value>)> {
        let value = |text: &str| Value::simple_text(text);
        let stones = |color: Option<Color>| {
            let points = self.setup.iter().filter(move |&&(_, to)| to == color);
            points.map(|&(point, _)| value(&letters(size, point))).collect()
        };
        let one_if = |text: Option<Value>| text.into_iter().collect::<Vec<_>>();
        let moves = |color| self.mv.filter(|&(mover, _)| mover == color).map(|(_, mv)| value(&letters(size, mv)));
        [
            ("AB", stones(Some(Color::Black))),
            ("AW", stones(Some(Color::White))),
            ("AE", stones(None)),
            ("PL", one_if(self.to_move.map(|color| value(&color.letter().to_string())))),
            ("B", one_if(moves(Color::Black))),
            ("W", one_if(moves(Color::White))),
            ("C", one_if(self.comment.as_deref().map(Value::text))),
        ]
        .into_iter()
        .filter(|(_, values): &(_, Vec<Value>)| !values.is_empty())
    }
}

/// An SZ value.
fn size_text(size: Size) -> String {
    if size.width() == size.height() { size.width().to_string() } else { format!("{}:{}", size.width(), size.height()) }
}
