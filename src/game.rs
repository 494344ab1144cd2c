//! A game as a formal model, so that one search plays Go and, in tests, small games whose values are known.
//! (Initial state, to-move, actions, result, terminal test, utility: S. Russell and P. Norvig, Artificial Intelligence, chapter on
//! adversarial search.)

use std::fmt::Debug;

use crate::board::{Color, Move, Point};
use crate::rules::{Outcome, Position};

/// A state of a game of perfect information in which two players, 0 and 1, move in some order and one's gain is the other's loss.
/// The initial state is any value of the type.
pub trait Game: Clone + Send + Sync {
    /// What a player can do.
    type Action: Copy + Eq + Debug + Send + Sync;

    /// Every action's [`Game::index`] is below this: at most 65,536.
    const ACTIONS: usize;

    /// A number for `action`, for tables: equal for the same action in every state.
    fn index(action: Self::Action) -> usize;

    /// The action with this [`Game::index`].
    fn action(index: usize) -> Self::Action;

    /// Who is to move: player 0 or 1. (Games of more players, which only [`crate::adversarial`] knows, count on.)
    fn player(&self) -> usize;

    /// The legal actions, into `actions`, whose old content goes. At least one unless the game is over, and at most 16,384.
    fn actions(&self, actions: &mut Vec<Self::Action>);

    /// The state that follows when the player to move does `action`, which must be legal.
    fn apply(&mut self, action: Self::Action);

    /// True if the game is over.
    fn is_terminal(&self) -> bool;

    /// What the finished game is worth to player 0: 1 a win, 0 a draw, -1 a loss. (To player 1, the negative.)
    fn utility(&self) -> f32;

    /// Whose each point is when the game is over, into `ownership`, whose old content goes: row by row from the top left, 1 player 0's, -1
    /// player 1's. Nothing in games without points.
    fn ownership(&self, ownership: &mut Vec<f32>) {
        ownership.clear();
    }

    /// Player 0's lead in points when the game is over; 0 in games without points.
    fn score(&self) -> f32 {
        0.0
    }

    /// True if the finished game has no result: neither a win nor a draw.
    fn is_void(&self) -> bool {
        false
    }

    /// Points of the board, which a score is measured by; 0 in games without points.
    fn area(&self) -> usize {
        0
    }
}

/// Go: Black is player 0. The end is the formal one, cleanup phases and all, so that no judge is needed.
impl Game for Position {
    type Action = Move;
    const ACTIONS: usize = Point::INDICES;

    fn index(action: Move) -> usize {
        action.index()
    }

    fn action(index: usize) -> Move {
        Move::from_index(index)
    }

    fn player(&self) -> usize {
        self.to_move().index()
    }

    fn actions(&self, actions: &mut Vec<Move>) {
        actions.clear();
        actions.extend(self.legal_moves());
    }

    fn apply(&mut self, action: Move) {
        self.play_unchecked(action);
    }

    fn is_terminal(&self) -> bool {
        self.is_over()
    }

    fn utility(&self) -> f32 {
        match self.result().and_then(Outcome::winner) {
            Some(Color::Black) => 1.0,
            Some(Color::White) => -1.0,
            None => 0.0,
        }
    }

    fn ownership(&self, ownership: &mut Vec<f32>) {
        let owners = self.formal_owners(self.rules().suicide);
        ownership.clear();
        ownership.extend(self.size().points().map(|point| owners.owner(point).map_or(0.0, Color::sign)));
    }

    fn score(&self) -> f32 {
        match self.result() {
            Some(Outcome::Score(score)) => score,
            _ => 0.0,
        }
    }

    fn is_void(&self) -> bool {
        self.result() == Some(Outcome::NoResult)
    }

    fn area(&self) -> usize {
        self.size().area()
    }
}
