//! `tengen review` as a shell sees it.

mod common;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::Folder;
use serde_json::Value;
use tengen::sgf::{self, Record, Tree};

/// Reviews by a few playouts, which is the same each time.
fn review<F: AsRef<OsStr>>(files: &[F], out: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.arg("review").args(files).arg("--out").arg(out).args(args).args(["--net", "none", "--visits", "40", "--seed", "1"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(!err(&output).contains("panicked"), "{}", err(&output));
    output
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn good<F: AsRef<OsStr>>(files: &[F], out: &Path, args: &[&str]) -> String {
    let output = review(files, out, args);
    assert!(output.status.success(), "{}", err(&output));
    String::from_utf8(output.stdout).unwrap()
}

const GAME: &str = "(;FF[4]GM[1]SZ[9]KM[6.5]RU[Chinese]PB[Ānanda 阿難]PW[Größe & <b>]XX[kept\\] too]C[Before it]AB[gg]PL[W]\
;W[ee];B[ce];W[gf]LB[gf:k]C[said]MA[aa]\n(;B[ff]TE[1];W[fe];B[ef];W[df];B[];W[hg];B[de];W[];B[])(;B[hf]C[a variation];W[ge]))";

#[test]
fn everything_of_the_record_is_kept() {
    let folder = Folder::new("kept");
    let game = folder.write("Partie № 1.sgf", GAME);
    let text = good(&[&game], &folder.0.join("out"), &["--formats", "sgf"]);
    assert!(text.contains("Ānanda 阿難 (Black) against Größe & <b> (White), 9x9, 12 moves"), "{text}");
    assert!(text.contains("Rules: chinese, as the record says. Komi: 6.5, as the record says."), "{text}");
    let written = folder.read("out/Partie № 1.sgf");
    let (before, after) = (sgf::parse(GAME.as_bytes()).unwrap(), sgf::parse(written.as_bytes()).unwrap());
    let (old, new) = (&before.games[0], &after.games[0]);
    holds(old, Tree::ROOT, new, Tree::ROOT);
    assert_eq!(
        Record::from_tree(old).unwrap().moves().collect::<Vec<_>>(),
        Record::from_tree(new).unwrap().moves().collect::<Vec<_>>()
    );
    // What is added: figures at each node of the main line, in the forms that clients read.
    for node in new.main_line() {
        let percent: f32 = new.value(node, "SBKV").unwrap().to_text().parse().unwrap();
        assert!((0.0..=100.0).contains(&percent));
        new.value(node, "SBKS").unwrap().to_text().parse::<f32>().unwrap();
        assert_eq!(new.property(node, "KT").unwrap().values().len(), 3);
        assert!(new.value(node, "LZ").unwrap().to_text().contains("\nmove "));
    }
    assert_eq!(new.value(Tree::ROOT, "KTV").unwrap().to_text(), "1.0");
    // A second review replaces the comments of the first, and adds no variation twice.
    let again = folder.write("again.sgf", &written);
    good(&[&again], &folder.0.join("out"), &["--formats", "sgf"]);
    let again = sgf::parse(folder.read("out/again.sgf").as_bytes()).unwrap();
    assert_eq!(again.games[0].node_count(), new.node_count());
    let comment = again.games[0].value(Tree::ROOT, "C").unwrap().to_text();
    assert_eq!(comment.matches("[Tengen]").count(), 1, "{comment}");
    assert!(comment.starts_with("Before it\n\n[Tengen] Reviewed by Tengen"), "{comment}");
}

/// Asserts that every property and child of a node of `old` is there in `new`.
fn holds(old: &Tree, at: sgf::NodeId, new: &Tree, there: sgf::NodeId) {
    for property in old.properties(at) {
        let found = new.property(there, property.name()).unwrap_or_else(|| panic!("{} is gone", property.name()));
        if property.name() == "C" {
            assert!(found.values()[0].to_text().starts_with(&property.values()[0].to_text()));
        } else {
            assert!(property.values().iter().all(|value| found.values().contains(value)), "{}", property.name());
        }
    }
    for (number, child) in old.children(at).enumerate() {
        holds(old, child, new, new.children(there).nth(number).expect("a child"));
    }
}

#[test]
fn tables_have_a_row_a_move() {
    let folder = Folder::new("tables");
    let game = folder.write("game.sgf", GAME);
    good(&[&game], &folder.0, &["--formats", "json,csv"]);
    let json: Value = serde_json::from_str(&folder.read("game.json")).unwrap();
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 12);
    assert_eq!(
        (&json["black"]["name"], &json["komi"], &json["komi_from"]),
        (&"Ānanda 阿難".into(), &6.5.into(), &"record".into())
    );
    for (number, row) in moves.iter().enumerate() {
        assert_eq!(row["move"], number + 1);
        assert!((0.0..=1.0).contains(&row["black_winrate"].as_f64().unwrap()));
        assert!(row["points_lost"].as_f64().unwrap() >= 0.0 && row["best"].is_string());
        // A drop of Black's lead is what Black lost, unless it was the search's choice or one of the two passes at the end, by which both left it at that.
        let before = if number == 0 { &json["start"] } else { &moves[number - 1] };
        let sign = if row["color"] == "B" { 1.0 } else { -1.0 };
        let drop = sign * (before["black_lead"].as_f64().unwrap() - row["black_lead"].as_f64().unwrap());
        let expected = if row["rank"] == 1 || number >= 10 { 0.0 } else { drop.max(0.0) };
        assert!((row["points_lost"].as_f64().unwrap() - expected).abs() < 0.003, "{row}");
    }
    let table = folder.read("game.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 13);
    assert!(lines[0].starts_with("move,color,vertex,black_winrate,") && lines[1].starts_with("1,W,E5,"), "{table}");
    let counted: u64 = ["black", "white"].map(|side| json[side]["game"]["moves"].as_u64().unwrap()).iter().sum();
    assert_eq!(counted, 12);
}

#[test]
fn a_stopped_review_goes_on_and_a_finished_one_costs_nothing() {
    let folder = Folder::new("resumed");
    let game = folder.write("game.sgf", GAME);
    let first = good(&[&game], &folder.0, &["--formats", "json"]);
    let json = folder.read("game.json");
    let journals: Vec<PathBuf> = folder.0.join(".tengen-review").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    let [journal] = &journals[..] else { panic!("{journals:?}") };
    let lines = std::fs::read_to_string(journal).unwrap();
    assert_eq!(lines.lines().count(), 13);
    // As a kill leaves it: in the middle of a line.
    let half: String = lines.chars().take(lines.len() / 2).collect();
    std::fs::write(journal, &half).unwrap();
    assert_eq!(good(&[&game], &folder.0, &["--formats", "json"]), first);
    assert_eq!(folder.read("game.json"), json);
    let known = half.matches('\n').count();
    assert_eq!(std::fs::read_to_string(journal).unwrap().lines().count(), known + 1 + 13 - known);
    // What is known is used, not found again.
    std::fs::write(journal, lines.replace("\"visits\":", "\"visits\":9")).unwrap();
    good(&[&game], &folder.0, &["--formats", "json"]);
    assert_ne!(folder.read("game.json"), json);
}

#[test]
fn one_player_can_be_chosen() {
    let folder = Folder::new("player");
    let game = folder.write("game.sgf", GAME);
    let out = folder.0.join("out");
    let both = good(&[&game], &out, &["--formats", "html"]);
    let black = good(&[&game], &out, &["--formats", "html,sgf", "--player", "black"]);
    assert!(both.contains("\nWhite ") && !black.contains("\nWhite "), "{black}");
    let mistakes = black.split("Largest mistakes\n").nth(1).unwrap_or_default();
    assert!(!mistakes.contains(" White "), "{black}");
    let sgf = folder.read("out/game.sgf");
    assert!(!sgf.contains("(White): accuracy") && sgf.contains("(Black): accuracy"), "{sgf}");
}

#[test]
fn odd_files_are_named_and_the_others_go_on() {
    let folder = Folder::new("odd");
    let fine = folder.write("gut.sgf", "(;GM[1]SZ[5];B[cc];W[bb])");
    let two = folder.write("zwei.sgf", "(;GM[1]SZ[5];B[cc])(;GM[1]SZ[5];B[cc];W[cc])");
    let empty = folder.write("leer.sgf", "(;GM[1]SZ[5])");
    let output = review(&[&empty, &fine, &two, "nirgends.sgf"], &folder.0.join("out"), &["--formats", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = err(&output);
    for line in [
        "leer.sgf: it has no moves, so there is nothing to review",
        "zwei.sgf, game 2: move 2, White C3: there is a stone on that point already",
        "nirgends.sgf: cannot read the file",
        "tengen: 3 of 5 games could not be reviewed",
    ] {
        assert!(errors.contains(line), "{line}\n{errors}");
    }
    assert!(folder.read("out/gut.json").contains("\"komi_from\": \"assumed\""));
    assert!(folder.0.join("out/zwei-1.json").exists());
    // A review never overwrites a record.
    let output = review(&[&fine], &folder.0, &["--formats", "sgf"]);
    assert!(!output.status.success() && err(&output).contains("would overwrite"), "{}", err(&output));
}

#[test]
fn hostile_files_are_reviewed_or_refused() {
    let Some(hostile) = common::shared("hostile/sgf") else { return };
    let folder = Folder::new("hostile");
    let mut files: Vec<PathBuf> = hostile.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let output = review(&files, &folder.0, &["--formats", "html,sgf,json,csv", "--set", "maxVisits=2"]);
    assert_eq!(output.status.code(), Some(1));
    let count = |end: &str| {
        let named = |entry: &std::fs::DirEntry| entry.path().extension().is_some_and(|found| found == end);
        folder.0.read_dir().unwrap().map(Result::unwrap).filter(named).count()
    };
    assert!(count("html") > 15, "{}", err(&output));
    assert!(["sgf", "json", "csv"].iter().all(|end| count(end) == count("html")));
    for name in ["empty.sgf", "occupied.sgf", "other_game.sgf"] {
        assert!(err(&output).contains(name), "{name}");
    }
}

/// Who passes when the other has passed, or before the other passes too, is not told to have blundered, whatever was left to play.
#[test]
fn an_agreed_end_is_no_blunder() {
    let folder = Folder::new("agreed");
    let game = folder.write("g.sgf", "(;SZ[9]KM[6.5]RU[Chinese];B[ee];W[gc];B[];W[])");
    good(&[&game], &folder.0.join("out"), &["--formats", "json,sgf"]);
    let review: Value = serde_json::from_str(&folder.read("out/g.json")).unwrap();
    let moves = review["moves"].as_array().unwrap();
    for passed in &moves[2..] {
        assert_eq!(passed["points_lost"].as_f64(), Some(0.0), "{passed}");
    }
    let alone = folder.write("alone.sgf", "(;SZ[9]KM[6.5]RU[Chinese];B[ee];W[gc];B[];W[cc];B[cg])");
    good(&[&alone], &folder.0.join("out"), &["--formats", "json"]);
    let review: Value = serde_json::from_str(&folder.read("out/alone.json")).unwrap();
    assert!(review["moves"][2]["points_lost"].as_f64().unwrap() > 1.0, "a pass alone gives a move away");
}
