//! The move to play: searching, passing, resigning.

use super::{Engine, limits};
use crate::board::{Color, Move};
use crate::rules::Scoring;
use crate::search::{Candidate, Limits, Listener, Report, SearchOptions};
use crate::util::StopFlag;

/// Best win rate at which a settled game is not worth playing on.
const NOTHING_TO_GAIN: f32 = 0.1;

/// What the engine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It plays, or passes.
    Play(Move),
    /// It gives up.
    Resign,
}

/// How a choice treats the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Pass when the game is settled, resign when it is hopeless.
    Usual,
    /// Play on: no resigning, and no pass while dead enemy stones are on the board.
    Cleanup,
}

impl Engine {
    /// Searches for the best move of `color` and decides. The move is not played.
    pub fn choose(
        &mut self,
        color: Color,
        asked: &Limits,
        options: &SearchOptions,
        ending: Ending,
        stop: &StopFlag,
        listener: Option<Listener<'_, Move>>,
    ) -> (Decision, Report) {
        let opponent_passed = self.position.moves().last().is_some_and(|&(who, mv)| who != color && mv.is_pass());
        let restricted = !options.restrictions.is_empty();
        let asked = limits(&self.settings, asked);
        if ending == Ending::Usual && opponent_passed && !restricted && self.passing_wins(color) {
            // A glance, so that there is something to tell.
            let glance = Limits { playouts: Some(200), ..asked };
            let report = self.analyze(color, &glance, options, stop, listener);
            return (Decision::Play(Move::PASS), report);
        }
        let report = self.analyze(color, &asked, options, stop, listener);
        let Some(best) = self.pick(&report) else { return (Decision::Play(Move::PASS), report) };
        let (mv, winrate) = (best.mv, best.winrate);
        if ending == Ending::Usual && self.is_hopeless(color, winrate) {
            return (Decision::Resign, report);
        }
        let mv = match ending {
            _ if restricted => mv,
            Ending::Usual if self.should_pass(color, opponent_passed, winrate) => Move::PASS,
            Ending::Usual if mv.is_pass() && opponent_passed => self.instead_of_losing(color, &report),
            Ending::Cleanup if mv.is_pass() && self.has_dead_enemies(color) => other_than_pass(&report),
            _ => mv,
        };
        (Decision::Play(mv), report)
    }

    /// True if the game ends well when `color` passes after the opponent's pass.
    fn passing_wins(&mut self, color: Color) -> bool {
        if self.position.rules().counts_as_it_stands() {
            return self.position.formal_score() * color.sign() > 0.0;
        }
        let judgement = self.judge();
        judgement.settled && judgement.score * color.sign() > 0.0
    }

    /// True if there is nothing left to play for: the game is settled, and `color` has won it, or cannot turn it.
    fn should_pass(&mut self, color: Color, opponent_passed: bool, winrate: f32) -> bool {
        if self.position.rules().counts_as_it_stands() {
            return false;
        }
        // To judge takes time, and is of no use early in the game.
        let late = self.position.board().empties().len() * 2 < self.position.size().area();
        if !late && !opponent_passed {
            return false;
        }
        let scoring = self.position.rules().scoring;
        let judgement = self.judge();
        let nothing_to_fill = scoring == Scoring::Territory || judgement.neutral == 0 || opponent_passed;
        judgement.settled && nothing_to_fill && (judgement.score * color.sign() > 0.0 || winrate < NOTHING_TO_GAIN)
    }

    /// The move when the search would pass, and so end the game: only if the game then is won.
    fn instead_of_losing(&mut self, color: Color, report: &Report) -> Move {
        let score = if self.position.rules().counts_as_it_stands() { self.position.formal_score() } else { self.judge().score };
        if score * color.sign() >= 0.0 { Move::PASS } else { other_than_pass(report) }
    }

    fn has_dead_enemies(&mut self, color: Color) -> bool {
        let dead = self.judge().dead;
        dead.iter().any(|point| self.position.board().stone(point) == Some(!color))
    }

    /// Counts hopeless moves in a row, and says when it is time to resign.
    fn is_hopeless(&mut self, color: Color, winrate: f32) -> bool {
        let play = &self.settings.play;
        let streak = &mut self.hopeless[color.index()];
        *streak = if winrate < play.resign_winrate { *streak + 1 } else { 0 };
        let opening = (play.resign_min_moves * self.position.size().area() as f32) as usize;
        play.resign && *streak >= play.resign_turns && self.position.moves().len() >= opening
    }

    /// The candidate to play: the search's choice, or with a temperature in the opening one of those that were visited much.
    fn pick<'a>(&mut self, report: &'a Report) -> Option<&'a Candidate> {
        let temperature = self.settings.play.opening_temperature;
        let opening = self.position.moves().len() * 8 < self.position.size().area();
        if temperature == 0.0 || !opening {
            return report.best();
        }
        let most = report.best()?.visits.max(1) as f32;
        let weight = |candidate: &Candidate| (candidate.visits as f32 / most).powf(1.0 / temperature);
        let mut left = self.random() * report.candidates.iter().map(weight).sum::<f32>();
        report.candidates.iter().find(|candidate| {
            left -= weight(candidate);
            left < 0.0
        })
    }
}

/// The best candidate that is a stone; a pass if there is none.
fn other_than_pass(report: &Report) -> Move {
    report.candidates.iter().map(|candidate| candidate.mv).find(|mv| !mv.is_pass()).unwrap_or(Move::PASS)
}
