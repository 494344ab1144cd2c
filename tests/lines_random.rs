//! Ten thousand lines of JSON and ten thousand of GTP, half of them broken: no panic, no wrong id, and every query and command answered
//! exactly once. The lines follow from a fixed seed.

mod common;

use std::collections::HashMap;

use common::json::{Client, query};
use common::{gtp, gtp::quick};
use serde_json::{Value, json};
use tengen::analysis::Closing;
use tengen::gtp::Command;
use tengen::util::Rng;

const LINES: usize = 10_000;

fn pick<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
    &from[rng.below(from.len())]
}

/// Values of all kinds, few of them right anywhere.
fn some_value(rng: &mut Rng) -> Value {
    match rng.below(14) {
        0 => Value::Null,
        1 => json!(rng.below(2) == 0),
        2 => json!(rng.below(40)),
        3 => json!(-(rng.below(1000) as i64)),
        4 => json!(rng.next_u64()),
        5 => json!(f64::from(rng.unit()) * 1e9),
        6 => json!(1e300),
        7 => json!(*pick(
            rng,
            &["", "B", "w", "C3", "pass", "(0,1)", "japanese", "terminate", "query_version", "\u{0}ü\"\\", "AA1"]
        )),
        8 => json!([]),
        9 => json!({}),
        10 => json!([["B", "C3"], ["W", "C3"]]),
        11 => json!([["B", "A1"], ["W", "pass"], ["B", "B2"]]),
        12 => json!([{ "player": "B", "moves": ["C3", "pass"], "untilDepth": 2 }]),
        _ => json!([0, 1, 1, 0]),
    }
}

const FIELDS: [&str; 30] = [
    "rules",
    "komi",
    "boardXSize",
    "boardYSize",
    "moves",
    "maxVisits",
    "initialStones",
    "initialPlayer",
    "analyzeTurns",
    "priorities",
    "priority",
    "whiteHandicapBonus",
    "overrideSettings",
    "analysisPVLen",
    "rootFpuReductionMax",
    "rootPolicyTemperature",
    "includeMovesOwnership",
    "includeOwnership",
    "includePolicy",
    "includePVVisits",
    "reportDuringSearchEvery",
    "allowMoves",
    "avoidMoves",
    "action",
    "terminateId",
    "turnNumbers",
    "typo",
    "includeOwnershipStdev",
    "includeNoResultValue",
    "firstReportDuringSearchAfter",
];

/// A query about a tiny board that is sound, and its turns.
fn sound_query(rng: &mut Rng, id: &str) -> (Value, Vec<u64>) {
    let mut query = query(id, json!({ "maxVisits": 1 + rng.below(3), "boardXSize": 2 + rng.below(4), "boardYSize": 3 }));
    let moves = [["B", "A1"], ["W", "B2"], ["B", "pass"], ["B", "B3"]];
    query["moves"] = json!(moves[..rng.below(moves.len() + 1)]);
    let last = query["moves"].as_array().unwrap().len() as u64;
    let mut turns = vec![last];
    if rng.below(3) == 0 {
        turns = (0..=last).filter(|_| rng.below(2) == 0).collect();
        query["analyzeTurns"] = json!(turns);
    }
    query["priority"] = json!(rng.below(5));
    (query, turns)
}

/// What is to come back for an id.
#[derive(Default)]
struct Due {
    /// A sound query's turns.
    turns: Option<Vec<u64>>,
    /// A sound action is written back.
    echo: bool,
    /// Something is wrong, or not: one error, or a final answer a turn.
    open: bool,
}

#[test]
fn json_lines_are_answered_once() {
    let mut settings = quick();
    settings.search.threads = 2;
    settings.search.max_playouts = Some(3);
    let mut client = Client::start(settings, Closing::Finish);
    let mut rng = Rng::new(5);
    let mut due: HashMap<String, Due> = HashMap::new();
    let mut nameless = 0;
    for number in 0..LINES {
        let id = format!("q{number}");
        let (mut line, turns) = sound_query(&mut rng, &id);
        match rng.below(10) {
            0..4 => {
                client.send(&line);
                due.insert(id, Due { turns: Some(turns), ..Due::default() });
            }
            4 => {
                let target = format!("q{}", rng.below(number + 1));
                let actions = ["query_version", "query_models", "clear_cache", "terminate", "terminate_all"];
                client.send(&json!({ "id": id, "action": pick(&mut rng, &actions), "terminateId": target }));
                due.insert(id, Due { echo: true, ..Due::default() });
            }
            5..8 => {
                for _ in 0..=rng.below(3) {
                    line[*pick(&mut rng, &FIELDS)] = some_value(&mut rng);
                }
                if rng.below(4) == 0 {
                    line.as_object_mut().unwrap().remove(*pick(&mut rng, &FIELDS));
                }
                client.send(&line);
                due.insert(id, Due { open: true, ..Due::default() });
            }
            8 => {
                line["id"] = pick(&mut rng, &[json!(1), Value::Null, json!(2.5), json!({})]).clone();
                client.send(&line);
                nameless += 1;
            }
            _ => {
                let text = line.to_string();
                let mut bytes = text.as_bytes()[..text.len() - 1 - rng.below(text.len() - 1)].to_vec();
                if rng.below(2) == 0 {
                    let place = rng.below(bytes.len());
                    bytes[place] = 0x80 | rng.below(128) as u8;
                }
                bytes.push(b'\n');
                client.send_bytes(&bytes);
                nameless += 1;
            }
        }
    }
    let mut found: HashMap<String, Vec<Value>> = HashMap::new();
    for answer in client.end() {
        if let Some(id) = answer.get("id") {
            found.entry(id.as_str().unwrap().to_owned()).or_default().push(answer);
        } else {
            assert!(answer["error"].is_string(), "{answer}");
            nameless -= 1;
        }
    }
    assert_eq!(nameless, 0, "lines without an id and errors without one");
    for (id, due) in due {
        check(&id, &due, &found.remove(&id).unwrap_or_default());
    }
    assert!(found.is_empty(), "ids that nobody sent: {:?}", found.keys());
}

fn check(id: &str, due: &Due, answers: &[Value]) {
    let count = |key: &str| answers.iter().filter(|answer| answer.get(key).is_some()).count();
    let finals = answers.iter().filter(|answer| answer["isDuringSearch"] == false);
    let mut turns: Vec<u64> = finals.map(|answer| answer["turnNumber"].as_u64().unwrap()).collect();
    turns.sort_unstable();
    let echoes = count("action");
    if let Some(expected) = &due.turns {
        assert!(&turns == expected && count("error") == 0 && echoes == 0, "{id}: {answers:?}");
    } else if due.echo {
        assert!(echoes == 1 && answers.len() == 1, "{id}: {answers:?}");
    } else {
        assert!(due.open);
        let answered = usize::from(!turns.is_empty());
        let told = count("error") + echoes + answered;
        // An empty list of turns asks for nothing.
        assert!(
            told == 1 || answers.is_empty() || answers.iter().all(|answer| answer.get("warning").is_some()),
            "{id}: {answers:?}"
        );
        assert!(turns.windows(2).all(|pair| pair[0] < pair[1]), "{id}: {answers:?}");
    }
}

#[test]
fn gtp_lines_are_answered_once_and_in_order() {
    let mut settings = quick();
    settings.search.max_playouts = Some(2);
    let mut client = gtp::Client::start(settings);
    let list = client.get("list_commands");
    // Not those that touch files, or end the session.
    let names: Vec<&str> = list.lines().filter(|name| !["quit", "printsgf", "loadsgf"].contains(name)).collect();
    let words = [
        "b",
        "W",
        "C3",
        "pass",
        "A1",
        "19",
        "-1",
        "5",
        "9 5",
        "true",
        "interval",
        "ko",
        "japanese",
        "{}",
        "0.5",
        "1e99",
        "ownership true",
        "avoid b C3 1",
        "none",
        "resign",
        "\u{7f}",
        "ü",
        "\"",
        "# cut",
        "maxVisits 3",
        "all",
    ];
    let mut rng = Rng::new(9);
    let mut expected = Vec::new();
    client.get("boardsize 5");
    for id in 0..LINES {
        let mut line = match rng.below(4) {
            0 => String::new(),
            _ => format!("{id} "),
        };
        line += match rng.below(12) {
            0 => "",
            1 => "nonsense",
            _ => names[rng.below(names.len())],
        };
        for _ in 0..rng.below(4) {
            line = format!("{line} {}", pick(&mut rng, &words));
        }
        let mut bytes = line.into_bytes();
        if rng.below(10) == 0 && !bytes.is_empty() {
            let place = rng.below(bytes.len());
            bytes[place] = (rng.below(256) as u8).max(b'\n' + 1);
        }
        if bytes.starts_with(b"quit") || bytes.windows(3).any(|three| three == b"sgf") {
            continue;
        }
        // A board of a sensible size now and then, so that searches stay short.
        if let Some(command) = Command::parse(&bytes) {
            expected.push(command.id.clone());
        }
        bytes.push(b'\n');
        client.send_bytes(&bytes);
    }
    client.send("");
    for (place, id) in expected.iter().enumerate() {
        let reply = client.reply();
        let head = reply.split(' ').next().unwrap();
        let id = id.as_deref().unwrap_or("");
        assert!(head == format!("={id}") || head == format!("?{id}"), "{place}: {reply} instead of {id}");
    }
    assert_eq!(client.end(), "");
}
