//! What a team has played so far, as far as the next pairing depends on it.

use std::collections::BTreeMap;

use crate::{Entry, Event};

/// One team's past.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Its number.
    pub team: usize,
    pub half_points: u32,
    /// Whether it was First in each round that it played; nothing for byes.
    pub sides: Vec<bool>,
    /// How often it met each opponent. Games that were not played count too: the
    /// pairing was made.
    pub met: BTreeMap<usize, u32>,
    pub byes: u32,
}

impl History {
    /// Rounds as First minus rounds as Second.
    pub fn balance(&self) -> i32 {
        self.sides.iter().map(|&first| if first { 1 } else { -1 }).sum()
    }

    /// The side that it must have now: twice the same in a row, or twice as often,
    /// is the most.
    pub fn must_be_first(&self) -> Option<bool> {
        let balance = self.balance();
        match self.sides[..] {
            _ if balance >= 2 => Some(false),
            _ if balance <= -2 => Some(true),
            [.., a, b] if a == b => Some(!b),
            _ => None,
        }
    }
}

/// The past of every team.
pub fn histories(event: &Event) -> Vec<History> {
    let mut all: Vec<History> =
        (0..event.teams.len()).map(|team| History { team, ..History::default() }).collect();
    let bye = 2 * event.settings.games as u32;
    for entry in event.rounds.iter().flat_map(|round| &round.entries) {
        match entry {
            Entry::Bye(team) => {
                all[*team].byes += 1;
                all[*team].half_points += bye;
            }
            Entry::Table(pairing) => {
                let [a, b] = pairing.teams;
                for ((own, other), half_points) in
                    [(a, b), (b, a)].into_iter().zip(pairing.half_points())
                {
                    all[own].half_points += half_points;
                    all[own].sides.push(own == a);
                    *all[own].met.entry(other).or_default() += 1;
                }
            }
        }
    }
    all
}

/// Two teams in the order in which they play: First, Second. `table` breaks ties,
/// so that the higher seeds do not all begin as First.
pub fn ordered(a: &History, b: &History, table: usize) -> [usize; 2] {
    let a_first = match (a.must_be_first(), b.must_be_first()) {
        (Some(first), other) if other != Some(first) => first,
        (None, Some(first)) => !first,
        _ if a.balance() != b.balance() => a.balance() < b.balance(),
        // Who was Second when they last differed.
        _ => {
            let pairs = a.sides.iter().rev().zip(b.sides.iter().rev());
            let last = pairs.into_iter().find(|(a, b)| a != b);
            last.map_or(table.is_multiple_of(2), |(&a_was_first, _)| !a_was_first)
        }
    };
    if a_first { [a.team, b.team] } else { [b.team, a.team] }
}
