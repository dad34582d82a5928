//! The plot of a sweep: shares with error bars, the fitted curve, the best value
//! with its interval, and the paper's.

use super::escape;
use super::frame::{Frame, WIDTH, span};
use crate::Curve;
use crate::study::interval;

/// A whole SVG file; `printed` is the paper's best value.
pub fn sweep_plot(curve: &Curve, printed: Option<f64>) -> String {
    let xs = || curve.samples.iter().map(|sample| sample.x);
    let (low, high) = span(xs()).unwrap_or((0.0, 1.0));
    let mut frame = Frame::new((low, high), (0.0, 1.0));
    let (ceiling, floor) = frame.plot_height().into_inner();
    frame.y_ticks((0..=5).map(|fifth| f64::from(fifth) / 5.0), |share| {
        format!("{:.0}%", 100.0 * share)
    });
    // As many labels as there is room for.
    let every = curve.samples.len().div_ceil(16).max(1);
    frame.x_ticks(xs().step_by(every), &curve.parameter);
    if let Some(best) = curve.maximum() {
        let (from, to) = (frame.px(best.interval.0), frame.px(best.interval.1));
        frame.push(format!(
            "<rect x=\"{from:.1}\" y=\"{ceiling:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
             fill=\"#2a6\" opacity=\"0.12\"><title>95% interval of the best value</title></rect>",
            (to - from).max(1.0),
            floor - ceiling
        ));
        frame.push(vertical_line(
            &frame,
            frame.px(best.x),
            "#2a6",
            "none",
            12.0,
            &format!("best: {:.3}", best.x),
        ));
        let curve = |i: i32| low + (high - low).max(1e-9) * f64::from(i) / 200.0;
        frame.line((0..=200).map(curve).map(|x| (x, best.curve.at(x))), "#2a6");
    }
    if let Some(value) = printed.filter(|value| (low..=high).contains(value)) {
        frame.push(vertical_line(
            &frame,
            frame.px(value),
            "#c40",
            "5 4",
            27.0,
            &format!("the paper: {value}"),
        ));
    }
    for sample in curve.samples.iter().filter(|sample| sample.count() > 0) {
        let (x, y) = (frame.px(sample.x), frame.py(sample.score()));
        let (bottom, top) = interval(sample);
        frame.push(format!(
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#246\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#246\"><title>{} = {}: {:.1}% of {} games</title></circle>",
            frame.py(bottom),
            frame.py(top),
            escape(&curve.parameter),
            sample.x,
            100.0 * sample.score(),
            2 * sample.count()
        ));
    }
    frame.finish()
}

/// A line from the axis up to its label at this height.
fn vertical_line(
    frame: &Frame,
    x: f64,
    colour: &str,
    dashes: &str,
    label_y: f64,
    label: &str,
) -> String {
    // A label near the right edge goes to the left of its line.
    let (anchor, beside) = if x > WIDTH * 0.75 { ("end", x - 4.0) } else { ("start", x + 4.0) };
    format!(
        "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" \
         stroke-dasharray=\"{dashes}\"/>\
         <text x=\"{beside:.1}\" y=\"{label_y}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{}</text>",
        label_y - 9.0,
        frame.plot_height().end(),
        escape(label)
    )
}
