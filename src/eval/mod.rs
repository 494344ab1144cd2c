//! What a state is worth: the seam between the tree and whatever judges its leaves, be it playouts, a network or a fake.

mod playouts;
mod uniform;

pub use playouts::Playouts;
pub use uniform::Uniform;

use crate::game::Game;

/// Judges states. Each search thread owns one, with its scratch memory, so an evaluator needs no locks; one that shares a resource (a
/// GPU) is a handle to it.
pub trait Evaluator<G: Game>: Send {
    /// Judges the state of each request into the evaluation of the same place. `out` is as long as `requests`, and its old content is
    /// replaced. No state is terminal.
    fn evaluate(&mut self, requests: &[Request<'_, G>], out: &mut [Evaluation<G::Action>]);
}

/// A state to judge.
pub struct Request<'a, G: Game> {
    /// The state.
    pub state: &'a G,
    /// Whether [`Evaluation::priors`] are asked for.
    pub priors: bool,
}

/// An evaluator's judgement, seen from player 0.
#[derive(Clone, Debug)]
pub struct Evaluation<A> {
    /// Expected utility, from -1 to 1.
    pub value: f32,
    /// Expected lead in points; 0 in games without points.
    pub score: f32,
    /// For each point, row by row from the top left, how much player 0 owns it, from -1 to 1. Empty in games without points.
    pub ownership: Vec<f32>,
    /// The actions worth a node: in Go all legal moves but the senseless. Only if asked for.
    pub priors: Vec<Prior<A>>,
    /// The playout's actions with their players, in order, for all-moves-as-first statistics; empty if there was no playout.
    pub trace: Vec<(u8, A)>,
}

impl<A> Default for Evaluation<A> {
    fn default() -> Self {
        Self { value: 0.0, score: 0.0, ownership: Vec::new(), priors: Vec::new(), trace: Vec::new() }
    }
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
