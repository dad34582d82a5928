//! What UGI and UCI say, as text in and text out; the conversation itself is in
//! [`ugi`](super::ugi) and, with us as the engine, in the crate `protocols`.
//!
//! The two differ in a few words. A game that is known as a variant of chess
//! ([`UciVariant`]) is told to a UCI program in the variant's moves, any other in
//! our own.

use games::{Player, Record, Text, TextError};
use search::{Limits, Line, Score, SearchInfo};

use crate::row::UciVariant;
use crate::{GameSpec, Playable, Session, open};

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

/// The game as UGI or UCI tells it; none for a position that has no form in a variant
/// of chess.
pub(super) fn position_line<G: Text>(
    record: &Record<G>,
    notation: &MoveNotation,
) -> Option<String> {
    let start = record.start();
    let at_start = G::start(&start.setup()).is_ok_and(|begin| &begin == start);
    let mut line = match (at_start, notation) {
        (true, _) => "position startpos".to_owned(),
        (false, MoveNotation::Ours) => format!("position fen {}", start.position()),
        (false, MoveNotation::Variant(..)) => return None,
    };
    let moves: Vec<String> = record
        .positions()
        .iter()
        .zip(record.moves())
        .map(|(game, &mv)| game.move_text(mv))
        .collect();
    for (i, mv) in moves.iter().enumerate() {
        line += if i == 0 { " moves " } else { " " };
        line += &notation.write(&moves[..i], mv);
    }
    Some(line)
}

/// How moves are written for a program.
pub(super) enum MoveNotation {
    /// In our short form.
    Ours,
    /// As moves of a variant of chess, from the start of a game.
    Variant(UciVariant, Box<Session>),
}

impl MoveNotation {
    pub(super) fn new<G: Playable>(dialect: Dialect, setup: &G::Setup) -> MoveNotation {
        match dialect.variant::<G>() {
            Some(variant) => {
                MoveNotation::Variant(variant, Box::new(open(&GameSpec::of::<G>(setup))))
            }
            None => MoveNotation::Ours,
        }
    }

    /// A move after others.
    fn write(&self, before: &[String], mv: &str) -> String {
        match self {
            MoveNotation::Ours => mv.to_owned(),
            MoveNotation::Variant(variant, start) => (variant.write_move)(start, before, mv),
        }
    }

    /// A program's move in our short form.
    pub(super) fn read(&self, word: &str) -> Result<String, TextError> {
        match self {
            MoveNotation::Ours => Ok(word.to_owned()),
            MoveNotation::Variant(variant, _) => (variant.read_move)(word),
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
pub(super) fn go_line(dialect: Dialect, limits: &Limits, sims: bool) -> String {
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
pub(super) fn read_info<G: Text>(
    root: &G,
    notation: &MoveNotation,
    line: &str,
    info: &mut SearchInfo<G::Move>,
) {
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
            let Ok(mv) = notation.read(word).and_then(|word| game.parse_move(&word)) else { break };
            game.play(mv);
            pv.push(mv);
        }
        if let Some(&mv) = pv.first() {
            info.best = Some(mv);
            info.lines = vec![Line { mv, score: info.score, visits: info.nodes, pv }];
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use games::Game;
    use games::connect_four::ConnectFour;

    use super::*;

    type Four = ConnectFour<u64>;

    #[test]
    fn a_game_is_told_whole() {
        let mut record = Record::new(Four::start(&Default::default()).unwrap());
        let ours = |record: &Record<Four>| position_line(record, &MoveNotation::Ours).unwrap();
        let uci = MoveNotation::new::<Four>(Dialect::Uci, &Default::default());
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
            &MoveNotation::Ours,
            "info depth 3 score mate -4 nodes 99 pv 4 4 x 3",
            &mut info,
        );
        assert_eq!((info.depth, info.nodes, info.win_rate), (3, 99, 0.0));
        assert_eq!(info.lines[0].pv.len(), 2);
        read_info(&root, &MoveNotation::Ours, "info string depth 9", &mut info);
        read_info(&root, &MoveNotation::Ours, "info depth many score cp nan pv", &mut info);
        assert_eq!(info.depth, 3);
    }
}
