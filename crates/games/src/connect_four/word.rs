//! The integer that a board lives in.
//!
//! A board of 7 x 6 needs 49 bits, the course's boards up to 156, and a search
//! should not pay for the second when it plays the first. Everything about the
//! game is written once over this trait, and the caller picks the narrowest word
//! that is wide enough.

use std::array::from_fn;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use super::limbs::{join, lower, raise, split};
use super::{U192, lines};

/// A set of bits wide enough for a board: `u64`, `u128` or [`U192`].
///
/// Shifts are by less than [`Word::BITS`].
pub trait Word:
    Copy
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many bits there are.
    const BITS: u32;

    /// The set that holds bit `index` alone.
    fn bit(index: u32) -> Self;

    /// The sum as a number, without the carry out of the top.
    fn plus(self, other: Self) -> Self;

    /// The product as a number, without what exceeds the word.
    fn times(self, other: Self) -> Self;

    /// All bits moved up by less than 64: faster than `<<`, which can't know that
    /// the distance is short.
    fn up(self, by: u32) -> Self;

    /// All bits moved down by less than 64, likewise.
    fn down(self, by: u32) -> Self;

    /// The lowest 64 bits.
    fn low(self) -> u64;

    /// The word made of these pieces of 64 bits, the lowest first, as far as it
    /// reaches.
    fn from_limbs(limbs: [u64; 3]) -> Self;

    /// The word in pieces of 64 bits, the lowest first, with zeros beyond it.
    fn limbs(self) -> [u64; 3];

    /// How many bits are set.
    fn count(self) -> u32;

    /// The index of the lowest set bit; there must be one.
    fn lowest(self) -> u32;

    /// A hash of a pair of words.
    fn key(first: Self, second: Self) -> u64;

    /// Whether four set bits stand in a line, in a board whose columns are
    /// `stride` bits apart, the top one of each never set.
    fn has_four(self, stride: u32) -> bool;

    /// Whether four set bits stand in a line of which at most one is `paired`, in a
    /// board likewise.
    fn has_unpaired_four(self, paired: Self, stride: u32) -> bool;

    /// The cells, filled or not and on the board or not, that would make a four
    /// with three of these, in a board likewise. Only upwards in a column: below
    /// a stone nothing is empty.
    fn fourths(self, stride: u32) -> Self;

    /// Whether no bit is set.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The number below this one; all bits set below zero.
    #[inline(always)]
    fn minus_one(self) -> Self {
        self.plus(!Self::default())
    }

    /// The lowest set bit alone; nothing if there is none.
    #[inline(always)]
    fn lowest_bit(self) -> Self {
        self & !self.minus_one()
    }

    /// All set bits but the lowest.
    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & self.minus_one()
    }

    /// Whether more than one bit is set.
    #[inline(always)]
    fn has_two(self) -> bool {
        !self.without_lowest().is_empty()
    }

    /// The set bits one by one, from the lowest.
    #[inline(always)]
    fn singles(self) -> impl Iterator<Item = Self> {
        let mut left = self;
        std::iter::from_fn(move || {
            let bit = left.lowest_bit();
            left = left ^ bit;
            (!bit.is_empty()).then_some(bit)
        })
    }

    /// The indices of the set bits, from the lowest.
    #[inline]
    fn indices(self) -> impl Iterator<Item = u32> {
        let mut left = self;
        std::iter::from_fn(move || {
            (!left.is_empty()).then(|| {
                let index = left.lowest();
                left = left ^ Self::bit(index);
                index
            })
        })
    }
}

impl Word for u64 {
    const BITS: u32 = 64;

    #[inline(always)]
    fn bit(index: u32) -> u64 {
        1 << index
    }

    #[inline(always)]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn times(self, other: u64) -> u64 {
        self.wrapping_mul(other)
    }

    #[inline(always)]
    fn up(self, by: u32) -> u64 {
        self << by
    }

    #[inline(always)]
    fn down(self, by: u32) -> u64 {
        self >> by
    }

    #[inline(always)]
    fn limbs(self) -> [u64; 3] {
        [self, 0, 0]
    }

    #[inline(always)]
    fn low(self) -> u64 {
        self
    }

    #[inline(always)]
    fn from_limbs(limbs: [u64; 3]) -> u64 {
        limbs[0]
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline(always)]
    fn key(first: u64, second: u64) -> u64 {
        crate::mix(first, second)
    }

    #[inline(always)]
    fn fourths(self, stride: u32) -> u64 {
        lines::fourths([self], stride)[0]
    }

    #[inline(always)]
    fn has_four(self, stride: u32) -> bool {
        let by = lines::directions(stride).map(u64::from);
        let pairs = by.map(|d| self & self >> (d % 64));
        let fours: [u64; 4] = from_fn(|i| pairs[i] & pairs[i] >> (2 * by[i] % 64));
        fours != [0; 4]
    }

    #[inline(always)]
    fn has_unpaired_four(self, paired: u64, stride: u32) -> bool {
        lines::has_unpaired_four([self], [paired], stride)
    }
}

impl Word for u128 {
    const BITS: u32 = 128;

    #[inline]
    fn bit(index: u32) -> u128 {
        1 << index
    }

    #[inline]
    fn plus(self, other: u128) -> u128 {
        self.wrapping_add(other)
    }

    #[inline]
    fn times(self, other: u128) -> u128 {
        self.wrapping_mul(other)
    }

    #[inline(always)]
    fn up(self, by: u32) -> u128 {
        join(raise(split(self), by))
    }

    #[inline(always)]
    fn down(self, by: u32) -> u128 {
        join(lower(split(self), by))
    }

    #[inline(always)]
    fn limbs(self) -> [u64; 3] {
        let [low, high] = split(self);
        [low, high, 0]
    }

    #[inline]
    fn low(self) -> u64 {
        self as u64
    }

    #[inline]
    fn from_limbs(limbs: [u64; 3]) -> u128 {
        u128::from(limbs[0]) | u128::from(limbs[1]) << 64
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn key(first: u128, second: u128) -> u64 {
        let low = crate::mix(first as u64, second as u64);
        low ^ crate::mix((first >> 64) as u64, (second >> 64) as u64).rotate_left(1)
    }

    #[inline(always)]
    fn fourths(self, stride: u32) -> u128 {
        join(lines::fourths(split(self), stride))
    }

    #[inline(always)]
    fn has_four(self, stride: u32) -> bool {
        lines::has_four(split(self), stride)
    }

    #[inline(always)]
    fn has_unpaired_four(self, paired: u128, stride: u32) -> bool {
        lines::has_unpaired_four(split(self), split(paired), stride)
    }
}

impl Word for U192 {
    const BITS: u32 = 192;

    #[inline]
    fn bit(index: u32) -> U192 {
        // Without a branch on the limb, which could not be predicted.
        U192::from([0, 1, 2].map(|limb| u64::from(index / 64 == limb) << (index % 64)))
    }

    #[inline]
    fn plus(self, other: U192) -> U192 {
        self.wrapping_add(other)
    }

    #[inline]
    fn times(self, other: U192) -> U192 {
        self.wrapping_mul(other)
    }

    #[inline(always)]
    fn up(self, by: u32) -> U192 {
        U192::from(raise(self.limbs(), by))
    }

    #[inline(always)]
    fn down(self, by: u32) -> U192 {
        U192::from(lower(self.limbs(), by))
    }

    #[inline(always)]
    fn limbs(self) -> [u64; 3] {
        self.limbs()
    }

    #[inline]
    fn low(self) -> u64 {
        self.limbs()[0]
    }

    #[inline]
    fn from_limbs(limbs: [u64; 3]) -> U192 {
        U192::from(limbs)
    }

    #[inline]
    fn count(self) -> u32 {
        self.limbs().into_iter().map(u64::count_ones).sum()
    }

    #[inline]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn key(first: U192, second: U192) -> u64 {
        let limbs = first.limbs().into_iter().zip(second.limbs());
        limbs.fold(0, |key, (a, b)| key.rotate_left(1) ^ crate::mix(a, b))
    }

    #[inline(always)]
    fn fourths(self, stride: u32) -> U192 {
        U192::from(lines::fourths(self.limbs(), stride))
    }

    #[inline(always)]
    fn has_four(self, stride: u32) -> bool {
        lines::has_four(self.limbs(), stride)
    }

    #[inline(always)]
    fn has_unpaired_four(self, paired: U192, stride: u32) -> bool {
        lines::has_unpaired_four(self.limbs(), paired.limbs(), stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// What the words can do beyond the operators of numbers, by those.
    fn agrees<W: Word>(rng: &mut Rng) {
        for round in 0..300 {
            let limbs = from_fn(|_| rng.bits() & if round % 3 == 0 { rng.bits() } else { !0 });
            let word = if round == 0 { W::default() } else { W::from_limbs(limbs) };
            assert_eq!(W::from_limbs(word.limbs()), word);
            for by in 0..64 {
                assert_eq!(word.up(by), word << by);
                assert_eq!(word.down(by), word >> by);
            }
            let bits: Vec<W> = word.indices().map(W::bit).collect();
            assert_eq!(word.singles().collect::<Vec<W>>(), bits);
            assert_eq!(word.lowest_bit(), bits.first().copied().unwrap_or_default());
            assert_eq!(word.without_lowest() | word.lowest_bit(), word);
            assert_eq!(word.has_two(), bits.len() > 1);
            assert_eq!(word.minus_one().plus(W::bit(0)), word);
        }
    }

    #[test]
    fn words_of_every_width_do_the_same() {
        let mut rng = Rng::seeded(2);
        agrees::<u64>(&mut rng);
        agrees::<u128>(&mut rng);
        agrees::<U192>(&mut rng);
    }
}
