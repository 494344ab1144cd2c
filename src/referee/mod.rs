//! Matches.
pub mod stats;
