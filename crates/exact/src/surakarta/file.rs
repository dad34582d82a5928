//! Table files: written once, atomically, and read in parts as they are probed.
//!
//! A file that is mapped into memory ends the process when another program makes
//! it shorter. So parts of it are read into memory when they are first needed, and
//! a part that is not there any more is a value that is not known.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use games::surakarta::Stall;

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

/// Bytes of a file that are read at a time.
const PART: usize = 1 << 16;

/// The values of one material, as bytes by number.
pub struct TableFile {
    /// None if all parts are in memory.
    file: Option<File>,
    len: usize,
    /// The parts that were needed so far; an empty one could not be read.
    parts: Vec<OnceLock<Box<[u8]>>>,
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

fn header(stall: Stall, material: Material, len: u64, checksum: u32) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12] = stall as u8;
    header[13] = material.mover as u8;
    header[14] = material.other as u8;
    header[16..24].copy_from_slice(&len.to_le_bytes());
    header[24..28].copy_from_slice(&checksum.to_le_bytes());
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
    files::write(&path, &[&header(stall, material, data.len() as u64, crc32fast::hash(data)), data])
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
        let fault = |fault| FileError::Fault { path: path.display().to_string(), fault };
        check(&file, stall, material, len).map_err(io)?.map_err(fault)?;
        let parts = (0..len.div_ceil(PART)).map(|_| OnceLock::new()).collect();
        Ok(Some(TableFile { file: Some(file), len, parts }))
    }

    /// A table in memory.
    pub fn of_bytes(bytes: &[u8]) -> TableFile {
        let parts = bytes.chunks(PART).map(|part| OnceLock::from(Box::from(part))).collect();
        TableFile { file: None, len: bytes.len(), parts }
    }

    /// The byte of the placement with this number; `None` if the file has lost it
    /// since it was opened.
    #[inline]
    pub fn byte(&self, number: usize) -> Option<u8> {
        let part = self.parts[number / PART].get_or_init(|| self.read_part(number / PART));
        part.get(number % PART).copied()
    }

    /// All bytes; zeros for those that the file has lost.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len);
        for index in 0..self.parts.len() {
            match (&self.file, self.parts[index].get()) {
                (None, Some(part)) => bytes.extend_from_slice(part),
                _ => bytes.extend_from_slice(&self.read_part(index)),
            }
            bytes.resize(self.len.min((index + 1) * PART), 0);
        }
        bytes
    }

    fn read_part(&self, index: usize) -> Box<[u8]> {
        let begin = index * PART;
        let mut part = vec![0; PART.min(self.len - begin)].into_boxed_slice();
        let read = |file| read_at(file, &mut part, (HEADER + begin) as u64).is_ok();
        if self.file.as_ref().is_some_and(read) { part } else { Box::default() }
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> std::io::Result<()> {
    while !bytes.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[count..];
        offset += count as u64;
    }
    Ok(())
}

/// Reads a whole file; the inner error says what is wrong with it, as the rest of a
/// sentence.
fn check(
    mut file: &File,
    stall: Stall,
    material: Material,
    len: usize,
) -> std::io::Result<Result<(), String>> {
    let mut found = Vec::new();
    file.take(HEADER as u64).read_to_end(&mut found)?;
    if found.len() < HEADER || &found[..8] != MAGIC {
        return Ok(Err("is not a Surakarta table".to_owned()));
    }
    let version = u32::from_le_bytes(found[8..12].try_into().expect("four bytes"));
    if version != VERSION {
        let fault = format!("is of version {version}, but this program reads version {VERSION}");
        return Ok(Err(fault));
    }
    let (mut checksum, mut count) = (crc32fast::Hasher::new(), 0);
    let mut part = vec![0; PART];
    loop {
        match file.read(&mut part) {
            Ok(0) => break,
            Ok(read) => {
                checksum.update(&part[..read]);
                count += read;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    if count != len {
        let fault = format!("is damaged: it holds {count} placements instead of {len}");
        return Ok(Err(fault));
    }
    if found != header(stall, material, len as u64, checksum.finalize()) {
        let fault = "is damaged or belongs to another rule: its checksum is wrong";
        return Ok(Err(fault.to_owned()));
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another program makes a table shorter, or empties it, while it is open.
    #[test]
    fn a_table_that_is_truncated_while_open_has_unknown_values() {
        let folder = tempfile::tempdir().unwrap();
        let material = Material { mover: 2, other: 1 };
        let data: Vec<u8> = (0..3 * PART + 100).map(|i| (i % 251) as u8).collect();
        write(folder.path(), Stall::Count, material, &data).unwrap();
        let open = || TableFile::open(folder.path(), Stall::Count, material, data.len());
        let table = open().unwrap().unwrap();
        assert_eq!(table.to_vec(), data);
        assert_eq!(table.byte(PART + 7), Some(data[PART + 7]));
        let file = File::options().write(true).open(path(folder.path(), Stall::Count, material));
        file.unwrap().set_len((HEADER + 2 * PART + 50) as u64).unwrap();
        assert_eq!(table.byte(PART + 8), Some(data[PART + 8]), "what was read is kept");
        assert_eq!(table.byte(5), Some(data[5]), "what is left can be read");
        assert_eq!(table.byte(3 * PART + 5), None);
        assert_eq!(table.byte(2 * PART), None);
        assert_eq!(table.to_vec()[2 * PART..], vec![0; PART + 100]);
        assert!(open().is_err());
    }
}
