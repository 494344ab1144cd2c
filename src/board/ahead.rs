//! What a move would do, without playing it.

use super::board::{Board, Cell};
use super::color::Color;
use super::point::Point;
use super::zobrist::KEYS;

impl Board {
    /// What [`Board::hash`] would be after `color` played on the empty point `point`, captures and suicide included.
    pub fn hash_after(&self, color: Color, point: Point) -> u64 {
        let mut hash = self.hash() ^ KEYS[color.index()][point.index()];
        let suicide = self.is_suicide(color, point);
        if suicide {
            hash = self.hash();
        }
        // By suicide the own chains around go; otherwise the enemy chains whose last liberty this is.
        let lost = if suicide { color } else { !color };
        let mut heads = [Point::from_index(0); 4];
        for (count, near) in self.around(point.index()).into_iter().enumerate() {
            let near = Point::from_index(near);
            if self.stone(near) != Some(lost) || !self.in_atari(near) || heads[..count].contains(&self.head(near)) {
                continue;
            }
            heads[count] = self.head(near);
            hash = self.chain(near).fold(hash, |hash, stone| hash ^ KEYS[lost.index()][stone.index()]);
        }
        hash
    }

    /// The stone that `color` would take by a ko capture on `point`: `point` is empty and hemmed in by enemy stones, just one of which,
    /// a single stone, is in atari.
    pub fn ko_capture(&self, color: Color, point: Point) -> Option<Point> {
        let around = self.around(point.index());
        let hemmed_in = |near| self.cell(near) == Cell::BORDER || self.cell(near) == Cell::stone(!color);
        if !self.is_empty(point) || !around.into_iter().all(hemmed_in) {
            return None;
        }
        let mut taken = self.neighbors(point).filter(|&near| self.in_atari(near));
        let stone = taken.next()?;
        (taken.next().is_none() && self.chain_length(stone) == 1).then_some(stone)
    }
}
