//! Games of which nothing is known exactly.

use std::convert::Infallible;

use games::{Game, Record};
use search::{SearchControl, SearchInfo};

use crate::ExactEngine;

/// The exact engine of a game that has none.
impl<G: Game> ExactEngine<G> for Infallible {
    fn answer(
        &mut self,
        _record: &Record<G>,
        _control: &SearchControl<G::Move>,
    ) -> Option<SearchInfo<G::Move>> {
        match *self {}
    }
}

/// `no_exact_knowledge!(Type)` says of a game that it has neither solver nor
/// endgame table: engines search it, and `boyi solve` refuses it in a sentence.
#[macro_export]
macro_rules! no_exact_knowledge {
    ($game:ty) => {
        impl $crate::ExactKnowledge for $game {
            type Exact = std::convert::Infallible;

            fn exact(
                _setup: &<$game as games::Game>::Setup,
                _options: &$crate::SolverOptions,
            ) -> Option<Self::Exact> {
                None
            }
        }

        impl $crate::Solve for $game {
            type Solver = std::convert::Infallible;

            fn solver(
                _setup: &<$game as games::Game>::Setup,
                _options: &$crate::SolverOptions,
            ) -> Result<Self::Solver, String> {
                Err(format!("there is no solver for {}", <$game as games::Text>::NAME))
            }

            fn solve(
                &self,
                solver: &mut Self::Solver,
                _thorough: bool,
                _control: &search::SearchControl<Self::Move>,
                _observer: &mut impl FnMut($crate::Bounds),
            ) -> $crate::Solved<Self::Move> {
                match *solver {}
            }

            fn each(
                &self,
                solver: &mut Self::Solver,
                _control: &search::SearchControl<Self::Move>,
                _observer: &mut impl FnMut($crate::Bounds),
            ) -> $crate::MoveValues<Self::Move> {
                match *solver {}
            }
        }
    };
}
