//! What a local problem is about and which points belong to it, found from a [`Survey`]. Stones on whose fate who moves first has a say are targets; stones that stand in either case
//! are walls, which the region ends at.

use super::field::MOST_POINTS;
use super::survey::{Fate, Survey};
use crate::board::{Board, Color, Point, PointSet};

/// A local problem's place.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Where is played.
    pub(super) points: PointSet,
    /// The stones that are to be taken, or saved.
    pub(super) target: PointSet,
    /// Whose they are.
    pub(super) defender: Color,
    /// Empty points around the region that the attacker is taken to hold, so that nobody gets out there.
    pub(super) closed: PointSet,
    /// How much hangs on it.
    pub(super) weight: f32,
}

/// A chain is in question from this share of the largest swing,
const UNSETTLED: f32 = 0.35;
/// and stands together with another as one target from this share of its swing.
const TOGETHER: f32 = 0.6;
/// Walls next to the target with at most so many liberties are part of the problem: they may be taken.
const WEAK: usize = 3;
/// Most questions.
const MOST_REGIONS: usize = 6;

/// How far a region goes.
#[derive(Clone, Copy)]
struct Extent {
    /// Steps from what is in question.
    reach: u32,
    /// Most empty points; further ones are left out.
    empty: usize,
}

/// Of a problem that is looked at for seconds.
const WIDE: Extent = Extent { reach: 3, empty: 34 };
/// Of a fight that is read in a moment.
const NARROW: Extent = Extent { reach: 2, empty: 14 };

/// The questions that `board` puts when `first` moves, those on which most hangs first.
pub(super) fn regions(board: &Board, survey: &Survey, first: Color) -> Vec<Region> {
    let unsettled = unsettled(survey);
    let mut regions: Vec<Region> = unsettled.iter().map(|fate| region(board, survey, &[**fate])).collect();
    for color in Color::ALL {
        let Some(main) = unsettled.iter().position(|fate| fate.color == color) else { continue };
        let (fate, place) = (unsettled[main], regions[main].points);
        let belongs =
            |other: &&Fate| other.color == color && other.swing() >= TOGETHER * fate.swing() && place.contains(other.head);
        let all: Vec<Fate> = unsettled.iter().copied().filter(belongs).copied().collect();
        if color == first {
            // With the main chain the others are saved, most of the time.
            regions[main].weight = all.iter().map(weight).sum();
        } else if all.len() > 1 {
            // Taking one of them is not enough.
            regions.push(region(board, survey, &all));
        }
    }
    regions.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    regions.truncate(MOST_REGIONS);
    regions
}

/// The chains in question.
pub(super) fn unsettled(survey: &Survey) -> Vec<&Fate> {
    let most = survey.chains.iter().map(Fate::swing).fold(0.0, f32::max);
    survey.chains.iter().filter(|fate| fate.swing() > 0.0 && fate.swing() >= UNSETTLED * most).collect()
}

/// How much hangs on a chain: large ones more, but not in proportion, for what decides may be a few cutting stones.
fn weight(fate: &Fate) -> f32 {
    fate.swing() * (fate.stones as f32).sqrt()
}

/// The question about the chain at `at`.
pub(super) fn around(board: &Board, survey: &Survey, at: Point) -> Option<Region> {
    let fate = survey.chains.iter().find(|fate| fate.head == board.head(at))?;
    Some(region(board, survey, &[*fate]))
}

/// The question about the chain at `at`, whose owner is `defender`, where nothing is known but the board: all that is not weak stands, and who gets out is safe.
pub(super) fn narrow(board: &Board, at: Point, defender: Color) -> Region {
    let target: PointSet = board.chain(at).collect();
    let walls: PointSet = board.size().points().filter(|&point| !board.is_empty(point) && !target.contains(point)).collect();
    let mut points = grow(board, &target, &walls, NARROW);
    add_weak_walls(board, &target, &mut points);
    Region { points, target, defender, closed: PointSet::EMPTY, weight: target.len() as f32 }
}

/// The question about `targets`, chains of one colour.
fn region(board: &Board, survey: &Survey, targets: &[Fate]) -> Region {
    let defender = targets[0].color;
    let target: PointSet = targets.iter().flat_map(|fate| board.chain(fate.head)).collect();
    let most = survey.chains.iter().map(Fate::swing).fold(0.0, f32::max);
    let stands = |fate: &&Fate| fate.swing() < UNSETTLED * most && fate.worst > 0.0;
    let walls: PointSet = survey
        .chains
        .iter()
        .filter(stands)
        .flat_map(|fate| board.chain(fate.head))
        .filter(|&stone| !target.contains(stone))
        .collect();
    let mut points = grow(board, &target, &walls, WIDE);
    add_weak_walls(board, &target, &mut points);
    let outside: PointSet = points
        .iter()
        .flat_map(|point| board.neighbors(point))
        .filter(|&near| board.is_empty(near) && !points.contains(near))
        .collect();
    let held = |&point: &Point| survey.owner(board, point, !defender) * defender.sign() < 0.0;
    let closed = outside.iter().filter(held).collect();
    let weight = targets.iter().map(weight).sum();
    Region { points, target, defender, closed, weight }
}

/// The target and what is around it, from near to far: empty points, and stones that are no walls.
fn grow(board: &Board, target: &PointSet, walls: &PointSet, extent: Extent) -> PointSet {
    let (mut points, mut empty) = (*target, 0);
    let mut ring: Vec<Point> = target.iter().collect();
    for _ in 0..extent.reach {
        let mut next = Vec::new();
        let mut open = ring;
        while let Some(point) = open.pop() {
            for near in board.neighbors(point).filter(|&near| !walls.contains(near)) {
                if points.contains(near) {
                    continue;
                }
                if board.is_empty(near) {
                    if empty < extent.empty && points.len() < MOST_POINTS {
                        empty += 1;
                        points.insert(near);
                        next.push(near);
                    }
                } else if points.len() + board.chain_length(near) <= MOST_POINTS {
                    points.extend(&board.chain(near).collect());
                    open.extend(board.chain(near));
                }
            }
        }
        ring = next;
    }
    points
}

/// Adds walls that may be taken: those next to the target with few liberties, and those all of whose liberties are in the region.
fn add_weak_walls(board: &Board, target: &PointSet, points: &mut PointSet) {
    let near = |set: &PointSet| -> PointSet { set.iter().flat_map(|point| board.neighbors(point)).collect() };
    let mut seen = *points;
    let mut grows = true;
    while grows {
        grows = false;
        for stone in near(points).iter().filter(|&point| !board.is_empty(point)) {
            if seen.contains(stone) {
                continue;
            }
            let mut more: PointSet = board.chain(stone).collect();
            seen.extend(&more);
            let around = near(&more);
            let liberties: PointSet = around.iter().filter(|&near| board.is_empty(near)).collect();
            let is_inside = liberties.iter().all(|liberty| points.contains(liberty));
            let is_weak = liberties.len() <= WEAK && around.iter().any(|near| target.contains(near));
            more.extend(&liberties);
            more.extend(points);
            if (is_inside || is_weak) && more.len() <= MOST_POINTS {
                *points = more;
                grows = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The survey where the chains at `unsettled` are their owner's if it moves first, and all others stand.
    fn survey(board: &Board, unsettled: &[&str]) -> Survey {
        let size = board.size();
        let heads: Vec<Point> = unsettled.iter().map(|at| board.head(size.parse_vertex(at).unwrap().point().unwrap())).collect();
        let owners = Color::ALL.map(|first| {
            let owner = |point| match board.stone(point) {
                Some(color) if heads.contains(&board.head(point)) && color != first => -color.sign(),
                stone => stone.map_or(0.0, Color::sign),
            };
            size.points().map(owner).collect()
        });
        Survey::from_parts(board, owners, [Vec::new(), Vec::new()])
    }

    #[test]
    fn walls_end_a_region_but_stones_in_the_eye_space_do_not() {
        let board = Board::from_drawing(
            "
            . . . . . X .
            . O . O X . .
            . . . O X . O
            . . . O X X .
            . . . O O O O
            . . . . . . .
            . . . . . . .",
        )
        .unwrap();
        let at = |vertex: &str| board.size().parse_vertex(vertex).unwrap().point().unwrap();
        let regions = regions(&board, &survey(&board, &["E6", "F7"]), Color::Black);
        let Region { points, target, defender, .. } = &regions[0];
        assert_eq!((*defender, target.len(), target.contains(at("E6"))), (Color::Black, 4, true));
        for inside in ["F6", "F5", "G7", "G6", "G4", "F7", "E7", "G5"] {
            assert!(points.contains(at(inside)), "{inside}");
        }
        for outside in ["D6", "G3", "C5"] {
            assert!(!points.contains(at(outside)), "{outside}");
        }
    }

    #[test]
    fn what_hangs_on_nobodys_move_is_no_question() {
        let board = Board::from_drawing(". X .\n. . O\n. . .").unwrap();
        assert!(regions(&board, &survey(&board, &[]), Color::Black).is_empty());
    }
}
