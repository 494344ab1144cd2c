//! Stones on up to 64 points, a bit each: the board of the solvers, which copy states instead of taking moves back. A whole small board, or a part of a
//! large one whose surroundings stay as they are.

use arrayvec::ArrayVec;

use crate::board::{Board, Color, Point, PointSet};

/// Most points of a field.
pub(super) const MOST_POINTS: usize = 64;

/// The stones of Black and White on a field, a bit for each point.
pub(super) type Stones = [u64; 2];

/// Which points there are, what is next to what, and what surrounds them.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// The point of each bit.
    points: Vec<Point>,
    near: [u64; MOST_POINTS],
    /// The points next to those of a set, for each byte of it: a set's neighbours are eight look-ups, however many points it has.
    near_bytes: Box<[[u64; 256]; 8]>,
    all: u64,
    /// For each colour, points with a neighbour outside the field that is empty or a stone of that colour: a chain that has one is never captured.
    anchored: [u64; 2],
    /// For each colour, points with a neighbour outside that is no stone of that colour.
    open: [u64; 2],
    /// Whether a chain of two stones or more may take itself off.
    suicide: bool,
    /// How the bits lie, if that is simple.
    grid: Option<Grid>,
}

/// Points in rows, a bit after the other.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// The way from a row to the next.
    row: u32,
    /// The first column, and the last.
    left: u64,
    right: u64,
}

/// The bits of `set`, lowest first.
pub(super) fn bits(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            bit
        })
    })
}

/// What a stone does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Played {
    /// The stones after it.
    pub(super) stones: Stones,
    /// Enemy stones that were taken.
    pub(super) captured: u64,
    /// Where simple ko forbids the answer: the place of the only stone that was taken, if the new stone stands alone with that one liberty. 0 if none.
    pub(super) ko: u64,
}

impl Field {
    /// All of a board of at most [`MOST_POINTS`] points as a field, and the stones there.
    pub(super) fn whole(board: &Board, suicide: bool) -> (Self, Stones) {
        let size = board.size();
        let all: PointSet = size.points().collect();
        let (mut field, stones) = Self::new(board, &all, suicide).expect("whoever asks looks at the size");
        let column = |x: usize| {
            let points = (0..size.height()).filter_map(|y| size.point(x, y));
            points.filter_map(|point| field.bit(point)).fold(0, |set, bit| set | 1 << bit)
        };
        let (left, right) = (column(0), column(size.width() - 1));
        // Bits follow the points, row by row.
        let row = size.width() as u32;
        field.grid = Some(Grid { row, left, right });
        (field, stones)
    }

    /// The `points` of `board` as a field, and the stones there; nothing if there are more than [`MOST_POINTS`].
    pub(super) fn new(board: &Board, points: &PointSet, suicide: bool) -> Option<(Self, Stones)> {
        let list: Vec<Point> = points.iter().collect();
        if list.len() > MOST_POINTS {
            return None;
        }
        let mut field = Self {
            near: [0; MOST_POINTS],
            near_bytes: Box::new([[0; 256]; 8]),
            all: 0,
            anchored: [0; 2],
            open: [0; 2],
            suicide,
            points: list,
            grid: None,
        };
        let mut stones = [0; 2];
        for bit in 0..field.points.len() {
            let point = field.points[bit];
            field.all |= 1 << bit;
            if let Some(color) = board.stone(point) {
                stones[color.index()] |= 1 << bit;
            }
            for next in board.neighbors(point) {
                match field.bit(next) {
                    Some(other) => field.near[bit] |= 1 << other,
                    None => {
                        for color in Color::ALL {
                            let stone = board.stone(next);
                            field.anchored[color.index()] |= u64::from(stone != Some(!color)) << bit;
                            field.open[color.index()] |= u64::from(stone != Some(color)) << bit;
                        }
                    }
                }
            }
        }
        for (byte, sets) in field.near_bytes.iter_mut().enumerate() {
            for set in 1..256_usize {
                let lowest = set.trailing_zeros() as usize;
                sets[set] = sets[set & (set - 1)] | field.near[8 * byte + lowest];
            }
        }
        Some((field, stones))
    }

    /// The same field where nothing of `color` gets out through the points of `closed` around it.
    pub(super) fn closed_against(mut self, color: Color, board: &Board, closed: &PointSet) -> Self {
        let gets_out = |&bit: &usize| {
            let mut outside = board.neighbors(self.points[bit]).filter(|&near| self.bit(near).is_none());
            outside.any(|near| board.stone(near) == Some(color) || board.is_empty(near) && !closed.contains(near))
        };
        self.anchored[color.index()] = (0..self.points.len()).filter(gets_out).fold(0, |set, bit| set | 1 << bit);
        self
    }

    /// The bit of a point of the field.
    pub(super) fn bit(&self, point: Point) -> Option<usize> {
        self.points.iter().position(|&other| other == point)
    }

    /// The point of a bit.
    pub(super) fn point(&self, bit: usize) -> Point {
        self.points[bit]
    }

    /// Whether a chain of two stones or more may take itself off.
    pub(super) fn has_suicide(&self) -> bool {
        self.suicide
    }

    /// All points.
    pub(super) fn all(&self) -> u64 {
        self.all
    }

    /// The points next to those of `set`, some of which may be in `set`.
    pub(super) fn around(&self, set: u64) -> u64 {
        if let Some(Grid { row, left, right }) = self.grid {
            return ((set & !right) << 1 | (set & !left) >> 1 | set << row | set >> row) & self.all;
        }
        let bytes = self.near_bytes.iter().zip(set.to_le_bytes());
        bytes.fold(0, |near, (sets, byte)| near | sets[byte as usize])
    }

    /// The points next to a point.
    pub(super) fn near(&self, bit: usize) -> u64 {
        self.near[bit]
    }

    /// What is connected with `seed` through points of `within`.
    pub(super) fn connected(&self, seed: u64, within: u64) -> u64 {
        let (mut found, mut fresh) = (seed, seed);
        while fresh != 0 {
            fresh = self.around(fresh) & within & !found;
            found |= fresh;
        }
        found
    }

    /// Whether a chain of `color` reaches out of the field to what keeps it from capture.
    pub(super) fn is_anchored(&self, chain: u64, color: usize) -> bool {
        chain & self.anchored[color] != 0
    }

    /// The empty points next to a chain.
    pub(super) fn liberties(&self, chain: u64, stones: Stones) -> u64 {
        self.around(chain) & self.all & !(stones[0] | stones[1])
    }

    /// `color` plays on the point of `bit`; nothing if that is taken or suicide that the rules forbid. Repetition is for the caller to see.
    pub(super) fn play(&self, stones: Stones, color: usize, bit: usize) -> Option<Played> {
        let point = 1 << bit;
        if (stones[0] | stones[1]) & point != 0 {
            return None;
        }
        let mut after = stones;
        after[color] |= point;
        let mut captured = 0;
        let mut enemies = self.near[bit] & stones[1 - color];
        while enemies != 0 {
            let chain = self.connected(enemies & enemies.wrapping_neg(), stones[1 - color]);
            enemies &= !chain;
            if self.liberties(chain, after) == 0 && !self.is_anchored(chain, 1 - color) {
                captured |= chain;
            }
        }
        after[1 - color] &= !captured;
        if captured == 0 {
            if self.near[bit] & self.all & !(after[0] | after[1]) == 0 && self.anchored[color] & point == 0 {
                let own = self.connected(point, after[color]);
                if self.liberties(own, after) == 0 && !self.is_anchored(own, color) {
                    if !self.suicide || own == point {
                        return None;
                    }
                    after[color] &= !own;
                }
            }
            return Some(Played { stones: after, captured: 0, ko: 0 });
        }
        let alone = self.near[bit] & after[color] == 0 && self.anchored[color] & point == 0;
        let ko = if alone && captured.is_power_of_two() && self.liberties(point, after) == captured { captured } else { 0 };
        Some(Played { stones: after, captured, ko })
    }

    /// The chains of a set of stones.
    pub(super) fn chains(&self, stones: u64) -> impl Iterator<Item = u64> + '_ {
        let mut left = stones;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let chain = self.connected(left & left.wrapping_neg(), left);
                left &= !chain;
                chain
            })
        })
    }

    /// Stones of `color` that live whatever the enemy does and however often `color` passes, and the regions that are settled with them: Benson's algorithm,
    /// as in `rules`, with chains that reach out of the field taken to live.
    pub(super) fn pass_alive(&self, stones: Stones, color: usize) -> (u64, u64) {
        let (own, enemy) = (stones[color], stones[1 - color]);
        if own == 0 {
            return (0, 0);
        }
        // What reaches out of the field is no eye; most of it is one region, found by one walk.
        let within = self.all & !own;
        let outer = self.connected(self.open[color] & within, within);
        // Each with the points around it.
        let (mut chains, mut regions) = (ArrayVec::<(u64, u64), MOST_POINTS>::new(), ArrayVec::<(u64, u64), MOST_POINTS>::new());
        for region in self.chains(within & !outer) {
            regions.push((region, self.around(region)));
        }
        if regions.len() < 2 && own & self.anchored[color] == 0 {
            return (0, 0);
        }
        for chain in self.chains(own) {
            chains.push((chain, self.around(chain)));
        }
        let must_touch = |region: u64| if self.suicide { region } else { region & !enemy };
        let mut mortal = 0;
        loop {
            // Regions next to a chain that may die are no eyes.
            regions.retain(|&mut (_, around)| around & mortal == 0);
            let before = mortal;
            chains.retain(|&mut (chain, outer)| {
                let vital = |&&(region, _): &&(u64, u64)| must_touch(region) & !outer == 0 && region & outer != 0;
                let lives = self.is_anchored(chain, color) || regions.iter().filter(vital).count() >= 2;
                mortal |= if lives { 0 } else { chain };
                lives
            });
            if mortal == before {
                break;
            }
        }
        let alive = chains.iter().fold(0, |all, (chain, _)| all | chain);
        let touched = self.around(alive);
        let settled = |&&(region, around): &&(u64, u64)| {
            around & own & !alive == 0 && around & alive != 0 && (region & !touched).count_ones() < 2
        };
        let territory = regions.iter().filter(settled).fold(0, |all, (region, _)| all | region);
        (alive, territory)
    }

    /// The area score of the stones as they stand, Black's less White's: what is settled, points that touch one colour only, and stones; of a field that is a
    /// whole board.
    pub(super) fn area_score(&self, stones: Stones) -> i32 {
        let mut owned = [0; 2];
        for color in 0..2 {
            let (alive, territory) = self.pass_alive(stones, color);
            owned[color] = alive | territory;
            if alive != 0 {
                // Room enough to live in, but nobody does.
                let own = stones[color];
                for region in self.chains(self.all & !own) {
                    if region & stones[1 - color] == 0 && self.around(region) & own & !alive == 0 {
                        owned[color] |= region;
                    }
                }
            }
        }
        let settled = owned[0] | owned[1];
        for region in self.chains(self.all & !(stones[0] | stones[1])) {
            let around = self.around(region);
            for color in 0..2 {
                if around & stones[color] != 0 && around & stones[1 - color] == 0 {
                    owned[color] |= region & !settled;
                }
            }
        }
        for color in 0..2 {
            owned[color] |= stones[color] & !settled;
        }
        owned[0].count_ones() as i32 - owned[1].count_ones() as i32
    }
}
