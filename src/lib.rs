//! Tengen, a Go engine. This page is the map; each module may use those above it, never those below.
//!
//! | module | what it is |
//! |---|---|
//! | [`util`] | random numbers, atomic floats |
//! | [`params`] | every setting: name, unit, range, default, reason |
//! | [`clock`] | time controls, and how long to think for a move |
//! | [`board`] | colours, points, chains and capture, ladders, patterns; no history, no input or output |

pub mod board;
pub mod clock;
pub mod params;
pub mod util;
