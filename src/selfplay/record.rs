//! A finished game: what was played, and what the searches said.

use crate::board::{Color, Move};
use crate::rules::{Outcome, Position};
use crate::sgf::{self, GameResult, Margin, Record, Step};

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Its name: of the run's seed and its number there.
    pub name: String,
    /// Who played: the network's name, or `playouts`.
    pub player: String,
    /// The start: handicap stones are set up, nothing is played.
    pub start: Position,
    /// The end, with all moves.
    pub end: Position,
    /// Moves at the start that nobody searched for.
    pub opening: usize,
    /// What the search of each later move said.
    pub turns: Vec<Turn>,
    /// Who both sides were sure would win, when they first were.
    pub sure: Option<Color>,
    /// How it ended.
    pub ending: Ending,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// By the rules.
    Finished(Outcome),
    /// Both sides were sure that this one wins.
    Sure(Color),
    /// It was too long.
    TooLong,
}

/// What a search said. Everything is seen from the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Whether the search was full, so that the turn makes a row.
    pub is_full: bool,
    /// Its visits.
    pub visits: u64,
    /// The moves, with their visits on their merits.
    pub policy: Vec<(Move, u32)>,
    /// Expected share of won games, 0 to 1.
    pub winrate: f32,
    /// Mean of the final score, in points.
    pub score: f32,
    /// Lead, in points.
    pub lead: f32,
    /// Of a full search, what each visited move is worth: win less loss, lead and visits.
    pub q_values: Vec<(Move, f32, f32, u32)>,
    /// Of a full search by a network, what that said by itself.
    pub raw: Option<Raw>,
}

/// What a network says by itself, from the side of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Raw {
    /// Win less loss.
    pub win_loss: f32,
    /// Mean of the final score, in points.
    pub score: f32,
    /// Entropy of its policy, in nats.
    pub entropy: f32,
    /// How much the search's policy differs from its own: the divergence of Kullback and Leibler, in nats.
    pub surprise: f32,
}

impl GameRecord {
    /// Who made move number `turn` after the opening.
    pub fn mover(&self, turn: usize) -> Color {
        self.end.moves()[self.opening + turn].0
    }

    /// Whether the game was played on to its end though both sides were sure, and then did not end as they thought.
    pub fn turned(&self) -> Option<bool> {
        match (self.sure, self.ending) {
            (Some(sure), Ending::Finished(outcome)) => Some(outcome.winner() != Some(sure)),
            _ => None,
        }
    }

    /// The result as records have it.
    pub fn result(&self) -> GameResult {
        match self.ending {
            Ending::Finished(outcome) => outcome.into(),
            Ending::Sure(winner) => GameResult::Win(winner, Margin::Resignation),
            Ending::TooLong => GameResult::Unknown,
        }
    }

    /// The game as an SGF text, a comment at each searched move.
    pub fn to_sgf(&self) -> String {
        let (size, rules, board) = (self.start.size(), self.start.rules(), self.start.board());
        let player = sgf::Player { name: Some(self.player.clone()), rank: None };
        let setup: Vec<_> = size.points().filter_map(|point| board.stone(point).map(|color| (point, Some(color)))).collect();
        let first = Step { to_move: (!setup.is_empty()).then_some(self.start.to_move()), setup, ..Step::default() };
        let ending = match self.ending {
            Ending::Finished(_) => "played to the end",
            Ending::Sure(_) => "ended when both sides were sure",
            Ending::TooLong => "broken off, as too long",
        };
        let mut record = Record {
            komi: Some(rules.komi),
            rules: Some(rules.name().map_or_else(|| rules.to_json(), str::to_owned)),
            handicap: self.start.handicap_stones() as usize,
            players: [player.clone(), player],
            result: self.result(),
            info: vec![
                ("GN".to_owned(), self.name.clone()),
                ("GC".to_owned(), format!("Self-play, {ending}\n{} moves of opening", self.opening)),
            ],
            steps: vec![first],
            ..Record::new(size)
        };
        for (number, &(color, mv)) in self.end.moves().iter().enumerate() {
            let turn = number.checked_sub(self.opening).and_then(|turn| self.turns.get(turn));
            record.steps.push(Step { mv: Some((color, mv)), comment: turn.map(Turn::comment), ..Step::default() });
        }
        sgf::write(&[record.to_tree()])
    }
}

impl Turn {
    /// `54.3 %, leads by 1.5, 600 visits`
    fn comment(&self) -> String {
        let cheap = if self.is_full { "" } else { ", cheap" };
        format!("{:.1} %, leads by {:.1}, {} visits{cheap}", 100.0 * self.winrate, self.lead, self.visits)
    }
}
