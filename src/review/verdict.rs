//! What a move was worth.

use serde::Serialize;

use super::game::Game;
use super::look::Look;
use crate::board::{Color, Move};

/// How bad a move was, by the points it lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Less than 1.5 points.
    Fine,
    /// From 1.5 points.
    Inaccuracy,
    /// From 3 points.
    Mistake,
    /// From 6 points.
    Blunder,
}

impl Class {
    /// All of them, the best first.
    pub const ALL: [Self; 4] = [Self::Fine, Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The class of a move that lost so many points, to the tenth that is shown. (The steps are those of KaTrain's colours.)
    pub fn of(lost: f32) -> Self {
        match (10.0 * lost).round() / 10.0 {
            lost if lost >= 6.0 => Self::Blunder,
            lost if lost >= 3.0 => Self::Mistake,
            lost if lost >= 1.5 => Self::Inaccuracy,
            _ => Self::Fine,
        }
    }

    /// Its name in a sentence.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// A part of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The first moves: 14 for each 100 points of the board, 50 on 19x19.
    Opening,
    /// Up to 40 for each 100 points, 144 on 19x19.
    Middle,
    /// The rest.
    Endgame,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middle, Self::Endgame];

    /// The phase of move `number`, counted from 1, on a board of `area` points. (The shares are KaTrain's.)
    pub fn of(number: usize, area: usize) -> Self {
        match number * 100 {
            played if played <= 14 * area => Self::Opening,
            played if played <= 40 * area => Self::Middle,
            _ => Self::Endgame,
        }
    }

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middle => "middle game",
            Self::Endgame => "endgame",
        }
    }
}

/// What a move was worth, from the side of who played it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Its number, from 1; passes count.
    pub number: usize,
    /// Who played it.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Points it lost against what could be expected before: never below 0, and 0 for the search's own choice and
    /// for passes by which both end the game. Nothing where the position
    /// after it did not come of it, because stones were set up.
    pub lost: Option<f32>,
    /// Share of games that were won before and are no more, never below 0.
    pub winrate_lost: Option<f32>,
    /// Its place among the search's choices, from 1; nothing if the search did not think of it.
    pub rank: Option<usize>,
    /// How likely it was before the search.
    pub prior: f32,
    /// How much hung on it, 0.05 to 1: the more the likely moves differed.
    pub weight: f32,
    /// How bad it was.
    pub class: Class,
    /// When it was played.
    pub phase: Phase,
}

/// The verdicts on all moves of a game, which has a look for each of its positions.
pub(super) fn verdicts(game: &Game, looks: &[Look]) -> Vec<Verdict> {
    (0..game.moves.len()).map(|place| verdict(game, place, &looks[place], &looks[place + 1])).collect()
}

fn verdict(game: &Game, place: usize, before: &Look, after: &Look) -> Verdict {
    let (color, mv) = game.moves[place];
    let number = place + 1;
    let rank = before.rank(mv);
    // What follows from the search's own choice was not to be seen.
    let chosen = rank == Some(1);
    let passes = |place: usize| game.moves.get(place).is_some_and(|(_, mv)| mv.is_pass());
    // Two passes leave the board and the turn as they were: whatever was still to be had, they agreed to leave it.
    let agreed = mv.is_pass() && (passes(place + 1) || place.checked_sub(1).is_some_and(passes));
    let loss = |before: f32, after: f32| if chosen || agreed { 0.0 } else { (before - after).max(0.0) };
    let whole = !game.is_set_up_after(place);
    let lost = whole.then(|| loss(color.sign() * before.lead, color.sign() * after.lead));
    Verdict {
        number,
        color,
        mv,
        lost,
        winrate_lost: whole.then(|| loss(before.winrate_of(color), after.winrate_of(color))),
        rank,
        prior: before.policy.iter().find(|&&(likely, _)| likely == mv).map_or(0.0, |&(_, prior)| prior),
        weight: weight(before, lost.unwrap_or(0.0)),
        class: Class::of(lost.unwrap_or(0.0)),
        phase: Phase::of(number, game.record.size.area()),
    }
}

/// KaTrain's weight of a move in a player's accuracy: how many points a move drawn by the search's prior would lose on average, or a quarter of
/// those that this one lost if that is more; from 0.05 to 1.
fn weight(before: &Look, lost: f32) -> f32 {
    let sign = before.to_move.sign();
    let losses = before.choices.iter().map(|choice| (sign * (before.lead - choice.lead)).max(0.0) * choice.prior);
    let (loss, likely) = (losses.sum::<f32>(), before.choices.iter().map(|choice| choice.prior).sum::<f32>());
    (loss / likely.max(1e-6)).max(lost / 4.0).clamp(0.05, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{Class, Phase};

    #[test]
    fn classes_and_phases() {
        let classes = [0.0, 1.44, 1.46, 2.9, 3.0, 5.96, 80.0].map(Class::of);
        let expected = [0, 0, 1, 1, 2, 3, 3].map(|number| Class::ALL[number]);
        assert_eq!(classes, expected);
        let phases = [1, 50, 51, 144, 145, 400].map(|number| Phase::of(number, 361));
        assert_eq!(phases, [0, 0, 1, 1, 2, 2].map(|number| Phase::ALL[number]));
        assert_eq!([11, 12, 33].map(|number| Phase::of(number, 81)), Phase::ALL);
    }
}
