//! Laws of files: records, books, settings, and the names of records.

use protocols::sau::SauSettings;
use session::book::Book;
use session::book::file::seal;
use session::{GameSpec, GameVisitor, Playable};

/// A settings file is taken as far as it makes sense, line by line.
pub fn sau_settings(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (_, complaints) = SauSettings::parse(&text);
    assert!(complaints.len() <= text.lines().count());
}

/// A legal record is read back from what is written of it, in every format that
/// has words for it.
pub fn record(data: &[u8]) {
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
pub fn book(data: &[u8]) {
    struct Law<'a>(&'a str);

    impl GameVisitor for Law<'_> {
        type Output = ();

        fn visit<G: Playable>(self, _start: G) {
            let Ok(book) = Book::<G>::from_text(&seal(self.0.to_owned())) else { return };
            let written = book.to_text();
            let again = Book::<G>::from_text(&written).expect("our own text");
            assert_eq!(again.to_text(), written);
        }
    }

    let Ok(text) = std::str::from_utf8(data) else { return };
    let game = text.lines().find_map(|line| line.strip_prefix("game ")).unwrap_or_default();
    if let Ok(spec) = game.parse::<GameSpec>() {
        spec.visit(Law(text));
    }
}

/// A file name comes back, unless a name in it contains a sign of the form.
pub fn record_name(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some(name) = records::FileName::parse(text) else { return };
    let written = records::file_name(&name, "txt");
    assert!(!written.contains(['/', '\\', '\n']), "{written}");
}
