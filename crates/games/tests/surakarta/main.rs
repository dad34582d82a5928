//! Surakarta: known counts, agreement with a slow second implementation, the
//! laws of every game, and the end rules by brute force.

mod history;
#[path = "../laws/mod.rs"]
mod laws;
mod reference;
mod text;

use std::collections::BTreeSet;

use games::surakarta::{ForfeitRule, Move, PIECES, Point, Repeat, Setup, Stall, Surakarta};
use games::{Game, MoveList, Outcome, Player, Reason, Rng, Text, divide, perft};
use reference::{End, Place, Rules, Slow};

const SETUPS: [&str; 8] = [
    "",
    "quiet=50 stall=draw",
    "quiet=80 nomove=count",
    "standoff=count",
    "standoff=count quiet=7 stall=draw nomove=count",
    "repetition=6 repeat=loses quiet=30",
    "repetition=2 cap=40 clock=count",
    "repetition=0 quiet=400",
];

fn position(text: &str) -> Surakarta {
    Surakarta::parse(&Setup::default(), text).unwrap_or_else(|error| panic!("'{text}': {error}"))
}

fn captures(game: &Surakarta) -> Vec<Move> {
    let mut list = MoveList::new();
    game.captures(&mut list);
    list.to_vec()
}

fn numbers(text: &str) -> Vec<u64> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// Captures among the leaves at exactly this depth.
fn capture_leaves(game: &Surakarta, depth: u32) -> u64 {
    if depth == 1 {
        return captures(game).len() as u64;
    }
    laws::moves(game).into_iter().map(|mv| capture_leaves(&game.after(mv), depth - 1)).sum()
}

#[test]
fn perft_is_as_published() {
    let mut lines = 0;
    for line in include_str!("../../data/perft/surakarta.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let [text, leaves, taking] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("'{line}'")
        };
        let game = position(text);
        for (depth, expected) in (1..).zip(numbers(leaves)) {
            assert_eq!(perft(&game, depth), expected, "depth {depth} of {text}");
        }
        for (depth, expected) in (1..).zip(numbers(taking)) {
            assert_eq!(capture_leaves(&game, depth), expected, "captures at {depth} of {text}");
        }
        let parts = divide(&game, 3);
        assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), perft(&game, 3));
        lines += 1;
    }
    assert_eq!(lines, 5);
}

#[test]
fn captures_that_others_lost() {
    let found = |text: &str, name: &str| {
        let game = position(text);
        captures(&game).iter().any(|&mv| game.move_text(mv) == name)
    };
    assert!(found("bw4/6/6/3bw1/5b/3bb1 b", "d3xe3"));
    assert!(!found("4w1/b5/3wbw/w2bw1/b3w1/w5 w", "a1xa5"));
    assert!(found("6/2b3/2b3/2bw2/6/6 b", "c4xd3"));
}

#[test]
fn every_setup_keeps_the_contract() {
    for setup in SETUPS {
        laws::contract::<Surakarta>(setup, 12);
    }
}

#[test]
fn every_setup_is_symmetric() {
    for setup in SETUPS {
        laws::symmetry::<Surakarta>(setup, 8, 6);
    }
}

/// The reference's rules from the fast one's setup, word for word.
pub fn rules_of(setup: &Setup) -> Rules {
    Rules {
        quiet: setup.quiet.into(),
        repetition: setup.repetition.into(),
        cap: setup.cap.into(),
        stall_is_draw: setup.stall == Stall::Draw,
        repeater_loses: setup.repeat == Repeat::Loses,
        nomove_counts: setup.nomove == ForfeitRule::Count,
        standoff: setup.standoff,
    }
}

/// An outcome in the reference's words.
pub fn end_of(outcome: Outcome) -> End {
    let winner = match outcome.winner {
        Some(Player::First) => 'b',
        Some(Player::Second) => 'w',
        None => '=',
    };
    let reason = Reason::ALL.into_iter().find(|&reason| reason == outcome.reason).unwrap();
    let words = [
        "wiped out",
        "no move",
        "count after quiet plies",
        "nobody can capture",
        "repetition",
        "move cap",
    ];
    let reason = reason.to_string();
    (winner, words.into_iter().find(|word| *word == reason).unwrap_or("something else"))
}

fn places(moves: &[Move]) -> BTreeSet<(Place, Place)> {
    let place = |point: Point| (point.row(), point.column());
    moves.iter().map(|mv| (place(mv.from), place(mv.to))).collect()
}

/// Everything the two implementations must agree on in one position.
fn agree(game: &Surakarta) {
    let rules = rules_of(&game.setup());
    let slow = Slow::read(&game.position());
    let list = laws::moves(game);
    assert_eq!(places(&list), slow.moves(&rules), "moves of {game:?}");
    assert_eq!(list.len(), game.count_moves(), "{game:?}");
    assert_eq!(places(&list).len(), list.len(), "a move twice in {game:?}");
    assert_eq!(game.outcome().map(end_of), slow.end(&rules), "end of {game:?}");
    for (player, side) in [(Player::First, 'b'), (Player::Second, 'w')] {
        let mut taking = MoveList::new();
        game.captures_of(player, &mut taking);
        assert_eq!(places(&taking), slow.captures(side), "captures of {side} in {game:?}");
    }
    let taking = captures(game);
    if !list.is_empty() {
        assert_eq!(places(&taking), slow.captures(slow.to_move));
        assert_eq!(list[..taking.len()], taking, "captures are listed first");
    }
}

/// A board with random pieces: any number of each side, and at times crowded
/// into a corner so that a side is likely to have no move.
fn scattered(rng: &mut Rng, setup: &Setup) -> Surakarta {
    let crowded = rng.below(4) == 0;
    let mut boards = [0u64; 2];
    for side in rng.below(2)..2 {
        let count = 1 + rng.below(PIECES as usize);
        for _ in 0..count {
            let square = if crowded { rng.below(3) * 6 + rng.below(4) } else { rng.below(36) };
            if (boards[0] | boards[1]) >> square & 1 == 0 {
                boards[side] |= 1 << square;
            }
        }
    }
    let to_move = Player::BOTH[rng.below(2)];
    let quiet = [0, 1, setup.quiet.saturating_sub(1), setup.quiet][rng.below(4)];
    Surakarta::from_boards(boards[0], boards[1], to_move, setup).unwrap().with_quiet(quiet)
}

#[test]
fn the_fast_and_the_slow_agree_on_scattered_positions() {
    let mut reasons = BTreeSet::new();
    for (i, text) in SETUPS.into_iter().enumerate() {
        let setup = laws::setup::<Surakarta>(text);
        let mut rng = Rng::stream(0x5ca7, i as u64);
        for _ in 0..9_000 {
            let game = scattered(&mut rng, &setup);
            agree(&game);
            reasons.extend(game.outcome().map(|outcome| outcome.to_string()));
        }
    }
    for reason in ["wiped out", "no move", "quiet plies", "nobody can capture"] {
        for winner in ["first wins", "second wins"] {
            assert!(
                reasons.iter().any(|end| end.contains(reason) && end.contains(winner)),
                "no '{winner} ({reason})' among {reasons:?}"
            );
        }
    }
}

#[test]
fn the_fast_and_the_slow_agree_along_random_games() {
    let mut positions = 0;
    for text in SETUPS {
        let setup = laws::setup::<Surakarta>(text);
        laws::walk::<Surakarta>(&setup, 25, 10_000, |game, _| {
            agree(game);
            positions += 1;
        });
    }
    assert!(positions > 30_000, "{positions}");
}

#[test]
fn a_capture_path_is_a_clear_way_over_an_arc() {
    let mut rng = Rng::seeded(0x9a7b);
    let mut seen = 0;
    for _ in 0..4_000 {
        let game = scattered(&mut rng, &Setup::default());
        for code in 0..Move::CODES as u16 {
            let mv = Move::from(code);
            let Some(mover) = game.at(mv.from) else { continue };
            let mut taking = MoveList::new();
            game.captures_of(mover, &mut taking);
            let path = game.capture_path(mv);
            assert_eq!(path.is_some(), taking.contains(&mv), "{mv:?} in {game:?}");
            let Some(path) = path else { continue };
            seen += 1;
            assert_eq!((path[0], path[path.len() - 1]), (mv.from, mv.to));
            for &point in &path[1..path.len() - 1] {
                assert!(game.at(point).is_none() || point == mv.from);
            }
            // Each link is a step along a line or an arc, and one is an arc.
            let mut arcs = 0;
            for link in path.windows(2) {
                let (a, b) = (link[0], link[1]);
                let apart = a.row().abs_diff(b.row()) + a.column().abs_diff(b.column());
                let arc = games::surakarta::geometry::ARCS
                    .iter()
                    .any(|arc| arc.ends == [a, b] || arc.ends == [b, a]);
                assert!(arc || apart == 1, "{path:?}");
                arcs += u32::from(arc);
            }
            assert!((1..=4).contains(&arcs), "{path:?}");
        }
    }
    assert!(seen > 5_000, "{seen}");
}

#[test]
fn random_moves_are_uniform() {
    let mut checked = 0;
    laws::walk::<Surakarta>(&Setup::default(), 1, 10_000, |game, rng| {
        let list = laws::moves(game);
        if rng.below(8) != 0 || list.is_empty() {
            return;
        }
        let (each, n) = (400, list.len());
        let mut seen = vec![0i64; n];
        for _ in 0..each * n {
            let mv = game.random_move(rng).unwrap();
            seen[list.iter().position(|&other| other == mv).unwrap()] += 1;
        }
        // Chi square has mean n - 1 and variance 2 (n - 1); five deviations.
        let off = |count: &i64| (count - each as i64).pow(2) as f64 / each as f64;
        let chi: f64 = seen.iter().map(off).sum();
        let mean = n as f64 - 1.0;
        assert!(chi < mean + 5.0 * (2.0 * mean).sqrt() + 5.0, "{chi} for {n} moves: {seen:?}");
        checked += 1;
    });
    assert!(checked > 10);
}

#[test]
fn a_playout_is_the_game_of_random_moves() {
    for text in SETUPS {
        let setup = laws::setup::<Surakarta>(text);
        for seed in 0..150 {
            let start = Surakarta::start(&setup).unwrap();
            let (mut game, mut rng) = (start, Rng::seeded(seed));
            while let Some(mv) = game.random_move(&mut rng) {
                game.play(mv);
            }
            let mut again = Rng::seeded(seed);
            assert_eq!(Some(start.playout(&mut again)), game.outcome(), "seed {seed}, '{text}'");
            assert_eq!(again.bits(), rng.bits(), "the same number of throws");
        }
    }
}

#[test]
fn playouts_end_where_games_need_not() {
    let setup = laws::setup::<Surakarta>("quiet=0 repetition=0");
    let (mut rng, mut out_of_patience) = (Rng::seeded(3), 0);
    for _ in 0..300 {
        let outcome = Surakarta::start(&setup).unwrap().playout(&mut rng);
        out_of_patience += u32::from(outcome.reason == Reason::QuietPlies);
    }
    assert!(out_of_patience < 30, "{out_of_patience}");
    // Two pieces that meet so seldom that patience may run out; and a counter at
    // its end, which must neither overflow nor hang.
    for quiet in [0, 65_000, u16::MAX] {
        let game = Surakarta::from_boards(1, 1 << 35, Player::First, &setup).unwrap();
        for _ in 0..50 {
            game.with_quiet(quiet).playout(&mut rng);
        }
    }
}

#[test]
fn a_random_game_is_as_long_as_expected() {
    let (games, mut plies, mut branching) = (400, 0u64, 0u64);
    laws::walk::<Surakarta>(&Setup::default(), games, 10_000, |game, _| {
        plies += u64::from(game.outcome().is_none());
        branching += game.count_moves() as u64;
        assert!(game.count_moves() <= 112);
    });
    let length = plies as f64 / games as f64;
    let width = branching as f64 / plies as f64;
    assert!((225.0..260.0).contains(&length), "{length} plies a game");
    assert!((25.0..27.0).contains(&width), "{width} moves a position");
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<Surakarta>() <= 32);
    assert_eq!(size_of::<Move>(), 2);
}
