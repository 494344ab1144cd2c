//! Tengen started as KataGo is started.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs `tengen` with `input`.
fn tengen(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn texts(output: &Output) -> (String, String) {
    (String::from_utf8(output.stdout.clone()).unwrap(), String::from_utf8(output.stderr.clone()).unwrap())
}

/// A config file as KataGo's examples are, gone when dropped.
struct Config(PathBuf);

impl Config {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tengen ß {name} {}.cfg", std::process::id()));
        let text = "# Logs\nlogDir = analysis_logs\nlogToStderr = false\n\nreportAnalysisWinratesAs = BLACK\nmaxVisits = 500 # per position\n\
                    numAnalysisThreads = 2\nnumSearchThreadsPerAnalysisThread = 16\nnnMaxBatchSize = 64\nnnRandomize = true\n\
                    cpuctExploration = 1.0\nrules = tromp-taylor\nresignThreshold = -0.90\n";
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Config {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn the_analysis_engine() {
    let config = Config::new("analysis");
    let query = r#"{"id":"q","rules":"chinese","boardXSize":5,"boardYSize":5,"initialStones":[["B","C3"],["B","B3"]],"moves":[["W","A1"],["B","D3"]]}"#;
    let args = ["analysis", "-model", "none", "-config", config.path(), "-override-config", "maxVisits=60, homeDataDir=x"];
    let output = tengen(&args, &format!("{query}\n"));
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{err}");
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["rootInfo"]["visits"], 60);
    // White is to move, and Black far ahead.
    assert!(answer["rootInfo"]["currentPlayer"] == "W" && answer["rootInfo"]["winrate"].as_f64().unwrap() > 0.8, "{answer}");
    assert!(err.lines().any(|line| line.contains("ready to begin handling requests")), "{err}");
    for unknown in ["logDir", "logToStderr", "nnMaxBatchSize", "homeDataDir"] {
        assert_eq!(err.matches(unknown).count(), 1, "{unknown}: {err}");
    }
    assert!(!err.contains("cpuctExploration"), "{err}");
    let quits = tengen(
        &["analysis", "-model", "none", "-quit-without-waiting"],
        &query.replace("\"id\"", "\"maxVisits\":1000000000,\"id\""),
    );
    assert!(quits.status.success() && quits.stdout.is_empty());
}

#[test]
fn the_gtp_engine() {
    let config = Config::new("gtp");
    let commands = "kata-get-param maxVisits\nkata-get-param resignWinrate\nkata-get-rules\nboardsize 5\nplay b c3\nplay w a1\nplay b d3\n\
                    kata-genmove_analyze w\nquit\n";
    let args =
        ["gtp", "-model", "none", "-config", config.path(), "-override-config", "maxVisits=80", "-human-model", "h.bin.gz"];
    let output = tengen(&args, commands);
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{err}");
    let replies: Vec<&str> = out.split("\n\n").collect();
    assert_eq!(replies[0], "= 80");
    assert!(replies[1].starts_with("= 0.05") || replies[1].starts_with("= 0.04999"), "{}", replies[1]);
    assert!(replies[2].contains("\"friendlyPassOk\":false"), "tromp-taylor: {}", replies[2]);
    let winrate = replies[7].split_once(" winrate ").unwrap().1.split(' ').next().unwrap();
    assert!(winrate.parse::<f64>().unwrap() > 0.6, "seen from Black: {}", replies[7]);
    assert!(err.contains("GTP ready") && err.contains("nothing can be told of how people play"), "{err}");
}

#[test]
fn the_version() {
    let (out, _) = texts(&tengen(&["version", "-config", "nowhere.cfg"], ""));
    let first = out.lines().next().unwrap();
    assert_eq!(first, format!("Tengen v{}", env!("CARGO_PKG_VERSION")));
    assert!(out.contains("KataGo"), "programs look for it");
}

#[test]
fn bad_files_are_told() {
    let output = tengen(&["analysis", "-model", "none", "-config", "no such file.cfg"], "");
    assert!(!output.status.success() && texts(&output).1.contains("no such file.cfg"));
    let output = tengen(&["analysis", "-model", "no such net.bin.gz"], "");
    assert!(!output.status.success() && texts(&output).1.contains("no such net.bin.gz"));
    let output = tengen(&["gtp", "-override-config", "maxVisits=none of them"], "");
    assert!(texts(&output).1.contains("maxVisits cannot be"));
}
