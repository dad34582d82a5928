//! Who loses is out.
//!
//! The bracket is that of the seeds: the best two can only meet in the final, and
//! the places that are left free are byes of the highest seeds.

use crate::history::{histories, ordered};
use crate::{Entry, Event, Pairing};

/// How many rounds so many teams need.
pub fn rounds(teams: usize) -> usize {
    teams.next_power_of_two().trailing_zeros() as usize
}

/// The seeds in the order of a bracket with so many rounds: 0 3 1 2 for two.
fn bracket(rounds: usize) -> Vec<usize> {
    let mut order = vec![0];
    for _ in 0..rounds {
        let places = 2 * order.len();
        order = order.into_iter().flat_map(|seed| [seed, places - 1 - seed]).collect();
    }
    order
}

/// The next round, in the order of the bracket.
pub fn pair(event: &Event) -> Vec<Entry> {
    let teams = event.teams.len();
    let slots: Vec<Option<usize>> = match event.rounds.last() {
        None => bracket(rounds(teams))
            .into_iter()
            .map(|seed| Some(seed).filter(|&seed| seed < teams && !event.teams[seed].withdrawn))
            .collect(),
        Some(round) => round
            .entries
            .iter()
            .map(|entry| match entry {
                Entry::Bye(team) => Some(*team),
                Entry::Table(pairing) => pairing.advances().map(|side| pairing.teams[side]),
            })
            .map(|team| team.filter(|&team| !event.teams[team].withdrawn))
            .collect(),
    };
    let past = histories(event);
    let mut entries = Vec::new();
    for (table, pair) in slots.chunks(2).enumerate() {
        match (pair[0], pair.get(1).copied().flatten()) {
            (Some(a), Some(b)) => {
                let sides = ordered(&past[a], &past[b], table);
                entries.push(Entry::Table(Pairing::new(sides, event.settings.games)));
            }
            (Some(team), None) | (None, Some(team)) => entries.push(Entry::Bye(team)),
            (None, None) => {}
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_last() {
        assert_eq!(bracket(2), [0, 3, 1, 2]);
        assert_eq!(bracket(3), [0, 7, 3, 4, 1, 6, 2, 5]);
        assert_eq!([1, 2, 3, 8, 9].map(rounds), [0, 1, 2, 3, 4]);
    }
}
