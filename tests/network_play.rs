//! Playing by a network: a search over it, its cache, and a client's session with one that has to be loaded.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::gtp::{Client, quick};
use common::setup::golden_files;
use serde_json::Value;
use tengen::board::{Color, Move, Size};
use tengen::clock::Budget;
use tengen::engine::{Decision, Ending, Engine};
use tengen::eval::{Evaluation, Evaluator, Request};
use tengen::nn::{BlockKind, LoadedNetwork, NetEvaluator, Network};
use tengen::params::{NetworkFile, Settings};
use tengen::rules::{Position, Rules};
use tengen::search::{Limits, SearchOptions};
use tengen::util::{Rng, StopFlag};

fn random(version: u32, seed: u64) -> Network {
    Network::random(version, 8, &[BlockKind::Residual, BlockKind::GlobalPool], &mut Rng::new(seed))
}

fn loaded(version: u32) -> Arc<LoadedNetwork> {
    Arc::new(LoadedNetwork::new(&random(version, 1), 1 << 20))
}

fn position(size: Size, rules: &str) -> Position {
    Position::new(size, Rules::parse(rules).unwrap())
}

/// A network file of its own for each test, under a name with a space and a letter that is not ASCII.
struct TemporaryNetwork(PathBuf);

impl TemporaryNetwork {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tengen nétwork {} {name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder.join("random.bin.gz"))
    }

    fn settings(&self) -> Settings {
        let mut settings = quick();
        settings.network.file = NetworkFile::At(self.0.clone());
        settings
    }
}

impl Drop for TemporaryNetwork {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.parent().unwrap());
    }
}

#[test]
fn games_are_legal_to_the_end() {
    let boards = [("chinese", 5, 5), ("japanese", 4, 5), ("tromp-taylor", 3, 3), ("aga-button", 7, 2), ("stone-scoring", 5, 3)];
    for (version, (rules, width, height)) in (8..).step_by(2).zip(boards) {
        let mut settings = quick();
        settings.search.max_playouts = Some(12);
        settings.search.threads = 2;
        settings.play.resign = false;
        let size = Size::new(width, height).unwrap();
        let mut engine = Engine::with_network(settings, position(size, rules), loaded(version));
        let mut moves = 0;
        while !engine.position().is_over() && moves < 3 * size.area() {
            let color = engine.position().to_move();
            let (decision, report) =
                engine.choose(color, &Limits::default(), &SearchOptions::default(), Ending::Usual, &StopFlag::new(), None);
            assert!(report.visits > 0 && report.winrate.is_finite() && report.lead.is_finite(), "{report:?}");
            assert_eq!(report.ownership.len(), size.area());
            let Decision::Play(mv) = decision else { panic!("it does not resign") };
            engine.play(color, mv).unwrap_or_else(|error| panic!("{rules} {size}: {error}"));
            moves += 1;
        }
        assert!(moves > 1);
    }
}

#[test]
fn what_was_said_before_is_not_computed_again() {
    let network = loaded(12);
    let size = Size::square(9).unwrap();
    let mut evaluator = NetEvaluator::new(Arc::clone(&network), &Settings::default().network, Rng::new(1));
    let after = |moves: &[&str]| {
        let mut position = position(size, "chinese");
        for mv in moves {
            position.play(size.parse_vertex(mv).unwrap()).unwrap();
        }
        position
    };
    let mut ask = |position: &Position, root: bool, priors: bool| {
        let mut out = [Evaluation::default()];
        evaluator.evaluate(&[Request { state: position, priors, root }], &mut out);
        let [evaluation] = out;
        let priors: Vec<(Move, f32)> = evaluation.priors.iter().map(|prior| (prior.action, prior.policy)).collect();
        (evaluation.value, evaluation.lead, evaluation.ownership, priors)
    };
    let one = after(&["C3", "G7", "D4", "E5"]);
    let first = ask(&one, false, true);
    assert_eq!(network.cache_hits(), 0);
    assert_eq!(ask(&one, false, true), first, "though another symmetry would say something else");
    assert_eq!(ask(&after(&["D4", "E5", "C3", "G7"]), false, true), first, "a transposition");
    assert_eq!(network.cache_hits(), 2);
    assert_eq!(first.3.len(), 78, "all moves and the pass");
    assert!((first.3.iter().map(|(_, policy)| policy).sum::<f32>() - 1.0).abs() < 1e-4);
    assert_eq!(ask(&one, false, false).3, [], "no priors were asked for");
    ask(&one, true, true);
    assert_eq!(network.cache_hits(), 3, "at the root it is asked otherwise");
    network.clear_cache();
    ask(&one, false, true);
    assert_eq!(network.cache_hits(), 3);
}

#[test]
fn a_low_level_asks_the_network_little() {
    for (level, looks) in [(1, 1), (3, 4)] {
        let mut settings = quick();
        (settings.play.level, settings.search.max_playouts) = (level, None);
        let mut engine = Engine::with_network(settings, position(Size::square(7).unwrap(), "chinese"), loaded(8));
        let (options, stop) = (SearchOptions::default(), StopFlag::new());
        let (_, report) = engine.choose(Color::Black, &Limits::default(), &options, Ending::Usual, &stop, None);
        assert_eq!(report.visits, looks);
    }
}

#[test]
fn a_tree_does_not_outlive_the_parameters_of_its_utilities() {
    let mut engine = Engine::with_network(quick(), position(Size::square(7).unwrap(), "chinese"), loaded(8));
    let limits = Limits { playouts: Some(20), ..Limits::default() };
    let mut visits = |name: &str, value: &str| {
        engine.settings_mut().set_live(name, value).unwrap();
        engine.analyze(Color::Black, &limits, &SearchOptions::default(), &StopFlag::new(), None).visits
    };
    assert_eq!([visits("allowResignation", "true"), visits("allowResignation", "false")], [20, 40]);
    assert_eq!([visits("conservativePass", "false"), visits("staticScoreUtilityFactor", "0.2")], [20, 20]);
}

#[test]
fn one_seed_gives_the_same_moves() {
    let run = || {
        let mut engine = Engine::with_network(quick(), position(Size::square(7).unwrap(), "chinese"), loaded(15));
        let (limits, options) = (Limits::default(), SearchOptions::default());
        let (decision, report) = engine.choose(Color::Black, &limits, &options, Ending::Usual, &StopFlag::new(), None);
        (decision, report.winrate, report.candidates.iter().map(|candidate| (candidate.mv, candidate.visits)).collect::<Vec<_>>())
    };
    assert_eq!(run(), run());
}

#[test]
fn a_search_by_a_slow_network_is_on_time() {
    let blocks = vec![BlockKind::Residual; 12];
    let network = Network::random(8, 64, &blocks, &mut Rng::new(1));
    let network = Arc::new(LoadedNetwork::new(&network, 1 << 20));
    NetEvaluator::warm_up(&network, Size::STANDARD);
    let evaluation = network.evaluation_time(361);
    assert!(evaluation > Duration::from_millis(1), "{evaluation:?}");
    let mut settings = quick();
    settings.search.max_playouts = None;
    let mut engine = Engine::with_network(settings, position(Size::STANDARD, "chinese"), network);
    let limits = Limits { budget: Some(Budget::exactly(evaluation * 5)), ..Limits::default() };
    let begun = Instant::now();
    let (options, stop) = (SearchOptions::default(), StopFlag::new());
    let (_, report) = engine.choose(Color::Black, &limits, &options, Ending::Usual, &stop, None);
    let used = begun.elapsed();
    // Room for a machine that does other things.
    assert!(report.visits >= 1 && used < evaluation * 10 + Duration::from_millis(100), "{used:?} of {:?}", evaluation * 5);
}

/// The first search on a board of another size finds the network ready for it, and knows how long an evaluation takes.
#[test]
fn a_network_is_made_ready_for_another_size_before_the_search() {
    let (small, large) = (Size::square(5).unwrap(), Size::square(7).unwrap());
    let network = loaded(8);
    let mut engine = Engine::with_network(quick(), position(small, "chinese"), Arc::clone(&network));
    assert_eq!(network.evaluation_time(1), Duration::ZERO);
    engine.set_position(position(large, "chinese"));
    engine.set_position(position(small, "chinese"));
    assert!(engine.network().unwrap().is_some());
    assert_ne!(network.evaluation_time(1), Duration::ZERO);

    let file = TemporaryNetwork::new("sizes");
    random(8, 4).write(&file.0).unwrap();
    let mut engine = Engine::new(file.settings(), position(small, "chinese"));
    engine.set_position(position(large, "chinese"));
    let network = Arc::clone(engine.network().unwrap().unwrap());
    assert_ne!(network.evaluation_time(1), Duration::ZERO);
}

#[test]
fn a_client_plays_and_analyses_by_a_network() {
    let file = TemporaryNetwork::new("plays");
    random(15, 3).write(&file.0).unwrap();
    let mut client = Client::start(file.settings());
    client.all(&["boardsize 5", "komi 0.5", "play b C3"]);
    let models: Value = serde_json::from_str(&client.get("kata-get-models")).unwrap();
    assert_eq!((&models[0]["internalName"], &models[0]["version"]), (&"random-v15".into(), &15.into()));
    assert!(models[0]["name"].as_str().unwrap().ends_with("random.bin.gz"));
    assert!(client.get("gomill-describe_engine").contains("random-v15"));
    client.send("kata-search_analyze w 100 ownership true rootInfo true pvVisits true");
    let reply = client.reply();
    for word in ["winrate", "scoreLead", "prior", "lcb", "pvVisits", "rootInfo", "ownership", "\nplay "] {
        assert!(reply.contains(word), "no {word}: {reply}");
    }
    assert_ne!(client.get("genmove w"), "resign");
    let all = client.get("kata-raw-nn all");
    assert_eq!(all.matches("symmetry ").count(), 8, "{all}");
    assert_eq!(all.matches("NAN").count(), 8 * 2, "{all}");
    assert!(client.get("kata-raw-nn w 7 0.5").starts_with("symmetry 7\nwhiteWin 0."));
    for (arguments, word) in
        [("", "symmetry"), ("8", "'8'"), ("b", "symmetry"), ("0 2", "'2'"), ("0 x", "'x'"), ("0 0 0", "too much")]
    {
        let error = client.error(&format!("kata-raw-nn {arguments}"));
        assert!(error.starts_with("syntax error") && error.contains(word), "{arguments}: {error}");
    }
    client.all(&["clear_cache", "genmove b"]);
    client.end();
}

/// Commands that need no network are answered while it is still being read. Reading from a pipe never ends, until someone writes to it.
#[cfg(unix)]
#[test]
fn a_client_is_answered_while_the_network_loads() {
    let file = TemporaryNetwork::new("loads");
    let network = file.0.with_extension("");
    random(8, 4).write(&file.0).unwrap();
    let bytes = std::fs::read(&file.0).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&network).status().unwrap().success());
    let mut settings = file.settings();
    settings.network.file = NetworkFile::At(network.clone());
    let mut client = Client::start(settings);
    client.all(&[
        "name",
        "version",
        "list_commands",
        "boardsize 5",
        "komi 7",
        "clear_board",
        "play b C3",
        "showboard",
        "final_score",
    ]);
    client.send("genmove w");
    client.send("name");
    std::thread::sleep(Duration::from_millis(50));
    std::fs::write(&network, bytes).unwrap();
    let played = client.reply();
    assert!(played.starts_with("= "), "{played}");
    assert_eq!(client.reply(), "= Tengen");
    client.end();
}

#[test]
fn a_network_that_cannot_be_loaded_is_told() {
    let file = TemporaryNetwork::new("broken");
    std::fs::write(&file.0, "no network").unwrap();
    let mut client = Client::start(file.settings());
    for command in
        ["genmove b", "kata-analyze b 10", "kata-genmove_analyze b 10", "kata-raw-nn 0", "kata-get-models", "reg_genmove b"]
    {
        let error = client.error(command);
        assert!(error.contains("random.bin.gz") && error.contains("no network of KataGo's"), "{command}: {error}");
    }
    client.all(&["play b D4", "boardsize 9", "final_score", "name"]);
    client.end();
}

#[test]
fn raw_answers_are_katagos() {
    let Some(file) = common::shared("nets/g170-b6c96.bin.gz") else { return };
    let golden = golden_files().into_iter().find(|path| path.ends_with("g170-b6c96.jsonl") && is_plain(path)).unwrap();
    let mut settings = quick();
    settings.network.file = NetworkFile::At(file);
    let mut client = Client::start(settings);
    for line in std::fs::read_to_string(golden).unwrap().lines().step_by(8) {
        let row: Value = serde_json::from_str(line).unwrap();
        for command in row["setup"].as_array().unwrap() {
            client.get(command.as_str().unwrap());
        }
        let reply = client.get("kata-raw-nn 0");
        let words: Vec<&str> = reply.split_whitespace().collect();
        for (key, value) in row["raw_nn"].as_object().unwrap() {
            let at = words.iter().position(|word| word == key).unwrap_or_else(|| panic!("no {key}")) + 1;
            let expected = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
            for (expected, word) in expected.iter().zip(&words[at..]) {
                let Some(expected) = expected.as_f64() else {
                    assert_eq!(*word, "NAN", "{key}");
                    continue;
                };
                let near = match key.as_str() {
                    "whiteOwnership" => 1e-3,
                    "whiteScoreSelfplaySq" => expected.abs() * 2e-3,
                    "whiteLead" | "whiteScoreSelfplay" => 0.02,
                    _ => 5e-4,
                };
                let found: f64 = word.parse().unwrap();
                assert!((found - expected).abs() <= near, "{} {key}: {found}, KataGo has {expected}", row["name"]);
            }
        }
    }
    client.end();
}

/// Not one of those in which the cleanup phases were played, which they are not over GTP.
fn is_plain(path: &Path) -> bool {
    !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("extra-"))
}
