//! The rules of Go: rule sets, and a game's position with its history.

mod benson;
mod cleanup;
mod history;
mod legality;
mod outcome;
mod perft;
mod play;
mod position;
mod random;
mod ruleset;
mod score;

pub(crate) use benson::pass_alive_beside;
pub use benson::{PassAlive, pass_alive};
pub use outcome::Outcome;
pub use perft::{legal_positions, legal_positions_by_top_row, perft, perft_by_move};
pub use play::IllegalMove;
pub use position::{Phase, Position};
pub use ruleset::{BadRules, HandicapBonus, KoRule, Rules, Scoring, Tax};
pub use score::{Owners, area};
