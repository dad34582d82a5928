//! Which book an engine plays by.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::Book;
use crate::Playable;

/// The book of a spec: `book=off`, `book=auto` or `book=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookSource {
    /// None.
    Off,
    /// The one that comes with the program for the setup.
    Auto,
    /// This one.
    File(PathBuf),
}

impl BookSource {
    /// Reads the value of `book`.
    pub fn of(text: &str) -> BookSource {
        match text {
            "off" => BookSource::Off,
            "auto" => BookSource::Auto,
            file => BookSource::File(file.into()),
        }
    }

    /// The book for a setup, if there is one. A file that can't be used is reported
    /// on standard error and left alone, and play goes on without it.
    pub fn book<G: Playable>(&self, setup: &G::Setup) -> Option<Arc<Book<G>>> {
        match self {
            BookSource::Off => None,
            BookSource::Auto => shipped(setup),
            BookSource::File(path) => match Book::read(path) {
                Ok(book) => Some(Arc::new(book)),
                Err(error) => {
                    eprintln!("boyi: {}: {error}; playing without a book", path.display());
                    None
                }
            },
        }
    }
}

/// The book that comes with the program for a setup; each game's books are read once.
pub fn shipped<G: Playable>(setup: &G::Setup) -> Option<Arc<Book<G>>> {
    static READ: Mutex<Option<HashMap<TypeId, Box<dyn Any + Send>>>> = Mutex::new(None);
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let books = read.get_or_insert_default().entry(TypeId::of::<G>()).or_insert_with(|| {
        let read = |text: &&str| {
            Arc::new(Book::<G>::from_text(text).expect("a test reads every shipped book"))
        };
        Box::new(G::row().books.iter().map(read).collect::<Vec<_>>())
    });
    let books: &Vec<Arc<Book<G>>> = books.downcast_ref().expect("the books of this game");
    books.iter().find(|book| book.setup() == setup).cloned()
}
