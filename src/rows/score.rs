//! The final score as a distribution, in hundredths: scoreDistrN.

/// Half points beyond the board's area that have a place: the largest score is the area and this, less a half.
const MARGIN: usize = 60;

/// Places for a tensor of `area` points. Place i stands for a score of i - length / 2 + 0.5 points.
pub(super) const fn length(area: usize) -> usize {
    2 * (area + MARGIN)
}

/// A distribution for when nothing is known: it sums to 100 and counts nothing.
pub(super) fn unknown(area: usize) -> Vec<i8> {
    at(0.0, area)
}

/// Sure of one score; a whole number lies between two places.
pub(super) fn at(score: f32, area: usize) -> Vec<i8> {
    let mut distribution = vec![0; length(area)];
    let last = distribution.len() - 1;
    let place = (score + distribution.len() as f32 / 2.0 - 0.5).clamp(0.0, last as f32);
    let below = place.floor() as usize;
    let share = ((place - place.floor()) * 100.0).round() as i8;
    distribution[below] = 100 - share;
    if share > 0 {
        distribution[below + 1] = share;
    }
    distribution
}

/// A normal distribution with this mean and standard deviation, in points. Hundredths are given out so that the sum is 100 and none is more
/// than one off.
pub(super) fn normal(mean: f32, stdev: f32, area: usize) -> Vec<i8> {
    let places = length(area);
    let mean = mean.clamp(-(places as f32) / 2.0, places as f32 / 2.0);
    let stdev = f64::from(stdev.max(0.5));
    let below = |place: usize| {
        let score = place as f64 - places as f64 / 2.0;
        0.5 * libm::erfc((f64::from(mean) - score) / (stdev * std::f64::consts::SQRT_2))
    };
    // Of the distribution's function, the nearest hundredth at each border between places; the ends take what lies beyond.
    let mut given = 0;
    (1..=places)
        .map(|place| {
            let sum = if place == places { 100 } else { (below(place) * 100.0).round() as i8 };
            let part = sum - given;
            given = sum;
            part
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{at, length, normal, unknown};

    /// Places of 1x1 are 122: the score of place 61 is a half.
    #[test]
    fn scores_have_places() {
        let places = |score| {
            let distribution = at(score, 1);
            let found = distribution.iter().enumerate().filter(|&(_, &part)| part != 0);
            found.map(|(place, &part)| (place, part)).collect::<Vec<_>>()
        };
        assert_eq!(length(1), 122);
        assert_eq!(places(0.5), [(61, 100)]);
        assert_eq!(places(-0.5), [(60, 100)]);
        assert_eq!(places(0.0), [(60, 50), (61, 50)]);
        assert_eq!(places(1.25), [(61, 25), (62, 75)]);
        assert_eq!(places(1000.0), [(121, 100)]);
        assert_eq!(places(-1000.0), [(0, 100)]);
        assert_eq!(unknown(1), at(0.0, 1));
    }

    #[test]
    fn a_spread_score_keeps_mean_and_width() {
        for (mean, stdev) in [(0.0f32, 1.0f32), (12.3, 8.0), (-30.0, 20.0)] {
            let distribution = normal(mean, stdev, 361);
            let parts = distribution.iter().enumerate().map(|(place, &part)| (place as f32 - 420.5, f32::from(part)));
            let sum: f32 = parts.clone().map(|(_, part)| part).sum();
            let found = parts.clone().map(|(score, part)| score * part).sum::<f32>() / sum;
            let square = parts.map(|(score, part)| (score - found).powi(2) * part).sum::<f32>() / sum;
            assert_eq!(sum, 100.0);
            assert!((found - mean).abs() < 0.2, "{found} for {mean}");
            assert!((square.sqrt() - stdev).abs() < 0.05 * stdev + 0.1, "{} for {stdev}", square.sqrt());
        }
        for far in [normal(1000.0, 5.0, 9), normal(-1000.0, 0.0, 9), normal(f32::MAX, f32::MAX, 9)] {
            assert_eq!(far.iter().map(|&part| i32::from(part)).sum::<i32>(), 100);
        }
    }
}
