//! A tiny game with everything that troubles an arena: draws, a lead and
//! repeated turns. And engines for it, good and bad.
//!
//! Players take one to three stones from a heap; who leaves a multiple of five
//! takes again. When the heap is gone, who took more has won.

#![allow(dead_code)] // not every test file needs every engine

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::{Entrant, Factory, MatchConfig, Openings};
use games::{
    Game, MoveList, Outcome, Player, Reason, Record, Rng, SetupError, Text, TextError, mix,
};
use search::{Engine, Limits, SearchControl, SearchInfo};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stones {
    heap: u16,
    left: u16,
    taken: [u16; 2],
    turn: Player,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Heap(pub u16);

impl Default for Heap {
    fn default() -> Heap {
        Heap(21)
    }
}

impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if *self == Heap::default() { Ok(()) } else { write!(f, "{}", self.0) }
    }
}

impl FromStr for Heap {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Heap, TextError> {
        match text {
            "" => Ok(Heap::default()),
            _ => text.parse().map(Heap).map_err(|_| TextError::new("a heap is a number")),
        }
    }
}

impl Game for Stones {
    type Move = u16;
    type Setup = Heap;

    fn random_setup(rng: &mut Rng) -> Option<Heap> {
        Some(Heap(15 + rng.below(20) as u16))
    }

    fn start(setup: &Heap) -> Result<Stones, SetupError> {
        let heap = setup.0;
        if heap == 0 {
            return Err(SetupError("a heap needs a stone".into()));
        }
        Ok(Stones { heap, left: heap, taken: [0; 2], turn: Player::First })
    }

    fn setup(&self) -> Heap {
        Heap(self.heap)
    }

    fn to_move(&self) -> Player {
        self.turn
    }

    fn moves(&self, out: &mut MoveList<u16>) {
        out.extend(1..=self.left.min(3));
    }

    fn play(&mut self, mv: u16) {
        self.left -= mv;
        self.taken[self.turn as usize] += mv;
        if !self.left.is_multiple_of(5) {
            self.turn = !self.turn;
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::by_lead(self.lead(), Reason::BoxesCounted))
    }

    fn key(&self) -> u64 {
        mix(u64::from(self.left) << 1 | self.turn as u64, u64::from(self.taken[0]))
    }

    fn move_codes(&self) -> usize {
        4
    }

    fn lead(&self) -> i32 {
        i32::from(self.taken[0]) - i32::from(self.taken[1])
    }
}

impl Text for Stones {
    const NAME: &'static str = "stones";

    fn position(&self) -> String {
        format!("{} {} {}", self.left, self.taken[0], self.turn as u8)
    }

    fn parse(_: &Heap, _: &str) -> Result<Stones, TextError> {
        Err(TextError::new("not needed here"))
    }

    fn move_text(&self, mv: u16) -> String {
        mv.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u16, TextError> {
        let mv = text.parse().map_err(|_| TextError::new("a move is a number"))?;
        if self.is_legal(mv) { Ok(mv) } else { Err(TextError::new("one to three stones")) }
    }

    fn render(&self, _: Option<u16>) -> String {
        self.position()
    }
}

/// Plays by its seed; `sims` random games are looked at for each move. The rest
/// is what it does wrong, once `after` moves of its own are made.
pub struct Scripted {
    rng: Rng,
    fault: Fault,
    moves: u32,
    after: u32,
}

/// Whether every search prints a line when it begins, for a test that watches
/// another process.
pub static PRINT_SEARCHES: AtomicBool = AtomicBool::new(false);
/// That line.
pub const SEARCH: &str = "search";

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    None,
    /// Takes a little real time.
    Slow(Duration),
    Panic,
    PanicOnNewGame,
    PanicOnDrop,
    Illegal,
    NoMove,
    /// Answers late, whatever the limits, but notices a break.
    Late(Duration),
    /// Never answers and never polls.
    Silent,
    /// Never answers and polls, whatever that says.
    Deaf,
    /// Never answers by itself, but does when it is stopped.
    Endless,
    /// Says that it is lost (0), even (0.5), or what else.
    Says(f64),
    NeverStarts,
    StartPanics,
    StartHangs,
}

impl Scripted {
    pub fn new(fault: Fault, after: u32) -> Scripted {
        Scripted { rng: Rng::seeded(0), fault, moves: 0, after }
    }
}

impl Engine<Stones> for Scripted {
    fn search(
        &mut self,
        record: &Record<Stones>,
        control: &SearchControl<<Stones as Game>::Move>,
    ) -> SearchInfo<<Stones as Game>::Move> {
        if PRINT_SEARCHES.load(std::sync::atomic::Ordering::Relaxed) {
            println!("{SEARCH}");
        }
        let game = record.game();
        let limits = control.limits();
        let best = game.random_move(&mut self.rng);
        let mut info = SearchInfo { best, ..SearchInfo::default() };
        let mut best = f64::NEG_INFINITY;
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        for &mv in &moves {
            let sims = limits.sims.unwrap_or(1);
            let sum: i32 =
                (0..sims).map(|_| game.after(mv).playout(&mut self.rng).for_first()).sum();
            let value = f64::from(sum * game.to_move().sign()) / sims as f64;
            if value > best {
                best = value;
                info.best = Some(mv);
                info.win_rate = (value + 1.0) / 2.0;
            }
            info.sims += sims;
        }
        self.moves += 1;
        if self.moves <= self.after {
            return info;
        }
        match self.fault {
            Fault::Slow(time) => std::thread::sleep(time),
            Fault::Panic => panic!("scripted crash"),
            Fault::Illegal => info.best = Some(7),
            Fault::NoMove => info.best = None,
            Fault::Late(time) => {
                let begun = std::time::Instant::now();
                while begun.elapsed() < time && !control.is_stopped() {
                    control.publish(&info);
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            Fault::Silent => loop {
                std::thread::sleep(Duration::from_secs(3600));
            },
            Fault::Deaf => loop {
                control.publish(&info);
                std::thread::sleep(Duration::from_millis(1));
            },
            Fault::Endless => {
                while !control.is_stopped() {
                    control.publish(&info);
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            Fault::Says(chance) => info.win_rate = chance,
            _ => {}
        }
        info
    }

    /// Late engines are to be late.
    fn is_anytime(&self) -> bool {
        false
    }

    fn new_game(&mut self, seed: u64) {
        if self.fault == Fault::PanicOnNewGame {
            panic!("scripted crash before the game");
        }
        self.rng = Rng::seeded(seed);
        self.moves = 0;
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        if self.fault == Fault::PanicOnDrop {
            panic!("scripted crash at the end");
        }
    }
}

/// A match between engines with so many simulations each, and its factory.
pub fn scripted_match(engines: &[(Fault, u64)], seed: u64) -> (MatchConfig, Factory<Stones>) {
    let entrants = engines
        .iter()
        .map(|(fault, sims)| Entrant {
            spec: format!("{fault:?}"),
            version: "1".into(),
            limits: Limits { sims: Some(*sims), ..Limits::default() },
        })
        .collect();
    let mut config = MatchConfig::new::<Stones>(&Heap::default(), entrants, seed);
    config.openings = Openings::Random { plies: 2 };
    let faults: Vec<Fault> = engines.iter().map(|engine| engine.0).collect();
    let factory: Factory<Stones> = Arc::new(move |number| match faults[number] {
        Fault::NeverStarts => Err("no such program".into()),
        Fault::StartPanics => panic!("scripted crash at the start"),
        Fault::StartHangs => loop {
            std::thread::sleep(Duration::from_secs(3600));
        },
        fault @ Fault::Says(_) => Ok(Box::new(Scripted::new(fault, 0))),
        fault => Ok(Box::new(Scripted::new(fault, 1))),
    });
    (config, factory)
}
