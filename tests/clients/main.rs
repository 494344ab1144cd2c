//! Programs that nobody here wrote, each driving Tengen as it drives its own engine. They are installed when the test runs, so each test is
//! ignored by default; where it cannot be installed it prints a line and is skipped.

#[path = "../common/mod.rs"]
mod common;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::shared;
use serde_json::Value;

const TENGEN: &str = env!("CARGO_BIN_EXE_tengen");

/// A folder for what is installed, kept from run to run.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs an installer; false, and a printed line, if that does not work here.
fn install<S: AsRef<OsStr>>(program: &str, args: impl IntoIterator<Item = S>, place: &Path) -> bool {
    let status = Command::new(program).args(args).current_dir(place).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_well = status.is_ok_and(|status| status.success());
    if !is_well {
        println!("skipped: {program} cannot install what is tested here");
    }
    is_well
}

/// What a program prints that must succeed.
fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {out}{err}");
    out.into_owned()
}

#[test]
#[ignore = "installs a program of others"]
fn sabaki_s_controller_plays_and_analyses() {
    let folder = folder("sabaki");
    if !folder.join("node_modules/@sabaki/gtp").exists()
        && !install("npm", ["install", "--no-audit", "--fetch-retries=0", "--fetch-timeout=10000", "@sabaki/gtp@3"], &folder)
    {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/sabaki.js");
    let engine = [TENGEN, "gtp", "--visits", "200", "--threads", "1", "--seed", "1"];
    let result: Value = serde_json::from_str(&run(Command::new("node").arg(script).arg(&folder).args(engine))).unwrap();
    assert_eq!((&result["name"], &result["protocol"], &result["ready"]), (&"Tengen".into(), &"2".into(), &true.into()));
    assert_eq!(result["commands"][0], "protocol_version");
    assert!(result["lines"].as_u64().unwrap() >= 3 && result["analysis"].as_str().unwrap().contains(" ownership "));
    assert!(result["generated"].as_str().unwrap().contains("\nplay "), "{}", result["generated"]);
    assert_eq!(result["moves"].as_array().unwrap().len(), 6);
    assert_eq!(result["illegal"], "illegal move");
}

#[test]
#[ignore = "installs a program of others"]
fn katagoanal_writes_win_rates_into_three_games() {
    let Some(network) = shared("nets/tiny/tiny-v15.bin.gz") else { return };
    let folder = folder("katagoanal");
    let programs = folder.join("venv").join(if cfg!(windows) { "Scripts" } else { "bin" });
    let (python, katagoanal) = (programs.join("python"), programs.join("katagoanal"));
    if !katagoanal.exists() {
        let installs = install("python3", ["-m", "venv", "venv"], &folder)
            && install(
                python.to_str().unwrap(),
                ["-m", "pip", "install", "-q", "--retries", "0", "--timeout", "10", "katagoanal==0.4.0"],
                &folder,
            );
        if !installs {
            return;
        }
    }
    let (config, out) = (folder.join("config"), folder.join("out"));
    std::fs::create_dir_all(config.join("katagoanal")).unwrap();
    std::fs::create_dir_all(&out).unwrap();
    let settings = config.join("katagoanal/config.cfg");
    std::fs::write(&settings, "logDir = logs\nreportAnalysisWinratesAs = BLACK\nmaxVisits = 8\nnumAnalysisThreads = 2\n")
        .unwrap();
    let paths = serde_json::json!({ "binary": TENGEN, "model": network, "config": settings });
    std::fs::write(config.join("katagoanal/paths.json"), paths.to_string()).unwrap();
    let games = ["even-9x9.sgf", "even-13x13.sgf", "even-19x19.sgf"]
        .map(|game| Path::new(env!("CARGO_MANIFEST_DIR")).join("sgf").join(game));
    let printed = run(Command::new(katagoanal).args(&games).arg("-o").arg(&out).env("XDG_CONFIG_HOME", &config));
    assert!(printed.contains("Injected 3/3"), "{printed}");
    for game in &games {
        let name = format!("{}.injected.sgf", game.file_stem().unwrap().to_str().unwrap());
        let text = String::from_utf8_lossy(&std::fs::read(out.join(name)).unwrap()).into_owned();
        let moves = std::fs::read_to_string(game).unwrap().matches([';']).count() - 1;
        assert!(text.matches("Winrate").count() >= moves, "{moves} moves in {}", game.display());
        assert!(text.contains("Tengen"), "the engine is named");
    }
}
