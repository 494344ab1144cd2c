//! A board on which nothing is left to play but a local problem, for playouts: they are several times shorter there, and end as the problem ends.

use std::collections::VecDeque;

use super::region::Region;
use crate::board::{Color, Point, PointSet};
use crate::rules::Position;

/// `position` with all empty points outside `area` filled by the colour of the nearest stone that is not part of `region`, but for a net of eyes. Nothing if that
/// leaves a chain without liberties, or a ko is going on, which a board does not tell.
pub(super) fn filled(position: &Position, area: &PointSet, region: &Region) -> Option<Position> {
    let (board, size) = (position.board(), position.size());
    if board.ko().is_some() {
        return None;
    }
    let mut owner: Vec<Option<Color>> = vec![None; Point::INDICES];
    let mut queue = VecDeque::new();
    for point in size.points() {
        if let Some(color) = board.stone(point).filter(|_| !region.points.contains(point)) {
            owner[point.index()] = Some(color);
            queue.push_back(point);
        }
    }
    let fills = |point: Point| board.is_empty(point) && !area.contains(point);
    while let Some(point) = queue.pop_front() {
        for near in board.neighbors(point).filter(|&near| fills(near)) {
            if owner[near.index()].is_none() {
                owner[near.index()] = owner[point.index()];
                queue.push_back(near);
            }
        }
    }
    // Points of this pattern never touch one another, not even at corners, and every stone is near one.
    let is_eye = |point: Point| {
        let coord = size.coord(point);
        (coord.x + 3 * coord.y) % 5 == 0
    };
    let default = !region.defender;
    let fill: Vec<(Point, Option<Color>)> = size
        .points()
        .filter(|&point| fills(point) && !is_eye(point))
        .map(|point| (point, Some(owner[point.index()].unwrap_or(default))))
        .collect();
    let mut board = board.clone();
    board.set_up(&fill).ok()?;
    Some(Position::from_board(board, position.to_move(), *position.rules()))
}
