//! Move ordering. Alpha-beta is as good as its move order: with the best move first
//! it searches twice as deep.

use arrayvec::ArrayVec;
use games::{Game, MAX_MOVES, MoveList, Player};

use super::settings::AlphaBetaSettings;
use super::window::MAX_PLY;
use crate::SearchHints;

/// A move ordering from outside the search, such as the 2012 paper's "arcs first":
/// how much earlier than others a legal move should be tried, from -255 to 255.
/// Comes after the hash move and before everything else.
pub type MoveBonus<G> = fn(&G, <G as Game>::Move) -> i32;

const NOISY: i32 = 1 << 21;
const KILLER: i32 = 1 << 20;
const BONUS: i32 = 1 << 22;

/// Bounds of a history count.
pub const HISTORY: i32 = 1 << 14;

/// Killer moves and history counts of one thread.
pub struct History {
    /// The last two quiet moves that cut off at each ply.
    killers: Vec<[Option<u16>; 2]>,
    /// The history count of a move, by mover and code.
    counts: Vec<i32>,
    codes: usize,
}

impl History {
    /// Empty. `codes` is the game's `move_codes`.
    pub fn new(codes: usize) -> History {
        History { killers: vec![[None; 2]; MAX_PLY + 1], counts: vec![0; 2 * codes], codes }
    }

    fn place(&self, mover: Player, code: u16) -> usize {
        mover as usize * self.codes + usize::from(code)
    }

    /// A quiet move cut off, after others had been tried and had failed.
    pub fn cut(&mut self, mover: Player, ply: usize, depth: u32, mv: u16, failed_quiets: &[u16]) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let weight = (depth * depth).min(400) as i32;
        for (&code, weight) in
            failed_quiets.iter().map(|code| (code, -weight)).chain([(&mv, weight)])
        {
            let place = self.place(mover, code);
            let count = &mut self.counts[place];
            // Pulls towards zero in proportion, so that it stays in its bounds
            // and forgets.
            *count += weight * 32 - *count * (weight.abs() * 32) / HISTORY;
        }
    }
}

/// A move to try.
#[derive(Clone, Copy)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Whether it changes nothing at once, as far as the game knows.
    pub quiet: bool,
    /// How often it cut off before, from `-HISTORY` to [`HISTORY`].
    pub history: i32,
}

/// The moves of a node, best rank first. Half of the nodes are cut off by the table's
/// move or a noisy one, so the quiet ones are listed only when those have been tried.
pub struct MovePicker<'s, G: SearchHints> {
    /// Listed and not yet tried: rank, then the earlier one, then the code.
    moves: ArrayVec<i64, MAX_MOVES>,
    /// The quiet moves are not listed yet.
    quiets_left: bool,
    table_move: Option<u16>,
    ply: usize,
    settings: &'s AlphaBetaSettings,
    bonus: Option<MoveBonus<G>>,
}

/// Above the code of a listed move: whether it is noisy, how early it was listed, and
/// its rank.
const NOISY_BIT: i64 = 1 << 16;
const EARLY: u32 = 17;
const RANK: u32 = 24;

impl<'s, G: SearchHints> MovePicker<'s, G> {
    /// The moves of a position that is not over.
    pub fn new(
        game: &G,
        ply: usize,
        table_move: Option<u16>,
        settings: &'s AlphaBetaSettings,
        bonus: Option<MoveBonus<G>>,
        history: &History,
    ) -> MovePicker<'s, G> {
        let (moves, quiets_left) = (ArrayVec::new(), true);
        let mut picker = MovePicker { moves, quiets_left, table_move, ply, settings, bonus };
        if settings.noisy_first {
            let mut noisy = MoveList::new();
            game.noisy_moves(&mut noisy);
            picker.list(game, &noisy, true, history);
        }
        if bonus.is_some() {
            // It may put a quiet move before a noisy one.
            picker.list_quiets(game, None, history);
        } else if let Some(code) = table_move
            && !picker.moves.iter().any(|&one| one as u16 == code)
        {
            // Another position may have the same key.
            let mv = G::Move::from(code);
            match game.is_legal(mv) {
                true => picker.list(game, &[mv], false, history),
                false => picker.table_move = None,
            }
        }
        picker
    }

    /// Lists the quiet moves but the one that was tried.
    fn list_quiets(&mut self, game: &G, tried: Option<u16>, history: &History) {
        self.quiets_left = false;
        let mut quiet = MoveList::new();
        if self.settings.noisy_first {
            game.quiet_moves(&mut quiet);
        } else {
            game.moves(&mut quiet);
        }
        if tried.is_some() {
            quiet.retain(|mv| Some((*mv).into()) != tried);
        }
        self.list(game, &quiet, false, history);
    }

    fn list(&mut self, game: &G, moves: &[G::Move], noisy: bool, history: &History) {
        let settings = self.settings;
        let killers = if settings.killers { history.killers[self.ply] } else { [None; 2] };
        let counts = &history.counts[history.place(game.to_move(), 0)..];
        for &mv in moves {
            let code: u16 = mv.into();
            let mut rank = self.bonus.map_or(0, |bonus| bonus(game, mv).clamp(-255, 255) * BONUS);
            if noisy {
                rank += NOISY;
            } else if killers[0] == Some(code) {
                rank += KILLER;
            } else if killers[1] == Some(code) {
                rank += KILLER - 1;
            }
            if settings.history {
                rank += counts[usize::from(code)];
            }
            if self.table_move == Some(code) {
                rank = i32::MAX;
            }
            let early = (MAX_MOVES - 1 - self.moves.len()) as i64;
            let noisy = if noisy { NOISY_BIT } else { 0 };
            self.moves.push(i64::from(rank) << RANK | early << EARLY | noisy | i64::from(code));
        }
    }

    /// Whether the moves that are left, if any, are quiet.
    #[inline]
    pub fn only_quiets(&self) -> bool {
        if self.bonus.is_some() {
            self.moves.iter().all(|&one| one & NOISY_BIT == 0)
        } else {
            !self.quiets_left || self.moves.is_empty()
        }
    }

    /// The best of the remaining moves; the earlier one of equals.
    #[inline]
    pub fn next(&mut self, game: &G, history: &History) -> Option<Candidate<G::Move>> {
        if self.moves.is_empty() && self.quiets_left {
            self.list_quiets(game, self.table_move, history);
        }
        let (mut best, mut place) = (*self.moves.first()?, 0);
        for (index, &one) in self.moves.iter().enumerate().skip(1) {
            if one > best {
                (best, place) = (one, index);
            }
        }
        self.moves.swap_remove(place);
        let code = best as u16;
        let history = history.counts[history.place(game.to_move(), code)];
        Some(Candidate { mv: code.into(), quiet: best & NOISY_BIT == 0, history })
    }
}

#[cfg(test)]
mod tests {
    use games::Rng;
    use games::dots_and_boxes::DotsAndBoxes;
    use games::surakarta::Surakarta;

    use super::*;

    /// Every legal move comes once, the table's first and the noisy ones before the
    /// quiet, whatever the table says.
    fn check<G: SearchHints>(seed: u64) {
        let mut rng = Rng::seeded(seed);
        let mut game = G::start(&Default::default()).unwrap();
        for _ in 0..rng.below(50) {
            if let Some(mv) = game.random_move(&mut rng) {
                game.play(mv);
            }
        }
        if game.outcome().is_some() {
            return;
        }
        let (mut legal, mut noisy) = (MoveList::new(), MoveList::new());
        game.moves(&mut legal);
        game.noisy_moves(&mut noisy);
        let mut history = History::new(game.move_codes());
        for &mv in legal.iter().filter(|mv| !noisy.contains(mv)).take(5) {
            history.cut(game.to_move(), 0, rng.below(9) as u32, mv.into(), &[]);
        }
        let known = legal[rng.below(legal.len())].into();
        for noisy_first in [true, false] {
            let settings = AlphaBetaSettings { noisy_first, ..AlphaBetaSettings::default() };
            let any = rng.below(game.move_codes()) as u16;
            for table_move in [None, Some(known), Some(any)] {
                let mut picker = MovePicker::new(&game, 0, table_move, &settings, None, &history);
                let mut picked = Vec::new();
                while let Some(one) = picker.next(&game, &history) {
                    assert_eq!(one.quiet, !(noisy_first && noisy.contains(&one.mv)));
                    picked.push(one);
                    let rest = legal.iter().filter(|mv| !picked.iter().any(|one| one.mv == **mv));
                    let quiet = rest.clone().all(|mv| !noisy_first || !noisy.contains(mv));
                    assert!(!picker.only_quiets() || quiet);
                }
                if table_move == Some(known) {
                    assert_eq!(picked[0].mv.into(), known);
                }
                let from = usize::from(table_move == Some(picked[0].mv.into()));
                assert!(picked[from..].is_sorted_by_key(|one| one.quiet));
                picked.sort_by_key(|one| one.mv);
                legal.sort();
                assert!(picked.iter().map(|one| one.mv).eq(legal.iter().copied()));
            }
        }
    }

    #[test]
    fn every_move_comes_once_and_in_its_order() {
        for seed in 0..200 {
            check::<Surakarta>(seed);
            check::<DotsAndBoxes>(seed);
        }
    }
}
