//! Whole matches between scripted engines: who loses and why, that a match
//! repeats itself in any concurrency, and that it goes on where it stopped.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use arena::statistics::{Decision, Model, Sprt};
use arena::{
    Boards, DrawRule, Factory, Format, GameResult, MatchConfig, Openings, ResignRule, RunError,
    RunOptions, Standing, Store, run,
};
use games::{Game, Player, Reason, Record};
use search::{Clock, Limits};

use crate::stones::{Fault, Stones, scripted_match};

fn options(rounds: u64, concurrency: usize) -> RunOptions {
    RunOptions { rounds, concurrency, ..RunOptions::default() }
}

fn play_in(
    store: &mut Store,
    config: &MatchConfig,
    factory: &Factory<Stones>,
    options: &RunOptions,
) -> Standing {
    let stop = AtomicBool::new(false);
    run(config, options, factory.clone(), store, &stop, |_| {}).unwrap()
}

fn games(config: &MatchConfig, factory: &Factory<Stones>, options: &RunOptions) -> Vec<GameResult> {
    let mut store = Store::in_memory().unwrap();
    play_in(&mut store, config, factory, options);
    let id = store.match_id(config).unwrap();
    store.games(id).unwrap()
}

fn untimed(games: &[GameResult]) -> Vec<GameResult> {
    games.iter().map(GameResult::untimed).collect()
}

/// Every game of a short match has to be lost by the faulty engine (number 1),
/// for this reason; the engine in order meets it in both colours.
fn loses(fault: Fault, reason: Reason, time: Limits, word: &str) {
    let (mut config, factory) = scripted_match(&[(Fault::None, 3), (fault, 3)], 4);
    config.engines[1].limits = Limits { sims: Some(3), ..time };
    config.rules.margin = Duration::from_millis(20);
    let mut options = options(2, 2);
    if matches!(fault, Fault::Silent | Fault::Deaf | Fault::StartHangs) {
        options.hang_timeout = Duration::from_secs(1);
    }
    let played = games(&config, &factory, &options);
    assert_eq!(played.len(), 4, "{fault:?}");
    for game in played {
        let guilty = Player::BOTH[game.engines.iter().position(|&n| n == 1).unwrap()];
        assert_eq!(game.outcome.winner, Some(!guilty), "{fault:?}: {game:?}");
        assert_eq!(game.outcome.reason, reason, "{fault:?}: {game:?}");
        assert!(game.note.contains(word), "{fault:?}: {game:?}");
        assert!(game.moves.starts_with(&game.opening) && !game.opening.is_empty());
    }
}

const UNTIMED: Limits = Limits { time: None, clock: None, nodes: None, sims: None, depth: None };
const QUICK: Limits = Limits { time: Some(Duration::from_millis(30)), ..UNTIMED };

fn clock(base: u64) -> Limits {
    let clock = Clock::new(Duration::from_millis(base), Duration::from_millis(1));
    Limits { clock: Some(clock), ..UNTIMED }
}

#[test]
fn a_crash_loses() {
    loses(Fault::Panic, Reason::Crashed, UNTIMED, "scripted crash");
    loses(Fault::PanicOnNewGame, Reason::Crashed, UNTIMED, "scripted crash before");
    loses(Fault::NeverStarts, Reason::Crashed, UNTIMED, "no such program");
    loses(Fault::StartPanics, Reason::Crashed, UNTIMED, "at the start");
    loses(Fault::StartHangs, Reason::Crashed, UNTIMED, "could not be started in time");
}

#[test]
fn a_cheat_loses() {
    loses(Fault::Illegal, Reason::IllegalMove, UNTIMED, "7");
    loses(Fault::NoMove, Reason::IllegalMove, UNTIMED, "no move");
}

#[test]
fn who_is_late_loses_on_time() {
    for time in [QUICK, clock(40)] {
        loses(Fault::Late(Duration::from_secs(1)), Reason::Time, time, "answered after");
        loses(Fault::Endless, Reason::Time, time, "answered after");
    }
}

#[test]
fn who_never_answers_is_abandoned() {
    loses(Fault::Silent, Reason::Crashed, UNTIMED, "abandoned");
    loses(Fault::Silent, Reason::Time, QUICK, "abandoned");
    loses(Fault::Deaf, Reason::Time, QUICK, "abandoned");
}

#[test]
fn a_clock_is_kept_over_the_game() {
    // Each of some twenty moves is quick; together they are too slow.
    let (mut config, factory) =
        scripted_match(&[(Fault::None, 1), (Fault::Slow(Duration::from_millis(50)), 1)], 4);
    config.setup = "80".into();
    config.rules.margin = Duration::ZERO;
    config.engines[1].limits = Limits { sims: Some(1), ..clock(400) };
    for game in games(&config, &factory, &options(1, 1)) {
        let own = game.engines.iter().position(|&n| n == 1).unwrap();
        assert_eq!(game.outcome.reason, Reason::Time);
        assert_eq!(game.outcome.winner, Some(!Player::BOTH[own]));
        assert!(game.plies.len() >= 2, "{game:?}");
    }
}

#[test]
fn an_engine_that_dies_at_the_end_harms_nobody() {
    let (config, factory) = scripted_match(&[(Fault::None, 3), (Fault::PanicOnDrop, 3)], 4);
    assert_eq!(games(&config, &factory, &options(3, 2)).len(), 6);
}

#[test]
fn who_crashed_or_cheated_is_made_anew_and_the_others_are_not() {
    for fault in [Fault::Panic, Fault::Illegal, Fault::Late(Duration::from_millis(60))] {
        let (mut config, factory) = scripted_match(&[(Fault::None, 3), (fault, 3)], 4);
        config.engines[1].limits = Limits { sims: Some(3), ..QUICK };
        config.rules.margin = Duration::from_millis(20);
        let made = [AtomicU64::new(0), AtomicU64::new(0)].map(Arc::new);
        let count = made.clone();
        let factory: Factory<Stones> = Arc::new(move |number| {
            count[number].fetch_add(1, Ordering::Relaxed);
            factory(number)
        });
        assert_eq!(games(&config, &factory, &options(3, 1)).len(), 6);
        let late = matches!(fault, Fault::Late(_));
        assert_eq!(made.map(|n| n.load(Ordering::Relaxed)), [1, if late { 1 } else { 6 }]);
    }
}

#[test]
fn hopeless_and_level_games_end_early() {
    let alone = ResignRule { below: 0.1, moves: 2, both: false };
    let (mut given_up, factory) = scripted_match(&[(Fault::None, 3), (Fault::Says(0.05), 3)], 1);
    given_up.rules.resign = Some(alone);
    for game in games(&given_up, &factory, &options(3, 1)) {
        let own = game.engines.iter().position(|&n| n == 1).unwrap();
        if game.outcome.reason == Reason::Adjudicated {
            assert_eq!(game.outcome.winner, Some(!Player::BOTH[own]));
        }
    }
    let early = |config: &MatchConfig, factory: &Factory<Stones>| {
        let games = games(config, factory, &options(3, 1));
        games.iter().filter(|game| game.outcome.reason == Reason::Adjudicated).count()
    };
    assert!(early(&given_up, &factory) > 3);
    // If both have to agree, an opponent that calls it even keeps it going.
    let (mut disputed, factory) =
        scripted_match(&[(Fault::Says(0.5), 3), (Fault::Says(0.05), 3)], 1);
    disputed.rules.resign = Some(ResignRule { both: true, ..alone });
    assert_eq!(early(&disputed, &factory), 0);

    let (mut level, factory) = scripted_match(&[(Fault::Says(0.5), 3), (Fault::Says(0.52), 3)], 1);
    level.rules.draw = Some(DrawRule { within: 0.03, plies: 3, after: 6 });
    let played = games(&level, &factory, &options(3, 1));
    assert!(early(&level, &factory) > 3);
    for game in played.iter().filter(|game| game.outcome.reason == Reason::Adjudicated) {
        assert_eq!(game.outcome.winner, None);
        assert!(game.moves.split(' ').count() >= 6);
    }
}

#[test]
fn the_move_cap_gives_the_game_to_who_leads() {
    let (mut config, factory) = scripted_match(&[(Fault::None, 3), (Fault::None, 3)], 1);
    config.rules.cap = Some(6);
    for game in games(&config, &factory, &options(10, 1)) {
        assert!(game.moves.split(' ').count() <= 6);
        assert_eq!(game.outcome.reason, Reason::MoveCap);
    }
}

#[test]
fn a_match_is_the_same_in_any_concurrency() {
    let (config, factory) =
        scripted_match(&[(Fault::None, 1), (Fault::None, 8), (Fault::None, 3)], 77);
    let alone = games(&config, &factory, &options(20, 1));
    assert_eq!(alone.len(), 120);
    assert_eq!(untimed(&alone), untimed(&games(&config, &factory, &options(20, 2))));
    assert_eq!(untimed(&alone), untimed(&games(&config, &factory, &options(20, 5))));
    let other = MatchConfig { seed: 78, ..config };
    assert_ne!(untimed(&alone), untimed(&games(&other, &factory, &options(20, 1))));
    // Openings are not all alike, and the two games of a pair share theirs.
    assert!(alone.chunks(2).all(|pair| pair[0].opening == pair[1].opening));
    assert!(alone.iter().any(|game| game.opening != alone[0].opening));
}

#[test]
fn the_standing_counts_what_was_played() {
    let (mut config, factory) =
        scripted_match(&[(Fault::None, 1), (Fault::None, 30), (Fault::None, 3)], 7);
    config.format = Format::Gauntlet;
    let mut store = Store::in_memory().unwrap();
    let standing = play_in(&mut store, &config, &factory, &options(40, 2));
    let id = store.match_id(&config).unwrap();
    let played = store.games(id).unwrap();
    for (number, tally) in [0, 1, 2].map(|n| (n, standing.of(n))) {
        let own: Vec<i32> = played
            .iter()
            .filter_map(|game| {
                let side = game.engines.iter().position(|&n| n == number)?;
                Some(game.outcome.for_first() * Player::BOTH[side].sign())
            })
            .collect();
        let count = |result| own.iter().filter(|&&r| r == result).count() as u64;
        assert_eq!([tally.wins, tally.draws, tally.losses], [count(1), count(0), count(-1)]);
    }
    assert_eq!(standing.of(0).games(), 160);
    assert!(standing.of(1).score() > 0.6, "thirty simulations beat one: {standing:?}");
}

#[test]
fn interrupted_and_resumed_it_is_the_same_match() {
    for boards in [Boards::Given, Boards::Drawn] {
        interrupted_and_resumed(boards);
    }
}

fn interrupted_and_resumed(boards: Boards) {
    let slow = Fault::Slow(Duration::from_millis(1));
    let (config, factory) = scripted_match(&[(slow, 2), (slow, 5)], 5);
    let config = MatchConfig { boards, ..config };
    let whole = games(&config, &factory, &options(40, 2));
    let mut store = Store::in_memory().unwrap();
    for pairs in [1, 2, 3, 5, 8] {
        let stop = AtomicBool::new(false);
        let mut seen = 0;
        let standing = run(&config, &options(40, 2), factory.clone(), &mut store, &stop, |now| {
            seen += u64::from(now.pair.is_some());
            stop.store(seen >= pairs, Ordering::Relaxed);
        })
        .unwrap();
        assert!(!standing.finished());
    }
    let id = store.match_id(&config).unwrap();
    let before = store.games(id).unwrap();
    assert!(before.len() >= 38 && before.len() < 80);
    let standing = play_in(&mut store, &config, &factory, &options(40, 2));
    assert!(standing.finished());
    assert_eq!(untimed(&store.games(id).unwrap()), untimed(&whole));
    // What was there was kept as it was, times included.
    let after = store.games(id).unwrap();
    assert!(before.iter().all(|game| after[game.index as usize] == *game));
    // Once more: nothing to do. With more rounds: only the new ones.
    let stop = AtomicBool::new(false);
    let mut calls = 0;
    run(&config, &options(40, 2), factory.clone(), &mut store, &stop, |_| calls += 1).unwrap();
    assert_eq!(calls, 1);
    play_in(&mut store, &config, &factory, &options(45, 2));
    assert_eq!(store.games(id).unwrap()[..80], after[..]);
    assert_eq!(store.games(id).unwrap().len(), 90);
}

#[test]
fn drawn_boards_differ_from_pair_to_pair_and_are_written_down() {
    let (config, factory) = scripted_match(&[(Fault::None, 2), (Fault::None, 5)], 5);
    let given = games(&config, &factory, &options(12, 2));
    assert!(given.iter().all(|game| game.setup.is_empty()), "the default");
    let drawn = MatchConfig { boards: Boards::Drawn, ..config.clone() };
    let played = games(&drawn, &factory, &options(12, 2));
    assert!(played.chunks(2).all(|pair| pair[0].setup == pair[1].setup));
    let heaps: HashSet<&str> = played.iter().map(|game| game.setup.as_str()).collect();
    assert!(heaps.len() > 4, "{heaps:?}");
    for game in &played {
        let start = Stones::start(&game.setup.parse().unwrap()).unwrap();
        let mut record = Record::new(start);
        record.play_text(&game.moves).expect("legal on that board");
        assert_eq!(record.outcome(), Some(game.outcome), "{game:?}");
    }
    let other = games(&MatchConfig { seed: 6, ..drawn.clone() }, &factory, &options(12, 2));
    assert!(played.iter().zip(&other).any(|(a, b)| a.setup != b.setup), "the seed decides");
    // A match on one board is known by the same text as ever.
    assert!(!config.identity().contains("boards") && drawn.identity().contains("Drawn"));
}

#[test]
fn a_match_that_is_to_finish_begins_no_other_game() {
    static FINISH: AtomicBool = AtomicBool::new(false);
    let slow = Fault::Slow(Duration::from_millis(1));
    let (config, factory) = scripted_match(&[(slow, 2), (slow, 5)], 5);
    let whole = games(&config, &factory, &options(40, 2));
    let mut store = Store::in_memory().unwrap();
    let finishing = RunOptions { finish: Some(&FINISH), ..options(40, 1) };
    let stop = AtomicBool::new(false);
    let standing = run(&config, &finishing, factory.clone(), &mut store, &stop, |now| {
        FINISH.store(now.pair.is_some(), Ordering::Relaxed);
    });
    // The worker may have begun one game more before it was said, which is finished.
    assert!((1..=2).contains(&standing.unwrap().pairs));
    FINISH.store(false, Ordering::Relaxed);
    assert!(play_in(&mut store, &config, &factory, &finishing).finished());
    let id = store.match_id(&config).unwrap();
    assert_eq!(untimed(&store.games(id).unwrap()), untimed(&whole));
}

#[test]
fn an_interrupt_does_not_wait_for_an_engine_that_never_answers() {
    let (config, factory) = scripted_match(&[(Fault::Silent, 2), (Fault::Silent, 5)], 5);
    let mut store = Store::in_memory().unwrap();
    let stop = AtomicBool::new(true);
    let options = RunOptions { hang_timeout: Duration::from_millis(200), ..options(60, 2) };
    let standing = run(&config, &options, factory, &mut store, &stop, |_| {}).unwrap();
    assert_eq!(standing.pairs, 0);
}

#[test]
fn the_sequential_test_stops_at_the_same_pair_in_any_concurrency() {
    let (config, factory) = scripted_match(&[(Fault::None, 40), (Fault::None, 1)], 9);
    for model in [Model::Normalized, Model::Logistic] {
        let sprt = Some(Sprt { model, ..Sprt::new(0.0, 60.0) });
        let standing = |concurrency| {
            let mut store = Store::in_memory().unwrap();
            play_in(
                &mut store,
                &config,
                &factory,
                &RunOptions { sprt, ..options(2000, concurrency) },
            )
        };
        let alone = standing(1);
        assert_eq!(alone.decision, Decision::Better);
        assert!(alone.pairs > 2 && alone.pairs < 2000);
        assert_eq!(alone, standing(2));
        assert_eq!(alone, standing(7));
    }
}

#[test]
fn nonsense_is_refused_before_anything_is_written() {
    let (good, factory) = scripted_match(&[(Fault::None, 1), (Fault::None, 1)], 1);
    let refuse = |config: &MatchConfig, options: &RunOptions, word: &str| {
        let mut store = Store::in_memory().unwrap();
        let stop = AtomicBool::new(false);
        let answer = run(config, options, factory.clone(), &mut store, &stop, |_| {});
        let Err(RunError::Config(text)) = answer else { panic!("{answer:?}") };
        assert!(text.contains(word), "{text}");
        assert!(store.matches().unwrap().is_empty());
    };
    let three = scripted_match(&[(Fault::None, 1); 3], 1).0;
    let sprt = Some(Sprt::new(0.0, 5.0));
    let with = |change: &dyn Fn(&mut MatchConfig)| {
        let mut config = good.clone();
        change(&mut config);
        config
    };
    refuse(&with(&|c| c.game = "chess".into()), &options(1, 1), "chess");
    refuse(&with(&|c| c.setup = "many".into()), &options(1, 1), "number");
    refuse(&with(&|c| c.setup = "0".into()), &options(1, 1), "stone");
    refuse(&with(&|c| c.engines.truncate(1)), &options(1, 1), "two");
    refuse(&with(&|c| c.openings = Openings::Random { plies: 50 }), &options(1, 1), "50");
    refuse(&with(&|c| c.openings = Openings::Listed(vec![])), &options(1, 1), "empty");
    let lines = |lines: &[&str]| Openings::Listed(lines.iter().map(|l| l.to_string()).collect());
    refuse(&with(&|c| c.openings = lines(&["1 2", "9"])), &options(1, 1), "opening 2");
    refuse(&with(&|c| c.openings = lines(&["3 3 3 3 3 3 3"])), &options(1, 1), "end the game");
    let drawn = |c: &mut MatchConfig| (c.boards, c.openings) = (Boards::Drawn, lines(&["1"]));
    refuse(&with(&drawn), &options(1, 1), "one board");
    let resign = Some(ResignRule { below: f64::NAN, moves: 1, both: false });
    refuse(&with(&|c| c.rules.resign = resign), &options(1, 1), "NaN");
    let draw = Some(DrawRule { within: 0.1, plies: 0, after: 0 });
    refuse(&with(&|c| c.rules.draw = draw), &options(1, 1), "ply");
    refuse(&good, &options(1, 0), "at a time");
    refuse(&three, &RunOptions { sprt, ..options(1, 1) }, "two engines");
    refuse(&good, &RunOptions { sprt: Some(Sprt::new(5.0, 0.0)), ..options(1, 1) }, "elo0");
}

#[test]
fn listed_openings_are_played_in_turn() {
    let (mut config, factory) =
        scripted_match(&[(Fault::None, 1), (Fault::None, 1), (Fault::None, 1)], 1);
    config.openings = Openings::Listed(vec!["1 2".into(), "3".into()]);
    let openings: Vec<_> =
        games(&config, &factory, &options(3, 2)).into_iter().map(|game| game.opening).collect();
    let expected = [["1 2"; 6], ["3"; 6], ["1 2"; 6]].concat();
    assert_eq!(openings, expected);
}
