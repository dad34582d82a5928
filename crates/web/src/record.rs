//! A game as a file, and the other way round.
//!
//! A contest's game is written as its contest wants it, with the name that the
//! contest gives such files; any other game in the plain form. The formats
//! themselves belong to [`records`].

use games::{Outcome, Player, TextError};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use records::{FileName, Format, GameRecord, Line};
use session::{GameSpec, Session};

use crate::error::ApiError;
use crate::live_game::LiveGame;
use crate::tree::{Node, Parent, Spot, Tree};

/// A file to be saved.
pub struct RecordFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// The record of a game. `date` is the reader's local time, if event.
pub fn of(game: &LiveGame, date: Option<String>) -> Result<RecordFile, ApiError> {
    let state = game.lock();
    let contest = state.settings.contest.as_ref();
    let said = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let mut record = GameRecord::of_session(&state.session);
    let played = record.moves.len();
    record.notes =
        state.tree.notes().range(..=played).map(|(&at, note)| (at, note.clone())).collect();
    record.lines = lines_of(&state.tree, played);
    record.date = date.filter(|date| is_date(date));
    if let Some(contest) = contest {
        record.players = [said(&contest.names[0]), said(&contest.names[1])];
        record.event = said(&contest.event);
    }
    let plain = || records::write(&record, Format::Plain).map_err(ApiError::bad);
    let text = match contest {
        // Not every format has words for a game that began elsewhere.
        Some(_) => {
            records::write(&record, Format::of_contest(&record.game)).or_else(|_| plain())?
        }
        None => plain()?,
    };
    let player = |i: usize, word: &str| record.players[i].clone().unwrap_or(word.to_owned());
    let name = match contest {
        Some(contest) => {
            let players = [player(0, "甲"), player(1, "乙")];
            let place = said(&contest.place).unwrap_or_else(|| game.spec.row().title.zh.to_owned());
            records::file_name(&FileName { place, players, winner: record.winner }, "txt")
        }
        None => format!("{}.txt", game.spec.name()),
    };
    Ok(RecordFile { name, text })
}

/// A result as records write it; `*` while a game goes on.
pub fn result_text(outcome: Option<Outcome>) -> &'static str {
    match outcome.map(|outcome| outcome.winner) {
        None => "*",
        Some(None) => "1/2-1/2",
        Some(Some(Player::First)) => "1-0",
        Some(Some(Player::Second)) => "0-1",
    }
}

/// Digits and what stands between them: nothing that could end a line.
fn is_date(text: &str) -> bool {
    text.len() <= 19 && text.bytes().all(|c| c.is_ascii_digit() || b"-: ".contains(&c))
}

/// A record from outside, with its moves in short form.
pub fn read(text: &str, game: Option<&GameSpec>) -> Result<GameRecord, TextError> {
    let mut record = records::read(text, None, game)?;
    let session = record.replay(None).map_err(|error| TextError::new(error.to_string()))?;
    record.moves = session.moves().into_iter().map(|mv| (None, mv)).collect();
    Ok(record)
}

/// The record of moves with side lines, as they stand in a link.
pub fn of_moves(
    game: &GameSpec,
    start: Option<String>,
    text: &str,
) -> Result<GameRecord, TextError> {
    let Line { moves, notes, lines, .. } = Line::parse(text)?;
    let moves = moves.into_iter().map(|mv| (None, mv)).collect();
    let mut record = GameRecord { start, moves, notes, lines, ..GameRecord::new(game.clone()) };
    let session = record.replay(None).map_err(|error| TextError::new(error.to_string()))?;
    record.moves = session.moves().into_iter().map(|mv| (None, mv)).collect();
    Ok(record)
}

/// The tree of a game from the side lines and comments of its record, which is
/// legal.
pub fn tree_of(record: &GameRecord) -> Result<Tree, TextError> {
    let moves: Vec<String> = record.moves.iter().map(|(_, mv)| mv.clone()).collect();
    let mut tree = Tree::default();
    for (&ply, note) in &record.notes {
        if ply <= moves.len() {
            annotate(&mut tree, ply.into(), note)?;
        }
    }
    let path: Vec<Parent> = (0..=moves.len()).map(Parent::Ply).collect();
    let mut session = session::open(&record.game);
    for line in &record.lines {
        add_line(record, &mut session, &mut tree, (&moves, &path), line)?;
    }
    Ok(tree)
}

/// Adds a side line of a line with these moves and positions.
fn add_line(
    record: &GameRecord,
    session: &mut Session,
    tree: &mut Tree,
    (moves, path): (&[String], &[Parent]),
    line: &Line,
) -> Result<(), TextError> {
    let mut path = path[..=line.ply].to_vec();
    let words: Vec<&str> =
        moves[..line.ply].iter().chain(&line.moves).map(String::as_str).collect();
    session.set(record.start.as_deref(), &words)?;
    // In short form, whatever form the record has.
    let moves = session.moves();
    for (n, mv) in moves[line.ply..].iter().enumerate() {
        let parent = path[line.ply + n];
        let own = record.moves.get(line.ply + n).map(|(_, mv)| mv);
        let next = match parent {
            Parent::Ply(ply) if own == Some(mv) => Parent::Ply(ply + 1),
            _ if !tree.has_room(1) => return Err(TextError::new("it has too many side moves")),
            _ => {
                Parent::Node(tree.child(parent, mv).unwrap_or_else(|| tree.add(parent, mv.clone())))
            }
        };
        path.push(next);
    }
    for (&ply, note) in &line.notes {
        let spot = match path.get(ply) {
            Some(&Parent::Node(node)) => Spot { ply, node: Some(node) },
            Some(&Parent::Ply(ply)) => Spot::from(ply),
            None => continue,
        };
        annotate(tree, spot, note)?;
    }
    let on = (&moves[..], &path[..]);
    line.lines.iter().try_for_each(|inner| add_line(record, session, tree, on, inner))
}

fn annotate(tree: &mut Tree, spot: Spot, note: &str) -> Result<(), TextError> {
    if !tree.has_room_for_note(note.len()) {
        return Err(TextError::new("its comments are too long"));
    }
    tree.set_note(spot, note.to_owned());
    Ok(())
}

/// The side lines of a tree that leave a position after so many moves, but for the
/// first if a line goes on with that.
fn lines_from(tree: &Tree, parent: Parent, ply: usize, skipped: usize) -> Vec<Line> {
    let begin = tree.children(parent).skip(skipped);
    begin.map(|first| line_of(tree, first, ply)).collect()
}

fn line_of(tree: &Tree, first: &Node, ply: usize) -> Line {
    let mut line = Line { ply, ..Line::default() };
    let rest = tree.continuation(first.id);
    for (n, node) in std::iter::once(first).chain(rest).enumerate() {
        line.moves.push(node.mv.clone());
        if !node.note.is_empty() {
            line.notes.insert(ply + n + 1, node.note.clone());
        }
        line.lines.extend(lines_from(tree, Parent::Node(node.id), ply + n + 1, 1));
    }
    line
}

/// The side lines of a game of so many plies.
pub fn lines_of(tree: &Tree, plies: usize) -> Vec<Line> {
    (0..=plies).flat_map(|ply| lines_from(tree, Parent::Ply(ply), ply, 0)).collect()
}

/// A file name escaped for a header (RFC 5987).
pub fn percent(name: &str) -> String {
    const RESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');
    utf8_percent_encode(name, &RESERVED).to_string()
}

/// Whether a name from outside can stand in a record.
pub fn is_name(text: &str) -> bool {
    text.chars().count() <= 100 && !text.contains(records::is_invisible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_dates_stay_in_their_line() {
        assert!(is_date("2026-11-16 09:30:00") && is_date(""));
        assert!(!is_date("2026\n#") && !is_date(&"1".repeat(20)));
        assert!(is_name("沈阳航空航天大学") && !is_name("a\nb") && !is_name(&"x".repeat(101)));
        assert_eq!(percent("A6：甲.txt"), "A6%EF%BC%9A%E7%94%B2.txt");
    }

    #[test]
    fn side_lines_go_through_a_tree_and_back() {
        let moves = "4 {centre} 4 (3 3 (2 {or so} 2) 1) (5) 3 * (6 6)";
        let text = format!("game: connect-four\nresult: unfinished\nmoves: {moves}\n");
        let record = read(&text, None).unwrap();
        let tree = tree_of(&record).unwrap();
        assert!(tree.is_sound(3) && tree.nodes().len() == 8, "{tree:?}");
        assert_eq!(lines_of(&tree, 3), record.lines);
        let notes: Vec<_> = tree.notes().clone().into_iter().collect();
        assert_eq!(notes, [(1, "centre".to_owned())]);
        // The same move twice is one line.
        let double = read("game: connect-four\nmoves: 4 4 (3 3) (3 2) (4 4)\n", None).unwrap();
        let tree = tree_of(&double).unwrap();
        assert_eq!(tree.nodes().len(), 4, "{tree:?}");
        assert!(read("game: connect-four\nmoves: 4 4 (3 9)\n", None).is_err());
    }

    #[test]
    fn a_contest_record_is_read_back() {
        let GameRecord { game, start, moves, .. } = read("B2C-3C\nR5D-4D\n", None).unwrap();
        assert_eq!((game.name(), start), ("surakarta", None));
        assert_eq!(moves, ["c5-c4", "d2-d3"].map(|mv| (None, mv.to_owned())));
        assert!(read("B2C-6F\n", None).is_err());
    }
}
