//! The report of a run: charts of its strength and losses, and a page of them.

use std::path::PathBuf;

use lab::report::{Series, figures, line_plot};
use learn::train::{EloPoint, MetricsRow, RunFolder, read_metrics, read_progress};
use serde_json::{Value, json};

use crate::verbs::reproduce::write_file;

/// Writes `elo.svg`, `losses.svg` and `report.html` into the folder of a run, and
/// gives the last one's path.
pub fn write(folder: &RunFolder, game: &str) -> anyhow::Result<PathBuf> {
    let (curve, rows) = (read_progress(folder)?.curve, read_metrics(folder)?);
    let [elo, losses] = [elo(&curve), losses(&rows)];
    let path = |name: &str| folder.path().join(name);
    write_file(&path("elo.svg"), &elo)?;
    write_file(&path("losses.svg"), &losses)?;
    let speed =
        line_plot("minutes", &[over_time("games per hour", &rows, |row| row.games_per_hour)]);
    let plots = [
        (elo, "Elo of each checkpoint, by a short match against an earlier one; the first has 0."),
        (losses, "Policy loss and value loss, means between reports."),
        (speed, "Self-play games per hour."),
    ];
    let title = match rows.last() {
        Some(last) => format!("{game}: {} games, {} steps", last.games, last.steps),
        None => format!("{game}: no training yet"),
    };
    let page = figures(&title, &plots.map(|(svg, caption)| (svg, caption.to_owned())));
    write_file(&path("report.html"), &page)?;
    Ok(path("report.html"))
}

/// All figures of a run: its Elo curve and every row of its metrics.
pub fn json(folder: &RunFolder, game: &str) -> anyhow::Result<Value> {
    let path = |name: &str| folder.path().join(name).display().to_string();
    Ok(json!({
        "schema": "boyi-training/1",
        "game": game,
        "network": path("net.safetensors"),
        "report": path("report.html"),
        "curve": read_progress(folder)?.curve,
        "metrics": read_metrics(folder)?,
    }))
}

fn elo(curve: &[EloPoint]) -> String {
    let point = |point: &EloPoint| {
        let [wins, draws, losses] = point.score;
        let words = format!(
            "{} steps: {:.0} Elo; {wins} won, {draws} drawn, {losses} lost",
            point.steps, point.elo
        );
        (point.seconds / 60.0, point.elo, Some(words))
    };
    let points = curve.iter().map(point).collect();
    line_plot("minutes", &[Series { name: "Elo".to_owned(), points }])
}

fn losses(rows: &[MetricsRow]) -> String {
    let trained: Vec<MetricsRow> =
        rows.iter().filter(|row| row.policy_loss > 0.0).cloned().collect();
    let policy = over_time("policy", &trained, |row| row.policy_loss);
    line_plot("minutes", &[policy, over_time("value", &trained, |row| row.value_loss)])
}

fn over_time(name: &str, rows: &[MetricsRow], number: fn(&MetricsRow) -> f64) -> Series {
    let points = rows.iter().map(|row| (row.seconds / 60.0, number(row), None)).collect();
    Series { name: name.to_owned(), points }
}
