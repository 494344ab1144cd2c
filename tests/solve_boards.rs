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
    let mut task = BoardTask { time: None, stop: &stop, check, memory: 1 << 26, tell: &mut |_, _, _| () };
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
        let mut task = BoardTask { time, stop: &stop, check: 0, memory: 1 << 20, tell: &mut |_, _, _| () };
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
