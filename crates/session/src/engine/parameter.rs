//! Parameters of engines: a name, a default, a range and a sentence of help.

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
    /// Any text; whoever builds the engine checks it.
    Words,
}

/// `on` or `off`.
pub const SWITCH: Kind = Kind::Choice(&["on", "off"]);

/// One parameter of a family of engines.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is if the spec does not say.
    pub default: &'static str,
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
