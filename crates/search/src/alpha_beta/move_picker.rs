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
    rank: i32,
}

/// The moves of a node, best rank first.
pub struct MovePicker<M> {
    moves: ArrayVec<Candidate<M>, MAX_MOVES>,
    next: usize,
}

impl<M: Copy + Eq + Into<u16>> MovePicker<M> {
    /// Lists and ranks the moves of a position that is not over.
    pub fn new<G: SearchHints + Game<Move = M>>(
        game: &G,
        ply: usize,
        table_move: Option<u16>,
        settings: &AlphaBetaSettings,
        bonus: Option<MoveBonus<G>>,
        history: &History,
    ) -> MovePicker<M> {
        let mut list = MoveList::new();
        game.moves(&mut list);
        let mut noisy = MoveList::new();
        if settings.noisy_first {
            game.noisy_moves(&mut noisy);
        }
        let killers = if settings.killers { history.killers[ply] } else { [None; 2] };
        let mover = game.to_move();
        let candidate = |mv: M| {
            let code: u16 = mv.into();
            let quiet = !noisy.contains(&mv);
            let count = history.counts[history.place(mover, code)];
            let mut rank = bonus.map_or(0, |bonus| bonus(game, mv).clamp(-255, 255) * BONUS);
            if table_move == Some(code) {
                rank = i32::MAX;
            } else {
                if !quiet {
                    rank += NOISY;
                } else if killers[0] == Some(code) {
                    rank += KILLER;
                } else if killers[1] == Some(code) {
                    rank += KILLER - 1;
                }
                if settings.history {
                    rank += count;
                }
            }
            Candidate { mv, quiet, history: count, rank }
        };
        MovePicker { moves: list.into_iter().map(candidate).collect(), next: 0 }
    }

    /// The best of the remaining moves; the earlier one of equals.
    #[inline]
    pub fn next(&mut self) -> Option<Candidate<M>> {
        let rest = &mut self.moves[self.next..];
        let mut best = *rest.first()?;
        let mut place = 0;
        for (index, candidate) in rest.iter().enumerate().skip(1) {
            if candidate.rank > best.rank {
                (best, place) = (*candidate, index);
            }
        }
        rest.swap(0, place);
        self.next += 1;
        Some(best)
    }
}
