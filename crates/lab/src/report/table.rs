//! Everything measured as one CSV table, a line for each number.

use crate::{Finding, Side};

/// Matches by side and sweeps by value, shares from 0 to 1 for the first engine.
pub fn csv(findings: &[Finding]) -> String {
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut write = |cells: [&str; 11]| {
        table.write_record(cells).expect("writing to memory does not fail, and all rows are equal");
    };
    write([
        "experiment",
        "what",
        "game",
        "first",
        "second",
        "budget",
        "side",
        "games",
        "share",
        "low",
        "high",
    ]);
    for finding in findings {
        let choices = finding.sensitivities.iter().flat_map(|curve| &curve.points);
        for measure in finding.measures.iter().chain(choices.map(|(_, measure)| measure)) {
            for (side, name) in
                [(Side::First, "first"), (Side::Second, "second"), (Side::Both, "both")]
            {
                let share = measure.of(side);
                let (low, high) = share.interval();
                write([
                    &finding.id,
                    &measure.label,
                    &measure.game,
                    &measure.engines[0],
                    &measure.engines[1],
                    &measure.budget.to_string(),
                    name,
                    &share.games.to_string(),
                    &format!("{:.4}", share.share()),
                    &format!("{low:.4}"),
                    &format!("{high:.4}"),
                ]);
            }
        }
        for (budget, curve) in &finding.curves {
            for sample in &curve.samples {
                let (low, high) = crate::study::interval(sample);
                write([
                    &finding.id,
                    &format!("{}={}", curve.parameter, sample.x),
                    "",
                    "",
                    "",
                    budget,
                    "both",
                    &(2 * sample.count()).to_string(),
                    &format!("{:.4}", sample.score()),
                    &format!("{low:.4}"),
                    &format!("{high:.4}"),
                ]);
            }
        }
    }
    let bytes = table.into_inner().expect("writing to memory does not fail");
    String::from_utf8(bytes).expect("all cells are text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Measure, Share};

    #[test]
    fn cells_are_quoted_only_where_they_must_be() {
        let measure = Measure {
            label: "a, \"b\"".into(),
            game: "connect-four 9x9 hole=5,1".into(),
            engines: ["uct c=0.4".into(), " two\nlines".into()],
            budget: Budget { sims: Some(20), nodes: Some(9), seconds: None, games: None },
            first: Share { games: 2, points: 1.5 },
            second: Share::default(),
            finished: true,
        };
        let finding = Finding {
            id: "000-table-1".into(),
            title: String::new(),
            printed: String::new(),
            method: String::new(),
            open: String::new(),
            choice: String::new(),
            since: None,
            played: String::new(),
            waits: None,
            measures: vec![measure],
            curves: Vec::new(),
            sensitivities: Vec::new(),
            facts: Vec::new(),
            claims: Vec::new(),
            finished: true,
        };
        let row = "000-table-1,\"a, \"\"b\"\"\",\"connect-four 9x9 hole=5,1\",uct c=0.4,\
                   \" two\nlines\",\"20 simulations, 9 positions\"";
        let expected = format!(
            "experiment,what,game,first,second,budget,side,games,share,low,high\n\
             {row},first,2,0.7500,0.1979,0.9733\n{row},second,0,0.5000,0.0000,1.0000\n\
             {row},both,2,0.7500,0.1979,0.9733\n"
        );
        assert_eq!(csv(&[finding]), expected);
    }
}
