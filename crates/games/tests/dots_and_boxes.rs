//! Dots and Boxes against its laws, a slow second implementation and what is
//! known of small boards.

mod laws;
#[path = "dots_and_boxes/reference.rs"]
mod reference;

use std::collections::{HashMap, HashSet};

use games::dots_and_boxes::{DotsAndBoxes, Edge, Setup, edges_of};
use games::{Game, Outcome, Player, Rng, Symmetric, Text, perft};
use laws::moves;
use proptest::prelude::*;
use reference::{Picture, Reference};

fn start(rows: u8, columns: u8) -> DotsAndBoxes {
    DotsAndBoxes::start(&Setup { rows, columns }).unwrap()
}

#[test]
fn contract() {
    for (setup, games) in [
        ("", 200),
        ("1x1", 100),
        ("1x4", 200),
        ("3x3", 200),
        ("2x5", 200),
        ("7x7", 50),
        ("7x8", 50),
        ("42x1", 20),
    ] {
        laws::contract::<DotsAndBoxes>(setup, games);
    }
}

#[test]
fn a_draw_chooses_each_edge_alike() {
    for setup in ["", "1x1", "7x8"] {
        laws::even_draws::<DotsAndBoxes>(setup, 5);
    }
}

#[test]
fn symmetry() {
    for (setup, count, games) in [
        ("", 8, 30),
        ("1x1", 8, 50),
        ("1x4", 4, 50),
        ("3x3", 8, 50),
        ("3x2", 4, 50),
        ("7x7", 8, 5),
        ("8x7", 4, 5),
    ] {
        laws::symmetry::<DotsAndBoxes>(setup, count, games);
    }
}

/// The images of one edge are as many as its place on the board allows, so no
/// two symmetries are the same.
#[test]
fn symmetries_differ() {
    for (rows, columns, count) in [(1, 1, 8), (5, 5, 8), (2, 3, 4), (1, 2, 4)] {
        let game = start(rows, columns);
        let turns: HashSet<Vec<Edge>> = (0..count)
            .map(|s| moves(&game).into_iter().map(|edge| game.transform_move(s, edge)).collect())
            .collect();
        assert_eq!(turns.len(), count);
    }
}

fn assert_same(game: &DotsAndBoxes, slow: &Reference) {
    let numbers: Vec<usize> = moves(game).into_iter().map(Edge::index).collect();
    assert_eq!(numbers, slow.moves());
    assert_eq!(game.to_move(), slow.to_move);
    assert_eq!(game.score(), Player::BOTH.map(|player| slow.score(player)));
    assert_eq!(game.lead(), game.score()[0] as i32 - game.score()[1] as i32);
    assert_eq!(game.outcome(), slow.outcome());
    let columns = u32::from(game.setup().columns);
    for number in 0..game.setup().boxes() {
        let square = (number as u32 / columns, number as u32 % columns);
        assert_eq!(game.owner(number), slow.owners.get(&square).copied());
        assert_eq!(game.open_sides(number) == 0, slow.is_closed(square));
    }
}

#[test]
fn equals_the_slow_implementation_on_random_games_of_many_sizes() {
    let mut positions = 0;
    let sizes = (1..=7).flat_map(|r| (1..=7).map(move |c| (r, c))).chain([
        (7, 8),
        (1, 42),
        (25, 2),
        (9, 6),
    ]);
    for (rows, columns) in sizes {
        let mut rng = Rng::stream(u64::from(rows), u64::from(columns));
        let enough = positions + 2_000;
        while positions < enough {
            let mut game = start(rows, columns);
            let mut slow = Reference::start(rows.into(), columns.into());
            assert_same(&game, &slow);
            while let Some(edge) = game.random_move(&mut rng) {
                game.play(edge);
                slow.play(edge.index());
                assert_same(&game, &slow);
                positions += 1;
            }
        }
    }
    assert!(positions >= 100_000, "{positions}");
}

#[test]
fn perft_by_formula() {
    let table = include_str!("../data/perft/dots-and-boxes.txt");
    let mut lines = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [setup, depth, leaves] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let game = DotsAndBoxes::start(&setup.parse().unwrap()).unwrap();
        let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
        let edges = game.setup().edges() as u64;
        let formula: u64 =
            (0..u64::from(depth)).map(|played| edges.saturating_sub(played)).product();
        assert_eq!(leaves, formula, "{line}");
        assert_eq!(perft(&game, depth), leaves, "{line}");
        lines += 1;
    }
    assert!(lines > 20);
}

/// Every order of drawing edges on tiny boards: the turn stays exactly with
/// whoever closed a box.
#[test]
fn turn_rule_by_brute_force() {
    fn all_orders(game: &DotsAndBoxes, slow: &Reference, depth: u32) -> u64 {
        assert_same(game, slow);
        if depth == 0 {
            return 1;
        }
        let each = moves(game).into_iter().map(|edge| {
            let (next, mut slow_next) = (game.after(edge), slow.clone());
            slow_next.play(edge.index());
            let closed = next.closed().count_ones() > game.closed().count_ones();
            assert_eq!(next.to_move() == game.to_move(), closed);
            all_orders(&next, &slow_next, depth - 1)
        });
        each.sum()
    }
    for (rows, columns, depth, leaves) in
        [(1, 1, 4, 24), (1, 2, 7, 5_040), (2, 1, 7, 5_040), (2, 2, 4, 11_880)]
    {
        let slow = Reference::start(rows.into(), columns.into());
        assert_eq!(all_orders(&start(rows, columns), &slow, depth), leaves);
    }
}

/// The boxes still to be won by First less those by Second with best play, by
/// plain minimax over pictures. The turn is asked, never assumed.
fn minimax_slow(slow: &Reference, known: &mut HashMap<(Picture, Player), i32>) -> i32 {
    let key = (slow.picture(), slow.to_move);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let lead =
        |slow: &Reference| slow.score(Player::First) as i32 - slow.score(Player::Second) as i32;
    let values = slow.moves().into_iter().map(|number| {
        let mut next = slow.clone();
        next.play(number);
        lead(&next) - lead(slow) + minimax_slow(&next, known)
    });
    let values: Vec<i32> = values.collect();
    let best = match slow.to_move {
        Player::First => values.into_iter().max(),
        Player::Second => values.into_iter().min(),
    };
    known.insert(key, best.unwrap_or(0));
    best.unwrap_or(0)
}

fn minimax_fast(game: &DotsAndBoxes, known: &mut HashMap<(u128, Player), i32>) -> i32 {
    if let Some(&value) = known.get(&(game.drawn(), game.to_move())) {
        return value;
    }
    let sign = game.to_move().sign();
    let each = moves(game).into_iter().map(|edge| {
        let next = game.after(edge);
        sign * (next.lead() - game.lead() + minimax_fast(&next, known))
    });
    let best = sign * each.max().unwrap_or(0);
    known.insert((game.drawn(), game.to_move()), best);
    best
}

#[test]
fn known_values_of_tiny_boards_by_two_minimaxes() {
    for (rows, columns, value) in [(1, 1, -1), (1, 2, 0), (1, 3, -1), (1, 4, 0), (2, 2, 2)] {
        assert_eq!(
            minimax_fast(&start(rows, columns), &mut HashMap::new()),
            value,
            "{rows}x{columns}"
        );
        let slow = Reference::start(rows.into(), columns.into());
        assert_eq!(minimax_slow(&slow, &mut HashMap::new()), value, "{rows}x{columns}");
    }
    // Too many pictures for the slow one.
    for (rows, columns, value) in [(1, 5, -1), (2, 3, -2)] {
        assert_eq!(
            minimax_fast(&start(rows, columns), &mut HashMap::new()),
            value,
            "{rows}x{columns}"
        );
    }
}

/// The probability of each final lead of the mover, to be gained from here, by
/// going through every move of every position.
fn exact_gains(game: &DotsAndBoxes, known: &mut HashMap<u128, Vec<f64>>) -> Vec<f64> {
    const ZERO: usize = 8;
    if let Some(gains) = known.get(&game.drawn()) {
        return gains.clone();
    }
    let mut gains = vec![0.0; 2 * ZERO + 1];
    let list = moves(game);
    for &edge in &list {
        let next = game.after(edge);
        let taken = (next.closed().count_ones() - game.closed().count_ones()) as usize;
        for (i, chance) in
            exact_gains(&next, known).into_iter().enumerate().filter(|(_, p)| *p > 0.0)
        {
            let mine = if next.to_move() == game.to_move() { i + taken } else { 2 * ZERO - i };
            gains[mine] += chance / list.len() as f64;
        }
    }
    if list.is_empty() {
        gains[ZERO] = 1.0;
    }
    known.insert(game.drawn(), gains.clone());
    gains
}

#[test]
fn playouts_have_the_distribution_of_single_random_moves() {
    let opened =
        start(2, 3).after(Edge(0)).after(Edge(3)).after(Edge(9)).after(Edge(10)).after(Edge(4));
    assert_eq!((opened.to_move(), opened.lead()), (Player::First, -1), "one box is closed");
    for game in [start(1, 1), start(2, 2), start(2, 3), start(2, 3).after(Edge(7)), opened] {
        let exact = exact_gains(&game, &mut HashMap::new());
        let games = 100_000;
        let by_moves = |rng: &mut Rng| {
            let mut game = game;
            while let Some(edge) = game.random_move(rng) {
                game.play(edge);
            }
            game.lead()
        };
        let by_shuffle = |rng: &mut Rng| game.playout_lead(rng);
        let ways: [&dyn Fn(&mut Rng) -> i32; 2] = [&by_moves, &by_shuffle];
        for (way, play) in ways.into_iter().enumerate() {
            let mut rng = Rng::stream(way as u64, 77);
            let mut seen = vec![0u32; exact.len()];
            for _ in 0..games {
                let gain = (play(&mut rng) - game.lead()) * game.to_move().sign();
                seen[(gain + 8) as usize] += 1;
            }
            for (seen, p) in seen.into_iter().zip(&exact) {
                let n = f64::from(games);
                let spread = (n * p * (1.0 - p)).sqrt();
                assert!(
                    (f64::from(seen) - n * p).abs() <= 4.5 * spread,
                    "way {way}: {seen}, {p} of {n}"
                );
            }
        }
        // An outcome is the sign of the lead, by the same seed.
        for seed in 0..1_000 {
            let lead = game.playout_lead(&mut Rng::seeded(seed));
            let outcome = game.playout(&mut Rng::seeded(seed));
            assert_eq!(outcome, Outcome::by_lead(lead, games::Reason::BoxesCounted));
        }
    }
}

/// A key stands for edges, side and lead, and for nothing else.
#[test]
fn keys() {
    let mut of_state = HashMap::new();
    let mut of_key = HashMap::new();
    let mut ownerships = HashMap::new();
    laws::walk::<DotsAndBoxes>(&Setup { rows: 2, columns: 2 }, 20_000, 12, |game, _| {
        let state = (game.drawn(), game.to_move(), game.lead());
        assert_eq!(*of_state.entry(state).or_insert(game.key()), game.key());
        assert_eq!(*of_key.entry(game.key()).or_insert(state), state, "two states share a key");
        ownerships.entry(state).or_insert_with(HashSet::new).insert(game.owned(Player::First));
    });
    assert!(of_key.len() > 5_000, "{}", of_key.len());
    assert!(ownerships.values().any(|ways| ways.len() > 1), "equal keys, different owners");
}

#[test]
fn closing_and_safe_moves() {
    for (rows, columns) in [(1, 1), (2, 3), (5, 5), (7, 8)] {
        laws::walk::<DotsAndBoxes>(&Setup { rows, columns }, 50, 127, |game, _| {
            let (closing, safe) = (game.closing(), game.safe());
            assert_eq!((closing | safe) & game.drawn(), 0);
            let three_sided = |game: &DotsAndBoxes| {
                let boxes = 0..game.setup().boxes();
                boxes.filter(|&b| game.open_sides(b) == 1).collect::<HashSet<_>>()
            };
            for edge in moves(game) {
                let next = game.after(edge);
                assert_eq!(closing & edge.bit() != 0, next.closed() != game.closed());
                let harmless = three_sided(&next).is_subset(&three_sided(game));
                assert_eq!(safe & edge.bit() != 0, harmless, "{edge} in {}", game.position());
                for number in game.boxes_of(edge) {
                    assert_ne!(game.box_edges(number) & edge.bit(), 0);
                }
            }
        });
    }
}

#[test]
fn position_text() {
    let setup = Setup::default();
    let parse = |text: &str| DotsAndBoxes::parse(&setup, text);
    let closed = start(5, 5).after(Edge(0)).after(Edge(5)).after(Edge(30)).after(Edge(31));
    assert_eq!(closed.position(), "c0000021 second 0 1");
    // The short forms know no owners.
    let alone = parse("0xC0000021").unwrap();
    assert_eq!((alone.to_move(), alone.lead(), alone.closed()), (Player::First, 0, 1));
    assert_eq!(alone.position(), "c0000021 first 0 0");
    assert_eq!(parse(" c0000021  SECOND ").unwrap().to_move(), Player::Second);
    assert_eq!(parse("fffffffffffffff").unwrap().outcome().unwrap().winner, None);
    for (text, error) in [
        ("", "a position has 1, 2 or 4 parts, not 0"),
        ("1 first 0", "a position has 1, 2 or 4 parts, not 3"),
        ("xyz", "the drawn edges 'xyz': not a hexadecimal mask"),
        ("+1", "the drawn edges '+1': not a hexadecimal mask"),
        ("0x", "the drawn edges '0x': not a hexadecimal mask"),
        (
            "100000000000000000000000000000000",
            "the drawn edges '100000000000000000000000000000000': more bits",
        ),
        ("1000000000000000", "edge 60 is not on this board, whose last edge is 59"),
        ("1 third", "'third' is not a side to move: write first or second"),
        ("c0000021 first 2000000 0", "box 25 is not on this board, whose last box is 24"),
        ("c0000021 first 0 10000000000000000", "Second's boxes '10000000000000000': more boxes"),
        ("c0000021 first 2 0", "box 1 has an owner but not all four of its edges are drawn"),
        ("c0000021 first 1 1", "box 0 is owned by both players"),
    ] {
        let message = parse(text).unwrap_err().to_string();
        assert!(message.starts_with(error), "'{text}': {message}");
    }
}

#[test]
fn move_text() {
    let game = start(5, 5).after(Edge(25));
    for (text, edge) in [("0", 0), ("a6h", 0), ("59", 59), ("F1V", 59), (" 054 ", 54), ("a1v", 54)]
    {
        assert_eq!(game.parse_move(text), Ok(Edge(edge)), "{text}");
    }
    for (text, error) in [
        (
            "60",
            "'60' is not an edge of this board: edges are numbers from 0 to 59 or names from a1h to e6h",
        ),
        ("999999999999", "'999999999999' is not an edge"),
        ("", "'' is not an edge"),
        ("g1v", "'g1v' is not an edge"),
        ("25", "edge 25 is already drawn"),
        ("a1h", "edge a1h is already drawn"),
    ] {
        let message = game.parse_move(text).unwrap_err().to_string();
        assert!(message.starts_with(error), "'{text}': {message}");
    }
}

#[test]
fn drawing() {
    let game = DotsAndBoxes::parse(&Setup { rows: 2, columns: 2 }, "3df second 0 1").unwrap();
    let lines: Vec<String> = game.render(Some(Edge(2))).lines().map(String::from).collect();
    assert_eq!(
        lines,
        [
            "  3  +-----+-----+",
            "     |  B  |  .  |",
            "  2  +*****+-----+",
            "     |    10    11",
            "  1  +-----+  5  +",
            "     a     b     c",
            "A 0 : 1 B, second (B) to move",
        ]
    );
    assert!(start(5, 5).render(Some(Edge(200))).contains("59"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn no_text_breaks_a_parser(
        any in "\\PC{0,40}",
        like in "[0-9a-fA-F]{0,34}( (first|second|First|x)( [0-9a-f]{1,18}){0,3})?",
        size in "[0-9]{0,4}[xX]?[0-9]{0,4}",
        edge in "[a-zA-Z]{0,3}[0-9]{0,3}[hvHVx]?",
    ) {
        for text in [&any, &like, &size, &edge] {
            if let Ok(setup) = text.parse::<Setup>() {
                prop_assert_eq!(setup.to_string().parse(), Ok(setup));
                prop_assert!(DotsAndBoxes::start(&setup).is_ok());
            }
            for setup in [Setup::default(), Setup::new(7, 8), Setup::new(1, 42), Setup::new(0, 3), Setup::new(255, 255)] {
                if let Ok(game) = DotsAndBoxes::parse(&setup, text) {
                    prop_assert_eq!(DotsAndBoxes::parse(&setup, &game.position()), Ok(game));
                    if let Ok(mv) = game.parse_move(&edge) {
                        prop_assert!(game.is_legal(mv));
                    }
                }
                let _ = setup.edge_by_name(text);
            }
            if let Ok(mv) = start(7, 8).parse_move(text) {
                prop_assert!(mv.index() < 127);
            }
        }
    }
}

/// The file of exact 5x5 positions, as far as the rules can judge it.
#[test]
fn exact_positions_are_consistent() {
    let table = include_str!("../../../data/dots-and-boxes/positions-5x5.txt");
    let mut positions = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [mask, remaining, boxes, value, _style, drawn, best] =
            line.split(' ').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        let game = DotsAndBoxes::parse(&Setup::default(), mask).unwrap();
        let list = |text: &str| text.split(',').map(|n| n.parse().unwrap()).collect::<Vec<u8>>();
        assert_eq!(edges_of(game.drawn()).map(|edge| edge.0).collect::<Vec<_>>(), list(drawn));
        assert_eq!(game.count_moves(), remaining.parse().unwrap());
        let open: i32 = boxes.parse().unwrap();
        assert_eq!(25 - game.closed().count_ones() as i32, open);
        let value: i32 = value.parse().unwrap();
        assert!(value.abs() <= open && (value - open) % 2 == 0);
        assert!(list(best).into_iter().all(|edge| game.is_legal(Edge(edge))));
        positions += 1;
    }
    assert_eq!(positions, 60);
}
