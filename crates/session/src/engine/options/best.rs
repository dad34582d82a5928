//! The options of a game's best engine, and of that engine weakened to a level.

use crate::engine::parameter::{Kind, Row, number, optional, parsed, words};

/// The row of the memory of an engine that may have a solver beside its search.
macro_rules! memory {
    () => {
        optional!(
            "memory",
            memory,
            3..=65_536 or "auto",
            "megabytes in all, a third of them for a solver; auto: as much as serves one player"
        )
    };
}

/// Of a level of strength.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelOptions {
    /// From 1 to 10.
    pub level: u32,
    /// Careless turns in a hundred; `None` for the level's own number, as below.
    pub careless: Option<u32>,
    /// Moves that it looks at on a careless turn.
    pub sample_size: Option<u32>,
    /// Nodes of a search on any other turn.
    pub nodes: Option<u64>,
    /// Megabytes in all; `None` for as much as serves one player.
    pub memory: Option<u64>,
}

impl Default for LevelOptions {
    fn default() -> LevelOptions {
        LevelOptions { level: 5, careless: None, sample_size: None, nodes: None, memory: None }
    }
}

pub(super) const LEVEL: &[Row<LevelOptions>] = &[
    number!(
        "n",
        level,
        Kind::Whole(1, 10, &[]),
        "1 for a beginner, 10 for a strong player that answers at once"
    ),
    optional!(
        "careless",
        careless,
        0..=100 or "auto",
        "turns in a hundred on which it looks at few moves; auto: as the level says"
    ),
    optional!("glances", sample_size, 1..=1_000 or "auto", "moves that it looks at on such a turn"),
    optional!("nodes", nodes, 1..=1_000_000_000 or "auto", "nodes of a search on any other turn"),
    memory!(),
];

/// Of the best engine of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct BestOptions {
    /// Threads; `None` for one for each core.
    pub threads: Option<usize>,
    /// The opening book: `auto`, `off` or a file.
    pub book: String,
    /// Megabytes in all; `None` for as much as serves one player.
    pub memory: Option<u64>,
    /// Root moves that get a value of their own; a tree search has one for each.
    pub multipv: usize,
}

impl Default for BestOptions {
    fn default() -> BestOptions {
        BestOptions { threads: Some(1), book: "auto".to_owned(), memory: None, multipv: 1 }
    }
}

impl BestOptions {
    /// The number of threads on this machine.
    pub fn thread_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores)
    }
}

pub(super) const BEST: &[Row<BestOptions>] = &[
    optional!("threads", threads, 1..=256 or "auto", "threads; auto: one for each core"),
    words!(
        "book",
        book,
        "opening book: auto for the one that comes with the program, off, or a file"
    ),
    memory!(),
    number!(
        "multipv",
        multipv,
        Kind::Whole(1, 256, &[]),
        "root moves that get a value and a line of their own, where the search is alpha-beta"
    ),
];
