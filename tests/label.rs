//! Rows out of game records: what they say, which games they are of, and that neither a kill nor a second run loses or doubles any.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tengen::board::{Move, Size};
use tengen::label::{LabelError, Policy, Progress, Settings, Teacher, run};
use tengen::nn::{BlockKind, FeatureOptions, LoadedNetwork, NetEvaluator, Network, PolicyOptions, Question, Symmetry};
use tengen::params::NetworkParams;
use tengen::rows::{GameKind, Row, Shard, Values};
use tengen::rules::{Position, Rules};
use tengen::sgf::letters;
use tengen::util::{Rng, StopFlag};

/// A folder that is gone with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tengen label {name} {}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn settings(games: &Path, out: &Path) -> Settings {
    Settings {
        games: vec![games.to_owned()],
        out: out.to_owned(),
        rows: 100,
        per_game: 4,
        rows_per_file: 32,
        side: 5,
        held_out: 0.0,
        validation: 0.0,
        seed: 1,
        part: (0, 1),
        threads: 2,
        teacher: None,
    }
}

fn label(settings: &Settings) -> Result<Progress, LabelError> {
    run(settings, &StopFlag::new(), &|_| ())
}

fn rows(folder: &Path) -> Vec<Row> {
    let files = Shard::files(folder).unwrap();
    files.iter().flat_map(|file| Shard::read(file).unwrap().into_rows()).collect()
}

/// What no two rows may have in common: game and turn.
fn names(rows: &[Row]) -> HashSet<(u128, u32)> {
    rows.iter().map(|row| (row.targets.game, row.targets.turn as u32)).collect()
}

/// A table of random games on 5x5.
fn table(games: usize) -> String {
    let size = Size::square(5).unwrap();
    let mut rng = Rng::new(9);
    let mut text = "#size\tkomi\thandicap\trules\tresult\tblack_rank\twhite_rank\tsetup\tmoves\n".to_owned();
    for number in 0..games {
        let mut position = Position::new(size, Rules::parse("chinese").unwrap());
        let mut moves = String::new();
        for _ in 0..20 {
            let legal: Vec<Move> = size.points().map(Move::from).filter(|&mv| position.is_legal(mv)).collect();
            let mv = if legal.is_empty() { Move::PASS } else { legal[rng.below(legal.len())] };
            write!(moves, "{}{:->2}", position.to_move().letter(), letters(size, mv)).unwrap();
            position.play(mv).unwrap();
        }
        let winner = ["B", "W"][number % 2];
        writeln!(text, "5\t6.5\t0\tChinese\t{winner}+R\t1d\t-\t-\t{moves}").unwrap();
    }
    text
}

/// Black has three columns, White two.
const WALLS: &str = "(;GM[1]SZ[5]KM[0.5]RU[Chinese]RE[B+4.5]
    ;B[cc];W[dc];B[cb];W[db];B[cd];W[dd];B[ca];W[da];B[ce];W[de];B[];W[])";

#[test]
fn a_little_game_without_a_teacher() {
    let folder = Folder::new("little");
    let games = folder.file("walls.sgf", WALLS);
    let out = folder.0.join("rows");
    let done = label(&Settings { per_game: 100, ..settings(&games, &out) }).unwrap();
    assert_eq!((done.kept, done.games, done.broken), (12, 1, 0));
    let rows = rows(&out);
    assert_eq!(names(&rows).len(), 12);
    let row = |turn: usize| rows.iter().find(|row| row.targets.turn == turn as f32).unwrap();
    let only = |place: usize| {
        let mut visits = vec![0i16; 26];
        visits[place] = 1;
        visits
    };

    // Before White's second move: d4 (x 3, y 1).
    let white = row(3);
    assert_eq!((&white.policy, &white.reply), (&only(8), &only(17)));
    let targets = &white.targets;
    assert_eq!(targets.result, Values { win: 0.0, loss: 1.0, no_result: 0.0, score: -4.5 });
    assert_eq!((targets.averages, targets.now), ([targets.result; 3], targets.result));
    assert_eq!((targets.final_score, targets.komi, targets.counts_area), (-4.5, 0.5, true));
    assert_eq!((targets.kind, targets.finished), (GameKind::Record, true));
    let weights = targets.weights;
    let known = [weights.row, weights.policy, weights.reply, weights.value, weights.averages, weights.outcome, weights.future];
    assert_eq!((known, weights.lead), ([1.0; 7], 0.0));
    let owned = [-1, -1, -1, 1, 1].repeat(5);
    assert_eq!(white.ownership, owned);
    assert_eq!(white.scoring, owned.iter().map(|owner| owner * 120).collect::<Vec<i8>>());
    assert_eq!(white.score.iter().position(|&part| part == 100), Some(85 - 5), "-4.5 is five places below a half");
    // Eight moves on, all stones stand.
    let walls = [0, 0, -1, 1, 0].repeat(5);
    assert_eq!(white.future, [walls.clone(), walls]);
    // Two moves were played: c3, d3, c4; own stones are White's.
    let mut planes = vec![0.0; 22 * 25];
    white.unpack(&mut planes);
    let stones = |plane: usize| (0..25).filter(|place| planes[plane * 25 + place] == 1.0).collect::<Vec<_>>();
    assert_eq!((stones(1), stones(2)), (vec![13], vec![7, 12]));

    let black = row(0);
    assert_eq!((&black.policy, black.targets.result.win, black.targets.komi), (&only(12), 1.0, -0.5));
    // After eight moves c1 and d1, at the lower edge, are still to come.
    assert_eq!(black.future[0], [[0, 0, 1, -1, 0].repeat(4), vec![0; 5]].concat());
    let last = row(11);
    assert_eq!((&last.policy, last.targets.weights.reply), (&only(25), 0.0));
}

#[test]
fn what_a_record_does_not_tell_weighs_nothing() {
    let folder = Folder::new("untold");
    for (result, value, win) in [("?", 0.0, 0.0), ("W+T", 0.0, 0.0), ("W+R", 1.0, 0.0), ("B+14.5", 1.0, 1.0), ("0", 1.0, 0.5)] {
        let games = folder.file("walls.sgf", WALLS.replace("B+4.5", result));
        let out = folder.0.join(format!("rows {result}").replace('?', "unknown"));
        label(&Settings { per_game: 1, rows: 1, ..settings(&games, &out) }).unwrap();
        let row = rows(&out).remove(0);
        let (weights, black) = (row.targets.weights, row.targets.komi < 0.0);
        assert_eq!((weights.value, weights.averages), (value, value), "{result}");
        assert_eq!((weights.outcome, weights.scoring, weights.policy), (0.0, 0.0, 1.0), "{result}");
        let seen = if black || value == 0.0 { win } else { 1.0 - win };
        assert_eq!(row.targets.result.win, seen, "{result}");
    }
}

#[test]
fn a_teachers_opinion_becomes_the_targets() {
    let folder = Folder::new("teacher");
    let network = Network::random(8, 8, &[BlockKind::Residual], &mut Rng::new(5));
    let games = folder.file("walls.sgf", WALLS);
    let loaded = Arc::new(LoadedNetwork::new(&network, 0));
    let teacher = |policy| Some(Teacher { network: Arc::clone(&loaded), symmetries: 8, policy, random_rules: 0.0, astray: 0.0 });
    let out = folder.0.join("rows");
    label(&Settings { per_game: 100, teacher: teacher(Policy::Teacher), ..settings(&games, &out) }).unwrap();
    let taught = rows(&out);
    assert_eq!(taught.len(), 12);
    let row = taught.iter().find(|row| row.targets.turn == 2.0).unwrap();

    let size = Size::square(5).unwrap();
    let mut position = Position::new(size, Rules::parse("chinese").unwrap().with_komi(0.5));
    for (x, y) in [(2, 2), (3, 2)] {
        position.play(size.point(x, y).unwrap().into()).unwrap();
    }
    let mut evaluator = NetEvaluator::new(Arc::clone(&loaded), &NetworkParams::default(), Rng::new(1));
    let ask = |symmetry| Question {
        position: &position,
        features: FeatureOptions::default(),
        symmetry,
        tensor: size,
        policy: PolicyOptions::default(),
    };
    let answers = evaluator.ask(&Symmetry::ALL.map(ask));
    let mean = |figure: &dyn Fn(&tengen::nn::Outputs) -> f32| answers.iter().map(figure).sum::<f32>() / 8.0;
    let close =
        |found: f32, expected: f32| assert!((found - expected).abs() < 1e-4 * (1.0 + expected.abs()), "{found}, not {expected}");

    assert_eq!(row.policy[12], 0, "there is a stone");
    for place in (0..25).filter(|place| ![12, 13].contains(place)) {
        let expected = mean(&|answer| answer.policy[place]) * 10_000.0;
        assert!((f32::from(row.policy[place]) - expected).abs() < 0.6, "{place}: {} for {expected}", row.policy[place]);
    }
    assert!((f32::from(row.policy[25]) - mean(&|answer| answer.pass) * 10_000.0).abs() < 0.6);
    let targets = &row.targets;
    close(targets.result.win, mean(&|answer| answer.win));
    close(targets.result.loss, mean(&|answer| answer.loss));
    close(targets.now.score, mean(&|answer| answer.score_mean));
    close(targets.final_score, mean(&|answer| answer.score_mean));
    close(targets.lead, mean(&|answer| answer.lead));
    close(targets.raw_win_loss, mean(&|answer| answer.win - answer.loss));
    for place in 0..25 {
        let owner = mean(&|answer| answer.ownership[place]);
        assert!((f32::from(row.scoring[place]) / 120.0 - owner).abs() < 0.5 / 120.0 + 1e-4);
    }
    let weights = targets.weights;
    assert_eq!([weights.value, weights.averages, weights.lead, weights.outcome, weights.scoring, weights.reply], [1.0; 6]);
    // The reply is the record's: d4.
    assert_eq!((row.reply[8], row.reply.iter().map(|&visits| i32::from(visits)).sum::<i32>()), (1, 1));

    let out = folder.0.join("record's moves");
    label(&Settings { per_game: 100, teacher: teacher(Policy::Record), ..settings(&games, &out) }).unwrap();
    let other = rows(&out).into_iter().find(|row| row.targets.turn == 2.0).unwrap();
    assert_eq!(other.policy.iter().position(|&visits| visits == 1), Some(7));
    assert_eq!(other.targets.result, targets.result);

    let out = folder.0.join("both's moves");
    label(&Settings { per_game: 100, teacher: teacher(Policy::Both), ..settings(&games, &out) }).unwrap();
    let both = rows(&out).into_iter().find(|row| row.targets.turn == 2.0).unwrap();
    for (place, (&half, &teachers)) in both.policy.iter().zip(&row.policy).enumerate() {
        let played = if place == 7 { 5_000.0 } else { 0.0 };
        assert!((f32::from(half) - played - 0.5 * f32::from(teachers)).abs() <= 1.0, "{place}: {half} of {teachers}");
    }
    assert_eq!(both.targets.result, targets.result);
}

#[test]
fn a_teacher_judges_positions_that_went_astray() {
    let folder = Folder::new("astray");
    let network = Arc::new(LoadedNetwork::new(&Network::random(8, 8, &[BlockKind::Residual], &mut Rng::new(5)), 0));
    let games = folder.file("walls.sgf", WALLS);
    let stones = |astray, policy| {
        let out = folder.0.join(format!("rows {astray} {policy:?}"));
        let teacher = Some(Teacher { network: Arc::clone(&network), symmetries: 1, policy, random_rules: 0.0, astray });
        label(&Settings { per_game: 1, rows: 1, teacher, ..settings(&games, &out) }).unwrap();
        let row = rows(&out).remove(0);
        let visits: i32 = row.policy.iter().map(|&visits| i32::from(visits)).sum();
        (row.targets.turn, visits, row.targets.weights)
    };
    let ((turn, _, weights), (later, visits, astray)) = (stones(0.0, Policy::Teacher), stones(1.0, Policy::Record));
    assert!((1.0..=3.0).contains(&(later - turn)), "{turn} {later}");
    assert_eq!((weights.reply, weights.future), (1.0, 1.0));
    assert_eq!((astray.reply, astray.future), (0.0, 0.0), "the record did not go that way");
    assert_eq!((astray.policy, astray.value, astray.lead), (1.0, 1.0, 1.0));
    assert!(visits > 5_000, "the policy is the teacher's: {visits}");
}

#[test]
fn a_teacher_judges_under_rules_that_were_not_played() {
    let folder = Folder::new("rules");
    let network = Network::random(8, 8, &[BlockKind::Residual], &mut Rng::new(5));
    let network = Arc::new(LoadedNetwork::new(&network, 0));
    let games = folder.file("games.tsv", table(100));
    let shares = [0.0, 0.5].map(|random_rules| {
        let out = folder.0.join(format!("rows {random_rules}"));
        let teacher =
            Some(Teacher { network: Arc::clone(&network), symmetries: 1, policy: Policy::Teacher, random_rules, astray: 0.0 });
        label(&Settings { per_game: 1, rows: 100, teacher, ..settings(&games, &out) }).unwrap();
        let rows = rows(&out);
        let territory = rows.iter().filter(|row| row.globals[9] == 1.0).count();
        let komi: HashSet<String> = rows.iter().map(|row| row.targets.komi.abs().to_string()).collect();
        (rows.len(), territory, komi.len())
    });
    assert_eq!(shares[0], (100, 0, 1), "all games are Chinese with one komi");
    let (rows, territory, komi) = shares[1];
    // Superko and suicide rules forbid none of the moves, or hardly any.
    assert!(rows >= 95 && (8..35).contains(&territory) && komi > 3, "{shares:?}");
}

#[test]
fn games_come_in_turn_and_each_position_once() {
    let folder = Folder::new("turns");
    let games = folder.file("games.tsv", table(30));
    let out = folder.0.join("rows");
    // 30 games of 20 positions are 600; the first round takes 4 of each.
    let done = label(&Settings { rows: 120, ..settings(&games, &out) }).unwrap();
    assert_eq!(done.kept, 120);
    let mut counts = HashMap::new();
    for row in rows(&out) {
        *counts.entry(row.targets.game).or_insert(0) += 1;
    }
    assert!(counts.len() == 30 && counts.values().all(|&count| count == 4), "{counts:?}");
    // Asked for more than there are, it makes them all.
    let done = label(&Settings { rows: 1000, ..settings(&games, &out) }).unwrap();
    assert_eq!(done.kept, 600);
    assert_eq!(names(&rows(&out)).len(), 600);
    let again = label(&Settings { rows: 1000, ..settings(&games, &out) }).unwrap();
    assert_eq!((again.kept, rows(&out).len()), (600, 600));
}

#[test]
fn held_out_games_stay_apart_and_parts_share_the_rest() {
    let folder = Folder::new("held out");
    let games = folder.file("games.tsv", table(60));
    let out = folder.0.join("rows");
    let held_out = Settings { rows: 200, held_out: 0.3, validation: 0.25, ..settings(&games, &out) };
    for part in 0..2 {
        let done = label(&Settings { part: (part, 2), ..held_out.clone() }).unwrap();
        assert_eq!((done.kept, done.validation), (200, 50));
    }
    // Another seed, the whole, another folder for a single table of all games twice.
    label(&Settings { seed: 2, rows: 300, games: vec![games.clone(), games], ..held_out }).unwrap();
    let [train, val] = ["train", "val"].map(|set| {
        let rows = rows(&out.join(set));
        rows.iter().map(|row| row.targets.game).collect::<HashSet<u128>>()
    });
    assert!(train.is_disjoint(&val));
    assert!((8..30).contains(&val.len()) && train.len() + val.len() <= 60, "{} {}", train.len(), val.len());
    let files = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let journals: BTreeSet<String> = files.filter(|name| name.starts_with("label-")).collect();
    let expected = ["label-seed1-part1of2.jsonl", "label-seed1-part2of2.jsonl", "label-seed2-part1of1.jsonl"];
    assert_eq!(journals, expected.map(str::to_owned).into());
}

#[test]
fn faults_are_told() {
    let folder = Folder::new("faults");
    let games = folder.file("games.tsv", table(4) + "5\tbroken\n");
    let out = folder.0.join("rows");
    let done = label(&Settings { rows: 8, ..settings(&games, &out) }).unwrap();
    assert_eq!((done.games, done.broken), (4, 1));
    let error = |settings: Settings| label(&settings).unwrap_err().to_string();
    let other = error(Settings { per_game: 2, ..settings(&games, &out) });
    assert!(other.contains("per_game 4 there, 2 here"), "{other}");
    assert!(
        error(Settings { side: 4, seed: 2, ..settings(&games, &out) }).contains("no games that fit on 4x4; 1 could not be read")
    );
    assert!(error(settings(&folder.0.join("none"), &out)).contains("none: "));
    assert!(error(settings(&folder.file("games.txt", ""), &out)).contains("neither a folder nor a file that ends in .sgf"));

    let journal = out.join("label-seed1-part1of1.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replace("\"turns\"", "\"turn\"")).unwrap();
    assert!(error(settings(&games, &out)).contains("is damaged (line 2"));
    fs::write(&journal, text + "{\"validation\":fal").unwrap();
    assert_eq!(label(&settings(&games, &out)).unwrap().kept, 80, "a torn line is dropped");
}

#[test]
fn a_game_that_breaks_the_rules_has_no_rows() {
    let folder = Folder::new("illegal");
    let illegal = "5\t6.5\t0\tChinese\tB+R\t-\t-\t-\tBccWcc\n5\t6.5\t2\t-\tB+R\t-\t-\tB:aaee W:bb\tWccBdd\n";
    let games = folder.file("games.tsv", illegal);
    let out = folder.0.join("rows");
    let done = label(&settings(&games, &out)).unwrap();
    assert_eq!((done.kept, done.games), (2, 2));
    let rows = rows(&out);
    let first = rows.iter().find(|row| row.targets.turn == 0.0).unwrap();
    let mut planes = vec![0.0; 22 * 25];
    first.unpack(&mut planes);
    // White to move: own stone b4, Black's two in the corners.
    let stones = |plane: usize| (0..25).filter(|place| planes[plane * 25 + place] == 1.0).collect::<Vec<_>>();
    assert_eq!((stones(1), stones(2)), (vec![6], vec![0, 24]));
}

fn start(games: &Path, out: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.arg("label").arg(games).arg("--out").arg(out).args(["--rows", "3000", "--rows-per-file", "16", "--tensor", "5"]);
    command.args(["--held-out", "0.2", "--validation", "0.1", "--threads", "2"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn file_names(folder: &Path) -> BTreeSet<String> {
    Shard::files(folder).unwrap().iter().map(|path| path.strip_prefix(folder).unwrap().display().to_string()).collect()
}

/// Killed at random moments, it ends with the very files of a run that was left alone.
#[test]
fn kills_lose_and_double_nothing() {
    let folder = Folder::new("kills");
    let games = folder.file("games.tsv", table(400));
    let (quiet, killed) = (folder.0.join("quiet"), folder.0.join("killed"));
    assert!(start(&games, &quiet).wait().unwrap().success());
    let mut rng = Rng::new(11);
    let journal = killed.join("label-seed1-part1of1.jsonl");
    let length = || fs::metadata(&journal).map_or(0, |file| file.len());
    for _ in 0..20 {
        let mut child = start(&games, &killed);
        // A line has some hundred bytes; so this is before the first file, or within one of the next dozen.
        let (at, pause) = (length() + rng.below(1200) as u64, rng.below(4000) as u64);
        while length() < at && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(pause));
        assert!(child.try_wait().unwrap().is_none(), "it was done before it could be killed");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(start(&games, &killed).wait().unwrap().success());
    assert_eq!(file_names(&killed), file_names(&quiet));
    let rows = rows(&killed);
    assert_eq!((rows.len(), names(&rows).len()), (3000, 3000));
    let left = fs::read_dir(&killed).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(left.collect::<BTreeSet<_>>(), ["label-seed1-part1of1.jsonl", "train", "val"].map(str::to_owned).into());
}

/// Two at once cannot make the same rows.
#[test]
fn a_second_run_is_refused_and_other_seeds_are_not() {
    let folder = Folder::new("second");
    let games = folder.file("games.tsv", table(40));
    let out = folder.0.join("rows");
    let watch = |progress: Progress| {
        if progress.pending == 0 && progress.kept == 0 {
            let refused = label(&settings(&games, &out)).unwrap_err();
            assert!(matches!(refused, LabelError::Locked(_)), "{refused}");
            label(&Settings { seed: 7, ..settings(&games, &out) }).unwrap();
        }
    };
    run(&settings(&games, &out), &StopFlag::new(), &watch).unwrap();
    assert_eq!(rows(&out).len(), 200);
}

/// A stop keeps the rows made by then, and the next call makes the others.
#[test]
fn a_stopped_run_keeps_what_it_has() {
    let folder = Folder::new("stop");
    let games = folder.file("games.tsv", table(100));
    let out = folder.0.join("rows");
    let stop = StopFlag::new();
    let watch = |progress: Progress| {
        if progress.pending >= 40 {
            stop.set();
        }
    };
    let big = Settings { rows: 300, rows_per_file: 300, ..settings(&games, &out) };
    let done = run(&big, &stop, &watch).unwrap();
    assert!((40..300).contains(&done.kept), "{done:?}");
    assert_eq!(label(&big).unwrap().kept, 300);
    assert_eq!(names(&rows(&out)).len(), 300);
}
