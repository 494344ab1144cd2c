//! The rules of Go: rule sets, and a game's position with its history.

mod ruleset;

pub use ruleset::{BadRules, HandicapBonus, KoRule, Rules, Scoring, Tax};
