//! Self-play: whole runs by playouts and by tiny networks, what their rows teach, and runs that are killed.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tengen::board::{Color, Move, Size};
use tengen::nn::{BlockKind, LoadedNetwork, Network};
use tengen::params::Table;
use tengen::rows::{Row, Shard, Values};
use tengen::rules::{Outcome, Position, Rules};
use tengen::selfplay::{Ending, GameRecord, Judge, Plan, RowOptions, Settings, Turn, rows, run};
use tengen::sgf::{self, Record};
use tengen::util::{Rng, StopFlag};

/// A folder of its own for a test, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tengen selfplay ö {name} {}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    /// The stems of its finished files in `part`.
    fn names(&self, part: &str, ending: &str) -> BTreeSet<String> {
        let Ok(entries) = fs::read_dir(self.0.join(part)) else { return BTreeSet::new() };
        let paths = entries.map(|entry| entry.unwrap().path());
        let finished = paths.filter(|path| path.extension().is_some_and(|found| found == ending));
        finished.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    }

    fn games(&self) -> BTreeSet<String> {
        self.names("games", "sgf")
    }

    /// The shards by their names.
    fn shards(&self) -> BTreeMap<String, Shard> {
        let of = |part: &'static str| self.names(part, "npz").into_iter().map(move |name| (part, name));
        let read = |(part, name): (&str, String)| {
            let shard = Shard::read(&self.0.join(part).join(&name).with_extension("npz")).unwrap();
            (name, shard)
        };
        of("train").chain(of("val")).map(read).collect()
    }

    fn rows(&self) -> Vec<Row> {
        self.shards().into_values().flat_map(Shard::into_rows).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn network() -> Judge {
    let network = Network::random(8, 8, &[BlockKind::Residual, BlockKind::GlobalPool], &mut Rng::new(3));
    Judge::Network(Arc::new(LoadedNetwork::new(&network, 1 << 24)))
}

fn plan(folder: &Folder, judge: Judge, games: usize, pairs: &[(&str, &str)]) -> Plan {
    let mut settings = Settings::default();
    for (name, value) in [("sizes", "5"), ("visits", "40"), ("cheapVisits", "8"), ("maxMoves", "2")].iter().chain(pairs) {
        settings.set(name, value).unwrap();
    }
    Plan { settings, judge, out: folder.0.clone(), games: Some(games), at_once: 1, seed: Some(7) }
}

fn play(plan: &Plan) -> usize {
    run(plan, &StopFlag::new(), &|_, _| {}).unwrap().games
}

#[test]
fn a_seed_brings_the_same_games_and_a_run_goes_on_with_others() {
    for judge in [network as fn() -> Judge, || Judge::Playouts] {
        let (one, two, other) = (Folder::new("one"), Folder::new("two"), Folder::new("other"));
        assert_eq!(play(&plan(&one, judge(), 3, &[])), 3);
        assert_eq!(play(&plan(&two, judge(), 3, &[])), 3);
        assert_eq!((one.games(), one.shards()), (two.games(), two.shards()));
        play(&Plan { seed: Some(8), ..plan(&other, judge(), 3, &[]) });
        assert!(one.games().is_disjoint(&other.games()));
        // On it goes, and ends at once where there are enough.
        assert_eq!(play(&plan(&one, judge(), 5, &[])), 2);
        assert!(one.games().is_superset(&two.games()) && one.games().len() == 5);
        assert_eq!(play(&plan(&one, judge(), 5, &[])), 0);
    }
}

#[test]
fn rows_of_a_network_s_games_are_sound() {
    let folder = Folder::new("network");
    let settings = [("sizes", "5:1,7:1"), ("fullProb", "0.5"), ("valShare", "0.3"), ("handicapProb", "0.5")];
    let plan = Plan { at_once: 3, ..plan(&folder, network(), 12, &settings) };
    play(&plan);
    assert!(!folder.names("train", "npz").is_empty() && !folder.names("val", "npz").is_empty());
    let (rows, shards) = (folder.rows(), folder.shards());
    assert!(rows.len() > 100, "{}", rows.len());
    for row in &rows {
        let targets = &row.targets;
        let visits: i32 = row.policy.iter().map(|&visits| i32::from(visits)).sum();
        assert!((1..40).contains(&visits) && targets.weights.policy == 1.0, "{visits} of 40, the first of which was the root's");
        assert_eq!((targets.visits, row.side), (40.0, 7));
        let sum = |values: Values| values.win + values.loss + values.no_result;
        for values in [targets.result, targets.now, targets.averages[0], targets.averages[2]] {
            assert!((sum(values) - 1.0).abs() < 1e-4, "{values:?}");
        }
        // Where a pass is all there is, nothing is uncertain.
        let known = (targets.policy_surprise, targets.prior_entropy, targets.raw_win_loss);
        assert!(known.0 >= 0.0 && known.1 > -1e-4 && known.2.abs() <= 1.0, "{known:?}");
        assert!(row.q_values.as_ref().unwrap().visits.iter().map(|&visits| i32::from(visits)).sum::<i32>() == 39);
        let stones = row.future[0].iter().filter(|&&stone| stone != 0).count();
        assert_eq!(targets.finished, targets.weights.future == 1.0, "{stones}");
        assert_eq!(targets.finished && targets.result.no_result == 0.0, targets.weights.outcome == 1.0);
    }
    assert!(rows.iter().any(|row| row.targets.extra_black == 1.0) && rows.iter().any(|row| row.board.width() == 5));
    // Each file is a game, and its record has as many full searches.
    for (name, shard) in &shards {
        let text = fs::read_to_string(folder.0.join("games").join(name).with_extension("sgf")).unwrap();
        assert_eq!(text.matches(" visits").count() - text.matches("visits, cheap").count(), shard.len());
        assert_eq!(shard.rows().iter().map(|row| row.targets.game).collect::<HashSet<_>>().len(), 1);
    }
}

/// Full searches are fewer than all turns of games under territory rules, whose rows show both cleanup phases.
#[test]
fn cleanup_phases_make_rows_and_the_formal_count_ends_them() {
    let folder = Folder::new("cleanup");
    let settings = [("rules", "japanese"), ("fullProb", "1"), ("sureFullShare", "1"), ("playOnProb", "1"), ("maxMoves", "20")];
    play(&plan(&folder, Judge::Playouts, 6, &settings));
    let rows = folder.rows();
    let in_phase = |flags: [f32; 2]| rows.iter().filter(|row| [row.globals[12], row.globals[13]] == flags).count();
    let phases = [in_phase([0.0, 0.0]), in_phase([1.0, 0.0]), in_phase([1.0, 1.0])];
    assert!(phases.iter().all(|&count| count >= 6) && phases.iter().sum::<usize>() == rows.len(), "{phases:?}");
    for row in rows.iter().filter(|row| row.targets.weights.outcome == 1.0) {
        assert_eq!(row.targets.counts_area, row.globals[13] == 1.0);
        // Who owns more by komi's measure has won.
        assert_eq!(row.targets.result.win, Values::of_score(row.targets.final_score).win);
    }
}

fn turn(policy: &[(Move, u32)], winrate: f32, lead: f32) -> Turn {
    let (is_full, visits) = (policy.len() > 1, 10);
    Turn { is_full, visits, policy: policy.to_vec(), winrate, score: lead + 0.5, lead, q_values: Vec::new(), raw: None }
}

/// A game on 3x3 in which Black takes the centre and both pass. Three turns, of which the first and the last made rows.
fn small_game(ending: Option<Ending>) -> (GameRecord, Move) {
    let size = Size::square(3).unwrap();
    let start = Position::new(size, Rules { komi: 0.5, ..Rules::default() });
    let (centre, corner) = (size.parse_vertex("B2").unwrap(), size.parse_vertex("A3").unwrap());
    let mut end = start.clone();
    for mv in [centre, Move::PASS, Move::PASS] {
        end.play(mv).unwrap();
    }
    let ending = ending.unwrap_or(Ending::Finished(end.result().unwrap()));
    let turns = vec![
        turn(&[(centre, 8), (corner, 1)], 0.6, 3.0),
        turn(&[(Move::PASS, 9)], 0.2, -4.0),
        turn(&[(Move::PASS, 7), (corner, 2)], 0.9, 5.0),
    ];
    let name = "game".to_owned();
    (GameRecord { name, player: "nobody".to_owned(), start, end, opening: 0, turns, sure: None, ending }, corner)
}

fn rows_of(record: &GameRecord) -> Vec<Row> {
    let options = RowOptions { tensor: Size::square(4).unwrap(), prefer_pass_alive: false };
    rows(record, 1234, &options, &mut Rng::new(1))
}

#[test]
fn targets_of_a_small_game_by_hand() {
    let (record, corner) = small_game(None);
    assert_eq!(record.ending, Ending::Finished(Outcome::Score(8.5)));
    let rows = rows_of(&record);
    let [first, last] = &rows[..] else { panic!("{}", rows.len()) };
    let places = [first.place(corner), first.place(record.end.moves()[0].1), first.place(Move::PASS)];
    assert_eq!(places, [0, 5, 16], "in the upper left of a tensor of 4x4");

    assert_eq!([0, 5, 16].map(|place| first.policy[place]), [1, 8, 0]);
    assert_eq!([0, 5, 16].map(|place| first.reply[place]), [0, 0, 9]);
    let near = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    let targets = &first.targets;
    assert_eq!((targets.result.win, targets.result.score, targets.final_score), (1.0, 8.5, 8.5));
    assert_eq!((targets.now.win, targets.now.score, targets.lead), (0.6, 3.5, 3.0));
    // Black's win rates are 0.6, 0.8, 0.9 and at last 1; a turn takes 1 / (1 + 9 * 0.176) = 0.386997 of what is left.
    let share = 1.0 / (1.0 + 9.0 * 0.176);
    let left = 1.0 - share;
    near(targets.averages[0].win, share * (0.6 + left * (0.8 + left * 0.9)) + left * left * left);
    near(targets.averages[0].score, share * (3.5 + left * (3.5 + left * 5.5)) + left * left * left * 8.5);
    // Win less loss changes by 0.4, 0.2 and 0.2 after 1, 2 and 3 turns.
    near(targets.variance_time, 0.16 + 2.0 * 0.04 + 3.0 * 0.04);
    assert_eq!((targets.turn, targets.komi, targets.finished, targets.game), (0.0, -0.5, true, 1234));
    for place in [0, 1, 2, 4, 5, 6, 8, 9, 10] {
        assert_eq!(first.ownership[place], 1);
    }
    assert_eq!((first.ownership[3], first.ownership[12]), (0, 0), "off the board");
    assert_eq!((first.future[0][5], first.future[1][5], first.future[0][0]), (1, 1, 0));

    assert_eq!((last.policy[0], last.policy[16]), (2, 7));
    assert_eq!((last.targets.weights.reply, last.targets.weights.policy), (0.0, 1.0), "nobody replied");
    assert_eq!((last.targets.turn, last.targets.now.win, last.targets.result.win), (2.0, 0.9, 1.0));
    assert_eq!(first.targets.policy_entropy, -(8f32 / 9.0 * libm::logf(8.0 / 9.0) + 1f32 / 9.0 * libm::logf(1.0 / 9.0)));
}

#[test]
fn white_sees_the_other_side() {
    let (mut record, corner) = small_game(None);
    record.turns[1] = turn(&[(Move::PASS, 5), (corner, 4)], 0.2, -4.0);
    let white = &rows_of(&record)[1];
    assert_eq!((white.targets.result.win, white.targets.result.loss, white.targets.final_score), (0.0, 1.0, -8.5));
    assert_eq!((white.targets.lead, white.targets.komi, white.ownership[5], white.future[0][5]), (-4.0, 0.5, -1, -1));
    assert_eq!((white.reply[16], white.reply[0]), (7, 2));
}

#[test]
fn games_that_nobody_counted_teach_no_score() {
    let of = |ending| rows_of(&small_game(Some(ending)).0).remove(0);
    let sure = of(Ending::Sure(Color::White));
    assert_eq!((sure.targets.result.win, sure.targets.result.loss), (0.0, 1.0));
    let broken = of(Ending::TooLong);
    assert_eq!((broken.targets.result.win, broken.targets.too_long), (0.9, true), "as the last search expected");
    for row in [&sure, &broken] {
        let weights = row.targets.weights;
        assert_eq!(
            (weights.outcome, weights.scoring, weights.future, weights.lead, row.targets.finished),
            (0.0, 0.0, 0.0, 1.0, false)
        );
        assert_eq!((weights.value, weights.averages, row.targets.result.score), (1.0, 1.0, 5.5));
    }
    let void = of(Ending::Finished(Outcome::NoResult));
    assert_eq!((void.targets.result.no_result, void.targets.weights.outcome, void.targets.weights.lead), (1.0, 0.0, 0.0));
}

#[test]
fn records_read_back() {
    let (record, _) = small_game(Some(Ending::Sure(Color::Black)));
    let text = record.to_sgf();
    let read = Record::from_tree(&sgf::parse(text.as_bytes()).unwrap().games[0]).unwrap();
    assert_eq!((read.moves().count(), read.komi, read.result.to_string()), (3, Some(0.5), "B+R".to_owned()));
    assert!(text.contains("60.0 %, leads by 3.0, 10 visits]") && text.contains("visits, cheap]"), "{text}");
}

fn start(folder: &Path, games: usize) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args([
        "selfplay",
        "--playouts",
        "12",
        "--sizes",
        "5",
        "-c",
        "2",
        "--set",
        "maxMoves=2",
        "--set",
        "rules=aga",
        "--games",
    ]);
    command.arg(games.to_string()).arg("--out").arg(folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Two programs at a time in one folder are killed at random moments, until a last one ends what is left.
#[test]
fn a_killed_run_loses_no_finished_game_and_tears_none() {
    let folder = Folder::new("killed");
    let mut rng = Rng::new(std::process::id().into());
    let mut before = BTreeSet::new();
    for _ in 0..20 {
        let mut running = [start(&folder.0, 100_000), start(&folder.0, 100_000)];
        let deadline = Instant::now() + Duration::from_secs(60);
        while folder.games().len() < before.len() + 2 {
            assert!(Instant::now() < deadline, "no game comes to its end");
            std::thread::sleep(Duration::from_millis(1));
        }
        for run in &mut running {
            std::thread::sleep(Duration::from_micros(rng.below(30_000) as u64));
            run.kill().unwrap();
            run.wait().unwrap();
        }
        let now = folder.games();
        assert!(now.is_superset(&before), "a finished game is lost");
        before = now;
        // No file is torn.
        folder.shards();
    }
    let enough = before.len() + 5;
    assert!(start(&folder.0, enough).wait().unwrap().success());
    let (games, shards) = (folder.games(), folder.shards());
    assert!(games.is_superset(&before) && games.len() >= enough, "{}", games.len());
    assert!(shards.keys().all(|name| games.contains(name)), "rows without their record");
    // No game is there twice: not by its name, nor by its rows.
    let text = |name: &String| fs::read_to_string(folder.0.join("games").join(name).with_extension("sgf")).unwrap();
    let names: HashSet<String> = games.iter().map(|game| text(game).split("GN[").nth(1).unwrap()[..20].to_owned()).collect();
    assert_eq!(names.len(), games.len());
    let of_rows: HashSet<u128> = shards.values().map(|shard| shard.rows()[0].targets.game).collect();
    assert_eq!(of_rows.len(), shards.len());
    for game in &games {
        let collection = sgf::parse(text(game).as_bytes()).unwrap();
        Record::from_tree(&collection.games[0]).unwrap().replay(Rules::parse("aga").unwrap()).unwrap();
    }
}
