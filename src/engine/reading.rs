//! What was read out before a search, told to the search as priors of its root: a network of few visits may not look at the one move that decides a race.

use crate::board::Move;
use crate::eval::{Evaluation, Evaluator, Evidence, Prior, Request};
use crate::rules::Position;
use crate::solve::Vital;

/// Policy that a vital move has at the least, for each stone that hangs on it: enough to be tried soon; what comes of that decides.
const POLICY: f32 = 0.04;
/// The most that a vital move is lifted to.
const MOST_POLICY: f32 = 0.2;
/// Won games that a vital move begins with in a search by playouts, for each stone that hangs on it.
const GAMES: f32 = 3.0;
/// The most won games that a vital move begins with.
const MOST_GAMES: f32 = 30.0;

/// An evaluator that knows what is vital at the root.
pub(super) struct Knowing {
    /// Who judges.
    pub(super) inner: Box<dyn Evaluator<Position>>,
    /// What is vital.
    pub(super) vital: Vec<Vital>,
}

impl Evaluator<Position> for Knowing {
    fn evidence(&self) -> Evidence {
        self.inner.evidence()
    }

    fn evaluate(&mut self, requests: &[Request<'_, Position>], out: &mut [Evaluation<Move>]) {
        self.inner.evaluate(requests, out);
        for (request, evaluation) in requests.iter().zip(out) {
            if request.root && request.priors {
                lift(&mut evaluation.priors, &self.vital);
            }
        }
    }
}

/// Lifts the priors of vital moves. The policies still sum to 1.
fn lift(priors: &mut [Prior<Move>], vital: &[Vital]) {
    for prior in &mut *priors {
        let stones: usize = vital
            .iter()
            .filter(|vital| prior.action.point().is_some_and(|point| vital.moves.contains(&point)))
            .map(|vital| vital.stones)
            .sum();
        if stones == 0 {
            continue;
        }
        prior.policy = prior.policy.max((POLICY * stones as f32).min(MOST_POLICY));
        let won = (GAMES * stones as f32).min(MOST_GAMES);
        prior.value = (prior.value * prior.games + won) / (prior.games + won);
        prior.games += won;
    }
    let total: f32 = priors.iter().map(|prior| prior.policy).sum();
    for prior in priors {
        prior.policy /= total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn vital_moves_are_lifted_by_what_hangs_on_them() {
        let size = Size::square(9).unwrap();
        let at = |vertex: &str| size.parse_vertex(vertex).unwrap();
        let point = |vertex: &str| at(vertex).point().unwrap();
        let prior = |vertex, policy| Prior { action: at(vertex), policy, games: 10.0, value: 0.5 };
        let mut priors = [prior("A1", 0.5), prior("B1", 0.01), prior("C1", 0.01), prior("D1", 0.3), prior("pass", 0.18)];
        let vital = [
            Vital { stones: 2, moves: vec![point("B1"), point("D1")] },
            Vital { stones: 20, moves: vec![point("C1")] },
            Vital { stones: 1, moves: vec![point("B1"), point("E1")] },
        ];
        lift(&mut priors, &vital);
        // Three stones for B1, far more than it takes for C1, and D1 is as likely already; before they are made to sum to 1.
        let lifted = [0.5, 3.0 * POLICY, MOST_POLICY, 0.3, 0.18];
        let total: f32 = lifted.iter().sum();
        for (prior, lifted) in priors.iter().zip(lifted) {
            assert!((prior.policy - lifted / total).abs() < 1e-6, "{priors:?}");
        }
        assert_eq!(priors.map(|prior| prior.games), [10.0, 19.0, 40.0, 16.0, 10.0]);
        assert_eq!([priors[0].value, priors[2].value], [0.5, 35.0 / 40.0]);
    }
}
