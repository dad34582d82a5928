//! A book as a file.
//!
//! ```text
//! boyi-book 1
//! game surakarta
//! plies 3
//! made search with best, 400000 positions each
//! entries 2
//! POSITION <tab> MOVE <tab> VALUE <tab> GAMES <tab> ORIGIN
//! ...
//! checksum 0123abcd
//! ```
//!
//! A value is `win 41`, `draw 42` or `loss 40` where it is certain, with the plies
//! to the end if they are known, and `+0.125` otherwise. Lines of one position
//! stand together, the best move first; positions stand by the order of their
//! texts. The checksum is the CRC-32 of all lines before it.

use std::fmt::Write;
use std::path::Path;

use games::MoveList;
use search::Score;

use super::{Book, Choice, Entry, Origin};
use crate::Playable;

const MAGIC: &str = "boyi-book";
const VERSION: u32 = 1;
/// No book of ours comes near this; a larger file is something else.
const LARGEST: u64 = 256 << 20;

/// Why a file is not a book that can be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// It does not begin as a book does.
    #[error("this is not a book")]
    Foreign,
    /// It is a book of another version.
    #[error("this book has version {0}, and only {VERSION} can be read: build it again")]
    Version(String),
    /// It is for another game.
    #[error("this is a book for {0}, not for {1}")]
    Game(String, String),
    /// It is cut short or changed.
    #[error("this book is damaged ({0}); it was left as it is")]
    Damaged(String),
    /// The file system says no.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

fn damaged(what: impl Into<String>) -> BookError {
    BookError::Damaged(what.into())
}

impl<G: Playable> Book<G> {
    /// Reads a book from a file.
    pub fn read(path: &Path) -> Result<Book<G>, BookError> {
        let bytes = files::read(path, LARGEST)?;
        Book::from_text(std::str::from_utf8(&bytes).map_err(|_| {
            match bytes.starts_with(MAGIC.as_bytes()) {
                true => damaged("it is not text"),
                false => BookError::Foreign,
            }
        })?)
    }

    /// Replaces the file in one step: at any moment there is a whole book.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        files::write(path, &[self.to_text().as_bytes()])
    }

    /// The content of the file.
    pub fn to_text(&self) -> String {
        let game = format!("{} {}", G::NAME, self.setup);
        let mut text = format!(
            "{MAGIC} {VERSION}\ngame {}\nplies {}\nmade {}\nentries {}\n",
            game.trim_end(),
            self.plies,
            self.made,
            self.len()
        );
        for (position, entry) in self.sorted() {
            for choice in &entry.choices {
                let mv = entry.position.move_text(choice.mv);
                let (value, origin) = (value_text(choice.score), origin_text(choice.origin));
                let _ = writeln!(text, "{position}\t{mv}\t{value}\t{}\t{origin}", choice.games);
            }
        }
        seal(text)
    }

    /// Reads the content of a file.
    pub fn from_text(text: &str) -> Result<Book<G>, BookError> {
        let first = text.lines().next().unwrap_or_default();
        let version = first
            .strip_prefix(MAGIC)
            .and_then(|rest| rest.strip_prefix(' '))
            .ok_or(BookError::Foreign)?;
        if version != VERSION.to_string() {
            return Err(BookError::Version(version.chars().take(20).collect()));
        }
        let cut = text.trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
        let content = &text[..cut];
        if seal(content.to_owned()) != text {
            return Err(damaged("its checksum does not fit"));
        }
        let mut lines = content.lines().skip(1);
        let mut field = |name: &str| {
            lines
                .next()
                .and_then(|line| line.strip_prefix(name)?.strip_prefix(' '))
                .ok_or_else(|| damaged(format!("the line '{name}' is missing")))
        };
        let (game, plies, made, count) =
            (field("game")?, field("plies")?, field("made")?, field("entries")?);
        let setup = game
            .strip_prefix(G::NAME)
            .filter(|rest| rest.is_empty() || rest.starts_with(' '))
            .ok_or_else(|| BookError::Game(game.to_owned(), G::NAME.to_owned()))?;
        // Only a setup that a game can begin with; all types of a game share its row.
        (G::row().read_setup)(setup).map_err(|error| damaged(error.to_string()))?;
        let setup: G::Setup = setup.parse().map_err(|_| damaged("its setup"))?;
        G::start(&setup).map_err(|error| damaged(error.to_string()))?;
        let number = |text: &str, what: &str| text.parse().map_err(|_| damaged(what));
        let mut book = Book::new(&setup, number(plies, "its plies")?, made);
        for line in lines {
            book.read_line(line)?;
        }
        if book.len() as u32 != number(count, "its number of entries")? {
            return Err(damaged("its number of entries is another"));
        }
        Ok(book)
    }

    fn read_line(&mut self, line: &str) -> Result<(), BookError> {
        let bad = |what: &str| damaged(format!("'{line}': {what}"));
        let [position, mv, value, games, origin] =
            line.split('\t').collect::<Vec<_>>()[..].try_into().map_err(|_| bad("five parts"))?;
        let position = G::parse(&self.setup, position).map_err(|error| bad(&error.to_string()))?;
        let mv = position.parse_move(mv).map_err(|error| bad(&error.to_string()))?;
        let mut legal = MoveList::new();
        position.moves(&mut legal);
        if !legal.contains(&mv) || position.canonical().0 != position {
            return Err(bad("no such move or position"));
        }
        let choice = Choice {
            mv,
            score: read_value(value).ok_or_else(|| bad("its value"))?,
            games: games.parse().map_err(|_| bad("its games"))?,
            origin: read_origin(origin).ok_or_else(|| bad("its origin"))?,
        };
        let entry = || Entry { position: position.clone(), choices: Vec::new() };
        self.entries.entry(position.key()).or_insert_with(entry).choices.push(choice);
        Ok(())
    }
}

fn value_text(score: Score) -> String {
    match score {
        Score::Expected(value) | Score::Points(value) => format!("{value:+.3}"),
        Score::Proven { result, plies } => {
            let word = ["loss", "draw", "win"][(result + 1) as usize];
            plies.map_or(word.to_owned(), |plies| format!("{word} {plies}"))
        }
    }
}

fn read_value(text: &str) -> Option<Score> {
    let (word, plies) = match text.split_once(' ') {
        Some((word, plies)) => (word, Some(plies.parse().ok()?)),
        None => (text, None),
    };
    let result = match word {
        "win" => 1,
        "draw" => 0,
        "loss" => -1,
        _ => {
            let value = text.parse::<f64>().ok().filter(|value| value.abs() <= 1.0)?;
            return Some(Score::Expected(value));
        }
    };
    Some(Score::Proven { result, plies })
}

const ORIGINS: [(Origin, &str); 4] = [
    (Origin::Solver, "solver"),
    (Origin::Search, "search"),
    (Origin::Games, "games"),
    (Origin::Both, "both"),
];

/// The word for an origin in files.
pub fn origin_text(origin: Origin) -> &'static str {
    ORIGINS.iter().find(|(known, _)| *known == origin).map_or("", |(_, word)| word)
}

fn read_origin(text: &str) -> Option<Origin> {
    ORIGINS.iter().find(|(_, word)| *word == text).map(|(origin, _)| *origin)
}

/// The content of a file with its last line, the checksum.
pub fn seal(mut content: String) -> String {
    let sum = crc32fast::hash(content.as_bytes());
    let _ = writeln!(content, "checksum {sum:08x}");
    content
}
