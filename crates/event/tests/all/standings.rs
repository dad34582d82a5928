//! What results count.

use event::{Event, Format, GameEnd, Settings, Winner, csv, wall_chart};
use games::Rng;

use crate::pairings::{event, play_round};

#[test]
fn points_are_conserved() {
    for (format, teams) in
        [(Format::Swiss { rounds: 7 }, 17), (Format::RoundRobin, 8), (Format::RoundRobin, 9)]
    {
        let mut event = event(format, teams);
        let mut rng = Rng::seeded(11);
        while !event.is_finished() {
            event.pair().unwrap();
            play_round(&mut event, &mut rng);
        }
        let mut expected = 0;
        for round in &event.rounds {
            expected += 2 * round.byes().count() as u32;
            for game in round.tables().flat_map(|pairing| &pairing.games) {
                let lost_by_both = game.end.as_ref().unwrap().winner == Winner::Nobody;
                expected += if lost_by_both { 0 } else { 2 };
            }
        }
        let standings = event.standings();
        assert_eq!(standings.iter().map(|one| one.half_points).sum::<u32>(), expected);
        let points: Vec<u32> = standings.iter().map(|one| one.half_points).collect();
        assert!(points.is_sorted_by(|a, b| a >= b));
        assert_eq!(standings[0].rank, 1);
    }
}

#[test]
fn tie_breaks_of_a_small_round_robin() {
    // A beats B, B beats C, C beats A: all have one point, and nothing but the seed
    // separates them. Then a draw is entered instead.
    let settings = Settings::new("Cup", "surakarta", Format::RoundRobin);
    let mut event = Event::new(settings, ["A", "B", "C"]).unwrap();
    let beats = |a: usize, b: usize| (a + 1) % 3 == b;
    while !event.is_finished() {
        let round = event.pair().unwrap();
        let [a, b] = event.pairing(round, 0).unwrap().teams;
        let winner = if beats(a, b) { Winner::First } else { Winner::Second };
        event.set_result((round, 0, 0), Some(GameEnd::new(winner, "resigned"))).unwrap();
    }
    let standings = event.standings();
    assert!(standings.iter().all(|one| one.rank == 1 && one.half_points == 4), "{standings:?}");
    assert!(standings.iter().all(|one| one.buchholz == 8 && one.sonneborn_berger == 8));
    let chart = wall_chart(&event);
    assert!(chart.contains("bye") && chart.contains('+') && chart.lines().count() == 7, "{chart}");
    assert_eq!(csv(&event).lines().count(), 4);
}

#[test]
fn who_resigns_or_does_not_appear_has_lost() {
    let settings = Settings::new("Cup", "surakarta", Format::RoundRobin);
    let mut event = Event::new(settings, ["A", "B"]).unwrap();
    event.pair().unwrap();
    let mut enter =
        |winner, reason| event.set_result((0, 0, 0), Some(GameEnd::new(winner, reason))).is_ok();
    for winner in [Winner::First, Winner::Second, Winner::Draw, Winner::Nobody] {
        let decided = matches!(winner, Winner::First | Winner::Second);
        assert_eq!(enter(winner, "resigned"), decided);
        assert_eq!(enter(winner, "forfeit"), winner != Winner::Draw);
        assert!(enter(winner, "adjudicated"));
    }
}

#[test]
fn the_chart_lines_up_with_chinese_names() {
    let settings = Settings::new("春季杯", "surakarta", Format::RoundRobin);
    let mut event = Event::new(settings, ["沈阳航空航天大学", "B"]).unwrap();
    event.pair().unwrap();
    let chart = wall_chart(&event);
    let lines: Vec<&str> = chart.lines().skip(4).collect();
    assert!(lines[0].contains("沈阳航空航天大学  *2"), "{chart}");
    assert!(lines[1].contains("B                 *1"), "{chart}");
}
