//! The commands about the board, the moves, the rules and the end of the game, trap by trap.

mod common;

use common::gtp::{Client, quick};

#[test]
fn handicaps() {
    let mut client = Client::quick();
    for stones in 2..=40 {
        client.get("clear_board");
        let mut points: Vec<String> =
            client.get(&format!("place_free_handicap {stones}")).split(' ').map(str::to_owned).collect();
        points.sort();
        points.dedup();
        assert_eq!(points.len(), stones);
    }
    assert_eq!(client.error("place_free_handicap 2"), "board not empty");
    assert_eq!(client.error("fixed_handicap 2"), "board not empty");
    assert_eq!(client.error("set_free_handicap D4 Q16"), "board not empty");
    assert_eq!(client.error("undo"), "cannot undo");
    client.get("clear_board");
    assert_eq!(client.get("fixed_handicap 5"), "D4 Q16 D16 Q4 K10");
    assert!(client.get("showboard").contains("White to move"));
    client.get("clear_board");
    assert!(client.error("fixed_handicap 10").starts_with("invalid number of stones"));
    assert!(client.error("fixed_handicap 1").starts_with("invalid number of stones"));
    assert!(client.error("place_free_handicap 1").starts_with("invalid number of stones"));
    assert!(client.error("place_free_handicap 361").starts_with("invalid number of stones"));
    assert!(client.error("set_free_handicap D4 d4").starts_with("bad vertex list"));
    assert!(client.error("set_free_handicap").starts_with("bad vertex list"));
    assert!(client.error("set_free_handicap D4 pass").starts_with("bad vertex list"));
    client.get("set_free_handicap A1");
    assert_eq!(client.error("undo"), "cannot undo");
    client.all(&["boardsize 2", "place_free_handicap 3"]);
}

#[test]
fn playing_and_taking_back() {
    let mut client = Client::quick();
    client.get("boardsize 9");
    assert_eq!(client.error("undo"), "cannot undo");
    client.all(&["play b E5", "play b E4", "play w pass", "undo", "undo", "undo"]);
    assert_eq!(client.error("undo"), "cannot undo");
    client.all(&["play b E5"]);
    assert_eq!(client.error("play w E5"), "illegal move");
    assert_eq!(client.error("play w Z1"), "illegal move");
    assert_eq!(client.error("play w resign"), "illegal move");
    assert!(client.error("play E5").starts_with("syntax error"));
    assert!(client.error("play red E4").starts_with("syntax error"));
    assert!(client.error("play b").starts_with("syntax error"));
    client.all(&["play w E4", "play b pass", "gg-undo 3"]);
    assert_eq!(client.error("gg-undo 1"), "cannot undo");
    client.all(&["play b E5", "play w E4"]);
    assert_eq!(client.error("gg-undo 3"), "cannot undo");
    assert!(client.get("showboard").contains("last move White E4"), "a refused undo leaves all moves");
    // A ko.
    client.all(&["clear_board", "play b B1", "play w C1", "play b A2", "play w D2", "play b B3", "play w C3", "play b C2"]);
    client.get("play w B2");
    assert_eq!(client.error("play b C2"), "illegal move");
    // A search plays nothing.
    let before = client.get("showboard");
    for command in ["kata-search b", "kata-search_cancellable b", "reg_genmove b"] {
        client.get(command);
        assert_eq!(client.get("showboard"), before, "{command}");
    }
}

#[test]
fn two_passes_are_not_the_end() {
    let mut client = Client::quick();
    client.all(&["boardsize 5", "play b C3", "play w pass", "play b pass", "final_score"]);
    let played = client.get("genmove w");
    let free = if played == "B2" { "D4" } else { "B2" };
    client.all(&[&format!("play b {free}"), "undo", "undo"]);
    client.all(&[
        "kata-set-rules japanese",
        "clear_board",
        "play b pass",
        "play w pass",
        "genmove b",
        "genmove b",
        "final_score",
    ]);
}

#[test]
fn any_komi() {
    let mut client = Client::quick();
    for komi in ["0", "-7.5", "6", "6.5", "100000", "1e6", "3.75"] {
        client.get(&format!("komi {komi}"));
        assert_eq!(client.get("get_komi").parse::<f32>().unwrap(), komi.parse::<f32>().unwrap());
        client.get("genmove b");
    }
    for bad in ["komi", "komi much", "komi nan", "komi inf", "komi 1e300"] {
        assert!(client.error(bad).starts_with("syntax error"), "{bad}");
    }
}

/// A finished game on 7x7: White's stones on the right side are dead.
const FINISHED: [&str; 4] = [
    "boardsize 7",
    "komi 0.5",
    "set_position b D1 b D2 b D3 b D4 b D5 b D6 b D7 w C1 w C2 w C3 w C4 w C5 w C6 w C7 w F4 w A2 w B4 w B5 w A6 b F2 b G2 b F6",
    "kata-set-rules chinese",
];

#[test]
fn the_end_of_a_game() {
    let mut client = Client::quick();
    client.all(&FINISHED);
    assert_eq!(client.get("final_status_list dead"), "F4");
    assert_eq!(client.get("final_status_list seki"), "");
    let alive = client.get("final_status_list alive");
    let chains: Vec<&str> = alive.split('\n').collect();
    assert!(chains.iter().any(|chain| chain.split(' ').count() == 7 && chain.contains("D4")), "{alive}");
    assert_eq!(alive.split_whitespace().count(), 14 + 4 + 3);
    // Area: 28 for Black, 21 for White and komi.
    assert_eq!(client.get("final_score"), "B+6.5");
    assert!(client.error("final_status_list sleeping").starts_with("syntax error"));
    client.get("komi 7");
    assert_eq!(client.get("final_score"), "0");
    client.get("komi 8.5");
    assert_eq!(client.get("final_score"), "W+1.5");
}

#[test]
fn cleaning_up_takes_dead_stones_off_the_board() {
    let mut settings = quick();
    settings.search.max_playouts = Some(300);
    let mut client = Client::start(settings);
    client.all(&FINISHED);
    for _ in 0..40 {
        let decision = client.get("kgs-genmove_cleanup b");
        client.get("play w pass");
        if client.get("final_status_list dead").is_empty() {
            return;
        }
        assert!(decision != "pass" && decision != "resign", "{decision} while dead stones remain");
    }
    panic!("the dead stone still stands:\n{}", client.get("showboard"));
}

#[test]
fn records_by_quoted_name() {
    let folder = std::env::temp_dir().join(format!("tengen gtp Gō {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a b.sgf");
    let path = path.to_str().unwrap();
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gtp/x.sgf"), path).unwrap();
    let mut client = Client::quick();
    client.get(&format!("loadsgf \"{path}\" 30"));
    let board = client.get("showboard");
    assert!(board.contains("White to move, last move Black B3"), "{board}");
    assert_eq!(client.get("get_komi"), "6.5");
    client.get("gg-undo 29");
    assert_eq!(client.error("undo"), "cannot undo");
    client.get(&format!("loadsgf \"{path}\""));
    assert!(client.get("showboard").contains("last move White K17"));
    assert!(client.error("loadsgf \"no such file.sgf\" 3").starts_with("cannot load file"));
    assert!(client.error("loadsgf \"open").starts_with("syntax error"));
    assert!(client.error("loadsgf").starts_with("syntax error"));
    assert!(client.get("showboard").contains("last move White K17"), "a file that cannot be read changes nothing");
    // Written and read again it is the same game.
    let copy = folder.join("c d.sgf");
    let copy = copy.to_str().unwrap();
    client.get(&format!("printsgf \"{copy}\""));
    let (board, text) = (client.get("showboard"), client.get("printsgf"));
    assert_eq!(client.get("printsgf -"), text);
    assert_eq!(std::fs::read_to_string(copy).unwrap().trim_end(), text);
    client.all(&["boardsize 5", "kata-set-rules japanese"]);
    client.get(&format!("loadsgf \"{copy}\""));
    assert_eq!(client.get("showboard"), board);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn records_keep_the_start_and_the_rules() {
    let mut client = Client::quick();
    client.all(&["boardsize 9 7", "komi -3", "kata-set-rules aga", "set_free_handicap C3 G3", "play w E5", "play b pass"]);
    let text = client.get("printsgf");
    for part in ["SZ[9:7]", "KM[-3]", "HA[2]", "AB[", "PL[W]", "RU[aga]", ";W[ec]", ";B["] {
        assert!(text.contains(part), "{part} is missing: {text}");
    }
}

#[test]
fn rules_change_without_touching_the_board() {
    let mut client = Client::quick();
    client.all(&[
        "boardsize 9",
        "komi 3.5",
        "play b E5",
        "play w D5",
        "kata-set-rules {\"ko\": \"SIMPLE\", \"scoring\": \"TERRITORY\"}",
    ]);
    let rules = client.get("kata-get-rules");
    assert!(
        rules.contains("\"ko\":\"SIMPLE\"") && rules.contains("\"scoring\":\"TERRITORY\"") && rules.contains("\"tax\":\"SEKI\""),
        "{rules}"
    );
    client.all(&["kata-set-rule suicide true", "kata-set-rule ko SITUATIONAL"]);
    let rules = client.get("kata-get-rules");
    assert!(rules.contains("\"suicide\":true") && rules.contains("\"ko\":\"SITUATIONAL\""), "{rules}");
    assert_eq!(client.get("get_komi"), "3.5");
    assert!(client.get("showboard").contains("last move White D5"));
    client.all(&["undo", "undo"]);
    client.error("undo");
    for bad in [
        "kata-set-rules",
        "kata-set-rules chess",
        "kata-set-rule ko",
        "kata-set-rule ko HARD",
        "kata-set-rules {\"ko\"",
        "kgs-rules moon",
    ] {
        client.error(bad);
    }
    // A suicide played under rules that allow it stands when they no longer do.
    client.all(&["kata-set-rules tromp-taylor", "boardsize 5", "play w B1", "play w B2", "play w A3", "play b A1", "play b A2"]);
    client.get("kata-set-rules chinese");
    assert!(client.get("showboard").contains("White to move"));
    client.get("genmove w");
}

#[test]
fn set_position_takes_all_or_nothing() {
    let mut client = Client::quick();
    client.all(&["boardsize 5", "play b C3"]);
    for bad in [
        "set_position b A1 w A1",
        "set_position b A1 w A2 w B1",
        "set_position b",
        "set_position b Z9",
        "set_position b pass",
        "set_position A1",
    ] {
        client.error(bad);
        assert!(client.get("showboard").contains("last move Black C3"), "{bad}");
    }
    client.get("set_position b A1 w B2 b C3");
    assert!(client.get("showboard").contains("Black to move\n"));
    assert_eq!(client.error("undo"), "cannot undo");
    client.get("set_position");
    assert!(!client.get("showboard").contains('O'));
}

#[test]
fn boardsize_clears_the_board_and_keeps_the_rest() {
    let mut client = Client::quick();
    client.all(&["komi 5.5", "kata-set-rules japanese", "time_settings 0 1 1", "boardsize 9", "play b E5", "boardsize 9"]);
    assert_eq!(client.get("get_komi"), "5.5");
    assert!(client.get("kata-get-rules").contains("\"scoring\":\"TERRITORY\""));
    assert!(!client.get("showboard").contains('X'));
    client.all(&["play b E5", "clear_board", "play b E5"]);
    assert_eq!(client.get("get_komi"), "5.5");
    assert_eq!(client.error("boardsize 1"), "unacceptable size");
    assert_eq!(client.error("boardsize 26"), "unacceptable size");
    assert_eq!(client.error("boardsize -5"), "unacceptable size");
    assert!(client.error("boardsize").starts_with("syntax error"));
    assert!(client.get("showboard").contains('X'), "a refused size leaves the board alone");
}

#[test]
fn boards_that_are_no_squares() {
    let mut client = Client::quick();
    for command in ["boardsize 9 13", "rectangular_boardsize 9 13"] {
        client.get(command);
        client.get("play b J13");
        assert_eq!(client.error("play b K13"), "illegal move");
        assert_eq!(client.error("play b J14"), "illegal move");
        let reply = client.get("kata-genmove_analyze w ownership true");
        assert_eq!(reply.split(" ownership ").nth(1).unwrap().split('\n').next().unwrap().split(' ').count(), 9 * 13);
    }
}

#[test]
fn vertices_in_and_out() {
    let mut client = Client::quick();
    client.all(&["boardsize 9", "play b c3", "play WHITE D4", "play b pAsS", "play w PASS"]);
    assert_eq!(client.error("play b i5"), "illegal move");
    let vertex = client.get("genmove b");
    assert!(vertex == "pass" || vertex == "resign" || vertex.starts_with(|c: char| c.is_ascii_uppercase()), "{vertex}");
}
