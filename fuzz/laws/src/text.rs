//! Laws of the texts of games and engines.

use games::{Game, MoveList, Record, Text};
use session::{EngineSpec, GameSpec};

/// What a position's parser accepts, it prints back to an equal position, which
/// can be drawn and has moves exactly if it is not over.
pub fn position<G: Text>(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let setup = G::Setup::default();
    let Ok(game) = G::parse(&setup, text) else { return };
    let line = game.position();
    assert_eq!(G::parse(&setup, &line).as_ref(), Ok(&game), "{line}");
    assert!(!game.render(None).is_empty());
    let mut list = MoveList::new();
    game.moves(&mut list);
    assert_eq!(list.is_empty(), game.outcome().is_some());
}

/// A list of moves that can be played is printed back to the same game; one that
/// can't leaves the record as it was.
pub fn moves<G: Text>(data: &[u8]) {
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
pub fn setup<G: Game>(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(setup) = text.parse::<G::Setup>() else { return };
    assert_eq!(setup.to_string().parse::<G::Setup>().as_ref(), Ok(&setup));
    if let Ok(game) = G::start(&setup) {
        assert_eq!(game.setup(), setup);
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
