//! Positions of Surakarta looked up one by one.

use std::sync::Arc;

use games::surakarta::{Move, Surakarta};
use games::{Game, MoveList};
use search::SearchControl;

use super::engine::open_or_shipped;
use super::tables::{MOST_PIECES, Tables, default_folder};
use super::value::{Distance, Value};
use crate::SolverOptions;
use crate::solve::{Bounds, Measure, MoveValues, Solve, Solved};

impl Solve for Surakarta {
    type Solver = Arc<Tables>;

    const MEASURE: Measure = Measure::Capture;

    fn solver(setup: &Self::Setup, _options: &SolverOptions) -> Result<Arc<Tables>, String> {
        let folder = default_folder();
        let tables = open_or_shipped(&folder, setup.stall, MOST_PIECES)
            .map_err(|error| error.to_string())?;
        if !tables.agree(setup) {
            return Err("the endgame tables are for other end rules than this setup's".to_owned());
        }
        Ok(tables)
    }

    fn beyond(&self, tables: &Arc<Tables>) -> Option<String> {
        let [first, second] = self.boards();
        let pieces = (first | second).count_ones() as usize;
        if pieces <= tables.pieces() {
            return Some("so late that the stall may come first".to_owned())
                .filter(|_| tables.position_value(self).is_none());
        }
        Some(format!(
            "{pieces} pieces are on the board, and the endgame tables know up to {}; \
             'boyi tables build --pieces N' builds more",
            tables.pieces()
        ))
    }

    fn solve(
        &self,
        tables: &mut Arc<Tables>,
        _thorough: bool,
        _control: &SearchControl<Move>,
        _observer: &mut impl FnMut(Bounds),
    ) -> Solved<Move> {
        let Some(value) = tables.position_value(self) else {
            let bounds = Bounds { low: -1, high: 1, nodes: 0 };
            return Solved { bounds, best: Vec::new(), pv: Vec::new(), plies: None };
        };
        let sign = value.sign();
        let ranked = tables.ranked(self);
        let best =
            ranked.iter().filter(|(_, worth)| worth.sign() == sign).map(|(mv, _)| *mv).collect();
        // Best play to the next capture: what comes after is another table.
        let mut pv = MoveList::new();
        let mut game = *self;
        while let Some(&(mv, worth)) = tables.ranked(&game).first() {
            pv.push(mv);
            if game.is_capture(mv) || plies(worth).is_none() || pv.is_full() {
                break;
            }
            game.play(mv);
        }
        Solved {
            bounds: Bounds { low: sign, high: sign, nodes: 1 },
            best,
            pv: pv.to_vec(),
            plies: plies(value),
        }
    }

    fn each(
        &self,
        tables: &mut Arc<Tables>,
        _control: &SearchControl<Move>,
        _observer: &mut impl FnMut(Bounds),
    ) -> MoveValues<Move> {
        let ranked = tables.ranked(self).into_iter();
        let moves: Vec<_> = ranked.map(|(mv, worth)| (mv, worth.sign()..=worth.sign())).collect();
        MoveValues { nodes: moves.len() as u64, moves }
    }

    fn plies_of(&self, tables: &Arc<Tables>, mv: Move, _value: i32) -> Option<u32> {
        let ranked = tables.ranked(self);
        ranked.into_iter().find(|(other, _)| *other == mv).and_then(|(_, worth)| plies(worth))
    }
}

/// Plies to the next capture or the end, unless the game stalls.
fn plies(value: Value) -> Option<u32> {
    match value.distance() {
        Distance::Plies(plies) => Some(plies.into()),
        Distance::Stall => None,
    }
}
