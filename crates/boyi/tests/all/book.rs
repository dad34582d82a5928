//! `boyi book`: built, deepened, checked and asked.

use std::process::Output;

use tempfile::TempDir;

use crate::laboratory::boyi;

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_book_is_built_deepened_checked_and_asked() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let build = |plies: &str| {
        boyi(folder, &["book", "build", "connect-four 5x4", "--plies", plies, "--out", "a.book"])
    };
    let check = |again: &str| {
        let words = ["book", "check", "connect-four 5x4", "--file", "a.book", "--again", again];
        boyi(folder, &words)
    };
    assert!(build("2").status.success());
    let deeper = build("4");
    assert!(deeper.status.success(), "{}", said(&deeper));
    assert!(said(&deeper).contains("continuing with"), "{}", said(&deeper));
    // Every entry is found again, mirrored positions and equally good moves too.
    let checked = check("1000");
    assert!(checked.status.success(), "{}", said(&checked));
    assert!(said(&checked).contains("the repertoire is complete"), "{}", said(&checked));
    let text = std::fs::read_to_string(folder.join("a.book")).unwrap();
    let entries = text.lines().find_map(|line| line.strip_prefix("entries ")).unwrap();
    assert!(said(&checked).contains(&format!("and {entries} were found again")));

    let shallower = build("3");
    assert!(!shallower.status.success());
    assert!(said(&shallower).contains("is a book of 4 plies"), "{}", said(&shallower));
    assert_eq!(std::fs::read_to_string(folder.join("a.book")).unwrap(), text);

    let probed = boyi(folder, &["book", "probe", "connect-four 5x4", "--file", "a.book"]);
    assert!(probed.status.success() && !probed.stdout.is_empty(), "{}", said(&probed));

    // One letter is enough to be refused, and the file is left alone.
    let damaged = text.replacen("solver", "soiver", 1);
    std::fs::write(folder.join("a.book"), &damaged).unwrap();
    assert!(!check("0").status.success());
    assert!(!build("4").status.success());
    assert_eq!(std::fs::read_to_string(folder.join("a.book")).unwrap(), damaged);
}

/// A book whose seal is right and whose content is not.
#[test]
fn a_wrong_entry_is_found_out() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    let words = ["book", "build", "connect-four 4x4", "--plies", "2", "--out", "a.book"];
    assert!(boyi(folder, &words).status.success());
    let text = std::fs::read_to_string(folder.join("a.book")).unwrap();
    let (body, _) = text.rsplit_once("checksum").expect("the last line seals the file");
    let mut lines: Vec<String> = body.lines().map(String::from).collect();
    let drawn = lines.iter_mut().find(|line| line.contains("draw")).expect("4x4 is a draw");
    *drawn = drawn.replace("draw", "win");
    let sealed = session::book::file::seal(lines.join("\n") + "\n");
    std::fs::write(folder.join("a.book"), sealed).unwrap();
    let words = ["book", "check", "connect-four 4x4", "--file", "a.book", "--again", "1000"];
    let checked = boyi(folder, &words);
    assert!(!checked.status.success(), "{}", said(&checked));
    assert!(said(&checked).contains("the book is wrong"), "{}", said(&checked));
}
