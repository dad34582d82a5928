//! What alpha-beta promises to its caller: limits kept, an answer at any moment, the same answer for the same seed, and the rules of history.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use games::{Game, Player, Record};
use search::alpha_beta::{AlphaBeta, AlphaBetaSettings, MoveBonus, TieBreak, WindowMode};
use search::{
    Clock, Engine, Heuristic, Limits, Runner, Score, SearchControl, SearchHints, SearchInfo,
    Source, Term,
};

use crate::oracle::Noise;
use crate::toys::{CORRIDOR, ENDLESS, Heap, Number, Rooms, Thicket};

fn noise() -> Noise {
    Noise { seed: 5, range: 300 }
}

fn small() -> AlphaBetaSettings {
    AlphaBetaSettings { table_mb: 1, ..AlphaBetaSettings::default() }
}

fn go<G: SearchHints>(
    engine: &mut impl Engine<G>,
    record: &Record<G>,
    limits: Limits,
) -> SearchInfo<G::Move> {
    engine.search(record, &SearchControl::new(limits))
}

fn depth(depth: u32) -> Limits {
    Limits::depth(depth)
}

fn nodes(nodes: u64) -> Limits {
    Limits::nodes(nodes)
}

fn thicket(seed: u64) -> Record<Thicket> {
    Record::new(Thicket::start(&Number(seed)).unwrap())
}

/// A thicket that only its limits end.
fn endless() -> Record<Thicket> {
    thicket(ENDLESS)
}

/// What two searches must have in common to be the same.
fn trace<M: Copy + std::fmt::Debug>(info: &SearchInfo<M>) -> (Option<M>, String, u64, u32) {
    (info.best, format!("{:?} {:?}", info.score, info.lines), info.nodes, info.depth)
}

#[test]
fn threads_can_be_limited_and_come_back() {
    let run = |threads: usize, limits: &[usize]| {
        let settings = AlphaBetaSettings { threads, ..small() };
        let mut engine = AlphaBeta::new(noise(), settings);
        limits.iter().for_each(|&limit| Engine::<Thicket>::limit_threads(&mut engine, limit));
        go(&mut engine, &thicket(3), nodes(5_000))
    };
    let alone = trace(&run(1, &[]));
    for limits in [&[1][..], &[0], &[4, 1]] {
        assert_eq!(trace(&run(4, limits)), alone, "{limits:?}");
    }
    // No limit gives it more than it was made with.
    assert_eq!(trace(&run(1, &[8])), alone);
}

#[test]
fn one_thread_repeats_itself() {
    for seed in 0..20 {
        for limits in [depth(6), nodes(700), nodes(5_000)] {
            let run = || {
                let mut engine = AlphaBeta::new(
                    noise(),
                    AlphaBetaSettings { ties: TieBreak::Random, ..small() },
                );
                engine.new_game(seed);
                let mut record = thicket(seed);
                let mut traces = Vec::new();
                while record.outcome().is_none() {
                    let info = go(&mut engine, &record, limits);
                    traces.push(trace(&info));
                    record.play(info.best.unwrap()).unwrap();
                }
                traces
            };
            assert_eq!(run(), run());
        }
    }
}

#[test]
fn a_new_game_forgets_the_old_one() {
    let mut engine = AlphaBeta::new(noise(), small());
    engine.new_game(3);
    let first = go(&mut engine, &thicket(9), depth(6));
    go(&mut engine, &thicket(8), depth(6));
    let warm = go(&mut engine, &thicket(9), depth(6));
    engine.new_game(3);
    let again = go(&mut engine, &thicket(9), depth(6));
    assert_eq!(trace(&first), trace(&again));
    assert!(warm.nodes < first.nodes, "the table helps: {} of {}", warm.nodes, first.nodes);
}

#[test]
fn node_limits_are_kept_to_the_node() {
    for limit in [1, 2, 31, 32, 33, 1_000, 4_321] {
        let settings = AlphaBetaSettings { depth: None, ..small() };
        let info = go(&mut AlphaBeta::new(noise(), settings), &endless(), nodes(limit));
        assert_eq!(info.nodes, limit);
        assert!(info.best.is_some());
    }
}

#[test]
fn an_answer_is_published_from_the_first_moment_and_the_observer_stops_it() {
    let record = endless();
    for stop_at in 1..6 {
        let calls = Arc::new(AtomicU32::new(0));
        let mut engine = AlphaBeta::new(noise(), AlphaBetaSettings { threads: 2, ..small() });
        let counted = calls.clone();
        let control = SearchControl::unlimited().observed(move |info: &SearchInfo<_>| {
            let call = 1 + counted.fetch_add(1, Relaxed);
            assert!(info.best.is_some() && !info.lines.is_empty());
            assert_eq!(info.lines[0].mv, info.best.unwrap());
            assert!((0.0..=1.0).contains(&info.win_rate));
            if call == stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let info = engine.search(&record, &control);
        assert!(calls.load(Relaxed) == stop_at, "no result after the stop");
        assert!(record.game().is_legal(info.best.unwrap()));
    }
}

/// Slow as a bad evaluation: some 20 microseconds.
struct Slow;

impl Heuristic<Thicket> for Slow {
    fn evaluate(&self, game: &Thicket) -> i32 {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_micros(20) {}
        noise().evaluate(game)
    }

    fn scale(&self) -> f64 {
        100.0
    }

    fn terms(&self, _: &Thicket) -> Vec<Term> {
        Vec::new()
    }
}

#[test]
fn time_ends_a_search_that_nothing_else_ends() {
    let time = Duration::from_millis(60);
    let clock = Clock { left: [Duration::from_secs(2); 2], increment: [Duration::ZERO; 2] };
    for (limits, least) in [
        (Limits { time: Some(time), ..Limits::default() }, time),
        (Limits { clock: Some(clock), ..Limits::default() }, Duration::ZERO),
    ] {
        for settings in
            [small(), AlphaBetaSettings { threads: 2, ..small() }, AlphaBetaSettings::plain(20)]
        {
            let calls = Arc::new(AtomicU32::new(0));
            let counted = calls.clone();
            let mut runner = Runner::new(AlphaBeta::new(Slow, settings));
            let info = runner.search_observed(&endless(), &limits, move |_| {
                counted.fetch_add(1, Relaxed);
                ControlFlow::Continue(())
            });
            // Generous: a busy machine may take the thread away at any moment.
            assert!(info.elapsed >= least && info.elapsed < Duration::from_secs(20));
            assert!(info.best.is_some() && calls.load(Relaxed) > 0);
        }
    }
}

#[test]
fn no_time_at_all_still_gives_a_legal_move() {
    let clock = Clock { left: [Duration::ZERO; 2], increment: [Duration::ZERO; 2] };
    for limits in [
        Limits { time: Some(Duration::ZERO), ..Limits::default() },
        Limits { clock: Some(clock), ..Limits::default() },
        nodes(0),
    ] {
        let info = Runner::new(AlphaBeta::new(noise(), small())).search(&thicket(4), &limits);
        assert!(thicket(4).game().is_legal(info.best.unwrap()));
    }
}

#[test]
fn ties_are_drawn_by_the_seed_or_not_at_all() {
    // Every move is worth the same under a flat evaluation.
    let flat = || Noise { seed: 0, range: 0 };
    let record = Record::new(Heap { left: 100, mover: Player::First });
    let choices = |ties| {
        let mut seen = [0; 4];
        for seed in 0..300 {
            let settings = AlphaBetaSettings { ties, ..AlphaBetaSettings::plain(3) };
            let mut engine = AlphaBeta::new(flat(), settings);
            engine.new_game(seed);
            seen[usize::from(go(&mut engine, &record, Limits::default()).best.unwrap())] += 1;
        }
        seen
    };
    assert_eq!(choices(TieBreak::First), [0, 300, 0, 0]);
    assert!(choices(TieBreak::Random)[1..].iter().all(|&n| (70..130).contains(&n)));
}

#[test]
fn obvious_moves_need_no_search() {
    let record = Record::new(Heap { left: 3, mover: Player::Second });
    let info = go(&mut AlphaBeta::new(noise(), small()), &record, Limits::default());
    assert_eq!((info.best, info.source, info.nodes), (Some(3), Source::Forced, 0));
    assert_eq!(info.score, Score::Proven { result: 1, plies: Some(1) });
    let searched = AlphaBetaSettings { tactics: false, ..small() };
    let info = go(&mut AlphaBeta::new(noise(), searched), &record, Limits::default());
    assert_eq!((info.best, info.source), (Some(3), Source::Search));
    assert_eq!(info.score, Score::Proven { result: 1, plies: Some(1) });
}

#[test]
fn forced_wins_are_found_by_the_full_engine() {
    for left in (1..60u16).filter(|left| left % 4 != 0) {
        let record = Record::new(Heap { left, mover: Player::First });
        let info = go(&mut AlphaBeta::new(noise(), small()), &record, Limits::default());
        assert_eq!(info.best, Some(left % 4), "{left}");
        assert!(matches!(info.score, Score::Proven { result: 1, .. }), "{left}: {:?}", info.score);
        assert!(info.win_rate == 1.0);
    }
}

#[test]
fn the_longest_line_fits_the_stack() {
    // A heap of one thousand is not decided within any depth the search has.
    let record = Record::new(Heap { left: 1000, mover: Player::First });
    for limits in [depth(1000), Limits { time: Some(Duration::from_secs(60)), ..depth(1000) }] {
        let flat = Noise { seed: 0, range: 0 };
        let at_once = AlphaBetaSettings { deepen: false, ..small() };
        let info = Runner::new(AlphaBeta::new(flat, at_once)).search(&record, &limits);
        assert!(info.depth > 150, "{}", info.depth);
        assert_eq!(info.score, Score::Points(0.0));
    }
}

/// The corridor is worth this many points to First.
struct Corridor(i32);

impl Heuristic<Rooms> for Corridor {
    fn evaluate(&self, game: &Rooms) -> i32 {
        if game.at >= CORRIDOR { self.0 } else { 0 }
    }

    fn scale(&self) -> f64 {
        100.0
    }

    fn terms(&self, _: &Rooms) -> Vec<Term> {
        Vec::new()
    }
}

fn rooms(rule: u64) -> Record<Rooms> {
    Record::new(Rooms::start(&Number(rule)).unwrap())
}

#[test]
fn a_circle_is_judged_by_what_repeating_it_leads_to() {
    let best =
        |rule, points| go(&mut AlphaBeta::new(Corridor(points), small()), &rooms(rule), depth(7));
    // Going round is a draw: First does so if the corridor is bad.
    assert_eq!(best(0, -50).best, Some(0));
    assert_eq!(best(0, 50).best, Some(1));
    // Going round wins: Second leaves the circle, at the corridor's price.
    assert_eq!((best(1, -50).best, best(1, -50).score), (Some(0), Score::Points(-0.5)));
    // And if the corridor is even worse for Second, it is lost for certain, but
    // by history, which is no proof.
    let mut engine = AlphaBeta::new(Corridor(20_000), small());
    assert_eq!(go(&mut engine, &rooms(1), depth(7)).score, Score::Points(200.0));
    // Going round loses: First takes even the bad corridor.
    assert_eq!((best(2, -50).best, best(2, -50).score), (Some(1), Score::Points(-0.5)));
    // Blind to repetition, there is nothing to fear in a room.
    let blind = AlphaBetaSettings { repetition: false, ..small() };
    let info = go(&mut AlphaBeta::new(Corridor(-50), blind), &rooms(2), depth(7));
    assert_eq!(info.best, Some(0));
}

#[test]
fn what_stood_before_the_root_counts() {
    // Room 0 with First to move has stood twice; if Second goes there, it is the
    // third time and ends the game, which a search of one ply must see.
    for (rule, mv, score) in
        [(2, 0, Score::Expected(1.0)), (1, 1, Score::Points(-1.5)), (0, 0, Score::Points(0.0))]
    {
        let mut record = rooms(rule);
        (0..3).for_each(|_| record.play(0).unwrap());
        let info = go(&mut AlphaBeta::new(Corridor(150), small()), &record, depth(1));
        assert_eq!((info.best, info.score), (Some(mv), score), "rule {rule}");
    }
    // Once before is not enough: the first visit to room 1 is only a step.
    let info = go(&mut AlphaBeta::new(Corridor(-150), small()), &rooms(2), depth(1));
    assert_eq!((info.best, info.score), (Some(0), Score::Points(0.0)));
}

#[test]
fn pondering_reports_hit_and_miss() {
    let mut engine = AlphaBeta::new(noise(), small());
    let record = thicket(6);
    let ponder = |engine: &mut AlphaBeta<Thicket, Noise>| {
        let control = SearchControl::unlimited().observed(|info: &SearchInfo<_>| {
            if info.depth >= 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        engine.ponder(&record, &control);
        control.newest().lines[0].pv[0]
    };
    let expected = ponder(&mut engine);
    let mut next = record.clone();
    next.play(expected).unwrap();
    let cold = go(&mut AlphaBeta::new(noise(), small()), &next, depth(4));
    let hit = go(&mut engine, &next, depth(4));
    assert_eq!(hit.ponder_hit, Some(true));
    assert!(hit.nodes < cold.nodes, "the table is filled: {} of {}", hit.nodes, cold.nodes);
    assert_eq!(go(&mut engine, &next, depth(2)).ponder_hit, None);
    let expected = ponder(&mut engine);
    let other = record.legal().into_iter().find(|&mv| mv != expected).unwrap();
    let mut next = record.clone();
    next.play(other).unwrap();
    assert_eq!(go(&mut engine, &next, depth(2)).ponder_hit, Some(false));
    ponder(&mut engine);
    assert_eq!(go(&mut engine, &thicket(7), depth(2)).ponder_hit, None, "another game");
}

/// Tries one move first.
fn prefer<const FIRST: u16>(_: &Heap, mv: u16) -> i32 {
    i32::from(mv == FIRST)
}

#[test]
fn a_move_ordering_decides_between_equals() {
    let record = Record::new(Heap { left: 100, mover: Player::First });
    let orders: [MoveBonus<Heap>; 3] = [prefer::<1>, prefer::<2>, prefer::<3>];
    for (mv, order) in (1..).zip(orders) {
        let settings = AlphaBetaSettings { ties: TieBreak::First, ..AlphaBetaSettings::plain(2) };
        let flat = Noise { seed: 0, range: 0 };
        let mut engine = AlphaBeta::new(flat, settings).with_order(order);
        assert_eq!(go(&mut engine, &record, Limits::default()).best, Some(mv));
    }
}

#[test]
fn the_printed_window_sees_nothing_from_two_plies_on() {
    for seed in 0..30 {
        let record = thicket(seed);
        if record.legal().into_iter().any(|mv| record.game().after(mv).outcome().is_some()) {
            continue; // The end of the game is the one thing it sees.
        }
        let play = |depth, window_mode| {
            let settings = AlphaBetaSettings {
                window_mode,
                ties: TieBreak::First,
                ..AlphaBetaSettings::plain(depth)
            };
            go(&mut AlphaBeta::new(noise(), settings), &record, Limits::default())
        };
        for depth in 2..5 {
            assert_eq!(play(depth, WindowMode::Paper2012).best, Some(0), "the first move, always");
        }
        // One ply deep it takes the worst for First instead of the best.
        let first = |mv| noise().evaluate(&record.game().after(mv));
        let worst = record.legal().into_iter().map(first).min().unwrap();
        assert_eq!(first(play(1, WindowMode::Paper2012).best.unwrap()), worst);
    }
}

#[test]
fn a_heuristic_may_be_chosen_at_run_time() {
    let boxed: Box<dyn Heuristic<Thicket>> = Box::new(noise());
    let chosen = go(&mut AlphaBeta::new(boxed, small()), &thicket(5), depth(5));
    let fixed = go(&mut AlphaBeta::new(noise(), small()), &thicket(5), depth(5));
    assert_eq!(trace(&chosen), trace(&fixed));
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut record = Record::new(Heap { left: 1, mover: Player::First });
    record.play(1).unwrap();
    let mut engine = AlphaBeta::new(noise(), small());
    assert_eq!(go(&mut engine, &record, Limits::default()).best, None);
    engine.ponder(&record, &SearchControl::unlimited());
}

#[test]
fn the_table_keeps_to_its_memory() {
    for table_mb in [0, 1, 2, 7] {
        let mut engine = AlphaBeta::new(noise(), AlphaBetaSettings { table_mb, ..small() });
        go(&mut engine, &thicket(3), nodes(200_000));
        assert!(engine.table_bytes() <= table_mb << 20);
        assert_eq!(engine.table_fill() > 0, table_mb > 0);
    }
}

/// Panics when asked.
struct Bomb;

impl Heuristic<Thicket> for Bomb {
    fn evaluate(&self, _: &Thicket) -> i32 {
        panic!("the bomb went off")
    }

    fn scale(&self) -> f64 {
        100.0
    }

    fn terms(&self, _: &Thicket) -> Vec<Term> {
        Vec::new()
    }
}

#[test]
#[should_panic(expected = "the bomb went off")]
fn a_panic_in_a_searching_thread_is_not_swallowed() {
    let mut runner = Runner::new(AlphaBeta::new(Bomb, small()));
    let info = runner.search(&endless(), &Limits::time(Duration::from_secs(60)));
    assert!(info.best.is_some(), "and does not keep the caller waiting");
    runner.new_game(0);
}
