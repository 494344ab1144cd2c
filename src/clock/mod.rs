//! A player's clock: the time control, what is left, and how long to think for a move.
//!
//! A client says with `time_left` what its own clock shows ([`Clock::set_left`]). Where it never does, the clock counts by
//! itself what the engine used ([`Clock::spend`]). All times are handed in; nothing here looks at a real clock.

mod control;
mod plan;

pub use control::{BadTime, TimeControl};
pub use plan::{Budget, Moment};

use crate::params::Settings;
use std::time::Duration;

/// A move costs the clock this part of a lag margin more than the engine sees: pipes, the client's own work.
const UNSEEN: u32 = 20;

/// One player's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Option<Left>,
    /// Whether `left` is what the client said, or follows from it.
    told: bool,
}

/// What a clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Main time.
    Main(Duration),
    /// Overtime.
    Overtime {
        /// Time left in this period.
        left: Duration,
        /// Periods left, this one included (byo-yomi), or stones still to play in it (Canadian); at least 1.
        units: u32,
    },
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        let mut clock = Self { control, left: None, told: false };
        clock.reset();
        clock
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What it shows; nothing if there is no limit.
    pub fn left(&self) -> Option<Left> {
        self.left
    }

    /// Sets it back to the start of a game.
    pub fn reset(&mut self) {
        self.told = false;
        self.left = match self.control {
            TimeControl::None => None,
            TimeControl::Absolute { main } | TimeControl::Fischer { main, .. } => Some(Left::Main(main)),
            TimeControl::ByoYomi { main, .. } | TimeControl::Canadian { main, .. } => Some(self.overtime_if_over(main)),
        };
    }

    /// Takes over what the client's clock shows: GTP's `time_left`. Without `units` it is main time; else they are the stones
    /// still to play in the overtime, or, in byo-yomi, the periods left (as KGS has it). Negative numbers count as 0.
    ///
    /// Time left without a time control counts as absolute; none left then says nothing.
    ///
    /// # Errors
    /// If an argument is no number.
    pub fn read_left(&mut self, time: &str, units: &str) -> Result<(), BadTime> {
        let (time, units) = (control::at_least_0(control::read_number(time)?), control::read_number(units)? as u32);
        self.set_left(time, units);
        Ok(())
    }

    /// As [`Clock::read_left`], of numbers.
    pub fn set_left(&mut self, time: Duration, units: u32) {
        self.told = true;
        self.left = match (self.control, units) {
            (TimeControl::None, 0) if TimeControl::absolute(time) == TimeControl::None => None,
            (_, 0) => Some(self.overtime_if_over(time)),
            (_, units) => Some(Left::Overtime { left: time, units }),
        };
    }

    /// Deducts a move that the engine thought `used` for, with some more for what it cannot see; then brings what the time
    /// control grants after a move.
    pub fn spend(&mut self, used: Duration, settings: &Settings) {
        let used = used + settings.time.lag_margin / UNSEEN;
        let Some(left) = self.left else { return };
        self.left = Some(match (self.control, left) {
            (TimeControl::Fischer { increment, cap, .. }, Left::Main(left)) => {
                let next = left.saturating_sub(used) + increment;
                Left::Main(cap.map_or(next, |cap| next.min(cap)))
            }
            (_, Left::Main(left)) if used <= left => self.overtime_if_over(left.saturating_sub(used)),
            (_, Left::Main(left)) => self.after_overtime(used.saturating_sub(left), self.overtime_if_over(Duration::ZERO)),
            (_, overtime) => self.after_overtime(used, overtime),
        });
    }

    /// How long the search for the next move may take; nothing if only other limits hold. Without any limit at all, the default
    /// time holds.
    pub fn plan(&self, moment: Moment, settings: &Settings) -> Option<Budget> {
        let time = &settings.time;
        let planned = plan::plan(self, moment, time.lag_margin);
        match (planned, time.max_time) {
            (Some(budget), Some(most)) => Some(budget.capped(most)),
            (Some(budget), None) => Some(budget),
            (None, Some(most)) => Some(Budget::exactly(most)),
            (None, None) if settings.search.max_visits.or(settings.search.max_playouts).is_some() => None,
            (None, None) => Some(Budget::exactly(time.default_time)),
        }
    }

    /// Main time, or the first of the overtime if there is no more.
    fn overtime_if_over(&self, main: Duration) -> Left {
        match self.control {
            TimeControl::ByoYomi { period, periods: units, .. } | TimeControl::Canadian { period, stones: units, .. }
                if main.is_zero() =>
            {
                Left::Overtime { left: period, units }
            }
            _ => Left::Main(main),
        }
    }

    /// What overtime is left after a move of `used` in it.
    fn after_overtime(&self, used: Duration, before: Left) -> Left {
        match (self.control, before) {
            (TimeControl::ByoYomi { period, .. }, Left::Overtime { mut left, mut units }) => {
                let mut used = used;
                while used >= left && units > 1 {
                    used -= left;
                    units -= 1;
                    left = period;
                }
                Left::Overtime { left: period, units }
            }
            (TimeControl::Canadian { period, stones, .. }, Left::Overtime { units: 1, .. }) => {
                Left::Overtime { left: period, units: stones }
            }
            (_, Left::Overtime { left, units }) => Left::Overtime { left: left.saturating_sub(used), units: units.max(2) - 1 },
            (_, Left::Main(_)) => Left::Main(Duration::ZERO),
        }
    }
}

#[cfg(test)]
mod tests;
