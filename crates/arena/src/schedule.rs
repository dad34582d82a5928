//! Which engines are paired, in which order and with which seed.
//!
//! A schedule is a plain value and every game a pure function of its index, so
//! nothing about it needs to be stored and any game can be replayed alone.
//! Games 2k and 2k + 1 are a pair: one opening, colours swapped. A round is one
//! pair of every pairing; more rounds leave the earlier games as they are.
//!
//! The pairings of a Swiss round follow from the results before it, so its schedule
//! grows round by round ([`Schedule::pair_next_round`]); the same results always
//! give the same pairings.

use games::mix;
use serde::{Deserialize, Serialize};

use crate::{MatchConfig, Standing, swiss};

/// Which engines are paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// Every engine plays every other.
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
    /// In each round every engine plays one of about as many points.
    Swiss,
}

/// The games of a match.
///
/// ```
/// # use arena::{Entrant, MatchConfig, Schedule};
/// # let entrant = Entrant { spec: "uct".into(), version: "1".into(), limits: Default::default() };
/// # let engines = vec![entrant; 3];
/// # let config = MatchConfig::new::<games::surakarta::Surakarta>(&Default::default(), engines, 1);
/// let schedule = Schedule::new(&config, 10);
/// assert_eq!(schedule.pairings(), [[0, 1], [0, 2], [1, 2]]);
/// assert_eq!(schedule.pairs(), 30);
/// // Games 2k and 2k + 1 are a pair: one opening, colours swapped.
/// let (one, other) = (schedule.game(4), schedule.game(5));
/// assert_eq!((one.engines, other.engines), ([1, 2], [2, 1]));
/// assert_eq!(one.opening, other.opening);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u64,
    seed: u64,
    swiss: Option<SwissPairings>,
}

/// The rounds of a Swiss match that are paired.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SwissPairings {
    engines: usize,
    /// The pairing of each pair, as an index into [`Schedule::pairings`].
    pairs: Vec<usize>,
}

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledGame {
    /// Its index in the match.
    pub index: u64,
    /// The pair it belongs to: half its index.
    pub pair: u64,
    /// How many pairs its pairing has before this one.
    pub round: u64,
    /// The engines that play First and Second, by number.
    pub engines: [usize; 2],
    /// Seeds the game's random choices: the match's seed and the index mixed.
    pub seed: u64,
    /// Seeds the opening; the same for both games of a pair.
    pub opening: u64,
}

impl Schedule {
    /// The schedule of a match over so many rounds.
    pub fn new(config: &MatchConfig, rounds: u64) -> Schedule {
        let engines = config.engines.len();
        let all = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        let pairings = match config.format {
            Format::RoundRobin | Format::Swiss => all.collect(),
            Format::Gauntlet => all.filter(|pairing| pairing[0] == 0).collect(),
        };
        let swiss = SwissPairings { engines, pairs: Vec::new() };
        let swiss = (config.format == Format::Swiss).then_some(swiss);
        Schedule { pairings, rounds, seed: config.seed, swiss }
    }

    /// The engines of each pairing, the lower number first.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// How many pairs there are in all.
    pub fn pairs(&self) -> u64 {
        self.round_pairs() * self.rounds
    }

    /// The pairs of one round.
    pub fn round_pairs(&self) -> u64 {
        match &self.swiss {
            Some(swiss) => swiss.engines as u64 / 2,
            None => self.pairings.len() as u64,
        }
    }

    /// How many pairs are known: all, except in a Swiss match, where they follow
    /// from earlier results.
    pub fn known_pairs(&self) -> u64 {
        self.swiss.as_ref().map_or(self.pairs(), |swiss| swiss.pairs.len() as u64)
    }

    /// Pairs the next Swiss round, if the standing has all results of those before it
    /// and there is one to come.
    pub fn pair_next_round(&mut self, standing: &Standing) {
        let (known, all) = (self.known_pairs(), self.pairs());
        let Some(swiss) = &mut self.swiss else { return };
        if known == all || standing.pairs != known {
            return;
        }
        let round = known / (swiss.engines as u64 / 2).max(1);
        for engines in swiss::pair_round(swiss.engines, round, standing) {
            let pairing = self.pairings.iter().position(|&pairing| pairing == engines);
            swiss.pairs.extend(pairing);
        }
    }

    /// The pairing of a known pair, as an index into [`Schedule::pairings`].
    pub fn pairing_of(&self, pair: u64) -> usize {
        match &self.swiss {
            Some(swiss) => swiss.pairs[pair as usize],
            None => (pair % self.pairings.len() as u64) as usize,
        }
    }

    /// The game at an index below twice the number of known pairs.
    pub fn game(&self, index: u64) -> ScheduledGame {
        // Openings have their own stream, so that a game's seed never equals one.
        const OPENINGS: u64 = 0x6f70_656e_696e_6773;
        let pair = index / 2;
        let mut engines = self.pairings[self.pairing_of(pair)];
        if index % 2 == 1 {
            engines.reverse();
        }
        ScheduledGame {
            index,
            pair,
            round: pair / self.round_pairs(),
            engines,
            seed: mix(self.seed, index),
            opening: mix(mix(self.seed, OPENINGS), pair),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::{Entrant, Openings, Rules};

    fn schedule(engines: usize, format: Format, rounds: u64) -> Schedule {
        let entrant =
            Entrant { spec: String::new(), version: String::new(), limits: Default::default() };
        let config = MatchConfig {
            game: String::new(),
            setup: String::new(),
            boards: crate::Boards::Given,
            engines: vec![entrant; engines],
            format,
            openings: Openings::Random { plies: 0 },
            rules: Rules::default(),
            seed: 5,
            repetition: 0,
        };
        Schedule::new(&config, rounds)
    }

    #[test]
    fn every_pairing_has_both_colours_equally_often() {
        for engines in 2..7 {
            let schedule = schedule(engines, Format::RoundRobin, 3);
            let mut met = HashMap::new();
            for index in 0..2 * schedule.pairs() {
                *met.entry(schedule.game(index).engines).or_insert(0) += 1;
            }
            assert_eq!(met.len(), engines * (engines - 1));
            assert!(met.values().all(|&times| times == 3));
        }
    }

    #[test]
    fn in_a_gauntlet_the_first_plays_every_game() {
        let schedule = schedule(4, Format::Gauntlet, 2);
        assert_eq!(schedule.pairs(), 6);
        assert!((0..12).all(|index| schedule.game(index).engines.contains(&0)));
    }

    #[test]
    fn a_pair_shares_its_opening_and_nothing_else() {
        let schedule = schedule(3, Format::RoundRobin, 50);
        let mut seeds = HashSet::new();
        for pair in 0..schedule.pairs() {
            let (a, b) = (schedule.game(2 * pair), schedule.game(2 * pair + 1));
            assert_eq!((a.pair, a.round, a.opening), (b.pair, b.round, b.opening));
            assert_eq!(a.engines, [b.engines[1], b.engines[0]]);
            assert!(seeds.insert(a.seed) && seeds.insert(b.seed) && seeds.insert(a.opening));
        }
    }

    #[test]
    fn more_rounds_leave_the_earlier_games_as_they_are() {
        let (short, long) =
            (schedule(4, Format::RoundRobin, 2), schedule(4, Format::RoundRobin, 9));
        assert!((0..2 * short.pairs()).all(|index| short.game(index) == long.game(index)));
    }
}
