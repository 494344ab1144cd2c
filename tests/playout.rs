//! Playouts: each move as likely as it should be, games that really end, scores that are right.

use std::collections::HashMap;

use tengen::board::{Board, Color, Move, Point, Size};
use tengen::playout::{Playout, PlayoutParams, PlayoutPolicy, Trace};
use tengen::util::Rng;

fn player(policy: PlayoutPolicy) -> Playout {
    Playout::new(PlayoutParams { policy, ..PlayoutParams::default() })
}

/// Area by flood fill, as the rules say it: stones, and empty regions that reach one colour only.
fn slow_owners(board: &Board) -> HashMap<Point, Color> {
    let mut owners = HashMap::new();
    for point in board.size().points() {
        let (mut region, mut reached, mut next) = (vec![point], Vec::new(), 0);
        while next < region.len() {
            match board.stone(region[next]) {
                Some(color) => reached.push(color),
                None => region.extend(board.neighbors(region[next]).filter(|near| !region.contains(near)).collect::<Vec<_>>()),
            }
            next += 1;
        }
        let one = Color::ALL.into_iter().find(|color| reached.contains(color) && !reached.contains(&!*color));
        owners.extend(one.map(|color| (point, color)));
    }
    owners
}

/// A board some random moves into a game.
fn random_board(size: Size, moves: usize, rng: &mut Rng) -> Board {
    let mut board = Board::new(size);
    for turn in 0..moves {
        let color = Color::ALL[turn % 2];
        let legal: Vec<Point> = size.points().filter(|&point| board.is_legal(color, point)).collect();
        if !legal.is_empty() {
            board.play(color, legal[rng.below(legal.len())]);
        }
    }
    board
}

#[test]
fn each_playable_move_is_equally_likely_and_no_other_is_played() {
    // Black may not fill B5 (a true eye) nor play A1 (suicide); E5 is a false eye and so playable.
    let board = Board::from_drawing("X . X X .\nX X X O X\n. . O O .\nO O O . .\n. O . . O").unwrap();
    let playable: Vec<Point> = board
        .size()
        .points()
        .filter(|&point| board.is_legal(Color::Black, point) && !board.is_true_eye(Color::Black, point))
        .collect();
    let names: Vec<String> = playable.iter().map(|&point| board.size().vertex(point)).collect();
    assert_eq!(names, ["E5", "A3", "B3", "E3", "D2", "E2", "C1", "D1"]);
    let (mut playout, mut rng, mut trace) = (player(PlayoutPolicy::Uniform), Rng::new(11), Trace::new());
    let mut counts: HashMap<Point, f64> = HashMap::new();
    let games = 80_000;
    for _ in 0..games {
        playout.run(&board, Color::Black, [Move::PASS; 2], &mut rng, &mut trace);
        let (color, first) = trace.moves().next().unwrap();
        assert_eq!(color, Color::Black);
        *counts.entry(first.point().unwrap()).or_default() += 1.0;
    }
    let expected = f64::from(games) / playable.len() as f64;
    let chi_square: f64 = playable.iter().map(|point| (counts[point] - expected).powi(2) / expected).sum();
    assert_eq!(counts.len(), playable.len());
    // Seven degrees of freedom: above 24.3 only once in a thousand seeds.
    assert!(chi_square < 24.3, "{chi_square} {counts:?}");
}

#[test]
fn playouts_are_legal_games_whose_final_count_is_the_rules() {
    let mut rng = Rng::new(5);
    for policy in [PlayoutPolicy::Uniform, PlayoutPolicy::Light] {
        let (mut playout, mut trace) = (player(policy), Trace::new());
        for (width, height, games) in
            [(2, 2, 200), (2, 7, 200), (3, 3, 200), (5, 5, 200), (9, 9, 200), (25, 4, 50), (19, 19, 20), (25, 25, 5)]
        {
            let size = Size::new(width, height).unwrap();
            for game in 0..games {
                let start = random_board(size, rng.below(size.area()), &mut rng);
                let to_move = Color::ALL[game % 2];
                let score = playout.run(&start, to_move, [Move::PASS; 2], &mut rng, &mut trace);
                let mut board = start.clone();
                let mut expected = to_move;
                for (color, mv) in trace.moves() {
                    assert_eq!(color, expected);
                    match mv.point() {
                        Some(point) => {
                            assert!(board.is_legal(color, point) && !board.is_true_eye(color, point), "{board}");
                            board.play(color, point);
                        }
                        None => board.clear_ko(),
                    }
                    expected = !color;
                }
                assert_eq!(board.hash(), playout.board().hash());
                assert_eq!(trace.score(), score);
                let owners = slow_owners(&board);
                for point in size.points() {
                    assert_eq!(trace.owner(point), owners.get(&point).copied(), "{board}");
                }
                assert_eq!(score, owners.values().map(|owner| owner.sign() as i32).sum::<i32>());
            }
        }
    }
}

#[test]
fn a_uniform_playout_ends_with_nothing_left_to_play() {
    let (mut playout, mut rng, mut trace) = (player(PlayoutPolicy::Uniform), Rng::new(6), Trace::new());
    for side in [2, 3, 5, 9, 19] {
        let start = Board::new(Size::square(side).unwrap());
        for _ in 0..50 {
            playout.run(&start, Color::Black, [Move::PASS; 2], &mut rng, &mut trace);
            if trace.moves().len() == 3 * side * side {
                continue; // a cycle, cut short
            }
            let board = playout.board();
            for &point in board.empties() {
                for color in Color::ALL {
                    assert!(!board.is_legal(color, point) || board.is_true_eye(color, point), "{board}");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let start = Board::new(Size::square(9).unwrap());
    let game = |policy| {
        let (mut playout, mut trace) = (player(policy), Trace::new());
        playout.run(&start, Color::White, [Move::PASS; 2], &mut Rng::new(8), &mut trace);
        trace.moves().collect::<Vec<_>>()
    };
    for policy in [PlayoutPolicy::Uniform, PlayoutPolicy::Light] {
        assert_eq!(game(policy), game(policy));
    }
}

#[test]
fn passes_before_the_start_do_not_end_the_playout() {
    // Black has only eyes to fill; White can still take the two stones.
    let board = Board::from_drawing("X . X O .\nX X X O O\n. X O O .\nX X O X X\n. X O . O").unwrap();
    let (mut playout, mut rng, mut trace) = (player(PlayoutPolicy::Uniform), Rng::new(9), Trace::new());
    let score = playout.run(&board, Color::Black, [Move::PASS; 2], &mut rng, &mut trace);
    assert!(trace.moves().len() > 2);
    assert_eq!(score, 12 - 13);
}
