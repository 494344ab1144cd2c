//! How long to think: shares out what a clock shows over the moves still to come.
//!
//! Main time follows the formula of Huang, Coulom and Lin, "Time Management for Monte-Carlo Tree Search Applied to the Game of
//! Go" (2010): a share of 1 / (C + max(P - moves, 0)) of what is left, with C = 80 and P = 160 on 19x19, which saves time in the
//! opening for the middle game. Both grow with the area of the board. Overtime is used as far as it is free.

use super::{Clock, Left, TimeControl};
use std::time::Duration;

/// How long a move's search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The search stops here if its choice is stable. May be zero: then it must move at once.
    pub soft: Duration,
    /// The search stops here in any case. Never below `soft`.
    pub hard: Duration,
    /// Whether time not used now is there later. If not, stopping early gains nothing.
    pub saves: bool,
}

/// Where in the game a move falls.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Moves played so far, by both players, passes included.
    pub moves: usize,
    /// Points of the board.
    pub area: usize,
}

/// C on a board of 19x19: with each move from the middle game on, a C-th of the main time goes.
const SHARE: usize = 80;
/// P on a board of 19x19: the number of moves at which the middle game's large shares begin.
const PEAK: usize = 160;
/// C on the smallest boards, where a handful of moves still decides.
const LEAST_SHARE: usize = 10;
/// An unstable choice may think this many times longer out of the main time.
const STRETCH: u32 = 5; // halves: 2.5 times
/// Each move still to come may be late by this part of a lag margin, on average.
const LATE: u32 = 4;

impl Budget {
    /// Exactly this long.
    pub fn exactly(time: Duration) -> Self {
        Self { soft: time, hard: time, saves: false }
    }

    /// What is left of it after `used`.
    #[must_use]
    pub fn less(self, used: Duration) -> Self {
        Self { soft: self.soft.saturating_sub(used), hard: self.hard.saturating_sub(used), saves: self.saves }
    }

    /// No longer than `most`.
    #[must_use]
    pub fn capped(self, most: Duration) -> Self {
        Self { soft: self.soft.min(most), hard: self.hard.min(most), ..self }
    }
}

impl Moment {
    /// The part of the main time that this move gets, as its divisor.
    fn divisor(self) -> u32 {
        let scaled = |on_standard: usize| on_standard * self.area / 361;
        let share = scaled(SHARE).max(LEAST_SHARE);
        (share + scaled(PEAK).saturating_sub(self.moves)) as u32
    }
}

/// What the clock allows for the next move; nothing if it sets no limit. `lag` is kept back from all that must not run out.
pub(super) fn plan(clock: &Clock, moment: Moment, lag: Duration) -> Option<Budget> {
    Some(match (clock.control(), clock.left()?) {
        (TimeControl::Fischer { main, increment, cap, move_cap }, Left::Main(left)) => {
            let kept = reserve(main.max(increment), lag, moment);
            let budget = no_overtime(left, kept, usable(increment, lag), moment);
            // What would be cut off at the cap is free.
            let overflow =
                cap.map_or(Duration::ZERO, |cap| (left + increment).saturating_sub(cap)).min(left.saturating_sub(kept));
            let budget = Budget { soft: budget.soft.max(overflow), hard: budget.hard.max(overflow), ..budget };
            move_cap.map_or(budget, |most| budget.capped(usable(most, lag)))
        }
        (TimeControl::ByoYomi { period, periods, .. }, Left::Main(left)) => {
            with_overtime(left, usable(period, lag), spare(period, periods), moment)
        }
        (TimeControl::Canadian { period, stones, .. }, Left::Main(left)) => {
            with_overtime(left, usable(period / stones, lag), Duration::ZERO, moment)
        }
        (TimeControl::ByoYomi { period, .. }, Left::Overtime { left, units }) => {
            let soft = usable(left.min(period), lag);
            Budget { soft, hard: soft + spare(period, units), saves: false }
        }
        // By its own count the clock may be one stone off after the main time: only an equal share for each is then safe.
        (TimeControl::Canadian { main, period, stones }, Left::Overtime { .. }) if !clock.told && !main.is_zero() => {
            Budget::exactly(usable(period / stones, lag))
        }
        (_, Left::Overtime { left, units }) => in_canadian(left, units, lag),
        (TimeControl::Absolute { main }, Left::Main(left)) => {
            no_overtime(left, reserve(main, lag, moment), Duration::ZERO, moment)
        }
        (TimeControl::None, Left::Main(left)) => no_overtime(left, reserve(left, lag, moment), Duration::ZERO, moment),
    })
}

/// A move in time that has no overtime behind it, of which `kept` is never touched, and that gets `free` back after the move: a
/// share of it, and what comes back.
fn no_overtime(left: Duration, kept: Duration, free: Duration, moment: Moment) -> Budget {
    let left = left.saturating_sub(kept);
    let soft = (left / moment.divisor() + free).min(left);
    let most = (left / 3 + free).clamp(soft, left);
    Budget { soft, hard: (soft * STRETCH / 2).clamp(soft, most), saves: true }
}

/// A move in main time that has overtime behind it: at least the time that is free in overtime, for main time saved is of use only
/// above that. A move that outlasts the main time goes on into the overtime.
fn with_overtime(left: Duration, free: Duration, spare: Duration, moment: Moment) -> Budget {
    let soft = (left / moment.divisor()).max(free);
    let most = (left / 3 + free).max(soft) + spare;
    let all = left + free;
    Budget { soft: soft.min(all), hard: (soft * STRETCH / 2).min(most).min(all + spare), saves: true }
}

/// A move in a Canadian period: its share of the period, more if the stones after it keep at least half of theirs.
fn in_canadian(left: Duration, stones: u32, lag: Duration) -> Budget {
    let stones = stones.max(1);
    let share = left / stones;
    let soft = usable(share, lag);
    let rest = share * (stones - 1);
    Budget {
        soft,
        hard: usable(left.saturating_sub(rest / 2), lag).min(soft * 2).max(soft).min(usable(left, lag)),
        saves: stones > 1,
    }
}

/// How much of a period a move may use.
fn usable(period: Duration, lag: Duration) -> Duration {
    period.saturating_sub(margin(period, lag))
}

/// The lag margin of one move that is given `time`: half of it at most, for a move must be found somehow.
fn margin(time: Duration, lag: Duration) -> Duration {
    lag.min(time / 2)
}

/// What a clock without overtime keeps back for late moves to come: no more than a quarter of what the game was given.
fn reserve(given: Duration, lag: Duration, moment: Moment) -> Duration {
    (lag * moment.divisor() / LATE).min(given / 4)
}

/// Overtime periods that an unstable choice may use up: one, if two are left then, so that a late move never costs the game.
fn spare(period: Duration, periods: u32) -> Duration {
    if periods >= 3 { period } else { Duration::ZERO }
}
