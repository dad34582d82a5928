//! Files that a user names, read with a bound: a device never ends, and a file of
//! gigabytes is a mistake where a page is expected.

use std::fs::File;
use std::io::{Read, Result};
use std::path::Path;

/// The content of a file; `None` if it has more than so many bytes.
pub fn read_limited(path: &Path, most: u64) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_not_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [7; 10]).unwrap();
        assert_eq!(read_limited(&path, 10).unwrap(), Some(vec![7; 10]));
        assert_eq!(read_limited(&path, 9).unwrap(), None);
        #[cfg(unix)]
        assert_eq!(read_limited(Path::new("/dev/zero"), 1_000).unwrap(), None);
        assert!(read_limited(&folder.path().join("none"), 1).is_err());
    }
}
