//! What an engine is: all that any caller knows of a search.

use games::{Game, MoveList, Record};

use crate::{Limits, SearchControl, SearchInfo};

/// Why an outside program gave no move, in words that follow its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ended, could not be started again, or fell silent.
    Gone(String),
    /// Its answer is no legal move.
    Illegal(String),
    /// It used more time than its own rules allow, whatever the referee's clock
    /// says.
    Late(String),
}

impl Fault {
    /// An answer that can't be played, and why. A flood is shown in part.
    pub fn illegal(answer: &str, why: impl std::fmt::Display) -> Fault {
        let shown: String = answer.chars().take(80).collect();
        Fault::Illegal(format!("answered '{shown}': {why}"))
    }
}

/// A player. One engine plays one game at a time, and may keep its results
/// (tree, table) from move to move. It is synchronous; a caller that must not wait for
/// it asks a [`Runner`](crate::Runner).
pub trait Engine<G: Game>: Send {
    /// Chooses a move for the record as it stands, which must not be over.
    ///
    /// While it searches it polls [`SearchControl::should_stop`] and publishes its
    /// newest result, both at least every 5 ms, and returns the best it has as
    /// soon as it is to stop.
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move>;

    /// The best answer without search, found in well under a millisecond: a move
    /// from a book, a table or the tree of the search before, else the evaluation
    /// after one ply. It is the answer until the search publishes one, so an engine
    /// that gets no core in all its time plays no arbitrary move. By default
    /// [`Engine::static_guess`].
    fn guess(&self, record: &Record<G>, _limits: &Limits) -> SearchInfo<G::Move> {
        SearchInfo { best: (self.static_guess())(record.game()), ..SearchInfo::default() }
    }

    /// What finds a move by the position alone, for a caller who has to answer while
    /// the engine has not come back from its last search. By default the first legal
    /// move.
    fn static_guess(&self) -> fn(&G) -> Option<G::Move> {
        first_legal
    }

    /// Searches on the opponent's time, from the record as it stands with the
    /// opponent to move, until it is stopped. What is found helps the next
    /// [`Engine::search`]. By default there is no pondering.
    fn ponder(&mut self, _record: &Record<G>, _control: &SearchControl<G::Move>) {}

    /// Forgets everything: another game begins. `seed` decides every random
    /// choice from here on.
    fn new_game(&mut self, seed: u64);

    /// Does now what the first search of a game like this would do before it gets
    /// anywhere, such as taking its memory: for callers with a moment before a clock
    /// runs. By default there is nothing to do.
    fn warm_up(&mut self, _game: &G) {}

    /// Uses at most so many threads from the next search on, and at least one; never more
    /// than it was made with. By default there is one.
    fn limit_threads(&mut self, _threads: usize) {}

    /// Whether what it last published may be taken as its answer at the deadline.
    /// Not so for an outside program, which names its move itself and loses if it
    /// is late.
    fn is_anytime(&self) -> bool {
        true
    }
}

fn first_legal<G: Game>(game: &G) -> Option<G::Move> {
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    moves.into_iter().next()
}

/// An engine in a box is an engine.
impl<G: Game> Engine<G> for Box<dyn Engine<G>> {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        (**self).search(record, control)
    }

    fn guess(&self, record: &Record<G>, limits: &Limits) -> SearchInfo<G::Move> {
        (**self).guess(record, limits)
    }

    fn static_guess(&self) -> fn(&G) -> Option<G::Move> {
        (**self).static_guess()
    }

    fn ponder(&mut self, record: &Record<G>, control: &SearchControl<G::Move>) {
        (**self).ponder(record, control);
    }

    fn new_game(&mut self, seed: u64) {
        (**self).new_game(seed);
    }

    fn warm_up(&mut self, game: &G) {
        (**self).warm_up(game);
    }

    fn limit_threads(&mut self, threads: usize) {
        (**self).limit_threads(threads);
    }

    fn is_anytime(&self) -> bool {
        (**self).is_anytime()
    }
}
