//! Laws of conversations: hostile lines in, well-formed answers out.

use protocols::course::{Saiblo, next_frame};
use protocols::sau::{Sau, Settings};
use protocols::{Act, Dialect, Gtp, Protocol, Talk, Ugi};
use session::program::next_line;
use session::{GameSpec, Report, Session, Worth, open};

use crate::text::split;

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
fn talk(mut talk: impl Talk, data: &[u8], form: impl Fn(&str) -> bool) {
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

/// The game that the first line names, and the conversation after it.
fn game_and_lines(data: &[u8]) -> Option<(GameSpec, &[u8])> {
    let (spec, lines) = split(data)?;
    Some((spec, lines.as_bytes()))
}

pub fn ugi(data: &[u8]) {
    let Some((game, lines)) = game_and_lines(data) else { return };
    let engine = "random".parse().unwrap();
    talk(Ugi::new(Dialect::Ugi, &game, engine, 1), lines, ugi_form);
}

pub fn uci(data: &[u8]) {
    let Some((game, lines)) = game_and_lines(data) else { return };
    if Dialect::Uci.check(&game).is_ok() {
        let engine = "random".parse().unwrap();
        talk(Ugi::new(Dialect::Uci, &game, engine, 1), lines, ugi_form);
    }
}

pub fn gtp(data: &[u8]) {
    let Some((game, lines)) = game_and_lines(data) else { return };
    // An empty line ends an answer and stands nowhere else.
    talk(Gtp::new(&game, 1), lines, |said| {
        said.starts_with(['=', '?']) && said.ends_with('\n') && !said.contains("\n\n")
    });
}

/// Nothing but a name or a whole turn, in at most 256 bytes.
pub fn sau(data: &[u8]) {
    let Some((game, lines)) = game_and_lines(data) else { return };
    let Some(handler) = Sau::new(&game, Settings::default()) else { return };
    let form = game.row().platform.expect("the platform has it");
    talk(handler, lines, |said| {
        let is_turn = |words: &str| (form.read_turn)(&game, words).is_some();
        said.len() < 256 && (said == "name Boyi" || said.strip_prefix("move ").is_some_and(is_turn))
    });
}

/// The platform's words for a turn come back.
pub fn platform_turn(data: &[u8]) {
    let Some((game, text)) = split(data) else { return };
    let Some(form) = game.row().platform else { return };
    let Some(turn) = (form.read_turn)(&game, text) else { return };
    let again = (form.write_turn)(&game, &turn);
    assert_eq!((form.read_turn)(&game, &again), Some(turn), "{again}");
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
