//! What points are worth besides the win: enough to keep moves sensible in a game that is won or lost, too little to risk the game for.

use std::f32::consts::FRAC_2_PI;

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
    use super::saturated_score;

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
