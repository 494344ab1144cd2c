//! Who is playing, as networks of human play are told: 192 figures about the two players, the clock, the year and the server. The order and the scales are those
//! that KataGo's networks were trained with.

use std::f64::consts::TAU;

use super::backend::META_INPUTS;
use crate::board::Color;
use crate::params::Profile;

/// Where each group begins.
mod at {
    pub(super) const HUMAN: usize = 0;
    /// Two thermometers of the inverse rank: the player's and the opponent's.
    pub(super) const RANKS: usize = 6;
    pub(super) const RANK_LENGTH: usize = 34;
    pub(super) const UNRATED: usize = 74;
    pub(super) const CLOCK_UNKNOWN: usize = 75;
    pub(super) const CLOCK_BYO_YOMI: usize = 79;
    pub(super) const TIMES: usize = 82;
    pub(super) const AREA: usize = 86;
    pub(super) const DATE: usize = 87;
    pub(super) const SOURCE: usize = 151;
}

/// Waves of the date, from a week on; the last one is so many times as long.
const WAVES: usize = 32;
const WEEK: f64 = 7.0;
const LONGEST: f64 = 80_000.0;

/// Servers and collections.
const KGS: usize = 2;
const GOGOD: usize = 5;
const GO4GO: usize = 6;
/// The last year of GoGoD's games, after which Go4Go's follow.
const LAST_GOGOD: u16 = 2020;

/// A game as a profile has it.
struct Game {
    ranks: [u8; 2],
    /// Main time and period in seconds, and how many periods; nothing if it is not known.
    clock: Option<(f64, f64, f64)>,
    /// 0.5 where it is not known whether the game was rated.
    unrated: f32,
    /// Days since 1970-01-01.
    day: i64,
    source: usize,
}

/// What a network is told of a game of such people on a board of `area` points with `to_move` to move; nothing of nobody in particular.
pub(super) fn figures(profile: Profile, to_move: Color, area: usize) -> Option<Box<[f32; META_INPUTS]>> {
    let game = game(profile)?;
    let mut out = Box::new([0.0; META_INPUTS]);
    out[at::HUMAN] = 1.0;
    out[at::HUMAN + 1] = 1.0;
    for (side, color) in [to_move, !to_move].into_iter().enumerate() {
        let begin = at::RANKS + side * at::RANK_LENGTH;
        out[begin..begin + usize::from(game.ranks[color.index()])].fill(1.0);
    }
    out[at::UNRATED] = game.unrated;
    out[if game.clock.is_some() { at::CLOCK_BYO_YOMI } else { at::CLOCK_UNKNOWN }] = 1.0;
    let (main, period, periods) = game.clock.unwrap_or((0.0, 0.0, 0.0));
    // No Canadian stones.
    let times = [
        0.4 * ((main + 60.0).ln() - 6.5),
        0.3 * ((period + 1.0).ln() - 3.0),
        0.5 * ((periods + 2.0).ln() - 1.5),
        0.25 * (2f64.ln() - 1.5),
    ];
    for (place, figure) in times.into_iter().enumerate() {
        out[at::TIMES + place] = figure as f32;
    }
    out[at::AREA] = (0.5 * (area as f64 / 361.0).ln()) as f32;
    for wave in 0..WAVES {
        let period = WEEK * LONGEST.powf(wave as f64 / (WAVES - 1) as f64);
        let angle = TAU * game.day as f64 / period;
        out[at::DATE + 2 * wave] = angle.cos() as f32;
        out[at::DATE + 2 * wave + 1] = angle.sin() as f32;
    }
    out[at::SOURCE + game.source] = 1.0;
    Some(out)
}

fn game(profile: Profile) -> Option<Game> {
    match profile {
        Profile::None => None,
        Profile::Ranks { before_alphazero, black, white } => Some(Game {
            ranks: [black, white],
            clock: Some((1200.0, 30.0, 5.0)),
            unrated: 0.5,
            day: if before_alphazero { days(2016, 9, 1) } else { days(2020, 3, 1) },
            source: KGS,
        }),
        Profile::Professionals(year) => Some(Game {
            ranks: [1, 1],
            clock: None,
            unrated: 0.0,
            day: days(i64::from(year), 6, 1),
            source: if year <= LAST_GOGOD { GOGOD } else { GO4GO },
        }),
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar, from March on. (Years that begin in March, so that the leap day comes last.)
fn days(year: i64, month: i64, day: i64) -> i64 {
    let leap_days = year / 4 - year / 100 + year / 400;
    365 * year + leap_days + (153 * (month - 3) + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::value::Value;

    #[test]
    fn dates_are_counted() {
        assert_eq!(days(1970, 3, 1), 59);
        assert_eq!(days(2000, 3, 1), 11_017);
        assert_eq!(days(2016, 9, 1), 17_045);
        assert_eq!(days(1800, 6, 1), -61_940);
    }

    #[test]
    fn ranks_are_seen_from_the_player_to_move() {
        let profile = Profile::parse("rank_9d_5k").unwrap();
        for (to_move, own, other) in [(Color::Black, 1, 14), (Color::White, 14, 1)] {
            let figures = figures(profile, to_move, 361).unwrap();
            let ones = |from: usize| figures[from..from + 34].iter().filter(|&&figure| figure == 1.0).count();
            assert_eq!((ones(6), ones(40)), (own, other));
            assert_eq!((figures[74], figures[79], figures[75], figures[151 + 2]), (0.5, 1.0, 0.0, 1.0));
            assert_eq!(figures[86], 0.0);
        }
        assert!(figures(Profile::None, Color::Black, 361).is_none());
    }
}
