//! Certainty in a report: what a solver or a table knows of each move, put beside
//! what the search estimates.
//!
//! A line keeps the search's score and gets a field `exact`. Where the moves'
//! results decide the position, the report's own result is the certain one.

use std::cmp::Ordering;

use serde_json::{Value, json};
use session::{ExactMove, ExactMoves, Session};

use crate::live_game::first_chance;

/// Puts what is certain into a report about a session's position.
pub fn add(report: &mut Value, session: &Session, exact: &ExactMoves) {
    report["exact"] = json!(exact.moves);
    let mut lines = report["lines"].as_array_mut().map(std::mem::take).unwrap_or_default();
    for mv in &exact.moves {
        let of_move = |line: &Value| line["move"] == json!(mv.mv);
        let place = lines.iter().position(of_move).or_else(|| {
            lines.push(unsearched_line(session, &mv.mv)?);
            Some(lines.len() - 1)
        });
        if let Some(place) = place {
            lines[place]["exact"] = json!(mv);
            lines[place]["exact"]["measure"] = json!(exact.measure);
        }
    }
    let known = |line: &Value| exact.moves.iter().find(|mv| line["move"] == json!(mv.mv));
    // A stable sort: the search's order stays where nothing is certain.
    lines.sort_by(|a, b| {
        let rank = |line: &Value| rank(known(line), line["score"]["expected"].as_f64());
        rank(b).partial_cmp(&rank(a)).unwrap_or(Ordering::Equal)
    });
    report["lines"] = json!(lines);
    let results = exact.moves.iter().map(|mv| mv.result);
    let all = exact.moves.len() == session.legal().len() && results.clone().all(|r| r.is_some());
    let best = results.flatten().max().filter(|&result| all || result == 1);
    let (Some(result), Some(first)) = (best, lines.first()) else { return };
    let chance = f64::from(result + 1) / 2.0;
    report["score"] = json!({ "proven": { "result": result, "plies": first["exact"]["plies"] } });
    report["win_rate"] = json!(chance);
    report["first"] = json!(first_chance(session.to_move(), chance));
    report["best"] = first["move"].clone();
    report["best_name"] = first["name"].clone();
    report["source"] = json!(exact.source);
}

/// A line of a move that the search has not reported.
fn unsearched_line(session: &Session, mv: &String) -> Option<Value> {
    let view = session.line(std::slice::from_ref(mv)).pop()?;
    Some(json!({
        "move": mv, "name": view.name, "places": view.places,
        "score": null, "visits": 0, "pv": [view.name],
    }))
}

/// For the order of lines, the best first: certain wins, what is open, certain
/// losses. An open move stands above or below a certain draw by its estimate.
fn rank(known: Option<&ExactMove>, expected: Option<f64>) -> (i32, f64, f64) {
    match known.and_then(|mv| Some((mv, mv.result?))) {
        None => (0, expected.unwrap_or(-1.0), 0.0),
        Some((mv, result)) => {
            let plies = f64::from(mv.plies.unwrap_or(0));
            let soon = -plies * f64::from(result);
            // Boxes count among draws too, where both bounds are zero.
            match result {
                0 => (0, 0.0, f64::from(mv.low)),
                _ => (result, f64::from(mv.low), soon),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use search::SearchInfo;

    use super::*;
    use crate::live_game::report_json;

    fn exact(mv: &str, value: i32) -> ExactMove {
        let plies = Some(5);
        ExactMove {
            mv: mv.to_owned(),
            low: value,
            high: value,
            result: Some(value.signum()),
            plies,
        }
    }

    fn report(moves: Vec<ExactMove>) -> Value {
        let session = session::open(&"connect-four".parse().unwrap());
        let info = SearchInfo { sims: 10, ..SearchInfo::default() };
        let mut report = report_json(&session, session.to_move(), 0, &info);
        let source = search::Source::Solver;
        add(&mut report, &session, &ExactMoves { measure: "end", source, moves });
        report
    }

    #[test]
    fn a_certain_win_decides_the_position() {
        let report = report(vec![exact("1", -3), exact("4", 2), exact("3", 0)]);
        let order: Vec<&Value> =
            report["lines"].as_array().unwrap().iter().map(|line| &line["move"]).collect();
        assert_eq!(order, ["4", "3", "1"]);
        assert_eq!(report["best"], "4");
        assert_eq!(report["first"], 1.0);
        assert_eq!(report["source"], "solver");
        assert_eq!(report["lines"][0]["exact"]["measure"], "end");
        assert!(report["lines"][0]["score"].is_null(), "nobody searched it");
    }

    #[test]
    fn losses_decide_it_only_if_they_are_all_of_the_moves() {
        let columns = ["1", "2", "3", "4", "5", "6", "7"];
        let some = report(columns[1..].iter().map(|mv| exact(mv, -1)).collect());
        assert_eq!(some["win_rate"], 0.5);
        let all = report(columns.iter().map(|mv| exact(mv, -1)).collect());
        assert_eq!(all["win_rate"], 0.0);
    }
}
