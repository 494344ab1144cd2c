//! A client's session: the engine, what the protocol keeps beside it, and the loop over the commands.

use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::analyze::Wishes;
use super::commands;
use super::format;
use super::inbox::{Inbox, LINE_LIMIT, Line, Taken};
use super::parse::{Arguments, Command};
use super::refusal::{Refusal, Reply};
use super::reply::Replies;
use crate::board::{Color, Size};
use crate::clock::{Clock, Moment, TimeControl};
use crate::engine::{Decision, Ending, Engine};
use crate::params::{self, NetworkFile};
use crate::rules::{Position, Rules};
use crate::search::{Limits, Listener, Report, SearchOptions};
use crate::util::StopFlag;

/// A client's session. Nothing in it grows with the number of commands.
pub(crate) struct Session<'a> {
    pub(crate) engine: Engine,
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) replies: Replies<'a>,
    messages: &'a mut dyn Write,
    /// The game before its first move; set-up and handicap stones stand.
    start: Position,
    /// Each player's clock, by [`Color::index`].
    pub(crate) clocks: [Clock; 2],
    /// The last search for a move in this game.
    pub(crate) last_search: Option<(Decision, Report)>,
    /// Time spent on moves, over all games.
    pub(crate) thought: Duration,
    /// Whether the engine is in a game, and so may think while it waits.
    pub(crate) in_game: bool,
    /// Whether the client wants no more.
    pub(crate) quits: bool,
}

/// What a search for a move tells while it works.
pub(crate) type Telling<'t> = Option<(Duration, &'t dyn Fn(&Report) -> String)>;

impl<'a> Session<'a> {
    /// A session at the start of a game.
    pub(crate) fn new(engine: Engine, inbox: Arc<Inbox>, output: &'a mut dyn Write, messages: &'a mut dyn Write) -> Self {
        let clock = Clock::new(TimeControl::None);
        Self {
            start: engine.position().clone(),
            engine,
            inbox,
            replies: Replies::new(output),
            messages,
            clocks: [clock.clone(), clock],
            last_search: None,
            thought: Duration::ZERO,
            in_game: false,
            quits: false,
        }
    }

    /// Answers commands until the client quits or goes.
    pub(crate) fn serve(&mut self) {
        let (settings, rules) = (self.engine.settings(), self.engine.position().rules());
        let (threads, memory) = (settings.search.threads, settings.search.memory);
        let judge = match &settings.network.file {
            NetworkFile::At(file) => format!("network {}", file.display()),
            NetworkFile::Embedded => "its own network".to_owned(),
            NetworkFile::None => "playouts".to_owned(),
        };
        let rules = format!("{} rules, komi {}", rules.name().unwrap_or("special"), rules.komi);
        self.note(&format!("{} {}: {judge}, {threads} threads, {memory} for all, {rules}", commands::NAME, commands::VERSION));
        for line in params::summary(self.engine.settings()).lines() {
            self.note(line);
        }
        self.note("GTP ready");
        while !self.quits && !self.replies.is_broken() {
            let Some(line) = self.next_line() else { break };
            self.answer(&line);
        }
    }

    /// The next line; until it comes, the engine thinks if it may.
    fn next_line(&mut self) -> Option<Line> {
        match self.inbox.try_take() {
            Taken::Line(line) => return Some(line),
            Taken::End => return None,
            Taken::Nothing => {}
        }
        if self.in_game && self.engine.settings().search.ponder && !self.engine.position().is_over() {
            let _ = self.guard(|session| {
                session.engine.ponder(session.inbox.arrival());
                Ok(String::new())
            });
        }
        self.inbox.take()
    }

    fn answer(&mut self, line: &Line) {
        match line {
            Line::Blank | Line::Interrupt => {}
            Line::TooLong(command) => {
                self.replies.begin(command.id.as_deref());
                self.replies.finish(&Err(Refusal::syntax(format!("a line has at most {LINE_LIMIT} bytes"))));
            }
            Line::Command(command) => {
                self.replies.begin(command.id.as_deref());
                let reply = self.obey(command);
                self.replies.finish(&reply);
            }
        }
    }

    fn obey(&mut self, command: &Command) -> Reply {
        if command.name.is_empty() {
            return Err(Refusal::syntax("a command is missing behind the number"));
        }
        let handler = commands::find(&command.name).ok_or(Refusal::UnknownCommand)?;
        self.guard(|session| handler(session, &mut Arguments::new(&command.arguments)))
    }

    /// Does `work`; a panic in it, which would be a fault of ours, costs the reply and what the search has learnt, but not the game.
    fn guard(&mut self, work: impl FnOnce(&mut Self) -> Reply) -> Reply {
        std::panic::catch_unwind(AssertUnwindSafe(|| work(self))).unwrap_or_else(|_| {
            self.engine.recover();
            Err(Refusal::other("internal error: a fault of Tengen's, told on standard error; the game stands as it was"))
        })
    }

    /// Writes a line for people, on standard error.
    pub(crate) fn note(&mut self, text: &str) {
        // Nobody may be there to read it, which is no reason to stop playing.
        let _ = writeln!(self.messages, "{text}").and_then(|()| self.messages.flush());
    }

    /// The board's width and height.
    pub(crate) fn size(&self) -> Size {
        self.engine.position().size()
    }

    /// The game before its first move.
    pub(crate) fn start(&self) -> &Position {
        &self.start
    }

    /// Begins a game at `start`, which has no moves; komi, rules and time settings stay unless `start` brings others.
    pub(crate) fn begin_game(&mut self, start: Position) {
        self.engine.set_position(start.clone());
        self.start = start;
        self.last_search = None;
        self.in_game = false;
        self.clocks.iter_mut().for_each(Clock::reset);
    }

    /// Goes on with the game under another komi.
    pub(crate) fn set_komi(&mut self, komi: f32) {
        self.start.set_komi(komi);
        self.engine.set_komi(komi);
    }

    /// Goes on with the game under other rules. From the first move on that is not legal under them, the stones count as set up.
    pub(crate) fn change_rules(&mut self, rules: Rules) {
        let now = self.engine.position().clone();
        self.start = Position::from_board(self.start.board().clone(), self.start.to_move(), rules);
        self.engine.set_position(self.start.clone());
        if now.moves().iter().any(|&(color, mv)| self.engine.play(color, mv).is_err()) {
            self.start = Position::from_board(now.board().clone(), now.to_move(), rules);
            self.engine.set_position(self.start.clone());
        }
    }

    /// When a search for `color`'s move is to end.
    fn limits(&self, color: Color) -> Limits {
        let position = self.engine.position();
        let moment = Moment { moves: position.moves().len(), area: position.size().area() };
        Limits { budget: self.clocks[color.index()].plan(moment, self.engine.settings()), ..Limits::default() }
    }

    /// Waits for the network, if one is asked for. Without it nothing is searched: a client that wants it would take playouts for a fault.
    pub(crate) fn await_network(&mut self) -> Result<(), Refusal> {
        self.engine.network().map_err(Refusal::other)?;
        Ok(())
    }

    /// Finds a move for `color`, but does not play it. `telling` says what to write while searching, and how often; then at least one
    /// line is written. Refused if there is no network where one is asked for.
    pub(crate) fn think(
        &mut self,
        color: Color,
        options: &SearchOptions,
        ending: Ending,
        stop: &StopFlag,
        telling: Telling<'_>,
    ) -> Result<Decision, Refusal> {
        let begun = Instant::now();
        self.await_network()?;
        let limits = self.limits(color);
        let limits = &Limits { budget: limits.budget.map(|budget| budget.less(begun.elapsed())), ..limits };
        let (engine, replies) = (&mut self.engine, &mut self.replies);
        let (decision, report) = match telling {
            None => engine.choose(color, limits, options, ending, stop, None),
            Some((interval, write)) => {
                let mut told = false;
                let mut tell = |report: &Report| {
                    told = true;
                    replies.line(&write(report));
                };
                let listener = Listener { interval, tell: &mut tell };
                let (decision, report) = engine.choose(color, limits, options, ending, stop, Some(listener));
                if !told {
                    replies.line(&write(&report));
                }
                (decision, report)
            }
        };
        let used = begun.elapsed();
        self.thought += used;
        self.clocks[color.index()].spend(used, self.engine.settings());
        self.note(&format::malkovich(&report, self.size()));
        if let Some(games) = report.book_games {
            self.note(&format::from_book(games));
        }
        self.last_search = Some((decision, report));
        Ok(decision)
    }

    /// Plays what was decided, and names it.
    pub(crate) fn carry_out(&mut self, color: Color, decision: Decision) -> Reply {
        if let Decision::Play(mv) = decision {
            self.engine.play(color, mv).map_err(|error| Refusal::other(format!("cannot play what I found: {error}")))?;
        }
        self.in_game = matches!(decision, Decision::Play(_));
        Ok(self.name_of(decision))
    }

    /// `Q16`, `pass` or `resign`.
    pub(crate) fn name_of(&self, decision: Decision) -> String {
        match decision {
            Decision::Play(mv) => self.size().vertex(mv),
            Decision::Resign => "resign".to_owned(),
        }
    }

    /// What a client wants of an analysis, by its arguments and the settings.
    pub(crate) fn wishes(&self, arguments: &Arguments<'_>) -> Result<Wishes, Refusal> {
        let analysis = &self.engine.settings().analysis;
        let wishes = Wishes::parse(arguments.clone(), self.size())?;
        Ok(Wishes { pv_moves: Some(1 + analysis.pv_length as usize), perspective: analysis.perspective, ..wishes })
    }

    /// Whose analysis or move is wanted.
    pub(crate) fn color_of(&self, wishes: &Wishes) -> Color {
        wishes.color.unwrap_or(self.engine.position().to_move())
    }
}

#[cfg(test)]
mod tests {
    use super::{Inbox, Session};
    use crate::board::{Color, Size};
    use crate::engine::Engine;
    use crate::params::Settings;
    use crate::rules::{Position, Rules};
    use crate::search::SearchOptions;

    #[test]
    fn a_panic_costs_the_reply_and_not_the_game() {
        let rules = Rules::parse("chinese").unwrap();
        let engine = Engine::new(Settings::default(), Position::new(Size::square(5).unwrap(), rules));
        let (mut output, mut messages) = (Vec::new(), Vec::new());
        let mut session = Session::new(engine, Inbox::default().into(), &mut output, &mut messages);
        let centre = session.size().parse_vertex("C3").unwrap();
        session.engine.play(Color::Black, centre).unwrap();
        assert!(session.guard(|_| panic!("a fault, on purpose")).is_err());
        assert_eq!(session.engine.position().moves(), [(Color::Black, centre)]);
        let limits = crate::search::Limits { playouts: Some(10), ..Default::default() };
        let stop = crate::util::StopFlag::new();
        let report = session.engine.analyze(Color::White, &limits, &SearchOptions::default(), &stop, None);
        assert_eq!(report.playouts, 10);
    }
}
