//! Tengen, a Go engine. This page is the map; each module may use those above it, never those below.
//!
//! | module | what it is |
//! |---|---|
//! | [`util`] | random numbers, atomic floats |
//! | [`board`] | colours, points, chains and capture, ladders, patterns; no history, no input or output |
//! | [`sgf`] | game records: SGF trees, in and out |

pub mod board;
pub mod sgf;
pub mod util;
