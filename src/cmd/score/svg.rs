//! A scored game as a picture: stones, the dead ones faint, and a square on each point of territory.

use std::fmt::Write as _;

use super::scored::Scored;
use crate::board::{Color, Point, Size};

/// Pixels from one line to the next.
const STEP: usize = 32;
/// Room around the lines, for coordinates.
const MARGIN: usize = 44;
/// Room below, for what the picture shows.
const FOOT: usize = 30;

/// The picture.
pub(super) fn picture(scored: &Scored) -> String {
    let size = scored.position.size();
    let (width, board) = (2 * MARGIN + STEP * (size.width() - 1), 2 * MARGIN + STEP * (size.height() - 1));
    let height = board + FOOT;
    let result =
        format!("{}, {} and territory", scored.outcome, if scored.dead.is_empty() { "living stones" } else { "dead stones" });
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n<title>{result}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#e3b873\"/>\n"
    );
    grid(&mut svg, size, board);
    for point in size.points() {
        mark(&mut svg, scored, point);
    }
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" font-size=\"16\" fill=\"#3d2c10\">{result}</text>", width / 2, height - 14);
    svg + "</svg>\n"
}

/// Where a column or row is.
fn at(number: usize) -> usize {
    MARGIN + STEP * number
}

/// Lines and coordinates.
fn grid(svg: &mut String, size: Size, board: usize) {
    let (right, bottom) = (at(size.width() - 1), at(size.height() - 1));
    let columns: Vec<String> = (0..size.width()).map(|x| format!("M{} {MARGIN}V{bottom}", at(x))).collect();
    let rows: Vec<String> = (0..size.height()).map(|y| format!("M{MARGIN} {}H{right}", at(y))).collect();
    let lines = [columns, rows].concat().concat();
    let _ = writeln!(svg, "<path d=\"{lines}\" stroke=\"#5b4420\" fill=\"none\"/>\n<g fill=\"#5b4420\">");
    for x in 0..size.width() {
        let name = size.point(x, 0).map(|point| size.vertex(point)[..1].to_owned()).unwrap_or_default();
        for y in [18, board - 10] {
            let _ = write!(svg, "<text x=\"{}\" y=\"{y}\">{name}</text>", at(x));
        }
    }
    for y in 0..size.height() {
        for x in [14, right + MARGIN - 14] {
            let _ = write!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", at(y) + 5, size.height() - y);
        }
    }
    *svg += "\n</g>\n";
}

/// What stands on a point, and whose it is.
fn mark(svg: &mut String, scored: &Scored, point: Point) {
    let coord = scored.position.size().coord(point);
    let (x, y) = (at(coord.x.into()), at(coord.y.into()));
    let fill = |color: Color| if color == Color::Black { "#111" } else { "#f7f7f4" };
    let stone = scored.position.board().stone(point);
    let dead = scored.dead.contains(point);
    if let Some(color) = stone {
        let opacity = if dead { " opacity=\"0.45\"" } else { "" };
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"15\" fill=\"{}\" stroke=\"#333\"{opacity}/>", fill(color));
    }
    if let Some(owner) = scored.owners.owner(point).filter(|_| stone.is_none() || dead) {
        let (x, y) = (x - 5, y - 5);
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"10\" height=\"10\" fill=\"{}\" stroke=\"#777\"/>", fill(owner));
    }
}
