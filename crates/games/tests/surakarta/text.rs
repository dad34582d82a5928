//! Text both ways, and what is said about bad text.

use games::surakarta::{Point, Setup, Surakarta};
use games::{Game, Player, Rng, SetupError, Text};
use proptest::prelude::*;

use crate::position;

fn start() -> Surakarta {
    Surakarta::start(&Setup::default()).unwrap()
}

fn move_error(game: &Surakarta, text: &str) -> String {
    game.parse_move(text).expect_err(text).to_string()
}

fn position_error(text: &str) -> String {
    Surakarta::parse(&Setup::default(), text).expect_err(text).to_string()
}

fn setup_error(text: &str) -> String {
    text.parse::<Setup>().expect_err(text).to_string()
}

#[test]
fn the_start_in_all_its_forms() {
    assert_eq!(start().position(), "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0");
    for text in [
        "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b",
        "BBBBBB/bbbbbb/....../.2.11/wwwwww/WWWWWW B 0",
        "  bbbbbb/bbbbbb/33/6/wwwwww/wwwwww   b  000 ",
    ] {
        assert_eq!(position(text), start(), "{text}");
    }
    let names: Vec<String> = Point::all().map(|point| point.to_string()).collect();
    assert_eq!((names[0].as_str(), names[6].as_str(), names[35].as_str()), ("a6", "a5", "f1"));
    assert!(Point::all().zip(&names).all(|(point, name)| Point::parse(name) == Ok(point)));
}

#[test]
fn moves_in_all_their_forms() {
    for text in ["b5-b4", "b5b4", "B5-B4", "B5b4"] {
        assert_eq!(start().move_text(start().parse_move(text).unwrap()), "b5-b4");
    }
    let game = position("6/2b3/2b3/2bw2/6/6 b");
    for text in ["c4xd3", "c4d3", "C4XD3"] {
        assert_eq!(game.move_text(game.parse_move(text).unwrap()), "c4xd3");
    }
}

#[test]
fn bad_moves_are_explained() {
    let game = position("6/1b4/2b3/4w1/1b2w1/6 b");
    assert_eq!(move_error(&game, "a1-a2"), "a1 is empty");
    assert_eq!(move_error(&game, "e2-e1"), "e2 is not your piece: Black (b) moves");
    assert_eq!(move_error(&game, "b5-c4"), "c4 is your own piece");
    assert_eq!(move_error(&game, "b5-b3"), "b3 is no neighbour of b5");
    assert_eq!(move_error(&game, "b5xa5"), "nothing to capture on a5: a step is written b5-a5");
    assert_eq!(move_error(&game, "b5-e2"), "e2 is an enemy piece: a capture is written b5xe2");
    assert_eq!(move_error(&game, "c4xe2"), "no path over an arc from c4 to e2");
    assert_eq!(move_error(&game, "g1-a1"), "'g1' is not a point; points are a1 to f6");
    for text in
        ["", "b", "b2-", "b2--c3", "b2+c3", "b2-c3x", "\u{e9}\u{e9}", "b\u{e9}c3", "b2\u{2014}"]
    {
        let error = move_error(&game, text);
        assert!(error.contains("is not a"), "{text}: {error}");
    }
    let over = position("b5/6/6/6/6/6 w");
    assert_eq!(move_error(&over, "a6-a5"), "the game is over: first wins (wiped out)");
}

#[test]
fn bad_positions_are_explained() {
    for (text, part) in [
        ("", "this has 0 words"),
        ("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww", "this has 1 words"),
        ("bbbbbb/bbbbbb/6/6/wwwwww b", "5 rows instead of 6"),
        ("bbbbbb/bbbbb/6/6/wwwwww/wwwwww b", "row 2 from the top: 'bbbbb' has 5 points"),
        ("bbbbbb/bbbbbbb/6/6/wwwwww/wwwwww b", "row 2 from the top: 'bbbbbbb' has 7 points"),
        ("bbbbbb/bbbbbb/6/6/wwxwww/wwwwww b", "row 5 from the top: 'x' is none of b, w"),
        ("bbbbbb/bbbbbb/7/6/wwwwww/wwwwww b", "'7' is none of"),
        ("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww x", "'x' moves; the sides are b and w"),
        ("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww bw", "'bw' moves"),
        ("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b -1", "'-1' quiet plies"),
        ("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 65536", "from 0 to 65535"),
        ("bbbbbb/bbbbbb/b5/6/wwwwww/wwwwww b", "13 black pieces; a side has at most 12"),
        ("6/6/6/6/6/6 b", "no piece on the board"),
    ] {
        let error = position_error(text);
        assert!(error.contains(part), "'{text}': {error}");
    }
    let make = |first, second| {
        Surakarta::from_boards(first, second, Player::First, &Setup::default()).map(|_| ())
    };
    assert!(make(1 << 36, 1).unwrap_err().to_string().contains("beyond"));
    assert_eq!(make(3, 2).unwrap_err().to_string(), "both sides stand on b6");
}

#[test]
fn setups_in_words() {
    for text in [
        "",
        "quiet=80 stall=draw",
        "repetition=6 repeat=loses",
        "nomove=count cap=300 clock=count standoff=count",
        "quiet=0 repetition=0",
    ] {
        assert_eq!(text.parse::<Setup>().unwrap().to_string(), text);
    }
    let usual = "standoff=off clock=loses cap=0 nomove=loses repeat=stall repetition=3 stall=count quiet=100";
    assert_eq!(usual.parse::<Setup>().unwrap().to_string(), "");
    for (text, part) in [
        ("fast", "'fast': unknown word; known are quiet=100 stall=count|draw"),
        ("quiet=ten", "'quiet=ten': 'ten' is not a number from 0 to 10000"),
        ("quiet=10001", "0 to 10000"),
        ("quiet=+5", "is not a number"),
        ("quiet", "'quiet': '' is not a number"),
        ("repetition=1", "0 (off) or 2 to 100"),
        ("cap=99999999999", "0 to 50000"),
        ("stall=win", "'win' is not one of count, draw"),
        ("quiet=5 quiet=6", "quiet is given twice"),
    ] {
        let error = setup_error(text);
        assert!(error.contains(part), "'{text}': {error}");
    }
    let broken = Setup { repetition: 1, ..Setup::default() };
    let SetupError(error) = Surakarta::start(&broken).unwrap_err();
    assert!(error.contains("repetition=1 is out of range"));
}

#[test]
fn the_drawing_shows_board_and_last_move() {
    let game = start();
    let mv = game.parse_move("b5-b4").unwrap();
    let drawing = game.after(mv).render(Some(mv));
    assert!(drawing.contains("| '-5-B--(+)--B---B---B---B-5-' |"), "{drawing}");
    assert!(drawing.contains("'---4-+--[B]--+---+---+---+-4---'"), "{drawing}");
    assert!(drawing.ends_with("White (w) to move; 12 black, 12 white; 1 quiet plies\n"));
    let over = position("b5/6/6/6/6/6 w").render(None);
    assert!(over.contains("over: first wins (wiped out)"), "{over}");
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,60}") {
        let _ = Surakarta::parse(&Setup::default(), &text);
        let _ = start().parse_move(&text);
        let _ = text.parse::<Setup>();
    }

    #[test]
    fn nearly_right_text_is_read_or_refused(
        rows in "([bw.1-7]{1,7}/){5}[bw.1-7]{1,7}",
        rest in "( [bwx]{0,2}( -?[0-9]{0,6})?)?",
        mv in "[a-g][0-7][-xX]?[a-g][0-7]",
        words in "(quiet|stall|repetition|repeat|nomove|cap|clock|standoff)=[a-z0-9]{0,6}",
    ) {
        if let Ok(game) = Surakarta::parse(&Setup::default(), &format!("{rows}{rest}")) {
            prop_assert_eq!(Surakarta::parse(&Setup::default(), &game.position()), Ok(game));
            if let Ok(mv) = game.parse_move(&mv) {
                prop_assert!(game.is_legal(mv));
            }
            game.playout(&mut Rng::seeded(1));
        }
        if let Ok(mv) = start().parse_move(&mv) {
            prop_assert!(start().is_legal(mv));
        }
        if let Ok(setup) = words.parse::<Setup>() {
            prop_assert_eq!(setup.to_string().parse::<Setup>(), Ok(setup));
        }
    }
}
