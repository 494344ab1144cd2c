//! What a book must hold to, by itself; `tests/book.rs` has the command and the engine.

use proptest::prelude::*;

use super::{Book, BookMove, Figures, Mark, Page, Spot, chances};
use crate::board::{Color, Move, Size, Symmetry};
use crate::params::BookParams;
use crate::rules::{Position, Rules};
use crate::util::{Damage, Rng, seal};

fn game(size: Size, komi: f32) -> Position {
    Position::new(size, Rules::parse("chinese").unwrap().with_komi(komi))
}

fn at(size: Size, names: &str) -> Vec<Move> {
    names.split_whitespace().map(|name| size.parse_vertex(name).unwrap()).collect()
}

fn after(mut position: Position, moves: &[Move]) -> Position {
    for &mv in moves {
        position.play(mv).unwrap();
    }
    position
}

/// The move on the turned board.
fn turned(symmetry: Symmetry, size: Size, mv: Move) -> Move {
    mv.point().and_then(|point| symmetry.size(size).at(symmetry.turn(size, size.coord(point)))).map_or(Move::PASS, Move::from)
}

/// Adds games in which `mv` was played.
fn add(book: &mut Book, position: &Position, mv: Move, games: u32, wins: u32) {
    let spot = Spot::of(position);
    let entry = book.entry(Page::of(position), spot.hash(), spot.there(mv).unwrap());
    entry.figures.add(Figures { games, wins, losses: games - wins });
}

#[test]
fn a_spot_is_one_in_all_symmetries_and_no_other() {
    for size in [Size::square(9).unwrap(), Size::new(7, 5).unwrap(), Size::new(5, 7).unwrap()] {
        let moves = at(size, "C3 D4 E2 B4 pass C2");
        let position = after(game(size, 7.0), &moves);
        let spot = Spot::of(&position);
        for symmetry in Symmetry::ALL {
            let there: Vec<Move> = moves.iter().map(|&mv| turned(symmetry, size, mv)).collect();
            let other = after(game(symmetry.size(size), 7.0), &there);
            let other_spot = Spot::of(&other);
            assert_eq!(other_spot.hash(), spot.hash());
            for mv in position.legal_moves().filter(|mv| !mv.is_pass()) {
                assert_eq!(other_spot.there(turned(symmetry, size, mv)), spot.there(mv));
                assert_eq!(spot.here(spot.there(mv).unwrap()), Some(mv), "the position is not symmetric");
            }
        }
        let mut passed = position.clone();
        passed.play(Move::PASS).unwrap();
        assert_ne!(Spot::of(&passed).hash(), spot.hash(), "who is to move counts");
    }
}

#[test]
fn a_hash_is_the_same_for_ever() {
    // Files hold it: a change of this number is a new version of the file.
    let position = after(game(Size::square(9).unwrap(), 7.0), &at(Size::square(9).unwrap(), "E5 C3"));
    assert_eq!(Spot::of(&position).hash(), 2_165_607_890_772_597_164);
}

#[test]
fn a_ko_counts() {
    let size = Size::square(5).unwrap();
    let ko = after(game(size, 7.0), &at(size, "B3 C3 C4 D4 C2 D2 E5 E3 D3"));
    assert!(ko.board().ko().is_some());
    let mut free = ko.clone();
    free.set_to_move(Color::Black);
    free.set_to_move(Color::White);
    assert_eq!(ko.board().hash(), free.board().hash());
    assert_ne!(Spot::of(&ko).hash(), Spot::of(&free).hash());
}

#[test]
fn mirrored_moves_are_one_and_begin_in_the_upper_right() {
    let size = Size::STANDARD;
    let empty = game(size, 7.5);
    let mut book = Book::default();
    for name in ["D4", "Q16", "D16", "Q4"] {
        add(&mut book, &empty, size.parse_vertex(name).unwrap(), 2, 1);
    }
    add(&mut book, &empty, size.parse_vertex("R16").unwrap(), 1, 0);
    add(&mut book, &empty, size.parse_vertex("Q3").unwrap(), 1, 1);
    let moves = book.moves(&empty);
    let names: Vec<_> = moves.iter().map(|known| (size.vertex(known.mv), known.figures.games)).collect();
    assert_eq!(names[0], ("Q16".to_owned(), 8));
    assert_eq!(names.len(), 2);
    assert_eq!(names[1].1, 2);
}

#[test]
fn komi_and_scoring_must_be_near() {
    let size = Size::square(9).unwrap();
    let e5 = size.parse_vertex("E5").unwrap();
    let mut book = Book::default();
    add(&mut book, &game(size, 6.5), e5, 1, 1);
    add(&mut book, &game(size, 7.5), e5, 10, 5);
    let games = |position: &Position| book.moves(position).first().map(|known| known.figures.games);
    let seen = [5.0, 5.5, 6.0, 7.0, 7.5, 8.0, 8.5, 9.0].map(|komi| games(&game(size, komi)));
    assert_eq!(seen, [None, Some(1), Some(1), Some(11), Some(11), Some(10), Some(10), None]);
    let japanese = Position::new(size, Rules::parse("japanese").unwrap().with_komi(6.5));
    assert_eq!(games(&japanese), None);
    let other = game(Size::square(7).unwrap(), 7.0);
    assert_eq!(games(&other), None);
}

#[test]
fn nothing_illegal_is_offered() {
    let size = Size::square(5).unwrap();
    let mut ko = after(game(size, 7.0), &at(size, "B3 C3 C4 D4 C2 D2 E5 E3"));
    let mut book = Book::default();
    let (take, retake) = (size.parse_vertex("D3").unwrap(), size.parse_vertex("C3").unwrap());
    add(&mut book, &ko, take, 9, 5);
    assert_eq!(book.moves(&ko)[0].mv, take);
    ko.play(take).unwrap();
    add(&mut book, &ko, retake, 9, 5);
    assert_eq!(book.moves(&ko), [], "the ko may not be retaken");
    ko.play(Move::PASS).unwrap();
    assert_eq!(book.moves(&ko), [], "a pass ends the opening");
}

#[test]
fn a_person_has_the_last_word() {
    let size = Size::square(9).unwrap();
    let position = game(size, 7.0);
    let moves = at(size, "E5 C3 G5 pass");
    let mut book = Book::default();
    add(&mut book, &position, moves[0], 100, 50);
    add(&mut book, &game(size, 6.5), moves[0], 100, 50);
    let marks = |book: &Book| book.moves(&position).iter().map(|known| known.mark).collect::<Vec<_>>();
    assert!(book.mark(&position, moves[1], Mark::Play) && book.mark(&position, moves[0], Mark::Avoid));
    assert_eq!(marks(&book), [Mark::Avoid, Mark::Play]);
    assert_eq!(chances(&book.moves(&position), &BookParams::default()), [0.0, 1.0]);
    assert!(!book.mark(&position, moves[3], Mark::Play), "a pass is no opening move");
    assert!(book.mark(&position, moves[1], Mark::None) && book.mark(&game(size, 6.5), moves[0], Mark::None));
    assert_eq!(marks(&book), [Mark::None], "what was only marked goes with its mark");
    let mut other = Book::default();
    assert!(other.mark(&position, moves[2], Mark::Play));
    book.merge(&other);
    assert_eq!(marks(&book), [Mark::None, Mark::Play]);
    book.prune(101);
    assert_eq!(marks(&book), [Mark::Play]);
    assert_eq!(book.remove(&position, Some(moves[0])), 0);
    assert_eq!(book.remove(&position, None), 1);
    assert_eq!(book, Book::default());
}

#[test]
fn chances_follow_games_and_results() {
    let known = |games, wins, mark| BookMove { mv: Move::PASS, figures: Figures { games, wins, losses: games - wins }, mark };
    let usual = BookParams::default();
    let near = |moves: &[BookMove], params: &BookParams, expected: &[f32]| {
        let chances = chances(moves, params);
        assert!(chances.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4), "{chances:?}");
    };
    let both = [known(300, 150, Mark::None), known(100, 50, Mark::None)];
    near(&both, &usual, &[0.75, 0.25]);
    near(&both, &BookParams { variety: 0.0, ..usual.clone() }, &[1.0, 0.0]);
    near(&both, &BookParams { variety: 0.5, ..usual.clone() }, &[0.9, 0.1]);
    near(&[known(300, 150, Mark::None), known(100, 30, Mark::None)], &usual, &[1.0, 0.0]);
    near(&[known(300, 150, Mark::None), known(4, 4, Mark::None)], &usual, &[1.0, 0.0]);
    near(&[known(4, 4, Mark::None)], &usual, &[0.0]);
    near(&[known(300, 150, Mark::Avoid)], &usual, &[0.0]);
    near(&[known(30, 15, Mark::None), known(0, 0, Mark::Play), known(2, 0, Mark::Play)], &usual, &[0.0, 1.0 / 3.0, 2.0 / 3.0]);
    near(&[], &usual, &[]);
}

/// A book of random games.
fn random_book(seed: u64) -> Book {
    let mut rng = Rng::new(seed);
    let mut book = Book::default();
    for _ in 0..8 {
        let size = [Size::square(9).unwrap(), Size::new(3, 5).unwrap(), Size::STANDARD][rng.below(3)];
        let mut position = game(size, rng.below(9) as f32 / 2.0 - 2.0);
        for _ in 0..6 {
            let moves: Vec<Move> = position.legal_moves().filter(|mv| !mv.is_pass()).collect();
            let mv = moves[rng.below(moves.len())];
            let games = 1 + rng.below(300) as u32;
            let wins = rng.below(games as usize + 1) as u32;
            add(&mut book, &position, mv, games, wins);
            if rng.below(5) == 0 {
                book.mark(&position, mv, if rng.below(2) == 0 { Mark::Play } else { Mark::Avoid });
            }
            position.play(mv).unwrap();
        }
    }
    book
}

#[test]
fn files_hold_books() {
    for seed in 0..20 {
        let book = random_book(seed);
        let bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(&bytes).as_ref(), Ok(&book));
        for end in 0..bytes.len() {
            assert!(Book::from_bytes(&bytes[..end]).is_err(), "cut off at {end}");
        }
    }
    assert_eq!(Book::from_bytes(&Book::default().to_bytes()), Ok(Book::default()));
    assert_eq!(Book::from_bytes(b"tengen book 2\n"), Err(Damage::Version));
    assert_eq!(Book::from_bytes(b"(;GM[1])"), Err(Damage::Other));
}

/// The bytes with a right checksum behind them.
fn sealed(body: &[u8]) -> Vec<u8> {
    seal("tengen book 1", body)
}

#[test]
fn hostile_files_are_refused() {
    let spot = [0u8; 8];
    let page = [1, 9, 9, 0, 14, 1];
    let good = [&page[..], &spot, &[1, 40, 3, 2, 1, 0]].concat();
    assert!(Book::from_bytes(&sealed(&good)).is_ok());
    let bodies: [&[u8]; 14] = [
        &[],
        &[0xff; 10],
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        &[1, 9, 9, 0, 14, 0xff, 0xff, 0xff, 0xff, 0x0f],
        &[1, 26, 9, 0, 14, 0],
        &[1, 5, 9, 0, 14, 0],
        &[1, 9, 9, 2, 14, 0],
        &[1, 9, 9, 0, 0xff, 0xff, 0xff, 0x7f, 0],
        &[2, 9, 9, 0, 14, 0, 9, 9, 0, 14, 0],
        &[&page[..], &spot, &[1, 81, 3, 2, 1, 0]].concat(),
        &[&page[..], &spot, &[1, 40, 3, 2, 2, 0]].concat(),
        &[&page[..], &spot, &[1, 40, 3, 2, 1, 3]].concat(),
        &[&page[..], &spot, &[2, 40, 3, 2, 1, 0, 40, 3, 2, 1, 0]].concat(),
        &[&good[..], &[0]].concat(),
    ];
    for body in bodies {
        assert!(Book::from_bytes(&sealed(body)).is_err(), "{body:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bytes_with_a_right_sum_are_read_or_refused(body in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = Book::from_bytes(&sealed(&body));
    }

    #[test]
    fn a_flipped_bit_is_seen(seed in 0u64..5, place in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut bytes = random_book(seed).to_bytes();
        let place = place.index(bytes.len());
        bytes[place] ^= 1 << bit;
        prop_assert!(Book::from_bytes(&bytes).is_err());
    }

    #[test]
    fn merging_adds_in_any_order(a in 0u64..1000, b in 0u64..1000) {
        let unmarked = |seed| {
            let mut book = random_book(seed);
            for entry in book.pages.values_mut().flat_map(|spots| spots.values_mut()).flatten() {
                entry.mark = Mark::None;
            }
            book.prune(1);
            book
        };
        let (mut left, mut right) = (unmarked(a), unmarked(b));
        left.merge(&unmarked(b));
        right.merge(&unmarked(a));
        prop_assert_eq!(left, right);
    }
}
