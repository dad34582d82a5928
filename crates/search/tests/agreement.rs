//! Every exact search returns plain minimax's value and a best move.

mod oracle;
mod toys;

use std::ops::ControlFlow;

use games::{Dice, Game, Player, Record};
use oracle::{Noise, children, minimax, value};
use search::alpha_beta::{AlphaBeta, Settings, Ties, Visit, tree};
use search::{Engine, Heuristic, Info, Knowledge, Limits};
use toys::{Heap, Number, Thicket};

/// Thinks to the end of its limits.
fn think<G: Knowledge>(engine: &mut dyn Engine<G>, game: &G, limits: Limits) -> Info<G> {
    engine.think(&Record::new(game.clone()), &limits, &mut |_| ControlFlow::Continue(()))
}

/// Every form of the exact search: with and without table, order, scouts,
/// deepening and a second thread.
fn forms(depth: u32) -> Vec<(&'static str, Settings)> {
    let exact = Settings { table_mb: 1, ..Settings::exact(depth) };
    let bare = |settings: Settings| Settings {
        aspiration: 0,
        killers: false,
        history: false,
        forcing_first: false,
        ..settings
    };
    vec![
        ("plain", Settings::plain(depth)),
        ("exact", exact.clone()),
        ("no table", Settings { table_mb: 0, ..exact.clone() }),
        ("no scout", Settings { pvs: false, ..exact.clone() }),
        ("narrow", Settings { aspiration: 1, ..exact.clone() }),
        ("at once", Settings { deepen: false, ..exact.clone() }),
        ("bare", bare(exact.clone())),
        ("drawn", Settings { ties: Ties::Random, ..exact.clone() }),
        ("two threads", Settings { threads: 2, ..exact.clone() }),
        ("two threads, no table", Settings { threads: 2, table_mb: 0, ..exact }),
    ]
}

/// Compares all forms with minimax at `depth` on one position.
fn agrees<G: Knowledge>(game: &G, depth: u32, noise: u64) {
    for range in [3, 5_000] {
        let noise = || Noise { seed: noise, range };
        let sign = game.to_move().sign();
        let truth = children(game, &noise(), depth, 0);
        let best = truth.iter().map(|&(_, value)| value * sign).max().unwrap();
        for (name, settings) in forms(depth) {
            let mut engine = AlphaBeta::new(noise(), settings.clone());
            // The second think meets the table of the first.
            for round in 0..2 {
                let info = think(&mut engine, game, Limits::default());
                let place = format!("{name}, depth {depth}, round {round}, {game:?}");
                assert_eq!(value(info.score), best, "{place}");
                let chosen = truth.iter().find(|&&(mv, _)| Some(mv) == info.best).unwrap();
                assert_eq!(chosen.1 * sign, best, "the move, {place}");
                follows(game, &noise(), &info, &place);
            }
        }
        let mut wanted: Vec<i32> = truth.iter().map(|&(_, value)| value * sign).collect();
        wanted.sort_by_key(|&value| -value);
        wanted.truncate(3);
        let lines = Settings { lines: 3, table_mb: 1, ..Settings::exact(depth) };
        let info = think(&mut AlphaBeta::new(noise(), lines), game, Limits::default());
        let found: Vec<i32> = info.lines.iter().map(|line| value(line.score)).collect();
        assert_eq!(found, wanted, "the best three lines of {game:?} at depth {depth}");
        for line in &info.lines {
            let true_value = truth.iter().find(|&&(mv, _)| mv == line.mv).unwrap().1;
            assert_eq!(value(line.score), true_value * sign);
        }
        let branch = tree(game, &noise(), depth, 2);
        assert_eq!(branch.value, best);
        assert_eq!(branch.visit, Visit::All);
        assert_eq!(branch.children.len(), truth.len());
    }
}

/// The principal variation is legal and begins with the best move.
fn follows<G: Knowledge>(game: &G, _: &impl Heuristic<G>, info: &Info<G>, place: &str) {
    let mut record = Record::new(game.clone());
    assert_eq!(info.lines[0].pv.first().copied(), info.best, "{place}");
    for &mv in &info.lines[0].pv {
        record.play(mv).unwrap_or_else(|error| panic!("pv {:?}: {error}, {place}", info.lines));
    }
}

/// Calls `check` with positions of random games that are not over.
fn positions<G: Game>(setup: &G::Setup, count: u64, plies: usize, mut check: impl FnMut(&G, u64)) {
    for seed in 0..count {
        let mut dice = Dice::of(0xa93e, seed);
        let mut game = G::start(setup).unwrap();
        for _ in 0..dice.below(plies) {
            let next = game.random_move(&mut dice).map(|mv| game.after(mv));
            match next {
                Some(next) if next.outcome().is_none() => game = next,
                _ => break,
            }
        }
        check(&game, seed);
    }
}

#[test]
fn random_trees_with_repeated_turns() {
    for seed in 0..12 {
        positions::<Thicket>(&Number(seed), 4, 6, |game, noise| {
            for depth in 1..=5 {
                agrees(game, depth, noise);
            }
        });
    }
}

#[test]
fn flipping_at_every_ply_would_fail_here() {
    // The trees are only a test of repeated turns if they have them: minimax
    // with a sign that flips at every ply must differ somewhere.
    fn flipped(game: &Thicket, noise: &Noise, depth: u32, ply: i32, sign: i32) -> i32 {
        if depth == 0 || game.outcome().is_some() {
            return sign * minimax(game, noise, 0, ply);
        }
        let mut list = games::MoveList::new();
        game.moves(&mut list);
        let value = |&mv: &u16| -flipped(&game.after(mv), noise, depth - 1, ply + 1, -sign);
        list.iter().map(value).max().unwrap()
    }
    let noise = Noise { seed: 1, range: 500 };
    let wrong = (0..100).filter(|&seed| {
        let game = Thicket::start(&Number(seed)).unwrap();
        flipped(&game, &noise, 4, 0, 1) != minimax(&game, &noise, 4, 0)
    });
    assert!(wrong.count() > 50);
}

#[test]
fn the_race_is_won_in_the_fewest_moves_and_lost_in_the_most() {
    for left in 1..=17u16 {
        for mover in Player::BOTH {
            let game = Heap { left, mover };
            let settings = Settings { table_mb: 1, tactics: false, ..Settings::default() };
            let info = think(
                &mut AlphaBeta::new(Noise { seed: 1, range: 9 }, settings),
                &game,
                Limits::default(),
            );
            let truth = minimax(&game, &Noise { seed: 1, range: 9 }, 20, 0) * mover.sign();
            assert_eq!(value(info.score), truth, "{game:?}");
            assert_eq!(truth > 0, left % 4 != 0);
            assert!(info.depth <= u32::from(left), "a decided game is not searched on");
        }
    }
}
