//! The engine's own judgement of finished games, and its passing, against real records.

mod common;

use std::time::{Duration, Instant};

use common::finished::finished_games;
use tengen::board::{Move, Point, PointSet};
use tengen::engine::{Decision, Ending, Engine, judge};
use tengen::params::{PlayoutParams, Settings};
use tengen::rules::Scoring;
use tengen::search::{Limits, SearchOptions};
use tengen::util::StopFlag;

#[test]
fn nine_of_ten_finished_games_are_judged_as_recorded() {
    let games = finished_games();
    let (mut right, mut slowest) = (0, Duration::ZERO);
    for game in &games {
        let begun = Instant::now();
        let judgement = judge(&game.position, &PlayoutParams::default());
        slowest = slowest.max(begun.elapsed());
        if (judgement.score - game.score()).abs() < 0.01 {
            right += 1;
        } else {
            println!("line {}: judged {}, recorded {}", game.line, judgement.score, game.score());
        }
    }
    println!("{right} of {} judged as recorded, the slowest in {slowest:?}", games.len());
    assert!(games.is_empty() || games.len() == 541);
    assert!(right * 10 >= games.len() * 9);
}

/// The opponent passes, and passes again: the engine passes with its second move at the latest, and its judgement of the end has the
/// recorded winner.
#[test]
fn a_pass_is_answered_by_a_pass_and_no_result_is_turned() {
    let mut settings = Settings::default();
    settings.search.seed = Some(1);
    settings.search.max_playouts = Some(1_000);
    let (mut late, mut turned) = (Vec::new(), Vec::new());
    for game in finished_games().iter().step_by(5).take(100) {
        for scoring in [Scoring::Area, Scoring::Territory] {
            let position = game.before_passes(scoring);
            let recorded = position.judged_score(&game.dead, &PointSet::EMPTY);
            let mut engine = Engine::new(settings.clone(), position);
            let passes = (0..2).any(|_| {
                let opponent = engine.position().to_move();
                engine.play(opponent, Move::PASS).unwrap();
                let (decision, _) = engine.choose(
                    !opponent,
                    &Limits::default(),
                    &SearchOptions::default(),
                    Ending::Usual,
                    &StopFlag::new(),
                    None,
                );
                let Decision::Play(mv) = decision else { return true };
                engine.play(!opponent, mv).unwrap();
                mv.is_pass()
            });
            if !passes {
                late.push((game.line, scoring));
            }
            // The end by the record's dead stones; a stone that the engine has added in the other's area is dead too.
            let start = game.before_passes(scoring);
            let owners = start.judged_owners(&game.dead, &PointSet::EMPTY);
            let board = engine.position().board();
            let dies = |&point: &Point| match board.stone(point) {
                Some(_) if start.board().stone(point).is_some() => game.dead.contains(point),
                Some(color) => owners.owner(point) == Some(!color),
                None => false,
            };
            let dead = board.size().points().filter(dies).collect();
            let end = engine.position().judged_score(&dead, &PointSet::EMPTY);
            if end.signum() != recorded.signum() {
                turned.push((game.line, scoring, recorded, end));
            }
        }
    }
    println!("not passed: {late:?}\nturned: {turned:?}");
    assert!(late.is_empty() && turned.is_empty());
}
