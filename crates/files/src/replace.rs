//! Files that are replaced in one step.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::sidecar;

/// The extension of a file that is being written.
const PART: &str = "part";

/// Writes the parts beside the file, syncs, then renames. If that fails, the file
/// is as before, and what was written is removed.
pub fn write(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let part = sidecar(path, &format!(".{}.{PART}", std::process::id()));
    let written = replace(path, &part, parts);
    if written.is_err() {
        // The first error is the one worth reporting. After it a partial file would
        // only fill the disk.
        let _ = point(|| fs::remove_file(&part));
    }
    written
}

fn replace(path: &Path, part: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut file = point(|| File::create(part))?;
    for bytes in parts {
        write_all(&mut file, bytes)?;
    }
    point(|| file.sync_all())?;
    drop(file);
    point(|| fs::rename(part, path))?;
    sync_folder(path)
}

/// Makes a rename durable. Only Unix lets a folder be synced.
fn sync_folder(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        point(|| File::open(folder)?.sync_all())?;
    }
    Ok(())
}

/// Removes the partial files that a killed process left in a folder. Only a process
/// that has locked the folder may do this.
pub fn remove_partial(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == PART) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Removes the partial files that a killed process left of one file. Only a process
/// that has locked the file may do this.
pub fn remove_partial_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Ok(()) };
    for entry in fs::read_dir(folder.unwrap_or(Path::new(".")))? {
        let entry = entry?;
        let other = entry.file_name();
        let middle = other.to_str().and_then(|other| other.strip_prefix(name)?.strip_prefix('.'));
        let middle = middle.and_then(|rest| rest.strip_suffix(PART)?.strip_suffix('.'));
        if middle.is_some_and(|process| process.parse::<u32>().is_ok()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// An operation that a test may let fail.
fn point<T>(operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    #[cfg(feature = "faults")]
    crate::faults::next()?;
    operation()
}

/// Writes all bytes; a fault tears them.
fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    #[cfg(feature = "faults")]
    if let Err(fault) = crate::faults::next() {
        let _ = file.write_all(&bytes[..bytes.len() / 2]);
        return Err(fault);
    }
    file.write_all(bytes)
}

#[cfg(all(test, feature = "faults"))]
mod tests {
    use super::*;
    use crate::faults::{Fault, inject};

    #[test]
    fn only_the_partial_files_of_one_file_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["a.book", "a.book.17.part", "b.book.17.part", "a.book.x.part"];
        names.iter().for_each(|name| fs::write(folder.path().join(name), "x").unwrap());
        remove_partial_of(&folder.path().join("a.book")).unwrap();
        assert!(!folder.path().join("a.book.17.part").exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn a_file_is_old_or_new_whatever_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for fault in [Fault::DiskFull, Fault::Crash] {
            for k in 0.. {
                fs::write(&path, "old").unwrap();
                let run = inject(k, fault);
                let written = write(&path, &[b"new ", b"contents"]);
                let reached = run.end();
                let contents = fs::read_to_string(&path).unwrap();
                match written {
                    Ok(()) => assert_eq!(contents, "new contents"),
                    Err(_) => assert!(contents == "old" || contents == "new contents"),
                }
                let files = fs::read_dir(folder.path()).unwrap().count();
                match fault {
                    Fault::DiskFull => assert_eq!(files, 1, "no partial file is left"),
                    Fault::Crash => remove_partial(folder.path()).unwrap(),
                }
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
                if !reached {
                    assert!(k > 4, "{k} operations");
                    break;
                }
            }
        }
    }
}
