//! A game as a file. Contest formats plug in here: one function from a table to
//! a name and a text.

use crate::table::Table;

/// A file to be saved.
pub struct RecordFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// The record of a game, in the plain form: what was played by whom, then the
/// line that `boyi show` takes.
pub fn of(table: &Table) -> RecordFile {
    let (game, start, moves) = table.notation();
    let inner = table.lock();
    let contest = inner.settings.contest.clone().unwrap_or_default();
    let named = |i: usize, word: &str| match contest.names[i].trim() {
        "" => word.to_owned(),
        name => name.to_owned(),
    };
    let (first, second) = (named(0, "First"), named(1, "Second"));
    let result = match inner.session.outcome() {
        Some(outcome) => outcome.to_string(),
        None => "unfinished".to_owned(),
    };
    let mut text = format!("game: {game}\nfirst: {first}\nsecond: {second}\n");
    if !contest.event.trim().is_empty() {
        text += &format!("event: {}\n", contest.event.trim());
    }
    if let Some(start) = start {
        text += &format!("position: {start}\n");
    }
    text += &format!("result: {result}\nmoves: {}\n", moves.join(" "));
    // Slashes and the like have no place in a file name.
    let clean =
        |text: String| text.replace(|c: char| c.is_control() || "/\\:*?\"<>|".contains(c), "_");
    RecordFile {
        name: format!("{} {} - {}.txt", table.spec.name(), clean(first), clean(second)),
        text,
    }
}

/// A file name for a header.
pub fn percent(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
