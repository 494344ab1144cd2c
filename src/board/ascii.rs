//! Boards as text: for tests, errors and people.

use std::fmt;

use super::{Board, Color, Point, Size};

/// A board with a mark for each point: rows from the top, coordinates around, no line end behind the last line.
pub fn draw(size: Size, mark: impl Fn(Point) -> char) -> String {
    let columns: Vec<String> =
        (0..size.width()).map(|x| size.point(x, 0).map(|point| size.vertex(point)[..1].to_owned()).unwrap_or_default()).collect();
    let header = format!("   {}", columns.join(" "));
    let row = |y: usize| {
        let number = size.height() - y;
        let points = (0..size.width()).filter_map(|x| size.point(x, y));
        let marks: String = points.flat_map(|point| [' ', mark(point)]).collect();
        format!("{number:2}{marks} {number}\n")
    };
    let rows: String = (0..size.height()).map(row).collect();
    format!("{header}\n{rows}{header}")
}

impl fmt::Display for Board {
    /// As [`draw`] with `X` for black, `O` for white, `.` for empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&draw(self.size(), |point| match self.stone(point) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        }))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

/// A drawing that is no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a drawing of a board: {0}")]
pub struct BadDrawing(String);

impl Board {
    /// Reads a drawing: a line a row from the top, `X` or `#` black, `O` white, `.` or `+` empty, blanks ignored.
    ///
    /// # Errors
    /// If rows differ in length, a mark is unknown, the size is not supported or a chain has no liberty.
    pub fn from_drawing(drawing: &str) -> Result<Self, BadDrawing> {
        let rows: Vec<Vec<char>> = drawing
            .lines()
            .map(|line| line.chars().filter(|mark| !mark.is_whitespace()).collect::<Vec<_>>())
            .filter(|row| !row.is_empty())
            .collect();
        let width = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != width) {
            return Err(BadDrawing("its rows differ in length".to_owned()));
        }
        let size = Size::new(width, rows.len()).map_err(|error| BadDrawing(error.to_string()))?;
        let mut stones = Vec::new();
        for (point, &mark) in size.points().zip(rows.iter().flatten()) {
            match mark {
                'X' | 'x' | '#' => stones.push((point, Some(Color::Black))),
                'O' | 'o' => stones.push((point, Some(Color::White))),
                '.' | '+' => {}
                other => return Err(BadDrawing(format!("the mark '{other}' is none of X, O and ."))),
            }
        }
        let mut board = Self::new(size);
        board.set_up(&stones).map_err(|error| BadDrawing(error.to_string()))?;
        Ok(board)
    }
}
