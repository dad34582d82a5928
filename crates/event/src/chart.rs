//! The wall chart: what each team did in each round, and where it stands.

use crate::{Entry, Event, Standing, Winner};

/// Half points as people write them: `3½`.
pub fn points(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// What a team did in a round: `+12f` is a win against team 12 as First, `=` a draw,
/// `-` a loss, `*` a game that is not finished, `!` a game that was not played, `bye`
/// a round without an opponent, nothing a round that it missed.
pub fn cell(event: &Event, round: usize, team: usize) -> String {
    let entries = event.rounds.get(round).map_or(&[][..], |round| &round.entries);
    for entry in entries {
        match entry {
            Entry::Bye(resting) if *resting == team => return "bye".to_owned(),
            Entry::Table(pairing) if pairing.teams.contains(&team) => {
                let side = usize::from(pairing.teams[1] == team);
                let signs: String = pairing
                    .games
                    .iter()
                    .enumerate()
                    .map(|(number, game)| {
                        let first = pairing.sides(number)[0] == team;
                        match &game.end {
                            None => "*",
                            Some(end) => match (end.winner, first) {
                                (Winner::Draw, _) => "=",
                                (Winner::First, true) | (Winner::Second, false) => "+",
                                _ => "-",
                            },
                        }
                    })
                    .collect();
                let forfeit = pairing.games.iter().filter_map(|game| game.end.as_ref());
                let mark = if forfeit.into_iter().any(|end| end.is_forfeit()) { "!" } else { "" };
                let opponent = pairing.teams[1 - side] + 1;
                let letter = if side == 0 { 'f' } else { 's' };
                return format!("{signs}{opponent}{letter}{mark}");
            }
            _ => {}
        }
    }
    String::new()
}

/// The width of a text in columns of a terminal: Chinese signs take two.
fn width(text: &str) -> usize {
    let wide = |c: char| {
        matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
            | '\u{ffe0}'..='\u{ffe6}' | '\u{20000}'..='\u{3fffd}')
    };
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

/// The rows of the chart, the first of them the headings.
fn rows(event: &Event) -> Vec<Vec<String>> {
    let headings = ["Rank", "No", "Team"].map(str::to_owned).into_iter();
    let rounds = (0..event.rounds.len()).map(|round| format!("R{}", round + 1));
    let figures = ["Points", "Buchholz", "SB", "Wins"].map(str::to_owned);
    let mut rows = vec![headings.chain(rounds).chain(figures).collect()];
    rows.extend(event.standings().iter().map(|standing| row(event, standing)));
    rows
}

fn row(event: &Event, standing: &Standing) -> Vec<String> {
    let team = &event.teams[standing.team];
    let withdrawn = if team.withdrawn { " (withdrawn)" } else { "" };
    let head = [
        standing.rank.to_string(),
        (standing.team + 1).to_string(),
        format!("{}{withdrawn}", team.name),
    ];
    let cells = (0..event.rounds.len()).map(|round| cell(event, round, standing.team));
    let figures = [
        points(standing.half_points),
        points(standing.buchholz),
        format!("{}", f64::from(standing.sonneborn_berger) / 4.0),
        standing.wins.to_string(),
    ];
    head.into_iter().chain(cells).chain(figures).collect()
}

/// The wall chart as text.
pub fn wall_chart(event: &Event) -> String {
    let rows = rows(event);
    let columns = rows[0].len();
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0))
        .collect();
    let mut text = format!("{}\n{}\n\n", event.settings.name, event.settings.game);
    for row in rows {
        let padded: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, &most)| format!("{cell}{}", " ".repeat(most - width(cell))))
            .collect();
        text.push_str(padded.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// The wall chart for a spreadsheet.
pub fn csv(event: &Event) -> String {
    let quoted = |cell: &String| match cell.contains([',', '"']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        // A spreadsheet must not take a result for a formula.
        false if cell.starts_with(['+', '-', '=', '@']) => format!("'{cell}"),
        false => cell.clone(),
    };
    let line = |row: Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
    rows(event).into_iter().map(line).collect()
}
