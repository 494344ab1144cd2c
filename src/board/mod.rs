//! The board: colours, points, chains and capture. It knows no history, no rule set and no input or output.

mod ahead;
mod ascii;
#[expect(clippy::module_inception, reason = "the board is the main thing in the board module")]
mod board;
mod color;
mod handicap;
pub mod ladder;
mod liberties;
mod pattern;
mod play;
mod point;
mod set;
mod symmetry;
mod zobrist;

pub use ascii::{BadDrawing, draw};
pub(crate) use board::Cell;
pub use board::{Board, NoLiberty};
pub use color::{Color, NoColor};
pub use handicap::fixed_handicap;
pub use pattern::Shapes;
pub use play::Undo;
pub(crate) use point::GRID;
pub use point::{BadSize, BadVertex, Coord, MAX_AREA, MAX_SIDE, MIN_SIDE, Move, Point, Size};
pub use set::PointSet;
pub use symmetry::Symmetry;
