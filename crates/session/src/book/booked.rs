//! An engine that plays by a book as long as it can.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use games::Record;
use search::{Engine, Info, Limits, Line, Score, Source};

use super::Book;
use crate::Playable;

/// Plays by the book, and leaves what the book does not know to another engine.
/// Whoever sets no limit at all wants analysis, and gets the book's word only
/// where it is certain.
pub struct Booked<G: Playable> {
    book: Arc<Book<G>>,
    inner: Box<dyn Engine<G>>,
}

impl<G: Playable> Booked<G> {
    /// `inner` with a book in front of it.
    pub fn new(book: Arc<Book<G>>, inner: Box<dyn Engine<G>>) -> Booked<G> {
        Booked { book, inner }
    }

    fn advice(&self, record: &Record<G>, limits: &Limits) -> Option<Info<G>> {
        let begun = Instant::now();
        // A book does not see that a game repeats itself.
        if record.occurrences() > 1 {
            return None;
        }
        let choices = self.book.choices(record.game());
        let best = *choices.first()?;
        let certain = matches!(best.score, Score::Proven { .. });
        if !certain && *limits == Limits::default() {
            return None;
        }
        let line = |mv, score, visits| Line { mv, score, visits, pv: vec![mv] };
        Some(Info {
            best: Some(best.mv),
            score: best.score,
            win_rate: (1.0 + best.expected()) / 2.0,
            elapsed: begun.elapsed(),
            lines: choices.iter().map(|c| line(c.mv, c.score, c.games)).collect(),
            source: Source::Book,
            ..Info::new()
        })
    }
}

impl<G: Playable> Engine<G> for Booked<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        match self.advice(record, limits) {
            Some(info) => info,
            None => self.inner.think(record, limits, watch),
        }
    }

    fn ponder(&mut self, record: &Record<G>, watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
        self.inner.ponder(record, watch);
    }

    fn new_game(&mut self, seed: u64) {
        self.inner.new_game(seed);
    }
}
