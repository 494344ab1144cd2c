//! Local problems: small ones with known answers, and a graded collection.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tengen::board::{Board, Color, Coord, Move, Point, Size};
use tengen::eval::Evaluator;
use tengen::nn::{LoadedNetwork, NetEvaluator};
use tengen::params::Settings;
use tengen::rules::{Position, Rules};
use tengen::solve::{LocalAnswer, LocalTask, Status, solve_local};
use tengen::util::{Rng, StopFlag};

fn rules() -> Rules {
    Rules { suicide: false, ..Rules::parse("tromp-taylor").unwrap() }
}

/// As `tengen solve` does it, with two threads: proofs, and a tree search by a network or by playouts.
fn solve(board: Board, first: Color, at: Option<&str>, time: Duration, network: Option<&Arc<LoadedNetwork>>) -> LocalAnswer {
    let at = at.map(|at| board.size().parse_vertex(at).unwrap().point().unwrap());
    let position = Position::from_board(board, first, rules());
    let (stop, settings) = (StopFlag::new(), Settings::default());
    let task = LocalTask { at, region: None, first, time, memory: 1 << 28, threads: 2, settings: &settings, stop: &stop };
    let evaluator = network.map(|network| {
        |number| -> Box<dyn Evaluator<Position>> {
            Box::new(NetEvaluator::new(Arc::clone(network), &settings.network, Rng::for_stream(0, number)))
        }
    });
    solve_local(&position, &task, evaluator.as_ref().map(|make| make as _)).unwrap()
}

/// Status with each side first.
fn statuses(drawing: &str, at: &str) -> [Status; 2] {
    Color::ALL.map(|first| {
        let answer = solve(Board::from_drawing(drawing).unwrap(), first, Some(at), Duration::from_secs(20), None);
        println!("{first} first: {answer:?}");
        answer.status
    })
}

#[test]
fn three_in_a_row_is_settled_by_who_comes_first() {
    let board = "
        . . . O X . .
        O O O O X . .
        X X X X X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    assert_eq!(statuses(board, "D7"), [Status::Captured, Status::Saved]);
}

#[test]
fn four_in_a_row_lives_and_a_square_of_four_is_dead() {
    let row = "
        . . . . O X .
        O O O O O X .
        X X X X X X .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    assert_eq!(statuses(row, "E7"), [Status::Saved, Status::Saved]);
    let square = "
        . . O X . . .
        . . O X . . .
        O O O X . . .
        X X X X . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    assert_eq!(statuses(square, "C7"), [Status::Captured, Status::Captured]);
}

#[test]
fn a_stone_in_the_eye_space_can_be_taken() {
    let board = "
        . . . . . X .
        . O . O X . .
        . . . O X . O
        . . . O X X .
        . . . O O O O
        . . . . . . .
        . . . . . . .";
    assert_eq!(statuses(board, "E6"), [Status::Saved, Status::Captured]);
}

#[test]
fn what_hangs_on_a_ko_is_told_apart() {
    let board = "
        . . O X . .
        . . O . X .
        . . . O X .
        . . . O X O
        . . . O X X
        . . . O O O
        . . . . . .";
    let answer = solve(Board::from_drawing(board).unwrap(), Color::White, Some("E5"), Duration::from_secs(20), None);
    assert_eq!(answer.status, Status::Ko, "{answer:?}");
}

#[test]
fn the_chain_in_question_is_found() {
    let board = Board::from_drawing(
        "
        . . . O X . . . .
        O O O O X . . . .
        X X X X X . . . .
        . . . . . . . . .
        . . . . . . X . .
        . . O . . . . . .
        . . . . . . O . .
        . . X . . . . . .
        . . . . . . . . .",
    )
    .unwrap();
    let answer = solve(board, Color::Black, None, Duration::from_secs(5), None);
    let names: Vec<String> = answer.winning.iter().map(|&mv| Size::square(9).unwrap().vertex(mv)).collect();
    assert_eq!((answer.status, names), (Status::Captured, vec!["B9".to_owned()]), "{answer:?}");
}

fn point(size: Size, text: &str) -> Point {
    let [x, y] = text.as_bytes() else { panic!("{text}") };
    size.at(Coord { x: x - b'a', y: y - b'a' }).unwrap()
}

fn points(size: Size, list: &Value) -> Vec<Point> {
    list.as_array().unwrap().iter().map(|text| point(size, text.as_str().unwrap())).collect()
}

/// Every third problem, TENGEN_TSUMEGO_SECONDS for each; without that it is not run, as 5 make a quarter of an hour. The network is the file TENGEN_SOLVE_NET, none by default.
/// Prints a line for each.
#[test]
#[ignore = "a quarter of an hour"]
fn graded_problems() {
    let Some(file) = common::shared("golden/tsumego-sample.jsonl") else { return };
    let Ok(seconds) = std::env::var("TENGEN_TSUMEGO_SECONDS") else {
        println!("skipped: TENGEN_TSUMEGO_SECONDS says how long to look at each problem");
        return;
    };
    let seconds: f64 = seconds.parse().unwrap();
    let network = std::env::var_os("TENGEN_SOLVE_NET").map(|file| Arc::new(LoadedNetwork::read(Path::new(&file), 0).unwrap()));
    let (mut right, mut proved, mut wrong, mut all) = (0, 0, 0, 0);
    for line in std::fs::read_to_string(file).unwrap().lines().step_by(3) {
        let problem: Value = serde_json::from_str(line).unwrap();
        let kind = problem["kind"].as_str().unwrap();
        if !["lifeAndDeath", "captureRace", "capture"].contains(&kind) {
            continue;
        }
        let size = Size::square(problem["size"].as_u64().unwrap() as usize).unwrap();
        let first = problem["to_play"].as_str().unwrap().parse::<Color>().unwrap();
        let mut board = Board::new(size);
        let stones = [("black", Color::Black), ("white", Color::White)].into_iter().flat_map(|(name, color)| {
            points(size, &problem[name]).into_iter().map(move |point| (point, Some(color))).collect::<Vec<_>>()
        });
        board.set_up(&stones.collect::<Vec<_>>()).unwrap();
        let answer = solve(board, first, None, Duration::from_secs_f64(seconds), network.as_ref());
        let correct = points(size, &problem["correct"]);
        let is_right = |mv: &Move| mv.point().is_some_and(|point| correct.contains(&point));
        let choice = answer.winning.first().or(answer.likely.first());
        let good = choice.is_some_and(is_right);
        all += 1;
        right += usize::from(good);
        let is_proof = !answer.winning.is_empty();
        proved += usize::from(is_proof);
        wrong += usize::from(is_proof && !good);
        let name = |mv: &Move| size.vertex(*mv);
        println!(
            "{} {kind} {} {}: {:?} {} {:?} should be {:?}; target {} {:?}, {} points, {} nodes",
            problem["id"],
            problem["rank"],
            if good { "right" } else { "WRONG" },
            answer.status,
            if is_proof { "by" } else { "perhaps" },
            answer.winning.iter().chain(answer.likely.iter().take(3)).map(name).collect::<Vec<_>>(),
            correct.iter().map(|&point| size.vertex(point)).collect::<Vec<_>>(),
            answer.defender,
            answer.target.iter().map(|point| size.vertex(point)).collect::<Vec<_>>(),
            answer.region.len(),
            answer.nodes,
        );
    }
    println!("{right} of {all} right; {proved} with a proof, of which {wrong} are not what the collection says");
    assert!(right * 100 >= all * 50, "{right} of {all}");
}
