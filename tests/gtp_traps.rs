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
    let sent: Vec<String> = (0..2000).map(|id| format!("{id} known_command x{id}\n")).collect();
    let expected: Vec<String> = (0..2000).map(|id| format!("={id} false\n\n")).collect();
    assert_eq!(bytes(&sent.concat()), expected.concat());
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
    client.get("boardsize 3 2");
    let reply = client.get("kata-search_analyze b 100 movesOwnership true ownership true");
    let infos = reply.lines().next().unwrap();
    let infos = infos.split("info move ").skip(1);
    for info in infos {
        let numbers = info.split(" movesOwnership ").nth(1).unwrap().split(" ownership ").next().unwrap();
        let numbers: Vec<f32> = numbers.trim().split(' ').map(|number| number.parse().unwrap()).collect();
        assert!(numbers.len() == 6 && numbers.iter().all(|owner| owner.abs() <= 1.0), "{reply}");
    }
    client.all(&["boardsize 2", "play b A1"]);
    let reply = client.get("kata-search_analyze w avoid w B2,A2 5 avoid w pass 1");
    assert!(reply.ends_with("play B1"), "{reply}");
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
