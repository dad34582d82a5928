//! Dots and Boxes.
//!
//! Players draw edges between neighbouring dots. A player who draws the fourth
//! side of a box takes it and must move again, so a turn is as long as its
//! captures; when every edge is drawn, more boxes win.
//!
//! A position is the set of drawn edges as one word, a word of boxes per
//! player, and who moves. The set of edges decides all that can still happen;
//! who owns which box decides only the count. A position given by its edges
//! alone has closed boxes without an owner.
//!
//! There is no history here and no theory: [`DotsAndBoxes::chains`] finds the
//! chains and loops of a position; their values are computed in `search`. The
//! rules as decided are in `docs/rules.md`.

mod chains;
mod geometry;
mod playout;
mod render;
mod setup;
mod sides;
mod symmetry;
mod text;

pub use chains::{Chain, Chains, End, Shape};
pub use setup::{Edge, Place, Setup, edges_of};
pub use sides::{ByOpen, Sides};

use geometry::{Geometry, OUTSIDE};

use crate::bits::deposit;
use crate::{Draw, Game, MAX_MOVES, MoveList, Outcome, Player, Reason, Rng, SetupError, mix};

/// A position of Dots and Boxes on a board of any size up to 127 edges.
///
/// ```
/// use games::dots_and_boxes::{DotsAndBoxes, Edge, Setup};
/// use games::{Game, Player};
///
/// let mut game = DotsAndBoxes::start(&Setup::new(1, 2))?;
/// for edge in [0, 2, 4] {
///     game.play(Edge(edge));
/// }
/// // The left box has three sides: who closes it moves again.
/// assert_eq!((game.to_move(), game.closing()), (Player::Second, Edge(5).bit()));
/// game.play(Edge(5));
/// assert_eq!((game.to_move(), game.score()), (Player::Second, [0, 1]));
/// # Ok::<(), games::SetupError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DotsAndBoxes {
    /// The drawn edges, bit `i` for edge `i`.
    drawn: u128,
    /// The boxes each player owns, bit `row * columns + column`.
    owned: [u64; 2],
    to_move: Player,
    geometry: &'static Geometry,
}

/// Why edges, a side and boxes make no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// There is no such board.
    #[error(transparent)]
    NoBoard(#[from] SetupError),
    /// An edge that the board does not have.
    #[error("edge {edge} is not on this board, whose last edge is {last}")]
    NoSuchEdge {
        /// The largest such edge.
        edge: u32,
        /// The last edge of the board.
        last: usize,
    },
    /// A box that the board does not have.
    #[error("box {number} is not on this board, whose last box is {last}")]
    NoSuchBox {
        /// The largest such box.
        number: u32,
        /// The last box of the board.
        last: usize,
    },
    /// A box with an owner but not with all its edges.
    #[error("box {number} has an owner but not all four of its edges are drawn")]
    NotClosed {
        /// The first such box.
        number: u32,
    },
    /// A box with two owners.
    #[error("box {number} is owned by both players")]
    OwnedByBoth {
        /// The first such box.
        number: u32,
    },
}

impl DotsAndBoxes {
    /// A position from its parts: the drawn edges, who moves, and the boxes that
    /// First and Second own. A closed box need not have an owner.
    pub fn from_parts(
        setup: &Setup,
        drawn: u128,
        to_move: Player,
        owned: [u64; 2],
    ) -> Result<DotsAndBoxes, PositionError> {
        let geometry = Geometry::of(setup)?;
        if drawn & !geometry.all != 0 {
            return Err(PositionError::NoSuchEdge {
                edge: drawn.ilog2(),
                last: geometry.edges - 1,
            });
        }
        let all_owned = owned[0] | owned[1];
        if all_owned >> geometry.boxes != 0 {
            let last = geometry.boxes - 1;
            return Err(PositionError::NoSuchBox { number: all_owned.ilog2(), last });
        }
        let game = DotsAndBoxes { drawn, owned, to_move, geometry };
        let open = all_owned & !game.closed();
        if open != 0 {
            return Err(PositionError::NotClosed { number: open.trailing_zeros() });
        }
        let both = owned[0] & owned[1];
        if both != 0 {
            return Err(PositionError::OwnedByBoth { number: both.trailing_zeros() });
        }
        Ok(game)
    }

    /// The drawn edges, bit `i` for edge `i`.
    #[inline]
    pub fn drawn(&self) -> u128 {
        self.drawn
    }

    /// The edges that can still be drawn.
    #[inline]
    pub fn undrawn(&self) -> u128 {
        self.geometry.all & !self.drawn
    }

    /// The boxes that a player owns, bit `row * columns + column`.
    #[inline]
    pub fn owned(&self, player: Player) -> u64 {
        self.owned[player as usize]
    }

    /// How many boxes First and Second own.
    #[inline]
    pub fn score(&self) -> [u32; 2] {
        self.owned.map(u64::count_ones)
    }

    /// Who owns a box, if it has an owner.
    pub fn owner(&self, number: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.owned(player) >> number & 1 != 0)
    }

    /// The boxes with all four edges drawn, with or without an owner.
    pub fn closed(&self) -> u64 {
        (0..self.geometry.boxes).filter(|&b| self.open_sides(b) == 0).map(|b| 1 << b).sum()
    }

    /// Draws an edge, given with its bit.
    #[inline]
    fn draw(&mut self, edge: Edge, bit: u128) {
        self.drawn |= bit;
        let mut taken = 0;
        // The masks change nothing; they spare the checks of the bounds.
        for number in self.geometry.boxes_of[edge.index() % MAX_MOVES] {
            let open = self.geometry.sides[usize::from(number) % 64] & !self.drawn;
            taken |= u64::from(open == 0) << (number % 64);
        }
        // Chosen, not indexed: a position in registers needs no memory then.
        let [first, second] = self.owned;
        self.owned = match self.to_move {
            Player::First => [first | taken, second],
            Player::Second => [first, second | taken],
        };
        if taken == 0 {
            self.to_move = !self.to_move;
        }
    }

    /// The four edges of a box, as a set.
    #[inline]
    pub fn box_edges(&self, number: usize) -> u128 {
        debug_assert!(number < self.geometry.boxes);
        self.geometry.sides[number]
    }

    /// How many edges of a box are not drawn.
    #[inline]
    pub fn open_sides(&self, number: usize) -> u32 {
        (self.box_edges(number) & !self.drawn).count_ones()
    }

    /// The one or two boxes that an edge of the board bounds.
    #[inline]
    pub fn boxes_of(&self, edge: Edge) -> impl Iterator<Item = usize> + use<> {
        let boxes = self.geometry.boxes_of[edge.index()];
        boxes.into_iter().filter(|&number| number != OUTSIDE).map(usize::from)
    }

    /// The undrawn edges that close a box.
    pub fn closing(&self) -> u128 {
        self.open_edges_where(1)
    }

    /// The undrawn edges that give no box its third side, so that the opponent
    /// gains nothing to take by them. An edge that closes one box and gives its
    /// neighbour the third side is not safe.
    pub fn safe(&self) -> u128 {
        self.undrawn() & !self.open_edges_where(2)
    }

    /// The undrawn edges of all boxes with `count` open sides.
    fn open_edges_where(&self, count: u32) -> u128 {
        let open =
            self.geometry.sides[..self.geometry.boxes].iter().map(|sides| sides & !self.drawn);
        open.filter(|open| open.count_ones() == count).fold(0, |set, open| set | open)
    }

    /// The contest name of an edge of this board, such as `a1h`.
    pub fn edge_name(&self, edge: Edge) -> Option<String> {
        self.geometry.setup.edge_name(edge)
    }

    /// The edge of this board with a contest name, in either case.
    pub fn edge_by_name(&self, name: &str) -> Option<Edge> {
        self.geometry.setup.edge_by_name(name)
    }
}

impl Game for DotsAndBoxes {
    type Move = Edge;
    type Setup = Setup;

    const USES_HISTORY: bool = false;

    fn start(setup: &Setup) -> Result<DotsAndBoxes, SetupError> {
        let geometry = Geometry::of(setup)?;
        Ok(DotsAndBoxes { drawn: 0, owned: [0; 2], to_move: Player::First, geometry })
    }

    fn setup(&self) -> Setup {
        self.geometry.setup
    }

    #[inline]
    fn on_board_of(self, other: &DotsAndBoxes) -> DotsAndBoxes {
        DotsAndBoxes { geometry: other.geometry, ..self }
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, out: &mut MoveList<Edge>) {
        out.extend(edges_of(self.undrawn()));
    }

    #[inline]
    fn play(&mut self, edge: Edge) {
        debug_assert!(self.is_legal(edge));
        self.draw(edge, edge.bit());
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.undrawn() == 0).then(|| Outcome::by_lead(self.lead(), Reason::BoxesCounted))
    }

    /// Of the edges, the side to move and the lead. Who owns which box is left
    /// out: it changes neither the moves to come nor who wins. Boards of
    /// different sizes may share keys.
    #[inline]
    fn key(&self) -> u64 {
        let rest = (self.lead() as u64) << 1 | self.to_move as u64;
        mix(mix(self.drawn as u64, (self.drawn >> 64) as u64), rest)
    }

    fn move_codes(&self) -> usize {
        self.geometry.edges
    }

    #[inline]
    fn lead(&self) -> i32 {
        let [first, second] = self.score();
        first as i32 - second as i32
    }

    #[inline]
    fn is_legal(&self, edge: Edge) -> bool {
        edge.index() < self.geometry.edges && self.drawn & edge.bit() == 0
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.undrawn().count_ones() as usize
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Edge> {
        let undrawn = self.undrawn();
        let count = undrawn.count_ones();
        (count > 0).then(|| playout::select(undrawn, rng.below(count as usize) as u32))
    }

    /// Finds the edge and its bit at once.
    #[inline]
    fn play_random(&mut self, draw: Draw) -> Option<Edge> {
        let undrawn = self.undrawn();
        let (low, high) = (undrawn as u64, (undrawn >> 64) as u64);
        let (below, above) = (low.count_ones() as usize, high.count_ones() as usize);
        if below + above == 0 {
            return None;
        }
        let choice = draw.below(below + above);
        let (edge, bit) = if choice < below {
            let bit = deposit(1 << choice, low);
            (bit.trailing_zeros(), u128::from(bit))
        } else {
            let bit = deposit(1 << (choice - below), high);
            (64 + bit.trailing_zeros(), u128::from(bit) << 64)
        };
        let edge = Edge(edge as u8);
        self.draw(edge, bit);
        Some(edge)
    }

    #[inline]
    fn playout(self, rng: &mut Rng) -> Outcome {
        Outcome::by_lead(self.playout_lead(rng), Reason::BoxesCounted)
    }
}
