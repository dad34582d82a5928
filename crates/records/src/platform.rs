//! The contest platform's save file: a line a turn, `Black: ABBC` for Surakarta,
//! `White: 2 AAABAB` for Dots and Boxes. Black moved first.

use games::{Player, TextError};
use session::platform::{Board, Received, words};
use session::{GameSpec, Session};

use crate::{Format, GameRecord, game_of, unfit};

/// The player and the rest of a line.
fn split(line: &str) -> Option<(Player, &str)> {
    let (name, rest) = line.split_once([':', '：'])?;
    let player = match name.trim().to_lowercase().as_str() {
        "black" => Player::First,
        "white" => Player::Second,
        _ => return None,
    };
    Some((player, rest.trim()))
}

pub fn looks_like(line: &str) -> bool {
    split(line).is_some()
}

pub fn read(text: &str, game: Option<&GameSpec>) -> Result<GameRecord, TextError> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let dots = match game {
        Some(game) => matches!(game, GameSpec::DotsAndBoxes(_)),
        // A turn of Dots and Boxes begins with a number.
        None => lines()
            .next()
            .and_then(|(_, line)| split(line))
            .is_some_and(|(_, turn)| turn.starts_with(|c: char| c.is_ascii_digit())),
    };
    let name = if dots { "dots-and-boxes" } else { "surakarta" };
    let mut record = GameRecord::new(game_of(game, name)?);
    let mut board = Board::new(&record.game);
    for (i, line) in lines() {
        let wrong = || {
            let shape = if dots { "Black: 1 AAA" } else { "Black: ABBC" };
            TextError::new(format!("line {}: '{}' is not such as {shape}", i + 1, line.trim()))
        };
        let (player, turn) = split(line).ok_or_else(wrong)?;
        match &record.game {
            GameSpec::Surakarta(_) => {
                let mv = words::read_surakarta(turn).ok_or_else(wrong)?;
                record.moves.push((Some(player), format!("{}{}", mv.from, mv.to)));
            }
            GameSpec::DotsAndBoxes(setup) => {
                let edges = words::read_turn(setup, turn).ok_or_else(wrong)?;
                // A legal turn may stand in any order; another one stays as it is,
                // and replaying says what is wrong with it.
                let known = board.as_ref().map_or(0, |board| board.session().moves().len());
                let played = board.as_mut().map(|board| board.receive(turn, player));
                if played != Some(Received::Played) {
                    board = None;
                }
                let ordered = board.as_ref().map(|board| board.session().moves()[known..].to_vec());
                let moves =
                    ordered.unwrap_or_else(|| edges.iter().map(|edge| edge.to_string()).collect());
                record.moves.extend(moves.into_iter().map(|mv| (Some(player), mv)));
            }
            GameSpec::ConnectFour(_) => return Err(unfit(Format::Platform, &record.game)),
        }
    }
    Ok(record)
}

pub fn write(record: &GameRecord, session: &dyn Session) -> Result<String, TextError> {
    let (Some(mut board), None) = (Board::new(&record.game), &record.start) else {
        return Err(unfit(Format::Platform, &record.game));
    };
    let mut text = String::new();
    let mut turn = Vec::new();
    let moves = session.moves();
    for (i, mv) in moves.iter().enumerate() {
        let player = board.session().to_move();
        board.play(mv)?;
        turn.push(mv.clone());
        if board.session().to_move() != player || i + 1 == moves.len() {
            let colour = ["Black", "White"][player as usize];
            text += &format!("{colour}: {}\n", board.words(&turn));
            turn.clear();
        }
    }
    Ok(text)
}
