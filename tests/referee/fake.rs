//! A small engine with bad habits: this test's own executable, started with the habit's name.

use std::io::{BufRead, Write};
use std::time::Duration;

use tengen::board::{Color, Move, Size};
use tengen::rules::{Position, Rules};
use tengen::util::Rng;

/// Its own move at which a bad habit shows, from 1.
const FATAL_MOVE: usize = 3;

struct Fake {
    habit: String,
    position: Position,
    rng: Rng,
    own_moves: usize,
}

/// Runs the engine until it is told to quit or its input ends.
pub(crate) fn serve(habit: &str) {
    if habit == "stillborn" {
        eprintln!("cannot load the network");
        std::process::exit(3);
    }
    if habit == "chatty" {
        println!("Welcome to the engine!\n");
    }
    let mut fake = Fake { habit: habit.to_owned(), position: empty(5), rng: Rng::new(1), own_moves: 0 };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let words: Vec<&str> = line.split_whitespace().collect();
        let reply = fake.reply(&words);
        let end = if habit == "chatty" { "\r\n" } else { "\n" };
        print!("{}{end}{end}", reply.replace('\n', end));
        if std::io::stdout().flush().is_err() || words == ["quit"] {
            return;
        }
    }
}

fn empty(side: usize) -> Position {
    Position::new(Size::square(side).unwrap(), Rules::parse("chinese").unwrap())
}

impl Fake {
    fn reply(&mut self, words: &[&str]) -> String {
        let size = self.position.size();
        match words {
            ["name"] => format!("= Fake {}", self.habit),
            ["version"] => "= 1.0".to_owned(),
            ["list_commands"] => "= name\nplay\ngenmove\nfinal_status_list\ntime_left".to_owned(),
            ["boardsize", side] => {
                self.position = empty(side.parse().unwrap());
                "= ".to_owned()
            }
            ["clear_board"] => {
                self.position = empty(size.width());
                self.own_moves = 0;
                "= ".to_owned()
            }
            ["play", color, vertex] => {
                self.position.play_as(color.parse().unwrap(), size.parse_vertex(vertex).unwrap()).unwrap();
                "= ".to_owned()
            }
            ["genmove", color] => self.genmove(color.parse().unwrap()),
            ["final_status_list", "dead"] => format!("= {}", self.dead()),
            ["final_score"] => "= B+3.0".to_owned(),
            ["quit" | "komi" | "time_settings" | "time_left", ..] => "= ".to_owned(),
            _ => "? unknown command".to_owned(),
        }
    }

    fn genmove(&mut self, color: Color) -> String {
        self.own_moves += 1;
        let now = self.own_moves == FATAL_MOVE;
        let size = self.position.size();
        match self.habit.as_str() {
            "illegal" if now => {
                let taken = size.points().find(|&point| !self.position.board().is_empty(point)).unwrap();
                return format!("= {}", size.vertex(taken));
            }
            "nonsense" if now => return "= somewhere".to_owned(),
            "garbage" if now => return "D4, I should think".to_owned(),
            "refuse" if now => return "? no idea".to_owned(),
            "resign" if now => return "= resign".to_owned(),
            "hang" if now => std::thread::sleep(Duration::from_secs(1000)),
            "flood" if now => loop {
                if std::io::stdout().write_all(&[b'x'; 4096]).is_err() {
                    std::process::exit(0);
                }
            },
            "crash" if now => {
                eprintln!("out of luck");
                std::process::exit(7);
            }
            "slow" => std::thread::sleep(Duration::from_millis(10)),
            _ => {}
        }
        let mv = if self.habit.starts_with("pass") { Move::PASS } else { self.sensible(color) };
        self.position.play_as(color, mv).unwrap();
        let thoughts = if self.habit == "chatty" { "\nI like it" } else { "" };
        format!("= {}{thoughts}", size.vertex(mv).to_lowercase())
    }

    /// A random move that fills no own eye; a pass if there is none.
    fn sensible(&mut self, color: Color) -> Move {
        let board = self.position.board();
        let eye = |point| board.neighbors(point).all(|near| board.stone(near) == Some(color));
        let legal = |&point: &_| !eye(point) && self.position.to_move() == color && self.position.is_legal(Move::from(point));
        let moves: Vec<_> = self.position.size().points().filter(legal).collect();
        moves.get(self.rng.below(moves.len())).map_or(Move::PASS, |&point| point.into())
    }

    /// What it calls dead: nothing, or with its habit all white stones.
    fn dead(&self) -> String {
        if self.habit != "pass-white-is-dead" {
            return String::new();
        }
        let size = self.position.size();
        let white = size.points().filter(|&point| self.position.board().stone(point) == Some(Color::White));
        white.map(|point| size.vertex(point)).collect::<Vec<_>>().join(" ")
    }
}
