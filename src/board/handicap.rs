//! Where fixed handicap stones go.

use super::point::{Point, Size};

/// The points of `stones` fixed handicap stones, in the order of the GTP standard; nothing if the board has no such points: from 2 stones up to 9,
/// up to 4 where a side is even or 7, none where a side is shorter than 7. The standard speaks of square boards; others follow by taking each side
/// for itself.
pub fn fixed_handicap(size: Size, stones: usize) -> Option<Vec<Point>> {
    let sides = [size.width(), size.height()];
    let most = match sides {
        _ if sides.iter().any(|&side| side < 7) => 0,
        _ if sides.iter().any(|&side| side % 2 == 0 || side == 7) => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    // On the third line, and on large boards on the fourth.
    let lines = sides.map(|side| {
        let edge = if side < 13 { 2 } else { 3 };
        [edge, side / 2, side - 1 - edge]
    });
    let point = |column: usize, row: usize| size.point(lines[0][column], lines[1][row]);
    // Columns from the left, rows from the top; a centre stone is the last of an odd number from five on.
    let around = [(0, 2), (2, 0), (0, 0), (2, 2), (0, 1), (2, 1), (1, 2), (1, 0)];
    let centre = stones >= 5 && stones % 2 == 1;
    let points = around.iter().take(stones - usize::from(centre)).chain(centre.then_some(&(1, 1)));
    points.map(|&(column, row)| point(column, row)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Size, fixed_handicap};

    fn names(size: Size, stones: usize) -> String {
        fixed_handicap(size, stones).unwrap().iter().map(|&p| size.vertex(p)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn as_the_gtp_standard_has_them() {
        assert_eq!(names(Size::STANDARD, 2), "D4 Q16");
        assert_eq!(names(Size::STANDARD, 3), "D4 Q16 D16");
        assert_eq!(names(Size::STANDARD, 5), "D4 Q16 D16 Q4 K10");
        assert_eq!(names(Size::STANDARD, 7), "D4 Q16 D16 Q4 D10 Q10 K10");
        assert_eq!(names(Size::STANDARD, 9), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
        assert_eq!(names(Size::square(9).unwrap(), 4), "C3 G7 C7 G3");
        assert_eq!(names(Size::square(13).unwrap(), 2), "D4 K10");
        assert_eq!(names(Size::new(19, 9).unwrap(), 5), "D3 Q7 D7 Q3 K5");
    }

    #[test]
    fn none_where_there_are_none() {
        for (side, most) in [(2, 0), (6, 0), (7, 4), (8, 4), (9, 9), (12, 4), (19, 9), (25, 9)] {
            let size = Size::square(side).unwrap();
            for stones in 0..12 {
                assert_eq!(fixed_handicap(size, stones).is_some(), (2..=most).contains(&stones), "{size} {stones}");
            }
        }
    }
}
