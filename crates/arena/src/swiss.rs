//! The pairings of a Swiss round.
//!
//! Engines are ordered by points, the lower number first among equals, and each is
//! paired with the next one below that it has met least often. With more rounds than
//! opponents engines meet again, all about equally often. In an odd field the last
//! one that has sat out least often sits out, for the points of a won pair.

use crate::Standing;

/// Attempts at pairings in which nobody meets more often than allowed; then one more
/// meeting is allowed.
const MOST_STEPS: u32 = 100_000;

/// The pairings of a round, the lower number of each first, the leaders' first.
pub(crate) fn pair_round(engines: usize, round: u64, standing: &Standing) -> Vec<[usize; 2]> {
    let tallies: Vec<_> = (0..engines).map(|engine| standing.of(engine)).collect();
    let sat_out = |engine: usize| round - tallies[engine].games() / 2;
    let points = |engine: usize| tallies[engine].points() + 2.0 * sat_out(engine) as f64;
    let mut order: Vec<usize> = (0..engines).collect();
    order.sort_by(|&a, &b| points(b).total_cmp(&points(a)).then(a.cmp(&b)));
    if engines % 2 == 1 {
        let fewest = order.iter().map(|&engine| sat_out(engine)).min();
        let last = order.iter().rposition(|&engine| Some(sat_out(engine)) == fewest);
        last.map(|place| order.remove(place));
    }
    let met = |a: usize, b: usize| {
        let engines = [a.min(b), a.max(b)];
        let encounter = standing.encounters.iter().find(|e| e.engines == engines);
        encounter.map_or(0, |e| e.tally.games() / 2)
    };
    for most in 0.. {
        let (mut pairings, mut steps) = (Vec::new(), 0);
        if pair_within(&order, most, &met, &mut pairings, &mut steps) {
            return pairings;
        }
    }
    unreachable!("with enough meetings allowed everybody may meet")
}

/// Pairs all of these without any two having met more than `most` times, the first
/// with the nearest one for which the rest can be paired. False if there is no way,
/// or none was found in time.
fn pair_within(
    order: &[usize],
    most: u64,
    met: &impl Fn(usize, usize) -> u64,
    pairings: &mut Vec<[usize; 2]>,
    steps: &mut u32,
) -> bool {
    let Some((&first, rest)) = order.split_first() else { return true };
    for (place, &other) in rest.iter().enumerate() {
        *steps += 1;
        if *steps > MOST_STEPS {
            return false;
        }
        if met(first, other) > most {
            continue;
        }
        pairings.push([first.min(other), first.max(other)]);
        let left = [&rest[..place], &rest[place + 1..]].concat();
        if pair_within(&left, most, met, pairings, steps) {
            return true;
        }
        pairings.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use games::Rng;
    use games::connect_four::ConnectFour;

    use crate::standing::Counter;
    use crate::{Entrant, Format, MatchConfig, Schedule};

    fn config(engines: usize) -> MatchConfig {
        let entrant =
            Entrant { spec: String::new(), version: String::new(), limits: Default::default() };
        MatchConfig {
            format: Format::Swiss,
            ..MatchConfig::new::<ConnectFour<u64>>(&Default::default(), vec![entrant; engines], 1)
        }
    }

    /// Plays a match in which the lower number wins with this chance; the pairings by
    /// round.
    fn play(engines: usize, rounds: u64, chance: f64) -> Vec<Vec<[usize; 2]>> {
        let mut counter = Counter::new(&Schedule::new(&config(engines), rounds), None);
        let mut rng = Rng::seeded(engines as u64);
        let mut played = Vec::new();
        for pair in 0..rounds * (engines as u64 / 2) {
            let schedule = counter.schedule();
            assert!(pair < schedule.known_pairs(), "a round is paired when the last one is over");
            let game = schedule.game(2 * pair);
            assert_eq!(game.round, pair / (engines as u64 / 2));
            if pair % (engines as u64 / 2) == 0 {
                played.push(Vec::new());
            }
            played.last_mut().unwrap().push(game.engines);
            let result = if rng.unit() < chance { 1 } else { -1 };
            counter.add(pair, [result, result]);
        }
        assert!(counter.standing().finished());
        played
    }

    #[test]
    fn everybody_plays_once_a_round_and_meets_nobody_too_often() {
        for engines in 2..12 {
            for rounds in [1, 3, 8, 20] {
                let mut met: HashMap<[usize; 2], u64> = HashMap::new();
                let mut games = vec![0; engines];
                for round in play(engines, rounds, 0.8) {
                    let mut seen = vec![0; engines];
                    for pairing in round {
                        *met.entry(pairing).or_default() += 1;
                        pairing.iter().for_each(|&engine| seen[engine] += 1);
                    }
                    assert!(seen.iter().all(|&times| times <= 1), "{engines} engines");
                    let out = seen.iter().filter(|&&times| times == 0).count();
                    assert_eq!(out, engines % 2);
                    games.iter_mut().zip(seen).for_each(|(all, one)| *all += one);
                }
                let (least, most) = (games.iter().min(), games.iter().max());
                assert!(most.unwrap() - least.unwrap() <= 1, "all sit out equally often");
                let full = (engines - 1 + engines % 2) as u64;
                let most = met.values().max().unwrap();
                assert!(*most <= rounds.div_ceil(full) + 1, "{engines}, {rounds}: {most}");
            }
        }
    }

    #[test]
    fn leaders_meet_leaders_and_the_same_results_give_the_same_pairings() {
        let rounds = play(8, 3, 1.0);
        assert_eq!(rounds[0], [[0, 1], [2, 3], [4, 5], [6, 7]]);
        // The winners 0, 2, 4, 6 play each other.
        assert_eq!(rounds[1], [[0, 2], [4, 6], [1, 3], [5, 7]]);
        assert_eq!(rounds[2][0], [0, 4]);
        assert_eq!(play(8, 3, 1.0), rounds);
        assert_eq!(play(8, 2, 1.0), rounds[..2], "more rounds leave the earlier ones");
    }
}
