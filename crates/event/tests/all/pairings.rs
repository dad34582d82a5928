//! Laws of a tournament, whatever its results.

use std::collections::BTreeMap;

use event::{Entry, Event, Format, GameEnd, Round, Settings, Winner};
use games::Rng;

/// An event with so many teams.
pub fn event(format: Format, teams: usize) -> Event {
    let names: Vec<String> = (1..=teams).map(|n| format!("Team {n}")).collect();
    let settings = Settings::new("Cup", "connect-four", format);
    Event::new(settings, names.iter().map(String::as_str)).unwrap()
}

/// Enters a result for every open game of the last round: the better team mostly
/// wins, one game in twenty is not played.
pub fn play_round(event: &mut Event, rng: &mut Rng) {
    let round = event.rounds.len() - 1;
    let tables: Vec<[usize; 2]> = event.rounds[round].tables().map(|one| one.teams).collect();
    for (table, [a, b]) in tables.into_iter().enumerate() {
        for game in 0..event.settings.games {
            let chance = 0.5 + (b as f64 - a as f64) / (2.0 * event.teams.len() as f64);
            let decisive = event.settings.format == Format::Knockout;
            let winner = match rng.unit() {
                _ if !decisive && rng.below(6) == 0 => Winner::Draw,
                luck if luck < chance => Winner::First,
                _ => Winner::Second,
            };
            let end = match rng.below(20) {
                0 if !decisive && rng.below(4) == 0 => GameEnd::new(Winner::Nobody, "forfeit"),
                _ if winner == Winner::Draw => GameEnd::new(winner, "agreed"),
                0 => GameEnd::new(winner, "forfeit"),
                _ => GameEnd::new(winner, "resigned"),
            };
            event.set_result((round, table, game), Some(end)).unwrap();
        }
    }
}

/// Who met whom how often.
fn meetings(rounds: &[Round]) -> BTreeMap<[usize; 2], usize> {
    let mut met = BTreeMap::new();
    for pairing in rounds.iter().flat_map(Round::tables) {
        let mut pair = pairing.teams;
        pair.sort_unstable();
        *met.entry(pair).or_default() += 1;
    }
    met
}

/// Every team that plays on stands exactly once in a round.
fn assert_whole(event: &Event, round: &Round, absent: &[usize]) {
    let mut seen: Vec<usize> = round
        .entries
        .iter()
        .flat_map(|entry| match entry {
            Entry::Table(pairing) => pairing.teams.to_vec(),
            Entry::Bye(team) => vec![*team],
        })
        .collect();
    seen.sort_unstable();
    let expected: Vec<usize> =
        (0..event.teams.len()).filter(|team| !absent.contains(team)).collect();
    assert_eq!(seen, expected);
}

/// The sides that a team had, round by round.
fn sides(event: &Event, team: usize) -> Vec<bool> {
    let tables = event.rounds.iter().flat_map(Round::tables);
    tables.filter(|one| one.teams.contains(&team)).map(|one| one.teams[0] == team).collect()
}

fn balance(sides: &[bool]) -> i32 {
    sides.iter().map(|&first| if first { 1 } else { -1 }).sum()
}

#[test]
fn forty_teams_play_nine_swiss_rounds() {
    for (teams, seed) in [(40, 1), (40, 2), (41, 3), (12, 4), (39, 5)] {
        let mut event = event(Format::Swiss { rounds: 9 }, teams);
        let mut rng = Rng::seeded(seed);
        let mut gaps = 0;
        for round in 0..9 {
            let before = event.standings();
            let points = |team: usize| {
                before.iter().find(|one| one.team == team).map_or(0, |one| one.half_points)
            };
            assert_eq!(event.pair().unwrap(), round);
            assert_whole(&event, &event.rounds[round], &[]);
            let tables = event.rounds[round].tables();
            gaps +=
                tables.map(|one| points(one.teams[0]).abs_diff(points(one.teams[1]))).sum::<u32>();
            assert!(event.pair().is_err(), "the round is not finished");
            play_round(&mut event, &mut rng);
        }
        assert!(meetings(&event.rounds).values().all(|&times| times == 1), "nobody meets twice");
        for team in 0..teams {
            let sides = sides(&event, team);
            assert!(balance(&sides).abs() <= 2, "{teams} teams: {sides:?}");
            assert!(!sides.windows(3).any(|w| w[0] == w[1] && w[1] == w[2]), "{sides:?}");
            let byes = event.rounds.iter().filter(|round| round.byes().any(|one| one == team));
            assert!(byes.count() <= 1);
        }
        // Opponents have about equal scores: less than a point apart on average.
        let tables = 9 * (teams as u32 / 2);
        assert!(teams < 39 || gaps < 2 * tables, "{gaps} half points at {tables} tables");
        assert!(event.is_finished() && event.pair().is_err());
    }
}

/// Whether a round without a second meeting exists, by trying all.
fn exists(free: &mut Vec<usize>, met: &BTreeMap<[usize; 2], usize>) -> bool {
    let Some(a) = free.pop() else { return true };
    for place in 0..free.len() {
        let b = free.remove(place);
        let possible = !met.contains_key(&[a.min(b), a.max(b)]) && exists(free, met);
        free.insert(place, b);
        if possible {
            free.push(a);
            return true;
        }
    }
    free.push(a);
    false
}

#[test]
fn teams_meet_twice_only_where_that_is_unavoidable() {
    let mut unavoidable = 0;
    for teams in [4, 6, 8] {
        for seed in 0..40 {
            let mut event = event(Format::Swiss { rounds: teams + 1 }, teams);
            let mut rng = Rng::seeded(seed);
            for round in 0..=teams {
                let met = meetings(&event.rounds);
                event.pair().unwrap();
                let rematch = event.rounds[round].tables().any(|one| {
                    let [a, b] = one.teams;
                    met.contains_key(&[a.min(b), a.max(b)])
                });
                let possible = exists(&mut (0..teams).collect(), &met);
                assert_eq!(rematch, !possible, "{teams} teams, seed {seed}, round {round}");
                unavoidable += usize::from(rematch);
                play_round(&mut event, &mut rng);
            }
        }
    }
    assert!(unavoidable > 100, "the law was tried");
}

#[test]
fn teams_may_come_late_and_leave_early() {
    let mut event = event(Format::Swiss { rounds: 6 }, 9);
    let mut rng = Rng::seeded(7);
    event.pair().unwrap();
    play_round(&mut event, &mut rng);
    let late = event.add_team("Late").unwrap();
    event.withdraw(0, true).unwrap();
    for round in 1..4 {
        event.pair().unwrap();
        assert_whole(&event, &event.rounds[round], &[0]);
        play_round(&mut event, &mut rng);
    }
    event.withdraw(0, false).unwrap();
    event.pair().unwrap();
    assert_whole(&event, &event.rounds[4], &[]);
    assert_eq!(
        sides(&event, late).len()
            + event.rounds[..5].iter().flat_map(Round::byes).filter(|&one| one == late).count(),
        4
    );
    assert!(event.add_team("Late").is_err() && event.add_team(" ").is_err());
    let mut fixed = self::event(Format::RoundRobin, 4);
    fixed.pair().unwrap();
    assert!(fixed.add_team("Late").is_err());
}

#[test]
fn with_two_games_each_team_is_first_once() {
    let mut settings = Settings::new("Cup", "dots-and-boxes", Format::Swiss { rounds: 3 });
    settings.games = 2;
    let mut event = Event::new(settings, ["A", "B"]).unwrap();
    event.pair().unwrap();
    let pairing = event.pairing(0, 0).unwrap();
    assert_eq!(pairing.sides(0), [pairing.teams[0], pairing.teams[1]]);
    assert_eq!(pairing.sides(1), [pairing.teams[1], pairing.teams[0]]);
    let [a, _] = pairing.teams;
    event.set_result((0, 0, 0), Some(GameEnd::new(Winner::First, "time"))).unwrap();
    event.set_result((0, 0, 1), Some(GameEnd::new(Winner::Second, "time"))).unwrap();
    assert_eq!(event.pairing(0, 0).unwrap().half_points(), [4, 0], "won with both sides");
    assert_eq!(event.standings()[0].team, a);
    assert_eq!(event.place_name((0, 0, 1)), "R1T1G2");
}

#[test]
fn in_a_round_robin_everyone_meets_everyone_once() {
    for teams in 2..=21 {
        let mut event = event(Format::RoundRobin, teams);
        let mut rng = Rng::seeded(teams as u64);
        while !event.is_finished() {
            let round = event.pair().unwrap();
            assert_whole(&event, &event.rounds[round], &[]);
            play_round(&mut event, &mut rng);
        }
        let met = meetings(&event.rounds);
        assert_eq!(met.len(), teams * (teams - 1) / 2);
        assert!(met.values().all(|&times| times == 1));
        for team in 0..teams {
            let byes = event.rounds.iter().flat_map(Round::byes).filter(|&one| one == team).count();
            assert_eq!(byes, teams % 2);
            assert!(balance(&sides(&event, team)).unsigned_abs() as usize <= 1 - teams % 2);
        }
    }
}

#[test]
fn a_knockout_ends_with_one_team_and_the_best_meet_last() {
    for teams in 2..=40 {
        let mut event = event(Format::Knockout, teams);
        while !event.is_finished() {
            let round = event.pair().unwrap();
            let tables: Vec<[usize; 2]> =
                event.rounds[round].tables().map(|one| one.teams).collect();
            for (table, [a, b]) in tables.into_iter().enumerate() {
                // The higher seed wins.
                let winner = if a < b { Winner::First } else { Winner::Second };
                event
                    .set_result((round, table, 0), Some(GameEnd::new(winner, "resigned")))
                    .unwrap();
            }
        }
        let games: usize = event.rounds.iter().map(|round| round.tables().count()).sum();
        assert_eq!(games, teams - 1, "each game puts one team out");
        let mut last = event.pairing(event.rounds.len() - 1, 0).unwrap().teams;
        last.sort_unstable();
        assert_eq!(last, [0, 1]);
        let ranks: Vec<usize> = event.standings().iter().take(2).map(|one| one.team).collect();
        assert_eq!(ranks, [0, 1]);
    }
}

#[test]
fn a_drawn_knockout_game_needs_a_decision_and_a_later_round_protects_it() {
    let mut event = event(Format::Knockout, 4);
    event.pair().unwrap();
    let drawn = || Some(GameEnd::new(Winner::Draw, "agreed"));
    event.set_result((0, 0, 0), drawn()).unwrap();
    event.set_result((0, 1, 0), Some(GameEnd::new(Winner::First, "time"))).unwrap();
    assert_eq!(event.open_tables(), [0]);
    assert!(event.pair().is_err());
    assert!(event.decide(0, 1, 0).is_err(), "that table has a winner");
    event.decide(0, 0, 1).unwrap();
    event.pair().unwrap();
    let second = event.pairing(0, 0).unwrap().teams[1];
    assert!(event.pairing(1, 0).unwrap().teams.contains(&second));
    let other = Some(GameEnd::new(Winner::Second, "time"));
    assert!(event.set_result((0, 1, 0), other.clone()).is_err(), "the final depends on it");
    event.set_result((0, 1, 0), Some(GameEnd::new(Winner::First, "forfeit"))).unwrap();
    event.unpair().unwrap();
    event.set_result((0, 1, 0), other).unwrap();
}

#[test]
fn a_wrong_round_is_taken_back_as_long_as_nothing_was_entered() {
    let mut event = event(Format::Swiss { rounds: 2 }, 4);
    assert!(event.unpair().is_err());
    event.pair().unwrap();
    let first = event.rounds.clone();
    event.unpair().unwrap();
    event.pair().unwrap();
    assert_eq!(event.rounds, first, "the same results give the same pairings");
    let place = (0, 1, 0);
    event.set_result(place, Some(GameEnd::new(Winner::Draw, "agreed"))).unwrap();
    assert!(event.unpair().is_err());
    event.set_result(place, None).unwrap();
    event.unpair().unwrap();
    assert!(event.set_result(place, None).is_err(), "there is no such table any more");
    event.pair().unwrap();
    let bad = GameEnd::new(Winner::First, "because");
    assert!(event.set_result(place, Some(bad)).is_err());
}
