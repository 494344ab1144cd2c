//! Noise, and what is done to the root's policy before the search: temperature, and noise for self-play.

use crate::params::SearchParams;
use crate::util::Rng;

/// Policy from which a move is likely enough: its share of the noise grows no more (KataGo).
const LIKELY: f64 = 0.01;

/// Evens out `policies` by the temperature and mixes noise in, as `params` asks for. They sum to 1 before and after.
pub(super) fn shape(policies: &mut [f32], params: &SearchParams, rng: &mut Rng) {
    if params.root_policy_temperature != 1.0 {
        even_out(policies, params.root_policy_temperature);
    }
    if params.root_noise {
        let noise = dirichlet(&concentrations(policies, params.root_noise_concentration), rng);
        for (policy, noise) in policies.iter_mut().zip(noise) {
            *policy += params.root_noise_weight * (noise as f32 - *policy);
        }
    }
}

/// Takes each policy to the power of 1 / `temperature`, relative to the greatest.
fn even_out(policies: &mut [f32], temperature: f32) {
    let greatest = policies.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    for policy in policies.iter_mut() {
        *policy = libm::powf(*policy / greatest, 1.0 / temperature);
    }
    let sum: f32 = policies.iter().sum();
    for policy in policies.iter_mut() {
        *policy /= sum;
    }
}

/// Each move's concentration: half of the `total` is spread evenly, half by how far the logarithm of the policy lies above the mean one, so
/// that noise goes to plausible moves rather than to any (KataGo's shaped Dirichlet noise).
fn concentrations(policies: &[f32], total: f32) -> Vec<f64> {
    let logarithms: Vec<f64> = policies.iter().map(|&policy| libm::log(f64::from(policy).min(LIKELY) + 1e-20)).collect();
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    let above: Vec<f64> = logarithms.iter().map(|logarithm| (logarithm - mean).max(0.0)).collect();
    let sum: f64 = above.iter().sum();
    let even = 1.0 / policies.len() as f64;
    let share = |above: f64| if sum > 0.0 { 0.5 * (above / sum + even) } else { even };
    above.into_iter().map(|above| f64::from(total) * share(above)).collect()
}

/// A draw from the Dirichlet distribution: gamma draws, made to sum to 1.
fn dirichlet(concentrations: &[f64], rng: &mut Rng) -> Vec<f64> {
    let mut draws: Vec<f64> = concentrations.iter().map(|&alpha| gamma(alpha, rng)).collect();
    let sum = draws.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    for draw in &mut draws {
        *draw /= sum;
    }
    draws
}

/// A draw from the gamma distribution of shape `alpha` and scale 1 (G. Marsaglia and W. Tsang, A simple method for generating gamma variables, 2000).
fn gamma(alpha: f64, rng: &mut Rng) -> f64 {
    if alpha < 1.0 {
        return gamma(alpha + 1.0, rng) * libm::pow(rng.above_zero(), 1.0 / alpha);
    }
    let d = alpha - 1.0 / 3.0;
    loop {
        let x = rng.normal();
        let v = (1.0 + x / (9.0 * d).sqrt()).powi(3);
        if v > 0.0 && libm::log(rng.above_zero()) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{concentrations, dirichlet, gamma, shape};
    use crate::params::SearchParams;
    use crate::util::Rng;

    #[test]
    fn gamma_has_its_mean_and_variance() {
        let mut rng = Rng::new(3);
        for alpha in [0.3, 1.0, 4.5] {
            let draws: Vec<f64> = (0..40_000).map(|_| gamma(alpha, &mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            assert!((mean / alpha - 1.0).abs() < 0.05 && (variance / alpha - 1.0).abs() < 0.1, "{alpha}: {mean} {variance}");
        }
    }

    #[test]
    fn likely_moves_get_more_of_the_noise_and_all_of_it_is_spent() {
        let concentrations = concentrations(&[0.9, 0.0999, 0.0001, 0.0], 10.83);
        assert!((concentrations.iter().sum::<f64>() - 10.83).abs() < 1e-6);
        assert!(concentrations[0] == concentrations[1] && concentrations[1] > concentrations[3] && concentrations[3] > 0.0);
        let draw = dirichlet(&concentrations, &mut Rng::new(1));
        assert!((draw.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn temperature_and_noise_change_the_policy_as_asked() {
        let params = SearchParams { root_policy_temperature: 2.0, ..SearchParams::default() };
        let mut policies = [0.64, 0.32, 0.04];
        shape(&mut policies, &params, &mut Rng::new(1));
        assert!((policies[0] / policies[2] - 4.0).abs() < 1e-4, "the root of 16");
        let before = policies;
        shape(&mut policies, &SearchParams::default(), &mut Rng::new(1));
        assert_eq!(policies, before, "off by default");
        shape(&mut policies, &SearchParams { root_noise: true, ..SearchParams::default() }, &mut Rng::new(1));
        assert!(policies != before && (policies.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(policies.iter().zip(before).all(|(now, before)| *now >= 0.75 * before));
    }
}
