//! What was read out before a search by a network, told to it as priors of its root: in few visits it may not look at the one move that decides a race.

use crate::board::Move;
use crate::eval::{Evaluation, Evaluator, Evidence, Prior, Request};
use crate::rules::Position;
use crate::solve::Vital;

/// An evaluator that knows what is vital at the root.
pub(super) struct Knowing {
    /// Who judges.
    pub(super) inner: Box<dyn Evaluator<Position>>,
    /// What is vital.
    pub(super) vital: Vec<Vital>,
    /// How many of the vital moves are told.
    pub(super) most: usize,
}

impl Evaluator<Position> for Knowing {
    fn evidence(&self) -> Evidence {
        self.inner.evidence()
    }

    fn evaluate(&mut self, requests: &[Request<'_, Position>], out: &mut [Evaluation<Move>]) {
        self.inner.evaluate(requests, out);
        for (request, evaluation) in requests.iter().zip(out) {
            if request.root && request.priors {
                vouch(&mut evaluation.priors, &self.vital, self.most);
            }
        }
    }
}

/// Vouches for vital moves, `most` of them, those first on which most stones hang: a won game for each of the stones. The network knows of no games, and any mean that one visit is owed to the
/// move; what comes of the visit decides whether there are more.
fn vouch(priors: &mut [Prior<Move>], vital: &[Vital], most: usize) {
    let stones = |prior: &Prior<Move>| -> usize {
        let hangs = |vital: &&Vital| prior.action.point().is_some_and(|point| vital.moves.contains(&point));
        vital.iter().filter(hangs).map(|vital| vital.stones).sum()
    };
    let mut known: Vec<(usize, &mut Prior<Move>)> = priors.iter_mut().map(|prior| (stones(prior), prior)).collect();
    known.retain(|&(stones, _)| stones > 0);
    known.sort_by_key(|&(stones, _)| std::cmp::Reverse(stones));
    for (stones, prior) in known.into_iter().take(most) {
        (prior.games, prior.value) = (stones as f32, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn moves_are_vouched_for_by_what_hangs_on_them() {
        let size = Size::square(9).unwrap();
        let at = |vertex: &str| size.parse_vertex(vertex).unwrap();
        let point = |vertex: &str| at(vertex).point().unwrap();
        let prior = |vertex| Prior { action: at(vertex), policy: 0.2, games: 0.0, value: 0.5 };
        let vital = [
            Vital { stones: 2, moves: vec![point("B1"), point("D1")] },
            Vital { stones: 20, moves: vec![point("C1")] },
            Vital { stones: 1, moves: vec![point("B1"), point("E1")] },
        ];
        let vouched = |most: usize| {
            let mut priors = ["A1", "B1", "C1", "D1", "pass"].map(prior);
            vouch(&mut priors, &vital, most);
            priors.map(|prior| (prior.games, prior.value))
        };
        let [nothing, b, c, d] = [(0.0, 0.5), (3.0, 1.0), (20.0, 1.0), (2.0, 1.0)];
        assert_eq!(vouched(3), [nothing, b, c, d, nothing]);
        assert_eq!(vouched(2), [nothing, b, c, nothing, nothing]);
    }
}
