//! The losses of a batch. What each is is in the table, [`TABLE`](super::loss::TABLE).

use tch::{Device, Kind, Reduction, Tensor};

use super::batch::{Batch, WEIGHTS, Weight};
use super::loss::{LOSSES, Loss, LossWeights};
use super::sides::SideHeads;
use crate::nn::Multipliers;
use crate::nn::torch::Heads;

/// Added below roots, in squared points, so that their slopes are finite.
const LEAST_VARIANCE: f64 = 0.001;
/// The least that a probability counts in an entropy.
const LEAST_SHARE: f64 = 1e-30;

/// A batch's inputs and targets on a device.
#[derive(Debug)]
pub(super) struct Targets {
    pub(super) planes: Tensor,
    pub(super) globals: Tensor,
    policy: Tensor,
    reply: Tensor,
    value: Tensor,
    averages: Tensor,
    score: Tensor,
    places: Tensor,
    lead: Tensor,
    variance_time: Tensor,
    ownership: Tensor,
    scoring: Tensor,
    future: Tensor,
    weights: Tensor,
}

impl Targets {
    pub(super) fn new(batch: &Batch, device: Device) -> Self {
        let (n, area) = (batch.rows as i64, batch.board.area() as i64);
        let (height, width) = (batch.board.height() as i64, batch.board.width() as i64);
        let tensor = |values: &[f32], shape: &[i64]| Tensor::from_slice(values).view(shape).to_device(device);
        Self {
            planes: tensor(&batch.planes, &[n, height, width, -1]).permute([0, 3, 1, 2]),
            globals: tensor(&batch.globals, &[n, -1]),
            policy: tensor(&batch.policy, &[n, area + 1]),
            reply: tensor(&batch.reply, &[n, area + 1]),
            value: tensor(&batch.value, &[n, 3]),
            averages: tensor(&batch.averages, &[n, 3, 3]),
            score: tensor(&batch.score, &[n]),
            places: tensor(&batch.places, &[n, -1]),
            lead: tensor(&batch.lead, &[n]),
            variance_time: tensor(&batch.variance_time, &[n]),
            ownership: tensor(&batch.ownership, &[n, area]),
            scoring: tensor(&batch.scoring, &[n, area]),
            future: tensor(&batch.future, &[n, 2, area]),
            weights: tensor(&batch.weights.concat(), &[WEIGHTS as i64, n]),
        }
    }

    fn weight(&self, weight: Weight) -> Tensor {
        self.weights.select(0, weight as i64)
    }
}

/// The losses of a batch, each the sum over its rows, before its weight in the table.
pub(super) fn losses(heads: &Heads, sides: &SideHeads, targets: &Targets, multipliers: &Multipliers) -> Tensor {
    let score = |place: i64| heads.score.select(1, place);
    let stdev = score(1).softplus() * f64::from(multipliers.score_stdev);
    let lead = score(2) * f64::from(multipliers.lead);
    let variance_time = score(3).softplus() * f64::from(multipliers.variance_time);
    // The mean is that of games with a result, whose share the decoder multiplies it by; where there is none the target counts nothing.
    let mean = score(0) * f64::from(multipliers.score_mean);
    let places = sides.places.log_softmax(-1, Kind::Float);
    let ownership = &heads.ownership.flatten(1, -1) * 2.0;
    let averages = cross_entropy(&sides.averages, &targets.averages) - entropy(&targets.averages);
    let area = targets.ownership.size()[1] as f64;

    let mut each: [Option<Tensor>; LOSSES] = Default::default();
    let mut set =
        |loss: Loss, weight: Weight, row: Tensor| each[loss as usize] = Some((row * targets.weight(weight)).sum(Kind::Float));
    set(Loss::Policy, Weight::Policy, cross_entropy(&heads.policy.select(1, 0), &targets.policy));
    set(Loss::Reply, Weight::Reply, cross_entropy(&sides.reply, &targets.reply));
    set(Loss::Value, Weight::Value, cross_entropy(&heads.value, &targets.value));
    for (place, loss) in [Loss::ValueFar, Loss::ValueMiddle, Loss::ValueNear].into_iter().enumerate() {
        set(loss, Weight::Averages, averages.select(1, place as i64));
    }
    let owned = (&targets.ownership + 1.0) / 2.0;
    let points = ownership.binary_cross_entropy_with_logits(&owned, None::<Tensor>, None::<Tensor>, Reduction::None);
    set(Loss::Ownership, Weight::Outcome, points.mean_dim(-1, false, Kind::Float));
    let square = (&sides.scoring - &targets.scoring).square().mean_dim(-1, false, Kind::Float);
    set(Loss::Scoring, Weight::Scoring, ((square * 0.5 + 1.0).sqrt() - 1.0) * 4.0);
    let square = (sides.future.tanh() - &targets.future).square().sum_dim_intlist(-1, false, Kind::Float) / area.sqrt();
    // The board farther off is less certain, and counts less.
    set(Loss::Future, Weight::Future, square.select(1, 0) + square.select(1, 1) * 0.25);
    set(Loss::ScoreMean, Weight::Outcome, huber(&mean, &targets.score, 12.0));
    set(Loss::ScoreStdev, Weight::Outcome, huber(&stdev, &spread(&places), 10.0));
    set(Loss::ScorePlace, Weight::Outcome, -(&places * &targets.places).sum_dim_intlist(-1, false, Kind::Float));
    let error = (places.exp() - &targets.places).cumsum(-1, Kind::Float);
    set(Loss::ScoreSum, Weight::Outcome, error.square().sum_dim_intlist(-1, false, Kind::Float));
    set(Loss::Lead, Weight::Lead, huber(&lead, &targets.lead, 8.0));
    set(Loss::VarianceTime, Weight::Averages, huber(&variance_time, &targets.variance_time, 50.0));
    Tensor::stack(&each.map(|loss| loss.expect("every loss is set")), 0)
}

/// The sum of all losses with their weights, a row's mean of `rows`.
pub(super) fn total(losses: &Tensor, weights: &LossWeights, rows: usize) -> Tensor {
    let weights: Vec<f32> = super::loss::TABLE.iter().map(|entry| weights.of(entry.loss) as f32).collect();
    (losses * Tensor::from_slice(&weights).to_device(losses.device())).sum(Kind::Float) / rows as f64
}

fn cross_entropy(logits: &Tensor, target: &Tensor) -> Tensor {
    -(logits.log_softmax(-1, Kind::Float) * target).sum_dim_intlist(-1, false, Kind::Float)
}

fn entropy(shares: &Tensor) -> Tensor {
    -(shares.clamp_min(LEAST_SHARE).log() * shares).sum_dim_intlist(-1, false, Kind::Float)
}

/// Half the square of the difference; beyond `limit` its tangent (P. Huber, 1964).
fn huber(value: &Tensor, target: &Tensor, limit: f64) -> Tensor {
    value.huber_loss(target, Reduction::None, limit)
}

/// Standard deviation of a distribution over scores, of which logarithms are given. It is what the network's own head learns, not the other way round.
fn spread(places: &Tensor) -> Tensor {
    let shares = places.detach().exp();
    let count = places.size()[1];
    let score = Tensor::arange(count, (Kind::Float, places.device())) - count as f64 / 2.0 + 0.5;
    let mean = (&shares * &score).sum_dim_intlist(-1, true, Kind::Float);
    let variance = (shares * (score.unsqueeze(0) - mean).square()).sum_dim_intlist(-1, false, Kind::Float);
    (variance + LEAST_VARIANCE).sqrt()
}

/// How good a network's answers to a batch are, as sums over its rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    /// Weight of the rows whose policy counts.
    pub(super) policy_rows: f64,
    /// Of these, those whose best move is the target's best.
    pub(super) policy_right: f64,
    /// Weight of the rows whose value counts and is no even one.
    pub(super) value_rows: f64,
    /// Of these, those where the likelier side is the target's.
    pub(super) value_right: f64,
    /// Weight of all rows whose value counts.
    pub(super) value_weight: f64,
    /// Squares of win less loss, as predicted less as it was.
    pub(super) value_square: f64,
    /// Weight of the rows whose score counts.
    pub(super) score_rows: f64,
    /// What their mean scores are off, in points.
    pub(super) score_off: f64,
    /// Weight of the rows whose lead counts.
    pub(super) lead_rows: f64,
    /// What their leads are off, in points.
    pub(super) lead_off: f64,
}

impl Marks {
    /// Those of a batch.
    pub(super) fn of(heads: &Heads, targets: &Targets, multipliers: &Multipliers) -> Self {
        let sum = |tensor: Tensor| tensor.sum(Kind::Double).double_value(&[]);
        let best = |tensor: &Tensor| tensor.argmax(-1, false);
        let policy = targets.weight(Weight::Policy);
        let right = best(&heads.policy.select(1, 0)).eq_tensor(&best(&targets.policy));
        let difference = |shares: &Tensor| shares.select(1, 0) - shares.select(1, 1);
        let (predicted, was) = (difference(&heads.value.softmax(-1, Kind::Float)), difference(&targets.value));
        let value = targets.weight(Weight::Value);
        let decided = &value * was.abs().gt(1e-3);
        let agreed = (&predicted * &was).gt(0.0);
        let (outcome, lead) = (targets.weight(Weight::Outcome), targets.weight(Weight::Lead));
        let score_off = (heads.score.select(1, 0) * f64::from(multipliers.score_mean) - &targets.score).abs();
        let lead_off = (heads.score.select(1, 2) * f64::from(multipliers.lead) - &targets.lead).abs();
        Self {
            policy_rows: sum(policy.shallow_clone()),
            policy_right: sum(&policy * right),
            value_rows: sum(decided.shallow_clone()),
            value_right: sum(&decided * agreed),
            value_weight: sum(value.shallow_clone()),
            value_square: sum(&value * (predicted - was).square()),
            score_rows: sum(outcome.shallow_clone()),
            score_off: sum(outcome * score_off),
            lead_rows: sum(lead.shallow_clone()),
            lead_off: sum(lead * lead_off),
        }
    }

    /// Adds those of another batch.
    pub(super) fn add(&mut self, other: &Self) {
        self.policy_rows += other.policy_rows;
        self.policy_right += other.policy_right;
        self.value_rows += other.value_rows;
        self.value_right += other.value_right;
        self.value_weight += other.value_weight;
        self.value_square += other.value_square;
        self.score_rows += other.score_rows;
        self.score_off += other.score_off;
        self.lead_rows += other.lead_rows;
        self.lead_off += other.lead_off;
    }
}
