//! Another engine in the terms of Go: games, moves, time and scores instead of command lines.

use std::collections::HashSet;
use std::time::Duration;

use super::controller::{Controller, Failure};
use crate::board::{Color, Move, Point, Size};
use crate::clock::TimeControl;
use crate::rules::Rules;

/// Rule sets that kgs-rules knows too, under its name.
const KGS_RULES: [(&str, &str); 5] = [
    ("chinese", "chinese"),
    ("chinese-ogs", "chinese"),
    ("aga", "aga"),
    ("japanese", "japanese"),
    ("new-zealand", "new_zealand"),
];

/// An engine, and what is known of it.
pub struct Remote {
    controller: Controller,
    commands: HashSet<String>,
    name: String,
    version: String,
    patience: Duration,
}

/// What an engine answers when it is asked for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A move or a pass; whether it is legal is not known yet.
    Play(Move),
    /// It gives up.
    Resign,
    /// Something else: the text.
    Nonsense(String),
}

impl Remote {
    /// Starts the engine of a command line (see [`super::controller::split`]) and asks who it is and what it knows. Every
    /// command but genmove must be answered within `patience`, the first one too.
    ///
    /// # Errors
    /// If it does not start, ends, or is silent.
    pub fn start(command: &str, patience: Duration) -> Result<Self, Failure> {
        let mut controller = Controller::start(command)?;
        let mut ask = |command| optional(controller.ask(command, patience));
        let name = ask("name")?.unwrap_or_else(|| "unknown".to_owned());
        let version = ask("version")?.unwrap_or_default();
        let commands = ask("list_commands")?.unwrap_or_default();
        let commands = commands.split_whitespace().map(str::to_owned).collect();
        Ok(Self { controller, commands, name, version, patience })
    }

    /// Its name, as it says.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its version, as it says; may be empty.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Its last messages, for the report of a failure.
    pub fn log(&self) -> String {
        self.controller.log()
    }

    /// Begins a game. An engine that knows no command for its rules keeps its own; komi it is always told.
    ///
    /// # Errors
    /// If it refuses size, komi or a fresh board, or fails; it may refuse rules and time.
    pub fn new_game(&mut self, size: Size, rules: &Rules, time: TimeControl) -> Result<(), Failure> {
        let (width, height) = (size.width(), size.height());
        if width == height {
            self.ask(&format!("boardsize {width}"))?;
        } else {
            // Never `boardsize 9 13`: GNU Go takes that for 9x9 and says nothing.
            self.ask(&format!("rectangular_boardsize {width} {height}"))?;
        }
        self.ask("clear_board")?;
        let kgs = KGS_RULES.iter().find(|(name, _)| Some(*name) == rules.name());
        if self.knows("kata-set-rules") {
            let name = rules.name().map_or_else(|| rules.to_json(), str::to_owned);
            optional(self.ask(&format!("kata-set-rules {name}")))?;
        } else if let Some((_, kgs)) = kgs.filter(|_| self.knows("kgs-rules")) {
            optional(self.ask(&format!("kgs-rules {kgs}")))?;
        }
        self.ask(&format!("komi {}", rules.komi))?;
        let known = |line: &String| line.split(' ').next().is_some_and(|command| self.knows(command));
        let time_commands = time_commands(time);
        if let Some(line) = time_commands.iter().find(|line| known(line)).or(time_commands.last()) {
            optional(self.ask(line))?;
        }
        Ok(())
    }

    /// Tells it a move.
    ///
    /// # Errors
    /// If it refuses or fails.
    pub fn play(&mut self, color: Color, mv: Move, size: Size) -> Result<(), Failure> {
        self.ask(&format!("play {} {}", letter(color), size.vertex(mv))).map(drop)
    }

    /// Tells it the time that `color` has left, and for how many moves (or periods); 0 in the main time.
    ///
    /// # Errors
    /// If it fails; it may refuse.
    pub fn time_left(&mut self, color: Color, time: Duration, stones: u32) -> Result<(), Failure> {
        if self.knows("time_left") {
            // Whole seconds: engines of old read no others.
            optional(self.ask(&format!("time_left {} {} {stones}", letter(color), time.as_secs())))?;
        }
        Ok(())
    }

    /// Asks it for a move of `color`, to be given within `limit`.
    ///
    /// # Errors
    /// If it refuses or fails.
    pub fn genmove(&mut self, color: Color, size: Size, limit: Duration) -> Result<Answer, Failure> {
        let reply = self.controller.ask(&format!("genmove {}", letter(color)), limit)?;
        // Some engines go on after the move, with their view of it.
        let word = reply.split_whitespace().next().unwrap_or_default();
        if word.eq_ignore_ascii_case("resign") {
            return Ok(Answer::Resign);
        }
        Ok(size.parse_vertex(word).map_or_else(|_| Answer::Nonsense(reply.clone()), Answer::Play))
    }

    /// Asks which stones have `status` (`dead`, `seki`) at the end of the game. Nothing if it does not say.
    ///
    /// # Errors
    /// If it fails.
    pub fn status_list(&mut self, status: &str, size: Size) -> Result<Option<Vec<Point>>, Failure> {
        if !self.knows("final_status_list") {
            return Ok(None);
        }
        let Some(reply) = optional(self.ask(&format!("final_status_list {status}")))? else { return Ok(None) };
        let points = reply.split_whitespace().map(|word| size.parse_vertex(word).ok().and_then(Move::point));
        Ok(points.collect())
    }

    /// Asks for the score, seen from Black. Nothing if it does not say.
    ///
    /// # Errors
    /// If it fails.
    pub fn final_score(&mut self) -> Result<Option<f32>, Failure> {
        Ok(optional(self.ask("final_score"))?.and_then(|reply| read_score(&reply)))
    }

    /// Ends it, politely first.
    pub fn quit(self) {
        self.controller.quit(Duration::from_secs(3).min(self.patience));
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    fn ask(&mut self, command: &str) -> Result<String, Failure> {
        self.controller.ask(command, self.patience)
    }
}

/// The reply to a command that the engine may refuse.
fn optional(reply: Result<String, Failure>) -> Result<Option<String>, Failure> {
    match reply {
        Ok(text) => Ok(Some(text)),
        Err(Failure::Refused { .. }) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// The commands that announce a time control, best first; the plainest one, which every engine with a clock should know, comes last.
/// An engine that knows only the last one is told a time in which it can never use more than it has.
fn time_commands(control: TimeControl) -> Vec<String> {
    let s = |time: Duration| time.as_secs_f64();
    match control {
        TimeControl::None => Vec::new(),
        TimeControl::Absolute { main } => vec![format!("time_settings {} 0 0", s(main))],
        TimeControl::Canadian { main, period, stones } => vec![format!("time_settings {} {} {stones}", s(main), s(period))],
        TimeControl::ByoYomi { main, period, periods } => vec![
            format!("kgs-time_settings byoyomi {} {} {periods}", s(main), s(period)),
            format!("kata-time_settings byoyomi {} {} {periods}", s(main), s(period)),
            format!("time_settings {} {} 1", s(main), s(period)),
        ],
        TimeControl::Fischer { main, increment, cap: None, move_cap: None } => {
            vec![format!("kata-time_settings fischer {} {}", s(main), s(increment)), format!("time_settings {} 0 0", s(main))]
        }
        TimeControl::Fischer { main, increment, cap, move_cap } => {
            let or_none = |cap: Option<Duration>| cap.map_or(-1.0, s);
            let caps = format!("{} {}", or_none(cap), or_none(move_cap));
            vec![
                format!("kata-time_settings fischer-capped {} {} {caps}", s(main), s(increment)),
                format!("time_settings {} 0 0", s(main)),
            ]
        }
    }
}

fn letter(color: Color) -> char {
    color.letter().to_ascii_lowercase()
}

/// `B+3.5`, `W+0.5`, `0` or `Draw`.
fn read_score(text: &str) -> Option<f32> {
    let word = text.split_whitespace().next()?;
    if word == "0" || word.eq_ignore_ascii_case("draw") || word.eq_ignore_ascii_case("jigo") {
        return Some(0.0);
    }
    let (winner, margin) = word.split_once('+')?;
    let winner: Color = winner.parse().ok()?;
    let margin: f32 = margin.parse().ok()?;
    margin.is_finite().then(|| margin * winner.sign())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{read_score, time_commands};
    use crate::clock::TimeControl;

    #[test]
    fn times() {
        let s = Duration::from_secs_f64;
        let says = |control| time_commands(control).join("; ");
        assert_eq!(says(TimeControl::None), "");
        assert_eq!(says(TimeControl::absolute(s(10.0))), "time_settings 10 0 0");
        assert_eq!(says(TimeControl::canadian(s(0.0), s(0.5), 1)), "time_settings 0 0.5 1");
        assert_eq!(says(TimeControl::canadian(s(600.0), s(30.0), 20)), "time_settings 600 30 20");
        assert!(says(TimeControl::byo_yomi(s(9.0), s(3.0), 5)).starts_with("kgs-time_settings byoyomi 9 3 5; "));
        assert!(says(TimeControl::byo_yomi(s(9.0), s(3.0), 5)).ends_with("; time_settings 9 3 1"));
        assert_eq!(
            says(TimeControl::fischer(s(300.0), s(2.0), None, None)),
            "kata-time_settings fischer 300 2; time_settings 300 0 0"
        );
    }

    #[test]
    fn scores() {
        assert_eq!(read_score("B+3.5"), Some(3.5));
        assert_eq!(read_score("w+12 (upper bound)"), Some(-12.0));
        assert_eq!(read_score("0"), Some(0.0));
        for bad in ["", "B+R", "B+Resign", "?", "X+1", "B+inf"] {
            assert_eq!(read_score(bad), None, "{bad}");
        }
    }
}
