//! One law for each parser, to be tried on any bytes.
//!
//! The laws are plain functions, so that the tests can run them for a moment on
//! the stable toolchain and cargo-fuzz for hours with coverage. A law panics
//! when it is broken; refusing its input is always fine.

use games::connect_four::{ConnectFour, U192};
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;
use games::{Game, MoveList, Record, Text};
use session::GameSpec;

/// A law, its name, and inputs that it accepts, from which others are made.
pub struct Law {
    /// The name of the fuzz target.
    pub name: &'static str,
    /// Panics if the law is broken for these bytes.
    pub check: fn(&[u8]),
    /// Inputs worth mutating.
    pub seeds: &'static [&'static str],
}

/// Every law.
pub const LAWS: &[Law] = &[
    Law {
        name: "surakarta_position",
        check: position::<Surakarta>,
        seeds: &[
            "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b",
            "bw4/6/6/3bw1/5b/3bb1 b 12",
            "b...../....../....../....../....../.....w w 99",
        ],
    },
    Law {
        name: "surakarta_moves",
        check: moves::<Surakarta>,
        seeds: &["b5-c4 e2-d3", "b5-c4 d2-d3 a5-a4 c2-c3 b6-b5 b2-c2", "B5C4,d2d3"],
    },
    Law {
        name: "surakarta_setup",
        check: setup::<Surakarta>,
        seeds: &[
            "quiet=80 stall=draw",
            "repetition=6 repeat=loses nomove=count",
            "cap=200 clock=count standoff=count",
        ],
    },
    Law {
        name: "dots_position",
        check: position::<DotsAndBoxes>,
        seeds: &["8fbda9a59ecd557", "0 first 0 0", "fffffffffffffff second 1ffffff 0"],
    },
    Law {
        name: "dots_moves",
        check: moves::<DotsAndBoxes>,
        seeds: &["0 1 30 31 5", "a1h b2v,17", "59 58 57"],
    },
    Law { name: "dots_setup", check: setup::<DotsAndBoxes>, seeds: &["5x5", "3x4", "7x8", "1x1"] },
    Law {
        name: "connect_four_position",
        check: position::<ConnectFour<u64>>,
        seeds: &["4433", "7/7/7/7/3x3/3o3 x", "......./......./......./......./...o.../...x... x"],
    },
    Law {
        name: "connect_four_moves",
        check: moves::<ConnectFour<u64>>,
        seeds: &["44335", "1 2 3 4", "7,6,5"],
    },
    Law {
        name: "connect_four_setup",
        check: setup::<ConnectFour<U192>>,
        seeds: &["7x6", "11x10 hole=3,4", "12x12 hole=1,12"],
    },
    Law {
        name: "game_spec",
        check: game_spec,
        seeds: &[
            "surakarta quiet=80",
            "dots-and-boxes 3x4",
            "connect-four 9x9 hole=1,1",
            "四子棋 9x9",
        ],
    },
];

/// Looks a law up by its name and checks it.
pub fn check(name: &str, data: &[u8]) {
    let law = LAWS.iter().find(|law| law.name == name).expect("the target has a law");
    (law.check)(data);
}

/// What a position's parser accepts, it prints back to an equal position, which
/// can be drawn and has moves exactly if it is not over.
fn position<G: Text>(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let setup = G::Setup::default();
    let Ok(game) = G::parse(&setup, text) else { return };
    let line = game.position();
    assert_eq!(G::parse(&setup, &line).as_ref(), Ok(&game), "{line}");
    assert!(!game.draw(None).is_empty());
    let mut list = MoveList::new();
    game.moves(&mut list);
    assert_eq!(list.is_empty(), game.outcome().is_some());
}

/// A list of moves that can be played is printed back to the same game; one that
/// can't leaves the record as it was.
fn moves<G: Text>(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let start = Record::new(G::start(&G::Setup::default()).expect("the default setup is valid"));
    let mut record = start.clone();
    if record.play_text(text).is_err() {
        assert_eq!(record, start);
        return;
    }
    let mut again = start;
    again.play_text(&record.moves_text()).expect("what was played can be played");
    assert_eq!(again, record);
}

/// A setup's text comes back, and starting with it gives a game or an error.
fn setup<G: Game>(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(setup) = text.parse::<G::Setup>() else { return };
    assert_eq!(setup.to_string().parse::<G::Setup>().as_ref(), Ok(&setup));
    if let Ok(game) = G::start(&setup) {
        assert_eq!(game.setup(), setup);
    }
}

/// A game's line comes back.
fn game_spec(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(spec) = text.parse::<GameSpec>() else { return };
    assert_eq!(spec.to_string().parse::<GameSpec>(), Ok(spec));
}
