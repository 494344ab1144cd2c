//! Tengen, a Go engine. This page is the map; each module may use those above it, never those below.
//!
//! | module | what it is |
//! |---|---|
//! | [`util`] | random numbers, atomic floats |
//! | [`board`] | colours, points, chains and capture, ladders, patterns; no history, no input or output |
//! | [`playout`] | games played to the end at great speed; the moves they and the tree look at first |

pub mod board;
pub mod playout;
pub mod util;
