//! A contest program as an engine: we are the platform.
//!
//! The platform's protocol has no way to set up a position or to make an
//! engine's own moves, so a game must begin at the setup's start and the program
//! must have made all its moves itself. Otherwise, or if the program dies, falls
//! silent or sends no legal turn, the search ends without a move and with
//! the fault. A program that sends an illegal turn is sent `error` twice before
//! that.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use games::{Player, Record, TextError};
use search::{Engine, Fault, SearchControl, SearchInfo};

use super::process::{Process, ReadError};
use super::ugi::ended;
use crate::platform::{PlatformBoard, Received};
use crate::{GameSpec, Playable};

/// How long a program may take to tell its name.
const READY: Duration = Duration::from_secs(20);
/// What a program may take beyond its time: it does not know of it.
const GRACE: Duration = Duration::from_secs(2);
/// Time between two looks at the search's stop.
const TICK: Duration = Duration::from_millis(2);
/// How many illegal turns are answered with `error`.
const ERRORS: u32 = 2;

/// A contest program.
pub struct SauClient {
    command: String,
    /// Where the conversation is logged.
    log: Option<PathBuf>,
    /// How long it may take for a turn where the limits name no time.
    patience: Duration,
    /// The game that is played, known from the first thought on.
    game: Option<GameSpec>,
    process: Option<Process>,
    /// The side that it plays in the game under way.
    side: Option<Player>,
    /// The moves of the game that it knows, its own included.
    known: Vec<String>,
    /// The rest of its turn, in short form.
    rest: VecDeque<String>,
}

impl SauClient {
    /// Starts a program and waits for its name.
    pub fn start(
        command: &str,
        patience: Duration,
        log: Option<PathBuf>,
    ) -> Result<SauClient, TextError> {
        let mut client = SauClient {
            command: command.to_owned(),
            log,
            patience,
            game: None,
            process: None,
            side: None,
            known: Vec::new(),
            rest: VecDeque::new(),
        };
        client.launch()?;
        Ok(client)
    }

    fn launch(&mut self) -> Result<(), TextError> {
        let mut process = Process::start(&self.command, self.log.as_deref())?;
        process.send("name?");
        process.until(READY, |line| line.starts_with("name ").then_some(())).ok_or_else(|| {
            TextError::new(format!(
                "'{}' does not tell its name as the platform asks",
                self.command
            ))
        })?;
        self.process = Some(process);
        Ok(())
    }

    /// Sends the program what was played since the last message; an error if the
    /// protocol has no words for it.
    fn send_moves(&mut self, moves: &[String], mover: Player) -> Result<(), Fault> {
        let unfit = || Fault::Gone("can't be told of this game by the platform".to_owned());
        let process = self.process.as_mut().ok_or_else(unfit)?;
        while let Some(line) = process.waiting_line() {
            if line.contains("move ") && self.side == Some(mover) {
                return Err(Fault::illegal(&line, "a second answer, out of turn"));
            }
        }
        let mut board = self.game.as_ref().and_then(PlatformBoard::new).ok_or_else(unfit)?;
        if self.side != Some(mover) || !moves.starts_with(&self.known) {
            let colour = ["black", "white"][mover as usize];
            process.send(&format!("new {colour}"));
            (self.side, self.known) = (Some(mover), Vec::new());
        }
        let mut turn = Vec::new();
        for (i, mv) in moves.iter().enumerate() {
            let player = board.session().to_move();
            board.play(mv).map_err(|_| unfit())?;
            if i < self.known.len() {
                continue;
            }
            if player == mover {
                return Err(Fault::Gone(
                    "can't be told of a move that it did not make itself: give it no opening"
                        .to_owned(),
                ));
            }
            turn.push(mv.clone());
            if board.session().to_move() != player {
                process.send(&format!("move {}", board.write_turn(&turn)));
                turn.clear();
            }
        }
        self.known = moves.to_vec();
        Ok(())
    }

    /// Waits for a legal turn and returns its moves in short form.
    fn turn(
        &mut self,
        mover: Player,
        patience: Duration,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Vec<String>, Fault> {
        let unfit = || Fault::Gone("can't be told of this game by the platform".to_owned());
        let process = self.process.as_mut().ok_or_else(unfit)?;
        let mut board = self.game.as_ref().and_then(PlatformBoard::new).ok_or_else(unfit)?;
        let known = board.play(&self.known.join(" ")).is_ok() || self.known.is_empty();
        known.then_some(()).ok_or_else(unfit)?;
        let begun = Instant::now();
        let mut errors = 0;
        loop {
            let line = process.line(TICK);
            let running = go_on();
            match line {
                // Garbage may stand before the word.
                Ok(line) if line.contains("move ") => {
                    let (_, words) = line.split_once("move ").expect("it was just seen");
                    let mark = board.mark();
                    if board.receive(words, mover) == Received::Played {
                        return Ok(board.session().moves()[self.known.len()..].to_vec());
                    }
                    board.restore(&mark);
                    errors += 1;
                    if errors > ERRORS {
                        return Err(Fault::illegal(&line, "no legal turn after two errors"));
                    }
                    process.send("error");
                }
                Ok(_) | Err(ReadError::Late) => {}
                Err(ReadError::Closed) => return Err(ended(process)),
            }
            if begun.elapsed() >= patience || !running {
                let waited = begun.elapsed().as_secs_f64();
                return Err(Fault::Gone(format!("gave no answer for {waited:.1} s")));
            }
        }
    }
}

impl<G: Playable> Engine<G> for SauClient {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        let begun = Instant::now();
        let limits = control.limits();
        let mut info = SearchInfo::default();
        let start = record.start();
        let at_start = G::start(&start.setup()).is_ok_and(|begin| &begin == start);
        if !at_start {
            let why = "can't begin at a position by the platform".to_owned();
            info.fault = Some(Fault::Gone(why));
            return info;
        }
        if self.process.is_none()
            && let Err(error) = self.launch()
        {
            info.fault = Some(Fault::Gone(format!("could not be started again: {error}")));
            return info;
        }
        self.game = Some(GameSpec::of::<G>(&start.setup()));
        let played = record.positions().iter().zip(record.moves());
        let moves: Vec<String> = played.map(|(game, &mv)| game.move_text(mv)).collect();
        let mover = record.game().to_move();

        let expected = self.side == Some(mover) && moves == self.known;
        let next = match self.rest.pop_front().filter(|_| expected) {
            Some(mv) => Some(mv),
            None => {
                self.rest.clear();
                let clock = limits.clock.map(|clock| clock.of(mover).0);
                let before = self.process.as_ref().map(Process::core_wait);
                let patience = limits.time.or(clock).map_or(self.patience, |time| time + GRACE);
                let sent = self.send_moves(&moves, mover);
                let turn = sent.and_then(|()| {
                    self.turn(mover, patience, || {
                        info.elapsed = begun.elapsed();
                        control.publish(&info);
                        !control.is_stopped()
                    })
                });
                let after = self.process.as_ref().map(Process::core_wait);
                info.stalled = after.unwrap_or_default().saturating_sub(before.unwrap_or_default());
                match turn {
                    Ok(turn) => self.rest.extend(turn),
                    Err(fault) => info.fault = Some(fault),
                }
                self.rest.pop_front()
            }
        };
        // The time of a fault is when it happened, not when its cause was known.
        if info.fault.is_none() {
            info.elapsed = begun.elapsed();
        }
        info.best = next.as_ref().and_then(|mv| record.game().parse_move(mv).ok());
        match next {
            Some(mv) => self.known.push(mv),
            None => {
                if let Some(mut process) = self.process.take() {
                    process.kill();
                }
                self.side = None;
            }
        }
        info
    }

    fn new_game(&mut self, _seed: u64) {
        if let Some(process) = &mut self.process
            && self.side.is_some()
        {
            process.send("end");
        }
        (self.side, self.known) = (None, Vec::new());
        self.rest.clear();
    }

    fn is_anytime(&self) -> bool {
        false
    }
}
