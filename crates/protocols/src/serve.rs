//! `boyi engine`: which protocol, which game, and off it goes.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Cursor, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::time::Duration;

use games::TextError;
use search::Limits;
use session::program::{LONGEST, next_line};
use session::{EngineSpec, GameSpec, open};

use crate::course::{self, Saiblo, next_frame};
use crate::gtp::{self, Gtp};
use crate::handler::ProtocolHandler;
use crate::runner::{Log, ProtocolRunner};
use crate::sau::{Sau, SauSettings};
use crate::ugi::{Dialect, Ugi};

/// The course's judge gives 3 s of CPU time a move.
pub const COURSE_TIME: Duration = Duration::from_millis(2700);

/// A protocol that we speak as an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Game Interface.
    Ugi,
    /// UCI with the variant `cfour`.
    Uci,
    /// The contest platform.
    Sau,
    /// The Go Text Protocol.
    Gtp,
    /// The course's judge, online.
    Saiblo,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Protocol; 5] =
        [Protocol::Ugi, Protocol::Uci, Protocol::Sau, Protocol::Gtp, Protocol::Saiblo];

    fn name(self) -> &'static str {
        match self {
            Protocol::Ugi => "ugi",
            Protocol::Uci => "uci",
            Protocol::Sau => "sau",
            Protocol::Gtp => "gtp",
            Protocol::Saiblo => "saiblo",
        }
    }

    /// The game that is played where nothing names one: the course has one game,
    /// and the platform's first contest was Surakarta's.
    fn default_game(self) -> &'static str {
        match self {
            Protocol::Sau => "surakarta",
            Protocol::Ugi | Protocol::Uci | Protocol::Gtp | Protocol::Saiblo => course::GAME,
        }
    }

    /// The protocol whose conversations begin like this.
    pub fn of_first_line(line: &str) -> Option<Protocol> {
        let framed = |(digits, rest): (&str, &str)| {
            digits.bytes().all(|c| c.is_ascii_digit()) && rest.starts_with('{')
        };
        if line.split_at_checked(4).is_some_and(framed) {
            return Some(Protocol::Saiblo);
        }
        let mut words = line.split_whitespace();
        let mut word = words.next()?;
        if word.bytes().all(|c| c.is_ascii_digit()) {
            word = words.next()?; // a command of GTP may have a number
        }
        match word {
            "ugi" => Some(Protocol::Ugi),
            "uci" => Some(Protocol::Uci),
            "name?" | "new" => Some(Protocol::Sau),
            word if gtp::COMMANDS.contains(&word) && word != "quit" => Some(Protocol::Gtp),
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
    pub settings: SauSettings,
}

/// Plays for the program at the other end of the pipes, until it closes them.
///
/// An error is returned only before the first word; later no protocol has a place for it.
pub fn serve(
    service: Service,
    input: impl Read + Send + 'static,
    output: &mut impl Write,
) -> Result<(), TextError> {
    let mut input = BufReader::new(input);
    let mut read = Vec::new();
    let protocol = match service.protocol {
        Some(protocol) => protocol,
        None => match detect(&mut input, &mut read) {
            Some(protocol) => protocol,
            None => return Ok(()), // nothing that we understand, and then the end
        },
    };
    let mut input = BufReader::new(Cursor::new(read).chain(input));
    let Service { game, engine, mut settings, .. } = service;
    let game = match game.or(settings.game.clone()) {
        Some(game) => game,
        None => protocol.default_game().parse()?,
    };
    settings.engine = engine.unwrap_or(settings.engine);
    if matches!(protocol, Protocol::Sau | Protocol::Saiblo) {
        silence_panics(&settings);
    }
    let trial = || open(&game).check_engine(&settings.engine);
    let trial = catch_unwind(AssertUnwindSafe(trial))
        .unwrap_or_else(|_| Err(TextError::new("the engine panicked")));
    if let Err(error) = trial {
        match protocol {
            // A contest platform shows no errors, and any engine beats none.
            Protocol::Sau => settings.engine = SauSettings::default().engine,
            _ => return Err(error),
        }
    }
    if protocol == Protocol::Sau {
        settings.notice = open(&game).engine_summary(&settings.engine).ok();
    }
    // An error in the conversation itself means that the other side is gone.
    let frames = protocol == Protocol::Saiblo;
    let listen = move || match frames {
        true => next_frame(&mut input),
        false => next_line(&mut input).ok().flatten(),
    };
    let _ = match protocol {
        Protocol::Ugi | Protocol::Uci => {
            let dialect = match protocol {
                Protocol::Uci => Dialect::Uci,
                _ => Dialect::Ugi,
            };
            dialect.check(&game)?;
            let handler = Ugi::new(dialect, &game, settings.engine.clone(), settings.seed);
            runner(handler, &settings).run(listen, output)
        }
        Protocol::Sau => {
            let handler = Sau::new(&game, settings.clone()).ok_or_else(|| {
                TextError::new(format!("the contest platform does not have {game}"))
            })?;
            runner(handler, &settings).run(listen, output)
        }
        Protocol::Gtp => runner(Gtp::new(&game, settings.seed), &settings).run(listen, output),
        Protocol::Saiblo => {
            if game.name() != course::GAME {
                return Err(TextError::new(format!("the course does not have {}", game.name())));
            }
            let limits = Limits { time: Some(COURSE_TIME), ..Limits::default() };
            runner(Saiblo::new(limits, settings.seed), &settings).run(listen, output)
        }
    };
    Ok(())
}

fn runner<H: ProtocolHandler>(handler: H, settings: &SauSettings) -> ProtocolRunner<H> {
    ProtocolRunner::new(handler, settings.engine.clone(), settings.seed, log(settings))
}

/// Reads until the protocol is known, and keeps in `read` what the conversation
/// itself has to hear. Lines that belong to no protocol are passed over; frames
/// have no line end, so the first bytes of a line are looked at before its end.
fn detect(input: &mut impl BufRead, read: &mut Vec<u8>) -> Option<Protocol> {
    loop {
        let mut byte = [0];
        if input.read_exact(&mut byte).is_err() {
            return None;
        }
        read.push(byte[0]);
        let whole = byte[0] == b'\n';
        if whole || read.len() == 5 {
            let line = String::from_utf8_lossy(read);
            let found = Protocol::of_first_line(line.trim().trim_start_matches('\u{feff}'));
            if found == Some(Protocol::Saiblo) || (whole && found.is_some()) {
                return found;
            }
        }
        if whole {
            read.clear();
        }
        if read.len() > LONGEST {
            next_line(input).ok()?;
            read.clear();
        }
    }
}

/// The log of the settings, with what was wrong with them.
fn log(settings: &SauSettings) -> Log {
    let file = settings
        .log
        .as_ref()
        .and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok());
    let mut log = Log(file);
    for complaint in &settings.complaints {
        log.write(&format!("settings, {complaint}"));
    }
    if let Some(notice) = &settings.notice {
        log.write(notice);
    }
    log
}

/// The platform takes error output for moves: a panic's message goes to the log.
fn silence_panics(settings: &SauSettings) {
    let path = settings.log.clone();
    std::panic::set_hook(Box::new(move |panic| {
        let file = path.as_ref().and_then(|path| OpenOptions::new().append(true).open(path).ok());
        if let Some(mut file) = file {
            let _ = writeln!(file, "{panic}");
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Option<(Protocol, Vec<u8>)> {
        let mut read = Vec::new();
        detect(&mut BufReader::new(bytes), &mut read).map(|protocol| (protocol, read))
    }

    #[test]
    fn the_first_line_tells_the_protocol() {
        for (line, protocol) in [
            ("ugi\n", Protocol::Ugi),
            ("uci\r\n", Protocol::Uci),
            ("name?\n", Protocol::Sau),
            ("new black\n", Protocol::Sau),
            ("clear_board\n", Protocol::Gtp),
            ("name\n", Protocol::Gtp),
            ("1 protocol_version\n", Protocol::Gtp),
            ("1234 name\n", Protocol::Gtp),
        ] {
            assert_eq!(found(line.as_bytes()), Some((protocol, line.as_bytes().to_vec())));
            let noisy = format!("\n\u{fffd}hello\nquit\n{line}");
            assert_eq!(found(noisy.as_bytes()), Some((protocol, line.as_bytes().to_vec())));
        }
        let frame = b"0025{\"type\"";
        assert_eq!(found(frame), Some((Protocol::Saiblo, b"0025{".to_vec())));
        assert_eq!(found(b"hello"), None);
        let mut long = vec![b'y'; 3 * LONGEST];
        long.extend_from_slice(b"\nugi\n");
        assert_eq!(found(&long), Some((Protocol::Ugi, b"ugi\n".to_vec())));
    }

    #[test]
    fn every_protocol_has_a_name() {
        for protocol in Protocol::ALL {
            assert_eq!(protocol.to_string().parse(), Ok(protocol));
        }
        let error = "xboard".parse::<Protocol>().unwrap_err().to_string();
        assert!(error.contains("the protocols are ugi, uci, sau, gtp, saiblo"), "{error}");
    }
}
