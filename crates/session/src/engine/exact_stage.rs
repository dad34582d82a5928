//! The one stage in front of a search: opening book, endgame table and solver, in
//! this order, for every game.
//!
//! What a game knows exactly comes through [`ExactKnowledge`]; this stage knows no
//! game and no formula of time. The solver decides itself how much of the search's
//! time it tries to solve the position, and the search gets the rest.

use std::sync::Arc;
use std::time::Duration;

use exact::{ExactEngine, ExactKnowledge, SolverOptions};
use games::Record;
use search::{Engine, Limits, SearchControl, SearchInfo};

use crate::Playable;
use crate::book::Book;

/// What a search gets that was stopped while the solver worked.
const MOMENT: Duration = Duration::from_millis(2);

/// A search with all that is known before it.
pub struct ExactStage<G: Playable, E> {
    book: Option<Arc<Book<G>>>,
    options: SolverOptions,
    /// Made with the first position, since it takes memory and only then is the
    /// board known; then what the game has for this board, if anything.
    exact: Option<Option<<G as ExactKnowledge>::Exact>>,
    search: E,
}

impl<G: Playable, E> ExactStage<G, E> {
    /// `search` with a book in front of it, if there is one, and what the game
    /// knows exactly.
    pub fn new(book: Option<Arc<Book<G>>>, options: SolverOptions, search: E) -> ExactStage<G, E> {
        ExactStage { book, options, exact: None, search }
    }

    fn exact(&mut self, game: &G) -> Option<&mut G::Exact> {
        self.exact.get_or_insert_with(|| G::exact(&game.setup(), &self.options)).as_mut()
    }
}

impl<G: Playable, E: Engine<G>> Engine<G> for ExactStage<G, E> {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        let limits = *control.limits();
        if let Some(info) = self.book.as_ref().and_then(|book| book.answer(record, &limits)) {
            return info;
        }
        let Some(exact) = self.exact(record.game()) else {
            return self.search.search(record, control);
        };
        if let Some(info) = exact.answer(record, control) {
            return info;
        }
        let limits = exact.left_over(&limits);
        if control.is_stopped() {
            // A little search is better than none.
            let moment = SearchControl::new(Limits { time: Some(MOMENT), ..limits });
            return self.search.search(record, &moment);
        }
        self.search.search(record, &control.within(limits, control.time().after_share()))
    }

    fn guess(&self, record: &Record<G>, limits: &Limits) -> SearchInfo<G::Move> {
        let booked = self.book.as_ref().and_then(|book| book.answer(record, limits));
        booked.unwrap_or_else(|| self.search.guess(record, limits))
    }

    fn static_guess(&self) -> fn(&G) -> Option<G::Move> {
        self.search.static_guess()
    }

    fn ponder(&mut self, record: &Record<G>, control: &SearchControl<G::Move>) {
        let solved = self.exact(record.game()).is_some_and(|exact| exact.ponder(record, control));
        if !solved && !control.is_stopped() {
            self.search.ponder(record, control);
        }
    }

    fn new_game(&mut self, seed: u64) {
        // What is exact in one game is exact in the next.
        self.search.new_game(seed);
    }

    fn warm_up(&mut self, game: &G) {
        if let Some(exact) = self.exact(game) {
            exact.warm_up();
        }
        self.search.warm_up(game);
    }

    fn limit_threads(&mut self, threads: usize) {
        self.search.limit_threads(threads);
    }
}
