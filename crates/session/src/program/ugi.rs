//! An outside program that speaks UGI or UCI, as an engine.
//!
//! The two differ in a few words. A game that is known as a variant of chess
//! ([`UciVariant`]) is told to a UCI program in the variant's moves, any other in
//! our own.
//!
//! The program is sent the whole game before each search, so that it can be
//! started anew at any time. If it dies, falls silent or answers with something
//! that is no legal move, the search ends without a move and with the
//! fault, and the referee decides what that means; the next game starts it
//! anew.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use games::{Player, Record, Text, TextError};
use search::{Engine, Fault, Limits, Line, Score, SearchControl, SearchInfo};

use super::process::{Process, ReadError};
use crate::row::UciVariant;
use crate::{GameSpec, Playable, Session, open};

/// How long a program may take to get ready.
const READY: Duration = Duration::from_secs(20);
/// How long it may take to answer after its time is up, where no referee stops it
/// before.
const LATE: Duration = Duration::from_secs(10);
/// How long it may take to answer after `stop`.
const STOP_GRACE: Duration = Duration::from_millis(500);
/// Time between two polls of the stop flag.
const TICK: Duration = Duration::from_millis(2);

/// Which of the two protocols is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Any game.
    Ugi,
    /// A game as a variant of chess.
    Uci,
}

impl Dialect {
    /// Makes sure that the dialect has words for a game.
    pub fn check(self, game: &GameSpec) -> Result<(), TextError> {
        match self == Dialect::Uci && game.row().uci.is_none() {
            true => Err(TextError::new(format!("UCI has no words for {}", game.name()))),
            false => Ok(()),
        }
    }

    /// The greeting, which is also how other words begin.
    pub fn word(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugi",
            Dialect::Uci => "uci",
        }
    }

    /// How the clocks of First and Second are called in `go`.
    pub fn clocks(self) -> [&'static str; 2] {
        match self {
            Dialect::Ugi => ["p1", "p2"],
            Dialect::Uci => ["w", "b"],
        }
    }

    /// The variant of chess as which a game is told.
    fn variant<G: Playable>(self) -> Option<UciVariant> {
        G::row().uci.filter(|_| self == Dialect::Uci)
    }
}

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

/// The game as UGI or UCI tells it; none for a position that has no form in a variant
/// of chess.
fn position_line<G: Text>(record: &Record<G>, told: &ToldMoves) -> Option<String> {
    let start = record.start();
    let at_start = G::start(&start.setup()).is_ok_and(|begin| &begin == start);
    let mut line = match (at_start, told) {
        (true, _) => "position startpos".to_owned(),
        (false, ToldMoves::Ours) => format!("position fen {}", start.position()),
        (false, ToldMoves::Variant(..)) => return None,
    };
    let moves: Vec<String> = record
        .positions()
        .iter()
        .zip(record.moves())
        .map(|(game, &mv)| game.move_text(mv))
        .collect();
    for (i, mv) in moves.iter().enumerate() {
        line += if i == 0 { " moves " } else { " " };
        line += &told.write(&moves[..i], mv);
    }
    Some(line)
}

/// How moves are written for a program.
enum ToldMoves {
    /// In our short form.
    Ours,
    /// As moves of a variant of chess, from the start of a game.
    Variant(UciVariant, Box<Session>),
}

impl ToldMoves {
    fn new<G: Playable>(dialect: Dialect, setup: &G::Setup) -> ToldMoves {
        match dialect.variant::<G>() {
            Some(variant) => ToldMoves::Variant(variant, Box::new(open(&GameSpec::of::<G>(setup)))),
            None => ToldMoves::Ours,
        }
    }

    /// A move after others.
    fn write(&self, before: &[String], mv: &str) -> String {
        match self {
            ToldMoves::Ours => mv.to_owned(),
            ToldMoves::Variant(variant, start) => (variant.write_move)(start, before, mv),
        }
    }

    /// A program's move in our short form.
    fn read(&self, word: &str) -> Result<String, TextError> {
        match self {
            ToldMoves::Ours => Ok(word.to_owned()),
            ToldMoves::Variant(variant, _) => (variant.read_move)(word),
        }
    }
}

/// Centipawns for an expected result from -1 to 1, as the logistic rating curve
/// has it: hundredths of a rating difference.
pub fn centipawns(expected: f64) -> f64 {
    let bounded = expected.clamp(-0.9999, 0.9999);
    400.0 * ((1.0 + bounded) / (1.0 - bounded)).log10()
}

/// The expected result from -1 to 1 behind centipawns.
pub fn expected_result(centipawns: f64) -> f64 {
    let odds = 10f64.powf(centipawns.clamp(-4000.0, 4000.0) / 400.0);
    (odds - 1.0) / (odds + 1.0)
}

/// The limits as UGI or UCI tells them. Only one of us understands simulations; for
/// others they are nodes.
fn go_line(dialect: Dialect, limits: &Limits, sims: bool) -> String {
    let mut line = "go".to_owned();
    let mut add = |name: &str, value: u64| line += &format!(" {name} {value}");
    if let Some(clock) = limits.clock {
        for (player, name) in Player::BOTH.into_iter().zip(dialect.clocks()) {
            let (left, increment) = clock.of(player);
            add(&format!("{name}time"), left.as_millis() as u64);
            add(&format!("{name}inc"), increment.as_millis() as u64);
        }
    }
    if let Some(time) = limits.time {
        add("movetime", time.as_millis() as u64);
    }
    if let Some(depth) = limits.depth {
        add("depth", depth.into());
    }
    if let Some(count) = limits.sims {
        add(if sims { "sims" } else { "nodes" }, count);
    }
    if let Some(nodes) = limits.nodes.filter(|_| sims || limits.sims.is_none()) {
        add("nodes", nodes);
    }
    if line == "go" {
        line += " infinite";
    }
    line
}

/// Takes what an `info` line tells into `info`, as far as it can be understood.
fn read_info<G: Text>(root: &G, told: &ToldMoves, line: &str, info: &mut SearchInfo<G::Move>) {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.get(1) == Some(&"string") {
        return;
    }
    let after = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1..)
    };
    let number = |name: &str| after(name)?.first()?.parse::<u64>().ok();
    if let Some(depth) = number("depth") {
        info.depth = depth.min(u32::MAX.into()) as u32;
    }
    if let Some(nodes) = number("nodes") {
        info.nodes = nodes;
    }
    match after("score") {
        Some(["cp", value, ..]) => {
            if let Some(points) = value.parse::<f64>().ok().filter(|points| points.is_finite()) {
                info.score = Score::Points(points / 100.0);
                info.win_rate = (1.0 + expected_result(points)) / 2.0;
            }
        }
        Some(["mate", value, ..]) => {
            if let Ok(plies) = value.parse::<i32>() {
                let result = if plies > 0 { 1 } else { -1 };
                info.score = Score::Proven { result, plies: Some(plies.unsigned_abs()) };
                info.win_rate = f64::from(result + 1) / 2.0;
            }
        }
        _ => {}
    }
    if let Some(words) = after("pv") {
        let mut game = root.clone();
        let mut pv = Vec::new();
        for word in words {
            let Ok(mv) = told.read(word).and_then(|word| game.parse_move(&word)) else { break };
            game.play(mv);
            pv.push(mv);
        }
        if let Some(&mv) = pv.first() {
            info.best = Some(mv);
            info.lines = vec![Line { mv, score: info.score, visits: info.nodes, pv }];
        }
    }
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
        let told = ToldMoves::new::<G>(self.dialect, &setup);
        let Some(position) = position_line(record, &told) else {
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
            if let ToldMoves::Variant(variant, _) = &told {
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
                    read_info(record.game(), &told, &line, &mut info);
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
                        match told.read(word).and_then(|word| record.game().parse_move(&word)) {
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

#[cfg(test)]
mod tests {
    use games::Game;
    use games::connect_four::ConnectFour;

    use super::*;

    type Four = ConnectFour<u64>;

    #[test]
    fn a_game_is_told_whole() {
        let mut record = Record::new(Four::start(&Default::default()).unwrap());
        let ours = |record: &Record<Four>| position_line(record, &ToldMoves::Ours).unwrap();
        let uci = ToldMoves::new::<Four>(Dialect::Uci, &Default::default());
        assert_eq!(ours(&record), "position startpos");
        record.play_text("44").unwrap();
        assert_eq!(ours(&record), "position startpos moves 4 4");
        let line = position_line(&record, &uci).unwrap();
        assert_eq!(line, "position startpos moves P@d1 P@d2");
        let words: Vec<&str> = line.split(' ').skip(3).collect();
        assert!(words.iter().all(|word| uci.read(word).unwrap() == "4"), "read as written");
        let mut record = Record::new(*record.game());
        record.play_text("3").unwrap();
        assert_eq!(ours(&record), "position fen 7/7/7/7/3o3/3x3 x moves 3");
        assert_eq!(position_line(&record, &uci), None);
    }

    #[test]
    fn centipawns_and_expected_results_are_inverse() {
        for value in [-0.99, -0.3, 0.0, 0.5, 0.9] {
            assert!((expected_result(centipawns(value)) - value).abs() < 1e-9);
        }
    }

    #[test]
    fn simulations_are_nodes_to_others() {
        let limits = Limits { sims: Some(7), ..Limits::default() };
        assert_eq!(go_line(Dialect::Ugi, &limits, true), "go sims 7");
        assert_eq!(go_line(Dialect::Uci, &limits, false), "go nodes 7");
        assert_eq!(go_line(Dialect::Ugi, &Limits::default(), false), "go infinite");
        let clock = search::Clock::new(Duration::from_secs(3), Duration::from_millis(20));
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let line = go_line(Dialect::Uci, &limits, false);
        assert_eq!(line, "go wtime 3000 winc 20 btime 3000 binc 20");
    }

    #[test]
    fn info_is_taken_as_far_as_it_makes_sense() {
        let root = Four::start(&Default::default()).unwrap();
        let mut info = SearchInfo::default();
        read_info(
            &root,
            &ToldMoves::Ours,
            "info depth 3 score mate -4 nodes 99 pv 4 4 x 3",
            &mut info,
        );
        assert_eq!((info.depth, info.nodes, info.win_rate), (3, 99, 0.0));
        assert_eq!(info.lines[0].pv.len(), 2);
        read_info(&root, &ToldMoves::Ours, "info string depth 9", &mut info);
        read_info(&root, &ToldMoves::Ours, "info depth many score cp nan pv", &mut info);
        assert_eq!(info.depth, 3);
    }
}
