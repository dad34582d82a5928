//! Line plots of figures over time.

use super::escape;
use super::frame::{Frame, span, ticks};

/// One line of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its label.
    pub name: String,
    /// Its points, from left to right, each with the tooltip of its marker; a
    /// point without one has no marker.
    pub points: Vec<(f64, f64, Option<String>)>,
}

const COLOURS: [&str; 4] = ["#246", "#c40", "#2a6", "#849"];

/// A whole SVG file with several lines over the same axis. Points that are not
/// finite are left out.
pub fn line_plot(x_label: &str, series: &[Series]) -> String {
    let finite = |(x, y, _): &&(f64, f64, Option<String>)| x.is_finite() && y.is_finite();
    let points = || series.iter().flat_map(|line| line.points.iter().filter(finite));
    let wide = span(points().map(|point| point.0)).unwrap_or((0.0, 1.0));
    let high = span(points().map(|point| point.1)).unwrap_or((0.0, 1.0));
    let mut frame = Frame::new(wide, high);
    frame.y_ticks(ticks(high), |value| value.to_string());
    frame.x_ticks(ticks(wide), x_label);
    for (i, line) in series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let points = || line.points.iter().filter(finite);
        frame.line(points().map(|&(x, y, _)| (x, y)), colour);
        for (x, y, tooltip) in points() {
            if let Some(tooltip) = tooltip {
                frame.push(format!(
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"><title>{}</title></circle>",
                    frame.px(*x),
                    frame.py(*y),
                    escape(tooltip)
                ));
            }
        }
        let x = 60.0 + 150.0 * i as f64;
        frame.push(format!(
            "<text x=\"{x}\" y=\"20\" fill=\"{colour}\">{}</text>",
            escape(&line.name)
        ));
    }
    frame.finish()
}

/// A whole HTML page of SVG plots with a caption each.
pub fn figures(title: &str, plots: &[(String, String)]) -> String {
    let title = escape(title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        super::page::STYLE
    );
    for (svg, caption) in plots {
        out += &format!("<figure>{svg}<figcaption>{}</figcaption></figure>\n", escape(caption));
    }
    out + "</body>\n</html>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finite_point_is_drawn() {
        let point = |x, y| (x, y, Some("a < b".to_owned()));
        let points = vec![point(0.0, 1.0), point(1.0, f64::NAN), point(2.0, 3.0)];
        let svg = line_plot("minutes", &[Series { name: "Elo".to_owned(), points }]);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("a &lt; b") && svg.contains("minutes") && svg.contains("Elo"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        // Without points it is a valid file too.
        assert!(line_plot("minutes", &[]).ends_with("</svg>\n"));
        let page = figures("R&D", &[(svg.clone(), "one".to_owned())]);
        assert!(page.contains(&svg) && page.contains("R&amp;D"));
    }
}
