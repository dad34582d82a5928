//! Our own records: `key: value` lines, of which `game` comes first and `moves`
//! may be repeated. Moves may have side lines and comments ([`crate::movetext`]).

use games::{Player, TextError};
use session::{GameSpec, Session};

use crate::GameRecord;
use crate::movetext::Line;

pub fn read(text: &str, game: Option<&GameSpec>) -> Result<GameRecord, TextError> {
    let mut record: Option<GameRecord> = None;
    let mut moves = String::new();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |what: &str| TextError::new(format!("line {}: {what}", i + 1));
        let (key, value) = line.split_once(':').ok_or_else(|| wrong("there is no 'key: value'"))?;
        let (key, value) = (key.trim(), value.trim());
        if key == "game" && record.is_none() {
            let game = game.map_or_else(|| value.parse(), |game| game.read(value))?;
            record = Some(GameRecord::new(game));
            continue;
        }
        let record = record.as_mut().ok_or_else(|| wrong("the first line names the game"))?;
        let text = Some(value.to_owned()).filter(|text| !text.is_empty());
        match key {
            "start" => record.start = text,
            "first" => record.players[0] = text,
            "second" => record.players[1] = text,
            "date" => record.date = text,
            "event" => record.event = text,
            "result" => {
                record.winner = match value {
                    "first" => Some(Some(Player::First)),
                    "second" => Some(Some(Player::Second)),
                    "draw" => Some(None),
                    "unfinished" => None,
                    _ => return Err(wrong("a result is first, second, draw or unfinished")),
                }
            }
            "moves" => {
                moves.push(' ');
                moves += value;
            }
            _ => {
                return Err(wrong(
                    "known keys are game, start, first, second, date, event, result, moves",
                ));
            }
        }
    }
    let mut record = record.ok_or_else(|| TextError::new("the file is empty"))?;
    let line = Line::parse(&moves)?;
    record.moves = line.moves.into_iter().map(|word| (None, word)).collect();
    (record.notes, record.lines) = (line.notes, line.lines);
    Ok(record)
}

pub fn write(record: &GameRecord, session: &Session) -> String {
    let mut text = format!("game: {}\n", record.game);
    let mut add = |key: &str, value: Option<&str>| {
        // A line is a line, whatever a name contains.
        let value = value.map(|value| value.replace(['\n', '\r'], " "));
        if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
            text += &format!("{key}: {}\n", value.trim());
        }
    };
    add("start", record.start.as_deref());
    add("first", record.players[0].as_deref());
    add("second", record.players[1].as_deref());
    add("date", record.date.as_deref());
    add("event", record.event.as_deref());
    let winner = session.outcome().map(|outcome| outcome.winner).or(record.winner);
    add(
        "result",
        Some(match winner {
            Some(Some(Player::First)) => "first",
            Some(Some(Player::Second)) => "second",
            Some(None) => "draw",
            None => "unfinished",
        }),
    );
    let (notes, lines) = (record.notes.clone(), record.lines.clone());
    let line = Line { ply: 0, moves: session.moves(), notes, lines };
    for words in line.words().chunks(16) {
        text += &format!("moves: {}\n", words.join(" "));
    }
    text
}
