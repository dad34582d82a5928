//! Opening books: moves computed beforehand and looked up during play.
//!
//! A book is a repertoire ([`Book::grow`]): for each side, the positions in
//! which it is to move and has always followed the book, whatever the other side
//! did, to some number of plies. What stands at a position may come from a
//! solver, and then it is certain, from a search, or from games on record
//! ([`OpeningStats`]). Symmetric positions share an entry.
//!
//! The file is text, a line for each move ([`mod@file`]), so that it can be read and
//! compared. Every entry is a fact about its position and the way the book is
//! made, never about the entries before it, so a build that was killed and resumed
//! ends with the same file.
//!
//! A book knows nothing of time and clocks; the stage in front of a search
//! (`engine::exact_stage`) plays by it as long as it can.

pub mod file;
mod move_source;
mod opening_stats;
mod repertoire;
mod source;

use std::collections::HashMap;
use std::time::Instant;

use games::{Game, MoveList, Record};
use search::{Limits, Line, Score, SearchInfo, Source};

use crate::Playable;

pub use file::BookError;
pub use move_source::{Method, MoveSource};
pub use opening_stats::{OpeningStats, Tally};
pub use repertoire::walk;
pub use source::{BookSource, shipped};

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A solver: certain.
    Solver,
    /// A search.
    Search,
    /// Games on record.
    Games,
    /// A search, and games on record.
    Both,
}

/// A move that the book knows in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// Its worth for the player to move, in thousandths where it is expected.
    pub score: Score,
    /// Games in which it was played.
    pub games: u64,
    /// Who says so.
    pub origin: Origin,
}

impl<M> Choice<M> {
    /// The expected result for the player to move, from -1 to 1.
    pub fn expected(&self) -> f64 {
        match self.score {
            Score::Expected(value) | Score::Points(value) => value,
            Score::Proven { result, .. } => result.into(),
        }
    }
}

/// A position, smallest among its symmetric ones, and its moves, best first.
#[derive(Clone, Debug, PartialEq)]
struct Entry<G: Game> {
    position: G,
    choices: Vec<Choice<G::Move>>,
}

/// What to play in the openings of one setup.
#[derive(Clone, Debug, PartialEq)]
pub struct Book<G: Game> {
    setup: G::Setup,
    plies: u32,
    made: String,
    entries: HashMap<u64, Entry<G>>,
}

impl<G: Playable> Book<G> {
    /// A book without entries for positions of up to so many plies. `made` is a
    /// line that says how it is made; builds with different lines do not mix.
    pub fn new(setup: &G::Setup, plies: u32, made: &str) -> Book<G> {
        let made = made.split_whitespace().collect::<Vec<_>>().join(" ");
        Book { setup: setup.clone(), plies, made, entries: HashMap::new() }
    }

    /// The same book for positions of up to more plies, which are still missing.
    pub fn deepened(self, plies: u32) -> Book<G> {
        Book { plies: plies.max(self.plies), ..self }
    }

    /// The setup that it is for.
    pub fn setup(&self) -> &G::Setup {
        &self.setup
    }

    /// Positions with more plies are in it only where games on record had them.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// How it is made.
    pub fn made(&self) -> &str {
        &self.made
    }

    /// The number of positions in it.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The positions in it, each the smallest of its symmetric ones, by the
    /// order of their texts.
    pub fn positions(&self) -> Vec<&G> {
        self.sorted().into_iter().map(|(_, entry)| &entry.position).collect()
    }

    fn sorted(&self) -> Vec<(String, &Entry<G>)> {
        let mut all: Vec<_> =
            self.entries.values().map(|entry| (entry.position.position(), entry)).collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        all
    }

    /// What it knows of the moves of a position, best first; nothing if it does
    /// not know the position or is for another setup.
    pub fn choices(&self, game: &G) -> Vec<Choice<G::Move>> {
        if game.setup() != self.setup {
            return Vec::new();
        }
        let (canonical, s) = game.canonical();
        let Some(entry) = self.entries.get(&canonical.key()) else { return Vec::new() };
        let mut legal = MoveList::new();
        game.moves(&mut legal);
        let here = |choice: &Choice<G::Move>| {
            let mv = legal.iter().find(|&&mv| game.transform_move(s, mv) == choice.mv)?;
            Some(Choice { mv: *mv, ..*choice })
        };
        entry.choices.iter().filter_map(here).collect()
    }

    /// The book's move for a game that it knows. Without any limit the user wants
    /// analysis, and gets the book's word only where it is certain.
    pub fn answer(&self, record: &Record<G>, limits: &Limits) -> Option<SearchInfo<G::Move>> {
        let begun = Instant::now();
        // A book does not see that a game repeats itself.
        if record.occurrences() > 1 {
            return None;
        }
        let choices = self.choices(record.game());
        let best = *choices.first()?;
        let certain = matches!(best.score, Score::Proven { .. });
        if !certain && limits.is_unlimited() {
            return None;
        }
        let line = |mv, score, visits| Line { mv, score, visits, pv: vec![mv] };
        Some(SearchInfo {
            best: Some(best.mv),
            score: best.score,
            win_rate: (1.0 + best.expected()) / 2.0,
            elapsed: begun.elapsed(),
            lines: choices.iter().map(|c| line(c.mv, c.score, c.games)).collect(),
            source: Source::Book,
            ..SearchInfo::default()
        })
    }

    /// Puts in what is known of a position; the best move becomes the first, and
    /// values are rounded as the file has them.
    fn insert(&mut self, game: &G, mut choices: Vec<Choice<G::Move>>) {
        let (position, s) = game.canonical();
        for choice in &mut choices {
            choice.mv = game.transform_move(s, choice.mv);
            if let Score::Expected(value) = &mut choice.score {
                *value = (*value * 1000.0).round() / 1000.0;
            }
        }
        choices.sort_by(|a, b| b.expected().total_cmp(&a.expected()));
        self.entries.insert(position.key(), Entry { position, choices });
    }
}
