//! Positions that KataGo was asked about, and the GTP lines that set them up.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tengen::board::Symmetry;
use tengen::board::{Board, Color, Move, Point, Size};
use tengen::rules::{Position, Rules};

/// A line of a file in `golden/nn`.
pub struct Golden {
    /// The position's name, after the file's.
    pub name: String,
    /// What KataGo says of it: the keys of kata-raw-nn.
    pub answer: Value,
    /// The position, or why it cannot be set up.
    pub position: Result<Position, String>,
}

/// The files of `golden/nn` in order; none, and a printed line, where they are missing.
pub fn golden_files() -> Vec<PathBuf> {
    let Some(folder) = super::shared("golden/nn") else { return Vec::new() };
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The positions of a file, turned by `symmetry`. The answers are not turned.
pub fn golden(file: &Path, symmetry: Symmetry) -> Vec<Golden> {
    let file_name = file.file_stem().unwrap().to_str().unwrap();
    // What made these files played the cleanup phases.
    let cleanup = file_name.starts_with("extra-") || file_name.starts_with("tiny-");
    let read = |line: &str| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        let mut setup = Setup::new(cleanup, symmetry);
        let mut commands = row["setup"].as_array().unwrap().iter();
        let failed = commands.find_map(|command| setup.run(command.as_str().unwrap()).err());
        let name = format!("{file_name} {}", row["name"].as_str().unwrap());
        Golden { name, answer: row["raw_nn"].take(), position: failed.map_or(Ok(setup.position), Err) }
    };
    fs::read_to_string(file).unwrap().lines().map(read).collect()
}

/// Follows the few GTP commands that the recorded set-ups use, on a turned board.
struct Setup {
    /// As the commands have it.
    size: Size,
    symmetry: Symmetry,
    rules: Rules,
    cleanup: bool,
    /// Turned.
    position: Position,
}

impl Setup {
    fn new(cleanup: bool, symmetry: Symmetry) -> Self {
        let position = Position::new(Size::STANDARD, Rules::default());
        Self { size: Size::STANDARD, symmetry, rules: Rules::default(), cleanup, position }
    }

    fn start(&mut self, stones: &[(Point, Option<Color>)], to_move: Color) {
        let mut board = Board::new(self.symmetry.size(self.size));
        board.set_up(stones).unwrap();
        self.position = Position::from_board(board, to_move, self.rules);
        self.position.set_cleanup_played(self.cleanup);
    }

    fn vertex(&self, name: &str) -> Move {
        let turned = |point| {
            let coord = self.symmetry.turn(self.size, self.size.coord(point));
            self.symmetry.size(self.size).at(coord).unwrap().into()
        };
        self.size.parse_vertex(name).unwrap().point().map_or(Move::PASS, turned)
    }

    fn stones(&self, words: &[&str]) -> Vec<(Point, Option<Color>)> {
        let stone = |pair: &[&str]| (self.vertex(pair[1]).point().unwrap(), Some(pair[0].parse().unwrap()));
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
                let mv = self.vertex(words[1]);
                self.position.play_as(words[0].parse().unwrap(), mv).map_err(|error| error.to_string())?;
            }
            other => panic!("unknown command {other}"),
        }
        Ok(())
    }
}
