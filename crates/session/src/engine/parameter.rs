//! Parameters of engines: a name, a range, a sentence of help, and where the value
//! goes.
//!
//! A parameter is one [`Row`] of the table of its options. The default is not
//! written there: it is whatever the options are by default, which for a search is
//! what its own `Settings::default()` says.

use std::str::FromStr;

use games::TextError;

/// What values a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number in a range, or one of some words.
    Whole(u64, u64, &'static [&'static str]),
    /// A number in a range, or one of some words.
    Real(f64, f64, &'static [&'static str]),
    /// One of several words.
    Choice(&'static [&'static str]),
    /// Any text, checked when the engine is built.
    Words,
}

/// `on` or `off`.
pub const SWITCH: Kind = Kind::Choice(&["on", "off"]);

/// One parameter of the options `S`.
pub(super) struct Row<S: 'static> {
    pub name: &'static str,
    pub kind: Kind,
    pub help: &'static str,
    /// The value as text.
    pub get: fn(&S) -> String,
    /// Takes a text that fits the kind.
    pub set: fn(&mut S, &str),
}

/// A number that was checked against its range.
pub(super) fn parsed<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("'{text}' was checked against its range"))
}

/// The word for a value.
pub(super) fn word<T: PartialEq>(words: &[(&str, T)], value: &T) -> String {
    let found = words.iter().find(|(_, one)| one == value);
    found.map_or_else(String::new, |(word, _)| (*word).to_owned())
}

/// The value for a word.
pub(super) fn named<T: Copy>(words: &[(&str, T)], word: &str) -> T {
    let found = words.iter().find(|(one, _)| *one == word);
    found.unwrap_or_else(|| panic!("'{word}' was checked against its range")).1
}

/// A row for a number.
macro_rules! number {
    ($name:literal, $($field:ident).+, $kind:expr, $help:literal) => {
        Row {
            name: $name,
            kind: $kind,
            help: $help,
            get: |options| options.$($field).+.to_string(),
            set: |options, text| options.$($field).+ = parsed(text),
        }
    };
}

/// A row for a number that may be absent, which is a word.
macro_rules! optional {
    ($name:literal, $($field:ident).+, $least:literal..=$most:literal or $word:literal, $help:literal) => {
        Row {
            name: $name,
            kind: Kind::Whole($least, $most, &[$word]),
            help: $help,
            get: |options| options.$($field).+.map_or($word.to_owned(), |n| n.to_string()),
            set: |options, text| options.$($field).+ = text.parse().ok(),
        }
    };
}

/// A row for `on` or `off`.
macro_rules! switch {
    ($name:literal, $($field:ident).+, $help:literal) => {
        Row {
            name: $name,
            kind: SWITCH,
            help: $help,
            get: |options| (if options.$($field).+ { "on" } else { "off" }).to_owned(),
            set: |options, text| options.$($field).+ = text == "on",
        }
    };
}

/// A row for one of several words, each with its value.
macro_rules! choice {
    ($name:literal, $($field:ident).+, [$($word:literal => $value:expr),+], $help:literal) => {
        Row {
            name: $name,
            kind: Kind::Choice(&[$($word),+]),
            help: $help,
            get: |options| word(&[$(($word, $value)),+], &options.$($field).+),
            set: |options, text| options.$($field).+ = named(&[$(($word, $value)),+], text),
        }
    };
}

/// A row for a text.
macro_rules! words {
    ($name:literal, $field:ident, $help:literal) => {
        Row {
            name: $name,
            kind: Kind::Words,
            help: $help,
            get: |options| options.$field.clone(),
            set: |options, text| options.$field = text.to_owned(),
        }
    };
}

pub(super) use {choice, number, optional, switch, words};

/// One parameter of a family of engines, as the user sees it.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is if the spec does not say.
    pub default: String,
    /// Which values it takes.
    pub kind: Kind,
    /// What it does, in a sentence.
    pub help: &'static str,
}

impl Parameter {
    /// Makes sure that a value fits; otherwise says what would.
    pub fn check(&self, value: &str) -> Result<(), TextError> {
        let fits = match self.kind {
            Kind::Whole(least, most, words) => {
                words.contains(&value)
                    || value.parse::<u64>().is_ok_and(|n| (least..=most).contains(&n))
            }
            Kind::Real(least, most, words) => {
                words.contains(&value)
                    || value.parse::<f64>().is_ok_and(|x| (least..=most).contains(&x))
            }
            Kind::Choice(words) => words.contains(&value),
            Kind::Words => !value.is_empty() && !value.contains('"'),
        };
        if fits {
            return Ok(());
        }
        let (name, range) = (self.name, self.range());
        Err(TextError::new(format!("{name}={value} is not possible; {name} takes {range}")))
    }

    /// The range in words.
    pub fn range(&self) -> String {
        let or = |range: String, words: &[&str]| match words {
            [] => range,
            words => format!("{range} or {}", words.join("|")),
        };
        match self.kind {
            Kind::Whole(least, most, words) => {
                or(format!("a whole number from {least} to {most}"), words)
            }
            Kind::Real(least, most, words) => or(format!("a number from {least} to {most}"), words),
            Kind::Choice(words) => words.join("|"),
            Kind::Words => "a text, quoted if it has spaces".to_owned(),
        }
    }
}
