//! Every exact search returns plain minimax's value and a best move.

use games::connect_four::ConnectFour;
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;
use games::{Game, Player, Record, Rng, perft};
use search::alpha_beta::{AlphaBeta, AlphaBetaSettings, NodeKind, TieBreak, TraceNode, trace};
use search::{Engine, Heuristic, Limits, Score, SearchControl, SearchHints, SearchInfo, Term};

use crate::bare::Bare;
use crate::oracle::{Noise, children, minimax, value};
use crate::toys::{Heap, Number, Thicket};

/// Thinks to the end of its limits.
fn search<G: SearchHints>(
    engine: &mut impl Engine<G>,
    game: &G,
    limits: Limits,
) -> SearchInfo<G::Move> {
    engine.search(&Record::new(game.clone()), &SearchControl::new(limits))
}

/// Every form of the exact search: with and without table, order, scouts,
/// deepening and a second thread.
fn forms(depth: u32) -> Vec<(&'static str, AlphaBetaSettings)> {
    let exact = AlphaBetaSettings { table_mb: 1, ..AlphaBetaSettings::exact(depth) };
    let bare = |settings: AlphaBetaSettings| AlphaBetaSettings {
        aspiration: 0,
        killers: false,
        history: false,
        noisy_first: false,
        ..settings
    };
    vec![
        ("plain", AlphaBetaSettings::plain(depth)),
        ("exact", exact.clone()),
        ("no table", AlphaBetaSettings { table_mb: 0, ..exact.clone() }),
        ("no scout", AlphaBetaSettings { pvs: false, ..exact.clone() }),
        ("narrow", AlphaBetaSettings { aspiration: 1, ..exact.clone() }),
        ("at once", AlphaBetaSettings { deepen: false, ..exact.clone() }),
        ("bare", bare(exact.clone())),
        ("drawn", AlphaBetaSettings { ties: TieBreak::Random, ..exact.clone() }),
        ("two threads", AlphaBetaSettings { threads: 2, ..exact.clone() }),
        ("two threads, no table", AlphaBetaSettings { threads: 2, table_mb: 0, ..exact }),
    ]
}

/// Compares all forms with minimax at `depth` on one position.
fn agrees<G: SearchHints>(game: &G, depth: u32, noise: u64) {
    for range in [3, 5_000] {
        let noise = || Noise { seed: noise, range };
        let sign = game.to_move().sign();
        let truth = children(game, &noise(), depth, 0);
        let best = truth.iter().map(|&(_, value)| value * sign).max().unwrap();
        for (name, settings) in forms(depth) {
            let mut engine = AlphaBeta::new(noise(), settings.clone());
            // The second think meets the table of the first.
            for round in 0..2 {
                let info = search(&mut engine, game, Limits::default());
                let place = format!("{name}, depth {depth}, round {round}, {game:?}");
                assert_eq!(value(info.score), best, "{place}");
                let chosen = truth.iter().find(|&&(mv, _)| Some(mv) == info.best).unwrap();
                assert_eq!(chosen.1 * sign, best, "the move, {place}");
                follows(game, &info, &place);
            }
        }
        let mut wanted: Vec<i32> = truth.iter().map(|&(_, value)| value * sign).collect();
        wanted.sort_by_key(|&value| -value);
        wanted.truncate(3);
        let lines = AlphaBetaSettings { lines: 3, table_mb: 1, ..AlphaBetaSettings::exact(depth) };
        let info = search(&mut AlphaBeta::new(noise(), lines), game, Limits::default());
        let found: Vec<i32> = info.lines.iter().map(|line| value(line.score)).collect();
        assert_eq!(found, wanted, "the best three lines of {game:?} at depth {depth}");
        for line in &info.lines {
            let true_value = truth.iter().find(|&&(mv, _)| mv == line.mv).unwrap().1;
            assert_eq!(value(line.score), true_value * sign);
        }
        let node = trace(game, &noise(), depth, depth);
        assert_eq!((node.value, node.kind), (best, NodeKind::All));
        assert_eq!(node.children.len(), truth.len());
        let first = AlphaBetaSettings { ties: TieBreak::First, ..AlphaBetaSettings::plain(depth) };
        let info = search(&mut AlphaBeta::new(noise(), first), game, Limits::default());
        assert_eq!(node.nodes, info.nodes + 1, "the trace shows the plain search");
        explained(&node, depth);
    }
}

/// Every position of the tree left for the reason it gives.
fn explained<M: Copy>(node: &TraceNode<M>, depth: u32) {
    let seen = node.children.iter().map(|child| {
        let mine = if child.mover == node.mover { child.value } else { -child.value };
        explained(child, depth - 1);
        mine
    });
    let seen: Vec<i32> = seen.collect();
    assert_eq!(node.nodes, 1 + node.children.iter().map(|child| child.nodes).sum::<u64>());
    match node.kind {
        NodeKind::End => assert!(seen.is_empty()),
        NodeKind::Leaf => assert!(seen.is_empty() && depth == 0),
        NodeKind::All => assert!(seen.iter().all(|&value| value < node.window.beta)),
        NodeKind::Cut { .. } => {
            let (last, before) = seen.split_last().unwrap();
            assert!(*last >= node.window.beta);
            assert!(before.iter().all(|&value| value < node.window.beta));
        }
    }
    assert!(seen.is_empty() || seen.iter().max() == Some(&node.value));
}

/// The principal variation is legal and begins with the best move.
fn follows<G: SearchHints>(game: &G, info: &SearchInfo<G::Move>, place: &str) {
    let mut record = Record::new(game.clone());
    assert_eq!(info.lines[0].pv.first().copied(), info.best, "{place}");
    for &mv in &info.lines[0].pv {
        record.play(mv).unwrap_or_else(|error| panic!("pv {:?}: {error}, {place}", info.lines));
    }
}

/// Calls `check` with positions of random games that are not over.
fn positions<G: Game>(setup: &G::Setup, count: u64, plies: usize, mut check: impl FnMut(&G, u64)) {
    for seed in 0..count {
        let mut rng = Rng::stream(0xa93e, seed);
        let mut game = G::start(setup).unwrap();
        for _ in 0..rng.below(plies) {
            let next = game.random_move(&mut rng).map(|mv| game.after(mv));
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

/// The largest tree that plain minimax is asked to search.
const LARGEST: u64 = 60_000;

/// Compares on random positions of a real game, at every depth from 1 to 5 for
/// which the tree is small enough. Each depth must come up `least` times.
fn agrees_on<G: Game>(setup: &str, count: u64, plies: usize, least: u32) {
    let setup = setup.parse().unwrap_or_else(|error| panic!("{setup}: {error}"));
    let mut seen = [0; 6];
    positions::<Bare<G>>(&setup, count, plies, |game, noise| {
        for depth in 1..=5 {
            if perft(game, depth) > LARGEST {
                break;
            }
            seen[depth as usize] += 1;
            agrees(game, depth, noise);
        }
    });
    assert!(seen[1..].iter().all(|&times| times >= least), "{seen:?}");
}

#[test]
fn connect_four() {
    agrees_on::<ConnectFour<u64>>("", 8, 36, 8);
    agrees_on::<ConnectFour<u128>>("9x9 hole=4,3", 6, 60, 2);
}

#[test]
fn dots_and_boxes() {
    agrees_on::<DotsAndBoxes>("2x2", 10, 10, 3);
    agrees_on::<DotsAndBoxes>("2x3", 20, 15, 3);
    agrees_on::<DotsAndBoxes>("5x5", 30, 60, 3);
}

#[test]
fn surakarta() {
    agrees_on::<Surakarta>("", 40, 400, 3);
    // The count after quiet plies is always near, and no part of the key.
    agrees_on::<Surakarta>("quiet=30", 40, 400, 1);
}

/// Judges by the lead.
struct Lead;

impl<G: Game> Heuristic<G> for Lead {
    fn evaluate(&self, game: &G) -> i32 {
        100 * game.lead()
    }

    fn scale(&self) -> f64 {
        100.0
    }

    fn terms(&self, _: &G) -> Vec<Term> {
        Vec::new()
    }
}

/// The full engine searches until it knows, and knows what is known.
fn solves<G: Game>(setup: &str, result: i32) {
    let game = Bare::<G>::start(&setup.parse().unwrap_or_else(|_| panic!("{setup}"))).unwrap();
    for threads in [1, 2] {
        let settings = AlphaBetaSettings { threads, table_mb: 8, ..AlphaBetaSettings::default() };
        let info = search(&mut AlphaBeta::new(Lead, settings), &game, Limits::default());
        let Score::Proven { result: found, .. } = info.score else {
            panic!("{setup} is not solved: {:?}", info.score)
        };
        assert_eq!(found, result, "{setup}");
        assert_eq!(info.win_rate, f64::from(1 + result) / 2.0);
    }
}

#[test]
fn small_boards_are_solved_with_everything_on() {
    for (setup, result) in
        [("1x1", -1), ("1x2", 0), ("1x3", -1), ("1x4", 0), ("2x2", 1), ("2x3", -1)]
    {
        solves::<DotsAndBoxes>(setup, result);
    }
    for setup in ["4x4", "5x4", "4x5"] {
        solves::<ConnectFour<u64>>(setup, 0);
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
            let settings =
                AlphaBetaSettings { table_mb: 1, tactics: false, ..AlphaBetaSettings::default() };
            let info = search(
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

/// Prunings may overlook something, but what they call proven is: a plain search of
/// as many plies sees it too.
#[test]
fn prunings_prove_nothing_false() {
    let pruned = AlphaBetaSettings {
        table_mb: 1,
        reduction_divisor: 1.5,
        history_reductions: true,
        reverse_futility: 20,
        null_move: true,
        futility: 20,
        late_pruning: 2,
        internal_reductions: true,
        singular: 3,
        ..AlphaBetaSettings::default()
    };
    let mut rng = Rng::seeded(0x9f0e);
    let mut proofs = 0;
    for _ in 0..400 {
        let mut free: Vec<u64> = (0..36).map(|point| 1 << point).collect();
        let mut draw = |count: usize| {
            (0..count).fold(0, |set, _| set | free.swap_remove(rng.below(free.len())))
        };
        let (first, second) = (draw(4), draw(2));
        let setup = Default::default();
        let game = Surakarta::from_boards(first, second, Player::First, &setup).unwrap();
        let matrix = || <Surakarta as search::Evaluated>::evaluation("matrix").unwrap();
        let mut engine = AlphaBeta::new(matrix(), pruned.clone());
        let info = search(&mut engine, &game, Limits::depth(7));
        let Score::Proven { result, plies: Some(plies) } = info.score else { continue };
        // Longer ones take a plain search too long.
        if plies > 5 {
            continue;
        }
        proofs += 1;
        let exact = AlphaBetaSettings { table_mb: 4, ..AlphaBetaSettings::exact(plies) };
        let sure = search(&mut AlphaBeta::new(matrix(), exact), &game, Limits::default());
        let Score::Proven { result: true_result, .. } = sure.score else {
            panic!("{game:?} is not decided in {plies} plies")
        };
        assert_eq!(result, true_result, "{game:?}");
    }
    assert!(proofs > 20, "{proofs}");
}
