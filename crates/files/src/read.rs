//! Files that a user names, read with a bound: a device never ends, and a file of
//! gigabytes is a mistake where a page is expected.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The content of a file of at most so many bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    if is_named_pipe(path) {
        // To open it would wait until another program writes to it, perhaps for ever.
        let reason = "it is a named pipe, not a file";
        return Err(Error::new(ErrorKind::InvalidInput, reason));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => {
            Err(Error::new(ErrorKind::FileTooLarge, format!("it has more than {}", size(most))))
        }
        false => Ok(bytes),
    }
}

/// Likewise of a text.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(read(path, most)?)
        .map_err(|_| Error::new(ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// The pipes of a shell's `<(command)` have no name, and never wait when opened.
#[cfg(unix)]
fn is_named_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|file| file.file_type().is_fifo())
        && path.canonicalize().is_ok()
}

#[cfg(not(unix))]
fn is_named_pipe(_: &Path) -> bool {
    false
}

fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        megabytes => format!("{megabytes} MB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_not_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [7; 10]).unwrap();
        assert_eq!(read(&path, 10).unwrap(), [7; 10]);
        assert_eq!(read(&path, 9).unwrap_err().to_string(), "it has more than 9 bytes");
        #[cfg(unix)]
        {
            let endless = read(Path::new("/dev/zero"), 1 << 20).unwrap_err();
            assert_eq!(endless.to_string(), "it has more than 1 MB");
            let pipe = folder.path().join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            let waiting = read(&pipe, 10).unwrap_err();
            assert_eq!(waiting.to_string(), "it is a named pipe, not a file");
        }
        assert_eq!(read(&folder.path().join("none"), 1).unwrap_err().kind(), ErrorKind::NotFound);
        std::fs::write(&path, b"a\xff").unwrap();
        assert_eq!(read_text(&path, 10).unwrap_err().to_string(), "it is not text in UTF-8");
    }
}
