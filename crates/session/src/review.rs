//! What a move has cost: the judgement of one position of a game that was played.
//!
//! Where the solver or a table reaches, it decides. Elsewhere a short search looks
//! for moves that may have been mistakes; the difference of two short searches is
//! mostly noise, so before a move is marked, the positions after it and after the
//! better one are searched with the same, larger work, and again with four times
//! that. A move costs the least of what these say. Searches are limited by work
//! and not by time, so a busy machine finds the same.
//!
//! Nothing here knows a game or a server; the caller goes through the game, from
//! its end to its start, because what comes later explains what came before.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use games::Player;
use search::{Limits, SearchInfo};

use crate::{EngineHandle, ExactMoves, Fact, Poll, Session};

/// From this cost on, a move is marked.
pub const MARKED: f64 = 0.08;

/// From this chance on, a game counts as decided: a move that leaves it so, for the
/// winner or for the loser, is no mistake.
const DECIDED: f64 = 0.9;

/// The solver's time for a position, and for one that may hold a mistake.
const GLANCE_SOLVER: Duration = Duration::from_millis(200);
const CLOSE_SOLVER: Duration = Duration::from_millis(1500);

/// The search's work for a position, and for each position after a move that may
/// have been a mistake.
const GLANCE: Limits = work(12_000, 400_000);
const CLOSE: [Limits; 2] = [work(30_000, 1_000_000), work(120_000, 4_000_000)];

const fn work(sims: u64, nodes: u64) -> Limits {
    // The time is a bound for machines that are busy for long.
    let time = Some(Duration::from_secs(20));
    Limits { time, clock: None, nodes: Some(nodes), sims: Some(sims), depth: None }
}

/// What is found about one position and the move that was played in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// First's chance to win with best play, from 0 to 1.
    pub first: f64,
    /// Whether that is certain.
    pub certain: bool,
    /// A best line.
    pub line: Vec<String>,
    /// The line that begins with the move that was played, with the best answer to
    /// it; only of a move that is marked.
    pub refutation: Vec<String>,
    /// What the move that was played cost its mover, from 0 to 1; none if none was.
    pub cost: Option<f64>,
    /// Why, for a move that is marked.
    pub facts: Vec<Fact>,
}

impl Judgement {
    /// The move that should have been played.
    pub fn best(&self) -> Option<&String> {
        self.line.first()
    }

    /// Whether the move that was played is marked.
    pub fn is_marked(&self) -> bool {
        self.cost.is_some_and(|cost| cost >= MARKED)
    }
}

/// How close a move was to the best ones, from 0 to 100, by what it cost: the
/// curve that lichess published for chess.
pub fn accuracy(cost: f64) -> f64 {
    (103.1668 * (-4.354 * cost).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Judges the positions of a game, one after another.
pub struct Reviewer<'a, P> {
    engine: &'a mut EngineHandle,
    megabytes: usize,
    /// By what all work is divided.
    haste: u32,
    poll: P,
}

/// What is known of a move or a position for a player: the chance to win, whether
/// that is certain, and a line from there.
struct Known {
    chance: f64,
    certain: bool,
    line: Vec<String>,
}

/// The chance of a certain result.
fn chance_of(result: i32) -> f64 {
    f64::from(result + 1) / 2.0
}

/// What a player loses by a move that leaves a worse chance than another: nothing
/// where the game is decided after both.
fn cost_between(good: f64, bad: f64) -> f64 {
    let alike = bad >= DECIDED || 1.0 - good >= DECIDED;
    if alike { 0.0 } else { (good - bad).max(0.0) }
}

/// One player's chance, given another's.
fn seen_by(player: Player, of: Player, chance: f64) -> f64 {
    if player == of { chance } else { 1.0 - chance }
}

impl<'a, P: Fn() -> ControlFlow<()> + Clone + Send + 'static> Reviewer<'a, P> {
    /// With an engine for the game, memory for the solver, and what is asked every
    /// few milliseconds whether to go on.
    pub fn new(engine: &'a mut EngineHandle, megabytes: usize, poll: P) -> Reviewer<'a, P> {
        Reviewer { engine, megabytes, haste: 1, poll }
    }

    /// The same with all work divided by a number, for reviews of many games.
    #[must_use]
    pub fn hasty(self, haste: u32) -> Reviewer<'a, P> {
        Reviewer { haste: haste.max(1), ..self }
    }

    /// Judges a position that is not over. `played` is the move that was played, if
    /// one was, and `after` First's chance in the position that it led to, where
    /// that was judged. `None` if the review was ended.
    pub fn judge(
        &mut self,
        session: &Session,
        played: Option<&str>,
        after: Option<f64>,
    ) -> Option<Judgement> {
        let mover = session.to_move();
        let mut exact = self.solve(session, GLANCE_SOLVER)?;
        let played = played.map(str::to_owned);
        if let Some(found) = self.by_solver(session, played.as_ref(), exact.as_ref())? {
            return Some(found);
        }
        let info = self.search(session, &GLANCE, 1)?;
        let line = info.lines.first().map(|line| line.pv.clone()).unwrap_or_default();
        let line = if line.is_empty() { info.best.iter().cloned().collect() } else { line };
        let chance = info.win_rate;
        let first = seen_by(Player::First, mover, chance);
        let found = Judgement { first, line, ..Judgement::default() };
        let (Some(played), Some(after)) = (played, after) else { return Some(found) };
        let own_after = seen_by(mover, Player::First, after);
        // A position is worth at least what a move in it has shown.
        if found.best() == Some(&played) || own_after >= chance {
            let line = if found.best() == Some(&played) { found.line } else { vec![played] };
            return Some(Judgement { first: after, line, cost: Some(0.0), ..Judgement::default() });
        }
        let cost = cost_between(chance, own_after);
        if cost < MARKED {
            return Some(Judgement { cost: Some(cost), ..found });
        }
        if exact.is_some() {
            exact = self.solve(session, CLOSE_SOLVER)?;
            if let Some(found) = self.by_solver(session, Some(&played), exact.as_ref())? {
                return Some(found);
            }
        }
        self.closely(session, &played, found.line, exact.as_ref(), &CLOSE)
    }

    /// Judges a move that is tried in a position, at once.
    pub fn attempt(&mut self, session: &Session, tried: &String) -> Option<Judgement> {
        let exact = self.solve(session, GLANCE_SOLVER)?;
        if let Some(found) = self.by_solver(session, Some(tried), exact.as_ref())? {
            return Some(found);
        }
        let info = self.search(session, &GLANCE, 1)?;
        if info.best.as_ref() == Some(tried) {
            let first = seen_by(Player::First, session.to_move(), info.win_rate);
            let (line, cost) = (vec![tried.clone()], Some(0.0));
            return Some(Judgement { first, line, cost, ..Judgement::default() });
        }
        let line = info.best.into_iter().collect();
        self.closely(session, tried, line, exact.as_ref(), &CLOSE[..1])
    }

    /// The judgement if what the solver knows is enough for one.
    fn by_solver(
        &mut self,
        session: &Session,
        played: Option<&String>,
        exact: Option<&ExactMoves>,
    ) -> Option<Option<Judgement>> {
        let Some((exact, best)) = exact.and_then(|exact| Some((exact, decided(session, exact)?)))
        else {
            return Some(None);
        };
        let mover = session.to_move();
        let first = seen_by(Player::First, mover, chance_of(best.0));
        let mut found =
            Judgement { first, certain: true, line: vec![best.1], ..Judgement::default() };
        let Some(played) = played else { return Some(Some(found)) };
        let Some(result) = result_of(exact, played) else { return Some(None) };
        let cost = chance_of(best.0) - chance_of(result);
        found.cost = Some(cost);
        if cost == 0.0 {
            found.line = vec![played.clone()];
            return Some(Some(found));
        }
        found.line = self.solved_line(session, found.line)?;
        self.explain(session, played, Some(exact), &mut found)?;
        Some(Some(found))
    }

    /// Compares a move with the best one by searches of the same work after each.
    fn closely(
        &mut self,
        session: &Session,
        played: &String,
        line: Vec<String>,
        exact: Option<&ExactMoves>,
        rounds: &[Limits],
    ) -> Option<Judgement> {
        let mover = session.to_move();
        let mut found = Judgement { line, ..Judgement::default() };
        for (round, limits) in rounds.iter().enumerate() {
            let best = found.best()?.clone();
            let good = self.after(session, &best, limits, 2 + round as u64)?;
            let bad = self.after(session, played, limits, 2 + round as u64)?;
            let cost = cost_between(good.chance, bad.chance);
            found.cost = Some(found.cost.map_or(cost, |before: f64| before.min(cost)));
            let better = if good.chance > bad.chance { good } else { bad };
            found.first = seen_by(Player::First, mover, better.chance);
            found.certain = better.certain;
            found.line = better.line;
            if !found.is_marked() {
                return Some(found);
            }
        }
        self.explain(session, played, exact, &mut found)?;
        Some(found)
    }

    /// Says why a marked move is one.
    fn explain(
        &mut self,
        session: &Session,
        played: &String,
        exact: Option<&ExactMoves>,
        found: &mut Judgement,
    ) -> Option<()> {
        if !found.is_marked() {
            return Some(());
        }
        found.refutation = self.after(session, played, &CLOSE[0], 1)?.line;
        found.facts = session.explain(&found.refutation, &found.line);
        let proven = exact.zip(found.best()).and_then(|(exact, best)| exact.fact(played, best));
        if let Some(proven) = proven {
            found.facts.truncate(1);
            found.facts.push(proven);
        }
        Some(())
    }

    /// What a position is worth to its mover after a move, with the line.
    fn after(
        &mut self,
        session: &Session,
        mv: &String,
        limits: &Limits,
        seed: u64,
    ) -> Option<Known> {
        let mover = session.to_move();
        let mut next = session.clone();
        let nothing = Known { chance: 0.5, certain: false, line: vec![mv.clone()] };
        if next.play(&format!("{mv},")).is_err() {
            return Some(nothing);
        }
        if let Some(outcome) = next.outcome() {
            let result = outcome.for_first() * mover.sign();
            return Some(Known { chance: chance_of(result), certain: true, ..nothing });
        }
        let whole = |line: Vec<String>| [vec![mv.clone()], line].concat();
        let exact = self.solve(&next, GLANCE_SOLVER)?;
        if let Some((result, best)) = exact.as_ref().and_then(|exact| decided(&next, exact)) {
            let chance = seen_by(mover, next.to_move(), chance_of(result));
            let line = whole(self.solved_line(&next, vec![best])?);
            return Some(Known { chance, certain: true, line });
        }
        let info = self.search(&next, limits, seed)?;
        let line = info.lines.first().map(|line| line.pv.clone()).unwrap_or_default();
        let chance = seen_by(mover, next.to_move(), info.win_rate);
        Some(Known { chance, certain: false, line: whole(line) })
    }

    /// The solver's line, or the one that is known.
    fn solved_line(&self, session: &Session, known: Vec<String>) -> Option<Vec<String>> {
        let line = session.solved_line(self.megabytes, GLANCE_SOLVER / self.haste);
        self.go_on()?;
        Some(if line.first() == known.first() { line } else { known })
    }

    fn go_on(&self) -> Option<()> {
        (self.poll)().is_continue().then_some(())
    }

    /// What is certain about the moves, in so much time.
    fn solve(&self, session: &Session, time: Duration) -> Option<Option<ExactMoves>> {
        let (began, time) = (Instant::now(), time / self.haste);
        let mut newest = None;
        session.solve_moves(self.megabytes, &mut |known| {
            newest = known.cloned().or(newest.take());
            match (self.poll)().is_continue() && began.elapsed() < time {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        self.go_on()?;
        Some(newest)
    }

    fn search(
        &mut self,
        session: &Session,
        limits: &Limits,
        seed: u64,
    ) -> Option<SearchInfo<String>> {
        let moves = session.moves();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        self.engine.set(Some(&session.start()), &moves).ok()?;
        self.engine.new_game(seed);
        let poll: Poll = Box::new(self.poll.clone());
        let share = |work: Option<u64>| work.map(|work| (work / u64::from(self.haste)).max(1));
        let limits = Limits { sims: share(limits.sims), nodes: share(limits.nodes), ..*limits };
        let info = self.engine.search(&limits, Some(poll));
        self.go_on()?;
        Some(info)
    }
}

/// The result of a move, if it is certain.
fn result_of(exact: &ExactMoves, mv: &str) -> Option<i32> {
    exact.moves.iter().find(|one| one.mv == mv)?.result
}

/// The result of a position and a best move, if the moves' results decide it.
fn decided(session: &Session, exact: &ExactMoves) -> Option<(i32, String)> {
    let known = exact.moves.iter().filter(|mv| mv.result.is_some());
    let best = known.clone().max_by_key(|mv| {
        let result = mv.result.unwrap_or(-1);
        let plies = i64::from(mv.plies.unwrap_or(0));
        (result, mv.low, -i64::from(result) * plies)
    })?;
    let result = best.result?;
    let all = known.count() == session.legal().len();
    (all || result == 1).then(|| (result, best.mv.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EngineSpec, open};

    fn review(game: &str, moves: &[&str]) -> Vec<Judgement> {
        let mut session = open(&game.parse().unwrap());
        let engine: EngineSpec = "uct memory=16".parse().unwrap();
        let mut engine = session.engine(&engine, 1).unwrap();
        let mut reviewer = Reviewer::new(&mut engine, 8, || ControlFlow::Continue(()));
        session.set(None, moves).unwrap();
        let mut found: Vec<Judgement> = Vec::new();
        let mut after = session.outcome().map(|outcome| chance_of(outcome.for_first()));
        for ply in (0..moves.len()).rev() {
            session.set(None, &moves[..ply]).unwrap();
            let judged = reviewer.judge(&session, Some(moves[ply]), after).unwrap();
            after = Some(judged.first);
            found.push(judged);
        }
        found.reverse();
        found
    }

    #[test]
    fn a_solved_game_has_exact_costs() {
        // Second overlooks three in the lowest row.
        let found = review("connect-four 5x4", &["2", "2", "3", "3", "4"]);
        assert!(found.iter().all(|one| one.certain), "{found:?}");
        assert!(found[3].is_marked() && !found[3].refutation.is_empty(), "{:?}", found[3]);
        assert!(!found[3].facts.is_empty());
        assert_eq!(found[3].line.first().map(String::len), Some(1));
    }

    #[test]
    fn what_changes_nothing_costs_nothing() {
        for (good, bad) in [(1.0, 0.9), (0.95, 0.92), (0.1, 0.0), (0.5, 0.6)] {
            assert_eq!(cost_between(good, bad), 0.0, "{good} and {bad}");
        }
        assert!((cost_between(0.95, 0.8) - 0.15).abs() < 1e-9);
        assert!((cost_between(0.2, 0.05) - 0.15).abs() < 1e-9);
    }

    #[test]
    fn accuracy_falls_with_the_cost() {
        assert!(accuracy(0.0) > 99.9);
        assert!((accuracy(0.5) - 8.5).abs() < 1.0);
        assert_eq!(accuracy(1.0), 0.0);
    }
}
