//! A contest program as an engine: we are the platform.
//!
//! The platform's protocol has no way to set up a position or to make an
//! engine's own moves, so a game must begin at the setup's start and the program
//! must have made all its moves itself. Otherwise, or if the program dies, falls
//! silent or sends no legal turn, the thought comes back without a move. A
//! program that sends an illegal turn is told `error` twice before that.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use games::{Player, Record, Text, TextError};
use search::{Engine, Info, Limits};

use super::board::{Board, Received};
use crate::GameSpec;
use crate::protocols::process::{Process, Silence};

/// How long a program may take to tell its name.
const READY: Duration = Duration::from_secs(20);
/// What a program may take beyond its time: it does not know of it.
const GRACE: Duration = Duration::from_secs(2);
/// Without a limit of time, how long a program may be silent.
const SILENCE: Duration = Duration::from_secs(600);
/// Time between two calls of the watch.
const TICK: Duration = Duration::from_millis(2);
/// How many illegal turns are answered with `error`.
const ERRORS: u32 = 2;

/// A contest program.
pub struct SauClient {
    command: String,
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
    pub fn start(command: &str) -> Result<SauClient, TextError> {
        let mut client = SauClient {
            command: command.to_owned(),
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
        let mut process = Process::start(&self.command)?;
        process.say("name?");
        process.until(READY, |line| line.starts_with("name ").then_some(())).ok_or_else(|| {
            TextError::new(format!(
                "'{}' does not tell its name as the platform asks",
                self.command
            ))
        })?;
        self.process = Some(process);
        Ok(())
    }

    /// Tells the program what happened since it was last told; `None` if the
    /// protocol has no words for it.
    fn tell(&mut self, moves: &[String], mover: Player) -> Option<()> {
        let process = self.process.as_mut()?;
        let mut board = Board::new(self.game.as_ref()?)?;
        if self.side != Some(mover) || !moves.starts_with(&self.known) {
            let colour = ["black", "white"][mover as usize];
            process.say(&format!("new {colour}"));
            (self.side, self.known) = (Some(mover), Vec::new());
        }
        let mut turn = Vec::new();
        for (i, mv) in moves.iter().enumerate() {
            let player = board.session().to_move();
            board.play(mv).ok()?;
            if i < self.known.len() {
                continue;
            }
            if player == mover {
                return None; // it did not make this move itself
            }
            turn.push(mv.clone());
            if board.session().to_move() != player {
                process.say(&format!("move {}", board.words(&turn)));
                turn.clear();
            }
        }
        self.known = moves.to_vec();
        Some(())
    }

    /// Waits for a legal turn and returns its moves in short form.
    fn turn(
        &mut self,
        mover: Player,
        patience: Duration,
        mut go_on: impl FnMut() -> bool,
    ) -> Option<Vec<String>> {
        let process = self.process.as_mut()?;
        let mut board = Board::new(self.game.as_ref()?)?;
        board.play(&self.known.join(" ")).ok().or(self.known.is_empty().then_some(()))?;
        let begun = Instant::now();
        let mut errors = 0;
        loop {
            match process.line(TICK) {
                Ok(line) => {
                    // Garbage may stand before the word.
                    let Some((_, words)) = line.split_once("move ") else { continue };
                    let mark = board.mark();
                    if board.receive(words, mover) == Received::Played {
                        return Some(board.session().moves()[self.known.len()..].to_vec());
                    }
                    board.restore(&mark);
                    errors += 1;
                    if errors > ERRORS {
                        return None;
                    }
                    process.say("error");
                }
                Err(Silence::Late) if begun.elapsed() < patience && go_on() => {}
                Err(_) => return None,
            }
        }
    }
}

impl<G: Text> Engine<G> for SauClient {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        let begun = Instant::now();
        let mut info = Info::new();
        let start = record.start();
        let at_start = G::start(&start.setup()).is_ok_and(|begin| &begin == start);
        if !at_start || (self.process.is_none() && self.launch().is_err()) {
            return info;
        }
        self.game = format!("{} {}", G::NAME, start.setup()).parse().ok();
        let played = record.positions().iter().zip(record.moves());
        let moves: Vec<String> = played.map(|(game, &mv)| game.move_text(mv)).collect();
        let mover = record.game().to_move();

        let expected = self.side == Some(mover) && moves == self.known;
        let next = match self.rest.pop_front().filter(|_| expected) {
            Some(mv) => Some(mv),
            None => {
                self.rest.clear();
                let clock = limits.clock.map(|clock| clock.of(mover).0);
                let patience = limits.time.or(clock).map_or(SILENCE, |time| time + GRACE);
                let told = self.tell(&moves, mover);
                let turn = told.and_then(|()| {
                    self.turn(mover, patience, || {
                        info.elapsed = begun.elapsed();
                        watch(&info).is_continue()
                    })
                });
                turn.and_then(|turn| {
                    self.rest.extend(turn);
                    self.rest.pop_front()
                })
            }
        };
        info.elapsed = begun.elapsed();
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
            process.say("end");
        }
        (self.side, self.known) = (None, Vec::new());
        self.rest.clear();
    }
}
