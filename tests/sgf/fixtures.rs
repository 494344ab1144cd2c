//! The fixtures in `sgf/`: each has its reason in its first comment.

use std::path::{Path, PathBuf};

use tengen::board::Color::{Black, White};
use tengen::rules::{Outcome, Rules, Scoring, area};
use tengen::sgf::{self, Collection, GameResult, Margin, Record, Tree};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sgf")
}

fn parse(name: &str) -> Collection {
    sgf::parse(&std::fs::read(folder().join(name)).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn read(name: &str) -> Record {
    Record::from_tree(&parse(name).games[0]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn each_says_why_and_comes_back_as_written() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let collection = parse(&name);
        let record = read(&name);
        assert!(record.steps[0].comment.as_ref().is_some_and(|text| text.contains("Why: ")), "{name}");
        let again = sgf::parse(sgf::write(&collection.games).as_bytes()).unwrap();
        // The notes speak of places in the file.
        let back = Record { notes: record.notes.clone(), ..Record::from_tree(&again.games[0]).unwrap() };
        assert_eq!(back, record, "{name}");
        assert_eq!(sgf::write(&again.games), sgf::write(&collection.games), "{name}");
        count += 1;
    }
    assert_eq!(count, 12);
}

#[test]
fn the_even_game_counts_as_it_says() {
    let record = read("even-9x9.sgf");
    assert_eq!((record.komi, record.moves().count(), record.notes.len()), (Some(7.0), 48, 0));
    let position = record.replay(record.rules_or(Rules::default())).unwrap();
    assert_eq!(position.rules().scoring, Scoring::Area);
    assert_eq!(position.result(), Some(Outcome::Score(16.0)));
    assert_eq!(GameResult::from(Outcome::Score(16.0)), record.result);
}

#[test]
fn the_handicap_game_has_its_stones() {
    let record = read("handicap-19x19.sgf");
    assert_eq!((record.handicap, record.komi, record.first_to_move()), (4, Some(0.5), White));
    assert_eq!(record.players[1].rank.as_deref(), Some("2d"));
    let position = record.replay(record.rules_or(Rules::default())).unwrap();
    assert_eq!(position.handicap_stones(), 4);
    let before = record.replay_moves(record.rules_or(Rules::default()), 0).unwrap();
    assert_eq!((before.to_move(), before.board().stones(Black), before.moves().len()), (White, 4, 0));
}

#[test]
fn variations_are_lines_of_their_own() {
    let tree = &parse("variations.sgf").games[0];
    let leaves: Vec<_> = tree.nodes().filter(|&id| tree.children(id).next().is_none()).collect();
    let lines: Vec<String> = leaves
        .iter()
        .map(|&leaf| {
            let record = Record::from_path(tree, &tree.path_to(leaf)).unwrap();
            let moves: Vec<String> = record.moves().map(|(_, mv)| record.size.vertex(mv)).collect();
            record.replay(Rules::default()).unwrap();
            moves.join(" ")
        })
        .collect();
    assert_eq!(
        lines,
        [
            "Q16 O17 Q14 K17",
            "Q16 O17 O16 N16 O15 Q17",
            "Q16 O17 O16 N16 O15 P17",
            "Q16 R17 Q17 R16 R15 S15 S14",
            "Q16 R17 Q17 R16 R15 S15 R14 S16"
        ]
    );
    let labelled = tree.main_line()[3];
    let (point, label) = tree.property(labelled, "LB").unwrap().values()[2].to_pair().unwrap();
    assert_eq!((point.to_text().as_str(), label.to_text().as_str()), ("nd", "C]"));
    let marked = tree.nodes().find(|&id| tree.property(id, "SQ").is_some()).unwrap();
    assert_eq!(sgf::points(read("variations.sgf").size, tree.property(marked, "SQ").unwrap()).unwrap().len(), 2);
}

#[test]
fn the_rectangular_board_is_wide() {
    let record = read("rectangular.sgf");
    let (_, last) = record.moves().last().unwrap();
    assert_eq!((record.size.to_string().as_str(), record.size.vertex(last).as_str()), ("13x9", "N1"));
    assert_eq!(parse("rectangular.sgf").games[0].value(Tree::ROOT, "SZ").unwrap().source(), "13:9");
}

#[test]
fn setup_changes_the_board_and_the_turn() {
    let record = read("setup.sgf");
    let first = record.replay_moves(Rules::default(), 0).unwrap();
    assert_eq!((first.board().stones(Black), first.board().stones(White), first.to_move()), (6, 7, White));
    let before = record.replay_moves(Rules::default(), 2).unwrap();
    assert_eq!((before.board().stones(Black), before.board().stones(White), before.to_move()), (6, 9, White));
    assert_eq!(before.moves().len(), 0);
    record.replay(Rules::default()).unwrap();
}

#[test]
fn the_ko_waits_for_a_threat() {
    let tree = &parse("ko.sgf").games[0];
    let main = Record::from_tree(tree).unwrap();
    main.replay(main.rules_or(Rules::default())).unwrap();
    let retake = tree.children(tree.main_line()[1]).nth(1).unwrap();
    let other = Record::from_path(tree, &tree.line_through(retake)).unwrap();
    for rules in Rules::names() {
        let error = other.replay(Rules::parse(rules).unwrap()).unwrap_err();
        assert_eq!((error.number, error.vertex.as_str()), (2, "E5"));
    }
}

#[test]
fn superko_forbids_by_its_kind() {
    let record = read("superko.sgf");
    assert_eq!(record.replay(Rules::parse("tromp-taylor").unwrap()).unwrap_err().number, 3);
    for rules in ["aga", "japanese", "chinese"] {
        record.replay(Rules::parse(rules).unwrap()).unwrap();
    }
}

#[test]
fn the_seki_is_nobodys() {
    let record = read("seki.sgf");
    assert_eq!(record.result, GameResult::Win(White, Margin::Points(6.5)));
    let position = record.replay(record.rules_or(Rules::default())).unwrap();
    assert!(position.awaits_judgement());
    let owners = area(position.board(), false);
    let count = |color| record.size.points().filter(|&point| owners.owner(point) == Some(color)).count();
    assert_eq!((count(Black), count(White)), (40, 39));
}

#[test]
fn old_files_mean_what_they_meant() {
    let old = read("old-style.sgf");
    assert_eq!((old.komi, old.result), (Some(7.5), GameResult::Win(Black, Margin::Resignation)));
    assert!(old.moves().skip(2).all(|(_, mv)| mv.is_pass()));
    let japanese = read("shift-jis.sgf");
    let names = japanese.players.map(|player| player.name.unwrap());
    assert_eq!(names, ["本因坊秀策", "ゾノ太郎"]);
    assert!(japanese.steps[0].comment.as_ref().unwrap().contains("「ソ」や「表」"));
}
