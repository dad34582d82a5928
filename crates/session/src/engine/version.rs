//! What tells apart engines that play differently under the same spec.
//!
//! A match in a store is known by its configuration, so that it can be resumed.
//! An engine that was edited in between must not show the old results as its own:
//! our engines carry the bench signature, which changes with what they play, and
//! files that a spec names, an outside program's above all, their checksums.

use std::path::{Path, PathBuf};

use super::net::has_network;
use super::options::{Options, ProgramProtocol};
use super::spec::EngineSpec;
use crate::program::{Dialect, command_words, gtp_name, id_name};

/// What `boyi bench` prints for this program; a test compares the two.
pub const BENCH_SIGNATURE: &str = include_str!("../../data/bench-signature.txt");

/// The most bytes of a file whose checksum is taken; larger ones are known by
/// their length.
const LARGEST: u64 = 1 << 30;

/// The version of the engine that a spec names, to be stored beside the spec. An
/// outside program is started, to ask for its name, and ended; not a contest engine.
///
/// ```
/// use session::engine::version;
///
/// let spec = "uct c=0.5".parse()?;
/// let signature = version(&spec);
/// assert_eq!(signature, version(&"random".parse()?), "all of ours change together");
/// assert!(signature.starts_with(env!("CARGO_PKG_VERSION")));
/// # Ok::<(), games::TextError>(())
/// ```
pub fn version(spec: &EngineSpec) -> String {
    if let Options::Program(program) = spec.options() {
        let words = command_words(&program.command).unwrap_or_default();
        // A script is named after its interpreter: every argument that is a file
        // counts.
        let mut parts: Vec<String> =
            words.iter().filter_map(|word| checksum(&find_program(word)?)).collect();
        parts.extend(match program.protocol {
            ProgramProtocol::Ugi => id_name(Dialect::Ugi, &program.command),
            ProgramProtocol::Uci => id_name(Dialect::Uci, &program.command),
            ProgramProtocol::Gtp => gtp_name(&program.command),
            ProgramProtocol::Sau => None,
        });
        return parts.join(" ");
    }
    let signature = BENCH_SIGNATURE.trim().trim_start_matches("signature ");
    let mut version = format!("{} {signature}", env!("CARGO_PKG_VERSION"));
    for name in ["net", "book"] {
        let given = spec.is_given(name).then(|| spec.text(name));
        let file = given.filter(|text| !has_network(text)).map(Path::new);
        if let Some(sum) = file.and_then(checksum) {
            version += &format!(" {name} {sum}");
        }
    }
    version
}

/// The file that a word of a command line names, by itself or in `PATH`.
fn find_program(word: &str) -> Option<PathBuf> {
    let path = Path::new(word);
    if path.is_file() {
        return Some(path.to_owned());
    }
    if path.components().count() > 1 {
        return None;
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(word)).find(|path| path.is_file())
}

/// A file's checksum and length; none if it can't be read.
fn checksum(path: &Path) -> Option<String> {
    let length = std::fs::metadata(path).ok().filter(|data| data.is_file())?.len();
    let sum = match files::read(path, LARGEST) {
        Ok(bytes) => crc32fast::hash(&bytes),
        Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => 0,
        Err(_) => return None,
    };
    Some(format!("{sum:08x}-{length}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_file_is_another_version() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("engine.sh");
        let spec: EngineSpec =
            format!("program protocol=sau command=\"sh {}\"", file.display()).parse().unwrap();
        std::fs::write(&file, "exit 1").unwrap();
        let before = version(&spec);
        assert_eq!(before, version(&spec));
        std::fs::write(&file, "exit 2").unwrap();
        assert_ne!(before, version(&spec));
        let net: EngineSpec = format!("puct net=\"{}\"", file.display()).parse().unwrap();
        assert_ne!(version(&net), version(&"puct".parse().unwrap()));
        let shipped = version(&"puct net=surakarta".parse().unwrap());
        assert_eq!(shipped, version(&"puct".parse().unwrap()));
    }
}
