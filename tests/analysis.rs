//! The JSON analysis as its clients use it.

mod common;

use std::time::{Duration, Instant};

use common::gtp::quick;
use common::json::{Client, query};
use common::network_file;
use serde_json::{Value, json};
use tengen::analysis::Closing;
use tengen::params::{NetworkFile, Settings};

fn settings(threads: u32) -> Settings {
    let mut settings = quick();
    settings.search.threads = threads;
    settings.search.max_playouts = None;
    settings
}

fn client() -> Client {
    Client::start(settings(2), Closing::Finish)
}

/// A network of a few channels, for what playouts do not tell.
fn with_network() -> Option<Client> {
    let mut settings = settings(2);
    settings.network.file = NetworkFile::At(network_file("tiny-v15")?);
    settings.search.memory = tengen::params::Bytes(128 << 20);
    Some(Client::start(settings, Closing::Finish))
}

#[test]
fn an_answer_has_what_clients_look_for() {
    let mut client = client();
    let asked = json!({
        "moves": [["B", "C3"], ["w", "d4"]],
        "analyzeTurns": [2],
        "includeOwnership": true,
        "includeOwnershipStdev": true,
        "includeMovesOwnership": true,
        "includeMovesOwnershipStdev": true,
        "includePolicy": true,
        "includePVVisits": true,
        "includeNoResultValue": true,
        "maxVisits": 200,
    });
    let answer = client.ask(&query("q \"ü\"", asked));
    assert_eq!((&answer["id"], &answer["turnNumber"], &answer["isDuringSearch"]), (&json!("q \"ü\""), &json!(2), &json!(false)));
    let root = &answer["rootInfo"];
    assert_eq!((&root["currentPlayer"], &root["visits"]), (&json!("B"), &json!(200)));
    assert_eq!(root["thisHash"].as_str().unwrap().len(), 32);
    let size = |value: &Value| value.as_array().map(Vec::len);
    assert_eq!((size(&answer["ownership"]), size(&answer["ownershipStdev"])), (Some(25), Some(25)));
    let policy = answer["policy"].as_array().unwrap();
    assert_eq!((policy.len(), policy[12].as_f64()), (26, Some(-1.0)), "there is a stone in the middle");
    let infos = answer["moveInfos"].as_array().unwrap();
    let mut visits = 0;
    for (order, info) in infos.iter().enumerate() {
        assert_eq!(info["order"], json!(order));
        // The position is symmetric by a diagonal.
        visits += if info.get("isSymmetryOf").is_none() { info["visits"].as_u64().unwrap() } else { 0 };
        for key in ["winrate", "lcb", "scoreLead", "scoreMean", "scoreSelfplay", "scoreStdev", "utility", "utilityLcb", "prior"] {
            assert!(info[key].is_f64(), "{key} of {info}");
        }
        assert_eq!(info["pv"][0], info["move"]);
        assert_eq!(size(&info["pvVisits"]), size(&info["pv"]));
        assert_eq!(info["pvEdgeVisits"], info["pvVisits"]);
        assert_eq!((size(&info["ownership"]), size(&info["ownershipStdev"])), (Some(25), Some(25)));
        assert_eq!(info["noResultValue"], 0.0);
    }
    assert!((199..=200).contains(&visits), "{visits}");
    assert!(client.messages().lines().any(|line| line.contains("ready to begin handling requests")));
    assert!(client.end().is_empty());
}

#[test]
fn moves_of_a_symmetric_position_tell_which_they_mirror() {
    let mut client = client();
    let answer = client.ask(&query("s", json!({ "maxVisits": 300 })));
    let infos = answer["moveInfos"].as_array().unwrap();
    let mut searched = 0;
    for (order, info) in infos.iter().enumerate() {
        assert_eq!(info["order"], json!(order));
        let Some(of) = info.get("isSymmetryOf") else {
            searched += info["visits"].as_u64().unwrap();
            continue;
        };
        let original = infos.iter().find(|other| other["move"] == *of).unwrap();
        assert!(original.get("isSymmetryOf").is_none() && original["order"].as_u64() < info["order"].as_u64());
        assert_eq!((&original["visits"], &original["winrate"]), (&info["visits"], &info["winrate"]));
    }
    assert!((299..=300).contains(&searched) && infos.len() > 8, "{answer}");
    let settings = json!({ "rootSymmetryPruning": false });
    let answer = client.ask(&query("t", json!({ "maxVisits": 300, "overrideSettings": settings })));
    assert!(answer["moveInfos"].as_array().unwrap().iter().all(|info| info.get("isSymmetryOf").is_none()));
}

#[test]
fn a_network_tells_what_it_thought_before_the_search() {
    let Some(mut client) = with_network() else { return };
    let answer = client.ask(&query("n", json!({ "includePolicy": true, "includeOwnership": true, "maxVisits": 1 })));
    let raw = [
        "rawWinrate",
        "rawLead",
        "rawScoreSelfplay",
        "rawScoreSelfplayStdev",
        "rawNoResultProb",
        "rawStWrError",
        "rawVarTimeLeft",
    ];
    for key in raw {
        assert!(answer["rootInfo"][key].is_f64(), "{key}: {answer}");
    }
    let policy: Vec<f64> = answer["policy"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
    assert!((policy.iter().sum::<f64>() - 1.0).abs() < 1e-3 && policy.iter().all(|&p| p >= 0.0));
    assert_eq!(answer["rootInfo"]["visits"], 1);
    assert_eq!(answer["rootInfo"]["winrate"], answer["rootInfo"]["rawWinrate"]);
    let models = client.ask(&json!({ "id": "m", "action": "query_models" }));
    assert_eq!(models["models"][0]["version"], 15);
    assert!(models["models"][0]["name"].as_str().unwrap().contains("tiny-v15"));
    assert_eq!(client.ask(&json!({ "id": "c", "action": "clear_cache" })), json!({ "id": "c", "action": "clear_cache" }));
}

#[test]
fn figures_are_seen_from_the_side_that_is_asked_for() {
    let Some(mut client) = with_network() else { return };
    // Black is far ahead, and White to move.
    let stones = json!([["B", "B2"], ["B", "B3"], ["B", "B4"], ["B", "C2"], ["B", "C4"], ["B", "D2"], ["B", "D3"]]);
    let mut seen = |side: &str| {
        let asked = json!({
            "initialStones": stones,
            "initialPlayer": "W",
            "includeOwnership": true,
            "overrideSettings": { "reportAnalysisWinratesAs": side, "nnRandomize": false },
            "maxVisits": 1,
        });
        client.ask(&query(side, asked))
    };
    let [white, black, mover] = ["WHITE", "BLACK", "SIDETOMOVE"].map(&mut seen);
    let figure = |answer: &Value, key: &str| answer["rootInfo"][key].as_f64().unwrap();
    for key in ["scoreLead", "utility", "rawLead", "rawScoreSelfplay"] {
        assert!((figure(&white, key) + figure(&black, key)).abs() < 1e-6, "{key}");
        assert_eq!(figure(&white, key), figure(&mover, key), "{key}");
    }
    for key in ["winrate", "rawWinrate"] {
        assert!((figure(&white, key) + figure(&black, key) - 1.0).abs() < 1e-6, "{key}");
    }
    assert_eq!(white["ownership"][0].as_f64(), black["ownership"][0].as_f64().map(|owner| -owner));
    assert_eq!(white["rootInfo"]["thisHash"], black["rootInfo"]["thisHash"]);
}

#[test]
fn every_turn_that_is_asked_for_is_answered_once() {
    let mut client = client();
    let moves: Vec<Value> =
        ["A1", "B2", "C3", "D4"].iter().zip(["B", "W"].iter().cycle()).map(|(at, who)| json!([who, at])).collect();
    client.send(&query("a", json!({ "moves": moves, "analyzeTurns": [3, 0, 3, 1], "priorities": [1, 2, 3, 4] })));
    client.send(&query("b", json!({ "moves": moves })));
    let mut found: Vec<(String, u64)> = client
        .end()
        .iter()
        .map(|answer| (answer["id"].as_str().unwrap().to_owned(), answer["turnNumber"].as_u64().unwrap()))
        .collect();
    found.sort();
    let expected = [("a", 0), ("a", 1), ("a", 3), ("b", 4)].map(|(id, turn)| (id.to_owned(), turn));
    assert_eq!(found, expected);
}

#[test]
fn bad_queries_are_told_their_field_and_touch_no_other() {
    let mut client = client();
    let bad = [
        (json!({ "boardXSize": 29, "boardYSize": 29 }), "boardXSize", "2 to 25"),
        (json!({ "boardYSize": "5" }), "boardYSize", "integer"),
        (json!({ "rules": "chess" }), "rules", "chess"),
        (json!({ "rules": 5 }), "rules", "Must specify"),
        (json!({ "rules": { "ko": "NEVER" } }), "rules", "NEVER"),
        (json!({ "komi": "6.5" }), "komi", "number"),
        (json!({ "komi": 401 }), "komi", "400"),
        (json!({ "moves": [["B", "C3"], ["W", "C3"]] }), "moves", "Illegal move 1: C3"),
        (json!({ "moves": [["B", "Z3"]] }), "moves", "Z3"),
        (json!({ "moves": [["X", "C3"]] }), "moves", "X"),
        (json!({ "moves": ["C3"] }), "moves", "pairs"),
        (json!({ "initialStones": [["B", "pass"]] }), "initialStones", "pass"),
        (json!({ "initialPlayer": "red" }), "initialPlayer", "Must be"),
        (json!({ "analyzeTurns": [1] }), "analyzeTurns", "Invalid turn number: 1"),
        (json!({ "analyzeTurns": 0 }), "analyzeTurns", "array"),
        (json!({ "priorities": [1] }), "priorities", "analyzeTurns"),
        (json!({ "priorities": [1], "priority": 1, "analyzeTurns": [0] }), "priority", "both"),
        (json!({ "priorities": [1, 2], "analyzeTurns": [0] }), "priorities", "length"),
        (json!({ "maxVisits": 0 }), "maxVisits", "1 to"),
        (json!({ "maxVisits": 2.5 }), "maxVisits", "integer"),
        (json!({ "includePolicy": 1 }), "includePolicy", "boolean"),
        (json!({ "reportDuringSearchEvery": 0 }), "reportDuringSearchEvery", "number"),
        (json!({ "overrideSettings": [] }), "overrideSettings", "object"),
        (json!({ "overrideSettings": { "maxVisits": "many" } }), "overrideSettings", "maxVisits cannot be 'many'"),
        (json!({ "overrideSettings": { "memory": "2GiB" } }), "overrideSettings", "start"),
        (json!({ "avoidMoves": [{ "player": "B", "moves": ["C3"] }] }), "avoidMoves", "untilDepth"),
        (json!({ "avoidMoves": [{ "player": "B", "moves": ["C9"], "untilDepth": 1 }] }), "avoidMoves", "C9"),
        (json!({ "allowMoves": [], "avoidMoves": [] }), "allowMoves", "both"),
        (json!({ "whiteHandicapBonus": "M" }), "whiteHandicapBonus", "N-1"),
    ];
    client.send(&query("good", json!({ "maxVisits": 3000, "priority": -5 })));
    for (fields, field, words) in bad {
        let (its_field, error) = client.error(&query("bad", fields));
        assert!(its_field == field && error.contains(words), "{its_field}: {error}");
    }
    let left = client.end();
    assert_eq!(left.len(), 1);
    assert_eq!((&left[0]["id"], &left[0]["rootInfo"]["visits"]), (&json!("good"), &json!(3000)));
}

#[test]
fn lines_that_are_no_queries() {
    let mut client = client();
    for (line, words) in [("{\"id\":", "could not parse"), ("[1]", "not an object"), ("{}", "\"id\""), ("{\"id\":5}", "\"id\"")] {
        client.send_bytes(format!("  {line}\r\n\n").as_bytes());
        let answer = client.next();
        assert!(answer["error"].as_str().unwrap().contains(words) && answer.get("id").is_none(), "{answer}");
    }
    client.send_bytes(&[0xff, 0xfe, b'\n']);
    assert!(client.next()["error"].is_string());
    client.send_bytes(&[&vec![b'['; 100_000][..], b"\n"].concat());
    assert!(client.next()["error"].is_string());
    assert_eq!(client.error(&json!({ "id": "x", "action": "dance" })).0, "action");
    let no_id = client.error(&json!({ "id": "x", "action": "terminate" }));
    assert_eq!(no_id.0, "terminateId");
}

#[test]
fn warnings_do_not_keep_from_an_answer() {
    let mut client = client();
    let asked = json!({ "maxVisit": 7, "overrideSettings": { "cpuctSomething": 1, "wideRootNoise": 0.1, "humanSLProfile": "" } });
    let query = query("w", asked);
    let first = client.ask(&query);
    assert!(first["warning"].as_str().unwrap().contains("cpuctSomething"), "{first}");
    let second = client.next();
    assert_eq!((&second["field"], &second["id"]), (&json!("maxVisit"), &json!("w")));
    assert_eq!(client.next()["rootInfo"]["visits"], 20);
}

#[test]
fn rules_in_all_forms_and_boards_of_all_shapes() {
    let mut client = client();
    let names =
        ["Japanese", "korean", "AGA", "bga", "tromp-taylor", "new zealand", "new-zealand", "stone_scoring", "chinese-ogs"];
    for name in names {
        assert_eq!(client.ask(&query(name, json!({ "rules": name })))["id"], name);
    }
    let object = json!({ "ko": "SITUATIONAL", "scoring": "TERRITORY", "tax": "SEKI", "suicide": true });
    assert!(client.ask(&query("o", json!({ "rules": object, "whiteHandicapBonus": "N-1" })))["rootInfo"].is_object());
    let asked = json!({ "boardXSize": 7, "boardYSize": 3, "includeOwnership": true, "moves": [["B", "(6,0)"], ["W", "G1"]] });
    let answer = client.ask(&query("r", asked));
    assert_eq!(answer["ownership"].as_array().unwrap().len(), 21);
    assert_eq!(answer["turnNumber"], 2);
}

#[test]
fn who_is_to_move() {
    let mut client = client();
    let mut mover = |fields: Value| client.ask(&query("p", fields))["rootInfo"]["currentPlayer"].as_str().unwrap().to_owned();
    let handicap = json!([["B", "B2"], ["B", "D4"]]);
    assert_eq!(mover(json!({})), "B");
    assert_eq!(mover(json!({ "initialPlayer": "w" })), "W");
    assert_eq!(mover(json!({ "initialStones": handicap })), "W");
    assert_eq!(mover(json!({ "initialStones": handicap, "initialPlayer": "B" })), "B");
    assert_eq!(mover(json!({ "moves": [["W", "C3"]] })), "B");
    assert_eq!(mover(json!({ "moves": [["B", "C3"], ["B", "pass"], ["B", "B2"]] })), "W");
    assert_eq!(mover(json!({ "moves": [["B", "pass"], ["W", "pass"]] })), "B", "after the end, too");
}

#[test]
fn moves_are_avoided_and_allowed() {
    let mut client = client();
    let mut moves = |fields: Value| -> Vec<String> {
        let answer = client.ask(&query("m", fields));
        answer["moveInfos"].as_array().unwrap().iter().map(|info| info["move"].as_str().unwrap().to_owned()).collect()
    };
    let allowed = moves(json!({ "allowMoves": [{ "player": "B", "moves": ["A1", "pass"], "untilDepth": 1 }] }));
    assert!(!allowed.is_empty() && allowed.iter().all(|mv| mv == "A1" || mv == "pass"), "{allowed:?}");
    let avoided = json!({ "avoidMoves": [{ "player": "B", "moves": ["C3"], "untilDepth": 2 }], "maxVisits": 300 });
    assert!(!moves(avoided).contains(&"C3".to_owned()));
}

#[test]
fn reports_come_during_a_search_and_one_at_its_end() {
    let mut client = client();
    client.send(&query(
        "d",
        json!({ "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.02, "firstReportDuringSearchAfter": 0.01 }),
    ));
    let mut last = 0;
    for _ in 0..4 {
        let answer = client.next();
        let visits = answer["rootInfo"]["visits"].as_u64().unwrap();
        // On a busy machine nothing may have happened between two.
        assert!(answer["isDuringSearch"] == true && visits >= last, "{answer}");
        last = visits;
    }
    client.send(&json!({ "id": "t", "action": "terminate", "terminateId": "d" }));
    let rest = client.end();
    let finals: Vec<&Value> = rest.iter().filter(|answer| answer["isDuringSearch"] == false).collect();
    assert_eq!(finals.len(), 1);
    assert!(finals[0]["id"] == "d" && finals[0]["rootInfo"]["visits"].as_u64().unwrap() >= last);
    assert_eq!(rest.iter().filter(|answer| answer["id"] == "t").count(), 1);
}

#[test]
fn queries_are_terminated_by_id_and_turn() {
    let mut client = Client::start(settings(1), Closing::Finish);
    let long = json!({ "maxVisits": 1u64 << 40, "moves": [["B", "C3"]], "analyzeTurns": [0, 1] });
    client.send(&query("a", long.clone()));
    client.send(&query("b", long));
    client.send(&json!({ "id": "t1", "action": "terminate", "terminateId": "a", "turnNumbers": [1] }));
    let mut seen = [client.next(), client.next()];
    seen.sort_by_key(|answer| answer["id"].as_str().unwrap().to_owned());
    assert_eq!((&seen[0]["id"], &seen[0]["turnNumber"], &seen[0]["isDuringSearch"]), (&json!("a"), &json!(1), &json!(false)));
    assert_eq!(seen[1]["turnNumbers"], json!([1]), "echoed");
    client.send(&json!({ "id": "t2", "action": "terminate_all" }));
    let rest = client.end();
    let finals = rest.iter().filter(|answer| answer["isDuringSearch"] == false).count();
    assert_eq!((rest.len(), finals), (4, 3));
    assert!(rest.iter().any(|answer| answer["noResults"] == true), "some were never begun");
}

#[test]
fn a_small_query_does_not_wait_for_a_large_one() {
    let mut client = client();
    let nineteen = json!({ "boardXSize": 19, "boardYSize": 19, "maxVisits": 100_000 });
    let line: Vec<Value> = (0..200).map(|turn| json!([if turn % 2 == 0 { "B" } else { "W" }, "pass"])).collect();
    let mut large = query("large", nineteen.clone());
    large["moves"] = json!(line);
    large["analyzeTurns"] = json!((0..200).collect::<Vec<_>>());
    client.send(&large);
    client.send(&query("endless", json!({ "maxVisits": 10_000_000 })));
    std::thread::sleep(Duration::from_millis(100));
    let begun = Instant::now();
    for id in ["one", "two"] {
        let mut small = query(id, nineteen.clone());
        small["maxVisits"] = json!(1);
        assert_eq!(client.ask(&small)["id"], id);
        assert!(begun.elapsed() < Duration::from_secs(2));
    }
    client.stop.set();
    client.end();
}

#[test]
fn priorities_decide_who_is_first() {
    let mut client = Client::start(settings(1), Closing::Finish);
    client.send(&query("first", json!({ "maxVisits": 20_000, "priority": 5 })));
    for (id, priority) in [("low", -3), ("high", 2), ("middle", 0)] {
        client.send(&query(id, json!({ "maxVisits": 50, "priority": priority })));
    }
    let order: Vec<String> = client.end().iter().map(|answer| answer["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(order, ["first", "high", "middle", "low"]);
}

#[test]
fn the_input_s_end_waits_for_answers_unless_told_not_to() {
    let mut client = Client::start(settings(1), Closing::Quit);
    client.send(&query("q", json!({ "maxVisits": 1u64 << 40 })));
    std::thread::sleep(Duration::from_millis(50));
    let begun = Instant::now();
    assert!(client.end().is_empty());
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[test]
fn katago_s_forms_of_a_query_are_taken() {
    let mut client = client();
    // As KaTrain sends it, with an `overrideSettings` that bounds the time.
    let katrain = json!({
        "rules": "japanese", "priority": 1000, "analyzeTurns": [2], "maxVisits": 50, "komi": 6.5, "boardXSize": 19, "boardYSize": 19,
        "includeOwnership": true, "includeMovesOwnership": true, "includePolicy": true, "initialStones": [], "initialPlayer": "B",
        "moves": [["B", "Q16"], ["W", "D4"]], "reportDuringSearchEvery": 1, "id": "QUERY:1",
        "overrideSettings": { "reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.04, "maxTime": 8.0 },
    });
    let answer = client.ask(&katrain);
    assert_eq!((&answer["id"], answer["policy"].as_array().unwrap().len()), (&json!("QUERY:1"), 362));
    let version = client.ask(&json!({ "id": "v", "action": "query_version" }));
    assert_eq!(version["version"].as_str().unwrap().split('.').count(), 3);
    assert!(version["git_hash"].is_string());
}

#[test]
fn what_is_not_there_gets_a_warning_that_says_why() {
    let mut client = client();
    let overrides = json!({ "humanSLProfile": "rank_5k", "antiMirror": true, "nonsense": 1, "playoutDoublingAdvantage": 0.5 });
    client.send(&query("w", json!({ "overrideSettings": overrides })));
    let lines: Vec<Value> = (0..4).map(|_| client.next()).collect();
    let warnings: Vec<&str> = lines[..3].iter().map(|line| line["warning"].as_str().unwrap()).collect();
    assert!(lines[..3].iter().all(|line| line["id"] == "w" && line["field"] == "overrideSettings"), "{lines:?}");
    for words in
        ["antiMirror has no effect: ", "params: nonsense", "humanSLProfile has no effect: there is no network of human play"]
    {
        assert_eq!(warnings.iter().filter(|warning| warning.contains(words)).count(), 1, "{warnings:?}");
    }
    assert_eq!(lines[3]["turnNumber"], 0);
    // What stands for having none of it is no matter.
    let without = json!({ "humanSLProfile": "", "antiMirror": false });
    assert_eq!(client.ask(&query("n", json!({ "overrideSettings": without })))["turnNumber"], 0);
}

/// A network that knows of advantages plays for more, and sees itself ahead; one that does not answers the same.
#[test]
fn an_advantage_is_the_player_s_to_move_at_the_root() {
    let Some(mut client) = with_network() else { return };
    let mut lead = |advantage: f32, moves: Value| {
        let overrides = json!({ "playoutDoublingAdvantage": advantage, "nnRandomize": false });
        let answer = client.ask(&query("a", json!({ "overrideSettings": overrides, "moves": moves, "maxVisits": 1 })));
        answer["rootInfo"]["rawLead"].as_f64().unwrap()
    };
    let black = [-1.0, 0.0, 1.0].map(|advantage| lead(advantage, json!([])));
    assert!(black[0] != black[1] && black[1] != black[2], "{black:?}");
    // Of the other player too it is the one to move who has it: the network is shown the same sign.
    let white = [-1.0, 0.0, 1.0].map(|advantage| lead(advantage, json!([["B", "C3"]])));
    assert!(white[0] != white[1] && white[1] != white[2], "{white:?}");
}

/// A full disk is a fault that the shell must see; a client that has gone is none.
#[test]
#[cfg(target_os = "linux")]
fn answers_that_cannot_be_written_end_in_a_failure() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let run = |output: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        let mut child = command
            .args(["analysis", "--net", "none"])
            .stdin(Stdio::piped())
            .stdout(output)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        writeln!(child.stdin.take().unwrap(), "{}", query("d", json!({}))).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (success, messages) = run(full.into());
    assert!(!success && messages.contains("tengen: answers cannot be written: "), "{messages}");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let (success, messages) = run(writer.into());
    assert!(success, "{messages}");
}
