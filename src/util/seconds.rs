//! Seconds out of a config file or a client, as durations.

use std::time::Duration;

/// Cut-off of long times (some 300 years), so that adding them to a clock's reading cannot overflow.
const FOR_EVER: f64 = 1e10;

/// `seconds` as a duration, cut at some 300 years; nothing if it is negative or no number.
pub fn seconds(seconds: f64) -> Option<Duration> {
    if seconds.is_nan() { None } else { Duration::try_from_secs_f64(seconds.min(FOR_EVER)).ok() }
}

#[cfg(test)]
mod tests {
    use super::seconds;
    use std::time::{Duration, Instant};

    #[test]
    fn odd_times() {
        assert_eq!(seconds(0.25), Some(Duration::from_millis(250)));
        assert_eq!(seconds(-0.1), None);
        assert_eq!(seconds(f64::NAN), None);
        for long in [1e20, f64::INFINITY] {
            assert!(seconds(long).is_some_and(|long| Instant::now().checked_add(long).is_some()));
        }
    }
}
