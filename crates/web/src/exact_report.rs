//! Certainty in a report: what a solver or a table knows of each move, put beside
//! what the search estimates.
//!
//! A line keeps the search's score and gets a field `exact`. Where the moves'
//! results decide the position, the report's own result is the certain one.

use std::cmp::Ordering;

use games::Player;
use search::{Score, Source};
use serde_json::{Value, json};
use session::{BookMove, ExactMoves, Session};

use crate::live_game::first_chance;

/// Puts what is certain into a report about a session's position.
pub fn add(report: &mut Value, session: &Session, mover: Player, exact: &ExactMoves) {
    report["exact"] = json!(exact.moves);
    let mut lines = report["lines"].as_array_mut().map(std::mem::take).unwrap_or_default();
    for mv in &exact.moves {
        if let Some(line) = line_of(&mut lines, session, &mv.mv) {
            line["exact"] = json!(mv);
            line["exact"]["measure"] = json!(exact.measure);
        }
    }
    sort(&mut lines);
    report["lines"] = json!(lines);
    let results = exact.moves.iter().map(|mv| mv.result);
    let all = exact.moves.len() == session.legal().len() && results.clone().all(|r| r.is_some());
    let best = results.flatten().max().filter(|&result| all || result == 1);
    if let (Some(result), Some(first)) = (best, lines.first()) {
        decide(report, mover, first, result, exact.source);
    }
}

/// Puts a book's entry into a report, after what a solver has said. A move that a
/// solver proved when the book was made is certain.
pub fn add_book(report: &mut Value, session: &Session, mover: Player, book: &[BookMove]) {
    let Some(best) = book.first() else { return };
    report["book"] = book_json(session, book);
    let mut lines = report["lines"].as_array_mut().map(std::mem::take).unwrap_or_default();
    for mv in book {
        let Score::Proven { result, plies } = mv.score else { continue };
        if let Some(line) = line_of(&mut lines, session, &mv.mv)
            && line["exact"]["result"].is_null()
        {
            line["exact"] = json!({
                "move": mv.mv, "low": null, "high": null, "result": result, "plies": plies,
                "measure": "end",
            });
        }
    }
    let decided = !report["score"]["proven"].is_null();
    if let Score::Proven { result, .. } = best.score
        && !decided
        && let Some(place) = lines.iter().position(|line| line["move"] == json!(best.mv))
    {
        lines[..=place].rotate_right(1);
        decide(report, mover, &lines[0], result, Source::Book);
    }
    report["lines"] = json!(lines);
}

/// The moves of a book's entry with their names.
pub fn book_json(session: &Session, book: &[BookMove]) -> Value {
    let one = |mv: &BookMove| {
        let name = session.line(std::slice::from_ref(&mv.mv)).pop().map(|view| view.name);
        json!({ "move": mv.mv, "name": name, "score": mv.score, "games": mv.games })
    };
    book.iter().map(one).collect()
}

/// Makes a certain result that of the position; `line` is a move that reaches it.
fn decide(report: &mut Value, mover: Player, line: &Value, result: i32, source: Source) {
    let chance = f64::from(result + 1) / 2.0;
    report["score"] = json!({ "proven": { "result": result, "plies": line["exact"]["plies"] } });
    report["win_rate"] = json!(chance);
    report["first"] = json!(first_chance(mover, chance));
    report["best"] = line["move"].clone();
    report["best_name"] = line["name"].clone();
    report["source"] = json!(source);
}

/// The line of a move, without a score if the search has not reported one.
fn line_of<'a>(lines: &'a mut Vec<Value>, session: &Session, mv: &String) -> Option<&'a mut Value> {
    let place = lines.iter().position(|line| line["move"] == json!(mv));
    let place = place.or_else(|| {
        let view = session.line(std::slice::from_ref(mv)).pop()?;
        lines.push(json!({
            "move": mv, "name": view.name, "places": view.places,
            "score": null, "visits": 0, "pv": [view.name], "moves": [mv],
        }));
        Some(lines.len() - 1)
    })?;
    Some(&mut lines[place])
}

/// Sorts lines, the best first: certain wins, certain draws, certain losses. Open
/// moves stay in the search's order, above the draws if it expects a win.
fn sort(lines: &mut [Value]) {
    let result = |line: &Value| {
        let proven = line["score"]["proven"]["result"].as_i64();
        line["exact"]["result"].as_i64().or(proven)
    };
    let hope = lines.iter().find(|line| result(line).is_none()).map(|line| &line["score"]);
    let hope = hope.and_then(|score| score["expected"].as_f64().or(score["points"].as_f64()));
    let open = if hope.is_some_and(|value| value > 0.0) { 0.5 } else { -0.5 };
    let rank = |line: &Value| {
        let Some(result) = result(line) else { return (open, 0, 0) };
        let low = line["exact"]["low"].as_i64().unwrap_or(0);
        let plies = line["exact"]["plies"].as_i64().unwrap_or(0);
        (result as f64, low, -result * plies)
    };
    lines.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(Ordering::Equal));
}

#[cfg(test)]
mod tests {
    use search::SearchInfo;
    use session::ExactMove;

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
        add(
            &mut report,
            &session,
            session.to_move(),
            &ExactMoves { measure: "end", source, moves },
        );
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
    fn a_proven_book_move_is_certain_and_an_estimated_one_is_not() {
        let session = session::open(&"connect-four".parse().unwrap());
        let info = SearchInfo { sims: 10, ..SearchInfo::default() };
        let with = |score| {
            let mut report = report_json(&session, session.to_move(), 0, &info);
            let book = [BookMove { mv: "4".to_owned(), score, games: 12 }];
            add_book(&mut report, &session, session.to_move(), &book);
            report
        };
        let proven = with(Score::Proven { result: 1, plies: Some(41) });
        assert_eq!(proven["source"], "book");
        assert_eq!(proven["lines"][0]["exact"]["plies"], 41);
        assert_eq!(proven["book"][0]["games"], 12);
        let estimated = with(Score::Expected(0.2));
        assert_eq!(estimated["source"], "search");
        assert_eq!(estimated["lines"], json!([]));
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
