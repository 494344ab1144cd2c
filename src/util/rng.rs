//! The one place that names a random number generator.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A small, fast random number generator (xoshiro256++), seeded and so repeatable.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A generator whose whole stream follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator for place number `place` of a run with `seed`, whatever the number: made at once, and as different from the others as
    /// chance has it.
    pub fn for_place(seed: u64, place: u64) -> Self {
        // Two rounds: the seed's own difference must not be the place's.
        Self(Xoshiro256PlusPlus::seed_from_u64(Self::new(seed).next_u64() ^ Self::new(!place).next_u64()))
    }

    /// A generator for worker number `stream` of a run with `seed`: its stream shares no part with the others'. Takes a step for each stream
    /// before it, so numbers must be small; see [`Rng::for_place`].
    pub fn for_stream(seed: u64, stream: usize) -> Self {
        let mut rng = Self::new(seed);
        for _ in 0..stream {
            rng.0.jump();
        }
        rng
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`, for `n` below 2^32; 0 if `n` is 0. The bias is below n / 2^32 (Lemire's multiplication, without its rejection step).
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        (((self.0.next_u64() >> 32) * n as u64) >> 32) as usize
    }

    /// A number in `[0, 1)`.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 * (1.0 / (1u64 << 24) as f32)
    }

    /// A draw from the standard normal distribution (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        (-2.0 * libm::log(self.above_zero())).sqrt() * libm::cos(std::f64::consts::TAU * self.above_zero())
    }

    /// A number in (0, 1].
    pub fn above_zero(&mut self) -> f64 {
        1.0 - f64::from(self.unit())
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// True with probability `percent` / 100.
    #[inline]
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn below_is_even_and_in_range() {
        let mut rng = Rng::new(1);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        assert!(counts.iter().all(|&n| (9_500..10_500).contains(&n)), "{counts:?}");
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn streams_differ_and_repeat() {
        let first = |place| Rng::for_place(5, place).next_u64();
        assert_eq!(first(1 << 32 | 7), first(1 << 32 | 7), "and at once");
        assert_ne!(first(1 << 32 | 7), first(1 << 32 | 8));
        assert_ne!(first(3), Rng::for_place(6, 3).next_u64());
        let first = |stream| Rng::for_stream(5, stream).next_u64();
        assert_ne!(first(0), first(1));
        assert_eq!(first(3), first(3));
    }
}
