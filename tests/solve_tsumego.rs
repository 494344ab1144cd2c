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
use tengen::solve::{Checked, LocalAnswer, LocalTask, Status, solve_local};
use tengen::util::{Rng, StopFlag};

fn rules() -> Rules {
    Rules { suicide: false, ..Rules::parse("tromp-taylor").unwrap() }
}

/// As `tengen solve` does it, with two threads: proofs, and a tree search by a network or by playouts.
fn solve(
    board: Board,
    first: Color,
    at: Option<&str>,
    time: Duration,
    network: Option<&Arc<LoadedNetwork>>,
    check: u64,
) -> LocalAnswer {
    let at = at.map(|at| board.size().parse_vertex(at).unwrap().point().unwrap());
    let position = Position::from_board(board, first, rules());
    let (stop, settings) = (StopFlag::new(), Settings::default());
    let task = LocalTask { at, region: None, first, time, memory: 1 << 28, threads: 2, settings: &settings, check, stop: &stop };
    let evaluator = network.map(|network| {
        |number| -> Box<dyn Evaluator<Position>> {
            Box::new(NetEvaluator::new(Arc::clone(network), &settings.network, Rng::for_stream(0, number)))
        }
    });
    solve_local(&position, &task, evaluator.as_ref().map(|make| make as _)).unwrap()
}

/// What is proved of the chain at `at`, and played out. On a busy machine the survey has few playouts, and the region that it finds may be one whose surroundings cannot be laid out to be played on:
/// then it is asked again.
fn proved(drawing: &str, first: Color, at: &str) -> LocalAnswer {
    let ask = |_| solve(Board::from_drawing(drawing).unwrap(), first, Some(at), Duration::from_secs(20), None, 100_000);
    let answer = (0..8).map(ask).find(|answer| answer.checked != Some(Checked::Unfit)).unwrap();
    assert!(matches!(answer.checked, Some(Checked::Whole(1..))), "{answer:?}");
    answer
}

/// Status with each side first.
fn statuses(drawing: &str, at: &str) -> [Status; 2] {
    Color::ALL.map(|first| proved(drawing, first, at).status)
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
    let answer = proved(board, Color::White, "E5");
    assert_eq!(answer.status, Status::Ko, "{answer:?}");
    // Two proofs, one for each side's kos.
    assert!(matches!(answer.checked, Some(Checked::Whole(3..))), "{answer:?}");
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
    let answer = solve(board, Color::Black, None, Duration::from_secs(5), None, 0);
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

/// A problem of the collection.
struct Problem {
    id: u64,
    kind: String,
    rank: String,
    board: Board,
    first: Color,
    correct: Vec<Point>,
}

impl Problem {
    /// From a line of the file.
    fn read(line: &str) -> Self {
        let problem: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| problem[key].as_str().unwrap().to_owned();
        let size = Size::square(problem["size"].as_u64().unwrap() as usize).unwrap();
        let stones = [("black", Color::Black), ("white", Color::White)];
        let stones: Vec<_> = stones
            .into_iter()
            .flat_map(|(name, color)| points(size, &problem[name]).into_iter().map(move |point| (point, Some(color))))
            .collect();
        let mut board = Board::new(size);
        board.set_up(&stones).unwrap();
        let (first, correct) = (text("to_play").parse().unwrap(), points(size, &problem["correct"]));
        Self { id: problem["id"].as_u64().unwrap(), kind: text("kind"), rank: text("rank"), board, first, correct }
    }

    /// All of the kinds in question.
    fn all() -> Option<Vec<Self>> {
        let text = std::fs::read_to_string(common::shared("golden/tsumego-sample.jsonl")?).unwrap();
        let kinds = ["lifeAndDeath", "captureRace", "capture"];
        Some(text.lines().map(Self::read).filter(|problem| kinds.contains(&problem.kind.as_str())).collect())
    }
}

/// Some of the collection, at a second each. What is proved must play out, wherever it differs from what the collection means.
#[test]
#[ignore = "half a minute"]
fn proofs_from_the_collection_can_be_played_out() {
    let Some(problems) = Problem::all() else { return };
    let (mut whole, mut part, mut unfit) = (0, 0, 0);
    for problem in problems.into_iter().step_by(20) {
        let answer = solve(problem.board, problem.first, None, Duration::from_secs(1), None, 20_000);
        println!("{}: {:?}, {:?}", problem.id, answer.status, answer.checked);
        match answer.checked {
            Some(Checked::Whole(_)) => whole += 1,
            Some(Checked::Part(_)) => part += 1,
            Some(Checked::Unfit) => unfit += 1,
            None => {}
        }
    }
    println!("{whole} played out, {part} in part, {unfit} cannot be laid out");
    assert!(whole + part > 3, "{whole}, {part}");
}

/// Every third problem of the file, TENGEN_TSUMEGO_SECONDS for each; without that it is not run, as 5 make a quarter of an hour. The network is the file TENGEN_SOLVE_NET, none by default;
/// TENGEN_TSUMEGO_ONLY names some problems, with commas between; TENGEN_TSUMEGO_CHECK is how many positions of each proof are played out. Prints a line for each.
#[test]
#[ignore = "a quarter of an hour"]
fn graded_problems() {
    let Some(problems) = Problem::all() else { return };
    let Ok(seconds) = std::env::var("TENGEN_TSUMEGO_SECONDS") else {
        println!("skipped: TENGEN_TSUMEGO_SECONDS says how long to look at each problem");
        return;
    };
    let time = Duration::from_secs_f64(seconds.parse().unwrap());
    let network = std::env::var_os("TENGEN_SOLVE_NET").map(|file| Arc::new(LoadedNetwork::read(Path::new(&file), 0).unwrap()));
    let only = std::env::var("TENGEN_TSUMEGO_ONLY").ok();
    let is_asked =
        |id: u64| only.as_ref().map_or(id.is_multiple_of(3), |only| only.split(',').any(|other| other == id.to_string()));
    let check = std::env::var("TENGEN_TSUMEGO_CHECK").map_or(0, |positions| positions.parse().unwrap());
    let (mut right, mut proved, mut wrong, mut all) = (0, 0, 0, 0);
    for Problem { id, kind, rank, board, first, correct } in problems.into_iter().filter(|problem| is_asked(problem.id)) {
        let size = board.size();
        let answer = solve(board, first, None, time, network.as_ref(), check);
        let is_right = |mv: &Move| mv.point().is_some_and(|point| correct.contains(&point));
        let choice = answer.winning.first().or(answer.likely.first());
        let good = choice.is_some_and(is_right);
        all += 1;
        right += usize::from(good);
        let is_proof = !answer.winning.is_empty();
        proved += usize::from(is_proof);
        wrong += usize::from(is_proof && !good);
        let name = |mv: &Move| size.vertex(*mv);
        let names = |points: &[Point]| points.iter().map(|&point| size.vertex(point)).collect::<Vec<_>>();
        println!(
            "{id} {kind} {rank} {}: {:?} {} {:?} should be {:?}; target {} {:?}, {} points, {} nodes, {:?}",
            if good { "right" } else { "WRONG" },
            answer.status,
            if is_proof { "by" } else { "perhaps" },
            answer.winning.iter().chain(answer.likely.iter().take(3)).map(name).collect::<Vec<_>>(),
            names(&correct),
            answer.defender,
            names(&answer.target.iter().collect::<Vec<_>>()),
            answer.region.len(),
            answer.nodes,
            answer.checked,
        );
    }
    println!("{right} of {all} right; {proved} with a proof, of which {wrong} are not what the collection says");
    assert!(only.is_some() || right * 100 >= all * 50, "{right} of {all}");
}
