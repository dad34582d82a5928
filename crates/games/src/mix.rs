//! The hash behind every position key.

/// Mixes two words into one so that each bit of either reaches every bit of the
/// result: two folded 64 x 64 -> 128 bit multiplications, the construction of
/// wyhash. A few cycles, so a key is computed when asked for and not carried.
#[inline]
pub fn mix(a: u64, b: u64) -> u64 {
    fold(fold(a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xe703_7ed1_a0b4_28db) ^ a, 0x8ebc_6af0_9c88_c6e3 ^ b)
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    wide as u64 ^ (wide >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_bit_turns_about_half_of_the_output() {
        for bit in 0..128 {
            let mut turned = 0;
            for n in 0..256u64 {
                let (a, b) = (n.wrapping_mul(0x1234_5678_9abc_def1), n << 3);
                let (c, d) = (
                    a ^ 1u64.checked_shl(bit).unwrap_or(0),
                    b ^ if bit >= 64 { 1 << (bit - 64) } else { 0 },
                );
                turned += (mix(a, b) ^ mix(c, d)).count_ones();
            }
            let mean = f64::from(turned) / 256.0;
            assert!((28.0..36.0).contains(&mean), "bit {bit} turns {mean} bits on average");
        }
    }
}
