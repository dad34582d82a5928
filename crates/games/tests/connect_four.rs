//! Connect Four against a slow second implementation, known counts and the laws
//! of every game.

mod laws;

use std::collections::HashMap;

use games::connect_four::reference::ReferenceBoard;
use games::connect_four::{Cell, Column, ConnectFour, Setup, U192, Word, bits_needed};
use games::{Game, Outcome, Player, Record, Rng, Symmetric, Text, TextError, perft};
use proptest::prelude::*;

fn setup(text: &str) -> Setup {
    laws::setup::<ConnectFour<u64>>(text)
}

fn read(setup_text: &str, text: &str) -> Result<ConnectFour<u128>, TextError> {
    ConnectFour::parse(&setup(setup_text), text)
}

/// Every size that counts and every kind of place for a hole: none, the corners,
/// the top and bottom row, the sides, the middle.
fn many_setups() -> Vec<Setup> {
    let mut all = Vec::new();
    for columns in 4..=12u8 {
        for rows in 4..=12u8 {
            all.push(Setup { columns, rows, hole: None });
            for column in [0, 1, columns / 2, columns - 1] {
                for row in [0, 1, rows / 2, rows - 2, rows - 1] {
                    all.push(Setup { columns, rows, hole: Some((column, row)) });
                }
            }
        }
    }
    all
}

/// What the slow board answers, asked once for all words.
struct Answers {
    moves: Vec<Column>,
    landing: Vec<(u8, u8)>,
    outcome: Option<Outcome>,
    /// By player; only looked for in some positions, for it takes long.
    threats: Option<[Vec<(u8, u8)>; 2]>,
}

impl Answers {
    fn new(slow: &ReferenceBoard, threats: bool) -> Answers {
        let moves = slow.moves();
        let landing = |column: &Column| slow.landing(column.0.into()).unwrap();
        Answers {
            landing: moves.iter().map(landing).map(|(x, y)| (x as u8, y as u8)).collect(),
            moves,
            outcome: slow.outcome(),
            threats: threats.then(|| Player::BOTH.map(|player| slow.threats(player))),
        }
    }
}

/// Everything that both implementations can be asked.
fn agree<W: Word>(fast: &ConnectFour<W>, slow: &ReferenceBoard, answers: &Answers) {
    assert_eq!(laws::moves(fast), answers.moves, "{fast:?}");
    assert_eq!(fast.count_moves(), answers.moves.len());
    assert_eq!(fast.outcome(), answers.outcome, "{fast:?}");
    assert_eq!(fast.to_move(), slow.to_move());
    assert_eq!(fast.plies() as usize, slow.stones.len());
    assert_eq!(fast.board().count(), fast.cells());
    assert_eq!(fast.places(fast.landing()).collect::<Vec<_>>(), answers.landing, "{fast:?}");
    for &(column, row) in &answers.landing {
        assert_eq!(fast.height(Column(column)), row);
    }
    for column in 0..slow.setup.columns {
        assert_eq!(fast.is_legal(Column(column)), answers.moves.contains(&Column(column)));
        for row in 0..slow.setup.rows {
            let cell = match slow.stones.get(&(column.into(), row.into())) {
                Some(&player) => Cell::Stone(player),
                None if slow.setup.hole == Some((column, row)) => Cell::Hole,
                None => Cell::Empty,
            };
            assert_eq!(fast.cell(column, row), cell, "{column},{row} of {fast:?}");
        }
    }
    assert!(!fast.is_legal(Column(slow.setup.columns)));
    for (player, threats) in Player::BOTH.into_iter().zip(answers.threats.iter().flatten()) {
        let found: Vec<(u8, u8)> = fast.places(fast.threats(player)).collect();
        assert_eq!(&found, threats, "{player:?} of {fast:?}");
        let within_reach = answers.landing.iter().filter(|place| threats.contains(place));
        let wins: Vec<Column> = within_reach.map(|&(column, _)| Column(column)).collect();
        assert_eq!(fast.wins(player).collect::<Vec<_>>(), wins, "{player:?} of {fast:?}");
        let same =
            if player == fast.to_move() { fast.winning_moves() } else { fast.opponent_threats() };
        assert_eq!(same, fast.wins(player));
    }
}

/// The start in the word `W` exactly if it is wide enough.
fn start<W: Word>(setup: &Setup) -> Option<ConnectFour<W>> {
    let game = ConnectFour::start(setup).ok();
    assert_eq!(game.is_some(), bits_needed(setup) <= W::BITS);
    game
}

/// One random game on the slow board and in every word that is wide enough;
/// returns how many positions were compared.
fn same_game(setup: &Setup, seed: u64) -> usize {
    let mut slow = ReferenceBoard::start(setup.clone());
    let (mut narrow, mut middle) = (start::<u64>(setup), start::<u128>(setup));
    let mut wide = start::<U192>(setup).expect("wide enough for every board");
    assert_eq!(
        wide.playout(&mut Rng::stream(0xc5, seed)),
        slow.clone().playout(&mut Rng::stream(0xc5, seed))
    );
    let mut rng = Rng::stream(0xc4, seed);
    for positions in 1.. {
        let answers = Answers::new(&slow, rng.below(8) == 0);
        narrow.iter().for_each(|fast| agree(fast, &slow, &answers));
        middle.iter().for_each(|fast| agree(fast, &slow, &answers));
        agree(&wide, &slow, &answers);
        if answers.moves.is_empty() {
            return positions;
        }
        let column = answers.moves[rng.below(answers.moves.len())];
        slow.play(column);
        narrow.iter_mut().for_each(|fast| fast.play(column));
        middle.iter_mut().for_each(|fast| fast.play(column));
        wide.play(column);
    }
    unreachable!("a board fills up")
}

#[test]
fn the_slow_reference_agrees_on_every_size_hole_and_word() {
    let seeded = (0..).zip(many_setups().into_iter().cycle());
    let mut positions = 0;
    for (seed, setup) in seeded.take(3 * many_setups().len()) {
        positions += same_game(&setup, seed);
    }
    assert!(positions >= 100_000, "only {positions} positions");
}

#[test]
fn perft_is_as_counted() {
    let table = include_str!("../data/perft/connect-four.txt");
    let mut boards = 0;
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (board, counts) = line.split_once(':').unwrap();
        let setup = setup(board);
        for (depth, count) in (1..).zip(counts.split_whitespace()) {
            let count: u64 = count.parse().unwrap();
            let check = |found: u64| assert_eq!(found, count, "{board} at depth {depth}");
            match bits_needed(&setup) {
                ..=64 => check(perft(&ConnectFour::<u64>::start(&setup).unwrap(), depth)),
                65..=128 => check(perft(&ConnectFour::<u128>::start(&setup).unwrap(), depth)),
                _ => check(perft(&ConnectFour::<U192>::start(&setup).unwrap(), depth)),
            }
            if count < 20_000 {
                check(ReferenceBoard::start(setup.clone()).perft(depth));
            }
        }
        boards += 1;
    }
    assert!(boards > 10);
}

#[test]
fn every_board_keeps_the_contract() {
    for text in ["", "4x4", "4x4 hole=2,4", "5x9 hole=5,1", "12x4 hole=3,2"] {
        laws::contract::<ConnectFour<u64>>(text, 60);
    }
    for text in ["7x6", "9x9", "11x10 hole=3,4", "9x12 hole=5,12"] {
        laws::contract::<ConnectFour<u128>>(text, 40);
    }
    for text in ["12x12", "12x12 hole=12,12", "4x12 hole=1,1"] {
        laws::contract::<ConnectFour<U192>>(text, 40);
    }
}

#[test]
fn a_draw_chooses_each_column_alike() {
    laws::even_draws::<ConnectFour<u64>>("", 20);
    laws::even_draws::<ConnectFour<u64>>("4x4 hole=2,4", 20);
    laws::even_draws::<ConnectFour<u128>>("11x10 hole=3,4", 5);
    laws::even_draws::<ConnectFour<U192>>("12x12", 5);
}

#[test]
fn the_mirror_is_a_symmetry_if_the_hole_allows_it() {
    laws::symmetry::<ConnectFour<u64>>("", 2, 100);
    laws::symmetry::<ConnectFour<u64>>("7x6 hole=4,2", 2, 100);
    laws::symmetry::<ConnectFour<u64>>("7x6 hole=3,2", 1, 20);
    laws::symmetry::<ConnectFour<u128>>("10x10", 2, 50);
    laws::symmetry::<ConnectFour<u128>>("10x10 hole=5,1", 1, 20);
    laws::symmetry::<ConnectFour<U192>>("12x12", 2, 50);
    laws::symmetry::<ConnectFour<U192>>("11x12 hole=6,12", 2, 50);
    let left = read("", "1").unwrap();
    assert_eq!(left.transform(1), read("", "7").unwrap());
}

/// First's result with best play, remembering what was seen.
fn best<G: Game>(game: &G, seen: &mut HashMap<G, i32>) -> i32 {
    if let Some(outcome) = game.outcome() {
        return outcome.for_first();
    }
    if let Some(&value) = seen.get(game) {
        return value;
    }
    let values = laws::moves(game).into_iter().map(|mv| best(&game.after(mv), seen));
    let value = match game.to_move() {
        Player::First => values.max(),
        Player::Second => values.min(),
    };
    let value = value.expect("a game that goes on has moves");
    seen.insert(game.clone(), value);
    value
}

/// The value of every position that can arise, by both implementations.
#[test]
fn a_tiny_board_has_the_value_and_the_positions_that_brute_force_finds() {
    for text in ["4x4", "4x4 hole=2,1", "4x4 hole=1,4", "4x4 hole=2,3"] {
        let setup = setup(text);
        let mut slow_seen = HashMap::new();
        let value = ReferenceBoard::start(setup.clone()).best(&mut slow_seen);
        let mut seen = HashMap::new();
        let start = ConnectFour::<u64>::start(&setup).unwrap();
        assert_eq!(best(&start, &mut seen), value, "{text}");
        assert_eq!(seen.len(), slow_seen.len(), "as many positions: {text}");
        let sum = |values: &mut dyn Iterator<Item = i32>| values.sum::<i32>();
        assert_eq!(
            sum(&mut seen.values().copied()),
            sum(&mut slow_seen.values().copied()),
            "{text}"
        );
        // Equality and keys: one key for each position, whatever the order.
        let keys: std::collections::HashSet<u64> = seen.keys().map(Game::key).collect();
        assert_eq!(keys.len(), seen.len(), "keys differ: {text}");
    }
}

#[test]
fn a_stone_passes_the_hole_and_a_line_does_not() {
    // Above the cell under the hole, in a column whose first row is the hole,
    // and in a column that the hole makes one shorter.
    assert_eq!(read("4x4 hole=1,2", "11").unwrap().position(), "4/o3/#3/x3 x");
    assert_eq!(read("4x4 hole=1,1", "1").unwrap().position(), "4/4/x3/#3 o");
    let full = read("4x4 hole=1,4", "111").unwrap();
    assert_eq!(full.position(), "#3/x3/o3/x3 o");
    assert!(!full.is_legal(Column(0)) && full.count_moves() == 3);
    // Three, the hole, one: in a row and in a column.
    assert!(read("5x4 hole=4,1", "1122355").unwrap().outcome().is_none());
    assert!(read("4x6 hole=1,4", "1212121").unwrap().outcome().is_none());
    assert!(read("4x6", "1212121").unwrap().outcome().is_some());
}

#[test]
fn a_four_with_the_last_stone_of_a_full_board_wins() {
    // Random games that fill the board: some must end with a win on the last cell.
    let setup = setup("4x4");
    let (mut wins, mut draws) = (0, 0);
    for seed in 0..20_000 {
        let mut rng = Rng::stream(16, seed);
        let mut game = ConnectFour::<u64>::start(&setup).unwrap();
        while let Some(mv) = game.random_move(&mut rng) {
            game.play(mv);
        }
        match game.outcome().unwrap().winner {
            Some(_) if game.plies() == 16 => wins += 1,
            None => draws += 1,
            _ => {}
        }
    }
    assert!(wins > 0 && draws > 0, "{wins} {draws}");
}

/// Searches copy positions by the million.
#[test]
fn positions_are_small() {
    assert_eq!(size_of::<ConnectFour<u64>>(), 24);
    assert_eq!(size_of::<ConnectFour<u128>>(), 48);
    assert_eq!(size_of::<ConnectFour<U192>>(), 56);
}

#[test]
fn setups_round_trip_and_say_what_would_be_right() {
    for setup in many_setups() {
        assert_eq!(setup.to_string().parse(), Ok(setup));
    }
    assert_eq!(Setup::default().to_string(), "");
    assert_eq!("7x6".parse(), Ok(Setup::default()));
    assert_eq!("hole=7,6".parse(), Ok(Setup { hole: Some((6, 5)), ..Setup::default() }));
    let error = |text: &str| text.parse::<Setup>().unwrap_err().to_string();
    assert_eq!(
        error("3x13"),
        "a board of 3 columns and 13 rows is not supported: each must be from 4 to 12"
    );
    assert_eq!(
        error("9x9 hole=10,1"),
        "the hole 10,1 is not on the board: its column must be from 1 to 9 and its row from 1 to 9"
    );
    assert_eq!(error("hole=0,1"), "'hole=0,1': columns and rows count from 1");
    assert_eq!(
        error("hole=3"),
        "'hole=3' is not a hole: write its column and row from 1, as in hole=3,4"
    );
    assert_eq!(error("9x9 8x8"), "'8x8': this was already given");
    for text in ["9", "9x", "x", "+9x9", "9x9x9", "300x9", "hole=,", "hole=1,256", "holes=1,1"] {
        error(text);
    }
    let wide = Setup { columns: 255, rows: 255, hole: Some((255, 255)) };
    assert!(ConnectFour::<U192>::start(&wide).is_err());
    assert_eq!(
        ConnectFour::<u64>::start(&setup("9x9")).unwrap_err().to_string(),
        "a board of 9 columns and 9 rows needs a word of 90 bits, not 64"
    );
}

#[test]
fn column_strings_are_read_one_way() {
    let board = "12x12";
    let game = |text: &str| {
        let mut record = Record::new(ConnectFour::<U192>::start(&setup(board)).unwrap());
        record.play_text(text).map(|()| record.moves_text())
    };
    assert_eq!(game(""), Ok(String::new()));
    assert_eq!(game("4b3"), Ok("4b3".into()));
    for text in ["4B3", "4,11,3", "4 11 3", " 4, b ,3\n", "4b3 "] {
        assert_eq!(game(text), Ok("4b3".into()), "'{text}'");
    }
    assert_eq!(game("11"), Ok("11".into()), "two moves");
    assert_eq!(game("11,"), Ok("b".into()), "one move");
    for text in ["0", "d", "13,", "44 33", "4-4", "é", "4é,3"] {
        assert!(game(text).is_err(), "'{text}'");
    }
    type Game = ConnectFour<u64>;
    for texts in [&["11"][..], &["4", "11"], &["4", "b"], &[]] {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        assert_eq!(Game::split_moves(&Game::join_moves(&texts)), texts);
    }
    let error = |setup, text| read(setup, text).unwrap_err().to_string();
    assert_eq!(
        error("", "448"),
        "move 3 ('8'): '8' is not a column of this board: they are 1 to 7"
    );
    assert_eq!(error("", "4444444"), "move 7 ('4'): column 4 is full: still open are 1 2 3 5 6 7");
    assert_eq!(error("", "12121212"), "move 8 ('2'): the game is over: first wins (four in a row)");
}

#[test]
fn boards_are_read_and_refused_with_the_place() {
    for (text, same) in [
        ("7/7/7/7/7/3x3 o", "4"),
        (" 7/7/7/7/7/...X...  O ", "4"),
        ("7/7/7/7/3o3/3x3 x", "44"),
        ("7/7/7/x6/xo5/xo5 o", "12121"),
    ] {
        assert_eq!(read("", text), read("", same), "{text}");
    }
    assert_eq!(read("12x4", "12/12/12/11x o"), read("12x4", "c"));
    assert_eq!(read("4x4 hole=2,1", "4/4/4/x3 o"), read("4x4 hole=2,1", "4/4/4/x#2 o"));
    for (setup, text, error) in [
        ("", "7/7/7/7/7/7", "the side to move is missing: write x or o after the rows"),
        ("", "7/7/7/7/7 x", "there are 5 rows, but the board has 6"),
        ("", "7/7/7/7/7/8 x", "row 1 ('8'): more than the 7 cells of a row"),
        ("", "7/7/6/7/7/7 x", "row 4 ('6'): 6 cells, but the board has 7 columns"),
        (
            "",
            "7/7/7/7/7/3z3 x",
            "row 1 ('3z3'): column 4: 'z' is not a cell: write x, o, . or a number of empty cells",
        ),
        ("", "7/7/7/7/7/3#3 x", "row 1 ('3#3'): column 4: the hole is not here"),
        ("", "7/7/7/7/7/7 y", "'y' is not a side to move: write x or o"),
        ("", "7/7/7/7/7/07 x", ""),
        (
            "",
            "7/7/7/7/7/xxxxxxx0 x",
            "row 1 ('xxxxxxx0'): 0 is not a number of empty cells: write 1 or more",
        ),
        (
            "",
            "7/7/7/7/3x3/7 o",
            "column 4: the stone in row 2 hangs in the air above the empty row 1",
        ),
        (
            "",
            "7/7/7/7/7/3x3 x",
            "1 stones x and 0 stones o: with x to move there must be as many of each",
        ),
        (
            "",
            "7/7/7/7/7/3o3 o",
            "0 stones x and 1 stones o: with o to move there must be one x more",
        ),
        ("", "7/7/7/7/oooo3/xxxx3 x", "both sides have four in a row; only one can"),
        (
            "",
            "7/7/7/7/ooo4/xxxxo2 x",
            "x has four in a row and is to move: the game ended a move earlier",
        ),
        ("", "7/7/7/7/oooxooo/xxxx1xx o", ""),
        ("4x4 hole=1,1", "4/4/4/x3 o", "row 1 ('x3'): column 1: no stone can lie in the hole"),
    ] {
        match read(setup, text) {
            Ok(game) => assert_eq!(error, "", "{text} is {game:?}"),
            Err(found) if error.is_empty() => drop(found),
            Err(found) => assert_eq!(found.to_string(), error),
        }
    }
    // Two fours that no single stone can have completed.
    let two = "7/7/ooo4/xxxx3/ooox3/xxxxoo1 o";
    assert!(read("", two).unwrap_err().to_string().contains("ended earlier"), "{two}");
}

#[test]
fn a_drawing_marks_the_last_move_and_the_hole() {
    let game = read("10x4 hole=2,1", "1a2").unwrap();
    let board = " 4  .  .  .  .  .  .  .  .  .  .\n \
                 3  .  .  .  .  .  .  .  .  .  .\n \
                 2  . (x) .  .  .  .  .  .  .  .\n \
                 1  x  #  .  .  .  .  .  .  .  o\n \
                 \u{20}  1  2  3  4  5  6  7  8  9 10\nsecond (o) to move\n";
    assert_eq!(game.render(Some(Column(1))), board);
    let over = read("", "1212121").unwrap();
    assert!(over.render(None).ends_with("first wins (four in a row)\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn no_text_panics(text in "\\PC{0,40}", near in "[0-9a-cxo.#/, =h]{0,60}") {
        for text in [&text, &near] {
            let _ = text.parse::<Setup>();
            for board in ["", "4x4 hole=1,1", "12x8 hole=12,8"] {
                if let Ok(game) = read(board, text) {
                    prop_assert_eq!(read(board, &game.position()), Ok(game));
                }
                let _ = read(board, "").unwrap().parse_move(text);
            }
        }
    }

    /// Rows of the right width get past the first checks.
    #[test]
    fn no_board_panics(rows in proptest::collection::vec("[xo.]{4}", 4), side in "[xo]") {
        let text = format!("{} {side}", rows.join("/"));
        if let Ok(game) = read("4x4", &text) {
            prop_assert_eq!(read("4x4", &game.position()), Ok(game));
        }
    }
}
