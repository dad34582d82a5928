//! Everyone against everyone, by the circle method.
//!
//! One team stays, the others go round; with an odd number of teams the one that
//! stays is nobody, and whoever meets it has a bye. Of two teams of the circle the
//! one whose distance to the other is odd is First: since the circle has an odd
//! number of places, exactly one of the two distances is, and each team is First
//! against half of the circle.

use crate::{Entry, Event, Pairing};

/// How many rounds so many teams need.
pub fn rounds(teams: usize) -> usize {
    teams.next_multiple_of(2).saturating_sub(1)
}

/// The next round.
pub fn pair(event: &Event) -> Vec<Entry> {
    let teams = event.teams.len();
    let round = event.rounds.len();
    let circle = rounds(teams);
    let mut entries = Vec::new();
    let mut meet = |first: usize, second: usize| {
        let rests = |team: usize| team >= teams || event.teams[team].withdrawn;
        match (rests(first), rests(second)) {
            (false, false) => {
                let pairing = Pairing::new([first, second], event.settings.games);
                entries.push(Entry::Table(pairing));
            }
            (true, false) => entries.push(Entry::Bye(second)),
            (false, true) => entries.push(Entry::Bye(first)),
            (true, true) => {}
        }
    };
    // The team that stays alternates.
    let [first, second] = if round.is_multiple_of(2) { [circle, round] } else { [round, circle] };
    meet(first, second);
    for step in 1..=circle / 2 {
        let (a, b) = ((round + step) % circle, (round + circle - step) % circle);
        let distance = (a + circle - b) % circle;
        let [first, second] = if distance % 2 == 1 { [a, b] } else { [b, a] };
        meet(first, second);
    }
    // Byes stand last.
    entries.sort_by_key(|entry| matches!(entry, Entry::Bye(_)));
    entries
}
