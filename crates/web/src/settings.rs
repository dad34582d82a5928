//! What was agreed about a game: who sits where, with how much time, and what
//! is shown. It is data; nothing here plays.

use games::Player;
use serde::{Deserialize, Serialize};
use session::{EngineSpec, GameSpec};

use crate::refusal::Refusal;

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
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seats: [Seat::Human, Seat::Human],
            move_seconds: 1.0,
            contest: None,
            study: Study::default(),
            names: None,
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

/// What engines may take of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Threads of one search.
    pub threads: u64,
    /// Megabytes of one search.
    pub memory: u64,
}

impl Means {
    /// As [`Means::engine`], for analysis: an obvious move is analysed too.
    pub fn analyst(&self, game: &GameSpec, text: &str) -> Result<EngineSpec, Refusal> {
        let mut spec = self.engine(game, text)?;
        let tactical = spec.family().parameters.iter().any(|parameter| parameter.name == "tactics");
        if tactical && !text.contains("tactics=") {
            spec.set("tactics", "off").map_err(Refusal::bad)?;
        }
        Ok(spec)
    }

    /// The engine that a spec from outside names, within these means. It may
    /// not start programs or open files.
    pub fn engine(&self, game: &GameSpec, text: &str) -> Result<EngineSpec, Refusal> {
        if text.len() > 300 {
            return Err(Refusal::bad("an engine's name has at most 300 characters"));
        }
        let mut spec: EngineSpec = text.parse().map_err(Refusal::bad)?;
        let family = spec.family();
        let starts = |name: &str| family.parameters.iter().any(|parameter| parameter.name == name);
        if starts("command") || text.contains(['/', '\\']) {
            return Err(Refusal::bad("an engine in the page can't start programs or open files"));
        }
        if let Some((_, plain)) = family.stands_for.iter().find(|(name, _)| *name == game.name()) {
            let plain: EngineSpec = plain.parse().map_err(Refusal::bad)?;
            spec = plain.with(&spec).map_err(Refusal::bad)?;
        }
        for (name, most) in
            [("threads", self.threads), ("memory", self.memory), ("table", self.memory)]
        {
            if !spec.family().parameters.iter().any(|parameter| parameter.name == name)
                || spec.value::<u64>(name) <= most
            {
                continue;
            }
            if spec.is_given(name) {
                return Err(Refusal::bad(format!("{name} is at most {most} on this server")));
            }
            spec.set(name, &most.to_string()).map_err(Refusal::bad)?;
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_stays_within_its_means() {
        let means = Means { threads: 2, memory: 64 };
        let game: GameSpec = "connect-four".parse().unwrap();
        let best = means.engine(&game, "best").unwrap();
        assert_eq!(best.value::<u64>("memory"), 64);
        assert!(means.engine(&game, "level n=3").is_ok());
        for bad in [
            "uct threads=64",
            "uct memory=9999",
            "uct eval=/etc/passwd",
            "program command=ls",
            "deep",
            "",
        ] {
            assert!(means.engine(&game, bad).is_err(), "{bad}");
        }
        assert!(means.engine(&game, &"x".repeat(1000)).is_err());
    }
}
