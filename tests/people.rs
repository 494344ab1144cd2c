//! Networks of human play, asked beside the one that judges, or in its place.

mod common;

use std::path::PathBuf;

use common::Folder;
use common::gtp::{Client as Gtp, quick};
use common::json::{Client, query};
use serde_json::{Value, json};
use tengen::analysis::Closing;
use tengen::nn::{BlockKind, Network};
use tengen::params::{NetworkFile, Settings};
use tengen::util::Rng;

/// A network that is told who plays, of random weights.
fn network(folder: &Folder) -> PathBuf {
    let of_people = |seed| {
        let network = Network::random(15, 8, &[BlockKind::Residual, BlockKind::GlobalPool], &mut Rng::new(seed));
        network.trunk.meta.is_some().then_some(network)
    };
    let file = folder.0.join("people ü.bin.gz");
    (0..).find_map(of_people).unwrap().write(&file).unwrap();
    file
}

fn settings() -> Settings {
    let mut settings = quick();
    settings.network.random_symmetry = false;
    settings
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn answers_tell_what_people_would_play() {
    let folder = Folder::new("people json");
    let mut settings = settings();
    settings.network.human_model = NetworkFile::At(network(&folder));
    let mut client = Client::start(settings, Closing::Finish);
    let mut ask = |profile: &str, perspective: &str| {
        client.ask(&query(
            "q",
            json!({
                "moves": [["B", "C3"], ["W", "D4"], ["B", "B2"]],
                "includePolicy": true,
                "maxVisits": 50,
                "overrideSettings": { "humanSLProfile": profile, "reportAnalysisWinratesAs": perspective },
            }),
        ))
    };
    let [strong, weak, modern] = ["rank_9d", "rank_20k", "proyear_2021"].map(|profile| ask(profile, "BLACK"));
    for answer in [&strong, &weak, &modern] {
        let policy = numbers(&answer["humanPolicy"]);
        assert_eq!(policy.len(), 26);
        assert_eq!(policy.iter().filter(|&&chance| chance == -1.0).count(), 3, "where stones are");
        let sum: f64 = policy.iter().filter(|&&chance| chance >= 0.0).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        let size = tengen::board::Size::square(5).unwrap();
        for info in answer["moveInfos"].as_array().unwrap() {
            let mv = size.parse_vertex(info["move"].as_str().unwrap()).unwrap();
            let place = mv.point().map_or(25, |point| size.dense(point));
            assert_eq!(info["humanPrior"].as_f64().unwrap(), policy[place]);
        }
        for figure in ["humanWinrate", "humanScoreMean", "humanScoreStdev", "humanStWrError", "humanStScoreError"] {
            assert!(answer["rootInfo"][figure].is_number(), "{figure}");
        }
    }
    assert!(strong["humanPolicy"] != weak["humanPolicy"] && strong["humanPolicy"] != modern["humanPolicy"]);
    let other_side = ask("rank_9d", "WHITE");
    assert_eq!(other_side["humanPolicy"], strong["humanPolicy"]);
    let figures = |key: &str| [&strong, &other_side].map(|answer| answer["rootInfo"][key].as_f64().unwrap());
    assert!((figures("humanWinrate").iter().sum::<f64>() - 1.0).abs() < 1e-6);
    assert!(figures("humanScoreMean").iter().sum::<f64>().abs() < 1e-5);
    let nobody = ask("", "BLACK");
    assert!(
        nobody["humanPolicy"].is_null()
            && nobody["moveInfos"][0]["humanPrior"].is_null()
            && nobody["rootInfo"]["humanWinrate"].is_null()
    );

    let (field, error) = client.error(&query("bad", json!({ "overrideSettings": { "humanSLProfile": "rank_10d" } })));
    assert!(field == "overrideSettings" && error.contains("rank_10d") && error.contains("proyear_1800"), "{error}");
    let models = client.ask(&json!({ "id": "m", "action": "query_models" }));
    let models = models["models"].as_array().unwrap();
    assert_eq!((models.len(), &models[0]["usesHumanSLProfile"]), (1, &json!(true)));
}

#[test]
fn a_network_of_human_play_may_judge_too() {
    let folder = Folder::new("people judge");
    let mut settings = settings();
    settings.network.file = NetworkFile::At(network(&folder));
    let mut client = Client::start(settings, Closing::Finish);
    let mut policy = |profile: &str| {
        let overrides = json!({ "humanSLProfile": profile });
        let answer = client.ask(&query("q", json!({ "includePolicy": true, "maxVisits": 1, "overrideSettings": overrides })));
        assert!(answer["warning"].is_null(), "{answer}");
        answer["policy"].clone()
    };
    let policies = ["", "rank_5k", "preaz_5k", "rank_5k_9d", "rank_5k"].map(&mut policy);
    assert!((0..4).all(|one| (0..one).all(|other| policies[one] != policies[other])), "{policies:?}");
    assert_eq!(policies[1], policies[4]);
}

#[test]
fn gtp_tells_what_people_would_play() {
    let folder = Folder::new("people gtp");
    let mut settings = settings();
    settings.network.human_model = NetworkFile::At(network(&folder));
    let mut client = Gtp::start(settings);
    assert!(client.error("kata-raw-human-nn 0").contains("humanSLProfile"));
    assert!(client.error("kata-set-param humanSLProfile rank_30k").contains("rank_20k"));
    client.get("boardsize 5");
    let mut told = |profile: &str| {
        client.get(&format!("kata-set-param humanSLProfile {profile}"));
        assert_eq!(client.get("kata-get-param humanSLProfile"), profile);
        client.get("kata-raw-human-nn 0")
    };
    let [strong, weak] = ["rank_9d", "rank_20k"].map(&mut told);
    assert!(strong.starts_with("symmetry 0\nwhiteWin ") && strong.contains("\npolicy\n") && strong != weak, "{strong}");
    assert_eq!(client.get("kata-raw-human-nn").matches("symmetry ").count(), 8);
    assert_eq!(client.get("kata-raw-human-nn w 3").matches("symmetry 3").count(), 1);
    client.error("kata-raw-human-nn 9");
    assert!(client.error("kata-raw-human-nn 0 1").contains("too much"));
    assert!(client.get("kata-get-models").contains("\"usesHumanSLProfile\":true"));
    client.get("kata-set-param humanSLProfile _");
    assert_eq!(client.get("kata-get-param humanSLProfile"), "");
}
