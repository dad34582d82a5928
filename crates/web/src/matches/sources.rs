//! Which files of the folder are stores and reports, and their ids.

use std::collections::hash_map::DefaultHasher;
use std::fs::DirEntry;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// What a file is taken for, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A store of matches: `*.sqlite`.
    Store,
    /// A report: `report.json`, beside `report.html`.
    Report,
}

/// A file that can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// By which visitors name it.
    pub id: String,
    /// Its name in the folder, for people.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
    /// When it last changed, in milliseconds since 1970.
    pub changed: u64,
}

/// The most entries of folders that are looked at; a folder with more is not one
/// of matches.
const MOST_ENTRIES: usize = 4000;
/// The most sources that are shown.
const MOST_SOURCES: usize = 100;

/// The stores and reports in a folder and in the folders in it, the last changed
/// first. Links are not followed.
pub fn scan(folder: &Path) -> Vec<Source> {
    let mut left = MOST_ENTRIES;
    let mut found = Vec::new();
    for entry in entries(folder, &mut left) {
        let Ok(kind) = entry.file_type() else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        if kind.is_file() {
            found.extend(source(&entry, name));
        } else if kind.is_dir() && !name.starts_with('.') {
            for inner in entries(&entry.path(), &mut left) {
                if inner.file_type().is_ok_and(|kind| kind.is_file()) {
                    let whole = format!("{name}/{}", inner.file_name().to_string_lossy());
                    found.extend(source(&inner, whole));
                }
            }
        }
    }
    found.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.name.cmp(&b.name)));
    found.truncate(MOST_SOURCES);
    found
}

fn entries(folder: &Path, left: &mut usize) -> Vec<DirEntry> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let found: Vec<DirEntry> = read.take(*left).collect();
    *left -= found.len();
    found
}

fn source(entry: &DirEntry, name: String) -> Option<Source> {
    let path = entry.path();
    let kind = match path.file_name()?.to_str()? {
        "report.json" => Kind::Report,
        other if other.ends_with(".sqlite") => Kind::Store,
        _ => return None,
    };
    // What a run writes is in the log before it is in the store.
    let log = path.with_extension("sqlite-wal");
    let changed = [&path, &log].into_iter().filter_map(|path| milliseconds(path)).max()?;
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    Some(Source { id: format!("{:016x}", hasher.finish()), name, path, kind, changed })
}

fn milliseconds(path: &Path) -> Option<u64> {
    let time = std::fs::metadata(path).ok()?.modified().ok()?;
    Some(time.duration_since(UNIX_EPOCH).ok()?.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_here_and_is_named_so_is_shown() {
        let temp = tempfile::TempDir::new().unwrap();
        let folder = temp.path();
        for name in ["a.sqlite", "b.txt", "in/report.json", "in/deep/c.sqlite", ".hidden/d.sqlite"]
        {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc/passwd", folder.join("e.sqlite")).unwrap();
            std::os::unix::fs::symlink(".hidden", folder.join("f")).unwrap();
        }
        let mut names: Vec<String> = scan(folder).into_iter().map(|one| one.name).collect();
        names.sort();
        assert_eq!(names, ["a.sqlite", "in/report.json"]);
        assert!(scan(&folder.join("nowhere")).is_empty());
    }
}
