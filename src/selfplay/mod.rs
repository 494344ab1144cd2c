//! Self-play: games that an engine plays against itself, and the training rows that come of them.
//!
//! Read `play.rs` first: it holds a game. `start.rs` says how it begins, `player.rs` who plays it, `record.rs` what is kept of it, `targets.rs` what a
//! network is to learn from it. `run.rs` plays many at once, `store.rs` is their folder, and `params.rs` holds all settings with their reasons.
//!
//! Sources: D. Silver et al., Mastering the game of Go without human knowledge, 2017; D. Wu, Accelerating Self-Play Learning in Go, 2019
//! (arXiv 1902.10565), and KataGo's public documentation of its methods.

mod params;
mod play;
mod player;
mod record;
mod run;
mod start;
mod store;
mod targets;
mod values;

pub use params::{EndParams, GameParams, RowParams, SearchParams, Settings};
pub use player::Judge;
pub use record::{Ending, GameRecord, Raw, Turn};
pub use run::{Plan, Progress, RunError, Watcher, run};
pub use store::{Part, Store, StoreError, fingerprint};
pub use targets::{RowOptions, rows};
pub use values::{RulesChoice, SizeWeights};
