//! Input planes and globals on small positions by hand, and on random games turned all ways. That they are KataGo's shows in the recorded
//! answers of networks; here is what those do not reach, one thing at a time.

use tengen::board::{Board, Color, Coord, Move, Size};
use tengen::nn::{FeatureOptions, Features, Inputs, PLANES, Symmetry};
use tengen::rules::{Phase, Position, Rules};
use tengen::util::Rng;

fn rules(name: &str) -> Rules {
    Rules::parse(name).unwrap()
}

fn draw(drawing: &str, to_move: Color, rules: Rules) -> Position {
    Position::from_board(Board::from_drawing(drawing).unwrap(), to_move, rules)
}

fn empty(side: usize, rules: Rules) -> Position {
    Position::new(Size::square(side).unwrap(), rules)
}

/// Plays vertices in turn, a colour before one where it is out of turn: `D4 pass b:E5`.
fn play(position: &mut Position, moves: &str) {
    for word in moves.split_whitespace() {
        let (color, vertex) = match word.split_once(':') {
            Some((color, vertex)) => (color.parse().unwrap(), vertex),
            None => (position.to_move(), word),
        };
        position.play_as(color, position.size().parse_vertex(vertex).unwrap()).unwrap();
    }
}

fn played(mut position: Position, moves: &str) -> Position {
    play(&mut position, moves);
    position
}

fn encode(position: &Position, options: FeatureOptions) -> Inputs {
    let mut out = Inputs::new(Size::square(2).unwrap());
    Features::new().encode(position, &options, position.size(), Symmetry::IDENTITY, &mut out);
    out
}

/// The points set in each of `planes`, row by row from the top left.
fn planes_with<const N: usize>(position: &Position, planes: [usize; N], options: FeatureOptions) -> [String; N] {
    let inputs = encode(position, options);
    planes.map(|plane| {
        let set = position.size().points().enumerate().filter(|(number, _)| inputs.spatial[number * PLANES + plane] == 1.0);
        set.map(|(_, point)| position.size().vertex(point)).collect::<Vec<_>>().join(" ")
    })
}

fn planes<const N: usize>(position: &Position, planes: [usize; N]) -> [String; N] {
    planes_with(position, planes, FeatureOptions::default())
}

fn globals<const N: usize>(position: &Position, numbers: [usize; N]) -> [f32; N] {
    let inputs = encode(position, FeatureOptions::default());
    numbers.map(|number| inputs.global[number])
}

#[test]
fn stones_and_their_liberties() {
    let drawing = ". X O .\n. O . .\n. . . .";
    let black = draw(drawing, Color::Black, rules("chinese"));
    assert_eq!(planes(&black, [1, 2, 3, 4, 5]), ["B3", "C3 B2", "B3", "C3", "B2"]);
    let white = draw(drawing, Color::White, rules("chinese"));
    assert_eq!(planes(&white, [1, 2, 3, 4, 5]), ["C3 B2", "B3", "B3", "C3", "B2"]);
    let [on_board, unused] = planes(&white, [0, 8]);
    assert_eq!((on_board.split(' ').count(), unused.as_str()), (12, ""));
}

const KO: &str = ". X O . .
                  X O . O .
                  . X O . .
                  . . . . .
                  . . . . .";

#[test]
fn points_barred_by_ko_and_superko() {
    for (name, barred_later) in [("chinese", ""), ("tromp-taylor", "B4"), ("aga", "B4")] {
        let mut position = draw(KO, Color::Black, rules(name));
        play(&mut position, "C4");
        assert_eq!(planes(&position, [6, 7]), ["B4", ""], "{name}");
        play(&mut position, "pass pass");
        assert_eq!(planes(&position, [6, 7]), [barred_later, ""], "{name}: two passes later retaking still repeats the board");
    }
}

#[test]
fn kos_of_the_cleanup_phases() {
    let mut position = draw(KO, Color::White, rules("japanese"));
    play(&mut position, "pass pass pass C4");
    assert_eq!(planes(&position, [6, 7]), ["", "C4"]);
    play(&mut position, "E1 A1 B4");
    assert_eq!(planes(&position, [6, 7]), ["", ""], "the pass for ko lifts the bar");
    play(&mut position, "pass B4 C4 pass C4");
    assert_eq!(planes(&position, [6, 7]), ["B4", "C4"], "White took at B4 before on this board");
    assert_eq!(globals(&position, [12, 13]), [1.0, 0.0]);
}

const HISTORY: [usize; 5] = [9, 10, 11, 12, 13];
const PASSES: [usize; 5] = [0, 1, 2, 3, 4];

#[test]
fn the_last_five_moves() {
    let position = played(empty(9, rules("chinese")), "D4 pass E5 F6 G7 H8");
    assert_eq!(planes(&position, HISTORY), ["H8", "G7", "F6", "E5", ""]);
    assert_eq!(globals(&position, PASSES), [0.0, 0.0, 0.0, 0.0, 1.0]);
    let two = FeatureOptions { history: 2, ..FeatureOptions::default() };
    assert_eq!(planes_with(&position, HISTORY, two), ["H8", "G7", "", "", ""]);
    assert_eq!(encode(&position, two).global[4], 0.0);
    let none = FeatureOptions { history: 0, ..FeatureOptions::default() };
    assert_eq!(planes_with(&position, HISTORY, none), ["", "", "", "", ""]);
}

#[test]
fn history_ends_where_moves_do_not_follow_from_each_other() {
    let restarted = played(empty(9, rules("chinese")), "D4 E5 F6 b:G7 H8");
    assert_eq!(planes(&restarted, HISTORY), ["H8", "G7", "", "", ""]);
    let cleanup = played(empty(9, rules("japanese")), "D4 pass pass");
    assert_eq!((cleanup.phase(), globals(&cleanup, PASSES)), (Phase::Cleanup1, [0.0; 5]));
    assert_eq!(planes(&played(cleanup, "E5 F6"), HISTORY), ["F6", "E5", "", "", ""]);
}

#[test]
fn a_finished_game_shows_its_last_move() {
    let mut unplayed_cleanup = empty(9, rules("japanese"));
    unplayed_cleanup.set_cleanup_played(false);
    for start in std::iter::once(empty(9, rules("tromp-taylor"))).chain([unplayed_cleanup]) {
        let mut position = played(start, "D4 pass pass");
        assert!(position.is_over());
        assert_eq!(globals(&position, [0, 1, 14]), [1.0, 0.0, 1.0]);
        assert_eq!(planes(&position, HISTORY), ["", "", "", "", ""]);
        play(&mut position, "E5");
        assert_eq!(
            (planes(&position, HISTORY), globals(&position, PASSES)),
            (["E5", "", "", "", ""].map(String::from), [0.0, 1.0, 0.0, 0.0, 0.0])
        );
        play(&mut position, "F6");
        assert_eq!(planes(&position, HISTORY), ["F6", "E5", "", "", ""]);
        assert_eq!(globals(&position, PASSES), [0.0, 0.0, 1.0, 0.0, 0.0]);
    }
}

/// Globals 0 and 14: whether the network is shown the pass before, and that another would end the phase.
fn pass_shown(position: &Position, options: FeatureOptions) -> [f32; 2] {
    let global = encode(position, options).global;
    [global[0], global[14]]
}

#[test]
fn a_pass_that_would_end_the_game_can_be_hidden() {
    let plain = FeatureOptions::default();
    let conservative = FeatureOptions { conservative_pass: true, ..plain };
    let hacks = FeatureOptions { passing_hacks: true, ..plain };
    // White wins by komi, draws, loses.
    for (komi, hacked) in [(0.5, [1.0, 1.0]), (0.0, [0.0, 0.0]), (-0.5, [0.0, 0.0])] {
        let position = played(empty(3, rules("tromp-taylor").with_komi(komi)), "pass");
        assert_eq!(pass_shown(&position, plain), [1.0, 1.0]);
        assert_eq!(pass_shown(&position, conservative), [0.0, 0.0]);
        assert_eq!(pass_shown(&position, hacks), hacked, "komi {komi}");
    }
    // A draw that is worth more than half a win is won.
    let draws_win = FeatureOptions { draw_equivalent_wins_for_white: 1.0, ..hacks };
    let drawn = played(empty(3, rules("tromp-taylor").with_komi(0.0)), "pass");
    assert_eq!(pass_shown(&drawn, draws_win), [1.0, 1.0]);

    let friendly = played(empty(3, rules("chinese")), "pass");
    assert_eq!(pass_shown(&friendly, plain), [0.0, 0.0]);
    assert_eq!(pass_shown(&played(friendly, "pass"), plain), [1.0, 1.0], "the game is over");

    let first = played(empty(3, rules("tromp-taylor")), "A1");
    assert_eq!(pass_shown(&first, conservative), [0.0, 0.0]);
    assert_eq!(planes_with(&first, [9], conservative), ["A1"], "nothing to hide");
    let phase = played(empty(3, rules("japanese").with_komi(-9.0)), "pass");
    assert_eq!(pass_shown(&phase, conservative), [1.0, 1.0], "it ends a phase only");
    assert_eq!(pass_shown(&phase, hacks), [1.0, 1.0]);
    let button = played(empty(3, rules("aga-button")), "pass");
    assert_eq!(pass_shown(&button, plain), [1.0, 0.0], "taking the button is no pass towards the end");
}

#[test]
fn group_tax_counts_for_passing_hacks() {
    // Black has 12 points in two parts, White 9 in one.
    let drawing = ". X O . O X .\n. X O . O X .\n. X O . O X .";
    let hacks = FeatureOptions { passing_hacks: true, ..FeatureOptions::default() };
    for (tax, shown) in [("NONE", [0.0, 0.0]), ("ALL", [1.0, 1.0])] {
        let rules = rules("tromp-taylor").with_setting("tax", tax).unwrap().with_komi(2.5);
        let position = played(draw(drawing, Color::Black, rules), "pass");
        assert_eq!(pass_shown(&position, hacks), shown, "tax {tax}");
    }
}

const LADDER: &str = ". . . . . . . . .
                      . . X X . . . . .
                      . X O . . . . . .
                      . . . . . . . . .
                      . . . . . . . . .
                      . . . . . . . . .
                      . . . . . . . . .
                      . . . . . . . . .
                      . . . . . . . . .";
const LADDERS: [usize; 4] = [14, 15, 16, 17];

#[test]
fn ladders_now_and_before() {
    let mut position = draw(LADDER, Color::Black, rules("chinese"));
    assert_eq!(planes(&position, LADDERS), ["C7", "C7", "C7", "C6"]);
    play(&mut position, "C6");
    assert_eq!(planes(&position, LADDERS), ["C7", "C7", "C7", ""], "in atari there is no move to find, and it is White's chain");
    play(&mut position, "D7");
    assert_eq!(planes(&position, LADDERS), ["C7 D7", "C7", "C7", "E7"]);
    let shown = |history| planes_with(&position, LADDERS, FeatureOptions { history, ..FeatureOptions::default() });
    assert_eq!(shown(0), ["C7 D7", "C7 D7", "C7 D7", "E7"], "a board not shown is not looked at");

    let white = draw(LADDER, Color::White, rules("chinese"));
    assert_eq!(planes(&white, LADDERS), ["C7", "C7", "C7", ""], "no move of White's catches it");
    let broken = played(white, "G3");
    assert_eq!(planes(&broken, LADDERS), ["", "C7", "C7", ""]);
    assert_eq!(planes(&played(broken, "C3 G7"), LADDERS), ["", "", "", ""]);
}

const LIVING: &str = ". X . O .
                      X X . O O
                      X X . O .
                      . X . O O
                      X X . O .";

#[test]
fn area_by_scoring_and_tax() {
    let (left, right) = ("A5 B5 A4 B4 A3 B3 A2 B2 A1 B1", "D5 E5 D4 E4 D3 E3 D2 E2 D1 E1");
    let black = draw(LIVING, Color::Black, rules("chinese"));
    assert_eq!(planes(&black, [18, 19]), [left, right]);
    assert_eq!(planes(&played(black, "pass"), [18, 19]), [right, left]);
    let dame_open = draw(LIVING, Color::Black, rules("chinese").with_setting("tax", "SEKI").unwrap());
    assert_eq!(planes(&dame_open, [18, 19])[0], "B5 A4 B4 A3 B3 B2 A1 B1", "stones only");
    assert_eq!(planes(&draw(LIVING, Color::Black, rules("japanese")), [18, 19]), ["", ""]);
}

#[test]
fn area_in_the_second_cleanup_phase() {
    let drawing = ". X X O .
                   X X X O O
                   O X X O .
                   . X X O O
                   X X X O .";
    let mut position = draw(drawing, Color::Black, rules("japanese").with_komi(0.0));
    play(&mut position, "pass pass");
    assert_eq!(planes(&position, [18, 19, 20, 21]), ["", "", "", ""], "first cleanup phase");
    play(&mut position, "pass pass");
    assert_eq!(globals(&position, [12, 13]), [1.0, 1.0]);
    assert_eq!(planes(&position, [20, 21]), ["B5 C5 A4 B4 C4 B3 C3 B2 C2 A1 B1 C1", "D5 D4 E4 A3 D3 D2 E2 D1"]);
    assert_eq!(planes(&position, [18, 19]), ["A5 B5 C5 A4 B4 C4 A3 B3 C3 A2 B2 C2 A1 B1 C1", "D5 E5 D4 E4 D3 E3 D2 E2 D1 E1"]);
    // Black takes the dead stone.
    play(&mut position, "A2 pass");
    assert_eq!(planes(&position, [20, 21])[1], "D5 D4 E4 A3 D3 D2 E2 D1", "as it was then");
}

#[test]
fn some_networks_take_suicide_for_legal_where_it_is_not() {
    let position = draw("O . X . O\n. X X X .\nX X X X X", Color::Black, rules("chinese"));
    assert_eq!(planes(&position, [19]), [""], "dead without suicide");
    let options = FeatureOptions { prefer_pass_alive: true, ..FeatureOptions::default() };
    assert_eq!(planes_with(&position, [19], options), ["A3 E3"], "an eye is not safe from a suicide within it");
}

#[test]
fn komi_from_either_side() {
    let komi = |position: &Position, draw| {
        encode(position, FeatureOptions { draw_equivalent_wins_for_white: draw, ..FeatureOptions::default() }).global[5] * 20.0
    };
    let black = empty(9, rules("tromp-taylor").with_komi(7.0));
    let white = played(black.clone(), "E5");
    assert_eq!([komi(&black, 0.5), komi(&white, 0.5)], [-7.0, 7.0]);
    assert_eq!([komi(&black, 0.75), komi(&white, 0.75)], [-7.25, 7.25], "a good draw for White");
    assert_eq!(komi(&empty(9, rules("tromp-taylor").with_komi(7.5)), 0.75), -7.5, "no draw is possible");
    let button = rules("aga-button");
    assert_eq!(komi(&empty(9, button.with_komi(7.5)), 0.75), -7.75, "the button makes it possible");
    assert_eq!(komi(&played(empty(9, button.with_komi(7.0)), "pass"), 0.75), 6.5, "Black took the button");
    assert_eq!(komi(&played(empty(9, rules("japanese").with_komi(6.5)), "E5"), 0.5), 7.5, "a black stone was placed");
    assert_eq!(komi(&played(empty(9, rules("chinese").with_komi(0.0)), "C3 pass G7"), 0.5), 2.0, "two handicap stones");
    let most = empty(2, rules("chinese").with_komi(50.0));
    assert_eq!([komi(&most, 0.5), komi(&played(most, "A1"), 0.5)], [-24.0, 24.0], "area and 20");
}

#[test]
fn the_wave_of_komi() {
    let wave = |side, name: &str, komi: f32| {
        let position = played(empty(side, rules(name).with_komi(komi)), "A1");
        encode(&position, FeatureOptions::default()).global[18]
    };
    // White to move: on a board of odd area a komi of 7 can draw, of even area 6 or 8.
    for (komi, odd, even) in [
        (6.0, 0.0, 0.0),
        (6.25, -0.25, 0.25),
        (6.5, -0.5, 0.5),
        (7.0, 0.0, 0.0),
        (7.25, 0.25, -0.25),
        (7.5, 0.5, -0.5),
        (-7.0, 0.0, 0.0),
        (-6.5, 0.5, -0.5),
    ] {
        assert_eq!((wave(9, "tromp-taylor", komi), wave(8, "tromp-taylor", komi)), (odd, even), "komi {komi}");
    }
    assert_eq!(wave(9, "japanese", 6.5), 0.0, "prisoners may have any parity");
}

#[test]
fn rules_in_numbers() {
    let of = |rules: Rules| globals(&empty(5, rules), [6, 7, 8, 9, 10, 11, 12, 13, 14, 17]);
    assert_eq!(of(rules("chinese")), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(of(rules("tromp-taylor")), [1.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(of(rules("aga-button")), [1.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(of(rules("japanese")), [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(of(rules("stone-scoring")), [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn more_visits_for_one_side() {
    let options = FeatureOptions { playout_doubling_advantage: 1.5, ..FeatureOptions::default() };
    let of = |position: &Position, options| encode(position, options).global[15..17].to_vec();
    let black = empty(5, rules("chinese"));
    assert_eq!(of(&black, options), [1.0, -0.75]);
    assert_eq!(of(&played(black.clone(), "A1"), options), [1.0, 0.75]);
    assert_eq!(of(&black, FeatureOptions::default()), [0.0, 0.0]);
}

/// The position that the game of `position` leads to when it is played on a board turned by `symmetry`.
fn turned(position: &Position, symmetry: Symmetry) -> Position {
    let size = symmetry.size(position.size());
    let mut turned = Position::new(size, *position.rules());
    for &(color, mv) in position.moves() {
        let coord = |point| symmetry.turn(position.size(), position.size().coord(point));
        let mv = mv.point().map_or(Move::PASS, |point| size.at(coord(point)).unwrap().into());
        turned.play_as(color, mv).unwrap();
    }
    turned
}

/// Plays a legal move at random, seldom a pass, and seldom out of turn.
fn play_at_random(position: &mut Position, rng: &mut Rng) {
    if rng.percent(1) {
        position.set_to_move(!position.to_move());
    }
    let moves: Vec<Move> = position.legal_moves().collect();
    position.play(moves[if rng.percent(4) { moves.len() - 1 } else { rng.below(moves.len()) }]).unwrap();
}

#[test]
fn a_turned_position_has_turned_planes_in_a_tensor_of_any_size() {
    let mut rng = Rng::new(5);
    let (mut reused, mut first, mut second) = (Features::new(), Inputs::new(Size::STANDARD), Inputs::new(Size::STANDARD));
    let options = FeatureOptions { passing_hacks: true, ..FeatureOptions::default() };
    let tensor = Size::square(8).unwrap();
    for (game, name) in ["chinese", "tromp-taylor", "japanese", "aga-button", "stone-scoring", "korean"].into_iter().enumerate() {
        let size = [Size::new(5, 6).unwrap(), Size::new(8, 7).unwrap()][game % 2];
        let mut position = Position::new(size, rules(name));
        for turn in 0..150 {
            play_at_random(&mut position, &mut rng);
            let symmetry = Symmetry::ALL[turn % 8];
            reused.encode(&position, &options, tensor, symmetry, &mut first);
            let board = symmetry.size(size);
            assert_eq!((first.board, first.tensor), (board, tensor));
            Features::new().encode(&turned(&position, symmetry), &options, board, Symmetry::IDENTITY, &mut second);
            assert_eq!(first.global, second.global);
            for y in 0..8 {
                for x in 0..8 {
                    let here = &first.spatial[(y * 8 + x) * PLANES..][..PLANES];
                    let there = board.at(Coord { x: x as u8, y: y as u8 }).map(|point| board.dense(point) * PLANES);
                    let expected = there.map_or(&[0.0; PLANES][..], |start| &second.spatial[start..][..PLANES]);
                    assert_eq!(here, expected, "{name}, turn {turn}, {symmetry:?}, {x} {y}{}", position.board());
                }
            }
        }
    }
}

#[test]
fn a_tensor_that_is_no_square_transposes_nothing() {
    let size = Size::new(4, 6).unwrap();
    let mut position = Position::new(size, rules("chinese"));
    play(&mut position, "A6");
    let mut inputs = Inputs::new(size);
    Features::new().encode(&position, &FeatureOptions::default(), size, Symmetry::from_bits(6).unwrap(), &mut inputs);
    assert_eq!((inputs.board, inputs.spatial[3 * PLANES + 2]), (size, 1.0), "flipped from A6 to D6");
}
