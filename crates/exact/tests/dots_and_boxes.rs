//! The Dots and Boxes solver against known values, and its answers as others
//! get them: interrupted, on several threads, as an oracle and as an engine.
//!
//! Harder sets belong to the soak: 4 x 4 as a whole (minutes of work) and
//! thousands of positions with 24 edges against enumeration.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use exact::dots_and_boxes::{Board, BoardError, SolveProgress, Solver, SolverEngine};
use exact::{ExactEngine, ExactKnowledge};
use games::dots_and_boxes::{Chain, DotsAndBoxes, Edge, Setup, edges_of};
use games::{Game, Outcome, Player, Reason, Record, Rng};
use search::{Limits, Score, SearchControl, Source};

fn go_on(_: &SolveProgress) {}

fn unlimited() -> SearchControl<Edge> {
    SearchControl::unlimited()
}

fn solver(rows: usize, cols: usize, threads: usize) -> Solver {
    Solver::new(rows, cols, 16, threads).expect("a size that can be solved")
}

fn value(rows: usize, cols: usize) -> Option<i32> {
    let solver = solver(rows, cols, 1);
    solver.solve(solver.board().start(), &unlimited(), &mut go_on).bounds.value()
}

#[test]
fn small_boards_have_their_known_values() {
    for n in 1..=9 {
        assert_eq!(value(1, n), Some(if n % 2 == 1 { -1 } else { 0 }), "1x{n}");
    }
    for (rows, cols, known) in [(2, 2, 2), (2, 3, -2), (2, 4, 2), (2, 5, -2), (3, 3, -3)] {
        assert_eq!(value(rows, cols), Some(known), "{rows}x{cols}");
        assert_eq!(value(cols, rows), Some(known), "{cols}x{rows}");
    }
}

#[test]
fn three_by_four_is_a_tie_that_three_edges_keep_on_any_number_of_threads() {
    for threads in [1, 3] {
        let solver = solver(3, 4, threads);
        let solution = solver.best(solver.board().start(), &unlimited(), &mut go_on);
        assert_eq!(solution.bounds.value(), Some(0));
        assert_eq!(solution.best(), [18, 23, 28]);
    }
}

#[test]
#[ignore = "minutes, and a table of 1 GB: cargo xtask soak"]
fn four_by_four_is_a_tie() {
    let solver = Solver::new(4, 4, 1024, 1).expect("a size that can be solved");
    let solution = solver.solve(solver.board().start(), &unlimited(), &mut go_on);
    println!("4x4: {} nodes, {:.1?}", solution.nodes, solution.elapsed);
    assert_eq!(solution.bounds.value(), Some(0));
}

struct Known {
    drawn: u128,
    edges: u32,
    value: i32,
    best: Vec<u32>,
}

fn known_positions() -> Vec<Known> {
    let lines = include_str!("data/dots-and-boxes-5x5.txt").lines();
    let known: Vec<Known> = lines
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let field: Vec<&str> = line.split_whitespace().collect();
            Known {
                drawn: u128::from_str_radix(field[0], 16).unwrap(),
                edges: field[1].parse().unwrap(),
                value: field[3].parse().unwrap(),
                best: field[6].split(',').map(|edge| edge.parse().unwrap()).collect(),
            }
        })
        .collect();
    assert_eq!(known.len(), 60);
    known
}

#[test]
fn sixty_positions_have_their_values_and_all_best_moves() {
    let solver = solver(5, 5, 1);
    for known in known_positions() {
        let position = solver.board().position(known.drawn).unwrap();
        assert_eq!(position.edges(), known.edges);
        assert_eq!(solver.board().drawn(position), known.drawn);
        let best = solver.best(position, &unlimited(), &mut go_on);
        assert_eq!(best.bounds.value(), Some(known.value), "{:x}", known.drawn);
        assert_eq!(best.best(), known.best, "{:x}", known.drawn);
        let all = solver.moves(position, &unlimited(), &mut go_on);
        assert_eq!(all.best(), known.best, "{:x}", known.drawn);
        assert!(all.moves.iter().all(|(_, bounds)| bounds.value().is_some()));
    }
}

/// First's final lead when a line is played out from a position.
fn lead_after(mut game: DotsAndBoxes, line: &[u32]) -> i32 {
    for &edge in line {
        assert!(game.is_legal(Edge(edge as u8)));
        game.play(Edge(edge as u8));
    }
    assert!(game.outcome().is_some(), "the line ends the game");
    game.lead()
}

#[test]
fn a_line_of_best_play_ends_in_the_value() {
    let solver = solver(5, 5, 1);
    for known in known_positions() {
        let position = solver.board().position(known.drawn).unwrap();
        let line = solver.line(position, &unlimited(), &mut go_on);
        assert!(known.best.contains(&line[0]));
        let game = DotsAndBoxes::from_parts(&Setup::new(5, 5), known.drawn, Player::First, [0; 2]);
        assert_eq!(lead_after(game.unwrap(), &line), known.value, "{:x}", known.drawn);
    }
}

#[test]
fn interrupted_solves_tell_no_lies() {
    let full = solver(3, 3, 1);
    let start = full.board().start();
    let truth = full.moves(start, &unlimited(), &mut go_on);
    for nodes in [1, 1024, 5_000, 20_000] {
        let control = SearchControl::new(Limits::nodes(nodes));
        for threads in [1, 2] {
            let partial = solver(3, 3, threads).moves(start, &control, &mut go_on);
            let pairs = truth.moves.iter().zip(&partial.moves).map(|(a, b)| (a.1, b.1));
            for (known, bounds) in pairs.chain([(truth.bounds, partial.bounds)]) {
                let known = known.value().unwrap();
                assert!((bounds.low..=bounds.high).contains(&known), "{known} {bounds:?}");
            }
        }
    }
    // Each way of stopping stops a solve that would take hours.
    let large = solver(5, 5, 2);
    let start = large.board().start();
    let stopped = unlimited();
    stopped.stop();
    let timed = SearchControl::new(Limits::time(Duration::from_millis(1)));
    for control in [stopped, timed] {
        assert_eq!(large.solve(start, &control, &mut go_on).bounds.value(), None);
    }
    let control = unlimited();
    let watched = large.solve(start, &control, &mut |progress| {
        if progress.nodes > 3_000 {
            control.stop();
        }
    });
    assert_eq!(watched.bounds.value(), None);
    assert!((3_000..20_000).contains(&watched.nodes), "{}", watched.nodes);
}

#[test]
fn larger_boards_are_solved_once_prepared() {
    // The same endgame in the corner of 5 x 5 and of 7 x 7.
    let (small, mut large) = (solver(5, 5, 1), solver(7, 7, 1));
    let mut rng = Rng::seeded(77);
    for _ in 0..20 {
        let chosen: Vec<u32> =
            small.board().list(small.board().start()).filter(|_| rng.below(2) == 0).collect();
        let place = |edge: u32| match edge {
            0..30 => edge / 5 * 7 + edge % 5,
            _ => 56 + (edge - 30) / 6 * 8 + (edge - 30) % 6,
        };
        // Border edges of the small board lead into closed boxes of the large
        // one, where no edge can be open: only inner ones are carried over.
        let inner = |edge: u32| match edge {
            0..30 => edge < 25,
            _ => (edge - 30) % 6 < 5,
        };
        let chosen: Vec<u32> = chosen.into_iter().filter(|&edge| inner(edge)).collect();
        let all = |board: &Board| u128::MAX >> (128 - board.edges());
        let without = |set: u128, edge: u32| set & !(1 << edge);
        let drawn = chosen.iter().fold(all(small.board()), |set, &edge| without(set, edge));
        let wide = chosen.iter().fold(all(large.board()), |set, &edge| without(set, place(edge)));
        let position = small.board().position(drawn).unwrap();
        let same = large.board().position(wide).unwrap();
        large.prepare(same).unwrap();
        let value = small.solve(position, &unlimited(), &mut go_on).bounds.value();
        assert!(value.is_some());
        assert_eq!(large.solve(same, &unlimited(), &mut go_on).bounds.value(), value);
    }
    let start = large.board().start();
    assert_eq!(large.prepare(start), Err(BoardError::TooOpen { edges: 112, most: 60 }));
    let unprepared = large.solve(start, &unlimited(), &mut go_on);
    assert_eq!((unprepared.bounds.low, unprepared.bounds.high), (-49, 49));
    assert!(Solver::new(9, 9, 1, 1).is_err());
}

fn random_game(setup: Setup, left: usize, seed: u64) -> Record<DotsAndBoxes> {
    let mut rng = Rng::stream(0x0b0e, seed);
    let mut record = Record::new(DotsAndBoxes::start(&setup).unwrap());
    while record.game().count_moves() > left {
        let mv = record.game().random_move(&mut rng).unwrap();
        record.play(mv).unwrap();
    }
    record
}

#[test]
fn the_oracle_names_the_winner_that_best_play_gives() {
    let oracle = DotsAndBoxes::adjudicator(&Setup::new(4, 4)).expect("there is a solver");
    let nodes = 1_000_000;
    for seed in 0..40 {
        let record = random_game(Setup::new(4, 4), 22, seed);
        let mut game = *record.game();
        let first = oracle.probe(&game, nodes).expect("small enough");
        assert_eq!(first.source, Source::Solver);
        let target = game.lead() + first.score;
        assert_eq!(first.winner, Outcome::by_lead(target, Reason::BoxesCounted).winner);
        while game.outcome().is_none() {
            let verdict = oracle.probe(&game, nodes).expect("smaller still");
            assert_eq!(game.lead() + verdict.score, target);
            game.play(verdict.best.expect("the nodes are ample"));
        }
        assert_eq!(game.lead(), target);
    }
    let start = DotsAndBoxes::start(&Setup::new(4, 4)).unwrap();
    assert_eq!(oracle.probe(&start, 2_000), None);
    let last = random_game(Setup::new(4, 4), 6, 1);
    assert_eq!(oracle.probe(last.game(), 1), None, "one node is enough for a table only");
    let other = DotsAndBoxes::start(&Setup::new(2, 2)).unwrap();
    assert_eq!(oracle.probe(&other, nodes), None);
}

#[test]
fn the_engine_answers_what_is_solved_in_time_and_leaves_the_rest() {
    let mut engine = SolverEngine(solver(5, 5, 1));
    let control = || SearchControl::new(Limits::nodes(400_000));
    let start = Record::new(DotsAndBoxes::start(&Setup::default()).unwrap());
    assert_eq!(engine.answer(&start, &control()), None);
    assert_eq!(engine.left_over(&Limits::nodes(400_000)), Limits::nodes(300_000));
    for seed in 0..10 {
        let mut record = random_game(Setup::default(), 28, seed);
        let me = record.game().to_move();
        let info = engine.answer(&record, &control()).expect("28 edges are solved");
        let Score::Proven { result, .. } = info.score else { panic!("what is exact is proven") };
        assert_eq!(info.source, Source::Solver);
        assert_eq!(info.lines[0].pv.first(), info.best.as_ref());
        // The opponent plays anything; the result can only get better.
        let mut rng = Rng::stream(1, seed);
        while record.outcome().is_none() {
            let mv = if record.game().to_move() == me {
                let info = engine.answer(&record, &control());
                info.expect("solved to the end").best.unwrap()
            } else {
                record.game().random_move(&mut rng).unwrap()
            };
            record.play(mv).unwrap();
        }
        assert!(record.game().lead().signum() * me.sign() >= result);
    }
}

#[test]
fn a_win_proven_before_its_height_is_known_is_a_win() {
    let truth = solver(5, 5, 1);
    let result = |record: &Record<DotsAndBoxes>| {
        let game = record.game();
        let position = truth.board().position(game.drawn()).unwrap();
        let value = truth.solve(position, &unlimited(), &mut go_on).bounds.value().unwrap();
        (game.lead() + game.to_move().sign() * value).signum()
    };
    let (mut proven, mut partly) = (0, 0);
    for seed in 0..20 {
        let record = random_game(Setup::default(), 36, seed);
        let winner = result(&record);
        for nodes in [4_096, 16_384, 65_536, 1 << 20] {
            let mut engine = SolverEngine(solver(5, 5, 1));
            let control = SearchControl::new(Limits::nodes(nodes));
            let Some(info) = engine.answer(&record, &control) else { continue };
            let Score::Proven { result: claimed, .. } = info.score else { continue };
            assert_eq!(claimed * record.game().to_move().sign(), winner, "{seed} {nodes}");
            let mut after = record.clone();
            after.play(info.best.unwrap()).unwrap();
            assert_eq!(result(&after), winner, "{seed} {nodes}");
            proven += 1;
            partly += u32::from(info.lines[0].pv.len() == 1);
        }
    }
    assert!(proven > 40 && partly > 0, "{proven} {partly}");
}

#[test]
fn a_hand_out_is_kept_or_given_away_whichever_wins() {
    let truth = solver(5, 5, 1);
    let value = |game: &DotsAndBoxes| {
        let position = truth.board().position(game.drawn()).unwrap();
        truth.solve(position, &unlimited(), &mut go_on).bounds.value().unwrap()
    };
    let lead = |game: &DotsAndBoxes| game.lead() + game.to_move().sign() * value(game);
    let mut rng = Rng::seeded(5);
    let (mut kept, mut given) = (0, 0);
    for seed in 0..60 {
        let mut record = random_game(Setup::default(), 32, seed);
        // A long chain is opened. The rest may be worth anything: whoever has the hand-out
        // does not lose by it, but has to find out what to do with it.
        let opens = |game: &DotsAndBoxes, mv: Edge| {
            let after = game.after(mv);
            let long = |chain: &Chain| chain.open_ends() == 1 && chain.size() >= 3;
            after.to_move() != game.to_move() && after.chains().iter().any(long)
        };
        loop {
            let game = record.game();
            let opening = edges_of(game.undrawn()).find(|&mv| opens(game, mv));
            let mv = opening.unwrap_or_else(|| game.random_move(&mut rng).unwrap());
            record.play(mv).unwrap();
            if opening.is_some() || record.outcome().is_some() {
                break;
            }
        }
        let mut engine = SolverEngine(solver(5, 5, 1));
        engine.warm_up();
        let mover = record.game().to_move();
        let result = |game: &DotsAndBoxes| (lead(game) * mover.sign()).signum();
        while record.outcome().is_none() && record.game().to_move() == mover {
            let before = *record.game();
            // A deadline so far away that the answer does not depend on the machine.
            let control = SearchControl::new(Limits::time(Duration::from_secs(600)));
            let info = engine.answer(&record, &control).expect("few edges are left");
            record.play(info.best.unwrap()).unwrap();
            assert_eq!(result(record.game()), result(&before), "{before:?}");
            if before.closing() != 0 {
                let count = if record.game().to_move() == mover { &mut kept } else { &mut given };
                *count += 1;
            }
        }
    }
    assert!(kept > 20 && given > 2, "{kept} {given}");
}

#[test]
fn a_stop_ends_the_solve_at_once_and_a_legal_move_is_published() {
    let mut engine = SolverEngine(solver(5, 5, 1));
    let record = random_game(Setup::default(), 46, 3);
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    let control = unlimited().observed(move |_| {
        counted.fetch_add(1, Relaxed);
        ControlFlow::Break(())
    });
    assert_eq!(engine.answer(&record, &control), None);
    assert_eq!(calls.load(Relaxed), 1);
    assert!(record.game().is_legal(control.newest().best.unwrap()));
}
