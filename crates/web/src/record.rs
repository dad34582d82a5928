//! A game as a file, and the other way round.
//!
//! A contest's game is written as its contest wants it, with the name that the
//! contest gives such files; any other game in the plain form. The formats
//! themselves belong to [`records`].

use games::TextError;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use records::{FileName, Format, GameRecord};
use session::GameSpec;

use crate::error::ApiError;
use crate::live_game::LiveGame;

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

/// Digits and what stands between them: nothing that could end a line.
fn is_date(text: &str) -> bool {
    text.len() <= 19 && text.bytes().all(|c| c.is_ascii_digit() || b"-: ".contains(&c))
}

/// A record from outside: the game, where it began, and its moves.
pub fn read(
    text: &str,
    game: Option<&GameSpec>,
) -> Result<(GameSpec, Option<String>, Vec<String>), TextError> {
    let record = records::read(text, None, game)?;
    let session = record.replay(None).map_err(|error| TextError::new(error.to_string()))?;
    Ok((record.game, record.start, session.moves()))
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
    fn a_contest_record_is_read_back() {
        let (game, start, moves) = read("B2C-3C\nR5D-4D\n", None).unwrap();
        assert_eq!((game.name(), start), ("surakarta", None));
        assert_eq!(moves, ["c5-c4", "d2-d3"]);
        assert!(read("B2C-6F\n", None).is_err());
    }
}
