//! Imports recorded games: stores of matches, their exports, and single games in
//! any format that `boyi record` reads.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arena::{GameResult, Store, StoreError};
use games::{Outcome, Player, Reason, Record};
use serde_json::Value;
use session::Playable;
use session::book::OpeningStats;

/// How many games were imported.
#[derive(Default)]
pub struct ImportStats {
    /// Games added.
    pub added: u64,
    /// Games of other games or setups, and unfinished ones.
    pub skipped: u64,
}

/// Adds the games of files and folders to the opening statistics.
pub fn read<G: Playable>(
    paths: &[PathBuf],
    start: &G,
    openings: &mut OpeningStats<G>,
) -> anyhow::Result<ImportStats> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    let mut stats = ImportStats::default();
    for file in &files {
        read_file(file, start, openings, &mut stats)
            .with_context(|| format!("{} can't be used", file.display()))?;
    }
    Ok(stats)
}

/// The files below a path, in a fixed order.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries =
        std::fs::read_dir(path).with_context(|| format!("{} can't be read", path.display()))?;
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()
        .with_context(|| format!("{} can't be read", path.display()))?;
    entries.sort();
    // SQLite's files beside a store are part of it.
    let sidecar = |name: &str| ["-wal", "-shm", ".lock"].iter().any(|end| name.ends_with(end));
    entries.retain(|entry| !sidecar(&entry.to_string_lossy()));
    entries.iter().try_for_each(|entry| collect(entry, files))
}

fn read_file<G: Playable>(
    path: &Path,
    start: &G,
    openings: &mut OpeningStats<G>,
    stats: &mut ImportStats,
) -> anyhow::Result<()> {
    let mut head = Vec::new();
    File::open(path)?.take(16).read_to_end(&mut head)?;
    if head.starts_with(b"SQLite format 3") {
        return read_store(path, start, openings, stats);
    }
    if path.extension().is_some_and(|end| end == "jsonl") {
        for (i, line) in BufReader::new(File::open(path)?).lines().enumerate() {
            let line = line?;
            let value: Value =
                serde_json::from_str(&line).with_context(|| format!("line {}", i + 1))?;
            let text = |name: &str| value[name].as_str().unwrap_or_default();
            let winner = match text("winner") {
                "first" => Some(Player::First),
                "second" => Some(Player::Second),
                _ => None,
            };
            let game = format!("{} {}", text("game"), text("setup"));
            let imported = ImportedGame {
                game: &game,
                opening: text("opening"),
                moves: text("moves"),
                winner,
            };
            imported.add(start, openings, stats).with_context(|| format!("line {}", i + 1))?;
        }
        return Ok(());
    }
    let record = records::read(&records::decode(&files::read(path, 16 << 20)?), None, None)?;
    let session = record.replay(None).map_err(|error| anyhow::anyhow!("not legal at {error}"))?;
    let winner = session.outcome().map(|outcome| outcome.winner).or(record.winner);
    let (Some(winner), None) = (winner, &record.start) else {
        stats.skipped += 1;
        return Ok(());
    };
    let moves = G::join_moves(&session.moves());
    let game = record.game.to_string();
    ImportedGame { game: &game, opening: "", moves: &moves, winner }.add(start, openings, stats)
}

fn read_store<G: Playable>(
    path: &Path,
    start: &G,
    openings: &mut OpeningStats<G>,
    stats: &mut ImportStats,
) -> anyhow::Result<()> {
    let store = Store::open(path)?;
    for (id, config) in store.matches()? {
        let game = format!("{} {}", config.game, config.setup);
        let mut failed = Ok(());
        store.for_each_game::<StoreError>(id, u64::MAX, |played: GameResult| {
            let winner = played.outcome.winner;
            let imported = ImportedGame {
                game: &game,
                opening: &played.opening,
                moves: &played.moves,
                winner,
            };
            if failed.is_ok() {
                failed = imported.add(start, openings, stats);
            }
            Ok(())
        })?;
        failed?;
    }
    Ok(())
}

/// A finished game as a file has it.
struct ImportedGame<'a> {
    game: &'a str,
    opening: &'a str,
    moves: &'a str,
    winner: Option<Player>,
}

impl ImportedGame<'_> {
    fn add<G: Playable>(
        &self,
        start: &G,
        openings: &mut OpeningStats<G>,
        stats: &mut ImportStats,
    ) -> anyhow::Result<()> {
        let ours = format!("{} {}", G::NAME, start.setup());
        // A game that begins at a position says nothing about openings.
        let (position, moves) = arena::split_position(self.moves);
        if self.game.trim_end() != ours.trim_end() || position.is_some() {
            stats.skipped += 1;
            return Ok(());
        }
        let mut record = Record::new(start.clone());
        if let Err(error) = record.play_text(moves) {
            bail!("a game that can't be played: {error}");
        }
        let reason = Reason::Adjudicated;
        openings.add(
            &record,
            G::split_moves(self.opening).len(),
            Outcome { winner: self.winner, reason },
        );
        stats.added += 1;
        Ok(())
    }
}
