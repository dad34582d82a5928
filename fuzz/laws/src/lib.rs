//! One law for each parser, to be tried on any bytes.
//!
//! The laws are plain functions, so that the tests can run them for a moment on
//! the stable toolchain and cargo-fuzz for hours with coverage. A law panics
//! when it is broken; refusing its input is always fine.

use games::connect_four::{ConnectFour, U192};
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;
use games::{Game, MoveList, Record, Text};
use session::book::Book;
use session::book::file::seal;
use session::protocols::course::{Saiblo, next_frame};
use session::protocols::sau::{Sau, Settings, words};
use session::protocols::{Act, Dialect, Gtp, Protocol, Talk, Ugi, next_line};
use session::records;
use session::{EngineSpec, GameSpec, Report, Session, Worth, open};

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
    Law {
        name: "engine_spec",
        check: engine_spec,
        seeds: &[
            "uct c=0.23 cut=9 eval=matrix threads=2",
            "program protocol=ugi command=\"./other --flag\" options=\"hash=64; threads=2\"",
            "alpha-beta depth=3",
        ],
    },
    Law {
        name: "ugi",
        check: ugi,
        seeds: &[
            "ugi\nisready\nposition startpos moves 4 4\nquery p1turn\ngo nodes 9\nstop\n",
            "position fen 7/7/7/7/7/3x3 o moves 4\nmoves 3 2\nquery result\ngo infinite\n",
            "setoption name Game value connect-four 9x9\nsetoption name Seed value 7\nuginewgame\n",
            "go p1time 1000 p2time -5 p1inc 10 p2inc 10 movetime 7 depth 3",
        ],
    },
    Law {
        name: "uci",
        check: uci,
        seeds: &[
            "uci\nposition startpos moves P@d1 P@d2\ngo wtime 1000 btime 1000\nstop\n",
            "position fen 7/7/7/7/7/3Pp2[PPp] w - - 0 1 moves P@a1\ngo nodes 1",
        ],
    },
    Law {
        name: "gtp",
        check: gtp,
        seeds: &[
            "clear_board\nplay b x3\n3 genmove w\nundo\nshowboard\n",
            "boardsize 7\ntime_settings 0 1 1\ntime_left b 10 0\ngenmove b\nlist_commands",
        ],
    },
    Law {
        name: "sau_surakarta",
        check: sau_surakarta,
        seeds: &[
            "new white\nmove ABAC\nmove BBBC\nerror\nend black\n",
            "new black\nmove AAFF\nerror",
        ],
    },
    Law {
        name: "sau_dots",
        check: sau_dots,
        seeds: &["new white\nmove 1 AAA\nmove 2 BAAABA\nerror\nerror\n", "new black\nmove 1 BEE\n"],
    },
    Law {
        name: "sau_words",
        check: sau_words,
        seeds: &["ABBC", "2 AAABAA", "1 BFE", "4 AAAAFEBAABFE"],
    },
    Law {
        name: "sau_settings",
        check: sau_settings,
        seeds: &[
            "game = surakarta\nseconds = 600\nengine = uct c=2\nlog = x",
            "most=off\nsims = 9",
        ],
    },
    Law {
        name: "saiblo",
        check: saiblo,
        seeds: &[
            "0047{\"type\":0,\"row\":4,\"col\":4,\"nox\":3,\"noy\":3 }0118{\"type\":1,\"top\":[4,4,4,3],\
             \"board\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],\"lastx\":-1,\"lasty\":-1                         }",
            "0012{\"type\": 2 }",
        ],
    },
    Law {
        name: "first_line",
        check: first_line,
        seeds: &["ugi", "name?", "1 protocol_version", "0012{", "1234{\"type\""],
    },
    Law {
        name: "record",
        check: record,
        seeds: &[
            "B2C-3C\nR5B-4B\n",
            "#2023-11-03 10:00:00|x\n!BBBBBB\n!BBBBBB\n!000000\n!000000\n!RRRRRR\n!RRRRRR\nB1A-2A",
            "Black: BBCC\nWhite: AEAD\n",
            "Black: 1 AAA\nWhite: 1 BAA\nBlack: 1 BFA",
            "4433",
            "game: dots-and-boxes 1x1\nfirst: X\nresult: second\nmoves: 0 1\nmoves: 2 3\n",
            "{\"R\":\"x\",\"winner\":\"U\",\"game\":[{\"piece\":\"r(a1,h)\"},{\"piece\":\"b(f1,v)\"}]}",
        ],
    },
    Law {
        name: "book",
        check: book,
        seeds: &[
            "boyi-book 1\ngame dots-and-boxes 2x2\nplies 1\nmade solver\nentries 1\n\
             0 first 0 0\t0\twin 12\t0\tsolver\n",
            "boyi-book 1\ngame dots-and-boxes\nplies 0\nmade search\nentries 1\n\
             0 first 0 0\t0\t+0.125\t7\tboth\n0 first 0 0\t1\t-0.500\t8\tgames\n",
        ],
    },
    Law {
        name: "record_name",
        check: record_name,
        seeds: &[
            "A6：X先手，Y后手，Z胜.txt",
            "B1:甲先手,乙后手,乙胜",
            "C：a先手，b后手，和棋.json",
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

/// An engine's line comes back.
fn engine_spec(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(spec) = text.parse::<EngineSpec>() else { return };
    assert_eq!(spec.to_string().parse::<EngineSpec>(), Ok(spec));
}

/// What an engine that plays the first legal move would report.
fn first_move(session: &dyn Session) -> Report {
    Report {
        best: session.legal().into_iter().next(),
        score: Worth::Expected(0.0),
        win_rate: 0.5,
        depth: 1,
        nodes: 1,
        sims: 0,
        seconds: 0.0,
        source: "forced",
        ponder_hit: None,
        lines: Vec::new(),
    }
}

/// Whatever the lines are, nothing panics; every order can be played; and each
/// thing said keeps the protocol's form.
fn talk(mut talk: impl Talk, data: &[u8], form: fn(&str) -> bool) {
    let mut input = data;
    while let Ok(Some(line)) = next_line(&mut input) {
        let mut acts = talk.hear(&line);
        // A turn may take several thoughts.
        for _ in 0..70 {
            let mut answers = Vec::new();
            for act in acts {
                match act {
                    Act::Say(said) => assert!(form(&said), "{said:?}"),
                    Act::Think(order) => {
                        let mut session = open(&order.game);
                        let moves: Vec<&str> = order.moves.iter().map(String::as_str).collect();
                        session
                            .set(order.start.as_deref(), &moves)
                            .expect("an order can be played");
                        assert!(session.outcome().is_none(), "nothing to think about");
                        answers.extend(talk.answer(&first_move(session.as_ref())));
                    }
                    _ => {}
                }
            }
            if answers.is_empty() {
                break;
            }
            acts = answers;
        }
    }
}

/// `bestmove` has two words, and a line is one line.
fn ugi_form(said: &str) -> bool {
    !said.contains('\n') && (!said.starts_with("bestmove") || said.split(' ').count() == 2)
}

fn ugi(data: &[u8]) {
    let (game, engine) = ("connect-four".parse().unwrap(), "random".parse().unwrap());
    talk(Ugi::new(Dialect::Ugi, &game, engine, 1), data, ugi_form);
}

fn uci(data: &[u8]) {
    let (game, engine) = ("connect-four".parse().unwrap(), "random".parse().unwrap());
    talk(Ugi::new(Dialect::Uci, &game, engine, 1), data, ugi_form);
}

fn gtp(data: &[u8]) {
    let game = "connect-four".parse().unwrap();
    // An empty line ends an answer and stands nowhere else.
    talk(Gtp::new(&game, 1), data, |said| {
        said.starts_with(['=', '?']) && said.ends_with('\n') && !said.contains("\n\n")
    });
}

/// Nothing but a name or a whole turn, in at most 256 bytes.
fn sau_form(said: &str) -> bool {
    let turn = |words: &str| {
        words::read_surakarta(words).is_some()
            || words::read_turn(&Default::default(), words).is_some()
    };
    said.len() < 256 && (said == "name Boyi" || said.strip_prefix("move ").is_some_and(turn))
}

fn sau_surakarta(data: &[u8]) {
    let game = "surakarta".parse().unwrap();
    talk(Sau::new(&game, Settings::default()).unwrap(), data, sau_form);
}

fn sau_dots(data: &[u8]) {
    let game = "dots-and-boxes".parse().unwrap();
    talk(Sau::new(&game, Settings::default()).unwrap(), data, sau_form);
}

/// The platform's words come back.
fn sau_words(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let setup = Default::default();
    if let Some(mv) = words::read_surakarta(text) {
        assert_eq!(words::read_surakarta(&words::surakarta(mv)), Some(mv));
    }
    if let Some(turn) = words::read_turn(&setup, text) {
        assert_eq!(words::read_turn(&setup, &words::turn(&setup, &turn)), Some(turn));
    }
}

/// A settings file is taken as far as it makes sense, line by line.
fn sau_settings(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (_, complaints) = Settings::parse(&text);
    assert!(complaints.len() <= text.lines().count());
}

/// Whatever the frames are, the answers are numbers in JSON.
fn saiblo(data: &[u8]) {
    let mut input = data;
    let mut lines = Vec::new();
    while let Some(frame) = next_frame(&mut input) {
        lines.extend(frame.replace(['\n', '\r'], " ").into_bytes());
        lines.push(b'\n');
    }
    talk(Saiblo::new(Default::default(), 1), &lines, |said| {
        said.starts_with("{\"X\":") && said.ends_with("}\n")
    });
}

/// A protocol is told by its first word, whatever follows.
fn first_line(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Some(protocol) = Protocol::of_first_line(&text) {
        assert_eq!(Protocol::of_first_line(&format!("{text} more")), Some(protocol));
    }
}

/// A legal record is read back from what is written of it, in every format that
/// has words for it.
fn record(data: &[u8]) {
    let Ok(found) = records::read(&records::decode(data), None, None) else { return };
    let Ok(session) = found.replay(None) else { return };
    for format in records::Format::ALL {
        let Ok(text) = records::write(&found, format) else { continue };
        let again = records::read(&text, Some(format), Some(&found.game)).expect("our own text");
        let again = again.replay(None).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!((again.start(), again.moves()), (session.start(), session.moves()), "{text}");
    }
}

/// A book under a sound checksum is refused or comes back.
fn book(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(book) = Book::<DotsAndBoxes>::from_text(&seal(text.to_owned())) else { return };
    let written = book.to_text();
    let again = Book::<DotsAndBoxes>::from_text(&written).expect("our own text");
    assert_eq!(again.to_text(), written);
}

/// A file name comes back, unless a name in it contains a sign of the form.
fn record_name(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some(name) = records::FileName::parse(text) else { return };
    let written = records::file_name(&name, "txt");
    assert!(!written.contains(['/', '\\', '\n']), "{written}");
}
