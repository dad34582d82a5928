//! What is known about the moves of a position without a search: the book's
//! entry, and the solver's or the endgame tables' values of every move, found in
//! growing shares of time.
//!
//! An analysis shows these beside what its search estimates. A solver that is
//! asked for a moment only often knows who wins by some moves and not yet by
//! others, so what is known is published after each share. Nothing here decides
//! how long an analysis lasts; the caller ends it.

use std::ops::ControlFlow;
use std::time::Duration;

use exact::{Measure, SolverOptions};
use games::Record;
use search::{Limits, Score, SearchControl, Source};
use serde::Serialize;

use crate::Playable;
use crate::book::{Choice, shipped};

/// The solver's first share of time; each share is twice the one before.
const FIRST_SHARE: Duration = Duration::from_millis(50);

/// The longest share: a position that is not solved by then is left to the search.
const LAST_SHARE: Duration = Duration::from_secs(26);

/// What is certain about one move, for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExactMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value in the game's own measure is at least this,
    pub low: i32,
    /// and at most this.
    pub high: i32,
    /// How the game ends: +1, 0 or -1; none while the bounds allow more than one
    /// result.
    pub result: Option<i32>,
    /// Plies to the end, or in Surakarta to the next capture, where known.
    pub plies: Option<u32>,
}

/// What is certain about the moves of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExactMoves {
    /// What the values count: `end`, `boxes` or `capture`; see [`Measure`].
    pub measure: &'static str,
    /// Who says so: a solver or an endgame table.
    pub source: Source,
    /// The moves of which something is known.
    pub moves: Vec<ExactMove>,
}

impl ExactMoves {
    /// Whether every move has its exact value.
    pub fn is_complete(&self) -> bool {
        self.moves.iter().all(|mv| mv.low == mv.high)
    }
}

/// A move that the shipped book has in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BookMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its worth for the player to move; certain where a solver said so.
    pub score: Score,
    /// Games on record in which it was played.
    pub games: u64,
}

/// See [`ErasedGame::book_moves`](crate::ErasedGame::book_moves).
pub(crate) fn book_moves<G: Playable>(record: &Record<G>) -> Vec<BookMove> {
    // A book does not see that a game repeats itself.
    let game = record.game();
    let Some(book) = shipped::<G>(&game.setup()).filter(|_| record.occurrences() <= 1) else {
        return Vec::new();
    };
    let one = |choice: Choice<G::Move>| {
        let Choice { mv, score, games, .. } = choice;
        BookMove { mv: game.move_text(mv), score, games }
    };
    book.choices(game).into_iter().map(one).collect()
}

/// See [`ErasedGame::solve_moves`](crate::ErasedGame::solve_moves).
pub(crate) fn solve_moves<G: Playable>(
    game: &G,
    megabytes: usize,
    watch: &mut (impl FnMut(Option<&ExactMoves>) -> ControlFlow<()> + ?Sized),
) {
    // A setup without a solver, and tables that are not there, say nothing.
    let options = SolverOptions { megabytes, threads: 1 };
    let Ok(mut solver) = G::solver(&game.setup(), &options) else { return };
    let mut share = FIRST_SHARE;
    let mut newest = None;
    while share <= LAST_SHARE && watch(None).is_continue() {
        let control = SearchControl::new(Limits::time(share));
        let values = game.solve_moves(&mut solver, &control, &mut |_| {
            if watch(None).is_break() {
                control.stop();
            }
        });
        if values.moves.is_empty() {
            return;
        }
        let known = ExactMoves::of(game, &solver, &values.moves);
        let complete = known.is_complete();
        if newest.as_ref() != Some(&known) {
            if watch(Some(&known)).is_break() {
                return;
            }
            newest = Some(known);
        }
        // Tables know at once what they ever will.
        if complete || control.is_stopped() || G::MEASURE == Measure::Capture {
            return;
        }
        share *= 2;
    }
}

/// See [`ErasedGame::solved_line`](crate::ErasedGame::solved_line).
pub(crate) fn solved_line<G: Playable>(game: &G, megabytes: usize, time: Duration) -> Vec<String> {
    let options = SolverOptions { megabytes, threads: 1 };
    let Ok(mut solver) = G::solver(&game.setup(), &options) else { return Vec::new() };
    let control = SearchControl::new(Limits::time(time));
    let solved = game.solve_position(&mut solver, true, &control, &mut |_| {});
    search::line_text(game, &solved.pv)
}

impl ExactMoves {
    fn of<G: Playable>(game: &G, solver: &G::Solver, moves: &[(G::Move, exact::Range)]) -> Self {
        let one = |(mv, range): &(G::Move, exact::Range)| {
            let (low, high) = (*range.start(), *range.end());
            let result = game.result(low);
            ExactMove {
                mv: game.move_text(*mv),
                low,
                high,
                result: (result == game.result(high)).then_some(result),
                plies: (low == high).then(|| game.plies_of(solver, *mv, low)).flatten(),
            }
        };
        let (measure, source) = match G::MEASURE {
            Measure::End => ("end", Source::Solver),
            Measure::Boxes => ("boxes", Source::Solver),
            Measure::Capture => ("capture", Source::Table),
        };
        ExactMoves { measure, source, moves: moves.iter().map(one).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(game: &str, moves: &str) -> ExactMoves {
        let mut session = crate::open(&game.parse().unwrap());
        session.play(moves).unwrap();
        let mut newest = None;
        session.solve_moves(8, &mut |known| {
            newest = known.cloned().or(newest.take());
            ControlFlow::Continue(())
        });
        newest.expect("something is known at once")
    }

    #[test]
    fn every_column_has_its_result_and_distance() {
        let known = solved("connect-four", "444442525533");
        assert!(known.is_complete() && known.moves.len() == 7, "{known:?}");
        assert!(known.moves.iter().all(|mv| mv.plies.is_some()), "{known:?}");
        let four =
            ExactMove { mv: "6".to_owned(), low: 15, high: 15, result: Some(1), plies: Some(1) };
        assert_eq!(known.moves[5], four, "four in the lowest row at once");
    }

    #[test]
    fn every_edge_has_its_boxes() {
        let known = solved("dots-and-boxes 3x3", "");
        assert!(known.is_complete() && known.moves.len() == 24, "{known:?}");
        assert_eq!(known.moves.iter().map(|mv| mv.low).max(), Some(-3));
    }

    #[test]
    fn the_book_has_a_proven_answer() {
        let mut session = crate::open(&"connect-four".parse().unwrap());
        session.play("444").unwrap();
        let book = session.book_moves();
        assert!(matches!(book[0].score, Score::Proven { .. }), "{book:?}");
        let other = crate::open(&"connect-four 5x4".parse().unwrap());
        assert_eq!(other.book_moves(), []);
    }

    #[test]
    fn a_poll_that_breaks_ends_it() {
        let session = crate::open(&"connect-four".parse().unwrap());
        let mut published = 0;
        session.solve_moves(8, &mut |known| {
            published += usize::from(known.is_some());
            ControlFlow::Break(())
        });
        assert_eq!(published, 0);
    }
}
