//! The learning curve of a run: plots for its model card, and a page of them.

use std::path::PathBuf;

use lab::report::{Series, figures, line_plot};
use learn::train::{Folder, Point, Row, progress, rows};

use crate::verbs::reproduce::write_file;

/// Writes `elo.svg`, `losses.svg` and `report.html` into the folder of a run, and
/// returns the last one's path.
pub fn write(folder: &Folder, game: &str) -> anyhow::Result<PathBuf> {
    let (curve, rows) = (progress(folder)?.curve, rows(folder)?);
    let [elo, losses] = [elo(&curve), losses(&rows)];
    let path = |name: &str| folder.path().join(name);
    write_file(&path("elo.svg"), &elo)?;
    write_file(&path("losses.svg"), &losses)?;
    let speed =
        line_plot("minutes", &[over_time("games an hour", &rows, |row| row.games_per_hour)]);
    let plots = [
        (elo, "Elo of each checkpoint, by a short match against the one before; the first has 0."),
        (losses, "The two parts of the loss, means between reports."),
        (speed, "Games of self-play an hour."),
    ];
    let title = match rows.last() {
        Some(last) => format!("{game}: {} games, {} steps", last.games, last.steps),
        None => format!("{game}: nothing trained yet"),
    };
    let page = figures(&title, &plots.map(|(svg, caption)| (svg, caption.to_owned())));
    write_file(&path("report.html"), &page)?;
    Ok(path("report.html"))
}

fn elo(curve: &[Point]) -> String {
    let point = |point: &Point| {
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

fn losses(rows: &[Row]) -> String {
    let learnt: Vec<Row> = rows.iter().filter(|row| row.policy_loss > 0.0).cloned().collect();
    let policy = over_time("policy", &learnt, |row| row.policy_loss);
    line_plot("minutes", &[policy, over_time("value", &learnt, |row| row.value_loss)])
}

fn over_time(name: &str, rows: &[Row], number: fn(&Row) -> f64) -> Series {
    let points = rows.iter().map(|row| (row.seconds / 60.0, number(row), None)).collect();
    Series { name: name.to_owned(), points }
}
