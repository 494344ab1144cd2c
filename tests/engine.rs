//! The engine as a whole: what one search leaves behind must not mislead the next, and what it knows must fit the rules.

use std::time::Duration;

use tengen::board::{Board, Color, Move, Size};
use tengen::book::{Book, Mark};
use tengen::engine::{Decision, Ending, Engine};
use tengen::params::{Settings, Table};
use tengen::rules::{Position, Rules};
use tengen::search::{Limits, Listener, Report, Restriction, SearchOptions};
use tengen::util::StopFlag;

fn engine(side: usize, set: &[(&str, &str)]) -> Engine {
    let mut settings = Settings::default();
    for (name, value) in [("searchRandSeed", "1"), ("maxPlayouts", "300")].iter().chain(set) {
        settings.set(name, value).unwrap();
    }
    Engine::new(settings, Position::new(Size::square(side).unwrap(), rules("chinese")))
}

fn rules(name: &str) -> Rules {
    Rules::parse(name).unwrap()
}

fn only(mv: Move) -> SearchOptions {
    let restriction = Restriction { player: 0, actions: vec![mv], only: true, until_depth: 1 };
    SearchOptions { restrictions: vec![restriction], ..SearchOptions::default() }
}

fn choose(engine: &mut Engine, options: &SearchOptions) -> (Decision, Report) {
    let color = engine.position().to_move();
    engine.choose(color, &Limits::default(), options, Ending::Usual, &StopFlag::new(), None)
}

fn analyze(engine: &mut Engine, playouts: u64, options: &SearchOptions) {
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    engine.analyze(Color::Black, &limits, options, &StopFlag::new(), None);
}

#[test]
fn a_restricted_analysis_does_not_mislead_the_next_move() {
    let mut engine = engine(9, &[]);
    let corner = engine.position().size().parse_vertex("A1").unwrap();
    analyze(&mut engine, 3_000, &only(corner));
    let (decision, report) = choose(&mut engine, &SearchOptions::default());
    assert_ne!(decision, Decision::Play(corner), "{report:#?}");
    let (decision, _) = choose(&mut engine, &only(corner));
    assert_eq!(decision, Decision::Play(corner));
}

#[test]
fn a_judgement_belongs_to_its_rules() {
    // White's stone is dead, but not where every stone counts as it stands.
    let board = Board::from_drawing(". X . X .\nX X X X X\n. O X . X\nX X X X X\n. X . X .").unwrap();
    let position = |name: &str| Position::from_board(board.clone(), Color::Black, rules(name).with_komi(0.0));
    let mut engine = engine(5, &[]);
    for (name, dead, score) in [("chinese", 1, 25.0), ("tromp-taylor", 0, 22.0), ("chinese", 1, 25.0)] {
        engine.set_position(position(name));
        let judgement = engine.judge();
        assert_eq!((judgement.dead.len(), judgement.score), (dead, score), "{name}");
        assert_eq!(judgement.lost.len(), 1, "it can be captured under any rules");
    }
}

#[test]
fn a_level_is_not_raised_by_what_analysis_has_learnt() {
    let mut engine = engine(9, &[("level", "3"), ("maxPlayouts", "none")]);
    analyze(&mut engine, 2_000, &SearchOptions::default());
    let (_, report) = choose(&mut engine, &SearchOptions::default());
    assert_eq!(report.visits, 160);
}

#[test]
fn a_seed_set_during_a_session_holds() {
    let mut engine = engine(9, &[]);
    let mut searched = |seed: u64| {
        engine.settings_mut().search.seed = Some(seed);
        engine.set_position(Position::new(Size::square(9).unwrap(), rules("chinese")));
        let (_, report) = choose(&mut engine, &SearchOptions::default());
        report.candidates.iter().map(|candidate| (candidate.mv, candidate.visits)).collect::<Vec<_>>()
    };
    let first = searched(5);
    assert_ne!(searched(6), first);
    assert_eq!(searched(5), first);
}

#[test]
fn who_leads_a_handicap_game_does_not_resign_it() {
    // Five stones and some moves on: far ahead, though behind what five stones should give.
    let mut engine = engine(9, &[("resignConsecTurns", "1"), ("resignWinrate", "0.5"), ("resignMinMovesPerBoardArea", "0")]);
    let size = Size::square(9).unwrap();
    let stones = ["C3", "G3", "C7", "G7", "E5"].map(|at| (size.parse_vertex(at).unwrap().point().unwrap(), Some(Color::Black)));
    let mut board = Board::new(size);
    board.set_up(&stones).unwrap();
    engine.set_position(Position::from_board(board, Color::White, rules("chinese").with_komi(0.5)));
    engine.play(Color::White, size.parse_vertex("E3").unwrap()).unwrap();
    let (decision, report) = choose(&mut engine, &SearchOptions::default());
    assert!(report.lead > 0.0, "{report:#?}");
    assert_ne!(decision, Decision::Resign);
}

/// A pass answered by a pass is found by a short look, and a move of a book too; both tell how they stand meanwhile.
#[test]
fn short_looks_tell_how_they_stand() {
    let told = |engine: &mut Engine| {
        let color = engine.position().to_move();
        let mut best = Vec::new();
        let mut tell = |report: &Report| best.push(report.best().unwrap().mv);
        let listener = Listener { interval: Duration::ZERO, tell: &mut tell };
        let (stop, limits) = (StopFlag::new(), Limits::default());
        let (decision, _) = engine.choose(color, &limits, &SearchOptions::default(), Ending::Usual, &stop, Some(listener));
        (decision, best)
    };
    let mut engine = engine(19, &[("numSearchThreads", "1")]);
    let size = engine.position().size();
    // Two walls side by side, and Black's half is the larger: under these rules that counts as it stands.
    engine.set_position(Position::new(size, rules("tromp-taylor").with_komi(0.0)));
    for y in 0..19 {
        engine.play(Color::White, size.point(8, y).unwrap().into()).unwrap();
        engine.play(Color::Black, size.point(9, y).unwrap().into()).unwrap();
    }
    engine.play(Color::White, Move::PASS).unwrap();
    let (decision, lines) = told(&mut engine);
    assert_eq!(decision, Decision::Play(Move::PASS));
    assert!(!lines.is_empty(), "nothing was told before the end");
    let centre = size.parse_vertex("K10").unwrap();
    engine.set_position(Position::new(size, rules("chinese")));
    let mut book = Book::default();
    assert!(book.mark(engine.position(), centre, Mark::Play));
    engine.set_book(Some(book));
    let (decision, lines) = told(&mut engine);
    assert_eq!(decision, Decision::Play(centre));
    assert!(!lines.is_empty() && lines.iter().all(|&mv| mv == centre), "{lines:?}");
}
