//! An outside program that speaks GTP, the Go Text Protocol, as an engine.
//!
//! GTP tells a program move by move what was played and asks for a move with
//! `genmove`; there is no way to set up a position. A command is answered by `=` or
//! `?` and text up to an empty line. The game is told from its beginning whenever it
//! does not go on from what the program knows, so that it can be started anew at any
//! time. Limits by nodes or simulations have no words in GTP: the program is given
//! time, or searches as long as it is used to.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use games::{Player, Record, TextError};
use search::{Engine, Fault, Limits, SearchControl, SearchInfo};

use super::process::{Process, ReadError};
use super::ugi::ended;
use crate::Playable;
use crate::row::GtpForm;

/// How long a program may take for an answer that needs no search.
const READY: Duration = Duration::from_secs(20);
/// How long it may take to answer after its time is up, where no referee stops it
/// before.
const GRACE: Duration = Duration::from_secs(60);
/// Time between two looks at the search's stop.
const TICK: Duration = Duration::from_millis(2);

/// A program that speaks GTP.
pub struct GtpClient {
    command: String,
    /// Where the conversation is logged.
    log: Option<PathBuf>,
    /// How long it may take for a move where the limits name no time.
    patience: Duration,
    process: Option<Process>,
    /// The moves that it knows, in short form; none if it has to be told a new game.
    known: Option<Vec<String>>,
}

/// An answer of the program: the text after `=`, or the error after `?`.
type Answer = Result<String, String>;

impl GtpClient {
    /// Starts a program and asks which protocol it speaks.
    pub fn start(
        command: &str,
        patience: Duration,
        log: Option<PathBuf>,
    ) -> Result<GtpClient, TextError> {
        let command = command.to_owned();
        let mut client = GtpClient { command, log, patience, process: None, known: None };
        client.launch()?;
        Ok(client)
    }

    fn launch(&mut self) -> Result<(), TextError> {
        self.process = Some(Process::start(&self.command, self.log.as_deref())?);
        self.known = None;
        self.ask("protocol_version").map(drop).map_err(|_| {
            self.process = None;
            TextError::new(format!("'{}' does not answer as GTP asks", self.command))
        })
    }

    /// Sends a command that needs no search and waits for the answer.
    fn ask(&mut self, command: &str) -> Result<String, Fault> {
        let begun = Instant::now();
        let answer = self.answer(command, || begun.elapsed() < READY)?;
        answer.map_err(|error| {
            let refused = format!("refused '{command}': {error}");
            Fault::Gone(refused)
        })
    }

    /// Sends a command and reads lines to the end of its answer while `go_on` says so.
    fn answer(&mut self, command: &str, mut go_on: impl FnMut() -> bool) -> Result<Answer, Fault> {
        let begun = Instant::now();
        let process = self.process.as_mut().ok_or(Fault::Gone("is not running".to_owned()))?;
        process.send(command);
        let mut answer: Option<Answer> = None;
        loop {
            let line = process.line(TICK);
            let running = go_on();
            match (line, &mut answer) {
                (Ok(line), None) if line.starts_with('=') => {
                    answer = Some(Ok(line[1..].trim().to_owned()));
                }
                (Ok(line), None) if line.starts_with('?') => {
                    answer = Some(Err(line[1..].trim().to_owned()));
                }
                // An empty line ends an answer; others may be diagnostics.
                (Ok(line), Some(_)) if line.is_empty() => {
                    return Ok(answer.expect("it has begun"));
                }
                (Ok(_), _) | (Err(ReadError::Late), _) => {}
                (Err(ReadError::Closed), _) => return Err(ended(process)),
            }
            if !running {
                let waited = begun.elapsed().as_secs_f64();
                return Err(Fault::Gone(format!("gave no answer for {waited:.1} s")));
            }
        }
    }

    /// Tells what was played since it was last told.
    fn tell(&mut self, form: &GtpForm, moves: &[(Player, String)]) -> Result<(), Fault> {
        let goes_on = self.known.as_ref().is_some_and(|known| {
            known.len() <= moves.len() && known.iter().zip(moves).all(|(a, (_, b))| a == b)
        });
        if !goes_on {
            self.ask("clear_board")?;
            self.known = Some(Vec::new());
        }
        let told = self.known.as_ref().map_or(0, Vec::len);
        for (player, mv) in &moves[told..] {
            self.ask(&format!("play {} {}", colour(*player), (form.write_move)(*player, mv)))?;
            self.known.get_or_insert_default().push(mv.clone());
        }
        Ok(())
    }

    /// Tells the time of the next move.
    fn tell_time(&mut self, limits: &Limits, mover: Player) -> Result<(), Fault> {
        if let Some(clock) = limits.clock {
            for player in Player::BOTH {
                let left = clock.of(player).0.as_secs_f64();
                self.ask(&format!("time_left {} {left:.3} 0", colour(player)))?;
            }
        } else if let Some(time) = limits.time {
            self.ask(&format!("time_settings 0 {:.3} 1", time.as_secs_f64()))?;
            self.ask(&format!("time_left {} {:.3} 1", colour(mover), time.as_secs_f64()))?;
        }
        Ok(())
    }
}

/// First is black in GTP.
fn colour(player: Player) -> &'static str {
    ["b", "w"][player as usize]
}

/// The name and the version by which a program presents itself, if it does.
pub(crate) fn gtp_name(command: &str) -> Option<String> {
    let mut client = GtpClient::start(command, READY, None).ok()?;
    let parts: Vec<String> =
        ["name", "version"].iter().filter_map(|command| client.ask(command).ok()).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

impl<G: Playable> Engine<G> for GtpClient {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        let begun = Instant::now();
        let limits = control.limits();
        let mut info = SearchInfo::default();
        let start = record.start();
        if !G::start(&start.setup()).is_ok_and(|begin| &begin == start) {
            info.fault = Some(Fault::Gone("can't begin at a position by GTP".to_owned()));
            return info;
        }
        if self.process.is_none()
            && let Err(error) = self.launch()
        {
            info.fault = Some(Fault::Gone(format!("could not be started again: {error}")));
            return info;
        }
        let form = &G::row().gtp;
        let played = record.positions().iter().zip(record.moves());
        let moves: Vec<(Player, String)> =
            played.map(|(game, &mv)| (game.to_move(), game.move_text(mv))).collect();
        let mover = record.game().to_move();
        let clock = limits.clock.map(|clock| clock.of(mover).0);
        let patience = limits.time.or(clock).map_or(self.patience, |time| time + GRACE);
        let before = self.process.as_ref().map(Process::core_wait);
        let told = self.tell(form, &moves).and_then(|()| self.tell_time(limits, mover));
        let answer = told.and_then(|()| {
            self.answer(&format!("genmove {}", colour(mover)), || {
                info.elapsed = begun.elapsed();
                control.publish(&info);
                !control.is_stopped() && begun.elapsed() < patience
            })
        });
        let after = self.process.as_ref().map(Process::core_wait);
        info.stalled = after.unwrap_or_default().saturating_sub(before.unwrap_or_default());
        let parsed = answer.and_then(|answer| {
            let word = answer.map_err(|error| Fault::illegal(&format!("? {error}"), "no move"))?;
            let mv = (form.read_move)(&word);
            let found = record.game().parse_move(&mv);
            found.map_err(|error| Fault::illegal(&word, error))
        });
        match parsed {
            Ok(mv) => {
                info.best = Some(mv);
                info.elapsed = begun.elapsed();
                self.known.get_or_insert_default().push(record.game().move_text(mv));
            }
            Err(fault) => {
                info.fault = Some(fault);
                if let Some(mut process) = self.process.take() {
                    process.kill();
                }
            }
        }
        info
    }

    fn new_game(&mut self, _seed: u64) {
        self.known = None;
    }

    fn is_anytime(&self) -> bool {
        false
    }
}
