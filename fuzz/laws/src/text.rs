//! Laws of the texts of games and engines.
//!
//! A law about a game's text reads the game's spec from its first line, so that
//! one law serves every game.

use games::{MoveList, Record};
use session::{EngineSpec, GameSpec, GameVisitor, Playable, ROWS};

/// The game that the first line names, and the rest.
pub fn split(data: &[u8]) -> Option<(GameSpec, &str)> {
    let (spec, rest) = std::str::from_utf8(data).ok()?.split_once('\n')?;
    Some((spec.parse().ok()?, rest))
}

/// What a position's parser accepts, it prints back to an equal position, which
/// can be drawn and has moves exactly if it is not over.
pub fn position(data: &[u8]) {
    struct Law<'a>(&'a str);

    impl GameVisitor for Law<'_> {
        type Output = ();

        fn visit<G: Playable>(self, start: G) {
            let setup = start.setup();
            let Ok(game) = G::parse(&setup, self.0) else { return };
            let line = game.position();
            assert_eq!(G::parse(&setup, &line).as_ref(), Ok(&game), "{line}");
            assert!(!game.render(None).is_empty());
            assert!(!game.view(None).cells.is_empty());
            let mut list = MoveList::new();
            game.moves(&mut list);
            assert_eq!(list.is_empty(), game.outcome().is_some());
        }
    }

    if let Some((spec, text)) = split(data) {
        spec.visit(Law(text));
    }
}

/// A list of moves that can be played is printed back to the same game; one that
/// can't leaves the record as it was.
pub fn moves(data: &[u8]) {
    struct Law<'a>(&'a str);

    impl GameVisitor for Law<'_> {
        type Output = ();

        fn visit<G: Playable>(self, start: G) {
            let start = Record::new(start);
            let mut record = start.clone();
            if record.play_text(self.0).is_err() {
                assert_eq!(record, start);
                return;
            }
            let mut again = start;
            again.play_text(&record.moves_text()).expect("what was played can be played");
            assert_eq!(again, record);
        }
    }

    if let Some((spec, text)) = split(data) {
        spec.visit(Law(text));
    }
}

/// A setup's text comes back, and starting with it gives a game or an error.
pub fn setup(data: &[u8]) {
    struct Law<'a>(&'a str);

    impl GameVisitor for Law<'_> {
        type Output = ();

        fn visit<G: Playable>(self, _start: G) {
            let Ok(setup) = self.0.parse::<G::Setup>() else { return };
            assert_eq!(setup.to_string().parse::<G::Setup>().as_ref(), Ok(&setup));
            if let Ok(game) = G::start(&setup) {
                assert_eq!(game.setup(), setup);
            }
        }
    }

    let Ok(text) = std::str::from_utf8(data) else { return };
    let (name, text) = text.split_once(' ').unwrap_or((text, ""));
    // The setup may be one that no game can begin with, so it can't come from a
    // spec.
    if let Some(row) = ROWS.iter().find(|row| row.is_named(name)) {
        GameSpec::new(row, "").expect("a default setup").visit(Law(text));
    }
}

/// A game's line comes back.
pub fn game_spec(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(spec) = text.parse::<GameSpec>() else { return };
    assert_eq!(spec.to_string().parse::<GameSpec>(), Ok(spec));
}

/// An engine's line comes back.
pub fn engine_spec(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(spec) = text.parse::<EngineSpec>() else { return };
    assert_eq!(spec.to_string().parse::<EngineSpec>(), Ok(spec));
}
