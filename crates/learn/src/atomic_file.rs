//! Files that are replaced in one step: a reader, or a process started after a
//! crash, sees the old contents or the new ones.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The extension of a file that is being written.
const PART: &str = "part";

/// Writes beside the file, syncs, then renames.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.{PART}", std::process::id()));
    let part = path.with_file_name(name);
    let written = (|| {
        let mut file = File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, path)
    })();
    if written.is_err() {
        // The first error is the one worth reporting.
        let _ = fs::remove_file(&part);
    }
    written
}

/// Removes the partial files that a killed process left in a folder.
pub(crate) fn remove_partial(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == PART) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
