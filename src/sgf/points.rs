//! Points and lists of points, as SGF writes them.

use super::error::{Problem, SgfError, quote};
use super::tree::Property;
use crate::board::{Coord, Move, Point, PointSet, Size};

/// The longest side of a board on which `tt` is a pass.
const TT_PASSES_UP_TO: usize = 19;

/// A point's two letters, column and row from the top left; nothing for a pass.
pub fn letters(size: Size, mv: impl Into<Move>) -> String {
    let letter = |number: u8| char::from(b'a' + number);
    mv.into().point().map_or_else(String::new, |point| {
        let Coord { x, y } = size.coord(point);
        [letter(x), letter(y)].iter().collect()
    })
}

/// The point with these two letters; nothing if the text is no such name, or off the board.
pub fn point(size: Size, letters: &str) -> Option<Point> {
    let number = |letter| match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
        _ => None,
    };
    match letters.trim().as_bytes() {
        &[column, row] => size.point(number(column)?, number(row)?),
        _ => None,
    }
}

/// The move of a B or W value: a point, or a pass written as nothing or, up to 19x19, as `tt`.
pub(super) fn read_move(size: Size, value: &str) -> Option<Move> {
    let value = value.trim();
    let old_pass = value == "tt" && size.width().max(size.height()) <= TT_PASSES_UP_TO;
    if value.is_empty() || old_pass { Some(Move::PASS) } else { point(size, value).map(Move::from) }
}

/// The points of a list such as AB, TR or TB on a board of this size: single ones, and rectangles given by two corners, `aa:cc`.
///
/// # Errors
/// If a value is neither, or off the board.
pub fn points(size: Size, property: &Property) -> Result<PointSet, SgfError> {
    let mut listed = PointSet::EMPTY;
    for value in property.values() {
        let text = value.source().trim();
        let Some((from, to)) = corners(size, text) else {
            // An empty value says that the list is empty: DD[], VW[].
            if text.is_empty() {
                continue;
            }
            let problem = Problem::BadPoint { value: quote(text), size };
            return Err(SgfError { place: property.place(), property: Some(property.name().to_owned()), problem });
        };
        for y in from.y.min(to.y)..=from.y.max(to.y) {
            let row = (from.x.min(to.x)..=from.x.max(to.x)).filter_map(|x| size.at(Coord { x, y }));
            row.for_each(|point| _ = listed.insert(point));
        }
    }
    Ok(listed)
}

fn corners(size: Size, text: &str) -> Option<(Coord, Coord)> {
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    Some((size.coord(point(size, from)?), size.coord(point(size, to)?)))
}

#[cfg(test)]
mod tests {
    use super::{letters, point, points, read_move};
    use crate::board::{Move, Size};
    use crate::sgf::{Tree, Value};

    #[test]
    fn names_go_in_and_out() {
        for size in [Size::STANDARD, Size::square(25).unwrap(), Size::new(2, 13).unwrap()] {
            for p in size.points() {
                assert_eq!(point(size, &letters(size, p)), Some(p));
            }
        }
        for bad in ["", "p", "pdd", "PD", "ta", "at", "1a", "é"] {
            assert_eq!(point(Size::STANDARD, bad), None, "{bad}");
        }
    }

    #[test]
    fn passes() {
        let large = Size::square(21).unwrap();
        assert_eq!(read_move(Size::STANDARD, "tt"), Some(Move::PASS));
        assert_eq!(read_move(Size::square(9).unwrap(), " "), Some(Move::PASS));
        assert_eq!(read_move(large, "tt"), large.point(19, 19).map(Move::from));
        assert_eq!(letters(large, Move::PASS), "");
    }

    #[test]
    fn rectangles_in_any_order_and_overlapping() {
        let mut tree = Tree::new();
        let values = ["cc:ab", "bb", "", "ii"].map(Value::from_source).to_vec();
        tree.set(Tree::ROOT, "TR", values);
        let size = Size::square(9).unwrap();
        let found = points(size, tree.property(Tree::ROOT, "TR").unwrap()).unwrap();
        assert_eq!(found.iter().map(|p| letters(size, p)).collect::<Vec<_>>().join(" "), "ab bb cb ac bc cc ii");
        assert!(points(Size::square(8).unwrap(), tree.property(Tree::ROOT, "TR").unwrap()).is_err());
    }
}
