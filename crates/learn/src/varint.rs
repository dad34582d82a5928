//! Variable-length numbers: seven bits a byte, the lowest first (LEB128).

/// Appends a number.
pub(crate) fn write(out: &mut Vec<u8>, mut n: u64) {
    while n >= 128 {
        out.push(n as u8 | 128);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Reads a number from the front of `bytes` and advances them; none if they end
/// within it or it has more than 63 bits.
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        n |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(n);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_survive_and_others_are_refused() {
        for n in [0, 1, 127, 128, 300, 1 << 40, (1 << 63) - 1] {
            let mut bytes = Vec::new();
            super::write(&mut bytes, n);
            assert_eq!(super::read(&mut bytes.as_slice()), Some(n));
            assert_eq!(super::read(&mut &bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(super::read(&mut [255; 10].as_slice()), None);
    }
}
