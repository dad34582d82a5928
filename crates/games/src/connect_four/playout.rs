//! A whole random game at once: what rollouts spend their time on.
//!
//! The same dice lead to the same game as drawing one random move after the
//! other. It is faster because nothing is asked of the board that a few small
//! numbers can answer: where each column's next stone lands, and which columns
//! are open, as a list of 4-bit numbers in one word. That list changes only when
//! a column fills up, which the processor learns to expect not to happen, so the
//! plies of a game overlap instead of waiting for each other.
//!
//! What is left is plain work: a game of 7 x 6 (21.3 plies on average) takes
//! about 1,550 instructions and 3 wrong guesses of the processor, most of it the
//! search for a four and the dice; 9 x 9 (23.7 plies) takes 3,200.

use super::{Column, ConnectFour, State, Word};
use crate::{Dice, Game, Outcome, Reason};

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

    /// A stone falls: the next one lands on `above`, if the column has room.
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
pub(super) fn playout<W: Word>(game: &ConnectFour<W>, dice: &mut Dice) -> Outcome {
    if let Some(outcome) = game.outcome() {
        return outcome;
    }
    debug_assert!(game.state == State::Open);
    let (stride, rows, hole) = (game.stride(), u32::from(game.rows), u32::from(game.hole));
    let mut stacks = Stacks::of(game);
    let mut player = game.to_move();
    let (mut own, mut other) = (game.stones(player), game.stones(!player));
    loop {
        let choice = dice.below(stacks.count);
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

impl<W: Word> ConnectFour<W> {
    /// Plays on at random as careful players do: a four of the other is blocked,
    /// and no stone is put below a cell that completes one. Ends where that is
    /// impossible, where the mover can complete a four, or with a full board.
    pub fn play_safely(&mut self, dice: &mut Dice) {
        if self.state != State::Open {
            return;
        }
        let (stride, rows, hole) = (self.stride(), u32::from(self.rows), u32::from(self.hole));
        let mut stacks = Stacks::of(self);
        let board = self.board();
        // A stone below the hole is below the cell above the hole.
        let over_hole = match self.hole {
            super::NO_HOLE => W::default(),
            _ => W::bit(hole + 1) & board,
        };
        let mut landing = self.landing();
        let mut plies = self.plies;
        let player = self.to_move();
        let (mut own, mut other) = (self.stones(player), self.stones(!player));
        let (mut fourths, mut theirs) =
            (own.fourths(stride) & board, other.fourths(stride) & board);
        while stacks.count > 0 && (fourths & landing).is_empty() {
            let forced = theirs & landing;
            let choice = if forced.is_empty() {
                let quiet = landing & !(theirs >> 1 | (theirs & over_hole) >> 2);
                if quiet.is_empty() {
                    break;
                }
                loop {
                    let choice = dice.below(stacks.count);
                    if !(quiet & W::bit(stacks.at(choice).1)).is_empty() {
                        break choice;
                    }
                }
            } else {
                let cell = forced.lowest();
                if forced != W::bit(cell) {
                    break;
                }
                let lands = |&choice: &usize| stacks.at(choice).1 == cell;
                (0..stacks.count).find(lands).expect("the cell is where a stone lands")
            };
            let (column, cell) = stacks.at(choice);
            let above = cell + 1 + u32::from(cell + 1 == hole);
            let full = above == column as u32 * stride + rows;
            stacks.raise(choice, column, above, full);
            landing = landing ^ W::bit(cell) ^ if full { W::default() } else { W::bit(above) };
            own = own | W::bit(cell);
            fourths = own.fourths(stride) & board;
            plies += 1;
            (own, other) = (other, own);
            (fourths, theirs) = (theirs, fourths);
        }
        // As many plies as to come back to `player` leave `own` its stones.
        if (plies - self.plies) % 2 == 1 {
            (own, other) = (other, own);
        }
        self.stones[player as usize] = own;
        self.stones[!player as usize] = other;
        self.plies = plies;
        if stacks.count == 0 {
            self.state = State::Full;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveList;
    use crate::connect_four::{Setup, U192};

    /// The definition of a random move: list, then draw.
    fn listed<W: Word>(game: &ConnectFour<W>, dice: &mut Dice) -> Option<Column> {
        let mut list = MoveList::new();
        game.moves(&mut list);
        (!list.is_empty()).then(|| list[dice.below(list.len())])
    }

    fn same_dice_same_game<W: Word>(setup: &Setup, games: u64) {
        for seed in 0..games {
            let mut slow = Dice::of(3, seed);
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
            assert_eq!(slow.bits(), fast.bits(), "as many dice: {setup} seed {seed}");
        }
    }

    /// Safe play, a stone at a time and by questions to the position.
    fn careful<W: Word>(setup: &Setup, games: u64) -> [u32; 3] {
        let mut ends = [0; 3];
        for seed in 0..games {
            let mut dice = Dice::of(5, seed);
            let mut game = ConnectFour::<W>::start(setup).unwrap();
            for _ in 0..seed % 30 {
                if let Some(mv) = listed(&game, &mut dice) {
                    game.play(mv);
                }
            }
            let mut fast = game;
            let mut again = dice.clone();
            fast.play_safely(&mut dice);
            while game.outcome().is_none() && game.winning_moves().is_empty() {
                let blocks = game.opponent_threats();
                let mut moves = MoveList::new();
                game.moves(&mut moves);
                let hands_over = |&mv: &Column| !game.after(mv).winning_moves().is_empty();
                let mv = match blocks.len() {
                    0 if moves.iter().all(hands_over) => break,
                    0 => loop {
                        let mv = moves[again.below(moves.len())];
                        if !hands_over(&mv) {
                            break mv;
                        }
                    },
                    1 => blocks.into_iter().next().unwrap(),
                    _ => break,
                };
                game.play(mv);
            }
            assert_eq!(fast, game, "{setup} seed {seed}");
            assert_eq!(dice.bits(), again.bits(), "as many dice: {setup} seed {seed}");
            let end = match fast.outcome() {
                Some(outcome) if outcome.winner.is_none() => 0,
                None if fast.winning_moves().is_empty() => 1,
                _ => 2,
            };
            ends[end] += 1;
        }
        ends
    }

    #[test]
    fn safe_play_blocks_and_hands_nothing_over() {
        let mut ends = [0; 3];
        let mut add = |more: [u32; 3]| ends.iter_mut().zip(more).for_each(|(a, b)| *a += b);
        for text in ["", "4x4", "4x4 hole=2,4", "9x6 hole=1,1", "5x4 hole=5,2"] {
            add(careful::<u64>(&text.parse().unwrap(), 500));
        }
        for text in ["9x9", "11x10 hole=3,4", "9x12 hole=9,12", "12x9 hole=6,1"] {
            add(careful::<u128>(&text.parse().unwrap(), 200));
        }
        for text in ["12x12", "12x12 hole=12,12", "12x12 hole=1,1", "12x12 hole=7,6"] {
            add(careful::<U192>(&text.parse().unwrap(), 200));
        }
        assert!(ends.iter().all(|&n| n > 20), "full, lost, won: {ends:?}");
    }

    #[test]
    fn the_same_dice_play_the_same_game_as_single_moves() {
        for text in ["", "4x4", "4x4 hole=2,4", "9x6 hole=1,1", "5x4 hole=5,2"] {
            same_dice_same_game::<u64>(&text.parse().unwrap(), 2000);
        }
        for text in ["9x9", "11x10 hole=3,4", "9x12 hole=9,12", "12x9 hole=6,1"] {
            same_dice_same_game::<u128>(&text.parse().unwrap(), 1000);
        }
        for text in ["12x12", "12x12 hole=12,12", "12x12 hole=1,1", ""] {
            same_dice_same_game::<U192>(&text.parse().unwrap(), 1000);
        }
    }
}
