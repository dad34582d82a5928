//! Opening books: built in pieces, read with suspicion, and played by.

use std::ops::ControlFlow;

use exact::{Solve, SolverOptions};
use games::connect_four::ConnectFour;
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;
use games::{Game, MoveList, Outcome, Player, Reason, Record, Symmetric, Text};
use search::{Limits, Score, SearchControl, Source};
use session::book::file::seal;
use session::book::{Book, BookError, Choice, Method, MoveSource, OpeningStats, Origin, shipped};
use session::{GameSpec, GameVisitor, Playable, open};

type Four = ConnectFour<u64>;

const OPTIONS: SolverOptions = SolverOptions { megabytes: 1, threads: 1 };

fn start<G: Game>(setup: &str) -> G {
    G::start(&setup.parse().unwrap()).unwrap()
}

/// Builds a book, stopping after each few entries, and beginning anew from its
/// file, as often as `pieces` says.
fn build<G: Playable>(start: &G, plies: u32, method: &Method, pieces: usize) -> Book<G> {
    let mut book = Book::new(&start.setup(), plies, &method.words());
    let mut openings = OpeningStats::new(plies);
    let mut game = Record::new(start.clone());
    while game.moves().len() < 3 {
        game.play(game.legal()[0]).unwrap();
    }
    openings.add(&game, 1, Outcome::win(Player::Second, Reason::Adjudicated));
    for piece in 0..=pieces {
        let mut source = MoveSource::new(method, &start.setup()).unwrap();
        let enough = if piece == pieces { usize::MAX } else { book.len() + 3 };
        let done = book.grow(
            start,
            &openings.common(1),
            |game| source.ask(game, || false).map(|choice| openings.weigh(game, Some(choice))),
            |book| match book.len() >= enough {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            },
        );
        assert!(done || piece < pieces);
        book = Book::from_text(&book.to_text()).unwrap();
    }
    book
}

#[test]
fn a_book_is_the_same_however_often_its_build_is_interrupted() {
    let four = start::<Four>("5x4");
    let whole = build(&four, 4, &Method::Solve(OPTIONS), 0);
    assert!(whole.len() > 30, "{}", whole.len());
    assert_eq!(build(&four, 4, &Method::Solve(OPTIONS), 9).to_text(), whole.to_text());

    let limits = Limits { sims: Some(60), nodes: Some(300), ..Limits::default() };
    let search = Method::Search("best book=off".parse().unwrap(), limits);
    let dots = start::<DotsAndBoxes>("2x2");
    let whole = build(&dots, 3, &search, 0);
    assert_eq!(build(&dots, 3, &search, 4).to_text(), whole.to_text());
    let surakarta = start::<Surakarta>("");
    let whole = build(&surakarta, 1, &search, 0);
    assert!(whole.len() > 8, "{}", whole.len());
    assert_eq!(build(&surakarta, 1, &search, 2).to_text(), whole.to_text());
}

#[test]
fn whatever_write_fails_there_is_a_whole_book() {
    use files::faults::{Fault, inject};
    let four = start::<Four>("5x4");
    let method = Method::Solve(OPTIONS);
    let (old, new) = (build(&four, 1, &method, 0), build(&four, 2, &method, 0));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.book");
    for fault in [Fault::DiskFull, Fault::Crash] {
        for k in 0.. {
            old.write(&path).unwrap();
            let injected = inject(k, fault);
            let written = new.write(&path);
            let reached = injected.end();
            assert_eq!(written.is_err(), reached);
            let read = Book::<Four>::read(&path).unwrap().to_text();
            assert!(read == new.to_text() || reached && read == old.to_text());
            if fault == Fault::Crash {
                files::remove_partial_of(&path).unwrap();
            }
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{fault:?} at {k}");
            if !reached {
                break;
            }
        }
    }
}

#[test]
fn a_deeper_book_may_go_on_from_a_shallower_one() {
    let four = start::<Four>("5x4");
    let method = Method::Solve(OPTIONS);
    let grown = |mut book: Book<Four>| {
        let mut source = MoveSource::new(&method, &four.setup()).unwrap();
        let mut ask = |game: &Four| source.ask(game, || false).map(|choice| vec![choice]);
        assert!(book.grow(&four, &[], &mut ask, |_| ControlFlow::Continue(())));
        book
    };
    let empty = |plies| Book::new(&four.setup(), plies, &method.words());
    let whole = grown(empty(4));
    let shallow = grown(empty(2));
    assert!(shallow.len() < whole.len());
    assert_eq!(grown(shallow.deepened(4)).to_text(), whole.to_text());
}

/// Solves without a book.
fn value<G: Solve>(game: &G, solver: &mut G::Solver) -> i32 {
    game.solve(solver, true, &SearchControl::unlimited(), &mut |_| {}).value().unwrap()
}

/// A player who follows a solved book keeps the value, whatever the other side does,
/// and always finds the next position in it.
fn follow<G: Playable>(book: &Book<G>, game: &G, owner: Player, solver: &mut G::Solver) -> usize {
    if game.outcome().is_some() {
        return 0;
    }
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    if game.to_move() != owner {
        return moves.iter().map(|&mv| follow(book, &game.after(mv), owner, solver)).sum();
    }
    let choices = book.choices(game);
    let Some(choice) = choices.first() else { return 0 };
    let before = value(game, solver);
    assert!(matches!(choice.score, Score::Proven { result, .. } if result == game.result(before)));
    let next = game.after(choice.mv);
    if next.outcome().is_none() {
        // What is still to be won, for the player who moved.
        let gained = (next.lead() - game.lead()) * game.to_move().sign();
        let turn = if next.to_move() == game.to_move() { 1 } else { -1 };
        assert_eq!(gained + turn * value(&next, solver), before, "{}", game.position());
    }
    1 + follow(book, &next, owner, solver)
}

#[test]
fn following_a_solved_book_keeps_the_value() {
    fn check<G: Playable>(setup: &str, plies: u32) {
        let start = start::<G>(setup);
        let book = build(&start, plies, &Method::Solve(OPTIONS), 0);
        let mut solver = G::solver(&start.setup(), &OPTIONS).unwrap();
        let met: usize =
            Player::BOTH.map(|owner| follow(&book, &start, owner, &mut solver)).iter().sum();
        assert!(met >= book.len() - 3, "{met} of {}", book.len());
    }
    check::<Four>("4x4", 4);
    check::<Four>("5x4 hole=3,1", 3);
    check::<DotsAndBoxes>("2x2", 3);
}

#[test]
fn symmetric_positions_get_symmetric_answers() {
    let start = start::<DotsAndBoxes>("2x3");
    let book = build(&start, 2, &Method::Solve(OPTIONS), 0);
    for game in book.positions() {
        let known = book.choices(game);
        assert!(!known.is_empty());
        for s in 0..game.symmetries() {
            let image = game.transform(s);
            let turned: Vec<Choice<_>> = book.choices(&image);
            assert_eq!(turned.len(), known.len());
            // A position that is its own image may answer with any of its images.
            if game.symmetries() > 1 && image != *game {
                let there = turned[0].mv;
                let back = (0..game.symmetries()).any(|s| {
                    game.transform(s) == image && game.transform_move(s, known[0].mv) == there
                });
                assert!(back, "{} {there:?}", game.position());
            }
        }
    }
}

#[test]
fn a_file_that_is_not_a_sound_book_is_refused() {
    let start = start::<Four>("4x4");
    let text = build(&start, 2, &Method::Solve(OPTIONS), 0).to_text();
    let read = |text: &str| Book::<Four>::from_text(text).unwrap_err();
    assert!(matches!(read(""), BookError::Foreign));
    assert!(matches!(read("a text file of some length\nno book\n"), BookError::Foreign));
    for length in 12..text.len() {
        assert!(matches!(read(&text[..length]), BookError::Damaged(_)), "cut to {length}");
    }
    for at in 12..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 4;
        if let Ok(changed) = String::from_utf8(bytes) {
            assert!(matches!(read(&changed), BookError::Damaged(_)), "byte {at}");
        }
    }
    assert!(matches!(read(&text.replacen("boyi-book 1", "boyi-book 9", 1)), BookError::Version(_)));
    let error = Book::<Surakarta>::from_text(&text).unwrap_err().to_string();
    assert_eq!(error, "this is a book for connect-four 4x4, not for surakarta");

    // A sound checksum does not excuse nonsense.
    let sealed = |text: &str| seal(text[..text.trim_end().rfind('\n').unwrap() + 1].to_owned());
    assert!(Book::<Four>::from_text(&sealed(&text)).is_ok());
    for (from, to) in [
        ("entries ", "entries 1"),
        ("plies 2", "plies two"),
        ("\tsolver", "\toracle"),
        ("\tdraw", "\ttie"),
        ("\t0\t", "\t-1\t"),
        ("connect-four 4x4", "connect-four 5x4"),
        ("connect-four 4x4", "connect-four 99x4"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = read(&sealed(&text.replacen(from, to, 1)));
        assert!(matches!(error, BookError::Damaged(_)), "{from} -> {to}: {error}");
    }
}

#[test]
fn games_on_record_weigh_against_a_search() {
    let start = start::<DotsAndBoxes>("2x2");
    let mut openings = OpeningStats::new(2);
    let mut play = |moves: &str, drawn: usize, winner: Player, times: usize| {
        for _ in 0..times {
            let mut record = Record::new(start);
            record.play_text(moves).unwrap();
            openings.add(&record, drawn, Outcome::win(winner, Reason::Adjudicated));
        }
    };
    play("0 5", 0, Player::First, 48);
    play("2 5", 0, Player::Second, 16);
    play("3 5", 1, Player::Second, 99);
    assert_eq!(openings.games(), 163);
    let searched = |mv: &str, value: f64| Choice {
        mv: start.parse_move(mv).unwrap(),
        score: Score::Expected(value),
        games: 0,
        origin: Origin::Search,
    };
    // Edges 0 and 2 are images of each other on this board or not; what counts is
    // what the tally says of each move by itself.
    let known = openings.weigh(&start, Some(searched("2", 0.5)));
    let of = |mv: &str| known.iter().find(|choice| choice.mv == start.parse_move(mv).unwrap());
    let (zero, two) = (of("0").unwrap(), of("2").unwrap());
    assert_eq!((zero.games, zero.origin), (48, Origin::Games));
    assert_eq!((two.games, two.origin), (16, Origin::Both));
    assert!((zero.expected() - (16.0 * 0.5 + 48.0) / 64.0).abs() < 1e-9);
    assert!((two.expected() - (16.0 * 0.5 - 16.0) / 32.0).abs() < 1e-9);
    assert!(of("3").is_none(), "nobody chose the moves of an opening that was drawn by lot");
    // 64 games had the start, and 99 one of the positions after it.
    assert_eq!((openings.common(60).len(), openings.common(70).len()), (2, 1));
    // What is certain is not outvoted.
    let certain = Choice {
        score: Score::Proven { result: -1, plies: None },
        origin: Origin::Solver,
        ..searched("2", 0.0)
    };
    assert_eq!(openings.weigh(&start, Some(certain)), vec![certain]);
}

/// Reads the shipped book for the setup of a game, which knows the start.
struct Shipped;

impl GameVisitor for Shipped {
    type Output = ();

    fn visit<G: Playable>(self, start: G) {
        let book = shipped::<G>(&start.setup()).expect("every game has a book");
        assert_eq!(book.setup(), &start.setup());
        assert!(!book.choices(&start).is_empty());
    }
}

#[test]
fn every_game_comes_with_a_book_that_best_plays_by() {
    for game in GameSpec::all().into_iter().chain(["connect-four 6x7".parse().unwrap()]) {
        game.visit(Shipped);
        let session = open(&game);
        let limits = Limits { sims: Some(50), nodes: Some(200), ..Limits::default() };
        let ask = |engine: &str| {
            let mut engine = session.engine(&engine.parse().unwrap(), 1).unwrap();
            engine.search(&limits, None)
        };
        assert_eq!(ask("best").source, Source::Book, "{game}");
        assert_ne!(ask("best book=off").source, Source::Book, "{game}");
        assert_ne!(ask("level n=3").source, Source::Book, "{game}");
    }
    // Another setup, another game: the book keeps silent.
    let session = open(&"connect-four 6x5".parse().unwrap());
    let mut engine = session.engine(&"best".parse().unwrap(), 1).unwrap();
    let limits = Limits { sims: Some(50), nodes: Some(200), ..Limits::default() };
    assert_ne!(engine.search(&limits, None).source, Source::Book);
}

#[test]
fn play_goes_on_without_a_book_that_cannot_be_used() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("bad.book");
    std::fs::write(&path, "boyi-book 1\ngame surakarta\n").unwrap();
    let session = open(&"surakarta".parse().unwrap());
    let spec = format!("best book=\"{}\"", path.display());
    let mut engine = session.engine(&spec.parse().unwrap(), 1).unwrap();
    let info = engine.search(&Limits::nodes(500), None);
    assert!(info.best.is_some() && info.source != Source::Book);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "boyi-book 1\ngame surakarta\n");
}

#[test]
fn a_stopped_move_source_says_nothing() {
    let game = start::<Four>("");
    let mut source = MoveSource::new(&Method::Solve(OPTIONS), &game.setup()).unwrap();
    assert_eq!(source.ask(&game, || true), None);
    let limits = Limits { sims: Some(100_000_000), ..Limits::default() };
    let method = Method::Search("uct".parse().unwrap(), limits);
    let mut source = MoveSource::new(&method, &game.setup()).unwrap();
    assert_eq!(source.ask(&game, || true), None);
}
