//! One law for each parser, to be tried on any bytes.
//!
//! The laws are plain functions, so that the tests can run them for a moment on
//! the stable toolchain and cargo-fuzz for hours with coverage. A law panics
//! when it is broken; refusing its input is always fine.

mod conversations;
mod files;
mod text;

use conversations::{first_line, gtp, platform_turn, saiblo, sau, uci, ugi};
use files::{book, record, record_name, sau_settings};
use games::Rng;
use session::{GameSpec, ROWS, open};
use text::{engine_spec, game_spec, moves, position, setup};

/// A law, its name, and inputs that it accepts, from which others are made.
pub struct Law {
    /// The name of the fuzz target.
    pub name: &'static str,
    /// Panics if the law is broken for these bytes.
    pub check: fn(&[u8]),
    /// Inputs worth mutating.
    pub seeds: &'static [&'static str],
    /// More of them for any game.
    pub of_game: fn(&GameSpec) -> Vec<String>,
}

impl Law {
    /// Inputs worth mutating, those of every game included.
    pub fn inputs(&self) -> Vec<String> {
        let games = ROWS.iter().flat_map(|row| row.setups);
        let games = games.filter_map(|line| line.parse::<GameSpec>().ok());
        let fixed = self.seeds.iter().map(|&seed| seed.to_owned());
        fixed.chain(games.flat_map(|game| (self.of_game)(&game))).collect()
    }
}

/// Not a law about a game.
fn none(_: &GameSpec) -> Vec<String> {
    Vec::new()
}

/// The beginning of a game by chance: the position after some moves, and the
/// moves.
fn beginning(game: &GameSpec, plies: usize) -> (String, Vec<String>) {
    let mut session = open(game);
    let mut rng = Rng::seeded(plies as u64);
    for _ in 0..plies {
        let legal = session.legal();
        if legal.is_empty() {
            break;
        }
        let mv = &legal[rng.below(legal.len())];
        session.play(&format!("{mv},")).expect("a legal move");
    }
    (session.position(), session.moves())
}

fn positions(game: &GameSpec) -> Vec<String> {
    [0, 5, 20].map(|plies| format!("{game}\n{}", beginning(game, plies).0)).to_vec()
}

fn lists_of_moves(game: &GameSpec) -> Vec<String> {
    [1, 6].map(|plies| format!("{game}\n{}", beginning(game, plies).1.join(","))).to_vec()
}

fn turns(game: &GameSpec) -> Vec<String> {
    let Some(form) = game.row().platform else { return Vec::new() };
    let (_, moves) = beginning(game, 1);
    vec![format!("{game}\n{}", (form.write_turn)(game, &moves))]
}

fn platform_lines(game: &GameSpec) -> Vec<String> {
    let Some(form) = game.row().platform else { return Vec::new() };
    let turn = (form.write_turn)(game, &beginning(game, 1).1);
    vec![format!("{game}\nnew white\nmove {turn}\nerror\nend black\n")]
}

fn ugi_lines(game: &GameSpec) -> Vec<String> {
    let (position, moves) = beginning(game, 4);
    let moves = moves.join(" ");
    vec![
        format!(
            "{game}\nugi\nisready\nposition startpos moves {moves}\nquery p1turn\ngo nodes 9\n"
        ),
        format!("{game}\nposition fen {position}\nquery result\ngo infinite\nstop\n"),
    ]
}

fn gtp_lines(game: &GameSpec) -> Vec<String> {
    let mv = beginning(game, 1).1.concat();
    vec![format!("{game}\nclear_board\nplay b {mv}\n3 genmove w\nundo\nshowboard\nboardsize 6\n")]
}

fn records_of(game: &GameSpec) -> Vec<String> {
    let moves = beginning(game, 6).1.join(" ");
    vec![format!("game: {game}\nfirst: X\nmoves: {moves}\n")]
}

/// Every law.
pub const LAWS: &[Law] = &[
    Law {
        name: "position",
        check: position,
        seeds: &[
            "surakarta\nbw4/6/6/3bw1/5b/3bb1 b 12",
            "surakarta\nb...../....../....../....../....../.....w w 99",
            "dots-and-boxes\n8fbda9a59ecd557",
            "dots-and-boxes\nfffffffffffffff second 1ffffff 0",
            "connect-four\n4433",
            "connect-four\n......./......./......./......./...o.../...x... x",
        ],
        of_game: positions,
    },
    Law {
        name: "moves",
        check: moves,
        seeds: &[
            "surakarta\nB5C4,d2d3",
            "dots-and-boxes\na1h b2v,17",
            "connect-four\n44335",
            "connect-four\n7,6,5",
        ],
        of_game: lists_of_moves,
    },
    Law {
        name: "setup",
        check: setup,
        seeds: &[
            "surakarta repetition=6 repeat=loses nomove=count",
            "surakarta cap=200 clock=count standoff=count",
            "dots-and-boxes 7x8",
            "dots-and-boxes 1x1",
            "connect-four 12x12 hole=1,12",
        ],
        of_game: |game| vec![game.to_string()],
    },
    Law {
        name: "game_spec",
        check: game_spec,
        seeds: &["四子棋 9x9"],
        of_game: |game| vec![game.to_string()],
    },
    Law {
        name: "engine_spec",
        check: engine_spec,
        seeds: &[
            "uct c=0.23 cut=9 eval=matrix threads=2",
            "program protocol=ugi command=\"./other --flag\" options=\"hash=64; threads=2\"",
            "alpha-beta depth=3",
        ],
        of_game: none,
    },
    Law {
        name: "ugi",
        check: ugi,
        seeds: &[
            "connect-four\nposition fen 7/7/7/7/7/3x3 o moves 4\nmoves 3 2\nquery result\ngo infinite\n",
            "connect-four\nsetoption name Game value connect-four 9x9\nsetoption name Seed value 7\nuginewgame\n",
            "connect-four\ngo p1time 1000 p2time -5 p1inc 10 p2inc 10 movetime 7 depth 3",
        ],
        of_game: ugi_lines,
    },
    Law {
        name: "uci",
        check: uci,
        seeds: &[
            "connect-four\nuci\nposition startpos moves P@d1 P@d2\ngo wtime 1000 btime 1000\nstop\n",
            "connect-four\nposition fen 7/7/7/7/7/3Pp2[PPp] w - - 0 1 moves P@a1\ngo nodes 1",
        ],
        of_game: none,
    },
    Law {
        name: "gtp",
        check: gtp,
        seeds: &[
            "connect-four\nclear_board\nplay b x3\n3 genmove w\nundo\nshowboard\n",
            "connect-four\nboardsize 7\ntime_settings 0 1 1\ntime_left b 10 0\ngenmove b\nlist_commands",
        ],
        of_game: gtp_lines,
    },
    Law {
        name: "sau",
        check: sau,
        seeds: &[
            "surakarta\nnew white\nmove ABAC\nmove BBBC\nerror\nend black\n",
            "surakarta\nnew black\nmove AAFF\nerror",
            "dots-and-boxes\nnew white\nmove 1 AAA\nmove 2 BAAABA\nerror\nerror\n",
            "dots-and-boxes\nnew black\nmove 1 BEE\n",
        ],
        of_game: platform_lines,
    },
    Law {
        name: "platform_turn",
        check: platform_turn,
        seeds: &["dots-and-boxes\n2 AAABAA", "dots-and-boxes\n4 AAAAFEBAABFE"],
        of_game: turns,
    },
    Law {
        name: "sau_settings",
        check: sau_settings,
        seeds: &[
            "game = surakarta\nseconds = 600\nengine = uct c=2\nlog = x",
            "most=off\nsims = 9",
        ],
        of_game: none,
    },
    Law {
        name: "saiblo",
        check: saiblo,
        seeds: &[
            "0047{\"type\":0,\"row\":4,\"col\":4,\"nox\":3,\"noy\":3 }0118{\"type\":1,\"top\":[4,4,4,3],\
             \"board\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],\"lastx\":-1,\"lasty\":-1                         }",
            "0012{\"type\": 2 }",
        ],
        of_game: none,
    },
    Law {
        name: "first_line",
        check: first_line,
        seeds: &["ugi", "name?", "1 protocol_version", "0012{", "1234{\"type\""],
        of_game: none,
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
        of_game: records_of,
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
        of_game: none,
    },
    Law {
        name: "record_name",
        check: record_name,
        seeds: &[
            "A6：X先手，Y后手，Z胜.txt",
            "B1:甲先手,乙后手,乙胜",
            "C：a先手，b后手，和棋.json",
        ],
        of_game: none,
    },
];

/// Looks a law up by its name and checks it.
pub fn check(name: &str, data: &[u8]) {
    let law = LAWS.iter().find(|law| law.name == name).expect("the target has a law");
    (law.check)(data);
}
