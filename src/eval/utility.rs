//! What points are worth besides the win: enough to keep moves sensible in a game that is won or lost, too little to risk the game for.

use std::f32::consts::FRAC_2_PI;

use crate::params::SearchParams;

/// Scale of the static part, in roots of the board's area (KataGo).
const STATIC_SCALE: f32 = 2.0;

/// The utility of the score, which is added to that of the result: a part about a score of 0, which never changes, and a part about the
/// score that is expected at the root, by which points count at any lead.
#[derive(Clone, Copy, Debug)]
pub struct ScoreUtility {
    static_weight: f32,
    static_scale: f32,
    dynamic_weight: f32,
    dynamic_scale: f32,
    centre: f32,
}

impl ScoreUtility {
    /// Points are worth nothing.
    pub const NONE: Self = Self { static_weight: 0.0, static_scale: 1.0, dynamic_weight: 0.0, dynamic_scale: 1.0, centre: 0.0 };

    /// By `params`, on a board of `area` points, where player 0 is expected to win by the score `expected`; nothing if there are no points.
    pub fn new(params: &SearchParams, area: usize, expected: f32) -> Self {
        if area == 0 {
            return Self::NONE;
        }
        let side = (area as f32).sqrt();
        let dynamic_scale = params.dynamic_score_scale * side;
        // Far behind, the centre is where catching up still shows.
        let drawn = (params.dynamic_score_zero_weight * expected).clamp(-dynamic_scale, dynamic_scale);
        Self {
            static_weight: params.static_score_utility,
            static_scale: STATIC_SCALE * side,
            dynamic_weight: params.dynamic_score_utility,
            dynamic_scale,
            centre: expected - drawn,
        }
    }

    /// What a final score, normally distributed in points, is worth to player 0.
    pub fn of(&self, mean: f32, stdev: f32) -> f32 {
        let part = |weight: f32, centre: f32, scale: f32| {
            if weight == 0.0 { 0.0 } else { weight * saturated_score(mean, stdev, centre, scale) }
        };
        part(self.static_weight, 0.0, self.static_scale) + part(self.dynamic_weight, self.centre, self.dynamic_scale)
    }

    /// The most it can be worth.
    pub fn highest(&self) -> f32 {
        self.static_weight + self.dynamic_weight
    }
}

/// Steps on each side of the mean in which a normal distribution is summed up, and how many of them make a standard deviation.
const STEPS: i32 = 12;
const STEPS_A_STDEV: f32 = 4.0;

/// Where on a scale from -1 to 1 a final score lies that is normally distributed, in points: the mean of 2/pi atan((score - centre) / scale).
///
/// A difference of points counts most near `centre`, and hardly where it is many times the `scale` away. (KataGo's score utility; D. Wu,
/// Accelerating Self-Play Learning in Go, 2019, appendix F.)
pub fn saturated_score(mean: f32, stdev: f32, centre: f32, scale: f32) -> f32 {
    let at = |score: f32| FRAC_2_PI * libm::atanf((score - centre) / scale);
    if stdev <= 0.0 {
        return at(mean);
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    for step in -STEPS..=STEPS {
        let deviations = step as f32 / STEPS_A_STDEV;
        let weight = libm::expf(-0.5 * deviations * deviations);
        sum += weight * at(mean + stdev * deviations);
        weights += weight;
    }
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::{ScoreUtility, saturated_score};
    use crate::params::SearchParams;

    #[test]
    fn points_count_about_the_expected_score() {
        let utility = |expected| ScoreUtility::new(&SearchParams::default(), 361, expected);
        // By hand: centre 0.8 * 50 = 40, where the dynamic part is 0, and the static one is 2/pi atan(40 / 38) of 0.1.
        let at_centre = 0.1 * std::f32::consts::FRAC_2_PI * (40.0f32 / 38.0).atan();
        assert!((utility(50.0).of(40.0, 0.0) - at_centre).abs() < 1e-6);
        // At most 14.25 points from the expected score: 100 * 0.2 would be 20.
        assert!((utility(100.0).centre - 85.75).abs() < 1e-4);
        let gain = |expected: f32| utility(expected).of(51.0, 1.0) - utility(expected).of(50.0, 1.0);
        assert!(gain(55.0) > 3.0 * gain(0.0));
        assert_eq!(ScoreUtility::new(&SearchParams::default(), 0, 5.0).of(100.0, 3.0), 0.0);
    }

    #[test]
    fn it_rises_from_minus_one_to_one_and_is_odd_about_the_centre() {
        for stdev in [0.0, 5.0, 30.0] {
            let at = |mean| saturated_score(mean, stdev, 7.0, 20.0);
            assert!(at(7.0).abs() < 1e-6);
            assert!((at(17.0) + at(-3.0)).abs() < 1e-6);
            assert!(at(10_000.0) > 0.99 && at(-10_000.0) < -0.99);
            assert!(at(0.0) < at(1.0) && at(1.0) < at(30.0));
        }
        assert_eq!(saturated_score(27.0, 0.0, 7.0, 20.0), 0.5, "a scale from the centre is half of the way");
    }

    /// Against the integral summed in a thousand steps.
    #[test]
    fn the_mean_over_a_distribution_is_exact_enough() {
        for (mean, stdev, scale) in [(3.0, 1.0, 14.0), (-20.0, 18.0, 14.0), (60.0, 25.0, 38.0), (5.0, 40.0, 6.0)] {
            let (mut sum, mut weights) = (0.0f64, 0.0f64);
            for step in -5_000..=5_000 {
                let z = f64::from(step) / 1_000.0;
                let weight = (-0.5 * z * z).exp();
                sum += weight * std::f64::consts::FRAC_2_PI * ((mean + stdev * z) / scale).atan();
                weights += weight;
            }
            let found = f64::from(saturated_score(mean as f32, stdev as f32, 0.0, scale as f32));
            assert!((found - sum / weights).abs() < 1e-3, "{mean} {stdev} {scale}: {found} {}", sum / weights);
        }
    }
}
