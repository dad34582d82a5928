//! Table files: written once, atomically, and mapped into memory.

use std::fs::File;
use std::path::{Path, PathBuf};

use games::surakarta::Stall;
use memmap2::Mmap;

use super::class::Material;

const MAGIC: &[u8; 8] = b"BOYISKT\n";
const VERSION: u32 = 1;
/// Magic, version, stall rule, both numbers of pieces, a spare byte, the length
/// of the data, its checksum and the checksum of all that.
const HEADER: usize = 8 + 4 + 4 + 8 + 4 + 4;

/// Why a table can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// An input or output error.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// Something is wrong with the contents.
    #[error("{path} {fault}; it is left alone, 'boyi tables build' makes a new one elsewhere")]
    Fault {
        /// The file.
        path: String,
        /// What is wrong, as the rest of a sentence.
        fault: String,
    },
}

/// The values of one material, as bytes by number.
pub struct TableFile {
    map: Mmap,
}

/// The name of a table's file.
pub fn path(folder: &Path, stall: Stall, material: Material) -> PathBuf {
    let Material { mover, other } = material;
    let rule = match stall {
        Stall::Count => "count",
        Stall::Draw => "draw",
    };
    folder.join(format!("surakarta-{rule}-{mover}v{other}.table"))
}

fn header(stall: Stall, material: Material, data: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12] = stall as u8;
    header[13] = material.mover as u8;
    header[14] = material.other as u8;
    header[16..24].copy_from_slice(&(data.len() as u64).to_le_bytes());
    header[24..28].copy_from_slice(&crc32fast::hash(data).to_le_bytes());
    let check = crc32fast::hash(&header[..28]);
    header[28..].copy_from_slice(&check.to_le_bytes());
    header
}

/// Writes a table; a file under its name is always complete.
pub fn write(
    folder: &Path,
    stall: Stall,
    material: Material,
    data: &[u8],
) -> Result<(), FileError> {
    let path = path(folder, stall, material);
    files::write(&path, &[&header(stall, material, data), data])
        .map_err(|error| FileError::Io { path: path.display().to_string(), error })
}

impl TableFile {
    /// Opens a table and checks that it is complete and the expected one.
    /// `None` if there is no such file.
    pub fn open(
        folder: &Path,
        stall: Stall,
        material: Material,
        len: usize,
    ) -> Result<Option<TableFile>, FileError> {
        let path = path(folder, stall, material);
        let io = |error| FileError::Io { path: path.display().to_string(), error };
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io(error)),
        };
        // SAFETY: `write` replaces files under this name by a rename and never
        // changes one in place, so the mapped bytes do not change as long as no
        // other program writes to the file, which no mapping can exclude. Mapping
        // instead of reading lets all processes share a gigabyte of tables that is
        // ready at once.
        let map = unsafe { Mmap::map(&file) }.map_err(io)?;
        check(&map, stall, material, len)
            .map_err(|fault| FileError::Fault { path: path.display().to_string(), fault })?;
        Ok(Some(TableFile { map }))
    }

    /// The bytes, by number of the placement.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.map[HEADER..]
    }
}

fn check(map: &[u8], stall: Stall, material: Material, len: usize) -> Result<(), String> {
    if map.len() < HEADER || &map[..8] != MAGIC {
        return Err("is not a Surakarta table".to_owned());
    }
    let word = |at: usize| u32::from_le_bytes(map[at..at + 4].try_into().expect("four bytes"));
    if word(8) != VERSION {
        return Err(format!("is of version {}, but this program reads version {VERSION}", word(8)));
    }
    let data = &map[HEADER..];
    if data.len() != len {
        return Err(format!("is damaged: it holds {} placements instead of {len}", data.len()));
    }
    if map[..HEADER] != header(stall, material, data) {
        return Err("is damaged or belongs to another rule: its checksum is wrong".to_owned());
    }
    Ok(())
}
