//! Positions against what KataGo says of them, and finished games against their recorded scores (shared reference material).

mod common;

use std::fs;

use serde_json::Value;
use tengen::board::{Board, Color, Move, Point, PointSet, Size};
use tengen::rules::{Position, Rules};

/// Follows the few GTP commands that the recorded set-ups use.
struct Setup {
    size: Size,
    rules: Rules,
    position: Position,
    cleanup: bool,
}

impl Setup {
    fn new(cleanup: bool) -> Self {
        let position = Position::new(Size::STANDARD, Rules::default());
        Self { size: Size::STANDARD, rules: Rules::default(), position, cleanup }
    }

    fn start(&mut self, stones: &[(Point, Option<Color>)], to_move: Color) {
        let mut board = Board::new(self.size);
        board.set_up(stones).unwrap();
        self.position = Position::from_board(board, to_move, self.rules);
        self.position.set_cleanup_played(self.cleanup);
    }

    fn stones(&self, words: &[&str]) -> Vec<(Point, Option<Color>)> {
        let stone = |pair: &[&str]| (self.size.parse_vertex(pair[1]).unwrap().point().unwrap(), Some(pair[0].parse().unwrap()));
        words.chunks(2).map(stone).collect()
    }

    fn run(&mut self, line: &str) -> Result<(), String> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        match command {
            "boardsize" | "rectangular_boardsize" => {
                let sides: Vec<usize> = words.iter().map(|word| word.parse().unwrap()).collect();
                self.size = Size::new(sides[0], sides[sides.len() - 1]).unwrap();
                self.start(&[], Color::Black);
            }
            "clear_board" => self.start(&[], Color::Black),
            "kata-set-rules" => {
                self.rules = Rules::parse(rest).map_err(|error| error.to_string())?.with_komi(self.rules.komi);
                self.start(&[], Color::Black);
            }
            "komi" => {
                self.rules.komi = words[0].parse().unwrap();
                self.position.set_komi(self.rules.komi);
            }
            "fixed_handicap" => {
                let all = ["b", "D4", "b", "Q16", "b", "D16", "b", "Q4"];
                let count: usize = words[0].parse().unwrap();
                assert!(self.size == Size::STANDARD && count <= 4);
                let stones = self.stones(&all[..2 * count]);
                self.start(&stones, Color::White);
            }
            "set_position" => {
                let stones = self.stones(&words);
                self.start(&stones, Color::Black);
            }
            "play" => {
                let mv = self.size.parse_vertex(words[1]).unwrap();
                self.position.play_as(words[0].parse().unwrap(), mv).map_err(|error| error.to_string())?;
            }
            other => panic!("unknown command {other}"),
        }
        Ok(())
    }
}

/// The points where KataGo's network may play are exactly our legal moves: under every rule set, in cleanup phases, with superko,
/// barred kos and passes for ko.
#[test]
fn legal_moves_are_those_of_katago() {
    let Some(folder) = common::shared("golden/nn") else { return };
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut positions, mut wrong) = (0, Vec::new());
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let cleanup = name.starts_with("extra-") || name.starts_with("tiny-");
        for line in fs::read_to_string(&file).unwrap().lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let mut setup = Setup::new(cleanup);
            let commands = row["setup"].as_array().unwrap();
            let failed = commands.iter().find_map(|command| setup.run(command.as_str().unwrap()).err());
            positions += 1;
            if let Some(error) = failed {
                wrong.push(format!("{} {}: {error}", name, row["name"]));
                continue;
            }
            let policy: Vec<&Value> = row["raw_nn"]["policy"].as_array().unwrap().iter().flat_map(flat).collect();
            let position = &setup.position;
            assert_eq!(policy.len(), setup.size.area());
            for (point, value) in setup.size.points().zip(policy) {
                if position.is_legal(Move::from(point)) == value.is_null() {
                    let vertex = setup.size.vertex(point);
                    wrong.push(format!("{} {}: {vertex} KataGo: {value}{:?}", name, row["name"], position.board()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {positions} positions:\n{}", wrong.len(), wrong.join("\n"));
    assert!(positions > 300);
}

/// A row of numbers, or a number.
fn flat(value: &Value) -> Vec<&Value> {
    value.as_array().map_or(vec![value], |row| row.iter().collect())
}

fn points(size: Size, names: &Value) -> PointSet {
    names.as_array().unwrap().iter().map(|name| point(size, name.as_str().unwrap())).collect()
}

/// A point in SGF's letters.
fn point(size: Size, name: &str) -> Point {
    let letters: Vec<usize> = name.bytes().map(|letter| (letter - b'a') as usize).collect();
    size.point(letters[0], letters[1]).unwrap()
}

#[test]
fn finished_games_replay_and_score_as_recorded() {
    let Some(file) = common::shared("golden/final-scores.jsonl") else { return };
    let (mut games, mut scored) = (0, 0);
    for line in fs::read_to_string(file).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let size = Size::square(row["size"].as_u64().unwrap() as usize).unwrap();
        let handicap: Vec<_> = points(size, &row["setup_black"]).iter().map(|point| (point, Some(Color::Black))).collect();
        let mut board = Board::new(size);
        board.set_up(&handicap).unwrap();
        let first: Color = row["moves"][0].as_str().unwrap()[..1].parse().unwrap();
        let komi = row["komi"].as_f64().unwrap() as f32;
        let rules = Rules::from_sgf(row["rules"].as_str().unwrap()).unwrap_or_default().with_komi(komi);
        let mut position = Position::from_board(board, first, rules);
        position.set_cleanup_played(false);
        for mv in row["moves"].as_array().unwrap() {
            let (color, name) = mv.as_str().unwrap().split_at(1);
            let mv = if name.is_empty() { Move::PASS } else { point(size, name).into() };
            position.play_as(color.parse().unwrap(), mv).unwrap_or_else(|error| panic!("game {games}: {error}"));
        }
        games += 1;
        assert_eq!(position.board().captures(Color::Black) as u64, row["captured_by_black"].as_u64().unwrap());
        assert_eq!(position.board().captures(Color::White) as u64, row["captured_by_white"].as_u64().unwrap());
        if row["seki"].as_bool().unwrap() {
            continue;
        }
        let mut dead = points(size, &row["dead_black"]);
        dead.extend(&points(size, &row["dead_white"]));
        for (rules, key) in [("japanese", "territory_score"), ("tromp-taylor", "area_score")] {
            let mut board = Position::from_board(position.board().clone(), Color::Black, Rules::parse(rules).unwrap());
            board.set_komi(komi);
            assert_eq!(board.judged_score(&dead, &PointSet::EMPTY), row[key].as_f64().unwrap() as f32, "game {games} {key}");
        }
        scored += 1;
    }
    assert_eq!((games, scored), (573, 541));
}
