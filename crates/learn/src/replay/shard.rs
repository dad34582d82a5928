//! Shards: some games in one compressed file that appears under its name only
//! when it is complete. A process that dies loses the games it had not written,
//! and nothing else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::selfplay::TrainingGame;

/// The first bytes of a shard.
const MAGIC: &[u8; 8] = b"boyisg01";
/// zstd's default, at which compression costs next to nothing here.
const LEVEL: i32 = 3;
/// The largest size of a decompressed shard.
const MAX_SIZE: usize = 1 << 30;

/// Why a shard could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// An error of the file system.
    #[error("{path} can't be read or written: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Not a shard, or an incomplete or damaged one.
    #[error("{path} is damaged or no shard of games: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// The numbered shards of a folder.
///
/// ```
/// use games::Game;
/// use games::dots_and_boxes::DotsAndBoxes;
/// use learn::replay::Shards;
/// use learn::selfplay::random_game;
///
/// let start = DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap();
/// let games: Vec<_> = (0..10).map(|id| random_game(&start, 1, id)).collect();
/// let folder = tempfile::tempdir().unwrap();
/// let mut shards = Shards::open(folder.path()).unwrap();
/// shards.write(&games).unwrap();
/// assert_eq!(shards.numbers().unwrap(), [0]);
/// assert_eq!(shards.read(0).unwrap(), games);
/// ```
pub struct Shards {
    folder: PathBuf,
    next: u64,
}

impl Shards {
    /// Opens a folder, which is created if it does not exist, and removes the
    /// partial files of a process that died while writing.
    pub fn open(folder: &Path) -> Result<Shards, ShardError> {
        let io_error = |source| ShardError::Io { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(io_error)?;
        files::remove_partial(folder).map_err(io_error)?;
        let next = numbers(folder).map_err(io_error)?.last().map_or(0, |last| last + 1);
        Ok(Shards { folder: folder.to_owned(), next })
    }

    /// Opens a folder for reading alone: another process may be writing to it.
    pub fn open_read_only(folder: &Path) -> Result<Shards, ShardError> {
        let io_error = |source| ShardError::Io { path: folder.to_owned(), source };
        let next = numbers(folder).map_err(io_error)?.last().map_or(0, |last| last + 1);
        Ok(Shards { folder: folder.to_owned(), next })
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("games-{number:06}.zst"))
    }

    /// Writes games as the next shard.
    pub fn write(&mut self, games: &[TrainingGame]) -> Result<(), ShardError> {
        let mut plain = Vec::new();
        games.iter().for_each(|game| game.write(&mut plain));
        let path = self.path(self.next);
        let io_error = |source| ShardError::Io { path: path.clone(), source };
        let packed = zstd::bulk::compress(&plain, LEVEL).map_err(io_error)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(crc32fast::hash(&packed).to_le_bytes());
        bytes.extend((plain.len() as u64).to_le_bytes());
        bytes.extend(packed);
        files::write(&path, &[&bytes]).map_err(io_error)?;
        self.next += 1;
        Ok(())
    }

    /// The number of the shard that will be written next.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The numbers of the existing shards, in order.
    pub fn numbers(&self) -> Result<Vec<u64>, ShardError> {
        numbers(&self.folder).map_err(|source| ShardError::Io { path: self.folder.clone(), source })
    }

    /// Reads a shard.
    pub fn read(&self, number: u64) -> Result<Vec<TrainingGame>, ShardError> {
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

fn unpack(bytes: &[u8]) -> Result<Vec<TrainingGame>, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it does not begin as a shard does")?;
    let (checksum, rest) = rest.split_first_chunk::<4>().ok_or("it is cut short")?;
    let (length, packed) = rest.split_first_chunk::<8>().ok_or("it is cut short")?;
    if crc32fast::hash(packed) != u32::from_le_bytes(*checksum) {
        return Err("its checksum is wrong".to_owned());
    }
    let length = u64::from_le_bytes(*length).min(MAX_SIZE as u64) as usize;
    let plain = zstd::bulk::decompress(packed, length).map_err(|error| error.to_string())?;
    let (mut rest, mut games) = (plain.as_slice(), Vec::new());
    while !rest.is_empty() {
        games.push(TrainingGame::read(&mut rest).map_err(|error| error.to_string())?);
    }
    Ok(games)
}
