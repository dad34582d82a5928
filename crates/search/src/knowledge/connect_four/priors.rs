//! A first opinion of a move: the lines of four through the cell where the stone lands.
//!
//! A line that the other side has no stone in is worth the more the more stones of the
//! mover it has, and a line of the other side's is worth stopping. What three cells on
//! either side of the landing cell say about one direction is looked up in a table.

use games::Game;
use games::connect_four::{Column, ConnectFour, Word};

/// What a line is worth to the mover with none, one, two or three stones of one side in
/// it and none of the other: the mover's, then the opponent's. A line without any stone
/// counts as the mover's.
const WORTH: [[u8; 4]; 2] = [[2, 6, 18, 18], [0, 5, 14, 14]];

/// Three cells on either side of an empty one.
const AROUND: usize = 6;

/// For each side: the worth of the lines of one direction, by the cells that have its
/// stones and those that it has or could have.
static TABLES: [[[u8; 1 << AROUND]; 1 << AROUND]; 2] = {
    let mut tables = [[[0; 1 << AROUND]; 1 << AROUND]; 2];
    let mut side = 0;
    while side < 2 {
        let mut open = 0u32;
        while open < 1 << AROUND {
            let mut stones = 0u32;
            while stones < 1 << AROUND {
                // A line has the last `before` cells of the lower three, and the first of
                // the upper.
                let mut before = 0;
                while before <= 3 {
                    let line = (0b111 << (3 - before) & 0b111) | (0b111 >> before << 3);
                    if open & line == line {
                        let count = (stones & line).count_ones() as usize;
                        tables[side][open as usize][stones as usize] += WORTH[side][count];
                    }
                    before += 1;
                }
                stones += 1;
            }
            open += 1;
        }
        side += 1;
    }
    tables
};

/// A set of cells with room below and above, so that cells beside the board can be read.
struct Cells([u64; 6]);

impl Cells {
    fn of<W: Word>(cells: W) -> Cells {
        let [low, middle, high] = cells.limbs();
        Cells([0, low, middle, high, 0, 0])
    }

    /// Three bits from this index on, `step` apart.
    #[inline(always)]
    fn three(&self, index: i32, step: u32) -> usize {
        let index = (index + 64) as usize;
        let (limb, by) = (index / 64 % 5, index % 64);
        let bits = self.0[limb] >> by | self.0[limb + 1] << 1 << (63 - by);
        (bits & 1 | bits >> (step - 1) & 2 | bits >> (2 * step - 2) & 4) as usize
    }

    /// The cells around this one.
    #[inline(always)]
    fn around(&self, cell: i32, step: u32) -> usize {
        let by = step as i32;
        self.three(cell - 3 * by, step) | self.three(cell + by, step) << 3
    }
}

/// A position, ready for many of its moves.
pub struct Lines<'a, W: Word> {
    game: &'a ConnectFour<W>,
    /// The mover's stones, and the opponent's.
    stones: [Cells; 2],
    board: Cells,
}

impl<W: Word> Lines<'_, W> {
    pub fn of(game: &ConnectFour<W>) -> Lines<'_, W> {
        let mover = game.to_move();
        let stones = [mover, !mover].map(|player| Cells::of(game.stones(player)));
        Lines { game, stones, board: Cells::of(game.board()) }
    }

    /// How good a stone in this column looks, in proportion to the other columns.
    pub fn prior(&self, mv: Column) -> f32 {
        let stride = self.game.stride();
        let cell = (u32::from(mv.0) * stride + u32::from(self.game.height(mv))) as i32;
        let mut worth = 2;
        for step in [1, stride - 1, stride, stride + 1] {
            let board = self.board.around(cell, step);
            let [mine, theirs] = self.stones.each_ref().map(|stones| stones.around(cell, step));
            worth += u32::from(TABLES[0][board & !theirs][mine]);
            worth += u32::from(TABLES[1][board & !mine][theirs]);
        }
        let worth = worth as f32;
        worth * worth.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use games::connect_four::{Cell, Setup, U192};
    use games::{MoveList, Rng};

    use super::*;

    /// The same by walking over the lines through the cell.
    fn slowly<W: Word>(game: &ConnectFour<W>, mv: Column) -> f32 {
        let (column, row) = (i32::from(mv.0), i32::from(game.height(mv)));
        let mut worth = 2;
        for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for start in -3..=0 {
                let cells: Option<Vec<Cell>> = (start..start + 4)
                    .map(|i| (column + i * right, row + i * up))
                    .map(|(c, r)| {
                        let inside = (0..i32::from(game.columns())).contains(&c)
                            && (0..i32::from(game.rows())).contains(&r);
                        inside.then(|| game.cell(c as u8, r as u8))
                    })
                    .collect();
                let Some(cells) = cells.filter(|cells| !cells.contains(&Cell::Hole)) else {
                    continue;
                };
                let count = |player| cells.iter().filter(|&&c| c == Cell::Stone(player)).count();
                let (mine, theirs) = (count(game.to_move()), count(!game.to_move()));
                if theirs == 0 {
                    worth += u32::from(WORTH[0][mine]);
                }
                if mine == 0 {
                    worth += u32::from(WORTH[1][theirs]);
                }
            }
        }
        (worth as f32).powf(1.5)
    }

    fn agree<W: Word>(text: &str) {
        let setup: Setup = text.parse().unwrap();
        for seed in 0..20 {
            let mut rng = Rng::stream(9, seed);
            let mut game = ConnectFour::<W>::start(&setup).unwrap();
            while let Some(mv) = game.random_move(&mut rng) {
                let mut moves = MoveList::new();
                game.moves(&mut moves);
                let lines = Lines::of(&game);
                for &mv in &moves {
                    let (fast, slow) = (lines.prior(mv), slowly(&game, mv));
                    assert!((fast / slow - 1.0).abs() < 1e-5, "{text} {mv:?}: {fast}, not {slow}");
                }
                game.play(mv);
            }
        }
    }

    #[test]
    fn priors_are_those_of_the_lines_one_by_one() {
        for text in ["", "4x4", "5x4 hole=3,2", "4x12 hole=1,1", "12x4 hole=12,4"] {
            agree::<u64>(text);
        }
        for text in ["9x9 hole=5,4", "11x10 hole=11,10", "9x12 hole=1,6"] {
            agree::<u128>(text);
        }
        for text in ["12x12", "12x12 hole=12,12", "11x11 hole=1,1"] {
            agree::<U192>(text);
        }
    }
}
