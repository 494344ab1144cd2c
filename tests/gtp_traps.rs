//! What clients trip over: the traps that their authors and ours fell into, a test for each.

mod common;

use std::time::{Duration, Instant};

use common::gtp::{Client, quick};
use tengen::params::Settings;

/// Settings under which only time ends a search.
fn timed(seconds: f32) -> Settings {
    let mut settings = quick();
    settings.search.max_playouts = None;
    settings.time.default_time = Duration::from_secs_f32(seconds);
    settings
}

/// What comes back, byte by byte, for what is sent.
fn bytes(sent: &str) -> String {
    let mut client = Client::quick();
    client.send_bytes(sent.as_bytes());
    client.end()
}

#[test]
fn the_first_commands_are_answered_at_once() {
    let begun = Instant::now();
    let mut client = Client::start(Settings::for_machine());
    client.get("name");
    client.get("list_commands");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    client.await_message("GTP ready");
}

#[test]
fn replies_byte_by_byte() {
    assert_eq!(bytes("name\n"), "= Tengen\n\n");
    assert_eq!(bytes("0 name\n7 nonsense\nclear_board"), "=0 Tengen\n\n?7 unknown command\n\n= \n\n");
    assert_eq!(bytes("2147483647 play b Q99\n"), "?2147483647 illegal move\n\n");
    assert!(bytes("5 kata-analyze 1\n\n").starts_with("=5 \ninfo move "));
    assert!(bytes("kata-analyze 1\n\n").starts_with("= \ninfo move "));
    assert_eq!(bytes("12\n"), "?12 syntax error: a command is missing behind the number\n\n");
    assert_eq!(bytes(""), "");
}

#[test]
fn odd_lines() {
    let sent = "\u{feff}name\r\n\tplay\tB  q16\t# the corner\r\n\r\n# nothing\n   \n3  version \x07\r\nNAME\n";
    assert_eq!(bytes(sent), format!("= Tengen\n\n= \n\n=3 {}\n\n? unknown command\n\n", env!("CARGO_PKG_VERSION")));
    let long = format!("9 play {}\nname\n", "x".repeat(1_000_000));
    assert_eq!(bytes(&long), "?9 syntax error: a line has at most 65536 bytes\n\n= Tengen\n\n");
    let mut client = Client::quick();
    client.send_bytes(b"play b \xff\xfe\n");
    assert_eq!(client.reply(), "? illegal move");
}

#[test]
fn commands_sent_at_once_are_answered_in_order() {
    let sent: String = (0..2000).map(|id| format!("{id} known_command x{id}\n")).collect();
    let expected: String = (0..2000).map(|id| format!("={id} false\n\n")).collect();
    assert_eq!(bytes(&sent), expected);
}

#[test]
fn any_line_ends_an_analysis() {
    for line in ["", "# a remark", "name", "\r", "nonsense"] {
        let mut client = Client::quick();
        client.send("lz-analyze 1");
        assert_eq!(client.line(), "= \n");
        assert!(client.line().starts_with("info move "));
        client.send(line);
        while client.line() != "\n" {}
        client.send("quit");
        let rest = client.end();
        assert!(rest.ends_with("= \n\n") && !rest.contains("info"), "after {line:?}: {rest}");
    }
}

#[test]
fn an_analysis_goes_on_without_input_and_tells_at_its_interval() {
    let mut client = Client::quick();
    client.send("kata-analyze 5");
    assert_eq!(client.line(), "= \n");
    let begun = Instant::now();
    let visits = |line: &str| line.split(' ').nth(4).unwrap().parse::<u64>().unwrap();
    let first = visits(&client.line());
    for _ in 0..8 {
        client.line();
    }
    assert!(visits(&client.line()) >= first);
    assert!(begun.elapsed() >= Duration::from_millis(400), "ten lines in {:?}", begun.elapsed());
    // Without an interval there is one line, at the end.
    client.send("lz-analyze");
    while client.line() != "\n" {}
    assert_eq!(client.line(), "= \n");
    client.send("name");
    assert!(client.line().starts_with("info "));
    assert_eq!(client.line(), "\n");
    assert_eq!(client.reply(), "= Tengen");
}

#[test]
fn vertices_in_and_out() {
    let mut client = Client::quick();
    client.all(&["boardsize 9", "play b c3", "play WHITE D4", "play b pAsS", "play w PASS"]);
    assert_eq!(client.error("play b i5"), "illegal move");
    let vertex = client.get("genmove b");
    assert!(vertex == "pass" || vertex == "resign" || vertex.starts_with(|c: char| c.is_ascii_uppercase()), "{vertex}");
}

#[test]
fn analyze_options() {
    let mut client = Client::quick();
    assert!(client.error("kata-analyze B 10 ownershp true").starts_with("syntax error: unknown analyze option 'ownershp'"));
    assert!(client.error("lz-genmove_analyze 10 nonsense").contains("'nonsense'"));
    for form in ["", "B", "10", "b 10", "10 b", "0.5", "2147483647", "interval 10", "w interval 2147483647 maxmoves 1"] {
        client.send(&format!("kata-genmove_analyze {form}"));
        assert!(client.reply().starts_with("= \ninfo move "), "{form}");
    }
    client.get("clear_board");
    client.send("kata-search_analyze b 100 allow b C3,D4,E5 1 maxmoves 9");
    let reply = client.reply();
    assert!(["play C3", "play D4", "play E5"].iter().any(|play| reply.ends_with(play)), "{reply}");
    let infos: Vec<&str> = reply.matches("info move").collect();
    assert!(infos.len() <= 3, "{reply}");
    client.all(&["boardsize 2", "play b A1"]);
    let reply = client.get("kata-search_analyze w avoid w B2,A2 5 avoid w pass 1");
    assert!(reply.ends_with("play B1"), "{reply}");
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
fn the_version_is_three_numbers() {
    let mut client = Client::quick();
    let version = client.get("version");
    assert_eq!(version.split('.').filter(|part| part.parse::<u32>().is_ok()).count(), 3, "{version}");
    assert_eq!(version.split('.').count(), 3);
    assert!(!client.get("name").starts_with("KataGo"));
}

#[test]
fn without_a_clock_a_move_still_comes() {
    let mut client = Client::start(timed(0.2));
    for settings in ["", "time_settings 0 1 0", "time_settings 1 1 0", "kgs-time_settings none", "time_settings 0 0 0"] {
        if !settings.is_empty() {
            client.get(settings);
        }
        let begun = Instant::now();
        client.get("kata-search b");
        let took = begun.elapsed();
        assert!(took >= Duration::from_millis(150) && took < Duration::from_secs(5), "{settings}: {took:?}");
    }
}

#[test]
fn every_clock_is_understood() {
    let mut client = Client::quick();
    client.all(&[
        "time_settings 0 5 1",
        "time_settings 0.5 2.5 3",
        "time_settings -10 5 1",
        "time_left b 12.50 0",
        "time_left white -3 0",
        "time_left w 4 1",
        "kgs-time_settings absolute 300",
        "kgs-time_settings canadian 300 60 25",
        "kgs-time_settings byoyomi 300 30.5 5",
        "time_left w 30 5",
        "kata-time_settings fischer 600 10",
        "kata-time_settings fischer-capped 600 10 1200 -1",
        "kata-time_settings fischer-capped 600 10 -1 -1",
        "kata-time_settings absolute 2147483647",
        "genmove b",
    ]);
    for bad in [
        "time_settings 5",
        "time_settings a b c",
        "time_left",
        "time_left b",
        "time_left b soon 0",
        "kata-time_settings",
        "kata-time_settings hourglass 3",
    ] {
        assert!(client.error(bad).starts_with("syntax error"), "{bad}");
    }
}

#[test]
fn it_keeps_its_own_clock() {
    let mut settings = timed(60.0);
    settings.time.lag_margin = Duration::from_millis(20);
    settings.play.resign = false;
    let mut client = Client::start(settings);
    client.all(&["boardsize 5", "time_settings 2 0 0"]);
    let mut used = Duration::ZERO;
    for _ in 0..30 {
        let begun = Instant::now();
        client.get("genmove b");
        used += begun.elapsed();
        client.get("play w pass");
    }
    assert!(used < Duration::from_secs(2), "{used:?}");
    client.get("clear_board");
    let begun = Instant::now();
    client.get("genmove b");
    assert!(begun.elapsed() > Duration::from_millis(20), "a new game begins with a full clock");
}

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
    client.all(&[
        "boardsize 5",
        "play b C3",
        "play w pass",
        "play b pass",
        "final_score",
        "genmove w",
        "play b B2",
        "undo",
        "undo",
    ]);
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
fn quitting() {
    let mut client = Client::quick();
    client.get("1 name".trim_start_matches("1 "));
    assert_eq!(client.ask("5 quit"), "=5 ");
    assert!(client.ends_within(Duration::from_millis(500)));
    // What comes behind it is not answered.
    assert_eq!(bytes("quit\nname\n"), "= \n\n");
}

#[test]
fn the_end_of_the_input_is_quit() {
    assert_eq!(bytes("name"), "= Tengen\n\n");
    let mut client = Client::start(timed(60.0));
    client.send("kata-analyze 100");
    client.line();
    let begun = Instant::now();
    client.end();
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}

#[test]
fn ctrl_c_ends_whatever_is_under_way() {
    for command in ["", "genmove b", "kata-search b", "kata-analyze 100", "kata-genmove_analyze b 100"] {
        let mut client = Client::start(timed(60.0));
        client.get("name");
        client.send(command);
        std::thread::sleep(Duration::from_millis(100));
        client.stop.set();
        assert!(client.ends_within(Duration::from_secs(5)), "{command}");
    }
}

#[test]
fn input_does_not_end_a_search_for_a_move() {
    for command in ["genmove b", "kata-genmove_analyze b 10", "kata-search w", "cgos-genmove_analyze b"] {
        let mut client = Client::start(timed(0.4));
        let begun = Instant::now();
        client.send_bytes(format!("{command}\n\nname\n# remark\n").as_bytes());
        client.reply();
        assert!(begun.elapsed() >= Duration::from_millis(350), "{command}: {:?}", begun.elapsed());
        assert_eq!(client.reply(), "= Tengen");
    }
}

#[test]
fn what_does_end_a_search_for_a_move() {
    let ends = [
        ("genmove b", "# interrupt", true),
        ("kata-genmove_analyze b 10", "# interrupt", true),
        ("kata-search b", "stop", true),
        ("kata-search_analyze b 10", "stop", true),
        ("kata-search_cancellable b", "", false),
        ("kata-search_cancellable b", "name", false),
        ("kata-search_analyze_cancellable b 10", "", false),
    ];
    for (command, input, moves) in ends {
        let mut client = Client::start(timed(60.0));
        let begun = Instant::now();
        client.send(command);
        std::thread::sleep(Duration::from_millis(100));
        client.send(input);
        let reply = client.reply();
        assert!(begun.elapsed() < Duration::from_secs(10), "{command}, {input}");
        assert_eq!(!reply.ends_with("cancelled"), moves, "{command}, {input}: {reply}");
        assert_eq!(reply.ends_with("play cancelled"), command.contains("analyze_c"), "{reply}");
    }
}

#[test]
fn pondering_ends_when_a_command_comes() {
    let mut settings = timed(0.1);
    settings.search.ponder = true;
    let mut client = Client::start(settings);
    client.all(&["boardsize 9", "genmove b"]);
    for command in ["play w C3", "name", "", "stop", "name"] {
        std::thread::sleep(Duration::from_millis(30));
        let begun = Instant::now();
        client.send(command);
        if !command.is_empty() {
            client.reply();
        }
        assert!(begun.elapsed() < Duration::from_secs(1), "{command}: {:?}", begun.elapsed());
    }
    client.get("genmove b");
    let begun = Instant::now();
    client.end();
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[test]
fn standard_error_is_for_people() {
    let mut client = Client::quick();
    client.all(&["boardsize 9", "genmove b", "kata-genmove_analyze w 10", "cgos-genmove_analyze b", "kgs-genmove_cleanup w"]);
    client.await_message("Tengen 0.1.0");
    let messages = client.messages();
    let lines: Vec<&str> = messages.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("MALKOVICH:Visits ")).count(), 4, "{messages}");
    let line = client.await_message("MALKOVICH:");
    let words: Vec<&str> = line.split(' ').collect();
    let decimals = |word: &str| word.trim_end_matches('%').split('.').nth(1).map(str::len);
    assert_eq!([words[2], words[4], words[6], words[8]], ["Winrate", "ScoreLead", "ScoreStdev", "PV"], "{line}");
    assert_eq!([decimals(words[3]), decimals(words[5]), decimals(words[7])], [Some(2), Some(1), Some(1)], "{line}");
    client.end();
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
fn parameters() {
    let mut client = Client::quick();
    let names = client.get("kata-list-params");
    for name in names.split(' ') {
        let value = client.get(&format!("kata-get-param {name}"));
        let reply = client.ask(&format!("kata-set-param {name} {value}"));
        assert!(reply == "= " || reply.contains("only be set at the start"), "{name}: {reply}");
    }
    let all: serde_json::Value = serde_json::from_str(&client.get("kata-get-params")).unwrap();
    assert_eq!(all.as_object().unwrap().len(), names.split(' ').count());
    assert_eq!(all["maxPlayouts"], 30);
    client.get("kata-set-params {\"maxVisits\": 77, \"maxTime\": 2.5, \"ponderingEnabled\": false, \"maxPlayouts\": null}");
    assert_eq!(client.get("kata-get-param maxVisits"), "77");
    assert_eq!(client.get("kata-get-param maxPlayouts"), "none");
    client.error("kata-set-params {\"maxVisits\": 5, \"nonsense\": 1}");
    assert_eq!(client.get("kata-get-param maxVisits"), "77", "all or none");
    for bad in [
        "kata-get-param",
        "kata-get-param nonsense",
        "kata-set-param maxVisits",
        "kata-set-param maxVisits many",
        "kata-set-params x",
    ] {
        client.error(bad);
    }
    assert_eq!(client.get("kata-get-param humanSLProfile"), "");
    client.get("kata-set-param playoutDoublingAdvantage 1.5");
    client.error("kata-set-param humanSLProfile rank_5k");
}

#[test]
fn remarks_and_explanations() {
    let mut client = Client::quick();
    assert_eq!(client.get("gomill-explain_last_move"), "");
    assert!(client.get("kgs-chat game somebody how is it going?").contains('%'), "a view of the game before the first move");
    client.get("boardsize 9");
    let decision = client.get("genmove b");
    assert!(client.get("gomill-explain_last_move").starts_with(&format!("{decision}: ")));
    assert!(client.get("kgs-chat private somebody hi").contains("after "));
    assert_eq!(client.get("kgs-game_over"), "");
    let ownership = client.get("tengen-ownership");
    assert_eq!(ownership.lines().filter(|line| line.split(' ').count() == 9).count(), 9, "{ownership}");
    assert!(client.error("kata-raw-nn 0").contains("no network"));
}

#[test]
fn cgos_gets_one_line_of_json() {
    let mut client = Client::quick();
    client.all(&["boardsize 9", "cgos-opponent_name X", "cgos-opponent_rating 2000?"]);
    let reply = client.get("cgos-genmove_analyze b");
    let lines: Vec<&str> = reply.split('\n').collect();
    assert_eq!(lines.len(), 3, "{reply}");
    let json: serde_json::Value = serde_json::from_str(lines[1]).unwrap();
    assert_eq!(json["ownership"].as_str().unwrap().len(), 81);
    assert!((0.0..=1.0).contains(&json["winrate"].as_f64().unwrap()));
    assert!(json["moves"].as_array().unwrap().iter().all(|each| each["pv"].is_string() && each["visits"].is_u64()));
    assert!(lines[2].starts_with("play "));
}

#[test]
fn every_listed_command_is_known_and_answers() {
    let mut client = Client::quick();
    client.get("boardsize 5");
    let list = client.get("list_commands");
    assert!(list.starts_with("protocol_version\n"));
    for name in list.lines().filter(|name| *name != "quit") {
        assert_eq!(client.get(&format!("known_command {name}")), "true");
        for arguments in ["", "b", "w 1", "nonsense", "-1", "\"", "b pass x y z"] {
            if name == "printsgf" && !arguments.is_empty() {
                continue;
            }
            client.send(&format!("7 {name} {arguments}"));
            client.send("");
            let reply = client.reply();
            assert!(reply.starts_with("=7 ") || reply.starts_with("?7 "), "{name} {arguments}: {reply}");
        }
    }
    assert_eq!(client.get("known_command"), "false");
    assert_eq!(client.get("known_command Name"), "false");
}
