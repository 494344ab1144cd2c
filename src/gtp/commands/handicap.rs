//! Handicap stones. They are no moves, and White moves next.

use super::{Arguments, Reply, Session};
use crate::board::{Board, Color, Point, Size, fixed_handicap};
use crate::gtp::refusal::Refusal;
use crate::rules::Position;

/// `fixed_handicap STONES`: on the usual points; answers with them.
pub(super) fn fixed(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let stones = arguments.parse("a number of stones")?;
    let points = fixed_handicap(session.size(), stones).ok_or_else(|| {
        Refusal::other("invalid number of stones: this board has no fixed points for it; try place_free_handicap")
    })?;
    place(session, &points)
}

/// `place_free_handicap STONES`: wherever the engine likes; answers with the points, which are always as many as asked for.
pub(super) fn place_free(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let stones: usize = arguments.parse("a number of stones")?;
    let size = session.size();
    if stones < 2 || stones >= size.area() {
        return Err(Refusal::other(format!("invalid number of stones: from 2 to {}", size.area() - 1)));
    }
    place(session, &free_points(size, stones))
}

/// `set_free_handicap VERTEX...`: where the client says, even a single stone.
pub(super) fn set_free(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let size = session.size();
    let mut points = Vec::new();
    while !arguments.is_empty() {
        let point = arguments.vertex(size)?.point().ok_or_else(|| Refusal::other("bad vertex list: a pass is no stone"))?;
        if points.contains(&point) {
            return Err(Refusal::other(format!("bad vertex list: {} twice", size.vertex(point))));
        }
        points.push(point);
    }
    if points.is_empty() || points.len() >= size.area() {
        return Err(Refusal::other("bad vertex list: at least one stone, and one point left free"));
    }
    place(session, &points)?;
    Ok(String::new())
}

/// Puts Black's stones on the empty board, and names them.
fn place(session: &mut Session<'_>, points: &[Point]) -> Reply {
    let position = session.engine.position();
    if Color::ALL.into_iter().any(|color| position.board().stones(color) > 0) {
        return Err(Refusal::other("board not empty"));
    }
    let size = position.size();
    let stones: Vec<_> = points.iter().map(|&point| (point, Some(Color::Black))).collect();
    let mut board = Board::new(size);
    board.set_up(&stones).map_err(Refusal::other)?;
    let rules = *position.rules();
    session.begin_game(Position::from_board(board, Color::White, rules));
    Ok(points.iter().map(|&point| size.vertex(point)).collect::<Vec<_>>().join(" "))
}

/// The usual points; where there are too few of them, further ones far from all others and from the edge.
fn free_points(size: Size, stones: usize) -> Vec<Point> {
    let mut points = (2..=stones).rev().find_map(|usual| fixed_handicap(size, usual)).unwrap_or_default();
    while points.len() < stones {
        let best = size.points().filter(|point| !points.contains(point)).max_by_key(|&point| room(size, point, &points));
        points.extend(best);
    }
    points
}

/// How far `point` is from the nearest of `others` and from the edge; a step from the edge counts twice, so that stones come to stand
/// about as far from each other as twice from the edge.
fn room(size: Size, point: Point, others: &[Point]) -> usize {
    let at = size.coord(point);
    let edge = [at.x as usize + 1, size.width() - at.x as usize, at.y as usize + 1, size.height() - at.y as usize];
    let distance = |other: &Point| {
        let other = size.coord(*other);
        usize::from(at.x.abs_diff(other.x)) + usize::from(at.y.abs_diff(other.y))
    };
    edge.into_iter().map(|steps| 2 * steps).chain(others.iter().map(distance)).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Size, free_points};

    #[test]
    fn always_as_many_points_as_asked_for() {
        for size in [(2, 2), (2, 9), (5, 5), (9, 9), (13, 19), (19, 19), (25, 25)].map(|(w, h)| Size::new(w, h).unwrap()) {
            for stones in 2..size.area().min(40) {
                let mut points = free_points(size, stones);
                points.sort();
                points.dedup();
                assert_eq!(points.len(), stones, "{size} {stones}");
            }
        }
        let nine = free_points(Size::STANDARD, 9);
        assert_eq!(free_points(Size::STANDARD, 12)[..9], nine);
    }
}
