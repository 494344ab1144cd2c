//! How a player did, in figures.

use serde::Serialize;

use super::verdict::{Class, Verdict};

/// How a player did over some moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Moves that could be judged.
    pub moves: usize,
    /// From 0 to 100: 100 x 0.75^l, where l is the mean of the points lost, each move weighed by how much hung on it. (KaTrain's formula.)
    /// Nothing without moves.
    pub accuracy: Option<f32>,
    /// Points lost a move, on average.
    pub mean_loss: Option<f32>,
    /// Share of moves that were the search's first choice, 0 to 1.
    pub first_choices: Option<f32>,
    /// Inaccuracies: moves that lost 1.5 to 3 points.
    pub inaccuracies: usize,
    /// Mistakes: 3 to 6 points.
    pub mistakes: usize,
    /// Blunders: 6 points and more.
    pub blunders: usize,
}

/// What is left of the accuracy for each point lost.
const KEPT_A_POINT: f32 = 0.75;

impl Tally {
    /// Counts what is known of these moves.
    pub(super) fn of<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> Self {
        let judged: Vec<(&Verdict, f32)> = verdicts.filter_map(|verdict| Some((verdict, verdict.lost?))).collect();
        if judged.is_empty() {
            return Self::default();
        }
        let share = 1.0 / judged.len() as f32;
        let weights: f32 = judged.iter().map(|(verdict, _)| verdict.weight).sum();
        let weighed: f32 = judged.iter().map(|(verdict, lost)| verdict.weight * lost).sum();
        let count = |class: Class| judged.iter().filter(|(verdict, _)| verdict.class == class).count();
        Self {
            moves: judged.len(),
            accuracy: Some(100.0 * libm::powf(KEPT_A_POINT, weighed / weights)),
            mean_loss: Some(share * judged.iter().map(|(_, lost)| lost).sum::<f32>()),
            first_choices: Some(share * judged.iter().filter(|(verdict, _)| verdict.rank == Some(1)).count() as f32),
            inaccuracies: count(Class::Inaccuracy),
            mistakes: count(Class::Mistake),
            blunders: count(Class::Blunder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use crate::board::{Color, Move};
    use crate::review::{Class, Phase, Verdict};

    #[test]
    fn accuracy_weighs_moves_by_what_hung_on_them() {
        let verdict = |lost: Option<f32>, weight: f32| Verdict {
            number: 1,
            color: Color::Black,
            mv: Move::PASS,
            lost,
            winrate_lost: lost,
            rank: lost.filter(|&lost| lost == 0.0).map(|_| 1),
            prior: 0.5,
            weight,
            class: Class::of(lost.unwrap_or(0.0)),
            phase: Phase::Opening,
        };
        let verdicts = [verdict(Some(0.0), 0.5), verdict(Some(4.0), 1.0), verdict(None, 1.0), verdict(Some(2.0), 0.5)];
        let tally = Tally::of(verdicts.iter());
        // By hand: (0 x 0.5 + 4 x 1 + 2 x 0.5) / 2 = 2.5 points; 100 x 0.75^2.5 = 48.71.
        assert!((tally.accuracy.unwrap() - 48.71).abs() < 0.01, "{tally:?}");
        assert_eq!((tally.moves, tally.mean_loss, tally.inaccuracies, tally.mistakes, tally.blunders), (3, Some(2.0), 1, 1, 0));
        assert!((tally.first_choices.unwrap() - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(Tally::of(verdicts[2..3].iter()), Tally::default());
    }
}
