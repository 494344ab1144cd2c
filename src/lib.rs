//! Tengen, a Go engine. This page is the map; each module may use those above it, never those below.
//!
//! | module | what it is |
//! |---|---|
//! | [`util`] | random numbers, atomic floats |
//! | [`board`] | colours, points, chains and capture, ladders, patterns; no history, no input or output |
//! | [`gtp`] | the Go Text Protocol: the controller of other engines |
//! | [`referee`] | matches between GTP engines: clocks, openings, judging, records, statistics |

pub mod board;
pub mod gtp;
pub mod referee;
pub mod util;
