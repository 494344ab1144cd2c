//! The Go Text Protocol, version 2. Only this module speaks it.

pub mod controller;
mod remote;
mod time_control;

pub use remote::{Answer, Remote};
pub use time_control::{BadTime, TimeControl};
