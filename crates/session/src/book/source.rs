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
    /// The one that comes with the program.
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

    /// The book, if there is one. A file that can't be used is reported on
    /// standard error and left alone, and play goes on without it.
    pub fn book<G: Playable>(&self) -> Option<Arc<Book<G>>> {
        match self {
            BookSource::Off => None,
            BookSource::Auto => shipped(),
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

/// The book that comes with the program, read once.
pub fn shipped<G: Playable>() -> Option<Arc<Book<G>>> {
    static READ: Mutex<Option<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>> = Mutex::new(None);
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let read = read.get_or_insert_default();
    if let Some(known) = read.get(&TypeId::of::<G>()) {
        return known.clone().downcast().ok();
    }
    let text = G::row().book?;
    let book = Arc::new(Book::<G>::from_text(text).expect("a test reads every shipped book"));
    read.insert(TypeId::of::<G>(), book.clone());
    Some(book)
}
