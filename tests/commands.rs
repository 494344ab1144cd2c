//! `score`, `perft` and `bench` as a shell sees them.

mod common;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::Folder;
use serde_json::Value;
use tengen::board::{Board, Color};
use tengen::sgf::{self, Record};

fn tengen<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(args).stdin(Stdio::null()).output().unwrap();
    assert!(!err(&output).contains("panicked"), "{}", err(&output));
    output
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What `tengen` prints when all is well.
fn good(args: &[&str]) -> String {
    let output = tengen(args);
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {}", err(&output));
    out(&output)
}

/// Its one complaint when it is not.
fn complaint(args: &[&str]) -> String {
    let output = tengen(args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    assert!(output.stdout.is_empty() && err(&output).lines().count() == 1, "{args:?}: {}", err(&output));
    err(&output)
}

fn score_json(args: &[&str]) -> Value {
    let text = good(&[&["score", "--json"], args].concat());
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).unwrap()
}

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sgf").join(name).to_str().unwrap().to_owned()
}

/// A drawing as a game record without moves.
fn record_of(drawing: &str, komi: f32) -> String {
    let board = Board::from_drawing(drawing).unwrap();
    let mut record = Record::new(board.size());
    record.komi = Some(komi);
    let stones = board.size().points().filter_map(|point| board.stone(point).map(|color| (point, Some(color))));
    record.steps[0].setup = stones.collect();
    record.steps[0].to_move = Some(Color::Black);
    sgf::write(&[record.to_tree()])
}

#[test]
fn a_finished_game_is_drawn_counted_and_compared() {
    let text = good(&["score", &fixture("even-19x19.sgf")]);
    for line in [
        "Black GNU Go (Black) against White GNU Go (White), 19x19, 174 moves",
        "18 w w w O x O X O O X b b b b b b b b b 18",
        "X Black  O White  x dead Black  o dead White  b Black's territory  w White's territory  . nobody's",
        "Stones            81      84",
        "Territory        111      85",
        "Komi                     7.5",
        "Total            192   176.5",
        "Black wins by 15.5 points (B+15.5). The record says the same.",
        "Rules: chinese, as the record says. Komi: 7.5, as the record says.",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line}\n{text}");
    }
}

#[test]
fn a_scored_board_is_drawn_to_a_file() {
    let folder = Folder::new("Bild 碁");
    let file = folder.0.join("Brett.svg");
    let path = file.to_str().unwrap();
    good(&["score", "--svg", path, &fixture("even-19x19.sgf")]);
    let svg = std::fs::read_to_string(&file).unwrap();
    let scored = score_json(&[&fixture("even-19x19.sgf")]);
    let count = |what: &str| svg.matches(what).count();
    let points = |side: &str| scored[side]["territory"].as_array().unwrap().len();
    assert_eq!(
        count("<circle"),
        ["black", "white"].map(|side| scored[side]["stones"].as_u64().unwrap() as usize).iter().sum::<usize>() + count("opacity")
    );
    assert_eq!(count("opacity"), scored["dead"].as_array().unwrap().len());
    assert_eq!(count("<rect x="), points("black") + points("white"));
    assert!(svg.contains("<title>B+15.5, dead stones and territory</title>"), "{svg}");
    assert!(complaint(&["score", "--svg", path, &fixture("seki.sgf"), &fixture("seki.sgf")]).contains("one record"));
}

#[test]
fn seki_under_territory_rules() {
    let text = good(&["score", &fixture("seki.sgf")]);
    assert!(text.contains("\n 5 O O O X . O X X X 5\n"), "{text}");
    assert!(text.contains("White wins by 6.5 points (W+6.5). The record says the same."), "{text}");
    let scored = score_json(&[&fixture("seki.sgf")]);
    // Playouts break a seki: if they are in doubt of it, they say so.
    let doubtful = !scored["doubtful"].as_array().unwrap().is_empty();
    assert_eq!(text.contains("Not clear is the fate of "), doubtful, "{text}");
    assert_eq!((&scored["score"], &scored["agrees"]), (&(-6.5).into(), &true.into()));
    assert!(scored["dead"].as_array().unwrap().is_empty());
    let seki = scored["seki"].as_array().unwrap();
    assert!(seki.contains(&"D9".into()) && seki.contains(&"F5".into()), "{seki:?}");
}

/// The boards of `golden/known-scores.txt`, with what their reporters say of them.
#[test]
fn boards_with_known_scores() {
    let folder = Folder::new("known");
    let issue_366 = "
        . . . . . . . . .
        . . . . . . . . .
        . . O O O O . . .
        . O . O X O O O O
        O O O X X X X O X
        O X X X . X X X X
        X . . O O X O O .
        . X . . X . X O .
        . . . . X X . X .";
    let file = folder.write("366.sgf", &record_of(issue_366, 0.0));
    let dead = score_json(&["--rules", "chinese", &file]);
    assert_eq!(dead["dead"], serde_json::json!(["D3", "E3", "G3", "H3", "H2"]));
    assert_eq!(dead["result"], "B+1");
    let standing = score_json(&["--rules", "tromp-taylor", &file]);
    assert_eq!((&standing["result"], &standing["dead"]), (&"W+22".into(), &Value::Array(Vec::new())));
    assert!(good(&["score", "--rules", "tromp-taylor", &file]).contains("These rules count every stone on the board as alive."));
    let issue_596 = "
        . . . . . . .
        O O O X O . .
        X X X O O O .
        . X . X X O .
        . . X O X O .
        . . X . X O O
        . . . . X X O";
    let file = folder.write("596.sgf", &record_of(issue_596, 7.0));
    assert_eq!(score_json(&["--rules", "tromp-taylor", &file])["result"], "W+6");
}

#[test]
fn flags_change_rules_komi_and_moves() {
    let file = fixture("even-19x19.sgf");
    let japanese = score_json(&["--rules", "japanese", "--komi", "-2.5", &file]);
    assert_eq!((&japanese["rules"], &japanese["komi"]), (&"japanese".into(), &(-2.5).into()));
    assert_eq!((&japanese["rules_from"], &japanese["komi_from"]), (&"flag".into(), &"flag".into()));
    let points = |color: &str| {
        let side = &japanese[color];
        side["prisoners"].as_f64().unwrap() + side["territory"].as_array().unwrap().len() as f64
    };
    assert_eq!(japanese["score"].as_f64().unwrap(), points("black") - points("white") + 2.5);
    let text = good(&["score", "--rules", "japanese", &file]);
    assert!(text.contains("\nPrisoners ") && text.contains("Rules: japanese, as asked."), "{text}");
    let part = score_json(&["--moves", "100", &file]);
    assert_eq!((&part["moves"], &part["agrees"]), (&100.into(), &Value::Null));
    let text = good(&["score", "--moves", "0", &file]);
    assert!(text.contains("after 0 of 174 moves") && text.contains("The record says B+15.5 (at its end)."), "{text}");
    assert!(text.contains("361 points are nobody's: the game does not seem to be over"), "{text}");
    assert!(!good(&["score", &file]).contains("does not seem to be over"));
    assert!(complaint(&["score", "--moves", "175", &file]).contains("it has 174 moves"));
}

#[test]
fn every_column_adds_up() {
    let all_rules = ["chinese", "aga", "aga-button", "stone-scoring", "ancient-territory", "japanese", "tromp-taylor"];
    let with = |rules: &str, row: &str| match row {
        "Handicap" => ["chinese", "aga", "aga-button"].contains(&rules),
        "Button" => rules == "aga-button",
        "Group tax" => ["stone-scoring", "ancient-territory"].contains(&rules),
        _ => unreachable!(),
    };
    // A handicap game that is not over, and a game that ends with passes and two white groups against one black.
    for (name, rows) in [("handicap-19x19.sgf", &["Handicap"][..]), ("even-9x9.sgf", &["Button", "Group tax"])] {
        let file = fixture(name);
        for rules in all_rules {
            let text = good(&["score", "--rules", rules, &file]);
            let total = text.lines().find_map(|line| line.strip_prefix("Total")).unwrap();
            let total: Vec<f32> = total.split_whitespace().map(|number| number.parse().unwrap()).collect();
            let scored = score_json(&["--rules", rules, &file]);
            assert_eq!(total[0] - total[1], scored["score"].as_f64().unwrap() as f32, "{rules}: {text}");
            for row in rows {
                assert_eq!(text.contains(&format!("\n{row} ")), with(rules, row), "{rules}: {text}");
            }
        }
    }
}

#[test]
fn what_is_assumed_is_said() {
    let folder = Folder::new("assumed");
    let score = |name: &str, text: &str| good(&["score", &folder.write(name, text)]);
    let text = score("bare.sgf", "(;GM[1]SZ[5];B[cc];W[bb]RE[W+R])");
    assert!(text.contains("Rules: chinese, assumed, since the record names none."), "{text}");
    assert!(text.contains("Komi: 7.5, usual under these rules, since the record names none."), "{text}");
    assert!(text.contains("The record says W+R (Black resigned)."), "{text}");
    let text = score("odd.sgf", "(;GM[1]SZ[5]RU[House]HA[2]AB[bb][dd];W[cc])");
    assert!(text.contains("assumed, since the record's 'House' are not known"), "{text}");
    assert!(text.contains("Komi: 0.5, usual with a handicap"), "{text}");
    assert!(text.contains("The record gives no result."), "{text}");
    let text = score("two.sgf", "(;GM[1]SZ[5]KM[];B[cc])(;GM[1]SZ[9])");
    assert!(text.contains("Note: the file has 2 games; this is the first.") && text.contains("KM is empty"), "{text}");
}

#[test]
fn moves_are_judged_by_the_records_rules_and_counted_by_others() {
    // Positional superko forbids the last move; the simple ko of the record's rules does not.
    let superko = fixture("superko.sgf");
    assert!(complaint(&["score", "--rules", "tromp-taylor", &superko]).contains("move 3, Black B1: that would repeat"));
    let text = std::fs::read_to_string(&superko).unwrap().replace("KM[7]", "KM[7]RU[Chinese]");
    let folder = Folder::new("superko");
    assert_eq!(score_json(&["--rules", "tromp-taylor", &folder.write("ko.sgf", &text)])["moves"], 3);
}

#[test]
fn a_bad_file_is_named_and_the_others_go_on() {
    let folder = Folder::new("Fünf Köche 碁");
    let fine = folder.write("mein Spiel 本因坊.sgf", "(;GM[1]SZ[5]KM[0]RE[B+25];B[cc];W[];B[])");
    let broken = folder.write("kaputt ß.sgf", "(;GM[1]SZ[5];B[cc];W[cc])");
    let missing = folder.0.join("nirgends.sgf").to_str().unwrap().to_owned();
    let output = tengen(["score", &broken, &fine, &missing]);
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).starts_with(&format!("{fine}\n")));
    assert!(out(&output).contains("(B+25). The record says the same."));
    let errors = err(&output);
    assert_eq!(errors.lines().count(), 3, "{errors}");
    assert!(errors.contains(&format!("tengen: {broken}: move 2, White C3: there is a stone")), "{errors}");
    assert!(errors.contains(&format!("tengen: {missing}: cannot read the file")), "{errors}");
    assert!(errors.ends_with("tengen: 2 of 3 files could not be scored\n"), "{errors}");
    let output = tengen(["score", "--json", &broken, &fine, &missing]);
    let lines: Vec<Value> = out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["file"].as_str().unwrap()).collect::<Vec<_>>(), [&broken, &fine, &missing]);
    assert_eq!((&lines[1]["agrees"], &lines[0]["agrees"]), (&true.into(), &Value::Null));
    assert!(lines[0]["error"].as_str().unwrap().starts_with("move 2"));
    assert!(complaint(&["score", &missing]).starts_with(&format!("tengen: {missing}: cannot read the file")));
}

#[test]
fn hostile_files_are_scored_or_refused() {
    let Some(folder) = common::shared("hostile/sgf") else { return };
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 60);
    let output = tengen([OsStr::new("score"), OsStr::new("--json")].into_iter().chain(files.iter().map(|file| file.as_os_str())));
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> = out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), files.len());
    for name in ["empty", "other_game", "offboard", "occupied", "ko_immediate", "html_instead", "size_SZ_0_"] {
        let line = lines.iter().find(|line| line["file"].as_str().unwrap().ends_with(&format!("{name}.sgf"))).unwrap();
        assert!(line["error"].is_string(), "{name}");
    }
    for line in lines.iter().filter(|line| line["error"].is_null()) {
        assert!(line["komi"].is_number() && line["result"].is_string(), "{line}");
    }
}

#[test]
fn bad_flags_say_what_would_do() {
    for (args, hint) in [
        (&["score", "--rules", "chess", "a.sgf"][..], "tromp-taylor"),
        (&["score", "--komi", "nan", "a.sgf"], "such as 7.5"),
        (&["score"], "FILE.sgf"),
        (&["perft", "1"], "from 2 to 25"),
        (&["perft", "--rules", "chinese"], "--depth"),
        (&["bench", "--sizes", "9,30"], "from 2 to 25"),
        (&["bench", "--only", "fun"], "signature"),
    ] {
        let output = tengen(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && err(&output).contains(hint), "{args:?}: {}", err(&output));
    }
}

/// The numbers of J. Tromp and G. Farnebäck, Combinatorics of Go.
#[test]
fn perft_counts_positions() {
    for (size, known) in [("2", "2x2 has 57 "), ("3", "3x3 has 12675 "), ("2x3", "2x3 has 489 "), ("4X3", "4x3 has 321689 ")] {
        let text = good(&["perft", size]);
        assert!(text.starts_with(&format!("{known}legal positions (")), "{text}");
    }
    assert!(complaint(&["perft", "19"]).contains("far too many"));
}

/// On 2x2: five first moves; four answers to each stone and five to a pass.
#[test]
fn perft_counts_sequences() {
    let counts = |args: &[&str]| -> Vec<u64> {
        let text = good(args);
        let count = |line: &str| line.split_whitespace().nth(2).unwrap().parse().unwrap();
        text.lines().map(count).collect()
    };
    assert_eq!(counts(&["perft", "2", "--depth", "2"]), [5, 21]);
    // Only Tromp-Taylor rules allow suicide, and only simple ko a repetition by more than two moves.
    let [tromp_taylor, chinese] =
        ["tromp-taylor", "chinese"].map(|rules| counts(&["perft", "2", "--depth", "7", "--rules", rules]));
    assert_eq!(tromp_taylor[..2], chinese[..2]);
    assert_ne!(tromp_taylor[6], chinese[6]);
    let error = complaint(&["perft", "3", "--depth", "20"]);
    assert!(error.contains("try --depth 11"), "{error}");
}

#[test]
fn the_signature_is_the_same_each_time() {
    let signature = |sizes: &str, playouts: &str| {
        let text = good(&["bench", "--only", "signature", "--sizes", sizes, "--playouts", playouts]);
        let number = text.trim().rsplit(' ').next().unwrap().to_owned();
        assert_eq!(number.len(), 16, "{text}");
        number
    };
    let first = signature("5,9", "40");
    assert_eq!(first, signature("5,9", "40"));
    assert_ne!(first, signature("5,9", "41"));
    assert_ne!(first, signature("9", "40"));
}

#[test]
fn the_benchmark_of_a_network() {
    let file = std::env::temp_dir().join(format!("tengen bench {}.bin.gz", std::process::id()));
    let blocks = [tengen::nn::BlockKind::Residual];
    tengen::nn::Network::random(8, 8, &blocks, &mut tengen::util::Rng::new(1)).write(&file).unwrap();
    let text = good(&["bench", "--net", file.to_str().unwrap(), "--sizes", "5,9x7", "--threads", "2", "--time", "0.02"]);
    std::fs::remove_file(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 4 && lines[0].contains("random-v8"), "{text}");
    for line in &lines[2..] {
        let rates: Vec<f64> = line.split_whitespace().skip(1).map(|rate| rate.parse().unwrap()).collect();
        assert!(rates.len() == 4 && rates.iter().all(|&rate| rate > 10.0), "{text}");
    }
    assert!(complaint(&["bench", "--net", "no such file"]).contains("no such file"));
}

#[test]
fn the_benchmark_has_three_parts() {
    let text = good(&["bench", "--sizes", "5,9x7", "--threads", "2", "--time", "0.02", "--playouts", "20"]);
    let parts: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(parts.len(), 3, "{text}");
    let numbers = |part: &str, size: &str| -> Vec<f64> {
        let row = part.lines().find_map(|line| line.strip_prefix(size)).unwrap();
        row.split_whitespace().map(|number| number.parse().unwrap()).collect()
    };
    for size in ["5x5", "9x7"] {
        let [playouts, search] = [0, 1].map(|part| numbers(parts[part], size));
        assert!(playouts.len() == 2 && playouts.iter().all(|&rate| rate > 100.0), "{text}");
        assert!(search.len() == 3 && search[..2].iter().all(|&rate| rate > 10.0), "{text}");
    }
    assert!(parts[2].starts_with("Signature of 20 playouts from each of 2 positions: "), "{text}");
}

#[test]
fn solve_answers_for_boards_and_for_stones() {
    let text = good(&["solve", "2", "--check", "100000"]);
    assert!(text.starts_with("Black wins by 1\nBlack A") && text.contains("played out: "), "{text}");
    let folder = Folder::new("solve");
    let file = &folder.write("three in a row.sgf", "(;GM[1]SZ[7]AW[da][ab][bb][cb][db]AB[ea][eb][ac][bc][cc][dc][ec])");
    let text = good(&["solve", file, "--at", "D7", "--check", "100000"]);
    let [black, within, white, _] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    assert!(black.starts_with("Black first: White's stones at") && black.contains("are captured by B7 ("), "{black}");
    assert!(black.contains("; played out: ") && within.contains(" --region A7,B7,C7"), "{text}");
    assert!(white.contains("are safe by B7 ("), "{white}");
    let text = good(&["solve", file, "--at", "D7", "--first", "b", "--refute", "A7"]);
    assert!(text.contains("After A7: White first: White's stones") && text.contains("are safe by B7"), "{text}");
    assert!(complaint(&["solve", "19"]).contains("there is no chain"));
    assert!(complaint(&["solve", file, "--at", "G1"]).contains("there is no stone at G1"));
}
