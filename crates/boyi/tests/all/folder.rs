//! A folder that goes away with its test.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The folder; no other test, nor another run of this one, has it.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty one.
    pub fn new(name: &str) -> Folder {
        let folder = Folder::absent(name);
        std::fs::create_dir_all(&folder.0).unwrap();
        folder
    }

    /// One that does not exist yet.
    pub fn absent(name: &str) -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(format!("boyi-{name}-{process}-{count}"));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }

    /// Its path as an argument.
    pub fn text(&self) -> &str {
        self.0.to_str().expect("a plain name")
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
