//! Laws of conversations: hostile lines in, well-formed answers out.

use protocols::course::{Saiblo, next_frame};
use protocols::sau::{Sau, Settings};
use protocols::{Act, Dialect, Gtp, Protocol, Talk, Ugi};
use session::platform::words;
use session::program::next_line;
use session::{Report, Session, Worth, open};

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

pub fn ugi(data: &[u8]) {
    let (game, engine) = ("connect-four".parse().unwrap(), "random".parse().unwrap());
    talk(Ugi::new(Dialect::Ugi, &game, engine, 1), data, ugi_form);
}

pub fn uci(data: &[u8]) {
    let (game, engine) = ("connect-four".parse().unwrap(), "random".parse().unwrap());
    talk(Ugi::new(Dialect::Uci, &game, engine, 1), data, ugi_form);
}

pub fn gtp(data: &[u8]) {
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

pub fn sau_surakarta(data: &[u8]) {
    let game = "surakarta".parse().unwrap();
    talk(Sau::new(&game, Settings::default()).unwrap(), data, sau_form);
}

pub fn sau_dots(data: &[u8]) {
    let game = "dots-and-boxes".parse().unwrap();
    talk(Sau::new(&game, Settings::default()).unwrap(), data, sau_form);
}

/// The platform's words come back.
pub fn sau_words(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let setup = Default::default();
    if let Some(mv) = words::read_surakarta(text) {
        assert_eq!(words::read_surakarta(&words::surakarta(mv)), Some(mv));
    }
    if let Some(turn) = words::read_turn(&setup, text) {
        assert_eq!(words::read_turn(&setup, &words::turn(&setup, &turn)), Some(turn));
    }
}

/// Whatever the frames are, the answers are numbers in JSON.
pub fn saiblo(data: &[u8]) {
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
pub fn first_line(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Some(protocol) = Protocol::of_first_line(&text) {
        assert_eq!(Protocol::of_first_line(&format!("{text} more")), Some(protocol));
    }
}
