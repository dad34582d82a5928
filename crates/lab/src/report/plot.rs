//! A swept parameter as a picture: shares with error bars, the fitted curve,
//! the best value with its interval, and the paper's.

use std::fmt::Write;

use super::escape;
use crate::Curve;
use crate::study::interval;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 40.0;

/// An SVG picture that stands alone; `printed` is the paper's best value.
pub fn plot(curve: &Curve, printed: Option<f64>) -> String {
    let xs = || curve.samples.iter().map(|sample| sample.x);
    let low = xs().fold(f64::INFINITY, f64::min);
    let high = xs().fold(f64::NEG_INFINITY, f64::max);
    let wide = if high > low { high - low } else { 1.0 };
    // Points keep clear of the frame, and whatever leaves it is cut off.
    let px = |x: f64| LEFT + 10.0 + (x - low) / wide * (WIDTH - LEFT - RIGHT - 20.0);
    let py = |y: f64| TOP + (1.0 - y.clamp(0.0, 1.0)) * (HEIGHT - TOP - BOTTOM);
    let (floor, ceiling) = (py(0.0), py(1.0));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let mut put = |text: String| {
        let _ = writeln!(svg, "{text}");
    };
    for tenth in 0..=5 {
        let share = f64::from(tenth) / 5.0;
        let y = py(share);
        put(format!(
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.0}%</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0,
            100.0 * share
        ));
    }
    // As many numbers below as there is room for.
    let every = curve.samples.len().div_ceil(16).max(1);
    for x in xs().step_by(every) {
        put(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x}</text>",
            px(x),
            floor + 16.0
        ));
    }
    put(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 6.0,
        escape(&curve.parameter)
    ));
    if let Some(best) = &curve.optimum {
        let (from, to) = (px(best.interval.0), px(best.interval.1));
        put(format!(
            "<rect x=\"{from:.1}\" y=\"{ceiling:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
             fill=\"#2a6\" opacity=\"0.12\"><title>95% interval of the best value</title></rect>",
            (to - from).max(1.0),
            floor - ceiling
        ));
        put(upright(px(best.x), "#2a6", "none", 12.0, &format!("best: {:.3}", best.x)));
        let points: Vec<String> = (0..=200)
            .map(|i| low + wide * f64::from(i) / 200.0)
            .map(|x| format!("{:.1},{:.1}", px(x), py(best.curve.at(x))))
            .collect();
        put(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#2a6\" stroke-width=\"2\"/>",
            points.join(" ")
        ));
    }
    if let Some(value) = printed.filter(|value| (low..=high).contains(value)) {
        put(upright(px(value), "#c40", "5 4", 27.0, &format!("the paper: {value}")));
    }
    for sample in curve.samples.iter().filter(|sample| sample.count() > 0) {
        let (x, y) = (px(sample.x), py(sample.score()));
        let (bottom, top) = interval(sample);
        put(format!(
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#246\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#246\"><title>{} = {}: {:.1}% of {} games</title></circle>",
            py(bottom),
            py(top),
            escape(&curve.parameter),
            sample.x,
            100.0 * sample.score(),
            2 * sample.count()
        ));
    }
    svg.push_str("</svg>\n");
    svg
}

/// A line from the axis up to its label at this height.
fn upright(x: f64, colour: &str, dashes: &str, label_y: f64, label: &str) -> String {
    // A label near the right edge grows to the left.
    let (anchor, beside) = if x > WIDTH * 0.75 { ("end", x - 4.0) } else { ("start", x + 4.0) };
    format!(
        "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" \
         stroke-dasharray=\"{dashes}\"/>\
         <text x=\"{beside:.1}\" y=\"{label_y}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{}</text>",
        label_y - 9.0,
        HEIGHT - BOTTOM,
        escape(label)
    )
}
