//! Lines out of any stream of bytes.
//!
//! The other side may send bytes that are no text, lines without an end
//! and lines of many megabytes. A line comes out as text in any case: bytes that
//! are no UTF-8 become marks, a missing end is forgiven at the end of the stream,
//! and a line that is too long is cut to its beginning with a mark behind it, so
//! that it can't be taken for a whole one. Memory is bounded.

use std::io::{BufRead, ErrorKind, Result};

/// The longest line that is taken whole, in bytes. The longest game here takes
/// some thousands.
pub const LONGEST: usize = 1 << 20;

/// What is left of a line that is too long.
const KEPT: usize = 80;

/// The next line without its end; `None` at the end of the stream.
pub fn next_line(input: &mut impl BufRead) -> Result<Option<String>> {
    let mut line = Vec::new();
    let mut length = 0;
    let mut any = false;
    loop {
        let piece = match input.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if piece.is_empty() {
            break;
        }
        any = true;
        let end = piece.iter().position(|&byte| byte == b'\n');
        let part = &piece[..end.unwrap_or(piece.len())];
        length += part.len();
        if length <= LONGEST {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if !any {
        return Ok(None);
    }
    let cut = length > LONGEST;
    line.truncate(if cut { KEPT } else { length });
    let text = String::from_utf8_lossy(&line);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0' || c == '\u{feff}');
    Ok(Some(if cut { format!("{text}…") } else { text.to_owned() }))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(bytes: &[u8], buffer: usize) -> Vec<String> {
        let mut input = BufReader::with_capacity(buffer, bytes);
        std::iter::from_fn(|| next_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn whatever_the_bytes_are_lines_come_out() {
        for buffer in [1, 3, 4096] {
            assert_eq!(lines(b"a b\r\n\n c", buffer), ["a b", "", "c"]);
            assert_eq!(lines(b"\xef\xbb\xbfugi\n\xff\xfe\n", buffer), ["ugi", "\u{fffd}\u{fffd}"]);
            assert!(lines(b"", buffer).is_empty());
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_marked() {
        let mut bytes = vec![b'x'; 10 << 20];
        bytes.extend_from_slice(b"\nquit\n");
        let lines = lines(&bytes, 8192);
        assert_eq!(lines[0], format!("{}…", "x".repeat(KEPT)));
        assert_eq!(lines[1], "quit");
    }
}
