//! Names that can't be guessed.

/// 26 letters and digits that cannot be guessed: 128 bits from the system.
pub fn fresh() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut bytes = [0; 16];
    fill(&mut bytes);
    let mut rest = u128::from_le_bytes(bytes);
    (0..26)
        .map(|_| {
            let letter = LETTERS[(rest % 32) as usize];
            rest /= 32;
            char::from(letter)
        })
        .collect()
}

/// A seed for an engine, so that no two games are the same.
pub fn seed() -> u64 {
    let mut bytes = [0; 8];
    fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the system has random numbers");
}

/// Whether a text could be a name from here.
pub fn is_one(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}
