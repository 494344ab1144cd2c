//! The move to play: searching, passing, resigning.

use std::time::Instant;

use super::{Engine, HIGHEST_LEVEL, limits};
use crate::board::{Color, Move, Point, PointSet};
use crate::clock::Budget;
use crate::rules::Scoring;
use crate::search::{Candidate, Limits, Listener, Report, Restriction, SearchOptions};
use crate::util::StopFlag;

/// Best win rate below which the engine passes first in a game that is lost by judgement.
const NOTHING_TO_GAIN: f32 = 0.1;
/// Best win rate from which a game that is lost by judgement is worth playing on after the opponent's pass.
const SOMETHING_TO_GAIN: f32 = 0.4;
/// How much more often than a clean-up move another one must win to be played first.
const URGENT: f32 = 0.1;

/// A move must have so many times the time of a judgement for a judgement to be made.
const MUCH: u32 = 8;

/// How a game stands for a player if both pass now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outlook {
    /// It is too early to say.
    Open,
    /// Won, whatever becomes of the stones in doubt.
    Won,
    /// Won, as the stones in doubt are judged.
    Ahead,
    /// Lost, as the stones in doubt are judged.
    Behind,
    /// Lost in any case.
    Lost,
}

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
        mut listener: Option<Listener<'_, Move>>,
    ) -> (Decision, Report) {
        let opponent_passed = self.position.moves().last().is_some_and(|&(who, mv)| who != color && mv.is_pass());
        let restricted = !options.restrictions.is_empty();
        let begun = Instant::now();
        self.await_network();
        let offset = self.fair_offset();
        let asked = limits(&self.settings, self.network.get().is_some(), asked);
        if ending == Ending::Usual
            && !restricted
            && let Some(known) = self.book_move(color)
        {
            // What it is worth, not what else there is.
            let only = Restriction { player: color.index(), actions: vec![known.mv], only: true, until_depth: 1 };
            let options = SearchOptions { restrictions: vec![only], ..options.clone() };
            let begin = |report: &mut Report| report.begin_with_book(known.mv, known.figures.games);
            let mut told = listener.as_mut().map(|listener| {
                let tell = |report: &Report| {
                    let mut report = report.clone();
                    begin(&mut report);
                    (listener.tell)(&report);
                };
                (listener.interval, tell)
            });
            let listener = told.as_mut().map(|(interval, tell)| Listener { interval: *interval, tell });
            let mut report = self.glance(color, offset, &asked, &options, stop, listener);
            begin(&mut report);
            return (Decision::Play(known.mv), report);
        }
        let outlook = self.outlook(color, opponent_passed, asked.budget);
        if self.settings.play.level < HIGHEST_LEVEL {
            // What other searches have learnt would make it stronger than its level.
            self.search.restart(self.search.root().clone());
        }
        let asked = Limits { budget: asked.budget.map(|budget| budget.less(begun.elapsed())), ..asked };
        // Two passes end the game, so being ahead is enough; but where a move costs nothing, doubts are better resolved.
        let passing_wins =
            outlook == Outlook::Won || (outlook == Outlook::Ahead && self.position.rules().scoring == Scoring::Territory);
        if ending == Ending::Usual && opponent_passed && !restricted && passing_wins {
            let report = self.glance(color, offset, &asked, options, stop, listener);
            return (Decision::Play(Move::PASS), report);
        }
        let report = self.look(color, offset, &asked, options, stop, listener);
        let Some(best) = self.pick(&report) else { return (Decision::Play(Move::PASS), report) };
        let (mv, winrate) = (best.mv, best.winrate);
        // Who leads on the board is behind only by the handicap's measure.
        if ending == Ending::Usual && self.is_hopeless(color, winrate) && report.lead < 0.0 {
            return (Decision::Resign, report);
        }
        let mv = match ending {
            _ if restricted => mv,
            Ending::Usual if self.is_time_to_pass(outlook, opponent_passed, winrate) => Move::PASS,
            // A pass by the formal count, which takes the dead in safe territory off by itself, would end a game that does not.
            Ending::Usual if mv.is_pass() && self.position.rules().counts_as_it_stands() => match outlook {
                Outlook::Won => Move::PASS,
                _ => self.clean_up(color, &report),
            },
            Ending::Usual if mv.is_pass() && opponent_passed && outlook != Outlook::Ahead => other_than_pass(&report),
            Ending::Cleanup => self.clean_up(color, &report),
            Ending::Usual => mv,
        };
        (Decision::Play(self.legal(color, mv, &report)), report)
    }

    /// A short look at a position whose move is known, so that there is something to tell.
    fn glance(
        &mut self,
        color: Color,
        offset: f32,
        asked: &Limits,
        options: &SearchOptions,
        stop: &StopFlag,
        listener: Option<Listener<'_, Move>>,
    ) -> Report {
        let looks = if self.network.get().is_some() { 8 } else { 200 };
        let limits = Limits { playouts: Some(looks), ..*asked };
        self.look(color, offset, &limits, options, stop, listener)
    }

    /// `mv`, or if the game's own history forbids it the next best candidate: a game that was over is searched without its history.
    fn legal(&self, color: Color, mv: Move, report: &Report) -> Move {
        let is_legal = |mv: &Move| self.position.clone().play_as(color, *mv).is_ok();
        let others = report.candidates.iter().map(|candidate| candidate.mv);
        std::iter::once(mv).chain(others).find(is_legal).unwrap_or(Move::PASS)
    }

    /// How the game stands for `color` if both pass now.
    fn outlook(&mut self, color: Color, opponent_passed: bool, budget: Option<Budget>) -> Outlook {
        // To judge takes time: not on a board that is half empty, nor at the end of the clock, unless it is asked for by a pass.
        let half_empty = self.position.board().empties().len() * 2 > self.position.size().area();
        let hurried = budget.is_some_and(|budget| budget.hard < self.judging * MUCH);
        if !opponent_passed && (half_empty || hurried) {
            return Outlook::Open;
        }
        if self.position.rules().counts_as_it_stands() {
            let score = self.position.judged_score(&PointSet::EMPTY, &PointSet::EMPTY);
            return if score * color.sign() > 0.0 { Outlook::Won } else { Outlook::Open };
        }
        let judgement = self.judge().clone();
        // Who passes while there is much to take gives a free move, not the game.
        if judgement.neutral * 3 > self.position.size().area() {
            return Outlook::Open;
        }
        let wins = |score: f32| score * color.sign() > 0.0;
        if wins(judgement.score_at_best(&self.position, !color)) {
            Outlook::Won
        } else if !wins(judgement.score_at_best(&self.position, color)) {
            Outlook::Lost
        } else if wins(judgement.score) {
            Outlook::Ahead
        } else {
            Outlook::Behind
        }
    }

    /// True if there is nothing left to play for. `winrate` is the best move's.
    fn is_time_to_pass(&mut self, outlook: Outlook, opponent_passed: bool, winrate: f32) -> bool {
        if outlook == Outlook::Open || self.position.rules().counts_as_it_stands() {
            return false;
        }
        let moves = self.position.moves();
        if opponent_passed {
            // One who passes twice running does not want to see more; each move of ours would be one for nothing.
            let insists = moves.len() > 2 && moves[moves.len() - 3].1.is_pass();
            return insists || (outlook != Outlook::Ahead && winrate < SOMETHING_TO_GAIN);
        }
        // Under area scoring neutral points are worth filling.
        let filled = self.position.rules().scoring == Scoring::Territory || self.judge().neutral == 0;
        filled && (outlook == Outlook::Won || (outlook == Outlook::Lost && winrate < NOTHING_TO_GAIN))
    }

    /// The move of a clean-up: it takes a liberty of a dead enemy chain, unless something else is urgent. When the search would pass, a
    /// pass only if no such move is left.
    fn clean_up(&mut self, color: Color, report: &Report) -> Move {
        let dead = self.judge().lost;
        let mut position = self.position.clone();
        position.set_to_move(color);
        let board = position.board();
        let is_target = |point: Point| dead.contains(point) && board.stone(point) == Some(!color);
        let takes_liberty = |mv: &Move| mv.point().is_some_and(|point| board.neighbors(point).any(is_target));
        let attacks: Vec<Move> = position.legal_moves().filter(takes_liberty).collect();
        let Some(best) = report.best() else { return attacks.first().copied().unwrap_or(Move::PASS) };
        let known: Vec<&Candidate> = report.candidates.iter().filter(|candidate| attacks.contains(&candidate.mv)).collect();
        // Of an attack that was never tried it is not known what it costs.
        match known.iter().find(|attack| attack.visits > 0 || best.mv.is_pass()) {
            Some(attack) if best.mv.is_pass() || attack.winrate > best.winrate - URGENT => attack.mv,
            // The search thinks nothing of filling what looks like an own eye, where the last liberty may be.
            None if best.mv.is_pass() || (known.is_empty() && !attacks.is_empty()) => {
                attacks.first().copied().unwrap_or(Move::PASS)
            }
            _ => best.mv,
        }
    }

    /// Counts hopeless moves in a row, each once however often it is asked about, and says when it is time to resign.
    fn is_hopeless(&mut self, color: Color, winrate: f32) -> bool {
        let play = &self.settings.play;
        let number = self.position.moves().len();
        let (streak, last) = &mut self.hopeless[color.index()];
        *streak = match winrate < play.resign_winrate {
            false => 0,
            true if *last == number && *streak > 0 => *streak,
            true => *streak + 1,
        };
        *last = number;
        let opening = (play.resign_min_moves * self.position.size().area() as f32) as usize;
        play.resign && *streak >= play.resign_turns && number >= opening
    }

    /// The candidate to play: the search's choice, or with a temperature in the opening one of those that were visited much.
    fn pick<'a>(&mut self, report: &'a Report) -> Option<&'a Candidate> {
        let temperature = self.settings.play.opening_temperature;
        let opening = self.position.moves().len() * 8 < self.position.size().area();
        if temperature == 0.0 || !opening {
            return report.best();
        }
        // Not always the best one's: a bound may have chosen it.
        let most = report.candidates.iter().map(|candidate| candidate.visits).max()?.max(1) as f32;
        let weight = |candidate: &Candidate| (candidate.visits as f32 / most).powf(1.0 / temperature);
        let mut left = self.random() * report.candidates.iter().map(weight).sum::<f32>();
        report
            .candidates
            .iter()
            .find(|candidate| {
                left -= weight(candidate);
                left < 0.0
            })
            .or_else(|| report.best())
    }
}

/// The best candidate that is a stone; a pass if there is none.
fn other_than_pass(report: &Report) -> Move {
    report.candidates.iter().map(|candidate| candidate.mv).find(|mv| !mv.is_pass()).unwrap_or(Move::PASS)
}
