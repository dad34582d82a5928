//! Finished games for other programs: JSON lines with everything, or a CSV table
//! with one row per game.

use std::io::Write;

use games::Player;
use serde::Serialize;

use crate::{GameResult, MatchConfig, MatchId, Ply, Store, StoreError};

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output can't be written.
    #[error("the export can't be written: {0}")]
    Io(#[from] std::io::Error),
}

impl From<csv::Error> for ExportError {
    fn from(error: csv::Error) -> ExportError {
        ExportError::Io(error.into())
    }
}

/// A game as its line shows it.
#[derive(Serialize)]
struct Line<'a> {
    index: u64,
    pair: u64,
    game: &'a str,
    setup: &'a str,
    first: &'a str,
    second: &'a str,
    first_version: &'a str,
    second_version: &'a str,
    seed: u64,
    opening: &'a str,
    moves: &'a str,
    winner: Option<&'static str>,
    reason: String,
    note: &'a str,
    plies: &'a [Ply],
}

impl<'a> Line<'a> {
    fn new(config: &'a MatchConfig, game: &'a GameResult) -> Line<'a> {
        let [first, second] = game.engines.map(|number| &config.engines[number]);
        Line {
            index: game.index,
            pair: game.index / 2,
            game: &config.game,
            setup: &game.setup,
            first: &first.spec,
            second: &second.spec,
            first_version: &first.version,
            second_version: &second.version,
            seed: game.seed,
            opening: &game.opening,
            moves: &game.moves,
            winner: game.outcome.winner.map(|winner| match winner {
                Player::First => "first",
                Player::Second => "second",
            }),
            reason: game.outcome.reason.to_string(),
            note: &game.note,
            plies: &game.plies,
        }
    }
}

/// Writes the games of a match's first `pairs` pairs as JSON, one a line.
pub fn jsonl(
    store: &Store,
    id: MatchId,
    config: &MatchConfig,
    pairs: u64,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    store.for_each_game(id, pairs, |game| {
        let line = serde_json::to_string(&Line::new(config, &game)).expect("plain data");
        Ok(writeln!(out, "{line}")?)
    })
}

/// Writes the games of a match's first `pairs` pairs as comma-separated values,
/// one a row, under a header.
pub fn csv(
    store: &Store,
    id: MatchId,
    config: &MatchConfig,
    pairs: u64,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record([
        "index",
        "pair",
        "game",
        "setup",
        "first",
        "second",
        "first_version",
        "second_version",
        "seed",
        "winner",
        "reason",
        "note",
        "plies",
        "seconds",
        "opening",
        "moves",
    ])?;
    store.for_each_game::<ExportError>(id, pairs, |game| {
        let line = Line::new(config, &game);
        let micros: u64 = line.plies.iter().map(|ply| ply.micros).sum();
        Ok(table.write_record([
            &line.index.to_string(),
            &line.pair.to_string(),
            line.game,
            line.setup,
            line.first,
            line.second,
            line.first_version,
            line.second_version,
            &line.seed.to_string(),
            line.winner.unwrap_or("draw"),
            &line.reason,
            line.note,
            &line.plies.len().to_string(),
            &format!("{:.6}", micros as f64 / 1e6),
            line.opening,
            line.moves,
        ])?)
    })?;
    Ok(table.flush()?)
}
