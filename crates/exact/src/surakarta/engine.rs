//! The endgame tables at work in games: looked up at the nodes of a search, and
//! played by where they know the position.
//!
//! Tables of few pieces under the default stall rule come with the program; they
//! are unpacked when the first position with so few pieces is probed. A folder of
//! tables goes before them.

use std::path::Path;
use std::sync::{Arc, LazyLock, OnceLock};

use games::surakarta::{Move, Setup, Stall, Surakarta};
use games::{Game, Record};
use search::{Oracle, SearchControl, SearchInfo, Verdict};

use super::file::FileError;
use super::tables::{MOST_PIECES, Tables, default_folder};
use crate::{ExactEngine, ExactKnowledge, SolverOptions};

/// The pieces of the tables that come with the program, and their stall rule.
pub const SHIPPED_PIECES: u32 = 6;
const SHIPPED_STALL: Stall = Stall::Count;

/// The tables that come with the program, unpacked once for all of it.
fn shipped() -> &'static Arc<Tables> {
    static SHIPPED: LazyLock<Arc<Tables>> = LazyLock::new(|| {
        let packed = include_bytes!("../../data/surakarta-tables.zst");
        let tables = Tables::unpack(packed, SHIPPED_STALL, SHIPPED_PIECES as usize);
        Arc::new(tables.expect("the tables that come with the program are whole"))
    });
    &SHIPPED
}

/// The tables in a folder, or those that come with the program if they know more;
/// at most so many pieces in the folder.
pub fn open_or_shipped(
    folder: &Path,
    stall: Stall,
    pieces: usize,
) -> Result<Arc<Tables>, FileError> {
    let found = Tables::open(folder, stall, pieces)?;
    let more = stall == SHIPPED_STALL && found.pieces() < SHIPPED_PIECES as usize;
    Ok(if more { Arc::clone(shipped()) } else { Arc::new(found) })
}

/// The tables that could know a position, those with more pieces first.
fn tables_for(game: &Surakarta) -> impl Iterator<Item = &'static Tables> {
    let [first, second] = game.boards();
    let few = (first | second).count_ones() <= SHIPPED_PIECES;
    let shipped = (few && game.setup().stall == SHIPPED_STALL).then(|| &**shipped());
    let pieces = (first | second).count_ones() as usize;
    folder_tables().iter().filter(move |tables| tables.pieces() >= pieces).chain(shipped)
}

/// The tables in the folder, of both stall rules, opened once for the whole program.
/// A damaged file is reported on standard error, and play goes on without it.
fn folder_tables() -> &'static [Tables] {
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
        tables_for(game).find_map(|tables| tables.probe(game, nodes))
    }

    fn best_move(&self, record: &Record<Surakarta>) -> Option<SearchInfo<Move>> {
        tables_for(record.game()).find_map(|tables| tables.answer(record))
    }
}

impl ExactEngine<Surakarta> for TableEngine {
    fn answer(
        &mut self,
        record: &Record<Surakarta>,
        control: &SearchControl<Move>,
    ) -> Option<SearchInfo<Move>> {
        let info = self.best_move(record)?;
        Some(SearchInfo { elapsed: control.time().elapsed(), ..info })
    }
}

impl ExactKnowledge for Surakarta {
    type Exact = TableEngine;

    fn node_oracle() -> Option<Arc<dyn Oracle<Surakarta>>> {
        folder_tables();
        Some(Arc::new(TableEngine(())))
    }

    fn exact_summary(setup: &Setup) -> Option<String> {
        let shipped = (setup.stall == SHIPPED_STALL).then_some(SHIPPED_PIECES as usize);
        let found = folder_tables().iter().filter(|tables| tables.stall() == setup.stall);
        let most = found.map(Tables::pieces).chain(shipped).max()?;
        Some(format!("endgame tables of up to {most} pieces"))
    }

    fn exact(_: &Self::Setup, _: &SolverOptions) -> Option<TableEngine> {
        folder_tables();
        Some(TableEngine(()))
    }
}
