//! Shards: some games in one compressed file, written in one step.
//!
//! A shard appears under its name only when it is whole, so a process that dies
//! loses the games it had not written, and nothing else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::net::replace;
use crate::selfplay::Played;

/// The first bytes of a shard.
const MAGIC: &[u8; 8] = b"boyisg01";
/// zstd's default, at which compression costs next to nothing here.
const LEVEL: i32 = 3;
/// No shard is larger when unpacked.
const LARGEST: usize = 1 << 30;

/// Why a shard could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The file system said no.
    #[error("{path} can't be read or written: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Not a shard, or not a whole one.
    #[error("{path} is damaged or no shard of games: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// The shards of a folder, numbered.
pub struct Shards {
    folder: PathBuf,
    next: u64,
}

impl Shards {
    /// Opens a folder, which is made if there is none. Files of a process that
    /// died in the middle of writing are taken away.
    pub fn open(folder: &Path) -> Result<Shards, ShardError> {
        let told = |source| ShardError::Io { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(told)?;
        for entry in fs::read_dir(folder).map_err(told)? {
            let path = entry.map_err(told)?.path();
            if path.extension().is_some_and(|end| end == "part") {
                fs::remove_file(&path).map_err(told)?;
            }
        }
        let next = numbers(folder).map_err(told)?.last().map_or(0, |last| last + 1);
        Ok(Shards { folder: folder.to_owned(), next })
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("games-{number:06}.zst"))
    }

    /// Writes some games as the next shard.
    pub fn write(&mut self, games: &[Played]) -> Result<(), ShardError> {
        let mut plain = Vec::new();
        games.iter().for_each(|game| game.write(&mut plain));
        let path = self.path(self.next);
        let told = |source| ShardError::Io { path: path.clone(), source };
        let packed = zstd::bulk::compress(&plain, LEVEL).map_err(told)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(crc32fast::hash(&packed).to_le_bytes());
        bytes.extend((plain.len() as u64).to_le_bytes());
        bytes.extend(packed);
        replace(&path, &bytes).map_err(told)?;
        self.next += 1;
        Ok(())
    }

    /// The numbers of the shards there are, in order.
    pub fn numbers(&self) -> Result<Vec<u64>, ShardError> {
        numbers(&self.folder).map_err(|source| ShardError::Io { path: self.folder.clone(), source })
    }

    /// Reads a shard.
    pub fn read(&self, number: u64) -> Result<Vec<Played>, ShardError> {
        let path = self.path(number);
        let bytes =
            fs::read(&path).map_err(|source| ShardError::Io { path: path.clone(), source })?;
        unpack(&bytes).map_err(|reason| ShardError::Damaged { path, reason })
    }
}

fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("games-"));
        numbers.extend(number.and_then(|rest| rest.strip_suffix(".zst")?.parse::<u64>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn unpack(bytes: &[u8]) -> Result<Vec<Played>, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it begins otherwise")?;
    let (sum, rest) = rest.split_first_chunk::<4>().ok_or("it is cut short")?;
    let (length, packed) = rest.split_first_chunk::<8>().ok_or("it is cut short")?;
    if crc32fast::hash(packed) != u32::from_le_bytes(*sum) {
        return Err("its checksum is another".to_owned());
    }
    let length = u64::from_le_bytes(*length).min(LARGEST as u64) as usize;
    let plain = zstd::bulk::decompress(packed, length).map_err(|error| error.to_string())?;
    let (mut rest, mut games) = (plain.as_slice(), Vec::new());
    while !rest.is_empty() {
        games.push(Played::read(&mut rest).map_err(|error| error.to_string())?);
    }
    Ok(games)
}
