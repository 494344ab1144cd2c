//! The engine's own judgement of finished games, against real records.

mod common;

use std::time::{Duration, Instant};

use tengen::board::{Board, Color, Coord, Move, Point, Size};
use tengen::engine::judge;
use tengen::params::PlayoutParams;
use tengen::rules::{Position, Rules};

/// A finished game: its position, and Black's score by the record.
struct Finished {
    position: Position,
    score: f32,
}

/// The games of `golden/final-scores.jsonl` without seki, under the rule that reproduces the recorded result.
fn finished_games() -> Vec<Finished> {
    let Some(path) = common::shared("golden/final-scores.jsonl") else { return Vec::new() };
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    rows.filter(|row| row["seki"] == false).map(|row| finished(&row)).collect()
}

fn finished(row: &serde_json::Value) -> Finished {
    let size = Size::square(row["size"].as_u64().unwrap() as usize).unwrap();
    let point = |text: &str| -> Point {
        let [x, y] = text.as_bytes() else { panic!("{text}") };
        size.at(Coord { x: x - b'a', y: y - b'a' }).unwrap()
    };
    let territory = row["matches"] != "area";
    let rules = Rules::parse(if territory { "japanese" } else { "chinese" }).unwrap();
    let komi = row["komi"].as_f64().unwrap() as f32;
    let mut board = Board::new(size);
    let stones: Vec<_> =
        row["setup_black"].as_array().unwrap().iter().map(|at| (point(at.as_str().unwrap()), Some(Color::Black))).collect();
    board.set_up(&stones).unwrap();
    let first = row["moves"][0].as_str().map_or(Color::Black, |mv| mv[..1].parse().unwrap());
    let mut position = Position::from_board(board, first, rules.with_komi(komi));
    position.set_cleanup_played(false);
    for mv in row["moves"].as_array().unwrap() {
        let mv = mv.as_str().unwrap();
        let to = if mv.len() == 1 { Move::PASS } else { point(&mv[1..]).into() };
        position.play_as(mv[..1].parse().unwrap(), to).unwrap();
    }
    let key = if territory { "territory_score" } else { "area_score" };
    let handicap = rules.handicap_bonus.points(position.handicap_stones()) as f32;
    Finished { position, score: row[key].as_f64().unwrap() as f32 - handicap }
}

#[test]
fn nine_of_ten_finished_games_are_judged_as_recorded() {
    let games = finished_games();
    let (mut right, mut slowest) = (0, Duration::ZERO);
    for game in &games {
        let begun = Instant::now();
        let judgement = judge(&game.position, &PlayoutParams::default());
        slowest = slowest.max(begun.elapsed());
        if (judgement.score - game.score).abs() < 0.01 {
            right += 1;
        }
    }
    println!("{right} of {} judged as recorded, the slowest in {slowest:?}", games.len());
    assert!(right * 10 >= games.len() * 9);
}
