//! The plot of a sensitivity: shares with their intervals over the choices, and the
//! printed numbers as lines across.

use super::escape;
use super::frame::Frame;
use crate::SensitivityCurve;

const COLOURS: [&str; 2] = ["#246", "#2a6"];
/// How far the points of two sides stand apart, in pixels.
const APART: f64 = 10.0;
/// Characters of a line below the axis.
const WRAP: usize = 60;

/// A whole SVG file. Numbers are joined by a line; choices of another kind are
/// points of their own.
pub fn choice_plot(curve: &SensitivityCurve) -> String {
    let last = curve.points.len().max(2) - 1;
    let mut frame = Frame::new((-0.4, last as f64 + 0.4), (0.0, 1.0));
    frame.y_ticks((0..=5).map(|fifth| f64::from(fifth) / 5.0), |share| {
        format!("{:.0}%", 100.0 * share)
    });
    let room = WRAP / curve.points.len().max(1);
    let names = curve.points.iter().map(|(name, _)| wrapped(name, room.max(7)));
    frame.x_names(names.collect(), &curve.open);
    let sides = curve.sides();
    let numbers = curve.points.iter().all(|(name, _)| name.parse::<f64>().is_ok());
    for (number, &side) in sides.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        for printed in curve.printed.iter().filter(|printed| printed.of == side) {
            frame.level(printed.share, colour, &format!("printed, {side}: {}", printed.share));
        }
        let aside = (number as f64 - (sides.len() - 1) as f64 / 2.0) * APART;
        let shares = curve.points.iter().map(|(_, measure)| measure.of(side));
        if numbers {
            let points = shares.clone().enumerate().map(|(at, share)| (at as f64, share.share()));
            frame.shifted_line(points, aside, colour);
        }
        for (at, (share, (name, _))) in shares.zip(&curve.points).enumerate() {
            let (x, (low, high)) = (frame.px(at as f64) + aside, share.interval());
            frame.push(format!(
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"/>\
                 <circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"><title>{}: {:.1}% \
                 [{:.1}, {:.1}] of {} games, {side}</title></circle>",
                frame.py(low),
                frame.py(high),
                frame.py(share.share()),
                escape(name),
                100.0 * share.share(),
                100.0 * low,
                100.0 * high,
                share.games
            ));
        }
        let x = 60.0 + 190.0 * number as f64;
        frame.push(format!("<text x=\"{x}\" y=\"20\" fill=\"{colour}\">{side}</text>"));
    }
    frame.finish()
}

/// The words of a name in lines of about this many characters.
fn wrapped(name: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in name.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= room => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Measure, Printed, Share, Side};

    #[test]
    fn every_choice_has_its_points_and_every_printed_number_its_line() {
        let point = |name: &str| {
            let measure = Measure {
                label: String::new(),
                game: String::new(),
                engines: Default::default(),
                budget: Budget::default(),
                first: Share { games: 100, points: 20.0 },
                second: Share { games: 100, points: 30.0 },
                finished: true,
            };
            (name.to_owned(), measure)
        };
        let printed = |of, share| Printed { of, share, games: None, seconds: None };
        let mut curve = SensitivityCurve {
            open: "budget & more".to_owned(),
            label: String::new(),
            printed: vec![printed(Side::First, 0.22), printed(Side::Second, 0.26)],
            points: vec![point("1000"), point("4000"), point("16000")],
        };
        let svg = choice_plot(&curve);
        assert_eq!(svg.matches("<circle").count(), 6);
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
        assert_eq!(svg.matches("<polyline").count(), 2, "numbers are joined");
        assert!(svg.contains("budget &amp; more") && svg.contains(">16000<"));
        curve.points.push(point("captures first"));
        assert_eq!(choice_plot(&curve).matches("<polyline").count(), 0);
        curve.points.clear();
        assert!(choice_plot(&curve).ends_with("</svg>\n"));
        assert_eq!(wrapped("captures are played first", 14), ["captures are", "played first"]);
    }
}
