//! The finished games of `golden/final-scores.jsonl`.

use tengen::board::{Board, Color, Coord, Move, Point, PointSet, Size};
use tengen::rules::{Position, Rules, Scoring};

/// A finished game.
pub struct Finished {
    /// Where it ended, under the rules that reproduce the recorded result.
    pub position: Position,
    /// Number of moves before the passes that ended it.
    pub moves: usize,
    /// The stones that the record calls dead.
    pub dead: PointSet,
    /// The row in the file, from 1.
    pub line: usize,
}

impl Finished {
    /// Black's score by the recorded dead stones.
    pub fn score(&self) -> f32 {
        self.position.judged_score(&self.dead, &PointSet::EMPTY)
    }

    /// The same game before the last passes, under rules with other scoring.
    pub fn before_passes(&self, scoring: Scoring) -> Position {
        let name = if scoring == Scoring::Territory { "japanese" } else { "chinese" };
        let rules = Rules::parse(name).unwrap().with_komi(self.position.rules().komi);
        let mut position = Position::from_board(self.position.start_board().clone(), self.position.moves()[0].0, rules);
        position.set_cleanup_played(false);
        for &(color, mv) in &self.position.moves()[..self.moves] {
            position.play_as(color, mv).unwrap();
        }
        position
    }
}

/// The games without seki; none, and a printed line, where the file is missing.
pub fn finished_games() -> Vec<Finished> {
    let Some(path) = super::shared("golden/final-scores.jsonl") else { return Vec::new() };
    let text = std::fs::read_to_string(path).unwrap();
    let rows =
        text.lines().enumerate().map(|(index, line)| (index + 1, serde_json::from_str::<serde_json::Value>(line).unwrap()));
    rows.filter(|(_, row)| row["seki"] == false).map(|(line, row)| finished(line, &row)).collect()
}

fn finished(line: usize, row: &serde_json::Value) -> Finished {
    let size = Size::square(row["size"].as_u64().unwrap() as usize).unwrap();
    let point = |text: &str| -> Point {
        let [x, y] = text.as_bytes() else { panic!("{text}") };
        size.at(Coord { x: x - b'a', y: y - b'a' }).unwrap()
    };
    let points =
        |key: &str| -> Vec<Point> { row[key].as_array().unwrap().iter().map(|at| point(at.as_str().unwrap())).collect() };
    let rules =
        Rules::parse(if row["matches"].as_str().unwrap().starts_with("territory") { "japanese" } else { "chinese" }).unwrap();
    let mut board = Board::new(size);
    let stones: Vec<_> = points("setup_black").into_iter().map(|at| (at, Some(Color::Black))).collect();
    board.set_up(&stones).unwrap();
    let moves: Vec<(Color, Move)> = row["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| {
            let mv = mv.as_str().unwrap();
            (mv[..1].parse().unwrap(), if mv.len() == 1 { Move::PASS } else { point(&mv[1..]).into() })
        })
        .collect();
    let komi = row["komi"].as_f64().unwrap() as f32;
    let mut position = Position::from_board(board, moves[0].0, rules.with_komi(komi));
    position.set_cleanup_played(false);
    for &(color, mv) in &moves {
        position.play_as(color, mv).unwrap();
    }
    let last_stone = moves.iter().rposition(|(_, mv)| !mv.is_pass()).unwrap();
    let dead = points("dead_black").into_iter().chain(points("dead_white")).collect();
    Finished { position, moves: last_stone + 1, dead, line }
}
