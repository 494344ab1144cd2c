//! Positions against what KataGo says of them, and finished games against their recorded scores (shared reference material).

mod common;

use std::fs;

use common::setup::{Golden, golden, golden_files};
use serde_json::Value;
use tengen::board::Symmetry;
use tengen::board::{Board, Color, Move, Point, PointSet, Size};
use tengen::rules::{Position, Rules};

/// The points where KataGo's network may play are exactly our legal moves: under every rule set, in cleanup phases, with superko,
/// barred kos and passes for ko.
#[test]
fn legal_moves_are_those_of_katago() {
    let files = golden_files();
    if files.is_empty() {
        return;
    }
    let (mut positions, mut wrong) = (0, Vec::new());
    for Golden { name, answer, position } in files.iter().flat_map(|file| golden(file, Symmetry::IDENTITY)) {
        positions += 1;
        let position = match position {
            Ok(position) => position,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let policy: Vec<&Value> = answer["policy"].as_array().unwrap().iter().flat_map(flat).collect();
        assert_eq!(policy.len(), position.size().area());
        for (point, value) in position.size().points().zip(policy) {
            if position.is_legal(Move::from(point)) == value.is_null() {
                let vertex = position.size().vertex(point);
                wrong.push(format!("{name}: {vertex} KataGo: {value}{:?}", position.board()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {positions} positions:\n{}", wrong.len(), wrong.join("\n"));
    assert!(positions > 300);
}

/// A row of numbers, or a number.
fn flat(value: &Value) -> Vec<&Value> {
    value.as_array().map_or(vec![value], |row| row.iter().collect())
}

fn points(size: Size, names: &Value) -> PointSet {
    names.as_array().unwrap().iter().map(|name| point(size, name.as_str().unwrap())).collect()
}

/// A point in SGF's letters.
fn point(size: Size, name: &str) -> Point {
    let letters: Vec<usize> = name.bytes().map(|letter| (letter - b'a') as usize).collect();
    size.point(letters[0], letters[1]).unwrap()
}

#[test]
fn finished_games_replay_and_score_as_recorded() {
    let Some(file) = common::shared("golden/final-scores.jsonl") else { return };
    let (mut games, mut scored) = (0, 0);
    for line in fs::read_to_string(file).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let size = Size::square(row["size"].as_u64().unwrap() as usize).unwrap();
        let handicap: Vec<_> = points(size, &row["setup_black"]).iter().map(|point| (point, Some(Color::Black))).collect();
        let mut board = Board::new(size);
        board.set_up(&handicap).unwrap();
        let first: Color = row["moves"][0].as_str().unwrap()[..1].parse().unwrap();
        let komi = row["komi"].as_f64().unwrap() as f32;
        let rules = Rules::from_sgf(row["rules"].as_str().unwrap()).unwrap_or_default().with_komi(komi);
        let mut position = Position::from_board(board, first, rules);
        position.set_cleanup_played(false);
        for mv in row["moves"].as_array().unwrap() {
            let (color, name) = mv.as_str().unwrap().split_at(1);
            let mv = if name.is_empty() { Move::PASS } else { point(size, name).into() };
            position.play_as(color.parse().unwrap(), mv).unwrap_or_else(|error| panic!("game {games}: {error}"));
        }
        games += 1;
        assert_eq!(position.board().captures(Color::Black) as u64, row["captured_by_black"].as_u64().unwrap());
        assert_eq!(position.board().captures(Color::White) as u64, row["captured_by_white"].as_u64().unwrap());
        if row["seki"].as_bool().unwrap() {
            continue;
        }
        let mut dead = points(size, &row["dead_black"]);
        dead.extend(&points(size, &row["dead_white"]));
        for (rules, key) in [("japanese", "territory_score"), ("tromp-taylor", "area_score")] {
            let mut board = Position::from_board(position.board().clone(), Color::Black, Rules::parse(rules).unwrap());
            board.set_komi(komi);
            assert_eq!(board.judged_score(&dead, &PointSet::EMPTY), row[key].as_f64().unwrap() as f32, "game {games} {key}");
        }
        scored += 1;
    }
    assert_eq!((games, scored), (573, 541));
}
