//! Training as a whole: runs that are killed, and the loop of self-play, training and gating.
//!
//! `scripts/with-libtorch cargo test --release --features torch --test train -- --include-ignored`
#![cfg(feature = "torch")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tengen::board::Size;
use tengen::nn::{FeatureOptions, Features, Inputs, Network, Symmetry};
use tengen::referee::stats::Tally;
use tengen::rows::{Row, Shard, Values};
use tengen::rules::{Position, Rules};
use tengen::util::Rng;

/// A folder of its own for a test, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tengen train ö {name} {}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

fn tengen(folder: &Folder, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args(words.split_whitespace()).current_dir(&folder.0);
    command
}

fn run(folder: &Folder, words: &str) -> Output {
    let output = tengen(folder, words).output().unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Writes rows of random play: there is little to learn, but something.
fn write_rows(folder: &Path, side: usize, count: usize, seed: u64) {
    let (size, mut rng, mut features) = (Size::square(side).unwrap(), Rng::new(seed), Features::new());
    let mut shard = Shard::new(side);
    let mut position = Position::new(size, Rules::parse("tromp-taylor").unwrap());
    while shard.len() < count {
        let moves: Vec<_> = size.points().map(tengen::board::Move::from).filter(|&mv| position.is_legal(mv)).collect();
        if moves.len() < side {
            position = Position::new(size, *position.rules());
            continue;
        }
        let mv = moves[rng.below(moves.len())];
        let mut inputs = Inputs::new(size);
        features.encode(&position, &FeatureOptions::default(), size, Symmetry::IDENTITY, &mut inputs);
        let mut row = Row::new(&inputs);
        row.set_policy(&[(mv, 1)]);
        row.targets.set_values(&[Values::of_score(if rng.percent(50) { 3.0 } else { -3.0 })], size.area());
        row.set_final_score(1.0);
        shard.push(row);
        position.play(mv).unwrap();
    }
    shard.write(folder).unwrap();
}

/// A run may be killed at any moment, again and again: it goes on from its last checkpoint, and its files are whole.
#[test]
fn killed_runs_go_on() {
    let folder = Folder::new("killed");
    write_rows(&folder.path("rows"), 5, 400, 1);
    write_rows(&folder.path("rows"), 7, 150, 2);
    let words = "train --data rows --validate rows --out run --rows 6000 --blocks 1 --channels 16 --batch 32 --warm-up 100 \
                 --report 500 --checkpoint 0 --small-checkpoint small.tengen --device cpu --threads 2";
    let mut rng = Rng::new(9);
    let mut farthest = 0;
    for _ in 0..20 {
        let mut child = tengen(&folder, words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(100 + rng.below(500) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        if let Ok(log) = fs::read_to_string(folder.path("run/log.tsv")) {
            let rows = last_rows(&log);
            assert!(rows + 500 > farthest, "after {farthest} rows came {rows}");
            farthest = farthest.max(rows);
        }
        if folder.path("run/net.bin.gz").exists() {
            Network::read(&folder.path("run/net.bin.gz")).unwrap();
        }
    }
    run(&folder, words);
    let log = fs::read_to_string(folder.path("run/log.tsv")).unwrap();
    let reported: Vec<u64> = log.lines().skip(1).map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect();
    assert!(reported.is_sorted() && reported.last() >= Some(&6000), "{reported:?}");
    assert!(fs::read_to_string(folder.path("run/curves.svg")).unwrap().ends_with("</svg>\n"));
    // What the small checkpoint holds is enough to go on as well.
    run(&folder, "train --data rows --out other --resume small.tengen --rows 6200 --batch 32 --report 100 --device cpu");
    assert!(last_rows(&fs::read_to_string(folder.path("other/log.tsv")).unwrap()) >= 6200);
}

fn last_rows(log: &str) -> u64 {
    let line = log.lines().last().unwrap();
    line.split('\t').next().unwrap().parse().unwrap_or(0)
}

/// What a reader does in an evening, in a minute or two: games by playouts, a network that learns from them, and a match against the
/// network that it began as. (Its own start is exported by a run of no rows.)
#[test]
#[ignore = "slow: a minute or two"]
fn a_network_that_has_learnt_beats_its_own_start() {
    let folder = Folder::new("loop");
    let shape = "--blocks 2 --channels 32 --pool-every 1 --seed 5 --device cpu";
    run(&folder, &format!("selfplay --playouts 100 --sizes 5 --games {} --out games --seed 3", games()));
    run(&folder, &format!("train --data games/train --out start --rows 0 {shape}"));
    run(
        &folder,
        &format!("train --data games/train --out learnt --rows 60k --batch 64 --warm-up 3k --average 5k --report 20k {shape}"),
    );
    let match_ = "--size 5 --komi 7.5 --visits 16 --openings 4 --games 100 --sprt 0,200,0.01,0.01 --out match";
    run(&folder, &format!("gate learnt/net.bin.gz start/net.bin.gz {match_}"));
    let same = |a: &str, b: &str| fs::read(folder.path(a)).unwrap() == fs::read(folder.path(b)).unwrap();
    assert!(same("learnt/net.bin.gz", "start/net.bin.gz"), "the winner was not installed");
    let summary: serde_json::Value = serde_json::from_slice(&fs::read(folder.path("match/summary.json")).unwrap()).unwrap();
    let tally: Tally = serde_json::from_value(summary["tally"].clone()).unwrap();
    assert!(tally.superiority() > 0.99, "{tally:?}");
    assert!(binomial_tail(tally.wins, tally.wins + tally.losses) < 0.01, "{tally:?}");
}

/// Games of self-play: as many as a minute allows.
fn games() -> usize {
    if cfg!(debug_assertions) { 300 } else { 1000 }
}

/// Probability of so many wins or more among fair coins.
fn binomial_tail(wins: u32, games: u32) -> f64 {
    let mut share = 0.5_f64.powi(games as i32);
    let mut sum = 0.0;
    for count in 0..=games {
        if count >= wins {
            sum += share;
        }
        share *= f64::from(games - count) / f64::from(count + 1);
    }
    sum
}
