//! Teams with equal scores meet, and no two twice.
//!
//! The teams stand by score, then by seed. The first that is free meets the one
//! half a score group below it, or the nearest to that with whom a pairing is
//! allowed; if the rest can't be paired any more, the choice is taken back
//! (depth-first search, as in the Dutch system's "exchanges"). Allowed means: they
//! have not met, and not both must have the same side. Where no such round exists,
//! the sides are given up first, then the rule against a second meeting, as in a
//! tournament with about as many rounds as teams.

use crate::history::{History, histories, ordered};
use crate::{Entry, Event, EventError, Pairing};

/// Choices after which a search is given up. A round of forty teams takes some
/// hundred; for at most twelve teams this is every choice there is.
const MOST_CHOICES: u32 = 200_000;

/// What a round must keep to.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rules {
    /// Not both must have the same side.
    sides: bool,
    /// How often two may have met.
    meetings: u32,
}

/// The next round.
pub fn pair(event: &Event) -> Result<Vec<Entry>, EventError> {
    let mut ranked: Vec<History> = histories(event);
    ranked.retain(|history| !event.teams[history.team].withdrawn);
    ranked.sort_by_key(|history| (std::cmp::Reverse(history.half_points), history.team));
    if ranked.len() < 2 {
        return Err(EventError::new("fewer than two teams are left"));
    }
    // With two games each team is First once.
    let sides = event.settings.games == 1;
    let most = ranked.iter().flat_map(|history| history.met.values()).max().copied().unwrap_or(0);
    let strict = sides.then_some(Rules { sides, meetings: 0 });
    let relaxed = (0..=most).map(|meetings| Rules { sides: false, meetings });
    for rules in strict.into_iter().chain(relaxed) {
        for resting in resting(&ranked) {
            let playing: Vec<&History> =
                ranked.iter().filter(|one| Some(one.team) != resting).collect();
            if let Some(pairs) = Search::new(&playing, rules).run() {
                let table = |(table, (a, b)): (usize, (usize, usize))| {
                    let teams = ordered(playing[a], playing[b], table);
                    Entry::Table(Pairing::new(teams, event.settings.games))
                };
                let tables = pairs.into_iter().enumerate().map(table);
                return Ok(tables.chain(resting.map(Entry::Bye)).collect());
            }
        }
    }
    Err(EventError::new("no pairing was found"))
}

/// Who may have the bye, the best choice first: fewest byes, then lowest score. With
/// an even number of teams nobody.
fn resting(ranked: &[History]) -> Vec<Option<usize>> {
    if ranked.len().is_multiple_of(2) {
        return vec![None];
    }
    let mut all: Vec<&History> = ranked.iter().rev().collect();
    all.sort_by_key(|history| history.byes);
    all.into_iter().map(|history| Some(history.team)).collect()
}

/// A depth-first search for a whole round.
struct Search<'a> {
    ranked: &'a [&'a History],
    rules: Rules,
    free: Vec<bool>,
    pairs: Vec<(usize, usize)>,
    choices: u32,
}

impl<'a> Search<'a> {
    fn new(ranked: &'a [&'a History], rules: Rules) -> Search<'a> {
        let free = vec![true; ranked.len()];
        Search { ranked, rules, free, pairs: Vec::new(), choices: 0 }
    }

    fn run(mut self) -> Option<Vec<(usize, usize)>> {
        self.extend().then_some(self.pairs)
    }

    /// Pairs everyone who is free. Whether that was possible.
    fn extend(&mut self) -> bool {
        let Some(first) = self.free.iter().position(|&free| free) else { return true };
        self.free[first] = false;
        for opponent in self.opponents(first) {
            self.choices += 1;
            if self.choices > MOST_CHOICES {
                break;
            }
            self.free[opponent] = false;
            self.pairs.push((first, opponent));
            if self.extend() {
                return true;
            }
            self.pairs.pop();
            self.free[opponent] = true;
        }
        self.free[first] = true;
        false
    }

    /// With whom a team may be paired, the best choice first.
    fn opponents(&self, first: usize) -> Vec<usize> {
        let score = self.ranked[first].half_points;
        let allowed = |&other: &usize| self.free[other] && self.allows(first, other);
        let mut group: Vec<usize> = (first + 1..self.ranked.len())
            .take_while(|&other| self.ranked[other].half_points == score)
            .filter(|&other| self.free[other])
            .collect();
        // The upper half of a group against its lower half.
        let middle = group.len() / 2;
        let mut upper: Vec<usize> = group.drain(..middle).collect();
        upper.reverse();
        let below = (first + 1..self.ranked.len())
            .skip_while(|&other| self.ranked[other].half_points == score);
        group.into_iter().chain(upper).chain(below).filter(allowed).collect()
    }

    fn allows(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.ranked[a], self.ranked[b]);
        let met = a.met.get(&b.team).copied().unwrap_or(0);
        let sides = [a, b].map(History::must_be_first);
        met <= self.rules.meetings
            && !(self.rules.sides && sides[0].is_some() && sides[0] == sides[1])
    }
}
