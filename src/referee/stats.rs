//! What a match says about the two engines' strength: score, Elo, likelihood of superiority, and the sequential test.
//!
//! Everything is seen from the first engine. A score is a share of the games between 0 and 1, a draw being half a win.
//! Sources: E. B. Wilson, "Probable inference" (1927), for the interval; L. Kish, "Survey Sampling" (1965), for the effective
//! number of games; A. Wald, "Sequential Analysis" (1947), for the test's bounds; M. Van den Bergh's "A practical introduction to
//! the GSPRT" and "Comments on normalized Elo" for the test on pairs of games (pentanomial), as used by chess engines' testers.

use serde::{Deserialize, Serialize};

/// The 97.5th percentile of the normal distribution: intervals are two-sided, 95 %.
const Z95: f64 = 1.959_963_984_540_054;
/// From this many pairs on, the spread of the pairs' scores is trusted more than the assumption that games are independent.
const ENOUGH_PAIRS: u32 = 10;
/// Weight given to a result of a pair that was never seen, in pairs, so that the test is defined from the first pair on.
const UNSEEN: f64 = 1e-3;

/// Wins, draws and losses, single and in pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn or without result.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Finished pairs of games (same opening, colours swapped) by their points: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u32; 5],
}

impl Tally {
    /// Finished games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Share of the points; 1/2 before the first game.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// 95 % interval of the score were every game independent of the others, won or lost (Wilson).
    pub fn wilson(&self) -> (f64, f64) {
        wilson(self.score(), f64::from(self.games()))
    }

    /// 95 % interval of the score with the spread that the pairs show: Wilson's, of the effective number of games.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.score(), self.effective_games())
    }

    /// Elo difference, and its 95 % interval from [`Tally::interval`]; infinite where the score is 0 or 1.
    pub fn elo(&self) -> (f64, f64, f64) {
        let (low, high) = self.interval();
        (elo(self.score()), elo(low), elo(high))
    }

    /// Likelihood of superiority: the probability, given no earlier knowledge, that the first engine is the stronger one. With
    /// independent games it is the usual (1 + erf((wins - losses) / sqrt(2 (wins + losses)))) / 2.
    pub fn superiority(&self) -> f64 {
        let deviations = (self.score() - 0.5) * 2.0 * self.effective_games().sqrt();
        0.5 * libm::erfc(-deviations / std::f64::consts::SQRT_2)
    }

    /// How many independent games, won or lost, would give the score the accuracy it has (Kish's design effect): an opening that
    /// favours one colour makes a pair's scores less spread than two games', draws too.
    fn effective_games(&self) -> f64 {
        let games = f64::from(self.games());
        let pairs = f64::from(self.pairs.iter().sum::<u32>());
        let mean = mean(&self.pairs.map(f64::from));
        let square = |(index, &count): (usize, &u32)| f64::from(count) * (pair_score(index) - mean).powi(2);
        let variance = self.pairs.iter().enumerate().map(square).sum::<f64>() / (pairs - 1.0);
        if pairs >= f64::from(ENOUGH_PAIRS) && variance > 0.0 {
            games * (mean * (1.0 - mean) / 2.0) / variance
        } else {
            // Each draw leaves the score's variance at (wins + losses) / (4 games^2).
            games * games / f64::from((self.wins + self.losses).max(1))
        }
    }
}

/// Elo difference at which the stronger side scores `score`: 400 log10(s / (1 - s)).
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score expected at an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Wilson's 95 % interval of a share seen in `trials` trials; everything where there were none.
pub fn wilson(share: f64, trials: f64) -> (f64, f64) {
    if trials <= 0.0 {
        return (0.0, 1.0);
    }
    let z2 = Z95 * Z95 / trials;
    let centre = (share + z2 / 2.0) / (1.0 + z2);
    let half = (z2 * share * (1.0 - share) + z2 * z2 / 4.0).sqrt() / (1.0 + z2);
    // At 0 and 1 the formula gives the bound itself but for rounding.
    let low = if share <= 0.0 { 0.0 } else { centre - half };
    let high = if share >= 1.0 { 1.0 } else { centre + half };
    (low, high)
}

/// A sequential probability ratio test between two Elo differences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Elo difference if the first engine is no better (hypothesis 0).
    pub elo0: f64,
    /// Elo difference if it is better (hypothesis 1); above `elo0`.
    pub elo1: f64,
    /// Probability of accepting hypothesis 1 where 0 is true; above 0, below 1/2.
    pub alpha: f64,
    /// Probability of accepting hypothesis 0 where 1 is true; above 0, below 1/2.
    pub beta: f64,
}

/// What a sequential test has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// More games are needed.
    Open,
    /// Hypothesis 0: no better.
    Worse,
    /// Hypothesis 1: better.
    Better,
}

impl Sprt {
    /// The log-likelihood ratios at which hypothesis 0 and 1 are accepted: ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Log-likelihood ratio of hypothesis 1 against 0, from the finished pairs: each hypothesis' likelihood is that of the most
    /// likely distribution of pairs with its expected score (generalised test on the pentanomial distribution).
    pub fn ratio(&self, tally: &Tally) -> f64 {
        if tally.pairs == [0; 5] {
            return 0.0;
        }
        let counts = tally.pairs.map(|count| if count == 0 { UNSEEN } else { f64::from(count) });
        let (score0, score1) = (expected_score(self.elo0), expected_score(self.elo1));
        let (tilt0, tilt1) = (tilt(&counts, score0), tilt(&counts, score1));
        let term = |(index, count): (usize, f64)| {
            let weight = |tilt: f64, score: f64| 1.0 + tilt * (pair_score(index) - score);
            count * (weight(tilt0, score0) / weight(tilt1, score1)).ln()
        };
        counts.into_iter().enumerate().map(term).sum()
    }

    /// The finding so far.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let ((low, high), ratio) = (self.bounds(), self.ratio(tally));
        if ratio >= high {
            Verdict::Better
        } else if ratio <= low {
            Verdict::Worse
        } else {
            Verdict::Open
        }
    }
}

/// Score of a pair of games, between 0 and 1, by its place in [`Tally::pairs`].
fn pair_score(index: usize) -> f64 {
    index as f64 / 4.0
}

fn mean(counts: &[f64; 5]) -> f64 {
    counts.iter().enumerate().map(|(index, count)| count * pair_score(index)).sum::<f64>() / counts.iter().sum::<f64>()
}

/// The t with which p_i / (1 + t (a_i - s)) is the most likely distribution near the shares p_i that has mean `s`: the root of
/// sum p_i (a_i - s) / (1 + t (a_i - s)), which falls from end to end of the range where all terms are positive.
fn tilt(counts: &[f64; 5], s: f64) -> f64 {
    let slope = |t: f64| -> f64 {
        let term = |(index, count): (usize, &f64)| count * (pair_score(index) - s) / (1.0 + t * (pair_score(index) - s));
        counts.iter().enumerate().map(term).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::{Sprt, Tally, Verdict, elo, expected_score, wilson};

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    fn games(wins: u32, draws: u32, losses: u32) -> Tally {
        Tally { wins, draws, losses, pairs: [0; 5] }
    }

    fn pairs(pairs: [u32; 5]) -> Tally {
        let points: u32 = (0..5).map(|index| index * pairs[index as usize]).sum();
        let wins = points / 2;
        let draws = points % 2;
        Tally { wins, draws, losses: 2 * pairs.iter().sum::<u32>() - wins - draws, pairs }
    }

    #[test]
    fn elo_and_score() {
        near(elo(0.75), 190.848, 0.001);
        near(elo(0.5), 0.0, 1e-12);
        near(elo(0.9), 381.697, 0.001);
        assert!(elo(1.0).is_infinite() && elo(0.0) == -elo(1.0));
        for difference in [-300.0, 0.0, 5.0, 700.0] {
            near(elo(expected_score(difference)), difference, 1e-9);
        }
    }

    /// Worked out by hand from Wilson's formula with z = 1.959964.
    #[test]
    fn wilson_intervals() {
        for (wins, trials, low, high) in
            [(90, 100, 0.825_634, 0.944_770), (5, 10, 0.236_593, 0.763_407), (10, 10, 0.722_467, 1.0)]
        {
            let (l, h) = wilson(f64::from(wins) / f64::from(trials), f64::from(trials));
            near(l, low, 1e-5);
            near(h, high, 1e-5);
        }
        assert_eq!(wilson(0.5, 0.0), (0.0, 1.0));
        let (low, high) = wilson(0.0, 10.0);
        assert_eq!(low, 0.0);
        near(high, 0.277_533, 1e-5);
    }

    #[test]
    fn superiority() {
        near(games(50, 0, 50).superiority(), 0.5, 1e-12);
        // (1 + erf(20 / sqrt(2 * 100))) / 2 = Phi(2), with and without draws.
        near(games(60, 0, 40).superiority(), 0.977_250, 1e-6);
        near(games(60, 77, 40).superiority(), 0.977_250, 1e-6);
        near(games(40, 0, 60).superiority(), 0.022_750, 1e-6);
        assert_eq!(Tally::default().superiority(), 0.5);
    }

    #[test]
    fn pairs_that_spread_less_than_games_narrow_the_interval() {
        let width = |tally: Tally| tally.interval().1 - tally.interval().0;
        // Every opening is won by the same colour but for a few: far more certain than independent games.
        assert!(width(pairs([1, 0, 48, 0, 1])) < 0.5 * width(games(50, 0, 50)));
        // As spread as independent games: 1/4, 1/2, 1/4.
        near(width(pairs([250, 0, 500, 0, 250])), width(games(1000, 0, 1000)), 1e-4);
        // Both games of a pair always end alike: half as many games.
        near(width(pairs([500, 0, 0, 0, 500])), width(games(500, 0, 500)), 1e-4);
        // No spread at all, or too few pairs to see one: as single games.
        near(width(pairs([0, 0, 50, 0, 0])), width(games(50, 0, 50)), 1e-12);
        near(width(pairs([0, 0, 4, 0, 1])), width(games(6, 0, 4)), 1e-12);
        let (centre, low, high) = pairs([0, 0, 0, 0, 20]).elo();
        assert!(centre.is_infinite() && high.is_infinite() && (350.0..450.0).contains(&low), "{low}");
    }

    #[test]
    fn test_bounds() {
        let (low, high) = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 }.bounds();
        near(high, 19f64.ln(), 1e-12);
        near(high, 2.944_439, 1e-6);
        near(low, -high, 1e-12);
        let (low, high) = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.1 }.bounds();
        near(high, 18f64.ln(), 1e-12);
        near(low, (0.1f64 / 0.95).ln(), 1e-12);
    }

    /// Where pairs only ever end 0 or 2, the generalised ratio is Wald's for a coin.
    #[test]
    fn ratio_of_a_coin_is_walds() {
        let sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
        let (s0, s1) = (expected_score(0.0), expected_score(50.0));
        for (wins, losses) in [(60u32, 40u32), (40, 60), (7, 3)] {
            let wald = f64::from(wins) * (s1 / s0).ln() + f64::from(losses) * ((1.0 - s1) / (1.0 - s0)).ln();
            near(sprt.ratio(&pairs([losses, 0, 0, 0, wins])), wald, 2e-3);
        }
    }

    /// For many pairs and near hypotheses, Van den Bergh's approximation N (s1 - s0)(2 m - s0 - s1) / (2 variance).
    #[test]
    fn ratio_of_many_pairs() {
        let sprt = Sprt { elo0: 0.0, elo1: 4.0, alpha: 0.05, beta: 0.05 };
        let counts = [1000, 5000, 9000, 5400, 1100];
        let tally = pairs(counts);
        let n: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        let moment = |power: i32, centre: f64| -> f64 {
            counts.iter().enumerate().map(|(i, &count)| f64::from(count) * (i as f64 / 4.0 - centre).powi(power)).sum::<f64>() / n
        };
        let mean = moment(1, 0.0);
        let (s0, s1) = (expected_score(0.0), expected_score(4.0));
        let approximate = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * moment(2, mean));
        near(sprt.ratio(&tally), approximate, 0.01 * approximate.abs());
        let reverse = Sprt { elo0: 4.0, elo1: 0.0, ..sprt };
        near(reverse.ratio(&tally), -sprt.ratio(&tally), 1e-9);
    }

    #[test]
    fn verdicts() {
        let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
        assert_eq!(sprt.verdict(&Tally::default()), Verdict::Open);
        assert_eq!(sprt.verdict(&pairs([0, 0, 1, 0, 3])), Verdict::Open);
        assert_eq!(sprt.verdict(&pairs([0, 0, 0, 0, 30])), Verdict::Better);
        assert_eq!(sprt.verdict(&pairs([30, 0, 0, 0, 0])), Verdict::Worse);
        assert_eq!(sprt.verdict(&pairs([10, 0, 200, 0, 10])), Verdict::Worse);
    }
}
