//! An engine that answers in time, whatever it is made of.
//!
//! Our searches keep their deadlines themselves (see `post.rs`). What stands in
//! front of them (a solver, a book) computes in the thread that asks, and on a
//! busy machine that thread may lose its core for longer than the margin. Here
//! the asking thread sleeps, and another one does all of it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use games::{Game, MoveList, Record};

use crate::lent::Lent;
use crate::post::Post;
use crate::{Engine, Info, Limits, Pace, Plan};

/// Another engine, punctual: with a deadline it answers with what is known then.
/// Without one, everything is as if it were asked itself.
pub struct Punctual<G: Game> {
    engine: Lent<Box<dyn Engine<G>>>,
    stop: Arc<AtomicBool>,
}

impl<G: Game> Punctual<G> {
    /// Makes an engine punctual.
    pub fn new(engine: Box<dyn Engine<G>>) -> Punctual<G> {
        Punctual { engine: Lent::new(engine), stop: Arc::new(AtomicBool::new(true)) }
    }

    /// The engine, waiting for it to come back from its last move.
    fn engine(&mut self) -> &mut dyn Engine<G> {
        self.stop.store(true, Ordering::Relaxed);
        self.engine.wait(None).expect("without a limit it is waited for").as_mut()
    }
}

impl<G: Game> Engine<G> for Punctual<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let mover = record.game().to_move();
        let pace = Pace::begin(limits, mover, record.moves().len() as u32, &Plan::default());
        if pace.left().is_none() {
            return self.engine().think(record, limits, watch);
        }
        self.stop.store(true, Ordering::Relaxed);
        let mut moves = MoveList::new();
        record.game().moves(&mut moves);
        let unsearched = Info { best: moves.first().copied(), ..Info::new() };
        if self.engine.wait(pace.left()).is_none() {
            return Info { elapsed: pace.elapsed(), ..unsearched };
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.stop = stop.clone();
        let post = Arc::new(Post::new(unsearched));
        let (board, record) = (post.clone(), record.clone());
        let limits = Limits { time: limits.time.and(pace.left()), ..*limits };
        self.engine.lend(move |engine| {
            board.fill(&stop, |watch| engine.think(&record, &limits, watch));
        });
        let info = post.attend(&pace, watch);
        self.stop.store(true, Ordering::Relaxed);
        info
    }

    fn ponder(&mut self, record: &Record<G>, watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
        self.engine().ponder(record, watch);
    }

    fn new_game(&mut self, seed: u64) {
        self.engine().new_game(seed);
    }
}

impl<G: Game> Drop for Punctual<G> {
    fn drop(&mut self) {
        // The engine is waited for when it is dropped.
        self.stop.store(true, Ordering::Relaxed);
    }
}
