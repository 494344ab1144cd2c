//! What a search sees besides the tree.

use std::collections::HashMap;

use crate::eval::Evaluation;

/// What a worker has seen: read by the reporter while the worker goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct Harvest {
    /// All evaluations.
    pub(super) all: Seen,
    /// For each move of the root, by [`Game::index`](crate::game::Game::index), what was seen below it; its ownership only if that is asked for.
    pub(super) by_move: HashMap<usize, Seen>,
}

/// Sums over evaluations.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Evaluations.
    pub(super) count: u64,
    /// Player 0's lead.
    lead: f64,
    /// The final scores' means and second moments.
    score: f64,
    score_squares: f64,
    /// Probabilities that there is no result.
    no_result: f64,
    pub(super) ownership: Ownership,
}

/// Sums of player 0's ownership of each point, from -1 to 1. (In f64: a sum of ones in f32 stands still after 16 million.)
#[derive(Clone, Debug, Default)]
pub(super) struct Ownership {
    /// Evaluations that told it.
    count: u64,
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl Harvest {
    /// Takes in an evaluation below the move `action` of the root, if it is below one; its ownership for the move too only if so asked.
    pub(super) fn add<A>(&mut self, evaluation: &Evaluation<A>, action: Option<usize>, moves_ownership: bool) {
        self.all.add(evaluation, true);
        if let Some(action) = action {
            self.by_move.entry(action).or_default().add(evaluation, moves_ownership);
        }
    }

    /// Adds what another worker has seen.
    pub(super) fn merge(&mut self, other: &Self) {
        self.all.merge(&other.all);
        for (&action, seen) in &other.by_move {
            self.by_move.entry(action).or_default().merge(seen);
        }
    }
}

impl Seen {
    fn add<A>(&mut self, evaluation: &Evaluation<A>, ownership: bool) {
        let (score, stdev) = (f64::from(evaluation.score_mean), f64::from(evaluation.score_stdev));
        self.count += 1;
        self.lead += f64::from(evaluation.lead);
        self.score += score;
        self.score_squares += score * score + stdev * stdev;
        self.no_result += f64::from(evaluation.no_result);
        if ownership {
            self.ownership.add(&evaluation.ownership);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.lead += other.lead;
        self.score += other.score;
        self.score_squares += other.score_squares;
        self.no_result += other.no_result;
        self.ownership.merge(&other.ownership);
    }

    /// Mean of player 0's lead.
    pub(super) fn lead(&self) -> f32 {
        self.mean(self.lead)
    }

    /// Mean of player 0's final score.
    pub(super) fn score_mean(&self) -> f32 {
        self.mean(self.score)
    }

    /// Standard deviation of the final score.
    pub(super) fn score_stdev(&self) -> f32 {
        let count = (self.count as f64).max(1.0);
        (self.score_squares / count - (self.score / count).powi(2)).max(0.0).sqrt() as f32
    }

    /// Probability that there is no result.
    pub(super) fn no_result(&self) -> f32 {
        self.mean(self.no_result)
    }

    fn mean(&self, sum: f64) -> f32 {
        (sum / (self.count as f64).max(1.0)) as f32
    }
}

impl Ownership {
    /// Takes in what an evaluation told, if it told something.
    pub(super) fn add(&mut self, ownership: &[f32]) {
        if ownership.is_empty() {
            return;
        }
        self.make_room(ownership.len());
        self.count += 1;
        for ((sum, squares), &owner) in self.sums.iter_mut().zip(&mut self.squares).zip(ownership) {
            let owner = f64::from(owner);
            *sum += owner;
            *squares += owner * owner;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.make_room(other.sums.len());
        self.count += other.count;
        let sums = self.sums.iter_mut().chain(&mut self.squares);
        for (sum, more) in sums.zip(other.sums.iter().chain(&other.squares)) {
            *sum += more;
        }
    }

    /// Whether any evaluation told it.
    pub(super) fn is_told(&self) -> bool {
        self.count > 0
    }

    fn make_room(&mut self, points: usize) {
        if self.sums.is_empty() {
            self.sums.resize(points, 0.0);
            self.squares.resize(points, 0.0);
        }
    }

    /// The mean for player 0, or with `sign` -1 for player 1. Empty if nothing was told.
    pub(super) fn mean(&self, sign: f32) -> Vec<f32> {
        self.sums.iter().map(|sum| sign * (sum / self.count as f64) as f32).collect()
    }

    /// The standard deviation.
    pub(super) fn stdev(&self) -> Vec<f32> {
        let count = self.count as f64;
        let variances = self.sums.iter().zip(&self.squares).map(|(sum, squares)| squares / count - (sum / count).powi(2));
        variances.map(|variance| variance.max(0.0).sqrt() as f32).collect()
    }
}
