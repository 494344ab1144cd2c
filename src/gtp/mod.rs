//! The Go Text Protocol, version 2, both sides of it. Only this module speaks it.
//!
//! The engine's side, in the order in which a line passes through it: `inbox` and `parse` take it in, `session` finds the command in the
//! table of `commands` and runs it, `format` and `reply` write the answer. The controller's side is [`controller`] and [`Remote`].

mod analyze;
mod commands;
pub mod controller;
mod format;
mod inbox;
mod parse;
mod refusal;
mod remote;
mod reply;
mod session;

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use inbox::Inbox;
use session::Session;

use crate::board::{BadSize, Size};
use crate::book::{BadBook, Book};
use crate::engine::Engine;
use crate::params::Settings;
use crate::rules::{BadRules, Position, Rules};
use crate::util::StopFlag;

pub use parse::Command;
pub use remote::{Answer, Remote};

/// How often to look whether Ctrl-C was pressed.
const GLANCE: Duration = Duration::from_millis(50);

/// Does something when it goes out of scope.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Why a session cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadStart {
    /// The settings name no rules.
    #[error(transparent)]
    Rules(#[from] BadRules),
    /// The settings name no board.
    #[error(transparent)]
    Size(#[from] BadSize),
    /// The settings name a book, and it is none.
    #[error(transparent)]
    Book(#[from] BadBook),
}

/// Serves a GTP client: answers the commands of `input` on `output`, in order, until `quit`, the end of the input, or `stop`.
/// `messages` gets lines for people, none of which looks like a reply; it is standard error for a real client.
///
/// The input is read by a thread of its own, which outlives the call if nothing more comes: a read cannot be called off.
///
/// # Errors
/// If the settings' rules, board or book are none; nothing was read then.
pub fn run(
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
    mut messages: impl Write,
    settings: Settings,
    stop: &StopFlag,
) -> Result<(), BadStart> {
    let rules = Rules::parse(&settings.game.rules)?;
    let rules = rules.with_komi(settings.game.komi.unwrap_or(rules.komi));
    let position = Position::new(Size::square(settings.game.board_size as usize)?, rules);
    let book = settings.book.file.as_deref().map(Book::read).transpose()?;
    let mut engine = Engine::new(settings, position);
    engine.set_book(book);
    let inbox = Arc::new(Inbox::default());
    let reader = Arc::clone(&inbox);
    thread::spawn(move || reader.fill(input));
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !inbox.is_abandoned() {
                if stop.is_set() {
                    inbox.end();
                }
                thread::park_timeout(GLANCE);
            }
        });
        // Also if serving panics, or the watch would keep the program alive.
        let _end = OnDrop(|| {
            inbox.abandon();
            watch.thread().unpark();
        });
        Session::new(engine, Arc::clone(&inbox), &mut output, &mut messages).serve();
    });
    Ok(())
}
