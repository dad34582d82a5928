//! The contest platform's save file: a line a turn, `Black: ABBC` for Surakarta,
//! `White: 2 AAABAB` for Dots and Boxes. Black moved first.

use games::{Player, TextError};
use session::platform::{PlatformBoard, PlatformForm, Received};
use session::{GameSpec, ROWS, Session};

use crate::{Format, GameRecord, unfit};

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
    let game = match game {
        Some(game) => game.clone(),
        None => {
            let turns: Vec<&str> = lines().filter_map(|(_, line)| Some(split(line)?.1)).collect();
            game_of_turns(&turns)?
        }
    };
    let form = game.row().platform.filter(|form| (form.has)(&game));
    let form = form.ok_or_else(|| unfit(Format::Platform, &game))?;
    let mut board = PlatformBoard::new(&game);
    let mut record = GameRecord::new(game);
    for (i, line) in lines() {
        let wrong = || {
            let (line, shape) = (line.trim(), form.example);
            TextError::new(format!("line {}: '{line}' is not such as Black: {shape}", i + 1))
        };
        let (player, turn) = split(line).ok_or_else(wrong)?;
        let written = (form.read_turn)(&record.game, turn).ok_or_else(wrong)?;
        // The moves of a legal turn may stand in any order; another turn stays as
        // it is, and replaying says what is wrong with it.
        let ordered = board.as_mut().and_then(|board| play(board, turn, player));
        if ordered.is_none() {
            board = None;
        }
        let moves = ordered.unwrap_or(written);
        record.moves.extend(moves.into_iter().map(|mv| (Some(player), mv)));
    }
    Ok(record)
}

/// The game in which some of these turns can be read; the first that the
/// platform has where there is none.
fn game_of_turns(turns: &[&str]) -> Result<GameSpec, TextError> {
    let games = ROWS.iter().filter_map(|row| Some((row.platform?, GameSpec::new(row, "").ok()?)));
    let games: Vec<_> = games.collect();
    let fits = |(form, game): &&(PlatformForm, GameSpec)| {
        turns.iter().any(|turn| (form.read_turn)(game, turn).is_some())
    };
    let found = games.iter().find(fits).or(games.first());
    let none = || TextError::new("the platform has none of the games");
    found.map(|(_, game)| game.clone()).ok_or_else(none)
}

/// Plays a turn that is legal, and gives its moves in the order played.
fn play(board: &mut PlatformBoard, turn: &str, player: Player) -> Option<Vec<String>> {
    let before = board.session().moves();
    let played = board.receive(turn, player) == Received::Played;
    let after = board.session().moves();
    (played && after.starts_with(&before)).then(|| after[before.len()..].to_vec())
}

pub fn write(record: &GameRecord, session: &Session) -> Result<String, TextError> {
    let (Some(mut board), None) = (PlatformBoard::new(&record.game), &record.start) else {
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
            text += &format!("{colour}: {}\n", board.write_turn(&turn));
            turn.clear();
        }
    }
    Ok(text)
}
