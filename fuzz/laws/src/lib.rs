//! One law for each parser, to be tried on any bytes.
//!
//! The laws are plain functions, so that the tests can run them for a moment on
//! the stable toolchain and cargo-fuzz for hours with coverage. A law panics
//! when it is broken; refusing its input is always fine.

mod files;
mod talks;
mod text;

use games::connect_four::{ConnectFour, U192};
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;

use files::{book, record, record_name, sau_settings};
use talks::{first_line, gtp, saiblo, sau_dots, sau_surakarta, sau_words, uci, ugi};
use text::{engine_spec, game_spec, moves, position, setup};

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
