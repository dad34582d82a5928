//! One game between two engines, with a referee.
//!
//! The referee keeps the clocks, checks the moves and decides who loses: an
//! engine that answers too late, plays an illegal move (or none) or panics loses
//! this game, with the reason and a note on record. An adapter to an external
//! program reports a crash as a [`Fault`] in place of a move. Engines that never
//! answer are left to the supervising thread (see [`GameDraft`]).

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use games::{Outcome, Player, Reason, Record, Text, mix};
use search::{Clock, Engine, Fault, Limits, Runner, Score, SearchInfo};

use crate::forfeits::STALL_NOTE;
use crate::{GameDraft, Ply, Rules};

/// The configuration of one game.
#[derive(Clone, Copy, Debug)]
pub struct GameConfig<'a> {
    /// The limits of First's and Second's searches, clocks as at the start.
    pub limits: [&'a Limits; 2],
    /// What the referee enforces.
    pub rules: &'a Rules,
    /// The last plies of the record, if an earlier run has played them: their times
    /// and win rates count.
    pub resumed: &'a [Ply],
    /// The game's seed; each engine gets its own derived from it.
    pub seed: u64,
}

/// Plays a game from where `record` stands to its end and writes it to `draft`,
/// which has to hold the game with the moves so far. Returns which engines must
/// not be used again, or `None` if `stop` was set or the draft was taken
/// meanwhile: then there is no result. `on_ply` is called after each ply with its
/// index after the opening.
pub fn play<G: Text, E: Engine<G> + 'static>(
    mut record: Record<G>,
    engines: [&mut Runner<G, E>; 2],
    config: &GameConfig,
    draft: &Arc<GameDraft>,
    stop: &Arc<AtomicBool>,
    mut on_ply: impl FnMut(usize, &Ply),
) -> Option<[bool; 2]> {
    let mut broken = [false; 2];
    let mut note = String::new();
    let mut clocks = Clocks::new(config);
    let mut adjudicator = Adjudicator::new(config.rules);
    let begun_at = record.moves().len() - config.resumed.len();
    let mut decided = None;
    for (ply, i) in config.resumed.iter().zip(begun_at..) {
        let player = record.positions()[i].to_move();
        clocks.spend(player, Duration::from_micros(ply.micros));
        adjudicator.observe(player, ply.win_rate);
        decided = adjudicator.decide(player, i + 1);
    }
    if let Some(outcome) = decided {
        record.end(outcome);
    }
    let mut plies = config.resumed.len();

    for player in Player::BOTH {
        let outcome = Outcome::win(!player, Reason::Crashed);
        draft.set_outcome(outcome, "did not get ready for a new game");
        let engine = &mut *engines[player as usize];
        let timed = clocks.deadline(player).is_some();
        let begun = guarded(|| {
            engine.new_game(mix(config.seed, player as u64));
            if timed {
                engine.warm_up(record.game());
            }
        });
        if let Err(panic) = begun {
            record.end(outcome);
            note = panic;
            broken[player as usize] = true;
            break;
        }
    }

    loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if config.rules.cap.is_some_and(|cap| record.moves().len() >= cap as usize) {
            record.end(Outcome::by_lead(record.game().lead(), Reason::MoveCap));
        }
        if record.outcome().is_some() {
            break;
        }
        let player = record.game().to_move();
        let side = player as usize;
        let limits = clocks.limits(player);
        let deadline = clocks.deadline(player);
        let unanswered = match deadline {
            Some(_) => record.game().on_time(player),
            None => Outcome::win(!player, Reason::Crashed),
        };
        if !draft.set_outcome(unanswered, "did not answer, and was abandoned") {
            return None;
        }

        let begun = Instant::now();
        let engine = &mut *engines[side];
        let (heart, stopped) = (Arc::clone(draft), Arc::clone(stop));
        let observe = move |_: &SearchInfo<G::Move>| {
            let late = deadline.is_some_and(|deadline| begun.elapsed() > deadline);
            if late || stopped.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            heart.heartbeat();
            ControlFlow::Continue(())
        };
        let answer = guarded(|| engine.search_observed(&record, &limits, observe));
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
        // A program that was gone in time has crashed, however long it took to find
        // out why.
        let answered = if info.fault.is_some() { info.elapsed.min(spent) } else { spent };
        if let Some(allowed) = deadline.filter(|&deadline| answered > deadline) {
            record.flag(player);
            note = format!("answered after {spent:.3?}, at most {allowed:.3?} were allowed");
            if info.stalled >= spent - allowed {
                let stalled = info.stalled;
                note += &format!("; of that it {STALL_NOTE} for {stalled:.3?}");
            }
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
        adjudicator.observe(player, ply.win_rate);
        on_ply(plies, &ply);
        plies += 1;
        draft.update(|game| game.plies.push(ply));
        if let Some(outcome) = adjudicator.decide(player, record.moves().len()) {
            record.end(outcome);
        }
    }
    let outcome = record.outcome().expect("the loop ends with the game");
    draft.set_outcome(outcome, &note);
    Some(broken)
}

/// Runs engine code; a panic becomes its message.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Whatever state a panic leaves behind belongs to the engine, which is
    // dropped after it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
        text.or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "crashed without a message".to_string())
    })
}

fn ply<G: Text>(before: &G, mv: G::Move, info: &SearchInfo<G::Move>, spent: Duration) -> Ply {
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
        // NaN would be the engine's mistake, and can't be compared.
        win_rate: if info.win_rate.is_nan() { 0.5 } else { info.win_rate.clamp(0.0, 1.0) },
        score,
        depth: info.depth,
        nodes: info.nodes,
        sims: info.sims,
    }
}

/// The remaining time of both sides.
struct Clocks<'a> {
    config: &'a GameConfig<'a>,
    now: Clock,
}

impl<'a> Clocks<'a> {
    fn new(config: &'a GameConfig<'a>) -> Clocks<'a> {
        // A side without a clock looks to the other as if it had a day.
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        let unlimited = Clock::new(DAY, Duration::ZERO);
        let [(first, first_increment), (second, second_increment)] = Player::BOTH
            .map(|player| config.limits[player as usize].clock.unwrap_or(unlimited).of(player));
        let now = Clock { left: [first, second], increment: [first_increment, second_increment] };
        Clocks { config, now }
    }

    fn limits(&self, player: Player) -> Limits {
        let limits = *self.config.limits[player as usize];
        Limits { clock: limits.clock.map(|_| self.now), ..limits }
    }

    /// How long this move may take before it loses on time, if it can.
    fn deadline(&self, player: Player) -> Option<Duration> {
        let limits = self.limits(player);
        let time = limits.time.or(limits.clock.map(|clock| clock.of(player).0));
        time.map(|time| time.saturating_add(self.config.rules.margin))
    }

    fn spend(&mut self, player: Player, spent: Duration) {
        if self.config.limits[player as usize].clock.is_some() {
            let (left, increment) = self.now.of(player);
            self.now.left[player as usize] = left.saturating_sub(spent).saturating_add(increment);
        }
    }
}

/// Ends games that the engines themselves consider decided.
struct Adjudicator<'a> {
    rules: &'a Rules,
    /// Each side's last win rate, by its own estimate.
    win_rates: [f64; 2],
    /// For how many own moves in a row each side has considered itself lost.
    lost_moves: [u32; 2],
    /// For how many plies in a row the mover has considered the game even.
    even_plies: u32,
}

impl Adjudicator<'_> {
    fn new(rules: &Rules) -> Adjudicator<'_> {
        Adjudicator { rules, win_rates: [0.5; 2], lost_moves: [0; 2], even_plies: 0 }
    }

    fn observe(&mut self, player: Player, win_rate: f64) {
        let side = player as usize;
        self.win_rates[side] = win_rate;
        let lost = self.rules.resign.is_some_and(|resign| win_rate <= resign.below);
        self.lost_moves[side] = if lost { self.lost_moves[side] + 1 } else { 0 };
        let even = self.rules.draw.is_some_and(|rule| (win_rate - 0.5).abs() <= rule.within);
        self.even_plies = if even { self.even_plies + 1 } else { 0 };
    }

    fn decide(&self, player: Player, plies: usize) -> Option<Outcome> {
        if let Some(resign) = self.rules.resign {
            let agreed = !resign.both || self.win_rates[!player as usize] >= 1.0 - resign.below;
            if self.lost_moves[player as usize] >= resign.moves && agreed {
                return Some(Outcome::win(!player, Reason::Adjudicated));
            }
        }
        let draw = self.rules.draw?;
        (self.even_plies >= draw.plies && plies >= draw.after as usize)
            .then_some(Outcome::draw(Reason::Adjudicated))
    }
}
