//! GTP, the Go Text Protocol, as OpenSpiel's client bot speaks it.
//!
//! OpenSpiel has names of its own for the moves of some games and takes the
//! answer to `genmove` for one of these; so that is what we say
//! ([`GtpForm`]). Our own short forms are understood too. First is `b`, `black`, `x` or
//! `1`; Second is `w`, `white`, `o` or `2`. Commands wait for the search that is
//! under way, as GTP has it.

use std::time::Duration;

use games::{Player, TextError};
use search::{Clock, Limits, SearchInfo};
use session::row::GtpForm;
use session::{GameSpec, Session, open};

use crate::{Action, ProtocolHandler, SearchRequest};

/// Time for a move when no time was set.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Every command that we know.
pub(super) const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
];

/// The engine's side of the conversation.
pub struct Gtp {
    session: Session,
    seed: u64,
    games: u64,
    /// The number of the command that the search under way answers.
    number: String,
    /// Time for a move.
    time: Option<Duration>,
    /// Time for the rest of the game.
    left: [Option<Duration>; 2],
}

impl Gtp {
    /// Speaks for an engine at a game.
    pub fn new(game: &GameSpec, seed: u64) -> Gtp {
        let number = String::new();
        Gtp { session: open(game), seed, games: 0, number, time: None, left: [None; 2] }
    }

    fn on_command(&mut self, command: &str, words: &[&str]) -> Result<Answer, TextError> {
        let say = |text: &str| Ok(Answer::Say(text.to_owned()));
        match command {
            "protocol_version" => say("2"),
            "name" => say("Boyi"),
            "version" => say(env!("CARGO_PKG_VERSION")),
            "known_command" => say(match words.first() {
                Some(word) if COMMANDS.contains(word) => "true",
                _ => "false",
            }),
            "list_commands" => say(&COMMANDS.join("\n")),
            "quit" => Ok(Answer::Quit),
            "komi" => say(""),
            "boardsize" => self.resize(words).map(|()| Answer::NewGame),
            "clear_board" => {
                self.session.set(None, &[])?;
                self.left = [None; 2];
                Ok(Answer::NewGame)
            }
            "play" => {
                let [colour, mv] = words else {
                    return Err(TextError::new("play needs a colour and a move"));
                };
                self.check_turn(colour)?;
                let mv = (self.session.spec().row().gtp.read_move)(mv);
                let mut moves = self.session.moves();
                moves.push(mv);
                self.set_moves(&moves)?;
                say("")
            }
            "genmove" => {
                let [colour] = words else { return Err(TextError::new("genmove needs a colour")) };
                self.check_turn(colour)?;
                if let Some(outcome) = self.session.outcome() {
                    return Err(TextError::new(format!("the game is over: {outcome}")));
                }
                Ok(Answer::Think)
            }
            "undo" if self.session.undo() => say(""),
            "undo" => Err(TextError::new("cannot undo")),
            "showboard" => say(&format!("\n{}", self.session.draw().trim_end())),
            "time_settings" => self.set_time(words).map(|()| Answer::Say(String::new())),
            "time_left" => {
                let [colour, seconds, ..] = words else {
                    return Err(TextError::new("time_left needs a colour and seconds"));
                };
                self.left[player(colour)? as usize] = Some(read_seconds(seconds)?);
                say("")
            }
            _ => Err(TextError::new("unknown command")),
        }
    }

    fn set_moves(&mut self, moves: &[String]) -> Result<(), TextError> {
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        self.session.set(None, &moves)
    }

    fn check_turn(&self, colour: &str) -> Result<(), TextError> {
        match player(colour)? == self.session.to_move() {
            true => Ok(()),
            false => Err(TextError::new(format!("it is not {colour}'s turn"))),
        }
    }

    /// GTP has one number for a board.
    fn resize(&mut self, words: &[&str]) -> Result<(), TextError> {
        let size = words.first().and_then(|word| word.parse().ok());
        let size: u8 = size.ok_or_else(GtpForm::unacceptable)?;
        let game = self.session.spec();
        let game = (game.row().gtp.resize)(game, size)?;
        self.session = open(&game);
        Ok(())
    }

    /// Main time, time after it, and the moves to be made in that.
    fn set_time(&mut self, words: &[&str]) -> Result<(), TextError> {
        let [main, after, stones] = words else {
            return Err(TextError::new("time_settings needs three numbers"));
        };
        let (main, after) = (read_seconds(main)?, read_seconds(after)?);
        let stones: u32 =
            stones.parse().map_err(|_| TextError::new("the number of moves is a whole number"))?;
        self.left = [(!main.is_zero()).then_some(main); 2];
        self.time = match (main.is_zero(), stones) {
            (true, 1..) => Some(after / stones),
            _ => None,
        };
        Ok(())
    }

    fn limits(&self) -> Limits {
        let clock = match self.left {
            [None, None] => None,
            [one, other] => Some(Clock {
                left: [one.or(other), other.or(one)].map(Option::unwrap_or_default),
                increment: [Duration::ZERO; 2],
            }),
        };
        let time = match clock {
            None => Some(self.time.unwrap_or(DEFAULT_TIME)),
            Some(_) => self.time,
        };
        Limits { time, clock, ..Limits::default() }
    }
}

enum Answer {
    Say(String),
    NewGame,
    Think,
    Quit,
}

fn player(colour: &str) -> Result<Player, TextError> {
    match colour.to_lowercase().as_str() {
        "b" | "black" | "x" | "1" => Ok(Player::First),
        "w" | "white" | "o" | "2" => Ok(Player::Second),
        _ => Err(TextError::new("invalid color")),
    }
}

fn read_seconds(word: &str) -> Result<Duration, TextError> {
    match word.parse::<f64>() {
        Ok(seconds) if (0.0..1e7).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(TextError::new("time is a number of seconds")),
    }
}

/// An answer ends with an empty line.
fn reply(sign: char, number: &str, text: &str) -> Action {
    Action::Send(format!("{}\n", format!("{sign}{number} {text}").trim_end()))
}

impl ProtocolHandler for Gtp {
    fn on_line(&mut self, line: &str) -> Vec<Action> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let number = match words.first() {
            Some(first) if first.len() < 10 && first.bytes().all(|c| c.is_ascii_digit()) => {
                words.remove(0).to_owned()
            }
            _ => String::new(),
        };
        let Some((command, rest)) = words.split_first() else { return Vec::new() };
        match self.on_command(command, rest) {
            Err(error) => vec![reply('?', &number, &error.to_string())],
            Ok(Answer::Say(text)) => vec![reply('=', &number, &text)],
            Ok(Answer::Quit) => vec![reply('=', &number, ""), Action::Quit],
            Ok(Answer::NewGame) => {
                self.games += 1;
                vec![
                    Action::NewGame(self.seed.wrapping_add(self.games)),
                    Action::Prepare(self.session.spec().clone()),
                    reply('=', &number, ""),
                ]
            }
            Ok(Answer::Think) => {
                self.number = number;
                vec![Action::Search(SearchRequest {
                    game: self.session.spec().clone(),
                    start: None,
                    moves: self.session.moves(),
                    limits: self.limits(),
                })]
            }
        }
    }

    fn on_result(&mut self, info: &SearchInfo<String>) -> Vec<Action> {
        let number = std::mem::take(&mut self.number);
        let Some(mv) = &info.best else { return vec![reply('?', &number, "no move")] };
        let mover = self.session.to_move();
        let mut moves = self.session.moves();
        moves.push(mv.clone());
        match self.set_moves(&moves) {
            Ok(()) => {
                let write = self.session.spec().row().gtp.write_move;
                vec![reply('=', &number, &write(mover, mv))]
            }
            Err(error) => vec![reply('?', &number, &error.to_string())],
        }
    }

    fn takes_turns(&self) -> bool {
        true
    }
}
