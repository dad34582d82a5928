//! A small network as an evaluation for alpha-beta, computed with integers.
//!
//! A position is read as patterns: parts of the board (a row, a column, what is
//! nearest to an arc) that each take one of a few hundred values. Each value of
//! each pattern has a row of 64 weights, and a position is the sum of its rows,
//! once as the mover sees the board and once as the opponent sees it, with the
//! same weights. The two sums, clipped and squared (squared clipped ReLU), are
//! the input of one linear layer with several heads, of which the number of
//! pieces chooses one.
//!
//! The name is the field's for such networks (NNUE, Yu Nasu 2018), whose first
//! layer is usually updated from move to move. Here it is summed afresh: a move
//! changes about two thirds of the patterns, each by a subtraction and an addition,
//! so an update would cost more than the sum, and would have to carry state
//! through the search.
//!
//! All sums are exact: [`Nnue::new`] refuses weights that could overflow. So the
//! value does not depend on the order of additions nor on the machine. Training
//! is in the crate `learn`; this one only reads what it wrote.

mod format;

use games::Game;

pub use format::{Description, read, write};

/// Sums of a view.
pub const HIDDEN: usize = 64;

/// The value at which a sum is clipped; it stands for 1.
pub const CLIP: i16 = 255;

/// What stands for 1 in the weights of the heads.
pub const HEAD_ONE: i32 = 64;

/// Points, in hundredths of the game's unit, for which the winning chance is about
/// 73%: the unit of a network's output.
pub const SCALE: f64 = 150.0;

/// No game has more patterns.
pub const MAX_PATTERNS: usize = 32;

/// The rows of a position's patterns: as the mover sees them, and as the opponent
/// does.
pub type PatternRows = [[u32; MAX_PATTERNS]; 2];

/// A game whose positions are read as patterns.
pub trait Patterns: Game {
    /// What the patterns are called. Weights for other patterns are refused.
    const FEATURES: &'static str;

    /// The number of values of each pattern, at most [`MAX_PATTERNS`] of them.
    const SIZES: &'static [usize];

    /// The number of heads.
    const HEADS: usize;

    /// The row of each pattern: the sizes of those before it and its own value. In
    /// a view the players are "own" and "other", never First and Second.
    fn pattern_rows(&self, rows: &mut PatternRows);

    /// Which head evaluates this position.
    fn head(&self) -> usize;

    /// What the patterns depend on, as the mover sees it, in two words.
    fn pack(&self) -> [u64; 2];

    /// The position of such words, with First as its mover; `None` if there is no
    /// such position.
    fn unpack(words: [u64; 2]) -> Option<Self>;

    /// The rows of all patterns together.
    fn row_count() -> usize {
        Self::SIZES.iter().sum()
    }
}

/// The weights of a pattern's value: bytes, so that a row is one line of the cache.
/// Rows of 16 bits took twice as long, because summing them is waiting for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i8; HIDDEN]);

/// The sums of a view.
pub type Sums = [i16; HIDDEN];

/// The last layer for some numbers of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// For the mover's sums and for the opponent's.
    pub weights: [Sums; 2],
    /// In units of `CLIP * HEAD_ONE`.
    pub bias: i32,
}

/// The weights of a network. They do not know their game; [`read`] makes sure that
/// they fit one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nnue {
    bias: Sums,
    rows: Box<[Row]>,
    heads: Box<[Head]>,
    /// The number of patterns. Known to the compiler, it would make it unroll the sum
    /// and keep it in memory instead of registers, at half the speed.
    patterns: usize,
}

/// The largest weight of a head: a product with a clipped sum fits 16 bits.
const MAX_HEAD_WEIGHT: i16 = i16::MAX / CLIP;

impl Nnue {
    /// The network of these weights for patterns of these sizes; says what is wrong
    /// if they do not fit or a sum could overflow.
    pub fn new(
        bias: Sums,
        rows: Box<[Row]>,
        heads: Box<[Head]>,
        sizes: &[usize],
    ) -> Result<Nnue, String> {
        if rows.len() != sizes.iter().sum::<usize>() || heads.is_empty() {
            return Err("it has another number of rows than its patterns".to_owned());
        }
        // The largest sum of each hidden unit, with the worst value of each pattern.
        let mut largest = bias.map(|weight| i32::from(weight).abs());
        let mut rest = &rows[..];
        for &size in sizes {
            let (pattern, behind) = rest.split_at(size);
            rest = behind;
            for (unit, sum) in largest.iter_mut().enumerate() {
                let worst = pattern.iter().map(|row| i32::from(row.0[unit]).abs()).max();
                *sum += worst.unwrap_or(0);
            }
        }
        let of_heads = || heads.iter().flat_map(|head| head.weights.iter().flatten());
        if largest.iter().any(|&sum| sum > i32::from(i16::MAX))
            || of_heads().any(|weight| weight.abs() > MAX_HEAD_WEIGHT)
            || heads.iter().any(|head| head.bias.abs() > 1 << 24)
        {
            return Err("its weights are so large that a sum could overflow".to_owned());
        }
        Ok(Nnue { bias, rows, heads, patterns: sizes.len() })
    }

    /// The parts it was made of: bias, rows and heads.
    pub fn parts(&self) -> (&Sums, &[Row], &[Head]) {
        (&self.bias, &self.rows, &self.heads)
    }

    /// The mover's advantage in hundredths of the game's unit.
    #[inline]
    pub fn evaluate<G: Patterns>(&self, game: &G) -> i32 {
        let mut rows = [[0; MAX_PATTERNS]; 2];
        game.pattern_rows(&mut rows);
        let head = &self.heads[game.head()];
        let [mine, theirs] = rows.each_ref().map(|rows| &rows[..self.patterns]);
        let output = self.view(mine, &head.weights[0]) + self.view(theirs, &head.weights[1]);
        points(output, head.bias)
    }

    /// What a view adds to the output, in units of `CLIP * CLIP * HEAD_ONE`.
    #[inline(never)]
    fn view(&self, rows: &[u32], weights: &Sums) -> i32 {
        let mut sums = self.bias;
        for &row in rows {
            let row = &self.rows[row as usize].0;
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(i16::from(*weight));
            }
        }
        let mut output = 0;
        for (&sum, &weight) in sums.iter().zip(weights) {
            let clipped = sum.clamp(0, CLIP);
            output += i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped);
        }
        output
    }
}

/// The points of an output.
#[inline]
fn points(output: i32, bias: i32) -> i32 {
    const ONE: i32 = CLIP as i32 * HEAD_ONE;
    // 64 bits, because the scale may not fit otherwise.
    let scaled = i64::from(output / i32::from(CLIP) + bias) * SCALE as i64;
    (scaled / i64::from(ONE)) as i32
}

#[cfg(test)]
mod tests {
    use games::Rng;

    use super::*;

    /// Three patterns of some values on a board of two words.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Lines([u32; 3]);

    const SIZES: [usize; 3] = [5, 9, 7];

    fn random(rng: &mut Rng, most: i16) -> i16 {
        (rng.below(2 * most as usize + 1) as i32 - i32::from(most)) as i16
    }

    fn network(rng: &mut Rng, most: i16) -> Result<Nnue, String> {
        let bias = std::array::from_fn(|_| random(rng, most));
        let row = |rng: &mut Rng| Row(std::array::from_fn(|_| random(rng, most.min(127)) as i8));
        let rows = (0..SIZES.iter().sum()).map(|_| row(rng)).collect();
        let head = |rng: &mut Rng| Head {
            weights: std::array::from_fn(|_| std::array::from_fn(|_| random(rng, 128))),
            bias: rng.below(1000) as i32,
        };
        let heads = (0..2).map(|_| head(rng)).collect();
        Nnue::new(bias, rows, heads, &SIZES)
    }

    /// The definition, in wide integers.
    fn plainly(net: &Nnue, rows: &[u32], weights: &Sums) -> i64 {
        (0..HIDDEN)
            .map(|unit| {
                let sum: i64 =
                    rows.iter().map(|&row| i64::from(net.rows[row as usize].0[unit])).sum();
                let clipped = (sum + i64::from(net.bias[unit])).clamp(0, CLIP.into());
                clipped * clipped * i64::from(weights[unit])
            })
            .sum()
    }

    #[test]
    fn sums_are_exact() {
        let mut rng = Rng::seeded(3);
        for most in [20, 100, 8000] {
            let net = network(&mut rng, most).unwrap();
            for _ in 0..200 {
                let Lines(values) = Lines(std::array::from_fn(|i| rng.below(SIZES[i]) as u32));
                let rows = [values[0], 5 + values[1], 14 + values[2]];
                for head in &net.heads {
                    let found = net.view(&rows, &head.weights[0]);
                    assert_eq!(i64::from(found), plainly(&net, &rows, &head.weights[0]));
                }
            }
        }
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let net = network(&mut Rng::seeded(1), 100).unwrap();
        let (bias, rows, heads) = net.parts();
        let told = Nnue::new([i16::MAX; HIDDEN], rows.into(), heads.into(), &SIZES).unwrap_err();
        assert!(told.contains("overflow"), "{told}");
        let told = Nnue::new(*bias, rows[1..].into(), heads.into(), &SIZES).unwrap_err();
        assert!(told.contains("number of rows"), "{told}");
    }
}
