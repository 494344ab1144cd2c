//! The games to review, as they are read from files.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::board::{Board, Color, Move};
use crate::pool::Line;
use crate::rules::{Position, Rules};
use crate::sgf::{self, NodeId, Record, Replay, ReplayError, SgfError, Terms, Tree};

/// More moves than this are no game that people played; the longest known has 411.
const MOST_MOVES: usize = 2000;

/// A game to review.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where it comes from, in words.
    pub source: String,
    /// The file's tree, all of which is kept.
    pub tree: Tree,
    /// Its main line.
    pub record: Record,
    /// Rules and komi.
    pub terms: Terms,
    /// The moves of the main line.
    pub moves: Vec<(Color, Move)>,
    /// The node of each, and its place among the record's steps.
    nodes: Vec<NodeId>,
    steps: Vec<usize>,
    /// The last node of the main line.
    last: NodeId,
}

/// Why a game cannot be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReviewed {
    /// Its file.
    #[error(transparent)]
    Record(#[from] SgfError),
    /// A move.
    #[error(transparent)]
    Move(#[from] ReplayError),
    /// No moves.
    #[error("it has no moves, so there is nothing to review")]
    NoMoves,
    /// More moves than any game has.
    #[error("it has {0} moves; games of more than {MOST_MOVES} are not reviewed")]
    TooLong(usize),
}

/// The games of a file, whose content is `bytes` and whose name is `source`, with the terms of their records or those asked for.
///
/// # Errors
/// If no game can be read from the file; each game of it can have an error of its own.
pub fn games(
    bytes: &[u8],
    source: &str,
    rules: Option<Rules>,
    komi: Option<f32>,
) -> Result<Vec<Result<Game, NotReviewed>>, NotReviewed> {
    let collection = sgf::parse(bytes)?;
    let several = collection.games.len() > 1;
    let notes = &collection.notes;
    let game = |(number, tree): (usize, Tree)| {
        let source = if several { format!("{source}, game {}", number + 1) } else { source.to_owned() };
        let mut game = Game::new(tree, source, rules, komi)?;
        game.record.notes.splice(0..0, notes.iter().cloned());
        Ok(game)
    };
    Ok(collection.games.into_iter().enumerate().map(game).collect())
}

impl Game {
    fn new(tree: Tree, source: String, rules: Option<Rules>, komi: Option<f32>) -> Result<Self, NotReviewed> {
        let path = tree.main_line();
        let record = Record::from_path(&tree, &path)?;
        let terms = Terms::of(&record, rules, komi);
        let steps: Vec<usize> = (0..path.len()).filter(|&step| record.steps[step].mv.is_some()).collect();
        let nodes = steps.iter().map(|&step| path[step]).collect();
        let moves: Vec<(Color, Move)> = record.moves().collect();
        let last = path.last().copied().unwrap_or(Tree::ROOT);
        match moves.len() {
            0 => return Err(NotReviewed::NoMoves),
            moves if moves > MOST_MOVES => return Err(NotReviewed::TooLong(moves)),
            _ => {}
        }
        record.replay(terms.to_replay())?;
        Ok(Self { source, tree, record, terms, moves, nodes, steps, last })
    }

    /// The number of its positions: one more than moves.
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// The game before its first move, to be played on.
    pub(super) fn replay(&self) -> Replay<'_> {
        Replay::new(&self.record, self.terms.to_replay())
    }

    /// Each of its positions, as that after so many moves of a line. A line ends where stones are set up, or somebody moves out of turn.
    pub(super) fn lines(&self) -> Vec<(Arc<Line>, usize)> {
        let mut replay = self.replay();
        let mut lines: Vec<(Position, Vec<(Color, Move)>)> = Vec::new();
        let mut places = Vec::new();
        for number in 0..self.positions() {
            let to_move = self.moves.get(number).map_or(replay.position().to_move(), |&(color, _)| color);
            let goes_on = match number.checked_sub(1) {
                Some(last) => !self.is_set_up_after(last) && self.moves[last].0 != to_move,
                None => false,
            };
            if !goes_on {
                let mut start = replay.position().clone();
                start.set_to_move(to_move);
                lines.push((start, Vec::new()));
            }
            let place = lines.len() - 1;
            places.push((place, lines[place].1.len()));
            lines[place].1.extend(self.moves.get(number));
            let _ = replay.advance();
        }
        let line = |(start, moves)| Arc::new(Line::new(start, moves).expect("a game is read only if its moves can be played"));
        let lines: Vec<Arc<Line>> = lines.into_iter().map(line).collect();
        places.into_iter().map(|(line, turn)| (Arc::clone(&lines[line]), turn)).collect()
    }

    /// The boards of all positions.
    pub(super) fn boards(&self) -> Vec<Board> {
        let mut replay = self.replay();
        let mut boards = vec![replay.position().board().clone()];
        while replay.advance().is_ok_and(|more| more) {
            boards.push(replay.position().board().clone());
        }
        boards
    }

    /// Whether stones were set up between the move of this number, counted from 0, and the next.
    pub(super) fn is_set_up_after(&self, mv: usize) -> bool {
        let next = self.steps.get(mv + 1).map_or(self.record.steps.len(), |step| step + 1);
        self.record.steps[self.steps[mv] + 1..next].iter().any(|step| !step.setup.is_empty())
    }

    /// The node of a move, counted from 0; behind the last, the last node of the main line.
    pub(super) fn node(&self, mv: usize) -> NodeId {
        self.nodes.get(mv).copied().unwrap_or(self.last)
    }

    /// The node at which a position stands: that of the move before, or whatever setup came behind it.
    pub(super) fn node_of_position(&self, moves: usize) -> NodeId {
        match self.nodes.get(moves) {
            Some(&next) => self.tree.parent(next).unwrap_or(Tree::ROOT),
            None => self.last,
        }
    }

    /// A player's name and rank, or the colour if there is no name.
    pub fn name(&self, color: Color) -> String {
        let player = &self.record.players[color.index()];
        let words: Vec<&str> = [player.name.as_deref(), player.rank.as_deref()].into_iter().flatten().collect();
        if player.name.is_none() { color.to_string() } else { words.join(" ") }
    }

    /// A number that tells this game and its terms from others.
    pub(super) fn fingerprint(&self) -> Sha256 {
        let mut hash = Sha256::new();
        hash.update(sgf::write([&self.tree]));
        hash.update(self.terms.rules.to_json());
        hash.update(self.terms.rules.komi.to_string());
        hash
    }
}
