//! The Go Text Protocol, version 2, both sides of it. Only this module speaks it.
//!
//! The engine's side, in the order in which a line passes through it: `inbox` and `parse` take it in, `session` finds the command in the
//! table of `commands` and runs it, `format` and `reply` write the answer. The controller's side is [`controller`] and [`Remote`].

mod analyze;
pub mod controller;
mod format;
mod inbox;
mod parse;
mod refusal;
mod remote;
mod reply;

pub use parse::Command;
pub use remote::{Answer, Remote};
