//! Column strings of Connect Four, as the published test sets write them; what
//! follows the string on its line is not looked at.

use games::TextError;
use session::{GameSpec, Session, open};

use crate::{Format, GameRecord, game_of, unfit};

/// The game that is written so.
const GAME: &str = "connect-four";

pub fn looks_like(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    word.bytes().all(|c| c.is_ascii_digit() || b"abcABC,".contains(&c))
}

pub fn read(text: &str, game: Option<&GameSpec>) -> Result<GameRecord, TextError> {
    let mut record = GameRecord::new(game_of(game, GAME)?);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let word = line.split_whitespace().next().unwrap_or_default();
    let texts: Vec<String> = match word.contains(',') {
        true => word.split(',').filter(|text| !text.is_empty()).map(str::to_owned).collect(),
        false => word.chars().map(String::from).collect(),
    };
    // Letters stand for the columns after 9, however they were written.
    let mut session = open(&record.game);
    for text in texts {
        let played = session.play(&format!("{text},")).is_ok();
        let last = session.moves().pop().filter(|_| played);
        record.moves.push((None, last.unwrap_or(text)));
    }
    Ok(record)
}

pub fn write(record: &GameRecord, session: &Session) -> Result<String, TextError> {
    match (record.game.name(), &record.start) {
        (GAME, None) => Ok(session.moves().concat() + "\n"),
        _ => Err(unfit(Format::Columns, &record.game)),
    }
}
