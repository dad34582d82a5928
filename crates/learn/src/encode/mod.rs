//! The encoding of positions and moves for a network: planes and move codes.
//!
//! Planes have the mover's viewpoint: "mine" and "theirs", never First and Second,
//! so that one network plays both sides. The network's value is the mover's too;
//! [`NetworkEvaluator`](crate::NetworkEvaluator) turns it into First's.
//!
//! A move's code is its index in the policy. Symmetries need no table here: a
//! position is transformed by its game ([`Symmetric::transform`]) and encoded
//! again.
//!
//! Deliberately absent: search, networks, files. A file per game; changing what a
//! plane means is changing [`Encode::VERSION`], for weights know nothing else of
//! their input.

mod connect_four;
mod dots_and_boxes;
mod surakarta;

use games::bits::{deposit, spread};
use games::{MoveList, Rng, Symmetric, Text};

use crate::net::{Architecture, Grid};

/// The sizes of an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The size of the planes.
    pub grid: Grid,
    /// The number of planes.
    pub planes: usize,
    /// The number of move codes.
    pub moves: usize,
    /// The largest board whose network this position shares, where one network is for
    /// boards of every size up to it; then a move's code is its column.
    pub largest: Option<Grid>,
}

impl Shape {
    /// Numbers of one position's input.
    pub fn inputs(&self) -> usize {
        self.grid.area() * self.planes
    }

    /// The default network for this shape.
    pub fn architecture(&self) -> Architecture {
        match self.largest {
            Some(largest) => Architecture::pooled(largest, self.planes),
            None => Architecture::new(self.grid, self.planes, self.moves),
        }
    }

    /// Whether a network has this shape of input and policy. Where boards share a
    /// network, one for boards of this size alone fits as well.
    pub fn fits(&self, architecture: &Architecture) -> bool {
        let moves = architecture.logits_on(self.grid);
        architecture.has_board(self.grid)
            && (self.planes, self.moves) == (architecture.planes, moves)
    }
}

/// A game that a network can play.
///
/// ```
/// use games::Game;
/// use games::surakarta::Surakarta;
/// use learn::Encode;
///
/// let game = Surakarta::start(&Default::default()).unwrap();
/// let shape = game.shape();
/// assert_eq!((shape.planes, shape.moves), (9, 36 * 36));
/// let mut planes = vec![0.0; shape.inputs()];
/// game.encode(None, &mut planes);
/// // First moves, so the last plane is all ones.
/// assert!(planes.iter().skip(8).step_by(9).all(|&x| x == 1.0));
/// ```
pub trait Encode: Symmetric + Text {
    /// Changes whenever a plane or a move code changes its meaning.
    const VERSION: u32;

    /// Whether the planes include the move that led to the position.
    const SEES_LAST: bool = false;

    /// The name of the positions that one network is trained for: positions with
    /// the same kind share a network. Sizes matter here, end rules do not.
    fn kind(&self) -> String;

    /// The sizes of this position's encoding.
    fn shape(&self) -> Shape;

    /// Fills `planes`, which holds [`Shape::inputs`] zeros in the order row,
    /// column, plane. `last` is the move that led here, if any.
    fn encode(&self, last: Option<Self::Move>, planes: &mut [f32]);

    /// A key of all that a network sees of the position but the last move. It is the
    /// position's own, mixed with the board where a network is for several.
    fn cache_key(&self) -> u64 {
        self.key()
    }

    /// A random board for self-play, where a network is for several.
    fn training_setup(_rng: &mut Rng) -> Option<Self::Setup> {
        None
    }

    /// The index of a legal move in the policy. It is the move's own code
    /// (`Into<u16>`), so that a mask, a policy and a list of moves agree.
    fn code(&self, mv: Self::Move) -> usize;

    /// The legal moves as a set of bits, numbered by their codes, where the game has
    /// them so and no code is above 127.
    #[inline]
    fn legal_bits(&self) -> Option<u128> {
        None
    }

    /// Writes 1 for the code of each legal move and 0 for every other code into
    /// `mask`, which has [`Shape::moves`] entries.
    fn mask(&self, mask: &mut [i8]) {
        if let Some(bits) = self.legal_bits() {
            return write_masks(&[bits], mask.len(), mask);
        }
        mask.fill(0);
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        moves.iter().for_each(|&mv| mask[self.code(mv)] = 1);
    }
}

/// The masks of many positions, given by their [`Encode::legal_bits`]: rows of `width`
/// entries, one after the other.
pub fn write_masks(bits: &[u128], width: usize, masks: &mut [i8]) {
    match width {
        0..=8 => write_rows::<8>(bits, width, masks),
        9..=32 => write_rows::<32>(bits, width, masks),
        33..=64 => write_rows::<64>(bits, width, masks),
        _ => write_rows::<128>(bits, width, masks),
    }
}

/// The same for rows of at most `ROOM` entries, as many at a time: what spills over the
/// end of a row is overwritten by the rows behind it.
fn write_rows<const ROOM: usize>(bits: &[u128], width: usize, masks: &mut [i8]) {
    for (i, &bits) in bits.iter().enumerate() {
        let rest = &mut masks[i * width..];
        match rest.first_chunk_mut::<ROOM>() {
            Some(row) if ROOM == 8 => {
                let bytes = deposit(bits as u64, 0x0101_0101_0101_0101).to_le_bytes();
                row.copy_from_slice(&bytes.map(|byte| byte as i8));
            }
            Some(row) => {
                for (part, at) in row.chunks_mut(32).zip([0, 32, 64, 96]) {
                    let bytes = spread((bits >> at) as u32).map(|byte| byte as i8);
                    part.copy_from_slice(&bytes[..part.len()]);
                }
            }
            None => {
                let row = rest.iter_mut().take(width).enumerate();
                row.for_each(|(code, to)| *to = (bits >> code & 1) as i8);
            }
        }
    }
}

/// Writes planes cell by cell.
struct Canvas<'a> {
    planes: &'a mut [f32],
    width: usize,
    depth: usize,
}

impl<'a> Canvas<'a> {
    fn new(shape: &Shape, planes: &'a mut [f32]) -> Self {
        assert_eq!(planes.len(), shape.inputs(), "planes of this shape");
        Canvas { planes, width: shape.grid.width, depth: shape.planes }
    }

    fn set(&mut self, plane: usize, row: usize, column: usize, value: f32) {
        self.planes[(row * self.width + column) * self.depth + plane] = value;
    }

    fn fill(&mut self, plane: usize, value: f32) {
        self.planes.iter_mut().skip(plane).step_by(self.depth).for_each(|x| *x = value);
    }
}
