//! Who owns which point, and the score that makes.
//!
//! Two kinds. The formal count takes the board as it stands, needs no judge and is what ends a game inside a search (KataGo's public
//! rules document, version 2). The judged count is for games that ended by two passes: someone says which stones are dead.

use arrayvec::ArrayVec;

use super::benson::pass_alive;
use super::position::{Phase, Position};
use super::ruleset::{Scoring, Tax};
use crate::board::{Board, Color, MAX_AREA, Point, PointSet};

/// The points of each colour, by [`Color::index`]; a point may belong to nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owners([PointSet; 2]);

impl Owners {
    /// Whose `point` is.
    pub fn owner(&self, point: Point) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.0[color.index()].contains(point))
    }

    /// The points of `color`.
    pub fn of(&self, color: Color) -> &PointSet {
        &self.0[color.index()]
    }

    fn give(&mut self, point: Point, color: Color) {
        self.0[color.index()].insert(point);
    }

    /// Black's points minus White's.
    pub fn balance(&self) -> i32 {
        self.0[0].len() as i32 - self.0[1].len() as i32
    }
}

/// Area as it stands: pass-alive stones and territory (dead stones there are their captor's), then empty regions that touch one colour
/// only, then every other stone as its own colour's. `suicide` says whether pass-alive means so under multi-stone suicide.
pub fn area(board: &Board, suicide: bool) -> Owners {
    let mut owners = Owners::default();
    for color in Color::ALL {
        let found = pass_alive(board, color, suicide);
        for part in [&found.stones, &found.territory, &found.enclosed] {
            owners.0[color.index()].extend(part);
        }
    }
    for_each_empty_region(board, &PointSet::EMPTY, |region, touched| {
        let [color] = *touched else { return };
        for &point in region {
            if owners.owner(point).is_none() {
                owners.give(point, color);
            }
        }
    });
    for point in board.size().points() {
        if let (Some(color), None) = (board.stone(point), owners.owner(point)) {
            owners.give(point, color);
        }
    }
    owners
}

/// The parts of `area` that stand by themselves, and how many there are of each colour. A connected part of one colour that touches an
/// empty point of nobody's, or holds an own stone in atari, is in seki and left out.
fn independent(board: &Board, area: &Owners) -> (Owners, [i32; 2]) {
    let (mut owners, mut parts) = (Owners::default(), [0; 2]);
    let mut seen = PointSet::EMPTY;
    for first in board.size().points() {
        let Some(color) = area.owner(first) else { continue };
        if seen.contains(first) {
            continue;
        }
        let mut seki = false;
        let mut part: ArrayVec<Point, MAX_AREA> = ArrayVec::new();
        seen.insert(first);
        part.push(first);
        let mut done = 0;
        while done < part.len() {
            let point = part[done];
            done += 1;
            seki |= board.stone(point) == Some(color) && board.in_atari(point);
            for near in board.neighbors(point) {
                if area.of(color).contains(near) {
                    if seen.insert(near) {
                        part.push(near);
                    }
                } else {
                    seki |= board.is_empty(near) && area.owner(near).is_none();
                }
            }
        }
        if !seki {
            parts[color.index()] += 1;
            owners.0[color.index()].extend(&part.into_iter().collect());
        }
    }
    (owners, parts)
}

/// Calls `each` with every maximal connected set of points that are empty or in `lifted`, and the colours of the stones it touches.
fn for_each_empty_region(board: &Board, lifted: &PointSet, mut each: impl FnMut(&[Point], &[Color])) {
    let mut seen = PointSet::EMPTY;
    let stone = |point| board.stone(point).filter(|_| !lifted.contains(point));
    for first in board.size().points() {
        if stone(first).is_some() || seen.contains(first) {
            continue;
        }
        let mut touched: ArrayVec<Color, 2> = ArrayVec::new();
        let mut region: ArrayVec<Point, MAX_AREA> = ArrayVec::new();
        seen.insert(first);
        region.push(first);
        let mut done = 0;
        while done < region.len() {
            let point = region[done];
            done += 1;
            for near in board.neighbors(point) {
                match stone(near) {
                    Some(color) if !touched.contains(&color) => touched.push(color),
                    Some(_) => {}
                    None => {
                        if seen.insert(near) {
                            region.push(near);
                        }
                    }
                }
            }
        }
        each(&region, &touched);
    }
}

impl Position {
    /// Who owns which point by the formal count of the board as it stands, with the stones that count in seki. `suicide` as for [`area`];
    /// the rules' own setting gives [`Position::formal_score`].
    pub fn formal_owners(&self, suicide: bool) -> Owners {
        self.formal_count(suicide).0
    }

    /// [`Position::formal_owners`], and what Black gets in group tax.
    pub(crate) fn formal_count(&self, suicide: bool) -> (Owners, i32) {
        let (board, rules) = (self.board(), self.rules());
        let area = area(board, suicide);
        if rules.scoring == Scoring::Area && rules.tax == Tax::None {
            return (area, 0);
        }
        let (mut owners, parts) = independent(board, &area);
        for point in board.size().points() {
            let stone = board.stone(point);
            let owner = area.owner(point);
            let counts = match rules.scoring {
                // Stones count, in seki too.
                Scoring::Area => stone.filter(|_| stone == owner),
                // Stones in seki count if they were there when the second cleanup phase began: filling dame makes no points.
                Scoring::Territory if owners.owner(point).is_some() => None,
                Scoring::Territory if rules.tax == Tax::None && stone != owner => owner,
                Scoring::Territory => {
                    stone.filter(|_| self.phase() != Phase::Cleanup2 || self.second_cleanup_start(point) == stone)
                }
            };
            if let Some(color) = counts {
                owners.give(point, color);
            }
        }
        let tax = if rules.tax == Tax::All { 2 * (parts[1] - parts[0]) } else { 0 };
        (owners, tax)
    }

    /// The score from Black's side by the formal count of the board as it stands, komi and all bonuses included. A button that
    /// nobody took counts for the player to move.
    pub fn formal_score(&self) -> f32 {
        let (owners, tax) = self.formal_count(self.rules().suicide);
        let button = if self.button() { 0.5 * self.to_move().sign() } else { 0.0 };
        (owners.balance() + tax) as f32 + button - self.white_bonus()
    }

    /// The score from Black's side when all stones in `dead` are taken off, komi and all bonuses included. Where the rules tax seki,
    /// points next to a stone in `seki` do not count; where they tax groups, each pays two points.
    ///
    /// For games that end at two passes. Under territory scoring the dead and the captured stones are prisoners.
    pub fn judged_score(&self, dead: &PointSet, seki: &PointSet) -> f32 {
        let (board, rules) = (self.board(), self.rules());
        let owners = self.judged_owners(dead, seki);
        let tax = if rules.tax == Tax::All { judged_tax(board, &owners, seki) } else { 0 };
        if rules.scoring == Scoring::Area {
            return (owners.balance() + tax) as f32 - self.white_bonus();
        }
        let side = |color: Color| {
            let territory = owners.of(color).iter().filter(|&point| board.stone(point) != Some(color)).count();
            let dead_enemies = dead.iter().filter(|&point| board.stone(point) == Some(!color)).count();
            (territory + dead_enemies + board.captures(color)) as i32
        };
        let handicap = rules.handicap_bonus.points(self.handicap_stones());
        (side(Color::Black) - side(Color::White) + tax) as f32 - rules.komi - handicap as f32
    }

    /// Who owns which point when all stones in `dead` are taken off: the living stones their own points, and each the points that only
    /// its colour surrounds. Where the rules tax seki, points next to a stone in `seki` are nobody's.
    pub fn judged_owners(&self, dead: &PointSet, seki: &PointSet) -> Owners {
        let board = self.board();
        let mut owners = Owners::default();
        for_each_empty_region(board, dead, |region, touched| {
            let [color] = *touched else { return };
            let in_seki = |&point: &Point| board.neighbors(point).any(|near| seki.contains(near));
            if self.rules().tax == Tax::None || !region.iter().any(in_seki) {
                owners.0[color.index()].extend(&region.iter().copied().collect());
            }
        });
        for point in board.size().points().filter(|&point| !dead.contains(point)) {
            if let Some(color) = board.stone(point) {
                owners.give(point, color);
            }
        }
        owners
    }
}

/// What Black gets in group tax: two points for each connected part of the area that White has more, parts in seki not counted.
fn judged_tax(board: &Board, owners: &Owners, seki: &PointSet) -> i32 {
    let mut tax = 0;
    let mut seen = PointSet::EMPTY;
    for first in board.size().points() {
        let Some(color) = owners.owner(first) else { continue };
        if !seen.insert(first) {
            continue;
        }
        let mut part: ArrayVec<Point, MAX_AREA> = ArrayVec::new();
        part.push(first);
        let mut done = 0;
        while done < part.len() {
            let fresh = board.neighbors(part[done]).filter(|&near| owners.of(color).contains(near) && seen.insert(near));
            part.extend(fresh);
            done += 1;
        }
        if !part.iter().any(|&point| seki.contains(point)) {
            tax += if color == Color::Black { -2 } else { 2 };
        }
    }
    tax
}
