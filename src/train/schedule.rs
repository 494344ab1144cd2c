//! How fast a network learns, as training goes on.

/// Learning rate by rows trained on: it rises to its most in a straight line, then falls along half a cosine
/// (I. Loshchilov and F. Hutter, SGDR, 2017).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// The most.
    pub rate: f64,
    /// Rows until then.
    pub warm_up: u64,
    /// Rows until the end, where it is `rate * last`.
    pub rows: u64,
    /// Share of the most that is left at the end, and stays beyond it.
    pub last: f64,
}

impl Schedule {
    /// The rate after so many rows.
    pub fn at(&self, rows: u64) -> f64 {
        if rows < self.warm_up {
            // Never nothing: the first step counts too.
            return self.rate * (rows + 1) as f64 / (self.warm_up + 1) as f64;
        }
        let way = (rows - self.warm_up) as f64 / self.rows.saturating_sub(self.warm_up).max(1) as f64;
        let fall = f64::midpoint(1.0, (std::f64::consts::PI * way.min(1.0)).cos());
        self.rate * (self.last + (1.0 - self.last) * fall)
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    #[test]
    fn rises_then_falls() {
        let schedule = Schedule { rate: 2.0, warm_up: 100, rows: 1100, last: 0.1 };
        let near = |rows, rate: f64| assert!((schedule.at(rows) - rate).abs() < 1e-9, "{rows}: {}", schedule.at(rows));
        near(0, 2.0 / 101.0);
        near(100, 2.0);
        near(600, 1.1);
        near(1100, 0.2);
        near(5000, 0.2);
        let rates: Vec<f64> = (0..1100).map(|rows| schedule.at(rows)).collect();
        assert!(rates[..101].is_sorted() && rates[100..].is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn a_run_without_rows_has_a_rate() {
        let schedule = Schedule { rate: 1.0, warm_up: 0, rows: 0, last: 0.0 };
        assert_eq!((schedule.at(0), schedule.at(1)), (1.0, 0.0));
    }
}
