//! The board: colours, points, chains and capture. It knows no history, no rule set and no input or output.

mod color;
mod point;

pub use color::Color;
pub use point::{Coord, MAX_AREA, MAX_SIDE, MIN_SIDE, Move, Point, Size};
