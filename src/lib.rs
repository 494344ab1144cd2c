//! Tengen, a Go engine. This page is the map; each module may use those above it, never those below.
//!
//! | module | what it is |
//! |---|---|
//! | [`util`] | random numbers, atomic floats |
//! | [`board`] | colours, points, chains and capture, ladders, patterns; no history, no input or output |
//! | [`rules`] | rule sets, positions with history and superko, cleanup phases, scoring, pass-alive stones |

pub mod board;
pub mod rules;
pub mod util;
