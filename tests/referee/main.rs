//! Matches between engines that misbehave in every way we could think of. The engines are this executable itself (see `fake.rs`), and
//! so it brings its own `main`.

mod fake;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use tengen::board::{Color, Move, Size};
use tengen::clock::TimeControl;
use tengen::referee::{End, GameRecord, Openings, Settings, Side, Summary, Way, read_time_control, run, stats::Sprt};
use tengen::rules::Rules;
use tengen::sgf::{self, Record};
use tengen::util::StopFlag;

const ENGINE: &str = "fake-engine";
const MATCH: &str = "fake-match";

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args.get(1).map(String::as_str) {
        Some(ENGINE) => fake::serve(&args[2]),
        Some(MATCH) => {
            play(&long_match(&args[2]));
        }
        _ => libtest_mimic::run(&Arguments::from_args(), trials()).exit(),
    }
}

fn trials() -> Vec<Trial> {
    let test = |name: &str, body: fn()| {
        Trial::test(name, move || {
            body();
            Ok(())
        })
    };
    vec![
        test("sound_engines_play_counted_games", sound_engines_play_counted_games),
        test("every_failure_is_a_loss_with_its_reason", every_failure_is_a_loss_with_its_reason),
        test("a_hanging_engine_loses_on_its_clock", a_hanging_engine_loses_on_its_clock),
        test("an_engine_that_fails_plays_the_next_game", an_engine_that_fails_plays_the_next_game),
        test("an_engine_that_cannot_start_a_game_ends_the_match", an_engine_that_cannot_start_a_game_ends_the_match),
        test("dead_stones_are_taken_off_where_both_agree", dead_stones_are_taken_off_where_both_agree),
        test("the_judge_decides_where_they_do_not", the_judge_decides_where_they_do_not),
        test("the_move_limit_ends_a_game", the_move_limit_ends_a_game),
        test("a_pair_has_one_opening", a_pair_has_one_opening),
        test("a_sequential_test_ends_the_match", a_sequential_test_ends_the_match),
        test("a_killed_match_goes_on", a_killed_match_goes_on),
        test("another_match_in_the_folder_is_an_error", another_match_in_the_folder_is_an_error),
        test("a_stopped_match_keeps_no_half_games", a_stopped_match_keeps_no_half_games),
    ]
}

fn engine(habit: &str) -> String {
    format!("\"{}\" {ENGINE} {habit}", std::env::current_exe().unwrap().display())
}

/// Two games on 5x5 between engines with these habits.
fn settings(a: &str, b: &str) -> Settings {
    Settings {
        engines: [engine(a), engine(b)],
        judge: None,
        size: Size::square(5).unwrap(),
        rules: Rules::parse("chinese").unwrap().with_komi(0.5),
        times: [TimeControl::None; 2],
        margin: Duration::from_millis(500),
        patience: Duration::from_secs(20),
        max_moves: 500,
        openings: Openings::Random(2),
        seed: 1,
        games: 2,
        sprt: None,
        concurrency: 2,
        out: None,
    }
}

/// A match that takes some seconds, kept in `folder`.
fn long_match(folder: &str) -> Settings {
    Settings { games: 12, concurrency: 2, out: Some(folder.into()), ..settings("slow", "slow") }
}

fn play(settings: &Settings) -> (Vec<GameRecord>, Summary) {
    let records = parking_lot::Mutex::new(Vec::new());
    let watch = |record: Option<&GameRecord>, _: &Summary| records.lock().extend(record.cloned());
    let summary = run(settings, &StopFlag::new(), &watch).unwrap();
    let mut records = records.into_inner();
    records.sort_by_key(|record| record.number);
    (records, summary)
}

/// An empty folder with blanks and letters beyond ASCII in its name.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen match ü {name} {}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn lines(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap_or_default();
    text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::to_owned).collect()
}

/// The moves of a game's record.
fn moves(folder: &Path, number: usize) -> Vec<(Color, Move)> {
    let file = fs::read(folder.join(format!("{number:05}.sgf"))).unwrap();
    Record::from_tree(&sgf::parse(&file).unwrap().games[0]).unwrap().moves().collect()
}

fn sound_engines_play_counted_games() {
    let folder = folder("sound");
    let settings = Settings { games: 4, out: Some(folder.clone()), ..settings("random", "chatty") };
    let (records, summary) = play(&settings);
    assert_eq!(records.len(), 4);
    for record in &records {
        assert_eq!((record.end, record.counted), (End::Score, Some(Way::Agreed)), "{record:?}");
        let winner = if record.result.starts_with('B') { record.black } else { record.black.other() };
        assert_eq!(record.winner, Some(winner));
        assert!(record.time.iter().all(|time| time.moves > 2 && time.longest <= time.total));
        let sgf = fs::read_to_string(folder.join(format!("{:05}.sgf", record.number))).unwrap();
        assert!(sgf.contains(&format!("RE[{}]", record.result)) && sgf.contains("PB[Fake"), "{sgf}");
        assert_eq!(moves(&folder, record.number).len(), record.moves);
    }
    assert_eq!(records.iter().map(|record| record.black).collect::<Vec<_>>(), [Side::A, Side::B, Side::A, Side::B]);
    assert_eq!(summary.tally.games(), 4);
    assert_eq!(summary.tally.pairs.iter().sum::<u32>(), 2);
    let text = fs::read_to_string(folder.join("summary.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["games"], 4);
    assert_eq!(json["engines"][1]["name"], "Fake chatty");
    assert_eq!(json["settings"]["komi"], 0.5);
    fs::remove_dir_all(&folder).unwrap();
}

fn every_failure_is_a_loss_with_its_reason() {
    for (habit, end, reason) in [
        ("illegal", End::IllegalMove, "is illegal at move"),
        ("nonsense", End::IllegalMove, "'somewhere'"),
        ("garbage", End::Hang, "'D4, I should think'"),
        ("flood", End::Hang, "no reply to 'genmove"),
        ("refuse", End::Refusal, "no idea"),
        ("crash", End::Crash, "its last words: out of luck"),
        ("resign", End::Resignation, "resigned"),
    ] {
        let patience = Duration::from_secs(if end == End::Hang { 3 } else { 20 });
        let (records, summary) = play(&Settings { patience, ..settings("random", habit) });
        assert_eq!(records.len(), 2, "{habit}");
        for record in records {
            assert_eq!((record.end, record.winner), (end, Some(Side::A)), "{habit}: {record:?}");
            assert!(record.detail.contains(reason), "{habit}: {}", record.detail);
            let forfeit = if end == End::Resignation { "R" } else { "F" };
            assert!(record.result.ends_with(forfeit), "{habit}: {}", record.result);
            assert_eq!(record.log.contains("out of luck"), habit == "crash", "{habit}: {}", record.log);
        }
        let failures: usize = summary.engines[1].failures.values().sum();
        assert_eq!(failures, if end == End::Resignation { 0 } else { 2 }, "{habit}");
        assert!(summary.engines[0].failures.is_empty());
    }
}

fn a_hanging_engine_loses_on_its_clock() {
    let time = read_time_control("3s").unwrap();
    let start = Instant::now();
    let (records, _) = play(&Settings { times: [time, TimeControl::None], ..settings("hang", "random") });
    for record in records {
        assert_eq!((record.end, record.winner), (End::Time, Some(Side::B)), "{record:?}");
        assert!(record.result.ends_with("+T"));
        assert!((3.0..4.5).contains(&record.time[0].total), "{record:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(15), "it was not waited for any longer");
}

fn an_engine_that_fails_plays_the_next_game() {
    let settings = Settings { games: 6, concurrency: 1, ..settings("crash", "illegal") };
    let (records, summary) = play(&settings);
    assert_eq!(summary.games, 6);
    // Whoever plays Black comes to its fatal move first.
    for record in records {
        assert_eq!(record.winner, Some(record.black.other()));
        assert_eq!(record.end, if record.black == Side::A { End::Crash } else { End::IllegalMove });
    }
}

fn an_engine_that_cannot_start_a_game_ends_the_match() {
    let error = run(&settings("random", "stillborn"), &StopFlag::new(), &|_, _| {}).unwrap_err().to_string();
    assert!(error.contains("engine B") && error.contains("cannot load the network"), "{error}");
    let oblong = Settings { size: Size::new(5, 7).unwrap(), ..settings("random", "random") };
    let error = run(&oblong, &StopFlag::new(), &|_, _| {}).unwrap_err().to_string();
    assert!(error.contains("'rectangular_boardsize 5 7' was refused"), "{error}");
    let missing = Settings { judge: Some("/no/such/judge".to_owned()), ..settings("random", "random") };
    let error = run(&missing, &StopFlag::new(), &|_, _| {}).unwrap_err().to_string();
    assert!(error.contains("engine judge") && error.contains("/no/such/judge"), "{error}");
}

fn dead_stones_are_taken_off_where_both_agree() {
    let dead = "pass-white-is-dead";
    let (records, _) = play(&settings(dead, dead));
    assert!(records.iter().all(|record| record.result == "B+24.5" && record.counted == Some(Way::Agreed)), "{records:?}");
    // Tromp-Taylor rules know no dead stones: one each, and no territory.
    let rules = Rules::parse("tromp-taylor").unwrap().with_komi(0.5);
    let (records, _) = play(&Settings { rules, ..settings(dead, dead) });
    assert!(records.iter().all(|record| record.result == "W+0.5" && record.counted == Some(Way::TrompTaylor)), "{records:?}");
}

fn the_judge_decides_where_they_do_not() {
    let disagreeing = settings("pass-white-is-dead", "pass");
    let (records, summary) = play(&disagreeing);
    assert!(records.iter().all(|record| record.result == "W+0.5" && record.counted == Some(Way::AsItStands)), "{records:?}");
    assert_eq!(summary.tally.pairs, [0, 0, 1, 0, 0]);
    let (records, _) = play(&Settings { judge: Some(engine("random")), ..disagreeing });
    assert!(records.iter().all(|record| record.result == "B+3" && record.counted == Some(Way::Judge)), "{records:?}");
}

fn the_move_limit_ends_a_game() {
    let (records, _) = play(&Settings { max_moves: 7, ..settings("random", "random") });
    assert!(records.iter().all(|record| record.end == End::MoveLimit && record.moves == 7), "{records:?}");
    assert!(records[0].detail.starts_with("stopped at 7 moves"), "{records:?}");
}

fn a_pair_has_one_opening() {
    let folder = folder("openings");
    play(&Settings { games: 4, openings: Openings::Random(4), out: Some(folder.clone()), ..settings("pass", "pass") });
    let moves = |number| moves(&folder, number);
    assert_eq!(moves(1).len(), 6);
    assert_eq!(moves(1), moves(2));
    assert_eq!(moves(3), moves(4));
    assert_ne!(moves(1), moves(3));
    fs::remove_dir_all(&folder).unwrap();
}

fn a_sequential_test_ends_the_match() {
    let sprt = Some(Sprt { elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05 });
    let (records, summary) = play(&Settings { games: 10_000, sprt, concurrency: 3, ..settings("random", "resign") });
    assert!(summary.is_decided() && (4..100).contains(&records.len()), "{summary}");
    assert!(summary.to_string().contains("A is better"), "{summary}");
}

fn a_killed_match_goes_on() {
    let folder = folder("killed");
    let path = folder.to_str().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap()).args([MATCH, path]).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while lines(&folder).len() < 3 {
        assert!(Instant::now() < deadline, "no game ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = lines(&folder);
    assert!(before.len() < 12, "it was killed too late");
    // A line that the kill tore.
    let torn = before.concat() + "{\"number\": 7, \"bla";
    fs::write(folder.join("games.jsonl"), torn).unwrap();

    let (records, summary) = play(&long_match(path));
    assert_eq!(records.len(), 12 - before.len(), "no game is played twice");
    assert_eq!(summary.games, 12);
    let after = lines(&folder);
    assert_eq!(after[..before.len()], before);
    let number = |line: &String| serde_json::from_str::<GameRecord>(line).unwrap().number;
    let mut numbers: Vec<usize> = after.iter().map(number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
    assert!((1..=12).all(|number| folder.join(format!("{number:05}.sgf")).exists()));
    // Once more there is nothing left to do; and more games may be asked for.
    assert!(play(&long_match(path)).0.is_empty());
    assert_eq!(play(&Settings { games: 13, ..long_match(path) }).0.len(), 1);
    fs::remove_dir_all(&folder).unwrap();
}

fn another_match_in_the_folder_is_an_error() {
    let folder = folder("other");
    let first = Settings { out: Some(folder.clone()), ..settings("pass", "pass") };
    play(&first);
    let refused = |settings: &Settings| run(settings, &StopFlag::new(), &|_, _| {}).unwrap_err().to_string();
    let rules = first.rules.with_komi(7.5);
    let error = refused(&Settings { rules, seed: 9, ..first.clone() });
    assert!(error.contains("komi 0.5 there, 7.5 here") && error.contains("seed 1 there, 9 here"), "{error}");
    fs::write(folder.join("games.jsonl"), "nonsense\n").unwrap();
    assert!(refused(&first).contains("line 1"), "{}", refused(&first));
    fs::remove_file(folder.join("summary.json")).unwrap();
    assert!(refused(&first).contains("no summary.json"), "{}", refused(&first));
    fs::remove_dir_all(&folder).unwrap();
}

fn a_stopped_match_keeps_no_half_games() {
    let folder = folder("stopped");
    let stop = StopFlag::new();
    let settings = Settings { games: 100, out: Some(folder.clone()), ..settings("slow", "slow") };
    let watch = |record: Option<&GameRecord>, _: &Summary| {
        if record.is_some() {
            stop.set();
        }
    };
    let summary = run(&settings, &stop, &watch).unwrap();
    assert!((1..=2).contains(&summary.games), "{summary}");
    assert_eq!(lines(&folder).len(), summary.games);
    fs::remove_dir_all(&folder).unwrap();
}
