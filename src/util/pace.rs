//! How fast work goes, and how long it will take.

use std::time::{Duration, Instant};

/// Measures how fast steps are done, from the first look at them.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    begun: Option<(Instant, usize)>,
}

impl Pace {
    /// Steps a second, when `done` are; nothing before there is something to measure.
    pub fn rate(&mut self, done: usize) -> Option<f64> {
        let &mut (begun, before) = self.begun.get_or_insert_with(|| (Instant::now(), done));
        let made = done.checked_sub(before).filter(|&made| made > 0)?;
        Some(made as f64 / begun.elapsed().as_secs_f64().max(1e-6))
    }

    /// The time that is left when `done` of `all` steps are.
    pub fn left(&mut self, done: usize, all: usize) -> Option<Duration> {
        let rate = self.rate(done)?;
        Some(Duration::from_secs_f64(all.saturating_sub(done) as f64 / rate))
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;
    use std::time::Duration;

    #[test]
    fn what_was_done_before_does_not_count() {
        let mut pace = Pace::default();
        assert_eq!(pace.left(100, 200), None);
        assert_eq!(pace.left(100, 200), None);
        std::thread::sleep(Duration::from_millis(20));
        let left = pace.left(110, 200).unwrap();
        // Nine times what the first ten took.
        assert!(left >= Duration::from_millis(180), "{left:?}");
        assert_eq!(pace.left(200, 200), Some(Duration::ZERO));
    }
}
