//! Playouts: games played to the end at great speed, to see who tends to win, and what belongs to whom.
//!
//! [`Playout`] plays them, [`Trace`] is what a search learns from one, [`PlayoutParams`] says how moves are chosen.

mod light;
pub(crate) mod moves;
mod priors;
mod run;
mod trace;

pub use crate::params::{PlayoutParams, PlayoutPolicy};
pub use priors::{PriorMove, Priors};
pub use run::Playout;
pub use trace::Trace;

#[cfg(test)]
mod tests;
