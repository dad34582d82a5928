//! `boyi engine`: which protocol, which game, and off it goes.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Cursor, Read, Write};
use std::str::FromStr;

use games::TextError;

use super::lines::next_line;
use super::sau::{Sau, Settings};
use super::table::{Log, Table};
use super::talk::Talk;
use super::ugi::{Dialect, Ugi};
use crate::{EngineSpec, GameSpec, open};

/// A protocol that we speak as an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Game Interface.
    Ugi,
    /// UCI with the variant `cfour`.
    Uci,
    /// The contest platform.
    Sau,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Protocol; 3] = [Protocol::Ugi, Protocol::Uci, Protocol::Sau];

    fn name(self) -> &'static str {
        match self {
            Protocol::Ugi => "ugi",
            Protocol::Uci => "uci",
            Protocol::Sau => "sau",
        }
    }

    /// The protocol whose conversations begin like this.
    pub fn of_first_line(line: &str) -> Option<Protocol> {
        match line.split_whitespace().next()? {
            "ugi" => Some(Protocol::Ugi),
            "uci" => Some(Protocol::Uci),
            "name?" | "new" => Some(Protocol::Sau),
            _ => None,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Protocol {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Protocol, TextError> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == text).ok_or_else(|| {
            let known = Protocol::ALL.map(Protocol::name).join(", ");
            TextError::new(format!("there is no protocol '{text}'; the protocols are {known}"))
        })
    }
}

/// What is known before the first line.
#[derive(Clone, Debug)]
pub struct Service {
    /// The game, if the user said so.
    pub game: Option<GameSpec>,
    /// The protocol, if the user said so.
    pub protocol: Option<Protocol>,
    /// The engine, if the user said so.
    pub engine: Option<EngineSpec>,
    /// What the program's name and the file beside it say.
    pub settings: Settings,
}

/// Plays for whoever speaks at the other end of the pipes, until they leave.
///
/// An error is told only before the first word: later there is nobody to tell.
pub fn serve(
    service: Service,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), TextError> {
    let mut input = BufReader::new(input);
    let mut heard = Vec::new();
    let protocol = match service.protocol {
        Some(protocol) => protocol,
        None => match detect(&mut input, &mut heard) {
            Some(protocol) => protocol,
            None => return Ok(()), // nothing that we understand, and then the end
        },
    };
    let mut input = BufReader::new(Cursor::new(heard).chain(input));
    let lines = move || next_line(&mut input).ok().flatten();
    let Service { game, engine, mut settings, .. } = service;
    let game = game.or(settings.game.clone()).unwrap_or_else(|| match protocol {
        Protocol::Ugi | Protocol::Uci => GameSpec::ConnectFour(Default::default()),
        Protocol::Sau => GameSpec::Surakarta(Default::default()),
    });
    settings.engine = engine.unwrap_or(settings.engine);
    if let Err(error) = open(&game).thinker(&settings.engine, settings.seed) {
        match protocol {
            // At a contest there is nobody to tell, and any engine beats none.
            Protocol::Sau => settings.engine = Settings::default().engine,
            _ => return Err(error),
        }
    }
    // Whatever breaks in the conversation itself, nobody is left to be told.
    let _ = match protocol {
        Protocol::Ugi | Protocol::Uci => {
            let dialect = match protocol {
                Protocol::Uci => Dialect::Uci,
                _ => Dialect::Ugi,
            };
            if dialect == Dialect::Uci && !matches!(game, GameSpec::ConnectFour(_)) {
                return Err(TextError::new(format!("UCI has no words for {}", game.name())));
            }
            let talk = Ugi::new(dialect, &game, settings.engine.clone(), settings.seed);
            table(talk, &settings).run(lines, output)
        }
        Protocol::Sau => {
            let talk = Sau::new(&game, settings.clone()).ok_or_else(|| {
                TextError::new(format!("the contest platform does not have {game}"))
            })?;
            silence_panics(&settings);
            table(talk, &settings).run(lines, output)
        }
    };
    Ok(())
}

fn table<T: Talk>(talk: T, settings: &Settings) -> Table<T> {
    Table::new(talk, settings.engine.clone(), settings.seed, log(settings))
}

/// Reads lines, and keeps them in `heard`, until one tells the protocol.
fn detect(input: &mut impl BufRead, heard: &mut Vec<u8>) -> Option<Protocol> {
    while let Ok(Some(line)) = next_line(input) {
        if let Some(protocol) = Protocol::of_first_line(&line) {
            heard.extend_from_slice(line.as_bytes());
            heard.push(b'\n');
            return Some(protocol);
        }
    }
    None
}

/// Writes lines to the log file, if there is one. A log that can't be written is
/// no reason to lose a game.
fn log(settings: &Settings) -> Log {
    let file = settings
        .log
        .as_ref()
        .and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok());
    match file {
        None => Box::new(|_| {}),
        Some(mut file) => Box::new(move |line| {
            let _ = writeln!(file, "{line}");
        }),
    }
}

/// The platform takes error output for moves: a panic's message goes to the log.
fn silence_panics(settings: &Settings) {
    let path = settings.log.clone();
    std::panic::set_hook(Box::new(move |panic| {
        let file = path.as_ref().and_then(|path| OpenOptions::new().append(true).open(path).ok());
        if let Some(mut file) = file {
            let _ = writeln!(file, "{panic}");
        }
    }));
}
