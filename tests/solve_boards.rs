//! Whole boards, solved: the known values, every proof played out by the checker, and the fast solver against one that looks at every line.

use tengen::board::{Move, Size};
use tengen::rules::{Position, Rules};
use tengen::solve::{BoardTask, Solution, solve_board, solve_slowly};
use tengen::util::{Rng, StopFlag};

fn rules(changes: &[(&str, &str)]) -> Rules {
    let rules = Rules::parse("tromp-taylor").unwrap().with_komi(0.0);
    changes.iter().fold(rules, |rules, (key, value)| rules.with_setting(key, value).unwrap())
}

fn board(width: usize, height: usize, rules: Rules) -> Position {
    Position::new(Size::new(width, height).unwrap(), rules)
}

fn solve(position: &Position, check: u64) -> Solution {
    let stop = StopFlag::new();
    let mut task = BoardTask { time: None, stop: &stop, check, memory: 1 << 26, bar: None, keep: None, tell: &mut |_, _| () };
    let solution = solve_board(position, &mut task).unwrap();
    println!("{}: {solution:?}", position.size());
    solution
}

#[test]
fn two_by_two_is_black_s_by_one_and_the_proof_is_checked() {
    for suicide in ["true", "false"] {
        let solution = solve(&board(2, 2, rules(&[("suicide", suicide)])), 1_000_000);
        assert_eq!(solution.value, 1.0);
        assert!(solution.checked > 0 && !solution.pv.is_empty());
    }
}

#[test]
fn three_by_three_is_all_black_s_from_the_centre() {
    for suicide in ["true", "false"] {
        let game = board(3, 3, rules(&[("suicide", suicide)]));
        let solution = solve(&game, 10_000_000);
        assert_eq!(solution.value, 9.0);
        assert_eq!(solution.pv[0], Move::from(game.size().point(1, 1).unwrap()));
    }
}

/// Positions of random games, with the history that led there, so that superko forbids this and that.
#[test]
fn the_fast_solver_agrees_with_one_that_looks_at_every_line() {
    let mut rng = Rng::new(4);
    let stop = StopFlag::new();
    let mut compared = 0;
    for turn in 0..36 {
        let ko = ["POSITIONAL", "SITUATIONAL"][turn % 2];
        let suicide = ["true", "false"][turn / 2 % 2];
        let mut game = board(2 + turn % 3 / 2, 2, rules(&[("ko", ko), ("suicide", suicide)]));
        let length = if turn % 3 == 2 { 9 + rng.below(8) } else { rng.below(7) };
        for _ in 0..length {
            let moves: Vec<Move> = game.legal_moves().collect();
            let mut next = game.clone();
            next.play(moves[rng.below(moves.len())]).unwrap();
            if next.is_over() {
                break;
            }
            game = next;
        }
        let time = Some(std::time::Duration::from_millis(300));
        let mut task = BoardTask { time, stop: &stop, check: 0, memory: 1 << 20, bar: None, keep: None, tell: &mut |_, _| () };
        // Some positions of six points have too many lines.
        let Ok(slow) = solve_slowly(&game, &mut task) else { continue };
        let fast = solve(&game, 1_000_000);
        assert_eq!(fast.value, slow.value, "{ko}, suicide {suicide}: {:?} {:?}", game.moves(), game.board());
        compared += 1;
    }
    assert!(compared >= 24, "{compared} compared");
}

#[test]
fn komi_is_counted() {
    assert_eq!(solve(&board(3, 3, rules(&[("suicide", "false")]).with_komi(2.5)), 0).value, 6.5);
}

/// The values of E. van der Werf's table (Solving Go on small boards, 2003; Solving Go for rectangular boards, 2009).
#[test]
fn larger_boards_have_their_known_values() {
    for (width, height, value) in [(2, 3, 0.0), (2, 4, 8.0), (2, 5, 10.0), (3, 4, 4.0), (3, 5, 15.0), (4, 4, 2.0)] {
        assert_eq!(solve(&board(width, height, rules(&[("suicide", "false")])), 0).value, value, "{width}x{height}");
    }
}

#[test]
fn what_is_kept_is_made_use_of_and_broken_files_are_told() {
    let folder = std::env::temp_dir().join(format!("tengen-proofs-{}", std::process::id()));
    let stop = StopFlag::new();
    let rules = rules(&[("suicide", "false")]);
    let look = |size: (usize, usize), time: Option<f64>| {
        let time = time.map(std::time::Duration::from_secs_f64);
        let mut task =
            BoardTask { time, stop: &stop, check: 0, memory: 1 << 26, bar: None, keep: Some(&folder), tell: &mut |_, _| () };
        solve_board(&board(size.0, size.1, rules), &mut task)
    };
    // Stopped on the way, several times on a slow machine.
    let solved = (1..60).find(|&turn| look((3, 4), Some(0.1 * f64::from(turn))).is_ok());
    assert!(solved > Some(1), "not stopped once, or never done: {solved:?}");
    let again = look((3, 4), None).unwrap();
    assert_eq!(again.value, 4.0);
    // Each question ends the other side's search somewhere; without what was kept it takes some 500,000.
    assert!(again.nodes < 150_000, "{} positions though all is known", again.nodes);
    let other_board = look((3, 3), None).unwrap_err().to_string();
    assert!(other_board.contains("3x4") && other_board.contains("3x3") && other_board.contains("black.proofs"), "{other_board}");
    let file = folder.join("white.proofs");
    let bytes = std::fs::read(&file).unwrap();
    for broken in [&bytes[..bytes.len() / 2], &bytes[..5], &b""[..]] {
        std::fs::write(&file, broken).unwrap();
        let error = look((3, 4), None).unwrap_err().to_string();
        assert!(error.contains("white.proofs") && error.contains("broken"), "{error}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn one_lead_can_be_asked_for() {
    let stop = StopFlag::new();
    let game = board(3, 3, rules(&[]));
    let ask = |bar| {
        let task = &mut BoardTask {
            time: None,
            stop: &stop,
            check: 1_000_000,
            memory: 1 << 26,
            bar: Some(bar),
            keep: None,
            tell: &mut |_, _| (),
        };
        let solution = solve_board(&game, task).unwrap();
        assert!(solution.checked > 0);
        solution.value
    };
    assert_eq!(ask(9), 9.0);
    assert_eq!(ask(4), 4.0);
    let mut game = game.clone();
    game.play(Move::PASS).unwrap();
    let task = &mut BoardTask {
        time: None,
        stop: &stop,
        check: 1_000_000,
        memory: 1 << 26,
        bar: Some(-8),
        keep: None,
        tell: &mut |_, _| (),
    };
    assert_eq!(solve_board(&game, task).unwrap().value, -9.0, "White has all of it");
}
