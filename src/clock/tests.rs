//! Tests of the clock: single moves, and whole games against a referee's clock of its own.

use super::{Budget, Clock, Left, Moment, TimeControl};
use crate::params::{Settings, Table};
use crate::util::Rng;
use std::time::Duration;

const MOVE_1: Moment = Moment { moves: 0, area: 361 };

fn s(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn clock(text: &str) -> Clock {
    let words: Vec<&str> = text.split(' ').collect();
    Clock::new(TimeControl::read(words[0], &words[1..]).unwrap())
}

fn settings(pairs: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    settings.time.lag_margin = Duration::from_millis(250);
    for (name, value) in pairs {
        settings.set(name, value).unwrap();
    }
    settings
}

fn plan(clock: &Clock) -> Budget {
    clock.plan(MOVE_1, &settings(&[])).unwrap()
}

#[test]
fn without_a_clock_other_limits_hold() {
    let free = clock("none");
    assert_eq!(plan(&free), Budget::exactly(s(5.0)));
    assert_eq!(free.plan(MOVE_1, &settings(&[("maxVisits", "100")])), None);
    assert_eq!(free.plan(MOVE_1, &settings(&[("maxPlayouts", "100")])), None);
    let both = settings(&[("maxVisits", "100"), ("maxTime", "2")]);
    assert_eq!(free.plan(MOVE_1, &both), Some(Budget::exactly(s(2.0))));
    assert_eq!(clock("byoyomi 0 30 1").plan(MOVE_1, &both), Some(Budget::exactly(s(2.0))));
}

#[test]
fn one_period_a_move_is_used_whole() {
    // GTP's `time_settings 0 5 1`.
    let canadian = Clock::new(TimeControl::read_gtp("0", "5", "1").unwrap());
    assert_eq!(plan(&canadian), Budget::exactly(s(4.75)));
    assert_eq!(plan(&clock("byoyomi 0 30 2")), Budget::exactly(s(29.75)));
    // A margin never eats more than half.
    assert_eq!(plan(&clock("byoyomi 0 0.2 1")), Budget::exactly(s(0.1)));
}

#[test]
fn spare_periods_serve_hard_choices() {
    assert_eq!(plan(&clock("byoyomi 0 30 5")), Budget { soft: s(29.75), hard: s(59.75), saves: false });
    let mut late = clock("byoyomi 600 30 5");
    late.set_left(s(20.0), 1);
    assert_eq!(plan(&late), Budget::exactly(s(19.75)));
}

#[test]
fn main_time_runs_over_into_overtime() {
    let mut clock = clock("byoyomi 600 30 2");
    // 600 s / 240 moves is less than the period, which is free later on.
    assert_eq!(plan(&clock).soft, s(29.75));
    clock.set_left(s(1.0), 0);
    let budget = plan(&clock);
    assert_eq!(budget.soft, s(29.75));
    assert!(budget.hard <= s(30.75));
}

#[test]
fn time_left_of_kgs_counts_periods_and_of_canadian_stones() {
    let mut kgs = clock("byoyomi 600 30 5");
    kgs.read_left("17.5", "3").unwrap();
    assert_eq!(kgs.left(), Some(Left::Overtime { left: s(17.5), units: 3 }));
    kgs.read_left("0", "0").unwrap();
    assert_eq!(kgs.left(), Some(Left::Overtime { left: s(30.0), units: 5 }));
    kgs.read_left("-3", "-1").unwrap();
    assert_eq!(kgs.left(), Some(Left::Overtime { left: s(30.0), units: 5 }));
    assert!(kgs.read_left("soon", "0").is_err());
    let mut canadian = clock("canadian 600 300 25");
    canadian.read_left("120", "10").unwrap();
    let budget = plan(&canadian);
    assert_eq!(budget.soft, s(11.75));
    assert!(budget.hard > budget.soft && budget.hard < s(24.0));
}

#[test]
fn time_left_without_a_time_control() {
    let mut clock = clock("none");
    clock.read_left("0", "0").unwrap();
    assert_eq!(clock.left(), None);
    clock.read_left("2147483647", "0").unwrap();
    assert_eq!(clock.left(), None);
    clock.read_left("12.50", "0").unwrap();
    assert_eq!(clock.left(), Some(Left::Main(s(12.5))));
    assert!(plan(&clock).hard < s(1.0));
}

#[test]
fn an_empty_clock_moves_at_once() {
    for control in ["absolute 10", "fischer 10 5", "canadian 10 5 2", "byoyomi 10 5 2"] {
        let mut clock = clock(control);
        clock.set_left(Duration::ZERO, 1);
        assert_eq!(plan(&clock), Budget::exactly(Duration::ZERO), "{control}");
        clock.set_left(Duration::ZERO, 0);
        assert!(plan(&clock).hard < s(5.0), "{control}");
    }
}

#[test]
fn own_clock_counts_every_kind() {
    // The unseen part of a margin is left out here.
    let exact = settings(&[("lagBuffer", "0")]);
    let after = |control: &str, moves: &[f64]| {
        let mut clock = clock(control);
        for &used in moves {
            clock.spend(s(used), &exact);
        }
        clock.left().unwrap()
    };
    assert_eq!(after("absolute 10", &[3.0, 4.0]), Left::Main(s(3.0)));
    assert_eq!(after("absolute 10", &[30.0]), Left::Main(s(0.0)));
    assert_eq!(after("fischer 10 5", &[3.0, 4.0]), Left::Main(s(13.0)));
    assert_eq!(after("fischer-capped 10 5 12 -1", &[1.0]), Left::Main(s(12.0)));
    assert_eq!(after("byoyomi 10 5 3", &[4.0]), Left::Main(s(6.0)));
    assert_eq!(after("byoyomi 10 5 3", &[10.0]), Left::Overtime { left: s(5.0), units: 3 });
    assert_eq!(after("byoyomi 10 5 3", &[14.0]), Left::Overtime { left: s(5.0), units: 3 });
    assert_eq!(after("byoyomi 10 5 3", &[16.0]), Left::Overtime { left: s(5.0), units: 2 });
    assert_eq!(after("byoyomi 10 5 3", &[10.0, 100.0]), Left::Overtime { left: s(5.0), units: 1 });
    assert_eq!(after("canadian 10 5 3", &[12.0]), Left::Overtime { left: s(3.0), units: 2 });
    assert_eq!(after("canadian 10 5 3", &[12.0, 1.0]), Left::Overtime { left: s(2.0), units: 1 });
    assert_eq!(after("canadian 10 5 3", &[12.0, 1.0, 1.0]), Left::Overtime { left: s(5.0), units: 3 });
    let mut again = clock("absolute 10");
    again.spend(s(9.0), &exact);
    again.reset();
    assert_eq!(again.left(), Some(Left::Main(s(10.0))));
}

#[test]
fn fischer_caps() {
    let full = clock("fischer-capped 60 10 60 -1");
    // Ten seconds would be cut off at the cap.
    assert!(plan(&full).soft >= s(10.0));
    let capped = clock("fischer-capped 6000 10 -1 3");
    assert_eq!((plan(&capped).soft, plan(&capped).hard), (s(2.75), s(2.75)));
}

/// A referee's clock: what the rules say, without any of the engine's thoughts.
struct Referee {
    control: TimeControl,
    main: Duration,
    overtime: Duration,
    units: u32,
}

impl Referee {
    fn new(control: TimeControl) -> Self {
        let (main, overtime, units) = match control {
            TimeControl::None => unreachable!("no game to referee"),
            TimeControl::Absolute { main } | TimeControl::Fischer { main, .. } => (main, Duration::ZERO, 0),
            TimeControl::ByoYomi { main, period, periods } => (main, period, periods),
            TimeControl::Canadian { main, period, stones } => (main, period, stones),
        };
        Self { control, main, overtime, units }
    }

    /// Ends a move; false if the flag fell.
    fn punch(&mut self, used: Duration) -> bool {
        let over = used.saturating_sub(self.main);
        self.main = self.main.saturating_sub(used);
        match self.control {
            TimeControl::None => true,
            TimeControl::Absolute { .. } => over.is_zero(),
            TimeControl::Fischer { increment, cap, move_cap, .. } => {
                self.main = (self.main + increment).min(cap.unwrap_or(Duration::MAX));
                over.is_zero() && move_cap.is_none_or(|most| used <= most)
            }
            TimeControl::ByoYomi { period, .. } => {
                let lost = (over.as_secs_f64() / period.as_secs_f64()).floor() as u32;
                let stands = lost < self.units;
                self.units = self.units.saturating_sub(lost);
                stands
            }
            TimeControl::Canadian { period, stones, .. } => {
                let stands = over <= self.overtime;
                if !over.is_zero() || self.main.is_zero() {
                    self.overtime = self.overtime.saturating_sub(over);
                    self.units -= 1;
                    if self.units == 0 {
                        (self.overtime, self.units) = (period, stones);
                    }
                }
                stands
            }
        }
    }

    /// What the client tells the engine, in whole seconds as KGS does.
    fn tell(&self, clock: &mut Clock) {
        let floor = |time: Duration| Duration::from_secs(time.as_secs());
        if self.units == 0 || !self.main.is_zero() {
            clock.set_left(floor(self.main), 0);
        } else {
            clock.set_left(floor(self.overtime), self.units);
        }
    }
}

/// Plays a game of `moves` own moves on a board of `area` points; each move costs up to `lag` more than the engine thinks. Half the
/// games hear time_left. Gives the time used.
fn play_game(control: TimeControl, area: usize, moves: usize, lag: f64, rng: &mut Rng) -> Duration {
    let settings = settings(&[]);
    let (mut clock, mut referee) = (Clock::new(control), Referee::new(control));
    let told = rng.percent(50);
    let mut total = Duration::ZERO;
    for number in 0..moves {
        if told {
            referee.tell(&mut clock);
        }
        let budget = clock.plan(Moment { moves: 2 * number, area }, &settings).unwrap();
        assert!(budget.soft <= budget.hard);
        let thought = if rng.percent(20) { budget.hard } else { budget.soft };
        // What the engine's own clock cannot see is small, or else no clock of its own could keep it.
        let unseen = settings.time.lag_margin.as_secs_f64() / 20.0;
        let late = s(f64::from(rng.unit()) * if told { lag } else { unseen });
        total += thought + late;
        assert!(referee.punch(thought + late), "{control:?}: flag fell at own move {number}, told: {told}, {budget:?}");
        clock.spend(thought, &settings);
    }
    total
}

/// Plays many games of each kind; at least `least` of the time that a player could have used must be used.
fn play_games(control: &str, area: usize, moves: usize, lag: f64, least: f64) {
    let words: Vec<&str> = control.split(' ').collect();
    let control = TimeControl::read(words[0], &words[1..]).unwrap();
    let free = |period: Duration| moves as f64 * period.as_secs_f64();
    let at_hand = match control {
        TimeControl::None => unreachable!("no game to referee"),
        TimeControl::Absolute { main } => main.as_secs_f64(),
        TimeControl::Fischer { main, increment, .. } => main.as_secs_f64() + free(increment),
        // Main time saved is worth a period a move at most.
        TimeControl::ByoYomi { main, period, .. } => free(period).max(main.as_secs_f64()),
        TimeControl::Canadian { main, period, stones } => free(period / stones).max(main.as_secs_f64()),
    };
    let mut rng = Rng::new(7);
    for _ in 0..200 {
        let used = play_game(control, area, moves, lag, &mut rng).as_secs_f64();
        assert!(used >= least * at_hand, "{control:?}: only {used:.1} s of {at_hand:.1} s used");
    }
}

#[test]
fn sudden_death_is_never_lost_on_time() {
    play_games("absolute 600", 361, 125, 0.25, 0.6);
    play_games("absolute 300", 81, 30, 0.25, 0.6);
    play_games("absolute 10", 81, 30, 0.05, 0.6);
    // Long games play on.
    play_games("absolute 600", 361, 250, 0.25, 0.8);
    play_games("absolute 10", 81, 80, 0.05, 0.8);
    play_games("absolute 5", 25, 12, 0.01, 0.4);
}

#[test]
fn overtime_is_never_lost_and_used_whole() {
    play_games("byoyomi 600 30 5", 361, 125, 0.25, 0.9);
    play_games("byoyomi 0 10 1", 361, 125, 0.25, 0.9);
    play_games("byoyomi 60 5 3", 81, 40, 0.25, 0.9);
    play_games("byoyomi 60 1 2", 81, 40, 0.25, 0.7);
    play_games("canadian 600 300 25", 361, 125, 0.25, 0.9);
    play_games("canadian 0 5 1", 81, 40, 0.25, 0.9);
    play_games("canadian 0 60 10", 81, 45, 0.25, 0.9);
    play_games("canadian 120 30 20", 169, 80, 0.25, 0.7);
}

#[test]
fn fischer_is_never_lost_and_used() {
    play_games("fischer 600 10", 361, 125, 0.25, 0.8);
    play_games("fischer 10 2", 81, 40, 0.25, 0.7);
    play_games("fischer-capped 60 5 90 20", 361, 125, 0.25, 0.8);
    play_games("fischer-capped 30 5 30 -1", 169, 80, 0.25, 0.8);
    play_games("fischer 5 5", 81, 40, 0.25, 0.7);
}
