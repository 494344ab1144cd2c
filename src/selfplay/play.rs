//! A game from its first move to its last.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::params::{EndParams, Settings};
use super::player::{Effort, Found, Judge, Player};
use super::record::{Ending, GameRecord, Raw, Turn};
use super::start::{self, Start};
use crate::board::{Color, Move};
use crate::eval::Evaluation;
use crate::rules::Position;
use crate::search::Report;
use crate::util::{Rng, StopFlag};

/// Plays the game called `name`, whose chance follows from `rng`. Nothing if `stop` is set before its end. `visits` counts those of all
/// searches.
pub(super) fn play(
    settings: &Settings,
    judge: &Judge,
    name: String,
    mut rng: Rng,
    stop: &StopFlag,
    visits: &AtomicU64,
) -> Option<GameRecord> {
    let empty = start::draw_board(&settings.game, &mut rng);
    let mut player = Player::new(settings, judge, &empty, rng);
    let Start { start, mut position } = start::begin(&settings.game, &empty, &mut player);
    let opening = position.moves().len();
    let most_moves = (settings.game.most_moves * position.size().area() as f32) as usize;
    let mut sureness = Sureness::new(&settings.end, position.size().area(), &mut player.rng);
    let mut turns = Vec::new();
    let ending = loop {
        let sure = sureness.winner();
        match (position.result(), sure) {
            (Some(outcome), _) => break Ending::Finished(outcome),
            (None, Some(winner)) if sureness.may_end => break Ending::Sure(winner),
            _ if position.moves().len() >= most_moves => break Ending::TooLong,
            _ => {}
        }
        let share = settings.search.full_share * if sure.is_some() { settings.end.sure_full_share } else { 1.0 };
        let effort = if player.rng.chance(share) { Effort::Full } else { Effort::Cheap };
        let early = earliness(&position, settings.search.halflife);
        let raw = (effort == Effort::Full && player.has_network()).then(|| player.judge(&position));
        let found = player.look(&position, effort, early, stop)?;
        visits.fetch_add(found.report.playouts, Relaxed);
        sureness.note(position.moves().len(), &found.report);
        let mv = player.pick(&found.policy, early);
        turns.push(turn(effort, found, raw.as_ref()));
        position.play_unchecked(mv);
    };
    Some(GameRecord { name, player: judge.name().to_owned(), start, end: position, opening, turns, sure: sureness.first, ending })
}

/// How early in the game it is: 1 at its start, and half of it after so many moves, which are given for 19x19.
fn earliness(position: &Position, halflife: f32) -> f32 {
    let halflives = position.moves().len() as f32 / (halflife * position.size().width() as f32 / 19.0);
    libm::exp2f(-halflives)
}

/// What is kept of a search.
fn turn(effort: Effort, found: Found, raw: Option<&Evaluation<Move>>) -> Turn {
    let Found { report, policy } = found;
    let is_full = effort == Effort::Full;
    let visited = report.candidates.iter().filter(|candidate| candidate.visits > 0);
    let q_value = |candidate: &crate::search::Candidate| {
        (candidate.mv, 2.0 * candidate.winrate - 1.0, candidate.lead, candidate.visits as u32)
    };
    Turn {
        is_full,
        visits: report.visits,
        winrate: report.winrate,
        score: report.score_mean,
        lead: report.lead,
        q_values: if is_full { visited.map(q_value).collect() } else { Vec::new() },
        raw: raw.map(|raw| compare(raw, &policy, report.to_move)),
        policy,
    }
}

/// What a network said by itself, and how much a search's policy differs from that.
fn compare(raw: &Evaluation<Move>, policy: &[(Move, u32)], to_move: Color) -> Raw {
    let visits: u32 = policy.iter().map(|(_, visits)| visits).sum();
    let prior = |mv: Move| raw.priors.iter().find(|prior| prior.action == mv).map_or(0.0, |prior| prior.policy);
    let surprise = policy.iter().map(|&(mv, own)| {
        let share = own as f32 / visits.max(1) as f32;
        share * libm::logf(share / prior(mv).max(1e-9))
    });
    let entropy = raw.priors.iter().map(|prior| prior.policy).filter(|&policy| policy > 0.0).map(|p| -p * libm::logf(p));
    let sign = to_move.sign();
    Raw {
        win_loss: sign * raw.result,
        score: sign * raw.score_mean,
        entropy: entropy.sum(),
        surprise: surprise.sum::<f32>().max(0.0),
    }
}

/// Keeps an eye on whether both sides are sure who wins.
struct Sureness {
    winrate: f32,
    turns: u32,
    /// Moves before which nobody is.
    least_moves: usize,
    /// Whether that ends the game.
    may_end: bool,
    /// Who was sure to win in the last searches, and in how many in a row.
    streak: (Option<Color>, u32),
    /// Who both sides were first sure would win.
    first: Option<Color>,
}

impl Sureness {
    /// On a board of `area` points.
    fn new(params: &EndParams, area: usize, rng: &mut Rng) -> Self {
        Self {
            winrate: params.sure_winrate,
            turns: params.sure_turns,
            least_moves: (params.sure_min_moves * area as f32) as usize,
            may_end: !rng.chance(params.play_on_share),
            streak: (None, 0),
            first: None,
        }
    }

    /// Notes what a search said after so many moves.
    fn note(&mut self, moves: usize, report: &Report) {
        let winner = match report.winrate {
            _ if moves < self.least_moves => None,
            winrate if winrate >= self.winrate => Some(report.to_move),
            winrate if winrate <= 1.0 - self.winrate => Some(!report.to_move),
            _ => None,
        };
        let turns = if winner == self.streak.0 { self.streak.1 + 1 } else { 1 };
        self.streak = (winner, turns);
        self.first = self.first.or(self.winner());
    }

    /// Who wins, if both sides are sure.
    fn winner(&self) -> Option<Color> {
        let (winner, turns) = self.streak;
        winner.filter(|_| turns >= self.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::{AtomicU64, Sureness, play};
    use crate::board::Color;
    use crate::params::Table;
    use crate::rules::{Phase, Scoring};
    use crate::search::Report;
    use crate::selfplay::params::{EndParams, Settings};
    use crate::selfplay::player::Judge;
    use crate::selfplay::record::{Ending, GameRecord};
    use crate::util::{Rng, StopFlag};

    /// Games by playouts on 5x5.
    fn games(count: u64, pairs: &[(&str, &str)]) -> Vec<GameRecord> {
        let mut settings = Settings::default();
        for (name, value) in [("sizes", "5"), ("visits", "60"), ("cheapVisits", "20"), ("handicapProb", "0")].iter().chain(pairs)
        {
            settings.set(name, value).unwrap();
        }
        let game = |seed| {
            let (stop, visits) = (StopFlag::new(), AtomicU64::new(0));
            play(&settings, &Judge::Playouts, String::new(), Rng::new(seed), &stop, &visits).unwrap()
        };
        (0..count).map(game).collect()
    }

    #[test]
    fn a_quarter_of_the_searches_is_full() {
        let games = games(20, &[("rules", "tromp-taylor"), ("sureFullShare", "1")]);
        let turns: Vec<_> = games.iter().flat_map(|game| &game.turns).collect();
        let full = turns.iter().filter(|turn| turn.is_full).count() as f32 / turns.len() as f32;
        assert!(turns.len() > 200 && (0.17..0.33).contains(&full), "{full} of {}", turns.len());
        assert!(turns.iter().all(|turn| turn.visits == if turn.is_full { 60 } else { 20 }));
        assert!(turns.iter().all(|turn| turn.is_full || turn.q_values.is_empty()));
        for game in games {
            assert_eq!(game.turns.len() + game.opening, game.end.moves().len());
        }
    }

    #[test]
    fn territory_games_go_through_both_cleanup_phases() {
        let games = games(6, &[("rules", "japanese"), ("playOnProb", "1"), ("maxMoves", "20")]);
        let finished = games.iter().filter(|game| matches!(game.ending, Ending::Finished(_)));
        let mut count = 0;
        for game in finished.filter(|game| !matches!(game.ending, Ending::Finished(crate::rules::Outcome::NoResult))) {
            assert_eq!((game.end.rules().scoring, game.end.phase()), (Scoring::Territory, Phase::Cleanup2));
            // Each phase ends by two passes, or by one that repeats a situation.
            assert!(game.end.moves().iter().filter(|(_, mv)| mv.is_pass()).count() >= 3, "{:?}", game.end.moves());
            count += 1;
        }
        assert!(count >= 4, "{count} of 6");
    }

    #[test]
    fn games_end_early_when_both_sides_are_sure_but_for_a_share() {
        let early = games(8, &[("playOnProb", "0"), ("sureWinrate", "0.8"), ("sureTurns", "2"), ("sureMinMoves", "0")]);
        assert!(early.iter().filter(|game| matches!(game.ending, Ending::Sure(_))).count() >= 6);
        let late = games(8, &[("playOnProb", "1"), ("sureWinrate", "0.8"), ("sureTurns", "2")]);
        assert!(late.iter().all(|game| !matches!(game.ending, Ending::Sure(_))));
        assert!(early.iter().all(|game| game.turned().is_none()));
        assert!(late.iter().filter(|game| game.turned() == Some(false)).count() >= 3, "most were right");
    }

    #[test]
    fn sureness_is_a_streak_of_both_sides() {
        let params = EndParams { sure_winrate: 0.9, sure_turns: 3, sure_min_moves: 0.2, ..EndParams::default() };
        let mut sureness = Sureness::new(&params, 25, &mut Rng::new(1));
        let mut moves = 3;
        let mut after = |to_move, winrate| {
            sureness.note(moves, &Report { winrate, ..report(to_move) });
            moves += 1;
            sureness.winner()
        };
        assert_eq!(after(Color::White, 0.05), None);
        assert_eq!(after(Color::Black, 0.95), None, "too early to count");
        assert_eq!(after(Color::Black, 0.95), None);
        assert_eq!(after(Color::White, 0.05), None);
        assert_eq!(after(Color::Black, 0.95), Some(Color::Black));
        assert_eq!(after(Color::White, 0.5), None);
        for (color, winrate, winner) in
            [(Color::Black, 0.0, None), (Color::White, 1.0, None), (Color::Black, 0.1, Some(Color::White))]
        {
            assert_eq!(after(color, winrate), winner);
        }
        assert_eq!(after(Color::White, 0.05), None, "a new streak");
        assert_eq!(sureness.first, Some(Color::Black));
    }

    fn report(to_move: Color) -> Report {
        Report {
            to_move,
            visits: 1,
            playouts: 1,
            winrate: 0.5,
            utility: 0.0,
            lead: 0.0,
            score_mean: 0.0,
            score_stdev: 0.0,
            no_result: 0.0,
            raw: None,
            candidates: Vec::new(),
            ownership: Vec::new(),
            ownership_stdev: Vec::new(),
            elapsed: std::time::Duration::ZERO,
            book_games: None,
        }
    }
}
