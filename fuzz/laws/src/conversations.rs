//! Laws of conversations: hostile lines in, well-formed answers out.

use protocols::course::{Saiblo, next_frame};
use protocols::sau::{Sau, SauSettings};
use protocols::{Action, Dialect, Gtp, Protocol, ProtocolHandler, Ugi};
use search::{SearchInfo, Source};
use session::program::next_line;
use session::{GameSpec, Session, open};

use crate::text::split;

/// What an engine that plays the first legal move would report.
fn first_move(session: &Session) -> SearchInfo<String> {
    let best = session.legal().into_iter().next();
    SearchInfo { best, depth: 1, nodes: 1, source: Source::Forced, ..SearchInfo::default() }
}

/// Whatever the lines are, nothing panics; every request can be searched; and each
/// thing sent keeps the protocol's form.
fn converse(mut handler: impl ProtocolHandler, data: &[u8], form: impl Fn(&str) -> bool) {
    let mut input = data;
    while let Ok(Some(line)) = next_line(&mut input) {
        let mut actions = handler.on_line(&line);
        // A turn may take several searches.
        for _ in 0..70 {
            let mut answers = Vec::new();
            for action in actions {
                match action {
                    Action::Send(sent) => assert!(form(&sent), "{sent:?}"),
                    Action::Search(request) => {
                        let mut session = open(&request.game);
                        let moves: Vec<&str> = request.moves.iter().map(String::as_str).collect();
                        session
                            .set(request.start.as_deref(), &moves)
                            .expect("a request can be searched");
                        assert!(session.outcome().is_none(), "nothing to search");
                        answers.extend(handler.on_result(&first_move(&session)));
                    }
                    _ => {}
                }
            }
            if answers.is_empty() {
                break;
            }
            actions = answers;
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
    converse(Ugi::new(Dialect::Ugi, &game, engine, 1), lines, ugi_form);
}

pub fn uci(data: &[u8]) {
    let Some((game, lines)) = game_and_lines(data) else { return };
    if Dialect::Uci.check(&game).is_ok() {
        let engine = "random".parse().unwrap();
        converse(Ugi::new(Dialect::Uci, &game, engine, 1), lines, ugi_form);
    }
}

pub fn gtp(data: &[u8]) {
    let Some((game, lines)) = game_and_lines(data) else { return };
    // An empty line ends an answer and stands nowhere else.
    converse(Gtp::new(&game, 1), lines, |said| {
        said.starts_with(['=', '?']) && said.ends_with('\n') && !said.contains("\n\n")
    });
}

/// Nothing but a name or a whole turn, in at most 256 bytes.
pub fn sau(data: &[u8]) {
    let Some((game, lines)) = game_and_lines(data) else { return };
    let Some(handler) = Sau::new(&game, SauSettings::default()) else { return };
    let form = game.row().platform.expect("the platform has it");
    converse(handler, lines, |said| {
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
    converse(Saiblo::new(Default::default(), 1), &lines, |said| {
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
