//! Weights as bytes: a header, then numbers, then a checksum; all little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `boyinnue` |
//! | 4 x 5 | version, sums of a view, rows, heads, length of the text |
//! | n | text: the name of the patterns, and on further lines where the weights come from |
//! | 2 each | bias, weights of each head (mover's, opponent's) |
//! | 1 each | rows |
//! | 4 each | bias of each head |
//! | 8 | checksum of all before it |

use games::{TextError, mix};

use super::{HIDDEN, Head, Nnue, Patterns, Row, Sums};

const MAGIC: &[u8; 8] = b"boyinnue";
const VERSION: u32 = 2;

/// The most rows, heads and bytes of text that a file may have.
const LIMITS: [u32; 3] = [1 << 18, 64, 1 << 16];

/// What a file says about its weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The name of the patterns; see [`Patterns::FEATURES`].
    pub features: String,
    /// Where the weights come from.
    pub history: String,
}

fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    words.fold(bytes.len() as u64, mix)
}

/// The bytes of a network.
pub fn write(net: &Nnue, description: &Description) -> Vec<u8> {
    let text = format!("{}\n{}", description.features, description.history);
    let sizes = [VERSION, HIDDEN as u32, net.rows.len() as u32, net.heads.len() as u32];
    let mut bytes = MAGIC.to_vec();
    for size in sizes.into_iter().chain([text.len() as u32]) {
        bytes.extend(size.to_le_bytes());
    }
    bytes.extend(text.as_bytes());
    let weights = net.heads.iter().flat_map(|head| &head.weights);
    for weight in [&net.bias].into_iter().chain(weights).flatten() {
        bytes.extend(weight.to_le_bytes());
    }
    bytes.extend(net.rows.iter().flat_map(|row| row.0).map(|weight| weight as u8));
    for head in &net.heads {
        bytes.extend(head.bias.to_le_bytes());
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The network of such bytes, if it reads the patterns of this game.
pub fn read<G: Patterns>(bytes: &[u8]) -> Result<(Nnue, Description), TextError> {
    let (net, description) = parse(bytes, G::SIZES).map_err(|reason| {
        TextError::new(format!("this is no whole file of evaluation weights: {reason}"))
    })?;
    if description.features != G::FEATURES || net.heads.len() != G::HEADS {
        return Err(TextError::new(format!(
            "these evaluation weights are for the patterns '{}' with {} heads, not '{}' with {}",
            description.features,
            net.heads.len(),
            G::FEATURES,
            G::HEADS
        )));
    }
    Ok((net, description))
}

fn parse(bytes: &[u8], sizes: &[usize]) -> Result<(Nnue, Description), String> {
    let short = || "it ends too early".to_owned();
    let (bytes, sum) = bytes.split_last_chunk::<8>().ok_or_else(short)?;
    let rest = bytes.strip_prefix(MAGIC).ok_or("it begins with other bytes")?;
    if checksum(bytes) != u64::from_le_bytes(*sum) {
        return Err("its checksum is wrong".to_owned());
    }
    let (head, mut rest) = rest.split_at_checked(20).ok_or_else(short)?;
    let number = |i: usize| {
        let bytes: [u8; 4] = std::array::from_fn(|k| head[4 * i + k]);
        u32::from_le_bytes(bytes)
    };
    let [version, hidden, rows, heads, text] = std::array::from_fn(number);
    if version != VERSION || hidden as usize != HIDDEN {
        return Err(format!("version {version} with {hidden} sums is not known"));
    }
    if [rows, heads, text].iter().zip(LIMITS).any(|(&size, limit)| size > limit) {
        return Err("a size in its header is too large".to_owned());
    }
    let (text, behind) = rest.split_at_checked(text as usize).ok_or_else(short)?;
    rest = behind;
    let text = std::str::from_utf8(text).map_err(|_| "its text is not UTF-8".to_owned())?;
    let (features, history) = text.split_once('\n').unwrap_or((text, ""));
    let description = Description { features: features.to_owned(), history: history.to_owned() };
    let (rows, heads) = (rows as usize, heads as usize);
    if rest.len() != 2 * HIDDEN * (1 + 2 * heads) + HIDDEN * rows + 4 * heads {
        return Err("its length does not fit its header".to_owned());
    }
    let mut sums = || -> Sums {
        let (part, behind) = rest.split_at(2 * HIDDEN);
        rest = behind;
        let numbers = part.as_chunks::<2>().0;
        std::array::from_fn(|unit| i16::from_le_bytes(numbers[unit]))
    };
    let bias = sums();
    let weights: Vec<_> = (0..heads).map(|_| [sums(), sums()]).collect();
    let (part, rest) = rest.split_at(HIDDEN * rows);
    let rows = part.as_chunks::<HIDDEN>().0.iter().map(|row| Row(row.map(|byte| byte as i8)));
    let rows = rows.collect();
    let biases = rest.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes));
    let heads = weights.into_iter().zip(biases).map(|(weights, bias)| Head { weights, bias });
    Ok((Nnue::new(bias, rows, heads.collect(), sizes)?, description))
}
