//! The referee's own clock: engines are asked nothing about time, only told.

use std::time::Duration;

use crate::clock::TimeControl;

/// The clock that a player must keep to.
///
/// The margin, for pipes and a busy machine, is granted once on top of the main time and once with every period.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameClock {
    control: TimeControl,
    margin: Duration,
    /// Main time left, margin included.
    main: Duration,
    /// Left of the running overtime period, margin included.
    period: Duration,
    /// Moves still to be made in it (Canadian), or periods left with it (byo-yomi).
    units: u32,
}

impl GameClock {
    /// A clock at the start of a game.
    pub(super) fn new(control: TimeControl, margin: Duration) -> Self {
        let (main, period, units) = match control {
            TimeControl::None => (Duration::ZERO, Duration::ZERO, 0),
            TimeControl::Absolute { main } | TimeControl::Fischer { main, .. } => (main, Duration::ZERO, 0),
            TimeControl::Canadian { main, period, stones } => (main, period, stones),
            TimeControl::ByoYomi { main, period, periods } => (main, period, periods),
        };
        // Where the game begins with overtime, the first period has its margin.
        let main = if main.is_zero() && units > 0 { main } else { main + margin };
        Self { control, margin, main, period: period + margin, units }
    }

    /// The time control.
    pub(super) fn control(&self) -> TimeControl {
        self.control
    }

    /// How long the next move may take; any longer is a loss on time. Nothing where there is no clock.
    pub(super) fn allowed(&self) -> Option<Duration> {
        Some(match self.control {
            TimeControl::None => return None,
            TimeControl::Absolute { .. } => self.main,
            TimeControl::Fischer { move_cap, .. } => move_cap.map_or(self.main, |cap| self.main.min(cap + self.margin)),
            TimeControl::Canadian { .. } => self.main + self.period,
            TimeControl::ByoYomi { .. } => self.main + self.period * self.units,
        })
    }

    /// Takes the time of a move, which was allowed, off the clock.
    pub(super) fn spend(&mut self, time: Duration) {
        let overtime = time.saturating_sub(self.main);
        self.main = self.main.saturating_sub(time);
        match self.control {
            TimeControl::Fischer { increment, cap, .. } => {
                self.main += increment;
                if let Some(cap) = cap {
                    self.main = self.main.min(cap + self.margin);
                }
            }
            TimeControl::Canadian { period, stones, .. } if self.main.is_zero() => {
                self.period = self.period.saturating_sub(overtime);
                self.units -= 1;
                if self.units == 0 {
                    (self.period, self.units) = (period + self.margin, stones);
                }
            }
            TimeControl::ByoYomi { .. } => {
                let used = overtime.as_nanos() / self.period.as_nanos().max(1);
                self.units = self.units.saturating_sub(used as u32).max(1);
            }
            TimeControl::None | TimeControl::Absolute { .. } | TimeControl::Canadian { .. } => {}
        }
    }

    /// What GTP's time_left is to say: the time left, and for how many moves (in byo-yomi: periods); 0 for the main time.
    /// Nothing where there is no clock.
    pub(super) fn time_left(&self) -> Option<(Duration, u32)> {
        let main = self.main.saturating_sub(self.margin);
        let overtime = main.is_zero() && self.units > 0;
        match self.control {
            TimeControl::None => None,
            _ if overtime => Some((self.period.saturating_sub(self.margin), self.units)),
            _ => Some((main, 0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::GameClock;
    use crate::referee::read_time_control;

    const MARGIN: Duration = Duration::from_millis(500);

    fn clock(control: &str) -> GameClock {
        GameClock::new(read_time_control(control).unwrap(), MARGIN)
    }

    fn s(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn no_clock_and_fixed_time() {
        let mut none = clock("none");
        none.spend(s(1000.0));
        assert_eq!((none.allowed(), none.time_left()), (None, None));
        let mut fixed = clock("2s/move");
        fixed.spend(s(2.4));
        assert_eq!((fixed.allowed(), fixed.time_left()), (Some(s(2.5)), Some((s(2.0), 1))));
    }

    #[test]
    fn sudden_death_grants_the_margin_once() {
        let mut clock = clock("10s");
        assert_eq!((clock.allowed(), clock.time_left()), (Some(s(10.5)), Some((s(10.0), 0))));
        clock.spend(s(4.0));
        clock.spend(s(6.25));
        assert_eq!((clock.allowed(), clock.time_left()), (Some(s(0.25)), Some((s(0.0), 0))));
    }

    #[test]
    fn fischer_adds() {
        let mut clock = clock("10s+2s");
        clock.spend(s(9.0));
        assert_eq!((clock.allowed(), clock.time_left()), (Some(s(3.5)), Some((s(3.0), 0))));
    }

    #[test]
    fn canadian_periods_start_anew() {
        let mut clock = clock("10s+6s/2");
        assert_eq!(clock.allowed(), Some(s(17.0)));
        clock.spend(s(12.5));
        assert_eq!((clock.allowed(), clock.time_left()), (Some(s(4.5)), Some((s(4.0), 1))));
        clock.spend(s(4.5));
        assert_eq!((clock.allowed(), clock.time_left()), (Some(s(6.5)), Some((s(6.0), 2))));
    }

    #[test]
    fn byo_yomi_periods_are_used_up_whole() {
        let mut clock = clock("0+3x5s");
        assert_eq!((clock.allowed(), clock.time_left()), (Some(s(16.5)), Some((s(5.0), 3))));
        clock.spend(s(5.4));
        assert_eq!(clock.time_left(), Some((s(5.0), 3)));
        clock.spend(s(12.0));
        assert_eq!((clock.allowed(), clock.time_left()), (Some(s(5.5)), Some((s(5.0), 1))));
        clock.spend(s(5.5));
        assert_eq!(clock.allowed(), Some(s(5.5)));
    }
}
