//! Connect Four from 4 x 4 to 12 x 12, with or without a forbidden cell.
//!
//! A position is one bit board for each player. The cells of a column are
//! neighbouring bits, lowest first, and above each column lies one bit that is
//! never a stone, so that a line which leaves the board meets an empty bit (the
//! layout of Tromp's Fhourstones). Adding 1 at the bottom of a column carries
//! through what is filled and stops where the next stone lands; the hole counts
//! as filled there and as empty when lines are looked for, and that is all there
//! is to the hole: a stone is carried over it, and no line passes through it.
//!
//! The winner is found once, when the stone falls, and kept. Moves are not
//! evaluated here; `threats` only lists the cells that complete a four.

mod limbs;
mod lines;
mod mirror;
mod playout;
pub mod reference;
mod setup;
mod text;
mod threat_playout;
mod threats;
mod wide;
mod word;

use crate::bits::{deposit, extract, nth_set};
use crate::{Draw, Game, MoveList, Outcome, Player, Reason, Rng, SetupError};

pub use setup::{Setup, bits_needed};
pub use threats::{Cell, Columns};
pub use wide::U192;
pub use word::Word;

/// A move: the column a stone is dropped in, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(pub u8);

impl From<Column> for u16 {
    #[inline]
    fn from(column: Column) -> u16 {
        column.0.into()
    }
}

impl From<u16> for Column {
    #[inline]
    fn from(code: u16) -> Column {
        Column(code as u8)
    }
}

/// Whether the game is over, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum State {
    Open,
    Won(Player),
    Full,
}

/// A position, in a board of the word `W`. The narrowest word that has
/// [`bits_needed`] bits is the fastest; a wider one plays the same game.
///
/// ```
/// use games::connect_four::{ConnectFour, Setup};
/// use games::{Game, Text};
///
/// let game = ConnectFour::<u64>::parse(&Setup::default(), "4545454").unwrap();
/// assert_eq!(game.outcome().unwrap().to_string(), "first wins (four in a row)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectFour<W: Word> {
    /// First's and Second's stones.
    stones: [W; 2],
    columns: u8,
    rows: u8,
    /// The bit of the hole, [`NO_HOLE`] without one.
    hole: u8,
    plies: u8,
    state: State,
}

/// More than any bit of a board.
const NO_HOLE: u8 = u8::MAX;

impl<W: Word> ConnectFour<W> {
    /// The distance from a cell to its right neighbour: a column and the empty
    /// bit above it.
    #[inline]
    pub fn stride(&self) -> u32 {
        u32::from(self.rows) + 1
    }

    /// The hole as a set of at most one bit.
    #[inline]
    fn hole_bit(&self) -> W {
        if self.hole == NO_HOLE { W::default() } else { W::bit(self.hole.into()) }
    }

    /// Every cell that can't take a stone any more, the hole included.
    #[inline]
    fn filled(&self) -> W {
        self.stones[0] | self.stones[1] | self.hole_bit()
    }

    /// Bit 0 of each column.
    #[inline]
    fn bottom(&self) -> W {
        // The remainders change nothing; they spare the checks of the bounds.
        W::from_limbs(BOTTOMS[usize::from(self.columns % 16)][usize::from(self.rows % 16)])
    }

    /// How many stones fill the board.
    #[inline]
    fn capacity(&self) -> u8 {
        self.columns * self.rows - u8::from(self.hole != NO_HOLE)
    }

    /// The columns that are full, as bit 0 of each, whether the game is over or
    /// not.
    #[inline]
    fn full_columns(&self) -> W {
        let bottom = self.bottom();
        self.filled().plus(bottom) >> self.rows.into() & bottom
    }

    /// The columns that can take a stone, bit `i` for column `i`; none when the game
    /// is over.
    #[inline]
    pub fn open_columns(&self) -> u16 {
        if self.state != State::Open {
            return 0;
        }
        let (bottom, mut full) = (self.bottom(), self.full_columns());
        if W::BITS == 64 {
            return extract((full ^ bottom).low(), bottom.low()) as u16;
        }
        (0..self.columns).fold(0, |open, column| {
            let is_open = full.low() & 1 == 0;
            full = full >> self.stride();
            open | u16::from(is_open) << column
        })
    }

    /// An open column, chosen by a draw; none when the game is over.
    #[inline]
    fn random_column(&self, draw: Draw) -> Option<Column> {
        let open = u64::from(self.open_columns());
        let count = open.count_ones() as usize;
        (count > 0).then(|| Column(nth_set(open, draw.below(count) as u32) as u8))
    }

    /// A stone of the mover's on a cell, given as its bit, where one lands.
    #[inline]
    fn put(&mut self, cell: W) {
        let player = self.to_move();
        // Chosen, not indexed: a position in registers needs no memory then.
        let [first, second] = self.stones;
        let own = if player == Player::First { first } else { second } | cell;
        self.stones = if player == Player::First { [own, second] } else { [first, own] };
        self.plies += 1;
        if own.has_four(self.stride()) {
            self.state = State::Won(player);
        } else if self.plies == self.capacity() {
            self.state = State::Full;
        }
    }

    /// Recomputes from the stones what [`Game::play`] keeps up to date.
    fn settle(&mut self) {
        self.plies = (self.stones[0].count() + self.stones[1].count()) as u8;
        let won = |&player: &Player| self.stones[player as usize].has_four(self.stride());
        self.state = match Player::BOTH.into_iter().find(won) {
            Some(player) => State::Won(player),
            None if self.plies == self.capacity() => State::Full,
            None => State::Open,
        };
    }
}

/// Bit 0 of each column, by the number of columns and of rows, in pieces of 64
/// bits: a load where a position would otherwise have to carry it.
static BOTTOMS: [[[u64; 3]; 16]; 16] = {
    let mut table = [[[0; 3]; 16]; 16];
    let mut rows = 4;
    while rows <= 12 {
        let mut columns = 1;
        while columns <= 12 {
            table[columns][rows] = table[columns - 1][rows];
            let bit = (columns - 1) * (rows + 1);
            table[columns][rows][bit / 64] |= 1 << (bit % 64);
            columns += 1;
        }
        rows += 1;
    }
    table
};

impl<W: Word> Game for ConnectFour<W> {
    type Move = Column;
    type Setup = Setup;

    const USES_HISTORY: bool = false;

    fn random_setup(rng: &mut Rng) -> Option<Setup> {
        (bits_needed(&Setup::LARGEST) <= W::BITS).then(|| Setup::course(rng))
    }

    fn start(setup: &Setup) -> Result<ConnectFour<W>, SetupError> {
        setup.check()?;
        let needed = bits_needed(setup);
        if needed > W::BITS {
            return Err(SetupError(format!(
                "a board of {} columns and {} rows needs a word of {needed} bits, not {}",
                setup.columns,
                setup.rows,
                W::BITS
            )));
        }
        let hole = setup.hole.map_or(NO_HOLE, |(column, row)| column * (setup.rows + 1) + row);
        Ok(ConnectFour {
            stones: [W::default(); 2],
            columns: setup.columns,
            rows: setup.rows,
            hole,
            plies: 0,
            state: State::Open,
        })
    }

    fn setup(&self) -> Setup {
        let stride = self.rows + 1;
        let hole = (self.hole != NO_HOLE).then(|| (self.hole / stride, self.hole % stride));
        Setup { columns: self.columns, rows: self.rows, hole }
    }

    #[inline]
    fn on_board_of(self, other: &ConnectFour<W>) -> ConnectFour<W> {
        let ConnectFour { columns, rows, hole, .. } = *other;
        ConnectFour { columns, rows, hole, ..self }
    }

    #[inline]
    fn to_move(&self) -> Player {
        if self.plies & 1 == 0 { Player::First } else { Player::Second }
    }

    #[inline]
    fn moves(&self, out: &mut MoveList<Column>) {
        if self.state != State::Open {
            return;
        }
        let mut full = self.full_columns();
        for column in 0..self.columns {
            if full.low() & 1 == 0 {
                out.push(Column(column));
            }
            full = full >> self.stride();
        }
    }

    #[inline]
    fn play(&mut self, Column(column): Column) {
        let base = u32::from(column) * self.stride();
        let row = (self.filled() >> base).low().trailing_ones();
        debug_assert!(self.state == State::Open && column < self.columns);
        debug_assert!(row < self.rows.into(), "column {column} is full");
        self.put(W::bit(base + row));
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.state {
            State::Open => None,
            State::Won(player) => Some(Outcome::win(player, Reason::FourInARow)),
            State::Full => Some(Outcome::draw(Reason::BoardFull)),
        }
    }

    /// The stones alone: they imply who moves, and positions of different boards
    /// are never compared.
    #[inline]
    fn key(&self) -> u64 {
        W::key(self.stones[0], self.stones[1])
    }

    fn move_codes(&self) -> usize {
        self.columns.into()
    }

    fn lead(&self) -> i32 {
        0
    }

    #[inline]
    fn is_legal(&self, Column(column): Column) -> bool {
        self.state == State::Open
            && column < self.columns
            && (self.full_columns() & W::bit(u32::from(column) * self.stride())).is_empty()
    }

    #[inline]
    fn count_moves(&self) -> usize {
        match self.state {
            State::Open => usize::from(self.columns) - self.full_columns().count() as usize,
            _ => 0,
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Column> {
        self.random_column(rng.draw())
    }

    /// Chooses among the cells where stones land, so that no column has to be looked
    /// up; the cells lie in the order of their columns.
    #[inline]
    fn play_random(&mut self, draw: Draw) -> Option<Column> {
        if W::BITS > 64 {
            let column = self.random_column(draw)?;
            self.play(column);
            return Some(column);
        }
        if self.state != State::Open {
            return None;
        }
        let bottom = self.bottom().low();
        let cells = (bottom << self.rows).wrapping_sub(bottom);
        // The carry stops at the first empty cell of a column; a hole above it stays.
        let filled = self.filled().low();
        let landing = filled.wrapping_add(bottom) & cells & !filled;
        let count = landing.count_ones() as usize;
        let cell = deposit(1 << draw.below(count), landing);
        self.put(W::from_limbs([cell, 0, 0]));
        Some(Column((bottom & (cell | (cell - 1))).count_ones() as u8 - 1))
    }

    #[inline]
    fn playout(self, rng: &mut Rng) -> Outcome {
        playout::playout(&self, rng)
    }
}
