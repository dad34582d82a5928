//! The tables against searches: one that knows the rules alone, and an engine
//! that plays against itself with and without tables.

use std::sync::Arc;

use exact::surakarta::{Distance, Placement, Tables, Value};
use games::surakarta::{Move, Setup, Stall, Surakarta};
use games::{Game, MoveList, Player, Record, Rng};
use search::alpha_beta::{AlphaBeta, AlphaBetaSettings};
use search::tree::{Expand, Fpu, Selection, TreeSearch, TreeSettings};
use search::{Engine, Evaluated, SearchControl};
use tempfile::TempDir;

use crate::build;

/// What a search of so many plies by the rules alone can say: the mover's result
/// is at least the first number and at most the second.
fn plain_search(game: &Surakarta, depth: u32) -> (i32, i32) {
    if let Some(outcome) = game.outcome() {
        let result = outcome.for_first() * game.to_move().sign();
        return (result, result);
    }
    if depth == 0 {
        return (-1, 1);
    }
    let mut list = MoveList::new();
    game.moves(&mut list);
    let (mut least, mut most) = (-1, -1);
    for mv in list {
        let (theirs, at_most) = plain_search(&game.after(mv), depth - 1);
        least = least.max(-at_most);
        most = most.max(-theirs);
        if least == 1 {
            break;
        }
    }
    (least, most)
}

/// A placement of `a` against `b` pieces, each with the same probability.
fn random_placement(a: usize, b: usize, rng: &mut Rng) -> Placement {
    let mut draw = |count: usize, taken: u64| {
        let mut set = 0u64;
        while (set.count_ones() as usize) < count {
            let bit = 1 << rng.below(36);
            set |= bit & !taken;
        }
        set
    };
    let mover = draw(a, 0);
    Placement { mover, other: draw(b, mover) }
}

/// Positions on which tables and search are compared; how many of them the
/// search settled.
fn compare_with_search(tables: &Tables, positions: usize, depth: u32) -> usize {
    let mut rng = Rng::seeded(17);
    let (mut seen, mut settled) = (0, 0);
    while seen < positions {
        let total = 2 + rng.below(tables.pieces() - 1);
        let a = 1 + rng.below(total - 1);
        let p = random_placement(a, total - a, &mut rng);
        let setup = Setup { stall: tables.stall(), ..Setup::default() };
        let mut game =
            Surakarta::from_boards(p.mover, p.other, Player::BOTH[rng.below(2)], &setup).unwrap();
        // Half of them so late that the search sees the stall.
        if rng.below(2) == 0 {
            game = game.with_quiet(setup.quiet - 1 - rng.below(3) as u16);
        }
        let Some(value) = tables.position_value(&game) else { continue };
        let (least, most) = plain_search(&game, depth);
        assert!((least..=most).contains(&value.sign()), "{game:?} {value}: {least} to {most}");
        settled += usize::from(least == most);
        seen += 1;
    }
    settled
}

#[test]
fn probes_agree_with_a_plain_search_on_ten_thousand_positions() {
    for stall in [Stall::Count, Stall::Draw] {
        let folder = TempDir::new().unwrap();
        let tables = build(&folder, stall, 5, 2);
        let settled = compare_with_search(&tables, 5_000, 3);
        assert!(settled > 1_000, "{settled} of 5000 settled");
    }
}

/// The weaker side can force a draw, but not before the limit if the stronger one
/// walks into a slow loss that the limit turns into a win.
#[test]
fn a_draw_is_certain_only_if_the_limit_cannot_come_first() {
    let folder = TempDir::new().unwrap();
    let tables = build(&folder, Stall::Count, 5, 2);
    let setup = Setup::default();
    let at = |quiet| {
        let game = Surakarta::from_boards(4352, 8225, Player::Second, &setup).unwrap();
        game.with_quiet(quiet)
    };
    assert_eq!(plain_search(&at(97), 4), (1, 1));
    assert_eq!(tables.position_value(&at(97)), None);
    assert!(matches!(tables.position_value(&at(0)), Some(Value::Draw(_))));
}

/// Plays by the tables where they know the position, and asks them inside the
/// search elsewhere.
struct Tabled {
    tables: Arc<Tables>,
    engine: AlphaBeta<Surakarta, <Surakarta as Evaluated>::Eval>,
}

fn searcher() -> AlphaBeta<Surakarta, <Surakarta as Evaluated>::Eval> {
    let settings =
        AlphaBetaSettings { depth: Some(2), table_mb: 1, ..AlphaBetaSettings::default() };
    AlphaBeta::new(Surakarta::evaluation("matrix").unwrap(), settings)
}

fn choose_move(engine: &mut impl Engine<Surakarta>, record: &Record<Surakarta>) -> Move {
    let info = engine.search(record, &SearchControl::unlimited());
    info.best.expect("the game goes on")
}

/// Plays games from random placements of a few pieces more than the tables know,
/// the same engine with and without tables. How many times the side with the
/// tables stood in a won position of theirs, and then won.
fn play_matches(tables: Tables, games: usize, extra: usize) -> usize {
    let pieces = tables.pieces();
    let tables = Arc::new(tables);
    let mut with =
        Tabled { tables: tables.clone(), engine: searcher().with_oracle(tables.clone()) };
    let mut without = searcher();
    let mut rng = Rng::seeded(29);
    let mut reached = 0;
    for index in 0..games {
        let total = pieces + 1 + rng.below(extra);
        let p = random_placement(total / 2, total.div_ceil(2), &mut rng);
        let start =
            Surakarta::from_boards(p.mover, p.other, Player::First, &Setup::default()).unwrap();
        let owner = Player::BOTH[index % 2];
        let mut record = Record::new(start);
        let mut won = false;
        with.engine.new_game(index as u64);
        without.new_game(index as u64);
        while record.outcome().is_none() {
            let game = record.game();
            let mv = if game.to_move() != owner {
                choose_move(&mut without, &record)
            } else {
                won |= matches!(with.tables.position_value(game), Some(Value::Win(_)));
                match with.tables.answer(&record) {
                    Some(info) => info.best.expect("the game goes on"),
                    None => choose_move(&mut with.engine, &record),
                }
            };
            record.play(mv).unwrap();
        }
        if won {
            reached += 1;
            let winner = record.outcome().unwrap().winner;
            assert_eq!(winner, Some(owner), "{:?} {}", record.start(), record.moves_text());
        }
    }
    reached
}

#[test]
fn no_won_table_position_is_lost_in_a_match() {
    let folder = TempDir::new().unwrap();
    let reached = play_matches(build(&folder, Stall::Count, 5, 2), 60, 2);
    assert!(reached >= 10, "{reached} of 60 games came to a won position");
}

/// A tree proves such a position with its first simulations, by whatever move; without
/// the tables' own choice it went back and forth until the position was repeated. With
/// as many pieces on both sides, since more pieces win a stalled game anyway.
#[test]
fn a_tree_search_wins_what_its_tables_call_won() {
    let folder = TempDir::new().unwrap();
    let tables = Arc::new(build(&folder, Stall::Count, 5, 2));
    let settings = TreeSettings {
        selection: Selection::Puct { c: 1.0 },
        fpu: Fpu::Absolute(0.0),
        expand: Expand::One,
        sims: Some(40),
        memory: 1,
        ..TreeSettings::default()
    };
    let mut engine = TreeSearch::new(settings, 3).with_oracle(tables.clone());
    let mut rng = Rng::seeded(31);
    let mut played = 0;
    while played < 100 {
        let p = random_placement(2, 2, &mut rng);
        let start =
            Surakarta::from_boards(p.mover, p.other, Player::First, &Setup::default()).unwrap();
        let Some(Value::Win(Distance::Plies(5..))) = tables.position_value(&start) else {
            continue;
        };
        played += 1;
        let mut record = Record::new(start);
        engine.new_game(played);
        while record.outcome().is_none() {
            let mv = match record.game().to_move() {
                Player::First => choose_move(&mut engine, &record),
                Player::Second => tables.answer(&record).unwrap().best.unwrap(),
            };
            record.play(mv).unwrap();
        }
        let winner = record.outcome().unwrap().winner;
        assert_eq!(winner, Some(Player::First), "{:?} {}", record.start(), record.moves_text());
    }
}

#[test]
#[ignore = "soak: tables of seven pieces, deeper searches and longer matches"]
fn tables_of_seven_pieces_hold_in_search_and_match() {
    for stall in [Stall::Count, Stall::Draw] {
        let folder = TempDir::new().unwrap();
        let tables = build(&folder, stall, 7, 2);
        let settled = compare_with_search(&tables, 10_000, 4);
        println!("{stall:?}: {settled} of 10000 positions settled by search");
        assert!(settled > 2_000);
        if stall == Stall::Count {
            let reached = play_matches(tables, 1_000, 4);
            println!("{reached} of 1000 games came to a won position, and all were won");
            assert!(reached > 100);
        }
    }
}
