//! What was agreed about a game: who sits where, with how much time, and what
//! is shown. It is data; nothing here plays.

use games::Player;
use serde::{Deserialize, Serialize};
use session::engine::{has_network, resolve};
use session::{EngineSpec, GameSpec};

use crate::error::ApiError;

/// Who sits at one side: a person, or an engine by its spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// A person at the page.
    Human,
    /// An engine.
    Engine(String),
}

/// A contest: two laptops, and people who carry moves between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contest {
    /// Which side is ours: 0 for First, 1 for Second.
    pub ours: usize,
    /// The names of First and Second for the record.
    pub names: [String; 2],
    /// What contest it is, for the record.
    pub event: String,
    /// The table or round, for the record's file name.
    pub place: String,
    /// Whether our engine thinks on the opponent's time.
    pub ponder: bool,
}

/// The analysis that a page shows beside the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Study {
    /// Whether it runs.
    pub on: bool,
    /// Who analyses.
    pub engine: String,
}

impl Default for Study {
    fn default() -> Study {
        Study { on: false, engine: "best".to_owned() }
    }
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// First's seat and Second's.
    pub seats: [Seat; 2],
    /// How long an engine thinks about a move without clocks, in seconds.
    pub move_seconds: f64,
    /// Of a contest game.
    pub contest: Option<Contest>,
    /// Analysis.
    #[serde(default)]
    pub study: Study,
    /// Who First and Second were in a game that was played elsewhere.
    #[serde(default)]
    pub names: Option<[String; 2]>,
    /// Whether a game without clocks was stopped for a while; clocks have their own.
    #[serde(default)]
    pub paused: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seats: [Seat::Human, Seat::Human],
            move_seconds: 1.0,
            contest: None,
            study: Study::default(),
            names: None,
            paused: false,
        }
    }
}

impl Settings {
    /// The spec of the engine that moves for a player, if one does.
    pub fn engine(&self, player: Player) -> Option<&str> {
        match &self.seats[player as usize] {
            Seat::Human => None,
            Seat::Engine(spec) => Some(spec),
        }
    }

    /// Whether a person moves for this player.
    pub fn is_human(&self, player: Player) -> bool {
        self.engine(player).is_none()
    }
}

/// What one engine may take of this machine.
#[derive(Clone, Copy, Debug)]
pub struct EngineLimits {
    /// Threads of one search.
    pub threads: u64,
    /// Megabytes of one engine.
    pub memory: u64,
}

impl EngineLimits {
    /// As [`EngineLimits::engine`], for analysis: the search alone, without what is
    /// played by heart, and an obvious move is analysed too.
    pub fn analyst(&self, game: &GameSpec, text: &str) -> Result<EngineSpec, ApiError> {
        let given = self.engine(text)?;
        let mut spec = resolve(&given, game.row()).map_err(ApiError::bad)?;
        // Without a solver beside it, the search has all the memory.
        let names = [given.family().memory(), spec.family().memory()];
        if let [Some(whole), Some(own)] = names {
            spec.set(own, given.text(whole)).map_err(ApiError::bad)?;
        }
        if spec.family().has("tactics") && !spec.is_given("tactics") {
            spec.set("tactics", "off").map_err(ApiError::bad)?;
        }
        Ok(spec)
    }

    /// As [`EngineLimits::analyst`], with a value for every move: also where the
    /// search otherwise has one for the best only, or leaves moves out that are
    /// certainly no better.
    pub fn analyst_of_all_moves(
        &self,
        game: &GameSpec,
        text: &str,
    ) -> Result<EngineSpec, ApiError> {
        let mut spec = self.analyst(game, text)?;
        if spec.family().has("multipv") && !spec.is_given("multipv") {
            spec.set("multipv", "128").map_err(ApiError::bad)?;
        }
        if spec.family().has("narrow") && !spec.is_given("narrow") {
            spec.set("narrow", "off").map_err(ApiError::bad)?;
        }
        Ok(spec)
    }

    /// The engine that a spec from outside names, within these engine_limits. It may
    /// not start programs or open files.
    pub fn engine(&self, text: &str) -> Result<EngineSpec, ApiError> {
        if text.len() > 300 {
            return Err(ApiError::bad("an engine's name has at most 300 characters"));
        }
        let spec: EngineSpec = text.parse().map_err(ApiError::bad)?;
        let has = |name: &str| spec.family().has(name);
        let opens = (has("book") && !["auto", "off"].contains(&spec.text("book")))
            || (has("net") && !has_network(spec.text("net")))
            || (has("eval") && spec.text("eval").ends_with(".nnue"));
        if has("command") || opens || text.contains(['/', '\\']) {
            return Err(ApiError::bad("an engine in the page can't start programs or open files"));
        }
        self.within(spec)
    }

    /// As [`EngineLimits::engine`], for a player of a game; and the threads that it may
    /// have where slots are free, unless the spec has a number of its own.
    pub fn player(&self, text: &str) -> Result<(EngineSpec, Option<usize>), ApiError> {
        let mut spec = self.engine(text)?;
        let given: EngineSpec = text.parse().map_err(ApiError::bad)?;
        let free = given.family().name == "best"
            && (!given.is_given("threads") || given.text("threads") == "auto");
        if free {
            spec.set("threads", &self.threads.to_string()).map_err(ApiError::bad)?;
        }
        Ok((spec, free.then_some(self.threads as usize)))
    }

    /// The spec with as much as these limits allow; refused if it asks for more.
    fn within(&self, mut spec: EngineSpec) -> Result<EngineSpec, ApiError> {
        let memory = match spec.family().name {
            // An engine below its full strength needs no more.
            "level" => self.memory.min(64),
            _ => self.memory,
        };
        let threads = spec.family().has("threads").then_some("threads");
        let limits = [(threads, self.threads), (spec.family().memory(), memory)];
        for (name, most) in limits {
            let Some(name) = name else { continue };
            if spec.text(name).parse().is_ok_and(|value: u64| value <= most) {
                continue;
            }
            if spec.is_given(name) && spec.text(name) != "auto" {
                return Err(ApiError::bad(format!("{name} is at most {most} on this server")));
            }
            spec.set(name, &most.to_string()).map_err(ApiError::bad)?;
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_stays_within_its_limits() {
        let limits = EngineLimits { threads: 2, memory: 64 };
        let game: GameSpec = "connect-four".parse().unwrap();
        for text in ["best", "level n=3", "uct", "paper-004"] {
            assert_eq!(limits.engine(text).unwrap().value::<u64>("memory"), 64, "{text}");
            assert_eq!(limits.analyst(&game, text).unwrap().value::<u64>("memory"), 64, "{text}");
        }
        for (text, threads, free) in [
            ("best", 2, Some(2)),
            ("best threads=auto", 2, Some(2)),
            ("best threads=1", 1, None),
            ("uct", 1, None),
        ] {
            let (spec, most) = limits.player(text).unwrap();
            assert_eq!((spec.value::<u64>("threads"), most), (threads, free), "{text}");
        }
        assert_eq!(limits.engine("alpha-beta table=8").unwrap().value::<u64>("table"), 8);
        for bad in [
            "uct threads=64",
            "uct memory=9999",
            "uct eval=/etc/passwd",
            "best book=notes",
            "puct net=weights",
            "program command=ls",
            "deep",
            "",
        ] {
            assert!(limits.engine(bad).is_err(), "{bad}");
        }
        assert!(limits.engine(&"x".repeat(1000)).is_err());
    }
}
