//! Pass-alive stones and territory, by D. B. Benson's algorithm (Life in the Game of Go, 1976), and with the border cases as KataGo's
//! public rules have them: what it calls pass-alive may be taken for settled however often its owner passes.

use arrayvec::ArrayVec;

use crate::board::{Board, Color, GRID, MAX_AREA, Point, PointSet};

/// What is settled for one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassAlive {
    /// Its stones that no sequence of enemy moves can capture.
    pub stones: PointSet,
    /// Regions bordered by such stones only, in which the enemy cannot live: at most one point touches none of them. With the dead
    /// enemy stones there.
    pub territory: PointSet,
    /// Regions bordered by such stones only that hold no enemy stone but may have room for some to live.
    pub enclosed: PointSet,
}

/// A connected set of points without stones of the colour.
struct Region {
    /// Heads of the chains that it is vital to: all its empty points touch them (all its points, where suicide is legal).
    vital: ArrayVec<Point, 4>,
    /// Points that touch no stone of the colour; counted up to two.
    inner: u8,
    /// Whether it holds enemy stones.
    enemy: bool,
    /// Whether a chain on its border is not pass-alive.
    open: bool,
}

/// A region for every empty point that has no empty neighbour is the most a board can have.
const MAX_REGIONS: usize = MAX_AREA.div_ceil(2);
const NO_REGION: u16 = u16::MAX;

struct Analysis<'a> {
    board: &'a Board,
    color: Color,
    suicide: bool,
    regions: ArrayVec<Region, MAX_REGIONS>,
    /// The region of each point, by grid index.
    region: [u16; GRID],
}

/// The pass-alive stones and territory of `color`, for rules with or without multi-stone `suicide`.
pub fn pass_alive(board: &Board, color: Color, suicide: bool) -> PassAlive {
    pass_alive_beside(board, color, suicide, |_| false)
}

/// The same where chains whose head (as [`Board::head`] tells it) is `sure` are known to live by other means.
pub(crate) fn pass_alive_beside(board: &Board, color: Color, suicide: bool, sure: impl Fn(Point) -> bool) -> PassAlive {
    if board.stones(color) == 0 {
        return PassAlive::default();
    }
    let mut analysis = Analysis { board, color, suicide, regions: ArrayVec::new(), region: [NO_REGION; GRID] };
    for &point in board.empties() {
        if analysis.region[point.index()] == NO_REGION {
            analysis.add_region(point);
        }
    }
    let stones = analysis.living_stones(sure);
    let mut found = PassAlive { stones, ..PassAlive::default() };
    for point in board.size().points() {
        let Some(region) = analysis.regions.get(analysis.region[point.index()] as usize) else { continue };
        if region.open {
            continue;
        }
        if region.inner < 2 {
            found.territory.insert(point);
        } else if !region.enemy {
            found.enclosed.insert(point);
        }
    }
    found
}

impl Analysis<'_> {
    /// Walks the region around the empty point `first`. (Every region has one: stones need a liberty.)
    fn add_region(&mut self, first: Point) {
        let board = self.board;
        let number = self.regions.len() as u16;
        let mut region = Region { vital: ArrayVec::new(), inner: 0, enemy: false, open: false };
        for near in board.neighbors(first).filter(|&near| board.stone(near) == Some(self.color)) {
            if !region.vital.contains(&board.head(near)) {
                region.vital.push(board.head(near));
            }
        }
        let mut queue: ArrayVec<Point, MAX_AREA> = ArrayVec::new();
        queue.push(first);
        self.region[first.index()] = number;
        let mut done = 0;
        while done < queue.len() {
            let point = queue[done];
            done += 1;
            let mut touched: ArrayVec<Point, 4> = ArrayVec::new();
            for near in board.neighbors(point) {
                if board.stone(near) == Some(self.color) {
                    touched.push(board.head(near));
                } else if self.region[near.index()] == NO_REGION {
                    self.region[near.index()] = number;
                    queue.push(near);
                }
            }
            if touched.is_empty() && region.inner < 2 {
                region.inner += 1;
            }
            if board.is_empty(point) || self.suicide {
                region.vital.retain(|head| touched.contains(head));
            }
            region.enemy |= !board.is_empty(point);
        }
        self.regions.push(region);
    }

    /// Benson's iteration: takes away chains with fewer than two vital regions, unless they are `sure`, then the regions that border them, until none goes.
    fn living_stones(&mut self, sure: impl Fn(Point) -> bool) -> PointSet {
        let board = self.board;
        let mut vital = [0u16; GRID];
        for head in self.regions.iter().flat_map(|region| &region.vital) {
            vital[head.index()] += 1;
        }
        let mut living: ArrayVec<Point, MAX_AREA> =
            board.size().points().filter(|&point| board.stone(point) == Some(self.color) && board.head(point) == point).collect();
        loop {
            let before = living.len();
            living.retain(|&mut head| {
                let lives = vital[head.index()] >= 2 || sure(head);
                if !lives {
                    self.open_regions_around(head, &mut vital);
                }
                lives
            });
            if living.len() == before {
                return living.iter().flat_map(|&head| board.chain(head)).collect();
            }
        }
    }

    fn open_regions_around(&mut self, head: Point, vital: &mut [u16; GRID]) {
        let board = self.board;
        for near in board.chain(head).flat_map(|stone| board.neighbors(stone)) {
            let Some(region) = self.regions.get_mut(self.region[near.index()] as usize) else { continue };
            if !region.open {
                region.open = true;
                for head in &region.vital {
                    vital[head.index()] -= 1;
                }
            }
        }
    }
}
