//! One game between two engines, under the eyes of a referee.
//!
//! The referee keeps the clocks, checks the moves and names the loser: an
//! engine that answers too late, plays an illegal move (or none) or panics loses
//! this game, with the reason recorded and a note for people. An adapter to an
//! outside program tells of its death by a [`Fault`] in place of a move. Engines
//! that never answer are the listener's business (see [`Desk`]).

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use games::{Outcome, Player, Reason, Record, Text, mix};
use search::{Clock, Engine, Fault, Info, Limits, Score};

use crate::{Allowance, Desk, Pace, Ply, Rules};

/// What both sides agreed on before a game.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// How much First and Second may think.
    pub allowances: [&'a Allowance; 2],
    /// What the referee enforces.
    pub rules: &'a Rules,
    /// The game's seed; each engine gets its own made from it.
    pub seed: u64,
}

/// Plays a game from where `record` stands to its end and writes it on `desk`,
/// which has to be open with the moves so far. The answer says which engines must
/// not be used again. `None` if `stop` was set or the draft taken meanwhile: then
/// the game is worth nothing here.
pub fn play<G: Text>(
    mut record: Record<G>,
    engines: [&mut dyn Engine<G>; 2],
    terms: &Terms,
    desk: &Desk,
    stop: &AtomicBool,
) -> Option<[bool; 2]> {
    let mut broken = [false; 2];
    let mut note = String::new();
    let mut clocks = Clocks::new(terms);
    let mut judge = Judge::new(terms.rules);

    for player in Player::BOTH {
        desk.expect(Outcome::win(!player, Reason::Crashed), "did not get ready for a new game");
        let engine = &mut *engines[player as usize];
        if let Err(panic) = guarded(|| engine.new_game(mix(terms.seed, player as u64))) {
            record.end(Outcome::win(!player, Reason::Crashed));
            note = panic;
            broken[player as usize] = true;
            break;
        }
    }

    loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if terms.rules.cap.is_some_and(|cap| record.moves().len() >= cap as usize) {
            record.end(Outcome::by_lead(record.game().lead(), Reason::MoveCap));
        }
        if record.outcome().is_some() {
            break;
        }
        let player = record.game().to_move();
        let side = player as usize;
        let limits = clocks.limits(player);
        let until = clocks.until(player);
        let silent = match until {
            Some(_) => record.game().on_time(player),
            None => Outcome::win(!player, Reason::Crashed),
        };
        if !desk.expect(silent, "did not answer, and was abandoned") {
            return None;
        }

        let begun = Instant::now();
        let engine = &mut *engines[side];
        let mut watch = |_: &Info<G>| {
            let late = until.is_some_and(|until| begun.elapsed() > until);
            if late || stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            desk.sign();
            ControlFlow::Continue(())
        };
        let answer = guarded(|| engine.think(&record, &limits, &mut watch));
        let spent = begun.elapsed();
        if stop.load(Ordering::Relaxed) {
            return None; // a search cut short may have answered otherwise
        }

        let info = match answer {
            Ok(info) => info,
            Err(panic) => {
                record.end(Outcome::win(!player, Reason::Crashed));
                note = panic;
                broken[side] = true;
                break;
            }
        };
        if let Some(until) = until.filter(|&until| spent > until) {
            record.flag(player);
            note = format!("answered after {spent:.3?}, at most {until:.3?} were allowed");
            break;
        }
        let before = record.game().clone();
        let Some(mv) = info.best.filter(|&mv| record.play(mv).is_ok()) else {
            let reason;
            (reason, note) = match (info.best, info.fault) {
                (Some(mv), _) => {
                    (Reason::IllegalMove, format!("played {mv:?}, which is not legal"))
                }
                (None, Some(Fault::Gone(how))) => (Reason::Crashed, how),
                (None, Some(Fault::Illegal(how))) => (Reason::IllegalMove, how),
                (None, Some(Fault::Late(how))) => (Reason::Time, how),
                (None, None) => (Reason::IllegalMove, "gave no move".to_string()),
            };
            record.end(Outcome::win(!player, reason));
            broken[side] = true;
            break;
        };
        clocks.spend(player, spent);
        let ply = ply(&before, mv, &info, spent);
        judge.hear(player, ply.win_rate);
        desk.write(|draft| draft.plies.push(ply));
        if let Some(outcome) = judge.verdict(player, record.moves().len()) {
            record.end(outcome);
        }
    }
    let outcome = record.outcome().expect("the loop ends with the game");
    desk.expect(outcome, &note);
    Some(broken)
}

/// Runs what belongs to an engine; a panic becomes its message.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Whatever state a panic leaves behind belongs to an engine that is thrown
    // away for it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
        text.or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "crashed without a word".to_string())
    })
}

fn ply<G: Text>(before: &G, mv: G::Move, info: &Info<G>, spent: Duration) -> Ply {
    let score = match info.score {
        Score::Expected(value) => format!("{value:.4}"),
        Score::Points(points) => format!("{points:.2}p"),
        Score::Proven { result, plies } => {
            let word = ["loss", "draw", "win"][(result.signum() + 1) as usize];
            plies.map_or(word.to_string(), |plies| format!("{word} {plies}"))
        }
    };
    Ply {
        mv: before.move_text(mv),
        micros: spent.as_micros() as u64,
        // Not a number would be the engine's mistake, and not comparable.
        win_rate: if info.win_rate.is_nan() { 0.5 } else { info.win_rate.clamp(0.0, 1.0) },
        score,
        depth: info.depth,
        nodes: info.nodes,
        sims: info.sims,
    }
}

/// What both sides have left.
struct Clocks<'a> {
    terms: &'a Terms<'a>,
    left: [Duration; 2],
}

impl<'a> Clocks<'a> {
    fn new(terms: &'a Terms<'a>) -> Clocks<'a> {
        // A side without a clock looks to the other as if it had all day.
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        let left = terms.allowances.map(|allowance| match allowance.pace {
            Pace::Game { base, .. } => base,
            Pace::Move(_) | Pace::Free => DAY,
        });
        Clocks { terms, left }
    }

    fn limits(&self, player: Player) -> Limits {
        let allowance = self.terms.allowances[player as usize];
        let increment = self.terms.allowances.map(|allowance| match allowance.pace {
            Pace::Game { increment, .. } => increment,
            Pace::Move(_) | Pace::Free => Duration::ZERO,
        });
        let (time, clock) = match allowance.pace {
            Pace::Free => (None, None),
            Pace::Move(time) => (Some(time), None),
            Pace::Game { .. } => (None, Some(Clock { left: self.left, increment })),
        };
        let Allowance { nodes, sims, depth, .. } = *allowance;
        Limits { time, clock, nodes, sims, depth }
    }

    /// What this move may take before it is late, if anything.
    fn until(&self, player: Player) -> Option<Duration> {
        let margin = self.terms.rules.margin;
        match self.terms.allowances[player as usize].pace {
            Pace::Free => None,
            Pace::Move(time) => Some(time.saturating_add(margin)),
            Pace::Game { .. } => Some(self.left[player as usize].saturating_add(margin)),
        }
    }

    fn spend(&mut self, player: Player, spent: Duration) {
        if let Pace::Game { increment, .. } = self.terms.allowances[player as usize].pace {
            let left = &mut self.left[player as usize];
            *left = left.saturating_sub(spent).saturating_add(increment);
        }
    }
}

/// Decides games that the engines themselves call decided.
struct Judge<'a> {
    rules: &'a Rules,
    /// Each side's last chance to win, by its own word.
    chance: [f64; 2],
    /// For how many own moves in a row each side has called itself lost.
    hopeless: [u32; 2],
    /// For how many plies in a row the mover has called the game level.
    level: u32,
}

impl Judge<'_> {
    fn new(rules: &Rules) -> Judge<'_> {
        Judge { rules, chance: [0.5; 2], hopeless: [0; 2], level: 0 }
    }

    fn hear(&mut self, player: Player, chance: f64) {
        let side = player as usize;
        self.chance[side] = chance;
        let lost = self.rules.resign.is_some_and(|resign| chance <= resign.below);
        self.hopeless[side] = if lost { self.hopeless[side] + 1 } else { 0 };
        let level = self.rules.draw.is_some_and(|rule| (chance - 0.5).abs() <= rule.within);
        self.level = if level { self.level + 1 } else { 0 };
    }

    fn verdict(&self, player: Player, plies: usize) -> Option<Outcome> {
        if let Some(resign) = self.rules.resign {
            let agreed = !resign.both || self.chance[!player as usize] >= 1.0 - resign.below;
            if self.hopeless[player as usize] >= resign.moves && agreed {
                return Some(Outcome::win(!player, Reason::Adjudicated));
            }
        }
        let level = self.rules.draw?;
        (self.level >= level.plies && plies >= level.after as usize)
            .then_some(Outcome::draw(Reason::Adjudicated))
    }
}
