//! What can be played and by whom: all that the page knows of games before one is
//! open, out of the games' rows ([`GameRow`]).
//!
//! ```json
//! {
//!   "games": [{
//!     "name": "surakarta",
//!     "title": { "en": "Surakarta", "zh": "苏拉卡尔塔棋" },
//!     "tagline": { "en": "Step anywhere, ...", "zh": "..." },
//!     "sides": [{ "en": "Black", "zh": "黑方" }, { "en": "White", "zh": "白方" }],
//!     "setup": "rules",
//!     "choices": ["", "quiet=80 stall=draw"],
//!     "setups": ["surakarta", "surakarta quiet=80 stall=draw"],
//!     "help": ["quiet=100  plies without a capture that end the game (0: never)"],
//!     "contest": true,
//!     "networks": ["surakarta"],
//!     "first_on_top": true,
//!     "flip": "turn",
//!     "overlays": [{ "name": "chains", "title": { "en": "Chains", "zh": "链" } }]
//!   }],
//!   "engines": [{ "name": "best", "help": "...", "games": ["surakarta"] }],
//!   "levels": 10,
//!   "reasons": { "time": { "en": "time", "zh": "超时" } },
//!   "threads": 2
//! }
//! ```
//!
//! Games stand in the order in which they are offered. A game's `name` is the
//! first word of its specs and the name of the script that draws its board.
//! `setup` is what a setup changes, `rules` or `board`; `choices` are setups to
//! offer, the default first, and an empty one is the standard game; `setups` are
//! whole specs by example, and `help` says what their words mean. `contest` says
//! whether its contests have a record format of their own; `networks` are those that
//! come with the program for its standard setup, by the names of `net=`. `flip` is what
//! flipping a board does, `turn` or `mirror`. `overlays` are marks that analysis
//! can switch on. An engine whose `games` are empty plays every game. `reasons`
//! are the ends of games (`outcome.reason`) in words.

use games::Reason;
use serde_json::{Map, Value, json};
use session::engine::{FAMILIES, Family, Kind, Preset};
use session::row::Words;
use session::{GameRow, ROWS};

/// The catalogue of a server whose searches may use so many threads.
pub fn json(threads: u64) -> Value {
    let reasons: Map<String, Value> =
        Reason::ALL.iter().map(|reason| (reason.to_string(), json!(words(*reason)))).collect();
    let starts_programs = |family: &&Family| family.has("command");
    let engines: Vec<Value> =
        FAMILIES.iter().filter(|family| !starts_programs(family)).map(engine).collect();
    json!({
        "games": ROWS.iter().map(|row| game(row)).collect::<Vec<_>>(),
        "engines": engines,
        "levels": levels(),
        "reasons": reasons,
        "threads": threads,
    })
}

fn game(row: &GameRow) -> Value {
    json!({
        "name": row.name, "title": row.title, "tagline": row.tagline, "sides": row.sides,
        "setup": row.setup, "choices": row.choices, "setups": row.setups, "help": row.setup_help,
        "contest": row.contest_record.is_some(),
        "networks": row.networks.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        "first_on_top": row.first_on_top, "flip": row.flip, "overlays": row.overlays,
    })
}

fn engine(family: &Family) -> Value {
    let games: Vec<&str> = match family.preset {
        Preset::None => Vec::new(),
        _ => {
            ROWS.iter().filter(|row| family.preset_in(row).is_some()).map(|row| row.name).collect()
        }
    };
    json!({ "name": family.name, "help": family.help, "games": games })
}

/// The strongest level.
fn levels() -> u64 {
    let level = FAMILIES.iter().find(|family| family.name == "level");
    match level.and_then(|level| level.parameters.first()).map(|parameter| parameter.kind) {
        Some(Kind::Whole(_, most, _)) => most,
        _ => 1,
    }
}

fn words(reason: Reason) -> Words {
    match reason {
        Reason::WipedOut => Words::new("no pieces left", "吃光"),
        Reason::NoMove => Words::new("no legal move", "无子可动"),
        Reason::QuietPlies => Words::new("counted after quiet moves", "长期不吃子，数子"),
        Reason::Repetition => Words::new("repetition", "局面重复"),
        Reason::Standoff => Words::new("nobody can capture", "双方都不能吃子"),
        Reason::MoveCap => Words::new("move limit", "步数上限"),
        Reason::FourInARow => Words::new("four in a row", "四子连线"),
        Reason::BoardFull => Words::new("the board is full", "棋盘已满"),
        Reason::BoxesCounted => Words::new("boxes counted", "数格"),
        Reason::Resigned => Words::new("resignation", "认输"),
        Reason::Time => Words::new("time", "超时"),
        Reason::IllegalMove => Words::new("illegal move", "违规着法"),
        Reason::Crashed => Words::new("crash", "程序崩溃"),
        Reason::Adjudicated => Words::new("adjudicated", "裁定"),
        Reason::Forfeit => Words::new("forfeit", "弃权"),
        Reason::Agreed => Words::new("agreed", "双方同意"),
    }
}

#[cfg(test)]
mod tests {
    use session::GameSpec;

    use super::*;

    #[test]
    fn every_setup_that_is_offered_is_one() {
        let catalogue = json(2);
        for game in catalogue["games"].as_array().unwrap() {
            let name = game["name"].as_str().unwrap();
            let choices: Vec<&str> = game["choices"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one.as_str().unwrap())
                .collect();
            let first: GameSpec = format!("{name} {}", choices[0]).parse().unwrap();
            assert!(first.is_default(), "{first}");
            for choice in choices {
                format!("{name} {choice}").parse::<GameSpec>().unwrap();
            }
            for key in ["title", "tagline"] {
                assert!(["en", "zh"].iter().all(|language| game[key][language] != ""), "{name}");
            }
        }
        assert_eq!(catalogue["levels"], 10);
        let best =
            catalogue["engines"].as_array().unwrap().iter().find(|one| one["name"] == "best");
        assert_eq!(best.unwrap()["games"].as_array().unwrap().len(), ROWS.len());
    }
}
