//! The Go Text Protocol, version 2. Only this module speaks it.

pub mod controller;
mod remote;

pub use remote::{Answer, Remote};
