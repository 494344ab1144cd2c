//! Real games, written as SGF and read back.

use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use tengen::board::{Color, Move, Size};
use tengen::rules::Rules;
use tengen::sgf::{self, GameResult, Player, Record, letters, point};

use crate::common::shared;

/// Of every so many games one is taken by default.
const SAMPLE: usize = 200;

#[test]
fn a_sample_of_real_games_comes_back_the_same() {
    check_games(SAMPLE);
}

#[test]
#[ignore = "slow"]
fn all_real_games_come_back_the_same() {
    check_games(1);
}

fn check_games(every: usize) {
    let Some(folder) = shared("games") else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".tsv.gz"));
    files.sort();
    let mut checked = 0;
    for file in files {
        for (number, row) in rows(&file).enumerate() {
            if number % every == 0 {
                check_game(&row);
                checked += 1;
            }
        }
    }
    assert!(checked >= 151_000 / every, "only {checked} games");
}

fn rows(path: &Path) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(MultiGzDecoder::new(std::fs::File::open(path).unwrap())).lines();
    lines.map(Result::unwrap).filter(|line| !line.starts_with('#'))
}

fn check_game(row: &str) {
    let columns: Vec<&str> = row.split('\t').collect();
    let &[size, komi, handicap, rules, result, black_rank, white_rank, setup, moves] = columns.as_slice() else {
        panic!("not nine columns: {row}")
    };
    let size = Size::square(size.parse().unwrap()).unwrap();
    let mut game = Record::new(size);
    game.komi = komi.parse().ok();
    game.rules = (rules != "-").then(|| rules.to_owned());
    game.result = GameResult::read(result);
    game.players = [black_rank, white_rank].map(|rank| Player { name: None, rank: (rank != "-").then(|| rank.to_owned()) });
    for stones in setup.split(' ').filter(|stones| *stones != "-") {
        let color: Color = stones[..1].parse().unwrap();
        let points = names(&stones[2..]).map(|name| point(size, name).unwrap());
        game.steps[0].setup.extend(points.map(|point| (point, Some(color))));
    }
    game.steps[0].setup.sort_by_key(|&(point, _)| point);
    let black = game.steps[0].setup.iter().filter(|setup| setup.1 == Some(Color::Black)).count();
    let only_black = black == game.steps[0].setup.len();
    // One file has a handicap of 7.5, and one stone is none.
    game.handicap = handicap.parse().ok().filter(|&stones| stones >= 2).unwrap_or(0);
    if game.handicap > 0 && only_black {
        game.handicap = black;
    }
    for mv in moves.as_bytes().chunks(3) {
        let mv = std::str::from_utf8(mv).unwrap();
        game.push(mv[..1].parse().unwrap(), point(size, &mv[1..]).map_or(Move::PASS, Move::from));
    }

    let text = sgf::write(&[game.to_tree()]);
    let read = sgf::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{row}\n{error}"));
    let back = Record::from_tree(&read.games[0]).unwrap_or_else(|error| panic!("{row}\n{error}"));
    assert_eq!(back, game, "{row}");
    let written = |(color, mv)| format!("{}{:->2}", Color::letter(color), letters(size, mv));
    assert_eq!(back.moves().map(written).collect::<String>(), moves, "{row}");
    let rules = back.rules_or(Rules::parse("japanese").unwrap());
    let position = back.replay(rules).unwrap_or_else(|error| panic!("{row}\n{error}"));
    assert_eq!(position.moves().len() * 3, moves.len(), "{row}");
}

/// Two letters each.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.as_bytes().chunks(2).map(|name| std::str::from_utf8(name).unwrap())
}
