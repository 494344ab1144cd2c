//! What a state is worth: the seam between the tree and whatever judges its leaves, be it playouts, a network or a fake.

mod playouts;
mod uniform;
pub mod utility;

pub use playouts::Playouts;
pub use uniform::Uniform;

use crate::game::Game;

/// Judges states. Each search thread owns one, with its scratch memory, so an evaluator needs no locks; one that shares a resource (a
/// GPU) is a handle to it.
pub trait Evaluator<G: Game>: Send {
    /// What its evaluations are, on which the way of searching depends. All evaluators of a search say the same.
    fn evidence(&self) -> Evidence;

    /// Judges the state of each request into the evaluation of the same place. `out` is as long as `requests`, and its old content is
    /// replaced. No state is terminal.
    fn evaluate(&mut self, requests: &[Request<'_, G>], out: &mut [Evaluation<G::Action>]);
}

/// What an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// One random game: cheap and noisy, so a leaf is evaluated several times before it grows children; its trace tells of other moves
    /// too. The search adds nothing to [`Evaluation::value`].
    Playout,
    /// A judgement, dear and good: a leaf is evaluated once, with priors of all its moves, and grows children at once. The search adds
    /// the utility of the score (see [`utility`]) to [`Evaluation::value`].
    Network,
}

/// A state to judge.
pub struct Request<'a, G: Game> {
    /// The state.
    pub state: &'a G,
    /// Whether [`Evaluation::priors`] are asked for.
    pub priors: bool,
    /// Whether it is the root of the search, where priors may be more careful (a network's policy optimism is less there).
    pub root: bool,
}

/// An evaluator's judgement, seen from player 0.
#[derive(Clone, Debug)]
pub struct Evaluation<A> {
    /// Expected utility, from -1 to 1: what the search strives for, but for the utility of the score that it adds to a network's.
    pub value: f32,
    /// Expected result, from -1 (lost) to 1 (won): the win rate that users see. Where nothing but the result counts, it is the value.
    pub result: f32,
    /// Points that player 0 is ahead; 0 in games without points. Of a playout and of a finished game, the final score.
    pub lead: f32,
    /// Mean of the final score's distribution, in points. Networks tell it apart from the lead: who is behind takes risks.
    pub score_mean: f32,
    /// Standard deviation of the final score, in points; 0 of a playout and of a finished game, whose score is known.
    pub score_stdev: f32,
    /// Probability that the game ends without result, as by a long cycle of moves.
    pub no_result: f32,
    /// How far this may be off, if that is told.
    pub doubts: Doubts,
    /// For each point, row by row from the top left, how much player 0 owns it, from -1 to 1. Empty in games without points.
    pub ownership: Vec<f32>,
    /// The actions worth a node: in Go all legal moves but the senseless. Only if asked for.
    pub priors: Vec<Prior<A>>,
    /// The playout's actions with their players, in order, for all-moves-as-first statistics; empty if there was no playout.
    pub trace: Vec<(u8, A)>,
}

impl<A> Default for Evaluation<A> {
    fn default() -> Self {
        Self {
            value: 0.0,
            result: 0.0,
            lead: 0.0,
            score_mean: 0.0,
            score_stdev: 0.0,
            no_result: 0.0,
            doubts: Doubts::default(),
            ownership: Vec::new(),
            priors: Vec::new(),
            trace: Vec::new(),
        }
    }
}

impl<A> Evaluation<A> {
    /// Makes this the evaluation of a finished game, or of a playout's end: `value` is what it is worth, `result` who won (1 player 0),
    /// `score` player 0's points less player 1's.
    pub fn set_final(&mut self, value: f32, result: f32, score: f32) {
        (self.value, self.result) = (value, result);
        (self.lead, self.score_mean, self.score_stdev) = (score, score, 0.0);
        (self.no_result, self.doubts) = (0.0, Doubts::default());
    }
}

/// How far an evaluation may be off, as a network from format version 9 on says itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Doubts {
    /// How far the result (-1 to 1) is likely off what a short search finds.
    pub result: Option<f32>,
    /// How far the score is likely off what a short search finds, in points.
    pub score: Option<f32>,
    /// How uncertain it is how long the game lasts, as a variance, in turns.
    pub time_left: Option<f32>,
}

/// What is thought of an action before it was tried.
#[derive(Clone, Copy, Debug)]
pub struct Prior<A> {
    /// The action.
    pub action: A,
    /// Probability that a good player chooses it; the policies of a state sum to 1.
    pub policy: f32,
    /// How many games the opinion is worth.
    pub games: f32,
    /// The share of those games that the player to move wins, from 0 to 1.
    pub value: f32,
}
