//! What is known exactly about a game, in one small trait: what a search may look
//! up at its nodes, and what may answer before any search begins.

use std::sync::Arc;

use games::{Game, Record};
use search::{Limits, Oracle, SearchControl, SearchInfo};

/// How much memory and how many threads a solver may take.
#[derive(Clone, Copy, Debug)]
pub struct SolverOptions {
    /// Megabytes for its table.
    pub megabytes: usize,
    /// Threads.
    pub threads: usize,
}

impl SolverOptions {
    /// For the solver that ends games of self-play: many small questions.
    pub const ADJUDICATOR: SolverOptions = SolverOptions { megabytes: 64, threads: 1 };
}

/// A game of which something is known exactly. The defaults know nothing.
///
/// ```
/// use exact::{ExactEngine, ExactKnowledge, SolverOptions};
/// use games::dots_and_boxes::{DotsAndBoxes, Setup};
/// use games::{Game, Record};
/// use search::SearchControl;
///
/// let setup = Setup::new(2, 2);
/// let options = SolverOptions { megabytes: 1, threads: 1 };
/// let mut exact = DotsAndBoxes::exact(&setup, &options).unwrap();
/// let record = Record::new(DotsAndBoxes::start(&setup)?);
/// let info = exact.answer(&record, &SearchControl::unlimited()).unwrap();
/// assert!(info.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ExactKnowledge: Game {
    /// What answers before a search.
    type Exact: ExactEngine<Self> + Oracle<Self> + 'static;

    /// What can be looked up at every node of a search, if there is anything.
    fn node_oracle() -> Option<Arc<dyn Oracle<Self>>> {
        None
    }

    /// What knows results within a number of nodes, for self-play, whose games end where
    /// it does.
    fn adjudicator(setup: &Self::Setup) -> Option<Arc<dyn Oracle<Self>>> {
        Some(Arc::new(Self::exact(setup, &SolverOptions::ADJUDICATOR)?))
    }

    /// In a few words what there is on this board.
    fn exact_summary(setup: &Self::Setup) -> Option<String> {
        let options = SolverOptions { megabytes: 1, threads: 1 };
        Self::exact(setup, &options).map(|_| "a solver".to_owned())
    }

    /// What answers before a search on this board, if there is anything.
    fn exact(setup: &Self::Setup, options: &SolverOptions) -> Option<Self::Exact>;
}

/// Answers exactly where it can: a solver or an endgame table.
pub trait ExactEngine<G: Game>: Send {
    /// The exact answer for a record that is not over, if it can be had within a
    /// share of what the search may spend.
    fn answer(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> Option<SearchInfo<G::Move>>;

    /// What the search may still spend after the engine has used its share in
    /// vain. By default all of it.
    fn left_over(&self, limits: &Limits) -> Limits {
        *limits
    }

    /// Does what its first solve would do first, such as touching the memory of a table,
    /// before a clock runs. By default nothing.
    fn warm_up(&mut self) {}

    /// Works on the opponent's time. True if it has solved the position, so that a
    /// search would add nothing.
    fn ponder(&mut self, _record: &Record<G>, _control: &SearchControl<G::Move>) -> bool {
        false
    }
}
