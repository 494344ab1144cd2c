//! An engine's seat at a table: the process is started when it is needed, and anew after it has failed.

use std::time::{Duration, Instant};

use super::Settings;
use crate::board::{Color, Move, PointSet};
use crate::clock::TimeControl;
use crate::gtp::{Answer, Remote, controller::Failure};

/// One engine at one table.
pub(super) struct Player {
    command: String,
    patience: Duration,
    remote: Option<Remote>,
}

impl Player {
    /// A seat for the engine of a command line; nothing is started yet.
    pub(super) fn new(command: &str, settings: &Settings) -> Self {
        Self { command: command.to_owned(), patience: settings.patience, remote: None }
    }

    /// Sets up a game, with `moves` already played. Starts the engine if it does not run.
    ///
    /// # Errors
    /// If the engine fails, or refuses something that no game can do without.
    pub(super) fn begin(&mut self, settings: &Settings, time: TimeControl, moves: &[(Color, Move)]) -> Result<(), Failure> {
        let remote = match &mut self.remote {
            Some(remote) => remote,
            empty => empty.insert(Remote::start(&self.command, self.patience)?),
        };
        remote.new_game(settings.size, &settings.rules, time)?;
        moves.iter().try_for_each(|&(color, mv)| remote.play(color, mv, settings.size))
    }

    /// Tells it a move.
    ///
    /// # Errors
    /// If the engine fails or refuses.
    pub(super) fn play(&mut self, settings: &Settings, color: Color, mv: Move) -> Result<(), Failure> {
        self.seated().play(color, mv, settings.size)
    }

    /// Asks for a move, within `limit`, after telling the time left; also returns how long it took.
    ///
    /// # Errors
    /// If the engine fails or refuses.
    pub(super) fn genmove(
        &mut self,
        settings: &Settings,
        color: Color,
        time_left: Option<(Duration, u32)>,
        limit: Duration,
    ) -> (Result<Answer, Failure>, Duration) {
        let remote = self.seated();
        let told = time_left.map_or(Ok(()), |(time, stones)| remote.time_left(color, time, stones));
        if let Err(failure) = told {
            return (Err(failure), Duration::ZERO);
        }
        let start = Instant::now();
        let answer = remote.genmove(color, settings.size, limit);
        (answer, start.elapsed())
    }

    /// The stones it says have `status` (`dead` or `seki`) at the end; nothing if it does not say or fails, which ends it.
    pub(super) fn status_list(&mut self, settings: &Settings, status: &str) -> Option<PointSet> {
        let list = self.remote.as_mut()?.status_list(status, settings.size);
        self.keep_unless_failed(list).map(|points| points.into_iter().collect())
    }

    /// The score it gives, from Black's side; nothing if it does not say or fails, which ends it.
    pub(super) fn final_score(&mut self) -> Option<f32> {
        let score = self.remote.as_mut()?.final_score();
        self.keep_unless_failed(score)
    }

    /// Ends the engine for good and at once, since it has failed. Returns its last messages.
    pub(super) fn dismiss(&mut self) -> String {
        self.remote.take().map(|remote| remote.log()).unwrap_or_default()
    }

    /// Lets the engine quit.
    pub(super) fn leave(&mut self) {
        if let Some(remote) = self.remote.take() {
            remote.quit();
        }
    }

    fn seated(&mut self) -> &mut Remote {
        self.remote.as_mut().expect("a game begins with Player::begin, and ends with the first failure")
    }

    fn keep_unless_failed<T>(&mut self, answer: Result<Option<T>, Failure>) -> Option<T> {
        answer.unwrap_or_else(|_| {
            self.dismiss();
            None
        })
    }
}
