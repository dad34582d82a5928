//! The endgame tables at work in games: looked up at the nodes of a search, and
//! played by where they know the position.

use std::sync::{Arc, OnceLock};

use games::Record;
use games::surakarta::{Move, Stall, Surakarta};
use search::{Oracle, SearchControl, SearchInfo, Verdict};

use super::tables::{MOST_PIECES, Tables, default_folder};
use crate::{ExactEngine, ExactKnowledge, SolverOptions};

/// The tables of both stall rules, opened once for the whole program. A damaged
/// file is reported on standard error, and play goes on without it.
fn tables() -> &'static [Tables] {
    static TABLES: OnceLock<Vec<Tables>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = default_folder();
        [Stall::Count, Stall::Draw]
            .into_iter()
            .filter_map(|stall| match Tables::open(&folder, stall, MOST_PIECES) {
                Ok(tables) => Some(tables).filter(|tables| tables.pieces() > 1),
                Err(error) => {
                    eprintln!("boyi: {error}");
                    None
                }
            })
            .collect()
    })
}

/// Plays by whichever of the tables agrees with a position's rules.
pub struct TableEngine(());

impl Oracle<Surakarta> for TableEngine {
    fn probe(&self, game: &Surakarta, nodes: u64) -> Option<Verdict<Move>> {
        tables().iter().find_map(|tables| tables.probe(game, nodes))
    }
}

impl ExactEngine<Surakarta> for TableEngine {
    fn answer(
        &mut self,
        record: &Record<Surakarta>,
        control: &SearchControl<Move>,
    ) -> Option<SearchInfo<Move>> {
        let info = tables().iter().find_map(|tables| tables.answer(record))?;
        Some(SearchInfo { elapsed: control.time().elapsed(), ..info })
    }
}

impl ExactKnowledge for Surakarta {
    type Exact = TableEngine;

    fn node_oracle() -> Option<Arc<dyn Oracle<Surakarta>>> {
        if tables().is_empty() { None } else { Some(Arc::new(TableEngine(()))) }
    }

    fn exact(_: &Self::Setup, _: &SolverOptions) -> Option<TableEngine> {
        (!tables().is_empty()).then_some(TableEngine(()))
    }
}
