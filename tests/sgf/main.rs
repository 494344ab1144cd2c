//! Game records: every odd file of the collection of bug reports, the fixtures of `sgf/`, random trees, and 150,000 real games.

#[path = "../common/mod.rs"]
mod common;
mod fixtures;
mod games;
mod hostile;
mod trees;
