//! The decisions about history, by brute force: on tiny positions with tight
//! limits every game is played to its end, both through `Record` and by the
//! reference with its own list of positions.

use std::collections::BTreeMap;

use games::surakarta::{Setup, Surakarta};
use games::{Game, Player, Reason, Record, Text};

use crate::reference::{self, Slow};
use crate::{end_of, laws, rules_of};

/// Plays every line of at most `depth` plies and compares the ends; counts them
/// by their reason.
fn explore(
    record: &mut Record<Surakarta>,
    slow: &mut Vec<Slow>,
    depth: u32,
    ends: &mut BTreeMap<&'static str, u64>,
) {
    let rules = rules_of(&record.game().setup());
    let outcome = record.outcome().map(end_of);
    assert_eq!(outcome, reference::end_of_game(slow, &rules), "{record:?}");
    if let Some((_, reason)) = outcome {
        assert!(record.legal().is_empty());
        *ends.entry(reason).or_default() += 1;
        return;
    }
    if depth == 0 {
        *ends.entry("open").or_default() += 1;
        return;
    }
    let list = record.legal();
    assert_eq!(list.len(), slow.last().unwrap().moves(&rules).len());
    for mv in list {
        let place = |p: games::surakarta::Point| (p.row(), p.column());
        record.play(mv).unwrap();
        slow.push(slow.last().unwrap().play((place(mv.from), place(mv.to))));
        explore(record, slow, depth - 1, ends);
        slow.pop();
        record.undo();
    }
}

fn ends(setup: &str, position: &str, depth: u32) -> BTreeMap<&'static str, u64> {
    let game = Surakarta::parse(&laws::setup::<Surakarta>(setup), position).unwrap();
    let mut ends = BTreeMap::new();
    let mut slow = vec![Slow::read(&game.position())];
    explore(&mut Record::new(game), &mut slow, depth, &mut ends);
    ends
}

#[test]
fn every_short_game_ends_as_the_reference_says() {
    // Corners have three neighbours, so a few plies of two pieces can be played
    // out completely, captures included.
    let positions =
        ["b5/6/6/6/6/5w b", "1b4/6/6/6/6/4w1 w", "bw4/6/6/6/6/w5 b", "b5/bw4/6/6/6/6 w"];
    let setups = [
        ("", 5),
        ("quiet=4", 6),
        ("quiet=5 stall=draw", 5),
        ("repetition=2", 5),
        ("repetition=2 stall=draw", 5),
        ("repetition=2 repeat=loses", 5),
        ("cap=4", 6),
        ("cap=3 repetition=2 repeat=loses quiet=3", 6),
        ("standoff=count quiet=4", 5),
        ("nomove=count quiet=4", 5),
        ("quiet=0 repetition=0", 4),
    ];
    let mut all = BTreeMap::new();
    for position in positions {
        for (setup, depth) in setups {
            for (reason, n) in ends(setup, position, depth) {
                *all.entry(reason).or_insert(0) += n;
            }
        }
    }
    // Black can lock White's last piece in.
    for (setup, depth) in [("", 3), ("nomove=count stall=draw", 3), ("quiet=1", 2)] {
        for (reason, n) in ends(setup, "3b1w/4bb/6/6/6/6 b", depth) {
            *all.entry(reason).or_insert(0) += n;
        }
    }
    for reason in [
        "wiped out",
        "no move",
        "count after quiet plies",
        "repetition",
        "move cap",
        "nobody can capture",
        "open",
    ] {
        assert!(all.contains_key(reason), "no game ended by '{reason}': {all:?}");
    }
}

/// Plays moves given as text from a position.
fn after(setup: &str, position: &str, moves: &str) -> Record<Surakarta> {
    let game = Surakarta::parse(&laws::setup::<Surakarta>(setup), position).unwrap();
    let mut record = Record::new(game);
    record.play_text(moves).unwrap();
    record
}

const SHUFFLE: &str = "a6-a5 f1-f2 a5-a6 f2-f1";

#[test]
fn the_third_occurrence_stalls() {
    let start = "b1b3/6/6/6/6/5w b";
    let twice = after("", start, SHUFFLE);
    assert_eq!((twice.occurrences(), twice.outcome()), (2, None));
    assert_eq!(twice.game().quiet(), 4, "the counter tells what the key does not");
    assert_eq!(twice.game().key(), twice.start().key());
    assert_ne!(twice.game(), twice.start());
    let moves = format!("{SHUFFLE} {SHUFFLE}");
    let outcome = |setup: &str| after(setup, start, &moves).outcome();
    let counted = outcome("").unwrap();
    assert_eq!((counted.winner, counted.reason), (Some(Player::First), Reason::Repetition));
    assert_eq!(outcome("stall=draw").unwrap().winner, None);
    assert_eq!(outcome("repetition=0"), None);
    assert_eq!(outcome("repetition=4"), None);
    // White brought the position about for the third time.
    assert_eq!(outcome("repeat=loses stall=draw").unwrap().winner, Some(Player::First));
}

#[test]
fn repetition_is_the_records_and_not_the_positions() {
    let record = after("", "b1b3/6/6/6/6/5w b", &format!("{SHUFFLE} {SHUFFLE}"));
    assert!(record.outcome().is_some() && record.game().outcome().is_none());
    assert!(!laws::moves(record.game()).is_empty());
}

#[test]
fn a_capture_sets_the_quiet_counter_back() {
    let game = Surakarta::parse(&Setup::default(), "6/2b3/2b3/2bw2/6/5w b 99").unwrap();
    let step = game.after(game.parse_move("c5-b5").unwrap());
    assert_eq!(step.quiet(), 100);
    assert_eq!(step.outcome().map(|end| end.reason), Some(Reason::QuietPlies));
    assert_eq!(step.outcome().unwrap().winner, Some(Player::First), "three against two");
    let taken = game.after(game.parse_move("c4xd3").unwrap());
    assert_eq!((taken.quiet(), taken.outcome()), (0, None));
}

#[test]
fn a_side_without_moves_goes_before_the_counter() {
    // White's last piece is locked into a corner, out of reach of any arc.
    let locked = "4bw/4bb/6/6/6/6 w 100";
    let reason = |setup: &str| {
        let setup = laws::setup::<Surakarta>(setup);
        Surakarta::parse(&setup, locked).unwrap().outcome().unwrap()
    };
    assert_eq!(reason("").reason, Reason::NoMove);
    assert_eq!(reason("").winner, Some(Player::First));
    assert_eq!(reason("nomove=count").winner, Some(Player::First));
    // With more pieces the locked side wins the count.
    let crowd = |setup: &str| {
        let setup = laws::setup::<Surakarta>(setup);
        Surakarta::parse(&setup, "wwwb2/wwwb2/wwwb2/bbbb2/6/6 w").unwrap().outcome().unwrap()
    };
    assert_eq!((crowd("").winner, crowd("").reason), (Some(Player::First), Reason::NoMove));
    assert_eq!(crowd("nomove=count").winner, Some(Player::Second));
}

#[test]
fn a_clock_loses_or_counts() {
    let flagged = |setup: &str| {
        let mut record = after(setup, "b1b3/6/6/6/6/5w b", "a6-a5");
        record.flag(Player::First);
        record.outcome().unwrap()
    };
    assert_eq!(flagged("").winner, Some(Player::Second));
    assert_eq!(flagged("clock=count").winner, Some(Player::First));
    assert_eq!(flagged("clock=count").reason, Reason::Time);
}
