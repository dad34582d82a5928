//! Dots and Boxes contests: one JSON object with the names, the scores and an
//! entry for each edge, `{"piece": "r(a1,h)"}`, with the colour that drew it.
//! Either colour may have moved first.

use games::dots_and_boxes::{DotsAndBoxes, Edge};
use games::{Player, Text, TextError};
use serde_json::{Value, json};
use session::{GameSpec, Session};

use crate::{Format, GameRecord, game_of, unfit};

/// The colour and the edge's contest name out of `r(a1,h)`.
fn read_piece(text: &str) -> Option<(char, String)> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.to_lowercase().replace('，', ",").replace('（', "(").replace('）', ")");
    let (colour, rest) = text.split_once('(')?;
    let (dot, kind) = rest.strip_suffix(')')?.split_once(',')?;
    let colour = match colour {
        "r" => 'r',
        "b" => 'b',
        _ => return None,
    };
    matches!(kind, "h" | "v").then(|| (colour, format!("{dot}{kind}")))
}

pub fn read(text: &str, game: Option<&GameSpec>) -> Result<GameRecord, TextError> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| TextError::new(format!("no JSON: {error}")))?;
    // Some files have the object in a list.
    let value = match &value {
        Value::Array(items) => items.first().unwrap_or(&Value::Null),
        value => value,
    };
    let mut record = GameRecord::new(game_of(game, DotsAndBoxes::NAME)?);
    let setup = record.game.setup::<DotsAndBoxes>();
    let setup = setup.ok_or_else(|| unfit(Format::Json, &record.game))?;
    let entries = value
        .get("game")
        .and_then(Value::as_array)
        .ok_or_else(|| TextError::new("there is no list \"game\""))?;
    let mut first = None;
    for (i, entry) in entries.iter().enumerate() {
        let text = entry.get("piece").unwrap_or(entry).as_str().unwrap_or_default();
        let place = |what: &str| TextError::new(format!("entry {}: '{text}' {what}", i + 1));
        let (colour, name) = read_piece(text).ok_or_else(|| place("is not such as r(a1,h)"))?;
        let edge = setup.edge_by_name(&name).ok_or_else(|| place("is no edge of this board"))?;
        let first = *first.get_or_insert(colour);
        let player = if colour == first { Player::First } else { Player::Second };
        record.moves.push((Some(player), edge.to_string()));
    }
    let text = |name: &str| {
        let text = value.get(name).and_then(Value::as_str).map(str::to_owned);
        text.filter(|text| !text.is_empty())
    };
    let first_is_red = first != Some('b');
    let (one, two) = if first_is_red { ("R", "B") } else { ("B", "R") };
    record.players = [text(one), text(two)];
    record.winner = match value.get("winner").and_then(Value::as_str) {
        Some(winner) if winner.eq_ignore_ascii_case(one) => Some(Some(Player::First)),
        Some(winner) if winner.eq_ignore_ascii_case(two) => Some(Some(Player::Second)),
        _ => None, // "U" is unfinished
    };
    (record.date, record.event) = (text("Date"), text("Event"));
    Ok(record)
}

/// Red is First.
pub fn write(record: &GameRecord, session: &Session) -> Result<String, TextError> {
    let (Some(setup), None) = (record.game.setup::<DotsAndBoxes>(), &record.start) else {
        return Err(unfit(Format::Json, &record.game));
    };
    let mut board = session::open(&record.game);
    let mut scores = [0; 2];
    let mut entries = Vec::new();
    for mv in session.moves() {
        let (player, lead) = (board.to_move(), board.lead());
        board.play(&mv)?;
        scores[player as usize] += (board.lead() - lead).unsigned_abs();
        let edge = mv.parse().map(Edge).ok();
        let name = edge.and_then(|edge| setup.edge_name(edge)).unwrap_or_default();
        let (dot, kind) = name.split_at(name.len().saturating_sub(1));
        let colour = ['r', 'b'][player as usize];
        entries.push(json!({ "piece": format!("{colour}({dot},{kind})") }));
    }
    let winner = match board.outcome().map(|outcome| outcome.winner).or(record.winner) {
        Some(Some(Player::First)) => "R",
        Some(Some(Player::Second)) => "B",
        _ => "U",
    };
    let name = |i: usize| record.players[i].as_deref().unwrap_or_default();
    let text = serde_json::to_string(&json!({
        "R": name(0),
        "B": name(1),
        "winner": winner,
        "RScore": scores[0],
        "BScore": scores[1],
        "Date": record.date.as_deref().unwrap_or_default(),
        "Event": record.event.as_deref().unwrap_or_default(),
        "game": entries,
    }));
    Ok(text.expect("plain values") + "\n")
}
