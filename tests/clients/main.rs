//! Programs that nobody here wrote, each driving Tengen as it drives its own engine. Packages are installed when the test runs, so each test is
//! ignored by default; GoGui and CGOS, which are none, are taken from where `TENGEN_GOGUI` and `TENGEN_CGOS` say, and KaTrain, which is large, from the
//! Python that `TENGEN_KATRAIN` names. Where a program is not to be had, a line is printed and its test
//! skipped.

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

/// Where somebody put a program that no package manager has; nothing, and a printed line, if nobody did.
fn elsewhere(variable: &str, what: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        println!("skipped: {variable} does not say where {what}");
    }
    found
}

/// GoGui's classes, those of twogtp and regress among them.
fn gogui() -> Option<PathBuf> {
    elsewhere("TENGEN_GOGUI", "GoGui's compiled classes are")
}

fn gogui_tool(classes: &Path, tool: &str, place: &Path) -> Command {
    let mut command = Command::new("java");
    command
        .arg("-Djava.awt.headless=true")
        .arg("-cp")
        .arg(classes)
        .arg(format!("net.sf.gogui.tools.{tool}.Main"))
        .current_dir(place);
    command
}

#[test]
#[ignore = "drives a program of others"]
fn gogui_s_twogtp_referees_two_games() {
    let Some(classes) = gogui() else { return };
    let place = folder("gogui-games");
    for file in ["game.dat", "game-0.sgf", "game-1.sgf"] {
        let _ = std::fs::remove_file(place.join(file));
    }
    let engine = |seed: u32| format!("\"{TENGEN}\" gtp --net none --visits 60 --threads 1 --seed {seed}");
    run(gogui_tool(&classes, "twogtp", &place)
        .args(["-black", &engine(1), "-white", &engine(2), "-referee", &engine(3)])
        .args(["-size", "7", "-komi", "8.5", "-games", "2", "-alternate", "-auto", "-sgffile", "game"]));
    let results = std::fs::read_to_string(place.join("game.dat")).unwrap();
    let rows: Vec<Vec<&str>> =
        results.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 2, "{results}");
    for (number, row) in rows.iter().enumerate() {
        // Black's, White's and the referee's result, and at the end whether something went wrong.
        assert!(row[1..4].iter().all(|result| result.contains('+') && *result == row[1]), "{results}");
        assert_eq!(row[11], "0", "{results}");
        let game = std::fs::read(place.join(format!("game-{number}.sgf"))).unwrap();
        assert!(tengen::sgf::parse(&game).is_ok());
    }
}

#[test]
#[ignore = "drives a program of others"]
fn gogui_s_regress_tells_right_from_wrong() {
    let Some(classes) = gogui() else { return };
    let place = folder("gogui-regress");
    let tests = "boardsize 9\nkomi 6.5\nplay b E5\n10 reg_genmove w\n#? [[A-HJ][1-9]]\n20 get_komi\n#? [6.5]\n30 get_komi\n#? [7.5]*\n\
        40 known_command genmove\n#? [false]\n";
    std::fs::write(place.join("some.tst"), tests).unwrap();
    let engine = format!("\"{TENGEN}\" gtp --net none --visits 60 --threads 1");
    let output = gogui_tool(&classes, "regress", &place).args(["-long", "-output", "out", &engine, "some.tst"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Summary: 2/4 passes. 0 unexpected passes, 1 unexpected failures"), "{text}");
    assert!(place.join("out/some.html").exists());
}

#[test]
#[ignore = "drives a program of others"]
fn cgos_s_client_plays_a_game_on_its_server() {
    let Some(source) = elsewhere("TENGEN_CGOS", "a checkout of CGOS's Python client and server is") else { return };
    let place = folder("cgos");
    let python = place.join("venv/bin/python");
    if !python.exists() {
        let installs = install("python3", ["-m", "venv", "venv"], &place)
            && install(
                python.to_str().unwrap(),
                ["-m", "pip", "install", "-q", "--retries", "0", "--timeout", "10", "passlib==1.7.4"],
                &place,
            );
        if !installs {
            return;
        }
    }
    let game = place.join("game");
    let _ = std::fs::remove_dir_all(&game);
    std::fs::create_dir_all(&game).unwrap();
    // The rules of the README's cgos.toml.
    let rules = r#"rules = '{"ko":"POSITIONAL","scoring":"AREA","tax":"NONE","suicide":false,"hasButton":false,"whiteHandicapBonus":"0","friendlyPassOk":false}'"#;
    std::fs::write(game.join("cgos.toml"), rules).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/cgos.py");
    let engine = [TENGEN, "gtp", "--config", "cgos.toml", "--net", "none", "--visits", "30", "--threads", "1"];
    let record = run(Command::new(python).arg(script).arg(&source).arg(&game).args(engine));
    let game = tengen::sgf::parse(record.as_bytes()).unwrap();
    let game = tengen::sgf::Record::from_tree(&game.games[0]).unwrap();
    assert!(game.moves().count() > 20 && matches!(game.result, tengen::sgf::GameResult::Win(..)), "{record}");
    // The server keeps what cgos-genmove_analyze tells.
    assert!(record.matches("\"winrate\":").count() > 20, "{record}");
}

#[test]
#[ignore = "drives a program of others"]
#[cfg(unix)]
fn katrain_shows_what_its_analysis_finds() {
    let Some(python) = elsewhere("TENGEN_KATRAIN", "a Python with KaTrain in it is") else { return };
    let Some(network) = shared("nets/tiny/tiny-v15.bin.gz") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/play_katrain.py");
    let log = run(Command::new(python).arg(script).arg(folder("katrain")).arg(TENGEN).arg(network));
    assert!(log.contains("ready to begin handling requests"), "{log}");
    assert_eq!(log.matches("][done] KataGo analysis received").count(), 4, "{log}");
    assert!(log.contains(r#""moves": [["B", "E5"], ["W", "C7"], ["B", "G7"]]"#), "{log}");
    // How KaTrain tells of errors, its own and the engine's.
    for trouble in ["Error in engine callback", "Unexpected exception", "'error':", "Engine died"] {
        assert!(!log.contains(trouble), "{trouble}: {log}");
    }
}
