//! One game: the referee asks, keeps the clocks, judges moves, and finds a result whatever the engines do.

use super::Settings;
use super::clock::GameClock;
use super::judge::{Judgement, judge};
use super::opening::Opening;
use super::player::Player;
use super::record::{End, GameRecord, Side, Used, Way};
use crate::board::{Color, Move};
use crate::gtp::{Answer, controller::Failure};
use crate::rules::{Outcome, Position};

/// The engines of one table: A, B, and the one that counts when they disagree.
pub(super) struct Table {
    /// The contestants, by [`Side::index`].
    pub players: [Player; 2],
    /// The third engine, if there is one.
    pub judge: Option<Player>,
}

impl Table {
    /// A table where nobody has sat down yet.
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            players: [0, 1].map(|side| Player::new(&settings.engines[side], settings)),
            judge: settings.judge.as_ref().map(|command| Player::new(command, settings)),
        }
    }

    /// Ends the engines.
    pub(super) fn close(&mut self) {
        self.players.iter_mut().chain(&mut self.judge).for_each(Player::leave);
    }
}

/// A game to be played.
pub(super) struct Plan {
    /// Its number in the match, from 1.
    pub number: usize,
    /// The moves it begins with.
    pub opening: Opening,
}

impl Plan {
    /// Game `number` of a match.
    pub(super) fn new(number: usize, settings: &Settings) -> Self {
        Self { number, opening: settings.openings.pick((number - 1) / 2, settings.size, settings.seed) }
    }

    /// Who plays Black: A in the first game of every pair.
    pub(super) fn black(&self) -> Side {
        if self.number.is_multiple_of(2) { Side::B } else { Side::A }
    }
}

/// A game played to its end.
pub(super) struct Played {
    /// What the summary keeps of it.
    pub record: GameRecord,
    /// The final position, with all moves.
    pub position: Position,
}

/// Why a game ended, and what goes with it.
struct Ending {
    end: End,
    winner: Option<Color>,
    /// Points between the players and how they were counted, where they were.
    counted: Option<(f32, Way)>,
    detail: String,
}

/// An engine's failing, which ends the game.
struct Foul {
    color: Color,
    end: End,
    detail: String,
}

/// Plays a game. Nothing if `stop` said so before it ended.
pub(super) fn play(settings: &Settings, plan: &Plan, table: &mut Table, stop: &dyn Fn() -> bool) -> Option<Played> {
    let black = plan.black();
    let mut position = Position::new(settings.size, settings.rules);
    // Two passes end the game; what is dead is for the judges.
    position.set_cleanup_played(false);
    let mut game = Game {
        settings,
        black,
        position,
        clocks: [black, black.other()].map(|side| GameClock::new(settings.times[side.index()], settings.margin)),
        used: [Used::default(); 2],
        table,
        stop,
    };
    let mut log = String::new();
    let ending = match game.run(plan) {
        Ok(ending) => ending?,
        Err(foul) => {
            log = game.player(foul.color).dismiss();
            Ending { end: foul.end, winner: Some(!foul.color), counted: None, detail: foul.detail }
        }
    };
    let side = |color: Color| if color == Color::Black { game.black } else { game.black.other() };
    let record = GameRecord {
        number: plan.number,
        black: game.black,
        result: ending.result(),
        winner: ending.winner.map(side),
        end: ending.end,
        detail: ending.detail,
        counted: ending.counted.map(|(_, way)| way),
        moves: game.position.moves().len(),
        opening_moves: plan.opening.len(),
        time: Side::BOTH.map(|one| game.used[usize::from(one != game.black)]),
        log,
    };
    Some(Played { record, position: game.position })
}

impl Ending {
    /// SGF's notation of the result.
    fn result(&self) -> String {
        let Some(winner) = self.winner else {
            return if self.end == End::NoResult { "Void".to_owned() } else { "0".to_owned() };
        };
        let how = match (self.counted, self.end) {
            (Some((points, _)), _) => points.to_string(),
            (None, End::Resignation) => "R".to_owned(),
            (None, End::Time) => "T".to_owned(),
            (None, _) => "F".to_owned(),
        };
        format!("{}+{how}", winner.letter())
    }
}

struct Game<'a> {
    settings: &'a Settings,
    black: Side,
    position: Position,
    /// By [`Color::index`].
    clocks: [GameClock; 2],
    used: [Used; 2],
    table: &'a mut Table,
    stop: &'a dyn Fn() -> bool,
}

impl Game<'_> {
    /// From the opening to the end; nothing if it was stopped.
    fn run(&mut self, plan: &Plan) -> Result<Option<Ending>, Foul> {
        let settings = self.settings;
        for &(color, mv) in &plan.opening {
            // Checked when the openings were read; one that is illegal under these rules ends early rather than the match.
            if self.position.play_as(color, mv).is_err() {
                break;
            }
        }
        let opening = self.position.moves().to_vec();
        for color in Color::ALL {
            let time = self.clocks[color.index()].control();
            let begun = self.player(color).begin(settings, time, &opening);
            begun.map_err(|failure| Foul::of(color, &failure, false))?;
        }
        while !(self.stop)() {
            let color = self.position.to_move();
            let Some(mv) = self.ask(color)? else {
                let detail = format!("{color} resigned");
                return Ok(Some(Ending { end: End::Resignation, winner: Some(!color), counted: None, detail }));
            };
            if self.position.play(mv).is_err() {
                let detail =
                    format!("{color}'s {} is illegal at move {}", settings.size.vertex(mv), self.position.moves().len() + 1);
                return Err(Foul { color, end: End::IllegalMove, detail });
            }
            let told = self.player(!color).play(settings, color, mv);
            told.map_err(|failure| Foul::of(!color, &failure, false))?;
            if let Some(ending) = self.ending() {
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }

    /// A move of `color`, or nothing if it resigns.
    fn ask(&mut self, color: Color) -> Result<Option<Move>, Foul> {
        let settings = self.settings;
        let clock = self.clocks[color.index()];
        let limit = clock.allowed().unwrap_or(settings.patience);
        let (answer, time) = self.player(color).genmove(settings, color, clock.time_left(), limit);
        self.used[color.index()].add(time);
        self.clocks[color.index()].spend(time);
        match answer.map_err(|failure| Foul::of(color, &failure, clock.allowed().is_some()))? {
            // The reply may have come just in time for the pipe and too late for the clock.
            _ if time > limit => Err(Foul::of(color, &Failure::late_move(limit), true)),
            Answer::Play(mv) => Ok(Some(mv)),
            Answer::Resign => Ok(None),
            Answer::Nonsense(text) => {
                let detail = format!("{color} answered '{}' to genmove", text.chars().take(60).collect::<String>());
                Err(Foul { color, end: End::IllegalMove, detail })
            }
        }
    }

    /// How the game ends here, if it does.
    fn ending(&mut self) -> Option<Ending> {
        let moves = self.position.moves();
        let end = if self.position.result() == Some(Outcome::NoResult) {
            let detail = "the position came round for ever".to_owned();
            return Some(Ending { end: End::NoResult, winner: None, counted: None, detail });
        } else if self.position.is_over() {
            End::Score
        } else if moves.len() >= self.settings.max_moves {
            End::MoveLimit
        } else {
            return None;
        };
        let judgement = judge(self.settings, &self.position, self.table);
        let Judgement { score, way, .. } = judgement;
        let winner = if score == 0.0 { None } else { Some(if score > 0.0 { Color::Black } else { Color::White }) };
        let limit = if end == End::MoveLimit { format!("stopped at {} moves; ", moves.len()) } else { String::new() };
        Some(Ending { end, winner, counted: Some((score.abs(), way)), detail: format!("{limit}{judgement}") })
    }

    fn player(&mut self, color: Color) -> &mut Player {
        let side = if color == Color::Black { self.black } else { self.black.other() };
        &mut self.table.players[side.index()]
    }
}

impl Foul {
    /// The foul of an engine that failed to answer; `clocked` if its clock ran.
    fn of(color: Color, failure: &Failure, clocked: bool) -> Self {
        let end = match failure {
            Failure::Late { .. } if clocked => End::Time,
            Failure::Late { .. } => End::Hang,
            Failure::Refused { .. } => End::Refusal,
            Failure::Ended { .. } | Failure::Start { .. } | Failure::CommandLine { .. } => End::Crash,
        };
        Self { color, end, detail: format!("{color}: {failure}") }
    }
}
