//! Fights that are read before a search: what is vital, and that searches of few visits find it.

mod common;

use std::sync::Arc;

use serde_json::Value;
use tengen::board::{Board, Color, Coord, Move, Point, Size};
use tengen::engine::Engine;
use tengen::nn::LoadedNetwork;
use tengen::params::{BackendKind, Device, NetworkFile, Settings};
use tengen::rules::{Position, Rules};
use tengen::search::{Limits, Restriction, SearchOptions};
use tengen::solve::{Reader, Vital};
use tengen::util::StopFlag;

/// What is vital for `to_move`, by the names of the points.
fn vital(drawing: &str, to_move: Color) -> Vec<(usize, Vec<String>)> {
    let board = Board::from_drawing(drawing).unwrap();
    let size = board.size();
    let position = Position::from_board(board, to_move, Rules::parse("chinese").unwrap());
    let name = |point: &Point| size.vertex(Move::from(*point));
    let names = |vital: Vital| (vital.stones, vital.moves.iter().map(name).collect());
    Reader::default().read(&position, 20_000, None).into_iter().map(names).collect()
}

fn found(stones: usize, moves: &[&str]) -> (usize, Vec<String>) {
    (stones, moves.iter().map(|&mv| mv.to_owned()).collect())
}

#[test]
fn an_eye_space_and_a_chase_are_decided_by_who_moves_first() {
    // Black lives at B9; the two white stones are taken from either side, and run at G9.
    let board = "
        . . . X O . . . .
        X X X X O . . . .
        O O O O X X X X .
        . . . O X . . . .
        . . . O O O O O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    assert_eq!(vital(board, Color::Black), [found(5, &["B9"]), found(2, &["F9", "F8"])]);
    assert_eq!(vital(board, Color::White), [found(5, &["B9"]), found(2, &["G9"])]);
}

#[test]
fn a_race_is_decided_by_who_moves_first() {
    // Three liberties each, and neither has an eye.
    let board = "
        . . . X O . . X .
        O X X X O O O X .
        O X O O X X X X .
        O O O . X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    assert_eq!(vital(board, Color::Black), [found(5, &["G9"]), found(4, &["G9"])]);
    assert_eq!(vital(board, Color::White), [found(5, &["B9"]), found(4, &["B9"])]);
}

#[test]
fn a_ladder_is_read_across_the_board() {
    let ladder = |breaker| {
        format!(
            "
        . . . . . . . . .
        . . . O . . . . .
        . . O X . . . . .
        . . O . . . . . .
        . . . . . . . . .
        . . . . . . {breaker} . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . ."
        )
    };
    assert_eq!(vital(&ladder('.'), Color::White), [found(1, &["E7"])]);
    assert_eq!(vital(&ladder('.'), Color::Black), [found(1, &["E7", "D6"])]);
    // A black stone on the way, and nobody catches anything.
    for to_move in Color::ALL {
        assert_eq!(vital(&ladder('X'), to_move), []);
    }
}

#[test]
fn answers_are_kept_until_somebody_plays_nearby() {
    let board = Board::from_drawing(
        "
        . . . X O . . . .
        X X X X O . . . .
        O O O O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .",
    )
    .unwrap();
    let size = board.size();
    let mut position = Position::from_board(board, Color::Black, Rules::parse("chinese").unwrap());
    let mut reader = Reader::default();
    let first = reader.read(&position, 20_000, None);
    for vertex in ["H2", "G3"] {
        position.play(size.parse_vertex(vertex).unwrap()).unwrap();
    }
    assert_eq!(reader.read(&position, 20_000, None), first);
    // White fills the eye.
    position.set_to_move(Color::White);
    position.play(size.parse_vertex("B9").unwrap()).unwrap();
    assert_eq!(reader.read(&position, 20_000, None), []);
    assert_eq!(reader.read(&position, 0, None), []);
}

/// A problem of the collection, with a restriction to what is near its stones.
struct Problem {
    position: Position,
    correct: Vec<Move>,
    near: Vec<Move>,
}

fn point(size: Size, text: &str) -> Point {
    let [x, y] = text.as_bytes() else { panic!("{text}") };
    size.at(Coord { x: x - b'a', y: y - b'a' }).unwrap()
}

fn problems(kinds: &[&str]) -> Option<Vec<Problem>> {
    let text = std::fs::read_to_string(common::shared("golden/tsumego-sample.jsonl")?).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let read = |problem: Value| {
        let size = Size::square(problem["size"].as_u64().unwrap() as usize).unwrap();
        let points = |key: &str| -> Vec<Point> {
            problem[key].as_array().unwrap().iter().map(|text| point(size, text.as_str().unwrap())).collect()
        };
        let stones = [("black", Color::Black), ("white", Color::White)];
        let stones: Vec<_> =
            stones.iter().flat_map(|&(key, color)| points(key).into_iter().map(move |point| (point, Some(color)))).collect();
        let mut board = Board::new(size);
        board.set_up(&stones).unwrap();
        let first = problem["to_play"].as_str().unwrap().parse().unwrap();
        let correct = points("correct").into_iter().map(Move::from).collect();
        let is_near = |point: &Point| {
            stones.iter().any(|(stone, _)| {
                let (a, b) = (size.coord(*point), size.coord(*stone));
                a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) <= 2
            })
        };
        let near = size.points().filter(is_near).map(Move::from).collect();
        let position = Position::from_board(board, first, Rules::parse("chinese").unwrap());
        Problem { position, correct, near }
    };
    Some(lines.filter(|problem| kinds.contains(&problem["kind"].as_str().unwrap())).map(read).collect())
}

/// How often the first move is right, without reading and with it, by a search of so many visits near the stones.
fn right(problems: &[Problem], network: &Arc<LoadedNetwork>, visits: u64) -> [usize; 2] {
    [false, true].map(|reads| {
        let is_right = |problem: &&Problem| {
            let mut settings = Settings::default();
            settings.search.threads = 1;
            settings.search.seed = Some(1);
            settings.search.read_fights = reads;
            let mut engine = Engine::with_network(settings, problem.position.clone(), Arc::clone(network));
            let only = |player| Restriction { player, actions: problem.near.clone(), only: true, until_depth: 100 };
            let options = SearchOptions { restrictions: vec![only(0), only(1)], ..SearchOptions::default() };
            let limits = Limits { visits: Some(visits), ..Limits::default() };
            let report = engine.analyze(problem.position.to_move(), &limits, &options, &StopFlag::new(), None);
            report.candidates.first().is_some_and(|best| problem.correct.contains(&best.mv))
        };
        problems.iter().filter(is_right).count()
    })
}

/// Captures and races of the collection: a network of few visits misses some that are read.
#[cfg(feature = "embedded-net")]
#[test]
#[ignore = "half a minute"]
fn captures_and_races_are_found_that_were_missed() {
    let Some(problems) = problems(&["captureRace", "capture"]) else { return };
    let network = LoadedNetwork::named(&NetworkFile::Embedded, BackendKind::Cpu, Device::Auto, 1 << 20);
    let network = Arc::new(network.unwrap());
    for visits in [8, 32] {
        let right = right(&problems, &network, visits);
        println!("{visits} visits: {} of {} right, with reading {}", right[0], problems.len(), right[1]);
        assert!(right[1] > right[0], "{right:?}");
    }
}
