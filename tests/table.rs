//! Endgame tables against searches that remember their whole line, position by position; known numbers; files; the command.

mod common;

use std::collections::HashSet;

use common::Folder;
use common::shell::{complaint, good};
use tengen::adversarial::Worth;
use tengen::board::{Board, Color, Move, Point, Size};
use tengen::rules::{Position, Rules, legal_positions};
use tengen::solve::{BoardTask, NoTable, Table, Terms, solve_slowly};
use tengen::util::{Damage, Rng, StopFlag, seal};

fn size(text: &str) -> Size {
    let (width, height) = text.split_once('x').unwrap();
    Size::new(width.parse().unwrap(), height.parse().unwrap()).unwrap()
}

fn table(board: &str, suicide: bool, komi: f32) -> Table {
    Table::build(Terms { size: size(board), suicide, komi }).unwrap()
}

fn rules(suicide: bool, komi: f32) -> Rules {
    let rules = Rules::parse("tromp-taylor").unwrap().with_setting("ko", "SIMPLE").unwrap();
    rules.with_setting("suicide", &suicide.to_string()).unwrap().with_komi(komi)
}

fn empty(table: &Table) -> Position {
    Position::new(table.terms().size, rules(table.terms().suicide, table.terms().komi))
}

/// All boards of a size on which every chain has a liberty.
fn boards(size: Size) -> Vec<Board> {
    let points: Vec<_> = size.points().collect();
    let count = 3usize.pow(points.len() as u32);
    let board = |number: usize| {
        let stone = |index: usize| [None, Some(Color::Black), Some(Color::White)][number / 3usize.pow(index as u32) % 3];
        let stones: Vec<_> = points.iter().enumerate().map(|(index, &point)| (point, stone(index))).collect();
        let mut board = Board::new(size);
        board.set_up(&stones).ok().map(|()| board)
    };
    (0..count).filter_map(board).collect()
}

/// A position of the game that a table is about, by the board's own means: no code of the table's, nor of the solvers'.
#[derive(Clone)]
struct Line {
    board: Board,
    to_move: Color,
    passes: u32,
    suicide: bool,
    komi: f32,
}

type Key = (u64, bool, u32, usize);

impl Line {
    fn key(&self) -> Key {
        let ko = self.board.ko().map_or(0, Point::index);
        (self.board.hash(), self.to_move == Color::Black, self.passes, ko)
    }

    fn moves(&self) -> Vec<Move> {
        // The pass first: it ends many lines.
        let legal = |&point: &_| {
            let single = self.board.neighbors(point).all(|near| self.board.stone(near) != Some(self.to_move));
            self.board.is_legal(self.to_move, point)
                || (self.suicide && self.board.is_empty(point) && self.board.ko() != Some(point) && !single)
        };
        std::iter::once(Move::PASS).chain(self.board.size().points().filter(legal).map(Move::from)).collect()
    }

    fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        match mv.point() {
            Some(point) => next.board.play(self.to_move, point),
            None => next.board.clear_ko(),
        }
        next.to_move = !self.to_move;
        next.passes = if mv.is_pass() { self.passes + 1 } else { 0 };
        next
    }

    fn score(&self) -> f32 {
        let mut position = Position::from_board(self.board.clone(), self.to_move, rules(self.suicide, self.komi));
        position.play(Move::PASS).unwrap();
        position.play(Move::PASS).unwrap();
        match position.result() {
            Some(tengen::rules::Outcome::Score(score)) => score,
            other => panic!("{other:?}"),
        }
    }
}

/// Looks at lines with their whole history until `left` positions are seen; a game that comes back to a position ends there, worth 0.
struct History {
    left: u64,
}

impl History {
    /// Whether Black gets at least `bar`; nothing if there were too many lines.
    fn is_at_least(&mut self, line: &Line, bar: f32, seen: &mut Vec<Key>) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        if line.passes == 2 {
            return Some(line.score() >= bar);
        }
        if seen.contains(&line.key()) {
            return Some(0.0 >= bar);
        }
        seen.push(line.key());
        let wants = line.to_move == Color::Black;
        let mut answer = Some(!wants);
        for mv in line.moves() {
            match self.is_at_least(&line.after(mv), bar, seen) {
                Some(reached) if reached == wants => answer = Some(wants),
                Some(_) => continue,
                None => answer = None,
            }
            break;
        }
        seen.pop();
        answer
    }

    /// Whether the value is just this.
    fn confirms(&mut self, line: &Line, value: f32) -> Option<bool> {
        let reached = self.is_at_least(line, value, &mut Vec::new())?;
        Some(reached && !self.is_at_least(line, value + 0.5, &mut Vec::new())?)
    }
}

/// The same position for the table.
fn position(line: &Line) -> Position {
    let rules = rules(line.suicide, line.komi);
    if line.passes == 0 {
        return Position::from_board(line.board.clone(), line.to_move, rules);
    }
    let mut position = Position::from_board(line.board.clone(), !line.to_move, rules);
    position.play(Move::PASS).unwrap();
    position
}

/// Every position of a board, with the positions after a ko was taken.
fn lines(table: &Table) -> Vec<(Line, Position)> {
    let Terms { size, suicide, komi } = table.terms();
    let mut lines = Vec::new();
    for board in boards(size) {
        for to_move in Color::ALL {
            for passes in 0..2 {
                let line = Line { board: board.clone(), to_move, passes, suicide, komi };
                let here = position(&line);
                for mv in line.moves().into_iter().filter(|_| passes == 0) {
                    let next = line.after(mv);
                    if next.board.ko().is_some() {
                        let mut there = here.clone();
                        there.play(mv).unwrap();
                        lines.push((next, there));
                    }
                }
                lines.push((line, here));
            }
        }
    }
    lines
}

#[test]
fn every_position_is_there_and_no_other() {
    // Legal boards: Tromp and Farnebäck, Combinatorics of Go.
    for (board, legal) in [("2x2", 57), ("3x2", 489), ("2x3", 489), ("3x3", 12675)] {
        assert_eq!(boards(size(board)).len(), legal);
        assert_eq!(legal_positions(size(board)), legal as u64);
        let table = table(board, false, 0.0);
        let all = lines(&table);
        let distinct: HashSet<Key> = all.iter().map(|(line, _)| line.key()).collect();
        assert_eq!(table.worths().len(), distinct.len(), "{board}");
        assert!(all.iter().all(|(_, position)| table.worth(position).is_some()));
        println!("{board}: {} positions", distinct.len());
    }
}

/// Compares every so manieth position of a board, each with at most so many positions of its lines: how many are confirmed, and how many have too many lines.
fn compare(board: &'static str, suicide: bool, komi: f32, step: usize, most: u64) -> (usize, usize) {
    // Lines are long and boards large: more than a thread's usual stack.
    let thread = std::thread::Builder::new().stack_size(1 << 28);
    thread.spawn(move || compare_all(board, suicide, komi, step, most)).unwrap().join().unwrap()
}

fn compare_all(board: &str, suicide: bool, komi: f32, step: usize, most: u64) -> (usize, usize) {
    let table = table(board, suicide, komi);
    let (mut confirmed, mut too_long) = (0, 0);
    for (line, position) in lines(&table).into_iter().step_by(step) {
        let worth = table.worth(&position).unwrap();
        match (History { left: most }).confirms(&line, worth.value) {
            Some(right) => {
                assert!(right, "{worth:?} {} to move, {} passes\n{}", line.to_move, line.passes, line.board);
                confirmed += 1;
            }
            None => too_long += 1,
        }
    }
    println!("{board}, suicide {suicide}, komi {komi}: {confirmed} confirmed, {too_long} with too many lines");
    (confirmed, too_long)
}

#[test]
fn each_position_has_the_value_that_a_search_with_history_finds() {
    for (suicide, komi) in [(false, 0.0), (true, 0.0), (false, 0.5), (true, -1.5)] {
        assert_eq!(compare("2x2", suicide, komi, 1, 1_000_000), (228, 0));
    }
    // On six points most positions have millions of lines.
    assert!(compare("3x2", false, 0.0, 29, 3000).0 >= 20);
}

#[test]
#[ignore = "takes a minute"]
fn each_position_of_six_points_has_the_value_that_a_search_with_history_finds() {
    assert!(compare("3x2", false, 0.0, 1, 5000).0 >= 500);
}

/// The solver plays by Tengen's rules, where a game that repeats itself ends without result only if nobody has passed in between, and a second pass of a player in the
/// same position ends it with a count. Where the two differ, who is ahead on the board can pass again and again; the table's game goes on.
#[test]
fn the_solver_differs_only_where_passes_end_a_cycle() {
    let stop = StopFlag::new();
    let table = table("2x2", false, 0.0);
    let (mut equal, mut different) = (0, 0);
    for (line, position) in lines(&table).into_iter().filter(|(line, _)| line.board.ko().is_none()) {
        let time = Some(std::time::Duration::from_millis(300));
        let mut task = BoardTask { time, stop: &stop, check: 0, memory: 1 << 16, bar: None, keep: None, tell: &mut |_, _| () };
        let Ok(solution) = solve_slowly(&position, &mut task) else { continue };
        let worth = table.worth(&position).unwrap();
        if solution.value == worth.value {
            equal += 1;
        } else {
            println!(
                "table {worth:?}, solver {}: {} to move, {} passes\n{}",
                solution.value, line.to_move, line.passes, line.board
            );
            different += 1;
            assert_eq!(worth.end, None, "only a game without end");
        }
    }
    println!("{equal} equal, {different} different");
    assert!(equal > 10 * different);
}

#[test]
fn known_numbers() {
    // 3x3 is all Black's from the centre (E. van der Werf and others, Solving Go on Small Boards, 2003).
    let three = table("3x3", false, 0.0);
    let start = empty(&three);
    assert_eq!(three.worth(&start).unwrap().value, 9.0);
    let moves = three.moves(&start);
    assert_eq!(start.size().vertex(moves[0].0), "B2");
    assert_eq!(moves.len(), 10);
    // After a pass Black wins no less than by passing, nor White.
    let mut passed = start.clone();
    passed.play(Move::PASS).unwrap();
    assert_eq!(three.worth(&passed).unwrap().value, -9.0);
    for board in ["2x2", "3x2", "3x3"] {
        let komi = |komi| {
            let table = table(board, false, komi);
            table.worth(&empty(&table)).unwrap()
        };
        println!("{board}: {:?} at komi 0, {:?} at 0.5, {:?} at -0.5", komi(0.0), komi(0.5), komi(-0.5));
    }
}

#[test]
fn the_best_moves_lead_to_the_value_in_the_moves_told() {
    let table = table("3x3", false, 0.0);
    let mut rng = Rng::new(3);
    for _ in 0..300 {
        let mut position = empty(&table);
        for _ in 0..rng.below(12) {
            let moves: Vec<Move> = position.legal_moves().collect();
            let mut next = position.clone();
            next.play(moves[rng.below(moves.len())]).unwrap();
            if next.is_over() {
                break;
            }
            position = next;
        }
        // What happened before is not the table's business.
        position = Position::from_board(position.board().clone(), position.to_move(), *position.rules());
        let Worth { value, end: Some(end) } = table.worth(&position).unwrap() else { continue };
        let mut passes = position.passes();
        let mut line = Line { board: position.board().clone(), to_move: position.to_move(), passes, suicide: false, komi: 0.0 };
        for left in (0..end).rev() {
            // By the table's rules, for which the game's own may have ended.
            let (mv, worth) = table.moves(&position)[0];
            assert_eq!((worth.value, worth.end), (value, Some(left)));
            line = line.after(mv);
            passes = line.passes;
            if left > 0 {
                let mut next = position.clone();
                next.play(mv).unwrap();
                position = next;
            }
        }
        assert_eq!((passes, line.score()), (2, value));
    }
}

#[test]
fn files_hold_tables_and_broken_ones_are_refused() {
    let built = table("3x2", true, 1.5);
    let bytes = built.to_bytes();
    let read = Table::from_bytes(&bytes).unwrap();
    assert_eq!(read.terms(), built.terms());
    assert_eq!(read.to_bytes(), bytes);
    for end in (0..bytes.len()).step_by(7) {
        assert!(Table::from_bytes(&bytes[..end]).is_err());
    }
    for body in [
        &[][..],
        &[3, 3, 0, 0],
        &[4, 3, 0, 0, 0],
        &[3, 1, 0, 0, 0],
        &[3, 3, 2, 0, 0],
        &[3, 3, 0, 0xff, 0x7f],
        &[3, 3, 0, 0, 0, 1],
    ] {
        assert_eq!(Table::from_bytes(&seal("tengen table 1", body)).err(), Some(Damage::Nonsense), "{body:?}");
    }
    let twice = [&[3, 3, 0, 0, 0][..], &[1; 8], &[1; 8]].concat();
    assert_eq!(Table::from_bytes(&seal("tengen table 1", &twice)).err(), Some(Damage::Nonsense));
    // One without the position asked about has no answer, and does not invent one.
    let none = Table::from_bytes(&seal("tengen table 1", &[3, 3, 0, 0, 0])).unwrap();
    assert_eq!(none.worth(&empty(&none)), None);
    assert_eq!(none.moves(&empty(&none)), []);
    let terms = |board: &str, komi| Terms { size: size(board), suicide: false, komi };
    assert_eq!(Table::build(terms("4x3", 0.0)).err(), Some(NoTable::TooLarge));
    for komi in [0.25, 37.0, -1000.0] {
        assert_eq!(Table::build(terms("3x3", komi)).err(), Some(NoTable::Komi));
    }
}

#[test]
fn the_command_answers_keeps_and_looks_up() {
    let folder = Folder::new("table Tafel");
    let file = folder.0.join("drei.bin");
    let file = file.to_str().unwrap();
    let text = good(&["table", "3", "-o", file]);
    assert!(text.contains("Black to move: Black wins by 9 in") && text.contains("\nB2    Black wins by 9 in"), "{text}");
    assert_eq!(good(&["table", file]), text);
    let passed = good(&["table", file, "B2", "pass"]);
    assert!(passed.contains("Black to move: Black wins by 9"), "{passed}");
    assert!(good(&["table", file, "pass", "pass"]).contains("The game is over: a draw"));
    let ko = good(&["table", "3x3", "--board", "O.O/XO./...", "--first", "b", "B3"]);
    assert!(ko.contains("A3 is barred by ko") && !ko.contains("\nA3   "), "{ko}");
    let drawn = good(&["table", "3", "--board", "X.O/.X./..O", "--first", "w"]);
    assert!(drawn.contains("White to move: "), "{drawn}");
    assert!(good(&["table", "2", "--komi", "0.5", "--suicide"]).starts_with("2x2, with suicide, komi 0.5: "));
    assert!(complaint(&["table", "4"]).contains("up to 3x3; `tengen solve`"));
    assert!(complaint(&["table", "3", "--komi", "0.3"]).contains("whole or half points"));
    assert!(complaint(&["table", file, "--komi", "2"]).contains("give a size instead"));
    assert!(complaint(&["table", "3", "--board", "X.O/.X."]).contains("the board given is 3x2"));
    assert!(complaint(&["table", "3", "--board", "XXX/XXX/XXX"]).contains("libert"));
    assert!(complaint(&["table", "3", "B2", "B2"]).contains("move 2, B2"));
    assert!(complaint(&["table", "3", "pass", "pass", "B2"]).contains("over after 2 moves"));
    assert!(complaint(&["table", "no file"]).contains("no file is no endgame table: it cannot be read"));
    std::fs::write(file, "tengen table 2\n").unwrap();
    assert!(complaint(&["table", file]).contains("another version"));
}
