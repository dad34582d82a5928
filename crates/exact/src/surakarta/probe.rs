//! Asking the tables about a position of a real game.
//!
//! A table knows placements, not counters. Under a limit of quiet plies a win
//! counts only if it comes before the limit does, so a probe looks at the
//! position's counter; and a table is used only where all the rules that it
//! assumes hold.

use games::surakarta::{ForfeitRule, Move, Repeat, Setup, Stall, Surakarta};
use games::{Game, MoveList, Player, Record};
use search::{Line, Oracle, Score, SearchInfo, Source, Verdict};

use super::class::Placement;
use super::tables::Tables;
use super::value::{Distance, Value, byte};

/// The least limit of quiet plies under which the tables hold: no distance in
/// them comes near it, so a result that survives a capture survives the next
/// one too.
const LEAST_QUIET: u16 = 64;

impl Tables {
    /// Whether a setup has the rules that these tables were built for.
    pub fn agree(&self, setup: &Setup) -> bool {
        setup.stall == self.stall()
            && (setup.quiet >= LEAST_QUIET || setup.quiet == 0 && setup.repetition > 0)
            && (setup.repetition == 0 || setup.repeat == Repeat::Stall)
            && setup.nomove == ForfeitRule::Loses
            && setup.cap == 0
            && !setup.standoff
    }

    /// What a position that is not over is worth to its mover, if the tables
    /// know it for certain under its setup and with its counter of quiet plies.
    pub fn position_value(&self, game: &Surakarta) -> Option<Value> {
        let setup = game.setup();
        if !self.agree(&setup) {
            return None;
        }
        let placement = placement(game);
        let value = self.value(placement)?;
        let Distance::Plies(plies) = value.distance() else { return Some(value) };
        let mut needed = u16::from(plies);
        // Where pieces count, the stronger side wins by the limit. So instead of the
        // draw that is forced on it, it may choose a line in which it would lose, if
        // only the limit comes first: there must be time for that line, too. A
        // capture at once leaves it no choice.
        if matches!(value, Value::Draw(_))
            && plies > 1
            && setup.stall == Stall::Count
            && placement.mover.count_ones() != placement.other.count_ones()
        {
            needed += u16::from(byte::FARTHEST);
        }
        let in_time = setup.quiet == 0 || game.quiet() + needed <= setup.quiet;
        in_time.then_some(value)
    }

    /// The legal moves whose worth to the mover is known, best first. If
    /// [`Tables::position_value`] knows the position, the first move is a best one.
    pub fn ranked(&self, game: &Surakarta) -> Vec<(Move, Value)> {
        let mut list = MoveList::new();
        game.moves(&mut list);
        let mut ranked: Vec<_> =
            list.into_iter().filter_map(|mv| Some((mv, self.worth(game, mv)?))).collect();
        ranked.sort_by_key(|&(mv, value)| (std::cmp::Reverse(preference(value)), mv));
        ranked
    }

    /// What to play in a game that the tables know, with the certain result;
    /// `None` if they do not. A move that repeats a position for the last time
    /// that the rules allow is not played while there is another as good.
    pub fn answer(&self, record: &Record<Surakarta>) -> Option<SearchInfo<Move>> {
        let game = record.game();
        let value = self.position_value(game)?;
        let plies = |value: Value| match value.distance() {
            Distance::Plies(plies) => Some(plies.into()),
            Distance::Stall => None,
        };
        let ranked = self.ranked(game);
        let repeats = |mv: Move| {
            let mut next = record.clone();
            next.play(mv)
                .is_ok_and(|()| next.game().outcome().is_none() && next.outcome().is_some())
        };
        let as_good = ranked.iter().filter(|(_, worth)| worth.sign() == value.sign());
        let chosen = as_good.clone().find(|(mv, _)| !repeats(*mv)).or(ranked.first())?;
        let line = |&(mv, worth): &(Move, Value)| Line {
            mv,
            score: Score::Proven { result: worth.sign(), plies: plies(worth) },
            visits: 0,
            pv: vec![mv],
        };
        Some(SearchInfo {
            best: Some(chosen.0),
            score: Score::Proven { result: value.sign(), plies: plies(value) },
            win_rate: f64::from(1 + value.sign()) / 2.0,
            depth: plies(value).unwrap_or(0),
            lines: std::iter::once(chosen)
                .chain(ranked.iter().filter(|other| other.0 != chosen.0))
                .map(line)
                .collect(),
            source: Source::Table,
            ..SearchInfo::default()
        })
    }

    /// What a move is worth to the player who makes it.
    fn worth(&self, game: &Surakarta, mv: Move) -> Option<Value> {
        let next = game.after(mv);
        if let Some(outcome) = next.outcome() {
            let one = Distance::Plies(1);
            return Some(match outcome.for_first() * game.to_move().sign() {
                1 => Value::Win(one),
                -1 => Value::Loss(one),
                _ => Value::Draw(one),
            });
        }
        // A capture ends the count of plies: the distance is its own.
        let count = |distance| match distance {
            _ if game.is_capture(mv) => Distance::Plies(1),
            Distance::Plies(plies) => Distance::Plies(plies + 1),
            Distance::Stall => Distance::Stall,
        };
        Some(match self.position_value(&next)? {
            Value::Win(distance) => Value::Loss(count(distance)),
            Value::Draw(distance) => Value::Draw(count(distance)),
            Value::Loss(distance) => Value::Win(count(distance)),
        })
    }
}

/// How much a mover likes a value: wins soon, losses late.
fn preference(value: Value) -> i32 {
    let plies = match value.distance() {
        Distance::Plies(plies) => i32::from(plies),
        Distance::Stall => 100,
    };
    match value {
        Value::Win(_) => 1000 - plies,
        Value::Draw(_) => 0,
        Value::Loss(_) => plies - 1000,
    }
}

fn placement(game: &Surakarta) -> Placement {
    let [first, second] = game.boards();
    match game.to_move() {
        Player::First => Placement { mover: first, other: second },
        Player::Second => Placement { mover: second, other: first },
    }
}

impl Oracle<Surakarta> for Tables {
    fn probe(&self, game: &Surakarta, _nodes: u64) -> Option<Verdict<Move>> {
        let value = self.position_value(game)?;
        let for_first = value.sign() * game.to_move().sign();
        Some(Verdict {
            winner: match for_first {
                1 => Some(Player::First),
                -1 => Some(Player::Second),
                _ => None,
            },
            score: for_first,
            plies: match value.distance() {
                Distance::Plies(plies) => Some(plies.into()),
                Distance::Stall => None,
            },
            best: None,
            source: Source::Table,
        })
    }

    fn best_move(&self, record: &Record<Surakarta>) -> Option<SearchInfo<Move>> {
        self.answer(record)
    }
}
