//! A position with its labels, and shards of them on disk.

use std::fs;
use std::path::Path;

use crate::replay::ShardError;

/// A training position. Everything in it is the mover's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position, as [`search::nnue::Patterns::pack`] gives it.
    pub words: [u64; 2],
    /// The winning chance by the search, 65535 for certain.
    pub chance: u16,
    /// The result of the game: 0 lost, 1 drawn, 2 won.
    pub result: u8,
}

impl Sample {
    /// The label: the expected result from 0 to 1.
    pub fn target(&self, result_weight: f32) -> f32 {
        let chance = f32::from(self.chance) / 65_535.0;
        chance + result_weight * (f32::from(self.result) / 2.0 - chance)
    }
}

const MAGIC: &[u8; 8] = b"boyinp01";
const BYTES: usize = 19;
const LEVEL: i32 = 3;
const MAX_SIZE: usize = 1 << 30;

/// Writes the samples of a shard, compressed, in one step.
pub fn write_shard(path: &Path, samples: &[Sample]) -> Result<(), ShardError> {
    let io = |source| ShardError::Io { path: path.to_owned(), source };
    let mut bytes = Vec::with_capacity(BYTES * samples.len());
    for sample in samples {
        let [own, other] = sample.words;
        bytes.extend(own.to_le_bytes());
        bytes.extend(other.to_le_bytes());
        bytes.extend(sample.chance.to_le_bytes());
        bytes.push(sample.result);
    }
    let packed = zstd::bulk::compress(&bytes, LEVEL).map_err(io)?;
    let check = crc32fast::hash(&packed).to_le_bytes();
    files::write(path, &[MAGIC, &check, &packed]).map_err(io)
}

/// The samples of a shard.
pub fn read_shard(path: &Path) -> Result<Vec<Sample>, ShardError> {
    let damaged =
        |reason: &str| ShardError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
    let bytes =
        fs::read(path).map_err(|source| ShardError::Io { path: path.to_owned(), source })?;
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| damaged("it begins with other bytes"))?;
    let (check, packed) = rest.split_first_chunk::<4>().ok_or_else(|| damaged("it is cut off"))?;
    if crc32fast::hash(packed).to_le_bytes() != *check {
        return Err(damaged("its checksum is wrong"));
    }
    let bytes =
        zstd::bulk::decompress(packed, MAX_SIZE).map_err(|error| damaged(&error.to_string()))?;
    let (chunks, []) = bytes.as_chunks::<BYTES>() else {
        return Err(damaged("it ends within a position"));
    };
    let word =
        |chunk: &[u8; BYTES], at: usize| u64::from_le_bytes(std::array::from_fn(|i| chunk[at + i]));
    Ok(chunks
        .iter()
        .map(|chunk| Sample {
            words: [word(chunk, 0), word(chunk, 8)],
            chance: u16::from_le_bytes([chunk[16], chunk[17]]),
            result: chunk[18].min(2),
        })
        .collect())
}
