//! Go judged by playouts.

use super::{Evaluation, Evaluator, Evidence, Prior, Request};
use crate::board::{Color, Move, Point};
use crate::params::Settings;
use crate::playout::{Playout, PriorMove, Priors, Trace};
use crate::rules::Position;
use crate::util::Rng;

/// Share of a playout's value that comes from the margin rather than from who won: enough to prefer the larger of two sure wins, so that
/// moves stay sensible in a decided game.
const MARGIN_SHARE: f32 = 0.04;
/// Lead, in points for each of the board's rows, at which three quarters of the margin's share are reached.
const MARGIN_SCALE: f32 = 1.0;

/// Judges each position by one playout from it.
pub struct Playouts {
    playout: Playout,
    trace: Trace,
    rng: Rng,
    /// Points taken from Black before it is seen who won.
    offset: f32,
    prior_even: f32,
    priors: Priors,
    thoughts: Vec<PriorMove>,
}

impl Playouts {
    /// An evaluator whose chance follows from `rng`. `offset` points are taken from Black's score (given, if negative) before it is seen who
    /// won a playout: dynamic komi, which makes a game that is far from even worth thinking about.
    pub fn new(settings: &Settings, rng: Rng, offset: f32) -> Self {
        let playout = Playout::new(settings.playout.clone());
        let prior_even = settings.search.prior_even;
        Self { playout, trace: Trace::new(), rng, offset, prior_even, priors: Priors::new(), thoughts: Vec::new() }
    }

    /// One playout from `position`.
    fn play_out(&mut self, position: &Position, evaluation: &mut Evaluation<Move>) {
        let trace = &mut self.trace;
        self.playout.run(position.board(), position.to_move(), last_moves(position), &mut self.rng, trace);
        let size = position.size();
        let score = trace.score() as f32 - position.white_bonus();
        let result = won(score - self.offset);
        evaluation.set_final(value(score - self.offset, size.height()), result, score);
        evaluation.ownership.clear();
        evaluation.ownership.extend(size.points().map(|point| trace.owner(point).map_or(0.0, Color::sign)));
        evaluation.trace.clear();
        evaluation.trace.extend(trace.moves().map(|(color, mv)| (color.index() as u8, mv)));
    }

    fn think_of_moves(&mut self, position: &Position, priors: &mut Vec<Prior<Move>>) {
        let is_legal = |point: Point| position.is_legal(point.into());
        let thoughts = &mut self.thoughts;
        self.priors.think(position.board(), position.to_move(), last_moves(position), self.prior_even, is_legal, thoughts);
        // Ties go to the first, so their order should say nothing.
        for last in (1..thoughts.len()).rev() {
            thoughts.swap(last, self.rng.below(last + 1));
        }
        priors.clear();
        priors.extend(thoughts.iter().map(|&PriorMove { mv, games, value, policy }| Prior { action: mv, policy, games, value }));
    }
}

/// The last two moves, the latest first; passes where there are none.
fn last_moves(position: &Position) -> [Move; 2] {
    let moves = position.moves_since_restart();
    [1, 2].map(|back| moves.len().checked_sub(back).map_or(Move::PASS, |index| moves[index].1))
}

/// Who won by a final score of Black's: 1 Black, -1 White, 0 nobody.
fn won(score: f32) -> f32 {
    if score > 0.0 {
        1.0
    } else if score < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// Utility of a final score, Black's: who won, and a little by how much.
fn value(score: f32, height: usize) -> f32 {
    // The standard library's tanh is the system's, and differs between systems; the same search should find the same everywhere.
    (1.0 - MARGIN_SHARE) * won(score) + MARGIN_SHARE * libm::tanhf(score / (MARGIN_SCALE * height as f32))
}

impl Evaluator<Position> for Playouts {
    fn evidence(&self) -> Evidence {
        Evidence::Playout
    }

    fn evaluate(&mut self, requests: &[Request<'_, Position>], out: &mut [Evaluation<Move>]) {
        for (request, evaluation) in requests.iter().zip(out) {
            if request.priors {
                self.think_of_moves(request.state, &mut evaluation.priors);
            }
            self.play_out(request.state, evaluation);
        }
    }
}
