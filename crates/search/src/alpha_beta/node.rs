//! The search of one node and what lies below it.
//!
//! Values belong to the player to move at the node; [`Turn`] carries them
//! between nodes. Fail-soft: a value outside the window is still a bound.
//!
//! The table keeps values by position, although repetition makes a value depend
//! on the way to it. That is the usual compromise: what the history decides is
//! worth [`super::window::HISTORY_WIN`] and never counts as a proof, so the harm is a
//! wrong opinion and not a wrong certainty. The same holds for counters that
//! are not part of `SearchHints::table_key`.

use games::MoveList;

use super::move_picker::MovePicker;
use super::search::{Search, Stopped};
use super::singular::Singular;
use super::table::{Bound, COMPLETE, Entry};
use super::window::{self, MATE_BOUND, MAX_PLY, Turn, Value, Window};
use crate::{Heuristic, SearchHints};

impl<G: SearchHints, H: Heuristic<G>> Search<'_, G, H> {
    /// The value of a position `depth` plies deep, for its mover.
    pub(super) fn node(
        &mut self,
        game: &G,
        mut window: Window,
        mut depth: u32,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let excluded = self.excluded.take();
        self.visit()?;
        self.pv[ply].clear();
        let mover = game.to_move();
        if let Some(outcome) = game.outcome() {
            return Ok(window::terminal(outcome, mover, ply));
        }
        let key = if self.settings.repetition { game.key() } else { 0 };
        if let Some(value) = self.history_value(game, key, ply) {
            self.horizon += 1;
            return Ok(value);
        }
        if let Some(value) = self.oracle_value(game, ply) {
            return Ok(value);
        }
        if depth == 0 || ply >= MAX_PLY {
            return self.quiescence(game, window, self.settings.quiescence, ply);
        }
        // Before the table: most nodes end here, and what the parent asked the memory for
        // arrives meanwhile.
        let evaluation = match excluded {
            None => self.node_evaluation(game, window),
            // What is asked is how good the moves are, not the position.
            Some(_) => None,
        };
        if let Some(value) = evaluation.and_then(|eval| self.reverse_futility(eval, window, depth))
        {
            return Ok(value);
        }
        let table_key = if self.context.table.bytes() > 0 { game.table_key() } else { 0 };
        let known = self.context.table.probe(table_key);
        if excluded.is_none()
            && let Some(value) =
                known.and_then(|entry| self.table_cutoff(&entry, window, depth, ply))
        {
            return Ok(value);
        }
        if let Some(evaluation) = evaluation
            && let Some(value) = self.null_move(game, key, evaluation, window, depth, ply)?
        {
            return Ok(value);
        }
        let singular = match excluded {
            None => self.singular(game, known.as_ref(), window, depth, ply)?,
            Some(_) => Singular::No,
        };
        if let Singular::Cut(value) = singular {
            return Ok(value);
        }
        if self.settings.internal_reductions && depth > 3 && known.is_none() {
            depth -= 1;
        }
        let mut picker = MovePicker::new(
            game,
            ply,
            known.and_then(|entry| entry.best),
            self.settings,
            self.context.bonus,
            &self.history,
        );
        let asked = window;
        let horizon = self.horizon;
        let mut best: Option<(Value, u16)> = None;
        let mut failed_quiets = MoveList::<u16>::new();
        let mut tried = 0;
        self.path.push(key);
        loop {
            if let Some((most, _)) = &mut best
                && *most > -MATE_BOUND
                && picker.only_quiets()
                && let Some(bound) = evaluation
                    .and_then(|evaluation| self.prune_quiets(evaluation, window, depth, tried))
            {
                // Not searched, so nothing above is complete.
                self.horizon += 1;
                *most = (*most).max(bound);
                break;
            }
            let Some(candidate) = picker.next(game, &self.history) else { break };
            let code: u16 = candidate.mv.into();
            if excluded == Some(code) {
                continue;
            }
            let child = game.after(candidate.mv);
            let turn = Turn::between(mover, child.to_move());
            let quiet = candidate.quiet && turn == Turn::Passed;
            let reduction = if quiet { self.reduction(depth, tried, candidate.history) } else { 0 };
            let table_move = known.is_some_and(|entry| entry.best == Some(code));
            let deeper = u32::from(table_move && singular == Singular::Extend);
            let value =
                self.pvs(&child, turn, window, depth - 1 + deeper, reduction, tried, ply)?;
            tried += 1;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, code));
            }
            if window.raise(value) && !window.cuts(value) {
                self.extend_pv(candidate.mv, ply);
            }
            if window.cuts(value) {
                if quiet {
                    self.history.cut(mover, ply, depth, code, &failed_quiets);
                }
                break;
            }
            if quiet {
                failed_quiets.push(code);
            }
        }
        self.path.pop();
        if excluded.is_some() {
            // Without any other move nothing comes near the excluded one.
            return Ok(best.map_or(asked.alpha, |(value, _)| value));
        }
        let (value, mv) = best.expect("a position that is not over has moves");
        let bound = if asked.cuts(value) {
            Bound::Lower
        } else if value > asked.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let complete = self.horizon == horizon && !self.settings.exact_depth;
        self.context.table.store(
            table_key,
            Entry {
                best: (bound != Bound::Upper).then_some(mv),
                value: window::from_node(value, ply) as i16,
                bound,
                depth: if complete { COMPLETE } else { depth as u8 },
            },
        );
        Ok(value)
    }

    /// The value of the `tried`-th child for the parent's mover. The first is
    /// searched with the whole window; of the others a scout asks first whether
    /// they are better at all, less deep if they come late.
    #[expect(clippy::too_many_arguments, reason = "the state of one step of one loop")]
    pub(super) fn pvs(
        &mut self,
        child: &G,
        turn: Turn,
        window: Window,
        depth: u32,
        reduction: u32,
        tried: usize,
        ply: usize,
    ) -> Result<Value, Stopped> {
        if depth > reduction {
            self.context.table.prefetch(child.table_key());
        }
        let ask = |search: &mut Self, window, depth| {
            let value = search.node(child, turn.window(window), depth, ply + 1)?;
            Ok(turn.value(value))
        };
        if tried > 0 && reduction > 0 {
            let value = ask(self, window.scout(), depth - reduction)?;
            if value <= window.alpha {
                return Ok(value);
            }
        }
        if tried > 0 && self.settings.pvs && !window.is_scout() {
            let value = ask(self, window.scout(), depth)?;
            if value <= window.alpha || window.cuts(value) {
                return Ok(value);
            }
        }
        ask(self, window, depth)
    }

    /// Whether the table's entry answers the question, and how. On the principal
    /// variation it does not, so that the line stays whole and repetitions on it
    /// are seen.
    fn table_cutoff(
        &mut self,
        entry: &Entry,
        window: Window,
        depth: u32,
        ply: usize,
    ) -> Option<Value> {
        let deep_enough = if self.settings.exact_depth {
            u32::from(entry.depth) == depth
        } else {
            u32::from(entry.depth) >= depth
        };
        if !deep_enough || (self.settings.pvs && !window.is_scout()) {
            return None;
        }
        let value = window::from_root(Value::from(entry.value), ply);
        let settled = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => window.cuts(value),
            Bound::Upper => value <= window.alpha,
        };
        if settled && entry.depth != COMPLETE {
            self.horizon += 1;
        }
        settled.then_some(value)
    }

    /// The value if the history ends the game here.
    ///
    /// A position that repeats one of this very line is scored as if it had been
    /// repeated until the rule acts: who gains by going round once gains by
    /// going round again, and searching the second round would only hide that.
    /// One that stood only before the root counts as often as it truly did.
    #[inline]
    fn history_value(&self, game: &G, key: u64, ply: usize) -> Option<Value> {
        let plies = self.path.plies(ply);
        let times = if self.settings.repetition {
            let found = self.path.occurrences(key);
            if found.in_search { u32::MAX } else { found.times }
        } else {
            1
        };
        game.history_outcome(plies, times)
            .map(|outcome| window::history_result(outcome, game.to_move()))
    }

    /// The mover's value by the word of an oracle. Not asked at the root, where a
    /// result without a move would be of no use.
    fn oracle_value(&mut self, game: &G, ply: usize) -> Option<Value> {
        let oracle = self.context.oracle.filter(|_| ply > 0)?;
        let verdict = oracle.probe(game, 0)?;
        self.horizon += 1;
        Some(window::oracle_result(verdict.winner, verdict.plies.unwrap_or(0), game.to_move(), ply))
    }

    /// The value at the horizon: the evaluation, or what `left` plies of noisy
    /// moves make of it. The mover is never obliged to play one.
    fn quiescence(
        &mut self,
        game: &G,
        mut window: Window,
        left: u32,
        ply: usize,
    ) -> Result<Value, Stopped> {
        self.horizon += 1;
        let mover = game.to_move();
        let mut best = self.evaluate(game);
        window.raise(best);
        if left == 0 || ply >= MAX_PLY || window.cuts(best) {
            return Ok(best);
        }
        let mut list = MoveList::new();
        game.noisy_moves(&mut list);
        for mv in list {
            let child = game.after(mv);
            self.visit()?;
            let turn = Turn::between(mover, child.to_move());
            let value = match child.outcome() {
                Some(outcome) => window::terminal(outcome, mover, ply + 1),
                None => match self.oracle_value(&child, ply + 1) {
                    Some(value) => turn.value(value),
                    None => turn.value(self.quiescence(
                        &child,
                        turn.window(window),
                        left - 1,
                        ply + 1,
                    )?),
                },
            };
            best = best.max(value);
            window.raise(value);
            if window.cuts(value) {
                break;
            }
        }
        Ok(best)
    }

    /// The line at `ply` is this move and the line below it.
    pub(super) fn extend_pv(&mut self, mv: G::Move, ply: usize) {
        let (above, below) = self.pv.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}
