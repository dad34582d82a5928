//! The settings of a contest engine: a text file beside the program.
//!
//! The platform starts a program without arguments and tells it neither the game
//! nor the time. So both are written in a file with the program's name,
//! `surakarta.txt` beside `surakarta.exe`, or in `boyi.txt`. Without a file the
//! game comes from the program's name and everything else has a default.

use std::path::{Path, PathBuf};
use std::time::Duration;

use games::TextError;
use session::{EngineSpec, GameRow, GameSpec, ROWS};

/// What a contest engine knows before the first word.
#[derive(Clone, Debug, PartialEq)]
pub struct SauSettings {
    /// The game, if the file or the program's name tells.
    pub game: Option<GameSpec>,
    /// Who plays.
    pub engine: EngineSpec,
    /// What we answer to `name?`.
    pub name: String,
    /// Our time for a whole game; none means that only the other limits count.
    pub total: Option<Duration>,
    /// What is kept back of the whole time, for the platform's and the machine's
    /// delays.
    pub reserve: Duration,
    /// The most time for one think.
    pub most: Option<Duration>,
    /// Simulations of each think.
    pub sims: Option<u64>,
    /// Positions of each think.
    pub nodes: Option<u64>,
    /// Decides the engine's random choices.
    pub seed: u64,
    /// Where the conversation is written down, if anywhere.
    pub log: Option<PathBuf>,
    /// What could not be understood, a sentence each; goes to the log.
    pub complaints: Vec<String>,
    /// What the engine plays with on this machine; goes to the log.
    pub notice: Option<String>,
}

impl Default for SauSettings {
    fn default() -> SauSettings {
        SauSettings {
            game: None,
            engine: "best threads=auto".parse().expect("there is such an engine"),
            name: "Boyi".to_owned(),
            total: Some(Duration::from_secs(600)),
            reserve: Duration::from_secs(20),
            most: Some(Duration::from_secs(30)),
            sims: None,
            nodes: None,
            seed: 0,
            log: None,
            complaints: Vec::new(),
            notice: None,
        }
    }
}

impl SauSettings {
    /// The file that `boyi export sau` writes for a game.
    pub fn template(game: &GameSpec) -> String {
        format!(
            "# Settings of the contest engine; a line is 'key = value'.\n\
             # 设置文件：每行一个“键 = 值”。\n\
             game = {game}\n\
             # 'boyi engines' lists the engines. 引擎列表见 boyi engines。\n\
             engine = best threads=auto\n\
             name = Boyi\n\
             # Our seconds for a whole game, of which 'reserve' are kept back.\n\
             # 每局总用时（秒），其中 reserve 秒作为预留。\n\
             seconds = 600\n\
             reserve = 20\n\
             # The most seconds for one think. 每次思考的上限（秒）。\n\
             most = 30\n\
             # What the engine plays with, and the conversation, are written here.\n\
             # 引擎的配置（核数、残局库、开局库、网络）和通信记录写入此文件。\n\
             log = {}.log\n",
            game.name()
        )
    }

    /// Reads a settings file. What can't be understood is left at its default and
    /// reported in the second part, a sentence each.
    pub fn parse(text: &str) -> (SauSettings, Vec<String>) {
        let mut settings = SauSettings::default();
        let mut complaints = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim().trim_start_matches('\u{feff}');
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let result = match line.split_once('=') {
                Some((key, value)) => settings.set(key.trim(), value.trim()),
                None => Err(TextError::new("a line is 'key = value'")),
            };
            if let Err(error) = result {
                complaints.push(error.within(format_args!("line {}", i + 1)).to_string());
            }
        }
        (settings, complaints)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), TextError> {
        let seconds = || -> Result<Option<Duration>, TextError> {
            match value {
                "off" => Ok(None),
                _ => match value.parse::<f64>() {
                    Ok(seconds) if (0.0..=1e6).contains(&seconds) => {
                        Ok(Some(Duration::from_secs_f64(seconds)))
                    }
                    _ => Err(TextError::new(format!("'{value}' is no number of seconds"))),
                },
            }
        };
        let number = || -> Result<Option<u64>, TextError> {
            match value {
                "off" => Ok(None),
                _ => value
                    .parse()
                    .map(Some)
                    .map_err(|_| TextError::new(format!("'{value}' is no whole number"))),
            }
        };
        match key {
            "game" => self.game = Some(value.parse()?),
            "engine" => self.engine = value.parse()?,
            "name" => self.name = value.to_owned(),
            "seconds" => self.total = seconds()?,
            "reserve" => self.reserve = seconds()?.unwrap_or_default(),
            "most" => self.most = seconds()?,
            "sims" => self.sims = number()?,
            "nodes" => self.nodes = number()?,
            "seed" => self.seed = number()?.unwrap_or_default(),
            "log" => self.log = Some(PathBuf::from(value)),
            _ => {
                return Err(TextError::new(format!(
                    "'{key}' is unknown; known are game, engine, name, seconds, reserve, most, \
                     sims, nodes, seed, log"
                )));
            }
        }
        Ok(())
    }

    /// The settings of the program at this path: from the file beside it, with
    /// the game from its name if the file does not tell. What could not be
    /// understood is written to the log, which there is in that case whether or not
    /// the file names one: a contest is no place to play with half the settings
    /// and not know.
    pub fn beside(program: &Path) -> SauSettings {
        let folder = program.parent().unwrap_or(Path::new(""));
        let stem = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let read = |name: &str| std::fs::read(folder.join(name)).ok();
        let text = read(&format!("{stem}.txt")).or_else(|| read("boyi.txt")).unwrap_or_default();
        let (mut settings, complaints) = SauSettings::parse(&String::from_utf8_lossy(&text));
        settings.game = settings.game.or_else(|| game_by_name(&stem));
        if !complaints.is_empty() {
            settings.log.get_or_insert_with(|| format!("{stem}.log").into());
        }
        // The platform may start us in any folder.
        settings.log = settings.log.map(|log| folder.join(log));
        settings.complaints = complaints;
        settings
    }
}

/// The game that a program's name tells: `surakarta`, `my-dots-and-boxes-2`.
pub fn game_by_name(stem: &str) -> Option<GameSpec> {
    let stem = stem.to_lowercase().replace(['_', ' '], "-");
    let is_named = |row: &&&GameRow| row.program_names.iter().any(|name| stem.contains(name));
    let row = ROWS.iter().find(is_named)?;
    GameSpec::new(row, "").ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_understood_and_says_the_defaults() {
        let game: GameSpec = "dots-and-boxes".parse().unwrap();
        let (settings, complaints) = SauSettings::parse(&SauSettings::template(&game));
        assert!(complaints.is_empty(), "{complaints:?}");
        let log = Some("dots-and-boxes.log".into());
        assert_eq!(settings, SauSettings { game: Some(game), log, ..SauSettings::default() });
    }

    #[test]
    fn mistakes_are_told_and_the_rest_is_taken() {
        let (settings, complaints) = SauSettings::parse(
            "\u{feff}seconds = 10\nengine = deep-blue\nmost = off\nblah\nx = 1\nsims=5\nreserve = -1",
        );
        assert_eq!(settings.total, Some(Duration::from_secs(10)));
        assert_eq!((settings.most, settings.sims), (None, Some(5)));
        assert_eq!(complaints.len(), 4, "{complaints:?}");
        assert!(complaints[0].starts_with("line 2: there is no engine 'deep-blue'"));
    }

    #[test]
    fn names_tell_games() {
        for (name, game) in [
            ("Surakarta", Some("surakarta")),
            ("dots_and_boxes-v2", Some("dots-and-boxes")),
            ("点格棋", Some("dots-and-boxes")),
            ("boyi", None),
        ] {
            let found = game_by_name(name);
            assert_eq!(found.as_ref().map(GameSpec::name), game);
        }
    }
}
