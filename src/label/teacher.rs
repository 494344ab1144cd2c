//! What a network thinks of a position, averaged over symmetries.

use std::sync::Arc;

use super::{Policy, Teacher};
use crate::board::{Move, Size};
use crate::nn::{FeatureOptions, NetEvaluator, Outputs, PolicyOptions, Question, Symmetry};
use crate::params::NetworkParams;
use crate::rows::Values;
use crate::rules::Position;
use crate::util::Rng;

/// Visits that stand for the whole policy: moves of one in twenty thousand are still in the target.
const VISITS: f32 = 10_000.0;

/// A teacher, ready to be asked by one thread.
pub(super) struct Teaching {
    evaluator: NetEvaluator,
    prefers_pass_alive: bool,
    symmetries: usize,
    policy: Policy,
}

/// What a teacher thinks, from the side of the player to move.
pub(super) struct Opinion {
    /// How likely each legal move is.
    policy: Vec<(Move, f32)>,
    pub(super) values: Values,
    pub(super) lead: f32,
    pub(super) score_stdev: f32,
    /// When the win rate will change, as [`Targets::variance_time`](crate::rows::Targets); 0 from networks that do not tell.
    pub(super) variance_time: f32,
    /// Of each point of the board, row by row.
    pub(super) ownership: Vec<f32>,
}

impl Teaching {
    pub(super) fn new(teacher: &Teacher) -> Self {
        let network = &teacher.network;
        Self {
            evaluator: NetEvaluator::new(Arc::clone(network), &NetworkParams::default(), Rng::new(0)),
            prefers_pass_alive: network.prefers_pass_alive(),
            symmetries: teacher.symmetries,
            policy: teacher.policy,
        }
    }

    /// Whose moves are to be learnt.
    pub(super) fn policy(&self) -> Policy {
        self.policy
    }

    /// Asks in different symmetries, drawn by `rng`.
    pub(super) fn ask(&mut self, position: &Position, rng: &mut Rng) -> Opinion {
        let mut symmetries = Symmetry::ALL;
        for chosen in 0..self.symmetries {
            symmetries.swap(chosen, chosen + rng.below(Symmetry::ALL.len() - chosen));
        }
        let size = position.size();
        // Not larger than the board needs; a square, so that all symmetries fit.
        let tensor = Size::square(size.width().max(size.height())).expect("a side of a board");
        let question = |&symmetry: &Symmetry| Question {
            position,
            features: FeatureOptions { prefer_pass_alive: self.prefers_pass_alive, ..FeatureOptions::default() },
            symmetry,
            tensor,
            policy: PolicyOptions::default(),
        };
        let questions: Vec<Question<'_>> = symmetries[..self.symmetries].iter().map(question).collect();
        Opinion::mean(position, &self.evaluator.ask(&questions))
    }
}

impl Opinion {
    fn mean(position: &Position, answers: &[Outputs]) -> Self {
        let share = 1.0 / answers.len() as f32;
        let mean = |figure: fn(&Outputs) -> f32| answers.iter().map(figure).sum::<f32>() * share;
        let at =
            |place: usize, all: fn(&Outputs) -> &Vec<f32>| answers.iter().map(|answer| all(answer)[place]).sum::<f32>() * share;
        let size = position.size();
        let points = size.points().enumerate().map(|(place, point)| (Move::from(point), at(place, |answer| &answer.policy)));
        let policy = points.filter(|&(_, chance)| chance >= 0.0).chain([(Move::PASS, mean(|answer| answer.pass))]).collect();
        let score = mean(|answer| answer.score_mean);
        Self {
            policy,
            values: Values {
                win: mean(|answer| answer.win),
                loss: mean(|answer| answer.loss),
                no_result: mean(|answer| answer.no_result),
                score,
            },
            lead: mean(|answer| answer.lead),
            score_stdev: (mean(Outputs::score_square) - score * score).max(0.0).sqrt(),
            variance_time: mean(|answer| answer.time_left_variance.unwrap_or(0.0)),
            ownership: (0..size.area()).map(|place| at(place, |answer| &answer.ownership)).collect(),
        }
    }

    /// The policy as visits.
    pub(super) fn visits(&self) -> Vec<(Move, u32)> {
        self.policy.iter().map(|&(mv, chance)| (mv, (chance * VISITS).round() as u32)).collect()
    }

    /// The same, half of it; the other half has the move that was played.
    pub(super) fn visits_and(&self, played: Move) -> Vec<(Move, u32)> {
        let half = |(mv, chance): &(Move, f32)| (*mv, (0.5 * (chance + f32::from(*mv == played)) * VISITS).round() as u32);
        self.policy.iter().map(half).collect()
    }

    /// Entropy of the policy, in nats.
    pub(super) fn entropy(&self) -> f32 {
        self.policy.iter().filter(|(_, chance)| *chance > 0.0).map(|(_, chance)| -chance * chance.ln()).sum()
    }
}
