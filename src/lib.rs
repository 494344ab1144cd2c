//! Tengen, a Go engine. This page is the map; each module may use those above it, never those below.
//!
//! | module | what it is |
//! |---|---|
//! | [`util`] | random numbers, a stop flag |
//! | [`params`] | every setting: name, unit, range, default, reason |
//! | [`board`] | colours, points, chains and capture, ladders, patterns; no history, no input or output |
//! | [`rules`] | rule sets, positions with history and superko, cleanup phases, scoring, pass-alive stones |
//! | [`game`] | a game as a formal model: the trait that searches play |
//! | [`eval`] | what a state is worth: the seam between the tree and playouts, networks or fakes |
//! | [`search`] | Monte-Carlo tree search with any number of threads |

pub mod board;
pub mod eval;
pub mod game;
pub mod params;
pub mod rules;
pub mod search;
pub mod util;
