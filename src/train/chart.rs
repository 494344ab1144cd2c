//! Curves as a small SVG.

use std::fmt::Write;

/// Width of a panel, in pixels.
const WIDTH: f64 = 420.0;
/// Its height.
const HEIGHT: f64 = 200.0;
/// Room around it for words.
const MARGIN: f64 = 48.0;
/// Panels side by side.
const COLUMNS: usize = 3;
/// Colours of a panel's lines, in order.
const COLOURS: [&str; 4] = ["#1f6fb4", "#d9541e", "#3c9a4e", "#7d4fa3"];

/// A panel: lines over the same ground.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// The lines, at most four.
    pub lines: Vec<Line>,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its points, from left to right. Those that are no number are left out.
    pub points: Vec<(f64, f64)>,
}

/// A picture of the panels. `across` says what runs from left to right.
pub fn draw(panels: &[Panel], across: &str) -> String {
    let rows = panels.len().div_ceil(COLUMNS);
    let (step, drop) = (WIDTH + 2.0 * MARGIN, HEIGHT + 2.0 * MARGIN);
    let (width, height) = (step * panels.len().min(COLUMNS) as f64, drop * rows as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (number, panel) in panels.iter().enumerate() {
        let (left, top) = ((number % COLUMNS) as f64 * step + MARGIN, (number / COLUMNS) as f64 * drop + MARGIN);
        _ = writeln!(svg, "<g transform=\"translate({left},{top})\">");
        panel.draw(across, &mut svg);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

impl Panel {
    fn draw(&self, across: &str, svg: &mut String) {
        _ = writeln!(svg, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#999\"/>");
        _ = writeln!(svg, "<text x=\"0\" y=\"-12\" font-weight=\"bold\">{}</text>", escaped(&self.title));
        let all = || self.lines.iter().flat_map(|line| line.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()));
        let Some(x) = Range::of(all().map(|&(x, _)| x)) else { return };
        let Some(y) = Range::of(all().map(|&(_, y)| y)) else { return };
        let foot = HEIGHT + 18.0;
        _ = writeln!(svg, "<text x=\"0\" y=\"{foot}\">{}</text>", short(x.low));
        _ = writeln!(svg, "<text x=\"{WIDTH}\" y=\"{foot}\" text-anchor=\"end\">{} {}</text>", short(x.high), escaped(across));
        for (value, at) in [(y.high, 10.0), (f64::midpoint(y.low, y.high), HEIGHT / 2.0 + 4.0), (y.low, HEIGHT)] {
            _ = writeln!(svg, "<text x=\"-4\" y=\"{at}\" text-anchor=\"end\">{}</text>", short(value));
        }
        for ((number, line), colour) in self.lines.iter().enumerate().zip(COLOURS) {
            let points = line.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
            let points: Vec<String> =
                points.map(|&(px, py)| format!("{:.1},{:.1}", WIDTH * x.share(px), HEIGHT * (1.0 - y.share(py)))).collect();
            _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
                points.join(" ")
            );
            let at = WIDTH - 8.0;
            let down = 16.0 + 15.0 * number as f64;
            _ = writeln!(
                svg,
                "<text x=\"{at}\" y=\"{down}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>",
                escaped(&line.name)
            );
        }
    }
}

/// From the least to the most; never empty.
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let low = values.clone().reduce(f64::min)?;
        let high = values.reduce(f64::max)?;
        Some(if low < high { Self { low, high } } else { Self { low: low - 0.5, high: high + 0.5 } })
    }

    fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// A number in few letters: 1.25M, 30k, 0.0042.
fn short(value: f64) -> String {
    let size = value.abs();
    let (scaled, unit) = match size {
        1e6.. => (value / 1e6, "M"),
        1e3.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let decimals = (2 - scaled.abs().max(1e-4).log10().floor() as i32).clamp(0, 5) as usize;
    let text = format!("{scaled:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::{Line, Panel, draw, short};

    #[test]
    fn points_lie_where_their_values_say() {
        let line = |name: &str, points| Line { name: name.to_owned(), points };
        let lines = vec![line("a < b", vec![(0.0, 1.0), (5.0, f64::NAN), (10.0, 3.0)]), line("c", vec![(5.0, 2.0)])];
        let svg = draw(&[Panel { title: "curves".to_owned(), lines }], "rows");
        assert!(svg.contains("points=\"0.0,200.0 420.0,0.0\""), "{svg}");
        assert!(svg.contains("points=\"210.0,100.0\"") && svg.contains("a &lt; b"));
    }

    #[test]
    fn nothing_to_show_is_a_frame() {
        let panel = Panel { title: "empty".to_owned(), lines: Vec::new() };
        assert!(draw(&[panel], "rows").contains("empty"));
        assert!(draw(&[], "rows").ends_with("</svg>\n"));
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (0.00421, "0.00421"),
            (1.5, "1.5"),
            (-20.0, "-20"),
            (30_000.0, "30k"),
            (1_250_000.0, "1.25M"),
            (999.0, "999"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
