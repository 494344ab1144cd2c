//! What a network is trained towards: every loss with its weight.

use std::fmt;
use std::str::FromStr;

/// A loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Loss {
    /// The player's move.
    Policy,
    /// The opponent's reply.
    Reply,
    /// Win, loss or no result at the end of the game.
    Value,
    /// The same over later turns' searches, far away.
    ValueFar,
    /// Nearer.
    ValueMiddle,
    /// Nearest.
    ValueNear,
    /// Whose each point will be.
    Ownership,
    /// What each point scores.
    Scoring,
    /// The boards 8 and 32 moves on.
    Future,
    /// The final score.
    ScoreMean,
    /// The spread that the score's distribution has.
    ScoreStdev,
    /// The score's distribution.
    ScorePlace,
    /// Its running sum.
    ScoreSum,
    /// The lead.
    Lead,
    /// When the win rate changes.
    VarianceTime,
}

/// A loss as the table has it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Which.
    pub loss: Loss,
    /// Its name on the command line and in the log.
    pub name: &'static str,
    /// What it is multiplied by in the sum, if no one says.
    pub weight: f64,
    /// What is summed, and of what size it is.
    pub about: &'static str,
}

/// Number of losses.
pub const LOSSES: usize = 15;

/// All of them. Weights are those of KataGo's public training (its paper, arXiv:1902.10565, and its later trainer), which make each loss worth about as much as it
/// teaches; those of scores are small as their squares are large.
pub const TABLE: [Entry; LOSSES] = [
    entry(Loss::Policy, "policy", 1.0, "cross-entropy with the target's moves"),
    entry(Loss::Reply, "reply", 0.15, "cross-entropy with the opponent's moves; only in training"),
    entry(Loss::Value, "value", 1.2, "cross-entropy with win, loss, no result"),
    entry(Loss::ValueFar, "value_far", 0.4, "the same, averaged over later turns; less the target's entropy; only in training"),
    entry(Loss::ValueMiddle, "value_middle", 0.4, "the same"),
    entry(Loss::ValueNear, "value_near", 0.4, "the same"),
    entry(Loss::Ownership, "ownership", 1.5, "cross-entropy, mean over the points"),
    entry(Loss::Scoring, "scoring", 0.25, "square of the error, mean over the points, its root beyond 1; only in training"),
    entry(
        Loss::Future,
        "future",
        0.25,
        "squares of the errors, summed over the points, by the root of their number; only in training",
    ),
    entry(Loss::ScoreMean, "score_mean", 0.0015, "half the square of the error in points, linear beyond 12"),
    entry(Loss::ScoreStdev, "score_stdev", 0.001, "the same, of the distribution's own spread, linear beyond 10"),
    entry(Loss::ScorePlace, "score_place", 0.02, "cross-entropy with the score's place; only in training"),
    entry(Loss::ScoreSum, "score_sum", 0.02, "squares of the errors of the distribution's running sum; only in training"),
    entry(Loss::Lead, "lead", 0.006, "as the mean score, linear beyond 8"),
    entry(Loss::VarianceTime, "variance_time", 0.0003, "as the mean score, in turns, linear beyond 50"),
];

const fn entry(loss: Loss, name: &'static str, weight: f64, about: &'static str) -> Entry {
    Entry { loss, name, weight, about }
}

/// The weight of each loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossWeights([f64; LOSSES]);

impl Default for LossWeights {
    fn default() -> Self {
        Self(TABLE.map(|entry| entry.weight))
    }
}

impl LossWeights {
    /// The weight of a loss.
    pub fn of(&self, loss: Loss) -> f64 {
        self.0[loss as usize]
    }

    /// These with other weights for some.
    pub fn with(mut self, changes: &[LossChange]) -> Self {
        for change in changes {
            self.0[change.loss as usize] = change.weight;
        }
        self
    }
}

impl fmt::Display for LossWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = TABLE.iter().map(|entry| format!("{}={}", entry.name, self.of(entry.loss))).collect();
        f.write_str(&words.join(" "))
    }
}

/// Another weight for a loss: `policy=2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossChange {
    loss: Loss,
    weight: f64,
}

/// Why a text is no weight of a loss.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLoss {
    /// Not `NAME=WEIGHT`, or no number from 0.
    #[error("this takes a name and a weight from 0, such as policy=2")]
    Form,
    /// No such loss.
    #[error("there is no loss '{name}'; there are {}", TABLE.map(|entry| entry.name).join(", "))]
    Name {
        /// What was asked for.
        name: String,
    },
}

impl FromStr for LossChange {
    type Err = BadLoss;

    fn from_str(text: &str) -> Result<Self, BadLoss> {
        let (name, weight) = text.split_once('=').ok_or(BadLoss::Form)?;
        let entry =
            TABLE.iter().find(|entry| entry.name == name.trim()).ok_or_else(|| BadLoss::Name { name: name.trim().to_owned() })?;
        let weight =
            weight.trim().parse().ok().filter(|&weight: &f64| weight >= 0.0 && weight.is_finite()).ok_or(BadLoss::Form)?;
        Ok(Self { loss: entry.loss, weight })
    }
}

#[cfg(test)]
mod tests {
    use super::{Loss, LossChange, LossWeights, TABLE};

    #[test]
    fn the_table_is_in_order() {
        for (i, entry) in TABLE.iter().enumerate() {
            assert_eq!(entry.loss as usize, i, "{}", entry.name);
        }
    }

    #[test]
    fn weights_can_be_changed_by_name() {
        let changes = ["lead=0", "policy = 2.5"].map(|text| text.parse::<LossChange>().unwrap());
        let weights = LossWeights::default().with(&changes);
        assert_eq!((weights.of(Loss::Lead), weights.of(Loss::Policy), weights.of(Loss::Value)), (0.0, 2.5, 1.2));
        assert!(weights.to_string().contains("policy=2.5"));
        for (bad, hint) in [("lead", "such as"), ("lead=-1", "such as"), ("lead=nan", "such as"), ("luck=1", "score_mean")] {
            let error = bad.parse::<LossChange>().unwrap_err().to_string();
            assert!(error.contains(hint), "{bad}: {error}");
        }
    }
}
