//! An outside program that speaks UGI or UCI, as an engine.
//!
//! What is said stands in [`dialect`](super::dialect).
//!
//! The program is sent the whole game before each search, so that it can be
//! started anew at any time. If it dies, falls silent or answers with something
//! that is no legal move, the search ends without a move and with the
//! fault, and the referee decides what that means; the next game starts it
//! anew.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use games::{Record, TextError};
use search::{Engine, Fault, SearchControl, SearchInfo};

use super::dialect::{Dialect, MoveNotation, go_line, position_line, read_info};
use super::process::{Process, ReadError};
use crate::Playable;

/// How long a program may take to get ready.
const READY: Duration = Duration::from_secs(20);
/// How long it may take to answer after its time is up, where no referee stops it
/// before.
const LATE: Duration = Duration::from_secs(10);
/// How long it may take to answer after `stop`.
const STOP_GRACE: Duration = Duration::from_millis(500);
/// Time between two polls of the stop flag.
const TICK: Duration = Duration::from_millis(2);

/// A program with its options.
pub struct UgiClient {
    dialect: Dialect,
    command: String,
    /// Where the conversation is logged.
    log: Option<PathBuf>,
    /// How long it may take for a move where the limits name no time.
    patience: Duration,
    /// The game and its setup that it was last sent, if it has such an option.
    game: String,
    options: Vec<(String, String)>,
    process: Option<Process>,
    /// The names of the options that it has, in lower case.
    known: Vec<String>,
    /// Whether it is one of us, and knows what a simulation is.
    is_boyi: bool,
}

impl UgiClient {
    /// Starts a program and waits until it is ready.
    pub fn start(
        dialect: Dialect,
        command: &str,
        options: Vec<(String, String)>,
        patience: Duration,
        log: Option<PathBuf>,
    ) -> Result<UgiClient, TextError> {
        let mut client = UgiClient {
            dialect,
            command: command.to_owned(),
            log,
            patience,
            game: String::new(),
            options,
            process: None,
            known: Vec::new(),
            is_boyi: false,
        };
        client.launch()?;
        Ok(client)
    }

    fn launch(&mut self) -> Result<(), TextError> {
        let mut process = Process::start(&self.command, self.log.as_deref())?;
        let word = self.dialect.word();
        let silent = || {
            let name = word.to_uppercase();
            TextError::new(format!("'{}' does not answer as {name} asks", self.command))
        };
        let greeted_back = format!("{word}ok");
        process.send(word);
        let (mut known, mut is_boyi) = (Vec::new(), false);
        let greeted = process.until(READY, |line| {
            if let Some(name) = line.strip_prefix("option name ") {
                let name = name.split(" type ").next().unwrap_or(name);
                known.push(name.to_lowercase());
            }
            is_boyi |= line.starts_with("id name Boyi ");
            (line == greeted_back).then_some(())
        });
        greeted.ok_or_else(silent)?;
        for (name, value) in &self.options {
            process.send(&format!("setoption name {name} value {value}"));
        }
        process.send("isready");
        process.until(READY, |line| (line == "readyok").then_some(())).ok_or_else(silent)?;
        (self.known, self.is_boyi) = (known, is_boyi);
        self.game.clear();
        self.process = Some(process);
        Ok(())
    }

    fn begin(&mut self, seed: u64) -> Option<()> {
        if self.process.is_none() {
            self.launch().ok()?;
        }
        let process = self.process.as_mut()?;
        if self.known.contains(&"seed".to_owned()) {
            process.send(&format!("setoption name Seed value {seed}"));
        }
        process.send(&format!("{}newgame", self.dialect.word()));
        process.send("isready");
        process.until(READY, |line| (line == "readyok").then_some(()))
    }

    /// Kills a program that can't be relied on.
    fn give_up(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }
}

/// The name by which a program presents itself, if it has one.
pub(crate) fn id_name(dialect: Dialect, command: &str) -> Option<String> {
    let mut process = Process::start(command, None).ok()?;
    process.send(dialect.word());
    let greeted_back = format!("{}ok", dialect.word());
    let mut name = None;
    process.until(READY, |line| {
        if let Some(given) = line.strip_prefix("id name ") {
            name = Some(given.trim().to_owned());
        }
        (line == greeted_back).then_some(())
    });
    name
}

/// How a program ended that closed its output.
pub(super) fn ended(process: &mut Process) -> Fault {
    Fault::Gone(match process.ended() {
        Some(status) => format!("ended in the middle of the game: {status}"),
        None => "closed its output in the middle of the game".to_owned(),
    })
}

impl<G: Playable> Engine<G> for UgiClient {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        let begun = Instant::now();
        let limits = control.limits();
        let mut info = SearchInfo::default();
        if self.process.is_none()
            && let Err(error) = self.launch()
        {
            info.fault = Some(Fault::Gone(format!("could not be started again: {error}")));
            return info;
        }
        let process = self.process.as_mut().expect("launched");
        let waited_before = process.core_wait();
        let setup = record.start().setup();
        let notation = MoveNotation::new::<G>(self.dialect, &setup);
        let Some(position) = position_line(record, &notation) else {
            info.fault = Some(Fault::Gone("can't begin at a position by UCI".to_owned()));
            return info;
        };
        let game = format!("{} {setup}", G::NAME);
        if game != self.game {
            let mut set = |name: &str, value: &str| {
                if self.known.contains(&name.to_lowercase()) {
                    process.send(&format!("setoption name {name} value {value}"));
                }
            };
            set("Game", &game);
            if let MoveNotation::Variant(variant, _) = &notation {
                set("UCI_Variant", variant.name);
            }
        }
        self.game = game;
        // What it wrote before it is ready again belongs to no search of ours.
        process.send("isready");
        let mut ready = false;
        let clock = limits.clock.map(|clock| clock.of(record.game().to_move()).0);
        // Without any limit it searches until it is stopped.
        let free = (!limits.is_unlimited()).then_some(self.patience);
        let mut until = limits.time.or(clock).map(|time| time + LATE).or(free);
        let mut stopping = false;
        let (answer, fault) = loop {
            let line = process.line(TICK);
            info.elapsed = begun.elapsed();
            match line {
                Ok(line) if ready && line.starts_with("info ") => {
                    read_info(record.game(), &notation, &line, &mut info);
                }
                Ok(line) if !ready => {
                    if line.starts_with("bestmove") {
                        break (None, Some(Fault::illegal(&line, "a second answer to one 'go'")));
                    }
                    if line == "readyok" {
                        ready = true;
                        process.send(&position);
                        process.send(&go_line(self.dialect, limits, self.is_boyi));
                    }
                }
                Ok(line) => {
                    if let Some(rest) = line.strip_prefix("bestmove") {
                        let word = rest.split_whitespace().next().unwrap_or_default();
                        match notation.read(word).and_then(|word| record.game().parse_move(&word)) {
                            Ok(mv) => break (Some(mv), None),
                            Err(error) => break (None, Some(Fault::illegal(&line, error))),
                        }
                    }
                }
                Err(ReadError::Late) => {}
                Err(ReadError::Closed) => break (None, Some(ended(process))),
            }
            control.publish(&info);
            if !stopping && control.is_stopped() {
                stopping = true;
                process.send("stop");
                until = Some(begun.elapsed() + STOP_GRACE);
            }
            if until.is_some_and(|until| begun.elapsed() > until) {
                let waited = begun.elapsed().as_secs_f64();
                break (None, Some(Fault::Gone(format!("gave no answer for {waited:.1} s"))));
            }
        };
        (info.best, info.fault) = (answer, fault);
        info.stalled = process.core_wait().saturating_sub(waited_before);
        if answer.is_none() {
            self.give_up();
        }
        info
    }

    fn new_game(&mut self, seed: u64) {
        if self.begin(seed).is_none() {
            self.give_up();
        }
    }

    fn is_anytime(&self) -> bool {
        false
    }
}
