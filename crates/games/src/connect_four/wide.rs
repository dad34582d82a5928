//! A number of 192 bits: as much of one as a 12 x 12 board needs.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// An unsigned integer of 192 bits with the operations of a bit board.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct U192([u64; 3]);

impl U192 {
    /// The number in pieces of 64 bits, the lowest first.
    #[inline]
    pub fn limbs(self) -> [u64; 3] {
        self.0
    }

    /// The sum without the carry out of the top.
    #[inline]
    pub fn wrapping_add(self, other: U192) -> U192 {
        let (low, carry) = self.0[0].overflowing_add(other.0[0]);
        let (mid, carry) = self.0[1].carrying_add(other.0[1], carry);
        U192([low, mid, self.0[2].wrapping_add(other.0[2]).wrapping_add(carry.into())])
    }

    /// The product without what exceeds 192 bits.
    #[inline]
    pub fn wrapping_mul(self, other: U192) -> U192 {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        let wide = |left: u64, right: u64| u128::from(left) * u128::from(right);
        let low = wide(a, x);
        let (one, two) = (wide(a, y), wide(b, x));
        let middle = (low >> 64) + u128::from(one as u64) + u128::from(two as u64);
        let high = ((middle >> 64) as u64)
            .wrapping_add((one >> 64) as u64)
            .wrapping_add((two >> 64) as u64)
            .wrapping_add(a.wrapping_mul(z))
            .wrapping_add(b.wrapping_mul(y))
            .wrapping_add(c.wrapping_mul(x));
        U192([low as u64, middle as u64, high])
    }

    /// The index of the lowest set bit; 192 if there is none.
    #[inline]
    pub fn trailing_zeros(self) -> u32 {
        // Without a branch on the limb, which could not be predicted.
        let [low, mid, high] = self.0;
        let beyond_low = if low == 0 { mid.trailing_zeros() } else { 0 };
        let beyond_mid = if low | mid == 0 { high.trailing_zeros() } else { 0 };
        low.trailing_zeros() + beyond_low + beyond_mid
    }
}

impl From<[u64; 3]> for U192 {
    /// The number from pieces of 64 bits, the lowest first.
    #[inline]
    fn from(limbs: [u64; 3]) -> U192 {
        U192(limbs)
    }
}

impl PartialEq for U192 {
    /// In registers: arrays of this size are compared in memory.
    #[inline(always)]
    fn eq(&self, other: &U192) -> bool {
        let [a, b, c] = (*self ^ *other).0;
        a | b | c == 0
    }
}

impl Hash for U192 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Ord for U192 {
    #[inline]
    fn cmp(&self, other: &U192) -> Ordering {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        (c, b, a).cmp(&(z, y, x))
    }
}

impl PartialOrd for U192 {
    #[inline]
    fn partial_cmp(&self, other: &U192) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    /// Whether a subtraction borrows.
    #[inline(always)]
    fn lt(&self, other: &U192) -> bool {
        let borrow = self.0[0] < other.0[0];
        let (_, borrow) = self.0[1].borrowing_sub(other.0[1], borrow);
        self.0[2].borrowing_sub(other.0[2], borrow).1
    }
}

impl BitAnd for U192 {
    type Output = U192;

    #[inline]
    fn bitand(self, other: U192) -> U192 {
        U192(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for U192 {
    type Output = U192;

    #[inline]
    fn bitor(self, other: U192) -> U192 {
        U192(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl BitXor for U192 {
    type Output = U192;

    #[inline]
    fn bitxor(self, other: U192) -> U192 {
        U192(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl Not for U192 {
    type Output = U192;

    #[inline]
    fn not(self) -> U192 {
        U192(self.0.map(|limb| !limb))
    }
}

impl Shl<u32> for U192 {
    type Output = U192;

    #[inline]
    fn shl(self, by: u32) -> U192 {
        debug_assert!(by < 192);
        let [a, b, c] = self.0;
        let [a, b, c] = match by / 64 {
            0 => [a, b, c],
            1 => [0, a, b],
            _ => [0, 0, a],
        };
        // The bits that cross a limb go in two steps: a shift by 64 is none.
        let (by, back) = (by % 64, 63 - by % 64);
        U192([a << by, b << by | a >> 1 >> back, c << by | b >> 1 >> back])
    }
}

impl Shr<u32> for U192 {
    type Output = U192;

    #[inline]
    fn shr(self, by: u32) -> U192 {
        debug_assert!(by < 192);
        let [a, b, c] = self.0;
        let [a, b, c] = match by / 64 {
            0 => [a, b, c],
            1 => [b, c, 0],
            _ => [c, 0, 0],
        };
        let (by, back) = (by % 64, 63 - by % 64);
        U192([a >> by | b << 1 << back, b >> by | c << 1 << back, c >> by])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// The bits one by one: too slow to be wrong.
    fn bits(word: U192) -> Vec<bool> {
        (0..192).map(|i| word.0[i / 64] >> (i % 64) & 1 == 1).collect()
    }

    #[test]
    fn operations_are_what_they_are_on_single_bits() {
        let mut rng = Rng::seeded(1);
        for _ in 0..200 {
            let mut any = || U192([rng.bits(), rng.bits(), rng.bits()]);
            let (x, y) = (any(), any());
            let (a, b) = (bits(x), bits(y));
            let both = |f: fn(bool, bool) -> bool| -> Vec<bool> {
                a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect()
            };
            assert_eq!(bits(x & y), both(|a, b| a & b));
            assert_eq!(bits(x | y), both(|a, b| a | b));
            assert_eq!(bits(x ^ y), both(|a, b| a ^ b));
            assert_eq!(bits(!x), both(|a, _| !a));
            let half = U192([x.0[0], y.0[1], y.0[2]]);
            for (x, y) in [(x, y), (x, x), (y, half), (half, y)] {
                let order = bits(x).iter().rev().cmp(bits(y).iter().rev());
                assert_eq!(x.cmp(&y), order);
                assert_eq!((x < y, x == y), (order.is_lt(), order.is_eq()));
            }
            let mut carry = false;
            let sum: Vec<bool> = (0..192)
                .map(|i| {
                    let ones = u8::from(a[i]) + u8::from(b[i]) + u8::from(carry);
                    carry = ones > 1;
                    ones & 1 == 1
                })
                .collect();
            assert_eq!(bits(x.wrapping_add(y)), sum);
            // Long multiplication, a bit at a time.
            let product = (0..192).filter(|&i| b[i as usize]);
            let product = product.fold(U192::default(), |sum, i| sum.wrapping_add(x << i));
            assert_eq!(x.wrapping_mul(y), product);
            for by in 0..192 {
                let shifted: Vec<bool> = (0..192).map(|i| i >= by && a[i - by]).collect();
                assert_eq!(bits(x << by as u32), shifted, "{x:?} << {by}");
                let shifted: Vec<bool> = (0..192).map(|i| i + by < 192 && a[i + by]).collect();
                assert_eq!(bits(x >> by as u32), shifted, "{x:?} >> {by}");
            }
        }
    }

    #[test]
    fn carries_run_through() {
        let ones = U192([u64::MAX; 3]);
        assert_eq!(ones.wrapping_add(U192([1, 0, 0])), U192::default());
        assert_eq!(U192([u64::MAX, u64::MAX, 7]).wrapping_add(U192([1, 0, 0])), U192([0, 0, 8]));
        for i in 0..192 {
            assert_eq!((U192([1, 0, 0]) << i).trailing_zeros(), i);
        }
        assert_eq!(U192::default().trailing_zeros(), 192);
    }
}
