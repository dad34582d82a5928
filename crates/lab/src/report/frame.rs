//! The frame of an SVG plot: coordinates, ticks, grid lines and axis labels. The
//! callers draw what is inside.

use std::fmt::Write;
use std::ops::RangeInclusive;

use super::escape;

pub(super) const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 40.0;
/// The height of a line of text.
const LINE: f64 = 14.0;

/// An SVG file being drawn.
pub(super) struct Frame {
    x: (f64, f64),
    y: (f64, f64),
    /// Pixels that the picture has below its usual height.
    below: f64,
    /// What is drawn.
    svg: String,
}

/// The lowest and the highest of some numbers, if there are any.
pub(super) fn span(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |span, n| match span {
        None => Some((n, n)),
        Some((low, high)) => Some((n.min(low), n.max(high))),
    })
}

/// The range, widened if it is empty.
fn nonempty((low, high): (f64, f64)) -> (f64, f64) {
    (low, if high > low { high } else { low + 1.0 })
}

impl Frame {
    /// An empty plot over these ranges, which should be finite.
    pub fn new(x: (f64, f64), y: (f64, f64)) -> Frame {
        Frame { x: nonempty(x), y: nonempty(y), below: 0.0, svg: String::new() }
    }

    /// The pixel column of a value; there is a margin at both sides.
    pub fn px(&self, x: f64) -> f64 {
        let (low, high) = self.x;
        LEFT + 10.0 + (x - low) / (high - low) * (WIDTH - LEFT - RIGHT - 20.0)
    }

    /// The pixel row of a value, clamped to the plot.
    pub fn py(&self, y: f64) -> f64 {
        let (low, high) = self.y;
        TOP + (1.0 - ((y - low) / (high - low)).clamp(0.0, 1.0)) * (HEIGHT - TOP - BOTTOM)
    }

    /// The pixel rows from the upper to the lower edge.
    pub fn plot_height(&self) -> RangeInclusive<f64> {
        TOP..=HEIGHT - BOTTOM
    }

    /// Adds an SVG element.
    pub fn push(&mut self, element: String) {
        let _ = writeln!(self.svg, "{element}");
    }

    /// Grid lines with labels.
    pub fn y_ticks(&mut self, values: impl IntoIterator<Item = f64>, text: fn(f64) -> String) {
        for value in values {
            let y = self.py(value);
            self.push(format!(
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                text(value)
            ));
        }
    }

    /// Labels of the x axis, and its name.
    pub fn x_ticks(&mut self, values: impl IntoIterator<Item = f64>, name: &str) {
        for value in values {
            self.push(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>",
                self.px(value),
                HEIGHT - BOTTOM + 16.0
            ));
        }
        self.push(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 6.0 + self.below,
            escape(name)
        ));
    }

    /// Names below the whole numbers of the x axis, each in lines, and the axis's
    /// own name.
    pub fn x_names(&mut self, names: Vec<Vec<String>>, name: &str) {
        let lines = names.iter().map(Vec::len).max().unwrap_or(0).max(1);
        // The picture grows downwards by what is more than one line.
        self.below = LINE * (lines - 1) as f64;
        for (x, lines) in names.iter().enumerate() {
            for (row, line) in lines.iter().enumerate() {
                self.push(format!(
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    self.px(x as f64),
                    HEIGHT - BOTTOM + 16.0 + LINE * row as f64,
                    escape(line)
                ));
            }
        }
        self.x_ticks([], name);
    }

    /// A dashed line across at a height, with its label at the right.
    pub fn level(&mut self, y: f64, colour: &str, label: &str) {
        let (right, y) = (WIDTH - RIGHT, self.py(y));
        self.push(format!(
            "<line x1=\"{LEFT}\" x2=\"{right:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" \
             stroke-dasharray=\"5 4\"><title>{}</title></line>",
            escape(label)
        ));
    }

    /// A polyline through points.
    pub fn line(&mut self, points: impl Iterator<Item = (f64, f64)>, colour: &str) {
        self.shifted_line(points, 0.0, colour);
    }

    /// The same, so many pixels to the right.
    pub fn shifted_line(
        &mut self,
        points: impl Iterator<Item = (f64, f64)>,
        aside: f64,
        colour: &str,
    ) {
        let points: Vec<String> =
            points.map(|(x, y)| format!("{:.1},{:.1}", self.px(x) + aside, self.py(y))).collect();
        self.push(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        ));
    }

    /// The whole file.
    pub fn finish(self) -> String {
        let height = HEIGHT + self.below;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
            self.svg
        )
    }
}

/// Round numbers within a span, about five of them.
pub(super) fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let (low, high) = nonempty((low, high));
    let rough = (high - low) / 5.0;
    let ten = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * ten).into_iter().find(|&n| n >= rough);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil();
    let count = ((high / step).floor() - first) as usize;
    // Rounded as text, so that 3 x 0.1 is 0.3.
    (0..=count).map(|i| (first + i as f64) * step).map(|n| round(n, step)).collect()
}

fn round(n: f64, step: f64) -> f64 {
    let digits = (-step.log10().floor()).max(0.0) as usize;
    format!("{n:.digits$}").parse().unwrap_or(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks((0.0, 1.0)), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks((-30.0, 1030.0)), [0.0, 500.0, 1000.0]);
        assert_eq!(ticks((2.61, 3.42)), [2.8, 3.0, 3.2, 3.4]);
        assert_eq!(ticks((5.0, 5.0)), [5.0, 5.2, 5.4, 5.6, 5.8, 6.0]);
        for (low, high) in [(0.0, 1e-6), (-1e9, 1e9), (0.3, 0.31), (99.0, 1001.0)] {
            let ticks = ticks((low, high));
            assert!((2..=11).contains(&ticks.len()), "{low} {high} {ticks:?}");
            assert!(ticks.iter().all(|&n| low <= n && n <= high), "{low} {high} {ticks:?}");
        }
    }
}
