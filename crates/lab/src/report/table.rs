//! Everything measured as one CSV table, a line for each number.

use crate::{Finding, Side};

/// Matches by side and sweeps by value, shares from 0 to 1 for the first engine.
pub fn csv(findings: &[Finding]) -> String {
    let mut out = "experiment,what,game,first,second,budget,side,games,share,low,high\n".to_owned();
    let mut line = |cells: [String; 11]| {
        out.push_str(&cells.map(|cell| quoted(&cell)).join(","));
        out.push('\n');
    };
    for finding in findings {
        for measure in &finding.measures {
            for (side, name) in
                [(Side::First, "first"), (Side::Second, "second"), (Side::Both, "both")]
            {
                let share = measure.of(side);
                let (low, high) = share.interval();
                line([
                    finding.id.clone(),
                    measure.label.clone(),
                    measure.game.clone(),
                    measure.engines[0].clone(),
                    measure.engines[1].clone(),
                    measure.budget.to_string(),
                    name.to_owned(),
                    share.games.to_string(),
                    format!("{:.4}", share.share()),
                    format!("{low:.4}"),
                    format!("{high:.4}"),
                ]);
            }
        }
        for (budget, curve) in &finding.curves {
            for sample in &curve.samples {
                let (low, high) = crate::study::interval(sample);
                line([
                    finding.id.clone(),
                    format!("{}={}", curve.parameter, sample.x),
                    String::new(),
                    String::new(),
                    String::new(),
                    budget.clone(),
                    "both".to_owned(),
                    (2 * sample.count()).to_string(),
                    format!("{:.4}", sample.score()),
                    format!("{low:.4}"),
                    format!("{high:.4}"),
                ]);
            }
        }
    }
    out
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}
