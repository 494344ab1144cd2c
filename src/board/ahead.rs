//! What a move would do, without playing it.

use super::board::{Board, Cell};
use super::color::Color;
use super::liberties::Liberties;
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

    /// True if the empty point `point` is the last liberty of a chain of `color`'s opponent, so that a stone of `color` there captures.
    #[inline]
    pub fn is_capture(&self, color: Color, point: Point) -> bool {
        let enemy = Cell::stone(!color);
        self.around(point.index())
            .into_iter()
            .any(|near| self.cells[near] == enemy && self.liberties[self.head[near] as usize].is_only(point.index()))
    }

    /// True if a stone of `color` on the empty point `point` would leave its chain with fewer than two liberties.
    #[inline]
    pub fn is_self_atari(&self, color: Color, point: Point) -> bool {
        self.empty_neighbors(point) < 2 && !self.liberties_after(color, point).is_two_or_more()
    }

    /// The liberties that the chain of a stone of `color` on the empty point `point` would have, as a multiset. Of a captured chain only the
    /// stones beside `point` are counted, and one more if it has several.
    #[inline]
    fn liberties_after(&self, color: Color, point: Point) -> Liberties {
        let (own, enemy, index) = (Cell::stone(color), Cell::stone(!color), point.index());
        let mut sum = self.liberties[index];
        let mut seen = [0; 4];
        for (turn, near) in self.around(index).into_iter().enumerate() {
            let head = self.head[near];
            let cell = self.cells[near];
            if cell == own {
                sum.remove(Liberties::one(index));
                if !seen.contains(&head) {
                    seen[turn] = head;
                    sum.add(self.liberties[head as usize]);
                }
            } else if cell == enemy && self.liberties[head as usize].is_only(index) {
                sum.add(Liberties::one(near));
                sum.add(Liberties::one(self.next[near] as usize));
            }
        }
        sum
    }

    /// Number of liberties, up to `most`, that the chain of a stone of `color` on the empty point `point` would have. Exact but where
    /// stones are captured: then at least one for each captured neighbour.
    pub fn liberty_count_after(&self, color: Color, point: Point, most: usize) -> usize {
        let mut found: arrayvec::ArrayVec<usize, 8> = arrayvec::ArrayVec::new();
        let most = most.min(found.capacity());
        let (own, enemy, index) = (Cell::stone(color), Cell::stone(!color), point.index());
        let around = self.around(index);
        for near in around {
            let cell = self.cells[near];
            if cell == Cell::EMPTY || cell == enemy && self.liberties[self.head[near] as usize].is_only(index) {
                found.push(near);
            }
        }
        let mut seen = [0; 4];
        for (turn, near) in around.into_iter().enumerate() {
            if self.cells[near] == own && !seen.contains(&self.head[near]) {
                seen[turn] = self.head[near];
                for stone in self.chain(Point::from_index(near)) {
                    for liberty in self.around(stone.index()) {
                        if found.len() >= most {
                            return most;
                        }
                        if self.cells[liberty] == Cell::EMPTY && liberty != index && !found.contains(&liberty) {
                            found.push(liberty);
                        }
                    }
                }
            }
        }
        found.len().min(most)
    }
}
