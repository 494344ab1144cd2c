//! Which stones a local problem is about, and which points belong to it, found from the board alone. Stones that hang together make groups; each empty point is room
//! of the groups nearest to it; a group with little room is shut in, and may be the problem.

use std::collections::VecDeque;

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
    /// Whether the attacker is taken to hold whatever lies around the region, so that nobody gets out through it.
    pub(super) sealed: bool,
}

/// Stones that hang together, and the empty points to which no other group is nearer.
#[derive(Clone, Debug)]
struct Group {
    color: Color,
    stones: PointSet,
    room: PointSet,
}

impl Group {
    fn is_shut_in(&self) -> bool {
        self.room.len() <= SHUT_IN
    }
}

/// Most points of a region.
const MOST: usize = super::field::MOST_POINTS;
/// A group with more room than this is not shut in.
const SHUT_IN: usize = 24;
/// Enemy chains with at most so many liberties are part of the problem, whatever room their group has.
const WEAK: usize = 3;

/// Stones of `color` that hang together with the one at `first`: solidly, or over an empty point or a diagonal that the enemy has not cut.
fn hang_together(board: &Board, first: Point, color: Color) -> PointSet {
    let own = |point: Point| board.stone(point) == Some(color);
    let enemies = |point: Point| board.neighbors(point).filter(|&near| board.stone(near) == Some(!color)).count();
    let (mut stones, mut open) = (PointSet::EMPTY, vec![first]);
    stones.insert(first);
    while let Some(point) = open.pop() {
        let mut near: Vec<Point> = board.neighbors(point).filter(|&near| own(near)).collect();
        for gap in board.neighbors(point).filter(|&gap| board.is_empty(gap) && enemies(gap) < 2) {
            near.extend(board.neighbors(gap).filter(|&other| own(other)));
        }
        for other in board.diagonal_neighbors(point).filter(|&other| own(other)) {
            let mut between = board.neighbors(point).filter(|&between| board.neighbors(other).any(|near| near == between));
            if between.any(|between| board.stone(between) != Some(!color)) {
                near.push(other);
            }
        }
        open.extend(near.into_iter().filter(|&other| stones.insert(other)));
    }
    stones
}

/// All groups with their room.
fn groups(board: &Board) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for point in board.size().points() {
        let Some(color) = board.stone(point) else { continue };
        if !groups.iter().any(|group| group.stones.contains(point)) {
            groups.push(Group { color, stones: hang_together(board, point, color), room: PointSet::EMPTY });
        }
    }
    // A walk from all stones at once: distance and owners of each point.
    let mut reached: Vec<Option<(u32, Vec<usize>)>> = vec![None; Point::INDICES];
    let mut queue = VecDeque::new();
    for (number, group) in groups.iter().enumerate() {
        for stone in group.stones.iter() {
            reached[stone.index()] = Some((0, vec![number]));
            queue.push_back(stone);
        }
    }
    while let Some(point) = queue.pop_front() {
        let Some((distance, owners)) = reached[point.index()].clone() else { continue };
        for near in board.neighbors(point).filter(|&near| board.is_empty(near)) {
            match &mut reached[near.index()] {
                Some((other, others)) if *other == distance + 1 => {
                    others.extend(owners.iter().filter(|owner| !others.contains(owner)).copied().collect::<Vec<_>>());
                }
                Some(_) => {}
                fresh => {
                    *fresh = Some((distance + 1, owners.clone()));
                    queue.push_back(near);
                }
            }
        }
    }
    for point in board.size().points().filter(|&point| board.is_empty(point)) {
        for &owner in reached[point.index()].iter().flat_map(|(_, owners)| owners) {
            groups[owner].room.insert(point);
        }
    }
    groups
}

/// The region around the chain at `at`.
pub(super) fn around(board: &Board, at: Point) -> Option<Region> {
    let groups = groups(board);
    let group = groups.iter().find(|group| group.stones.contains(at))?;
    let target: PointSet = board.chain(at).collect();
    Some(Region { points: points(board, &groups, group, &target), target, defender: group.color, sealed: group.is_shut_in() })
}

/// The regions of all groups that are shut in, the largest group first; of the one with least room if there are none.
pub(super) fn candidates(board: &Board) -> Vec<Region> {
    let groups = groups(board);
    let mut shut_in: Vec<&Group> = groups.iter().filter(|group| group.is_shut_in()).collect();
    shut_in.sort_by_key(|group| std::cmp::Reverse((group.stones.len(), group.room.len())));
    if shut_in.is_empty() {
        shut_in.extend(groups.iter().min_by_key(|group| group.room.len()));
    }
    let region = |group: &&Group| {
        let largest = group.stones.iter().map(|stone| board.chain_length(stone)).max()?;
        // Its main chains: a stone that is cut off on the way is no matter.
        let target: PointSet = group.stones.iter().filter(|&stone| 2 * board.chain_length(stone) > largest).collect();
        Some(Region { points: points(board, &groups, group, &target), target, defender: group.color, sealed: group.is_shut_in() })
    };
    shut_in.iter().filter_map(region).collect()
}

/// The group and its room, other groups that are shut in there, and chains around that could be taken, with their liberties.
fn points(board: &Board, groups: &[Group], group: &Group, target: &PointSet) -> PointSet {
    let mut points = *target;
    let add = |points: &mut PointSet, more: &PointSet| {
        let fresh: PointSet = more.iter().filter(|&point| !points.contains(point)).collect();
        let fits = points.len() + fresh.len() <= MOST && !fresh.is_empty();
        if fits {
            points.extend(&fresh);
        }
        fits
    };
    // Liberties first, then room from near to far.
    for stone in target.iter() {
        let near: PointSet = board.neighbors(stone).filter(|&near| board.is_empty(near)).collect();
        add(&mut points, &near);
    }
    add(&mut points, &group.stones);
    loop {
        let edge: PointSet =
            points.iter().flat_map(|point| board.neighbors(point)).filter(|&near| group.room.contains(near)).collect();
        if !edge.iter().map(|point| add(&mut points, &std::iter::once(point).collect())).fold(false, |any, one| any | one) {
            break;
        }
    }
    let touches =
        |points: &PointSet, set: &PointSet| set.iter().any(|stone| board.neighbors(stone).any(|near| points.contains(near)));
    for other in groups.iter().filter(|other| other.stones != group.stones) {
        if !touches(&points, &other.stones) {
            continue;
        }
        if other.is_shut_in() {
            let mut more = other.stones;
            more.extend(&other.room);
            add(&mut points, &more);
            continue;
        }
        for stone in other.stones.iter().filter(|&stone| other.color != group.color && board.head(stone) == stone) {
            let chain: PointSet = board.chain(stone).collect();
            if board.liberty_count(stone) <= WEAK && touches(target, &chain) {
                let mut more = chain;
                more.extend(
                    &chain.iter().flat_map(|stone| board.neighbors(stone)).filter(|&near| board.is_empty(near)).collect(),
                );
                add(&mut points, &more);
            }
        }
    }
    // A step around the target's liberties, so that what is played there can be answered.
    let liberties: PointSet =
        target.iter().flat_map(|stone| board.neighbors(stone)).filter(|&near| board.is_empty(near)).collect();
    for liberty in liberties.iter() {
        add(&mut points, &board.neighbors(liberty).filter(|&near| board.is_empty(near)).collect());
    }
    points
}
