//! A whole random game at once: what rollouts spend their time on.
//!
//! With the same generator it is the same game as one `random_move` after the
//! other. It is faster because a few small numbers replace most queries of the
//! board: where each column's next stone lands, and which columns are open, as a
//! list of 4-bit numbers in one word. That list changes only when a column fills
//! up, a branch that is predicted well, so the plies of a game overlap in the
//! pipeline.
//!
//! A game of 7 x 6 (21.3 plies on average) takes about 1,550 instructions and 3
//! branch mispredictions, most of it the test for four in a row and the random
//! numbers; 9 x 9 (23.7 plies) takes 3,200.

use super::{Column, ConnectFour, State, Word};
use crate::{Game, Outcome, Reason, Rng};

/// The columns that can still take a stone.
struct Stacks {
    /// The bit where the next stone of each column lands.
    next: [u8; 16],
    /// The open columns from the left, the leftmost in the lowest 4 bits.
    open: u64,
    count: usize,
}

impl Stacks {
    #[inline(always)]
    fn of<W: Word>(game: &ConnectFour<W>) -> Stacks {
        let mut stacks = Stacks { next: [0; 16], open: 0, count: 0 };
        for column in 0..game.columns {
            let height = game.height(Column(column));
            stacks.next[usize::from(column)] = column * (game.rows + 1) + height;
            if height < game.rows {
                stacks.open |= u64::from(column) << (4 * stacks.count);
                stacks.count += 1;
            }
        }
        stacks
    }

    /// The column of a choice among the open ones, and the bit where its next
    /// stone lands.
    #[inline(always)]
    fn at(&self, choice: usize) -> (usize, u32) {
        let column = (self.open >> (4 * choice) & 15) as usize;
        (column, u32::from(self.next[column]))
    }

    /// A stone falls: the next one lands on `above`, unless the column is full.
    #[inline(always)]
    fn raise(&mut self, choice: usize, column: usize, above: u32, full: bool) {
        self.next[column] = above as u8;
        if full {
            // Close the gap in the list and keep its order.
            let before = (1u64 << (4 * choice)) - 1;
            self.open = self.open & before | self.open >> 4 & !before;
            self.count -= 1;
        }
    }
}

/// Plays uniformly random moves to the end.
pub(super) fn playout<W: Word>(game: &ConnectFour<W>, rng: &mut Rng) -> Outcome {
    if let Some(outcome) = game.outcome() {
        return outcome;
    }
    debug_assert!(game.state == State::Open);
    let (stride, rows, hole) = (game.stride(), u32::from(game.rows), u32::from(game.hole));
    let mut stacks = Stacks::of(game);
    let mut player = game.to_move();
    let (mut own, mut other) = (game.stones(player), game.stones(!player));
    loop {
        let choice = rng.below(stacks.count);
        let (column, cell) = stacks.at(choice);
        own = own | W::bit(cell);
        if own.has_four(stride) {
            return Outcome::win(player, Reason::FourInARow);
        }
        let above = cell + 1 + u32::from(cell + 1 == hole);
        stacks.raise(choice, column, above, above == column as u32 * stride + rows);
        if stacks.count == 0 {
            return Outcome::draw(Reason::BoardFull);
        }
        (own, other) = (other, own);
        player = !player;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveList;
    use crate::connect_four::{Setup, U192};

    /// The definition of a random move: list, then draw.
    fn listed<W: Word>(game: &ConnectFour<W>, rng: &mut Rng) -> Option<Column> {
        let mut list = MoveList::new();
        game.moves(&mut list);
        (!list.is_empty()).then(|| list[rng.below(list.len())])
    }

    fn same_seed_same_game<W: Word>(setup: &Setup, games: u64) {
        for seed in 0..games {
            let mut slow = Rng::stream(3, seed);
            let mut game = ConnectFour::<W>::start(setup).unwrap();
            // Begin somewhere in the middle, too.
            for _ in 0..seed % 40 {
                if let Some(mv) = listed(&game, &mut slow) {
                    game.play(mv);
                }
            }
            let mut fast = slow.clone();
            let outcome = game.playout(&mut fast);
            loop {
                let single = game.random_move(&mut slow.clone());
                let mv = listed(&game, &mut slow);
                assert_eq!(single, mv, "{setup} seed {seed}");
                let Some(mv) = mv else { break };
                game.play(mv);
            }
            assert_eq!(Some(outcome), game.outcome(), "{setup} seed {seed}");
            assert_eq!(slow.bits(), fast.bits(), "as many random numbers: {setup} seed {seed}");
        }
    }

    #[test]
    fn a_playout_is_the_same_game_as_single_moves() {
        for text in ["", "4x4", "4x4 hole=2,4", "9x6 hole=1,1", "5x4 hole=5,2"] {
            same_seed_same_game::<u64>(&text.parse().unwrap(), 2000);
        }
        for text in ["9x9", "11x10 hole=3,4", "9x12 hole=9,12", "12x9 hole=6,1"] {
            same_seed_same_game::<u128>(&text.parse().unwrap(), 1000);
        }
        for text in ["12x12", "12x12 hole=12,12", "12x12 hole=1,1", ""] {
            same_seed_same_game::<U192>(&text.parse().unwrap(), 1000);
        }
    }
}
