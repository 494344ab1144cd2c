//! Rules by hand: scores, taxes, bonuses, the button, kos, cleanup phases, restarts.

use tengen::board::{Board, Color, Move, PointSet, Size};
use tengen::rules::{Outcome, Phase, Position, Rules, pass_alive};
use tengen::util::Rng;

fn rules(name: &str) -> Rules {
    Rules::parse(name).unwrap()
}

fn draw(drawing: &str, to_move: Color, rules: Rules) -> Position {
    Position::from_board(Board::from_drawing(drawing).unwrap(), to_move, rules)
}

/// Plays vertices in turn, a colour before one where it is out of turn: `D4 pass b:E5`.
fn play(position: &mut Position, moves: &str) {
    for word in moves.split_whitespace() {
        let (color, vertex) = match word.split_once(':') {
            Some((color, vertex)) => (color.parse().unwrap(), vertex),
            None => (position.to_move(), word),
        };
        let mv = position.size().parse_vertex(vertex).unwrap();
        position.play_as(color, mv).unwrap_or_else(|error| panic!("{error}\n{}", position.board()));
    }
}

fn points(position: &Position, vertices: &str) -> PointSet {
    vertices.split_whitespace().map(|vertex| position.size().parse_vertex(vertex).unwrap().point().unwrap()).collect()
}

fn legal(position: &Position, vertex: &str) -> bool {
    position.is_legal(position.size().parse_vertex(vertex).unwrap())
}

/// Boards and scores from lightvector/KataGo's issues 366 and 596. (The shared golden/known-scores.txt has them too, but the sixth row
/// of the first one point off.)
#[test]
fn known_scores() {
    let komi_free = rules("tromp-taylor").with_komi(0.0);
    let position = draw(
        ". . . . . . . . .
         . . . . . . . . .
         . . O O O O . . .
         . O . O X O O O O
         O O O X X X X O X
         O X X X . X X X X
         X . . O O X O O .
         . X . . X . X O .
         . . . . X X . X .",
        Color::Black,
        komi_free,
    );
    assert_eq!(position.judged_score(&PointSet::EMPTY, &PointSet::EMPTY), -22.0);
    assert_eq!(position.formal_score(), -22.0);
    assert_eq!(position.judged_score(&points(&position, "D3 E3 G3 H3 H2"), &PointSet::EMPTY), 1.0);
    let drawing = ". . . . . . .
                   O O O X O . .
                   X X X O O O .
                   . X . X X O .
                   . . X O X O .
                   . . X . X O O
                   . . . . X X O";
    let mut position = draw(drawing, Color::White, komi_free.with_komi(7.0));
    assert_eq!(position.formal_score(), -6.0);
    play(&mut position, "pass pass");
    assert_eq!(position.result().unwrap().to_string(), "W+6");
    let mut position = draw(drawing, Color::Black, Rules { button: true, ..komi_free.with_komi(7.0) });
    play(&mut position, "pass pass");
    assert_eq!(position.result(), None, "taking the button is no pass towards the end");
    play(&mut position, "pass");
    assert_eq!(position.result().unwrap().to_string(), "W+5.5");
    assert_eq!(position.result().unwrap().winner(), Some(Color::White));
}

#[test]
fn eyes_in_seki_count_only_without_tax() {
    // Black has an eye of two points, White one of one, and D2 between them is for neither to play.
    let seki = ". . X . O .
                X X X O O O";
    let japanese = rules("japanese").with_komi(0.0);
    let area = rules("chinese").with_komi(0.0);
    for (rules, tax, score) in [
        (area, "none", 1.0),
        (area, "seki", 0.0),
        (area, "all", 0.0),
        (japanese, "none", 1.0),
        (japanese, "seki", 0.0),
        (japanese, "all", 0.0),
    ] {
        let position = draw(seki, Color::Black, rules.with_setting("tax", tax).unwrap());
        assert_eq!(position.formal_score(), score, "{tax}");
        let stones = position.size().points().filter(|&point| !position.board().is_empty(point)).collect();
        assert_eq!(position.judged_score(&PointSet::EMPTY, &stones), score, "{tax}");
    }
}

#[test]
fn every_living_group_pays_two_points_of_group_tax() {
    // Two white groups, one black.
    let drawing = ". O X . X O .
                   O O X X X O O
                   . O X . X O .
                   O O X X X O O";
    let all = draw(drawing, Color::Black, rules("stone-scoring").with_komi(0.0));
    let none = draw(drawing, Color::Black, rules("chinese").with_komi(0.0));
    assert_eq!(none.formal_score(), -4.0);
    assert_eq!(all.formal_score(), -2.0);
    assert_eq!(all.judged_score(&PointSet::EMPTY, &PointSet::EMPTY), -2.0);
}

#[test]
fn territory_counts_prisoners() {
    let mut position = draw(
        "O X . O .
         . X . O .
         . X . O .
         . X . O .
         . X . O .",
        Color::White,
        rules("japanese").with_komi(0.5),
    );
    position.set_cleanup_played(false);
    play(&mut position, "A1 A2 pass pass");
    // Black has four points, one prisoner and one dead stone, White five points and komi. The middle is dame.
    assert_eq!(position.judged_score(&points(&position, "A5"), &PointSet::EMPTY), 4.0 + 1.0 + 1.0 - 5.0 - 0.5);
    let owners = position.judged_owners(&points(&position, "A5"), &PointSet::EMPTY);
    assert_eq!((owners.of(Color::Black).len(), owners.of(Color::White).len()), (10, 10));
}

#[test]
fn handicap_bonus() {
    let two = ". . X
               . . .
               X . .";
    for (name, bonus) in [("chinese", 2.0), ("aga", 1.0), ("japanese", 2.0), ("new-zealand", 0.0)] {
        // Under territory rules the two points are those of the stones themselves.
        assert_eq!(draw(two, Color::White, rules(name).with_komi(0.0)).white_bonus(), bonus, "{name}");
    }
    let mut free = Position::new(Size::square(9).unwrap(), rules("chinese").with_komi(0.0));
    play(&mut free, "C3");
    assert_eq!(free.handicap_stones(), 0);
    play(&mut free, "pass G7 pass G3 D4 C7");
    assert_eq!((free.handicap_stones(), free.white_bonus()), (3, 3.0));
    let mut twice = Position::new(Size::square(9).unwrap(), rules("chinese").with_komi(0.0));
    play(&mut twice, "b:C3 b:G7 w:D4");
    assert_eq!(twice.handicap_stones(), 2);
    let mixed = draw("X . .\n. O .\nX . X", Color::White, rules("chinese"));
    assert_eq!(mixed.handicap_stones(), 0);
}

const KO: &str = ". X O . .
                  X O . O .
                  . X O . .
                  . . . . .
                  . . . . .";

#[test]
fn a_ko_may_not_be_retaken_at_once() {
    for name in ["chinese", "tromp-taylor", "aga", "japanese"] {
        let mut position = draw(KO, Color::Black, rules(name));
        play(&mut position, "C4");
        assert_eq!(position.board().captures(Color::Black), 1);
        assert!(!legal(&position, "B4"), "{name}");
        play(&mut position, "E1 D1");
        assert!(legal(&position, "B4"), "{name}");
    }
}

#[test]
fn passes_lift_simple_ko_but_not_superko() {
    for (name, allowed) in [("chinese", true), ("tromp-taylor", false), ("aga", false)] {
        let mut position = draw(KO, Color::Black, rules(name));
        play(&mut position, "C4 pass pass");
        // White's retaking would bring back the first board, Black to move.
        assert_eq!(legal(&position, "B4"), allowed, "{name}");
        assert_eq!(position.is_barred(points(&position, "B4").iter().next().unwrap()), !allowed, "{name}");
        play(&mut position, "E1 D1");
        assert!(legal(&position, "B4"), "{name}");
    }
}

#[test]
fn moving_out_of_turn_starts_the_history_anew() {
    let mut position = draw(KO, Color::Black, rules("tromp-taylor"));
    play(&mut position, "C4 pass");
    assert!(position.pass_would_end_game());
    let before = position.board().clone();
    assert!(position.play_as(Color::White, position.size().parse_vertex("C4").unwrap()).is_err());
    assert_eq!((position.to_move(), position.passes()), (Color::Black, 1), "a refused move changes nothing");
    play(&mut position, "w:B4");
    assert_eq!(position.moves_since_restart().len(), 1);
    assert_eq!(position.moves().len(), 3);
    assert_eq!(position.start_board().hash(), before.hash());
    assert!(!legal(&position, "C4"), "the new history has its own ko");
}

#[test]
fn territory_games_go_through_both_cleanup_phases() {
    let mut position = draw(
        ". X . O .
         X X . O O
         O X . O .
         . X . O O
         X X . O .",
        Color::Black,
        rules("japanese").with_komi(0.0),
    );
    play(&mut position, "C1 C5 C2 C4 C3");
    assert!(!position.pass_would_end_phase());
    play(&mut position, "pass");
    assert!(position.pass_would_end_phase() && !position.pass_would_end_game());
    play(&mut position, "pass pass");
    assert_eq!((position.phase(), position.passes()), (Phase::Cleanup1, 1));
    play(&mut position, "pass");
    assert_eq!((position.phase(), position.connected_moves().len()), (Phase::Cleanup2, 0));
    assert_eq!(position.second_cleanup_start(points(&position, "A3").iter().next().unwrap()), Some(Color::White));
    let before = position.formal_score();
    // Black takes the dead stone. It is in settled territory, so that nothing changes but the board.
    play(&mut position, "pass A2");
    assert_eq!(position.board().captures(Color::Black), 1);
    assert_eq!(position.formal_score(), before);
    play(&mut position, "pass pass");
    assert_eq!(position.result(), Some(Outcome::Score(before)));
    position.set_komi(6.5);
    assert_eq!(position.result(), Some(Outcome::Score(before - 6.5)));
}

#[test]
fn people_stop_before_the_cleanup() {
    let mut position = Position::new(Size::square(9).unwrap(), rules("japanese"));
    position.set_cleanup_played(false);
    play(&mut position, "pass pass");
    assert!(position.is_over() && position.awaits_judgement() && position.result().is_none());
    assert_eq!(position.phase(), Phase::Main);
    play(&mut position, "E5");
    assert!(!position.is_over());
}

#[test]
fn in_cleanup_a_ko_needs_a_pass_of_its_own() {
    let mut position = draw(KO, Color::White, rules("japanese"));
    play(&mut position, "pass pass");
    assert_eq!(position.phase(), Phase::Cleanup1);
    play(&mut position, "pass C4");
    let stone = points(&position, "C4").iter().next().unwrap();
    assert!(position.is_blocked(stone));
    // A threat elsewhere does not lift the bar: B4 is legal, but only as a pass for the ko. So is the stone itself.
    play(&mut position, "E1 A1");
    assert!(legal(&position, "B4") && legal(&position, "C4"));
    let (hash, bonus) = (position.board().hash(), position.white_bonus());
    play(&mut position, "B4");
    assert_eq!((position.board().hash(), position.white_bonus(), position.passes()), (hash, bonus, 0));
    assert!(!position.is_blocked(stone) && !legal(&position, "C4"));
    play(&mut position, "pass B4");
    assert_eq!(position.board().captures(Color::White), 1);
    // Black lifts the bar and takes back. White lifts it in turn; now Black's pass repeats the one from before and ends the phase.
    play(&mut position, "C4 pass C4 B4");
    assert_eq!(position.phase(), Phase::Cleanup1);
    assert!(position.pass_would_repeat());
    play(&mut position, "pass");
    assert_eq!(position.phase(), Phase::Cleanup2);
}

#[test]
fn pass_alive_stones_and_territory() {
    let board = Board::from_drawing(
        ". X . X O .
         X X X X O .
         O O O O . .
         . . . . . .
         . . . . . .",
    )
    .unwrap();
    let black = pass_alive(&board, Color::Black, false);
    assert_eq!((black.stones.len(), black.territory.len(), black.enclosed.len()), (6, 2, 0));
    let white = pass_alive(&board, Color::White, false);
    assert!(white.stones.is_empty());
    // The empty point of the left eye touches Black, the dead stone there does not: where White may fill the eye by suicide, and play
    // there again, it is no eye to rely on.
    let board = Board::from_drawing(
        "O . X . X
         . X X X X
         X X . . .
         . . . . .
         . . . . .",
    )
    .unwrap();
    assert_eq!(pass_alive(&board, Color::Black, false).stones.len(), 8);
    assert!(pass_alive(&board, Color::Black, true).stones.is_empty());
}

#[test]
fn records_may_break_rules() {
    let mut position = draw(KO, Color::Black, rules("tromp-taylor"));
    play(&mut position, "C4");
    let retake = position.size().parse_vertex("B4").unwrap();
    assert!(position.play(retake).is_err());
    assert_eq!(position.play(retake).unwrap_err().to_string(), "illegal move: White B4");
    position.play_leniently(Color::White, retake).unwrap();
    assert!(position.play_leniently(Color::Black, position.size().parse_vertex("B4").unwrap()).is_err(), "the point is taken");
    let mut corner = draw(". X .\nX . .\n. . .", Color::White, rules("new-zealand"));
    assert!(corner.play_leniently(Color::White, corner.size().parse_vertex("A3").unwrap()).is_err(), "suicide of one stone");
}

#[test]
fn earlier_boards_come_back_and_copies_are_the_same() {
    let mut rng = Rng::new(7);
    let mut copy = Position::new(Size::STANDARD, rules("chinese"));
    let mut again = copy.board().clone();
    for name in ["chinese", "tromp-taylor", "japanese", "aga-button", "aga", "new-zealand"] {
        let mut position = Position::new(Size::new(4, 5).unwrap(), rules(name));
        let mut boards = vec![position.board().clone()];
        for _ in 0..300 {
            if rng.percent(2) {
                position.set_to_move(!position.to_move());
                boards = vec![position.board().clone()];
            }
            let moves: Vec<Move> = position.legal_moves().collect();
            let mv = moves[if rng.percent(20) { moves.len() - 1 } else { rng.below(moves.len()) }];
            let ko = position.board().ko();
            position.play(mv).unwrap();
            assert!(mv.is_pass() || boards.last().unwrap().ko() == ko);
            boards.push(position.board().clone());
            for back in 0..=2 {
                let then = boards[boards.len().saturating_sub(back + 1)].clone();
                position.copy_board_before(back, &mut again);
                assert_eq!((again.hash(), again.ko(), again.to_string()), (then.hash(), then.ko(), then.to_string()));
            }
            copy.clone_from(&position);
            assert_eq!(format!("{copy:?}"), format!("{position:?}"));
            assert_eq!(format!("{:?}", position.clone()), format!("{position:?}"));
            assert_eq!(copy.situation_hash(), position.situation_hash());
        }
    }
}

#[test]
fn situations_are_told_apart() {
    let after = |name: &str, moves: &str| {
        let mut position = draw(KO, Color::Black, rules(name));
        play(&mut position, moves);
        position.situation_hash()
    };
    assert_eq!(after("chinese", "A1 E1 A2 D1"), after("chinese", "A2 D1 A1 E1"));
    assert_ne!(after("chinese", ""), after("chinese", "pass"));
    assert_ne!(after("chinese", "A1 pass"), after("chinese", "pass A1 A2"), "other stones");
    // The same stones, with and without a ko to retake.
    assert_ne!(after("chinese", "C4"), after("chinese", "C4 E1 pass b:pass"));
    // The same stones and player, but a pass ends the game.
    assert_ne!(after("tromp-taylor", "A1 E1"), after("tromp-taylor", "A1 E1 pass pass"));
}
