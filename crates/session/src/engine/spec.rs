//! One line names an engine: `uct c=0.23 cut=9 eval=matrix threads=2`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use games::TextError;

use super::family::{FAMILIES, Family};
use super::options::Options;

/// A family of engines with the parameters that the user set. The others have
/// their defaults.
///
/// ```
/// use session::EngineSpec;
///
/// let spec: EngineSpec = "uct c=0.5 threads=2".parse()?;
/// assert_eq!(spec.to_string(), "uct c=0.5 threads=2");
/// assert!("uct depth=9".parse::<EngineSpec>().is_err(), "no parameter of uct");
/// # Ok::<(), games::TextError>(())
/// ```
#[derive(Clone, Debug)]
pub struct EngineSpec {
    family: &'static Family,
    given: BTreeMap<&'static str, String>,
}

impl PartialEq for EngineSpec {
    fn eq(&self, other: &EngineSpec) -> bool {
        self.family.name == other.family.name && self.given == other.given
    }
}

impl EngineSpec {
    /// The family.
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// Sets a parameter, or says what is wrong.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TextError> {
        let parameter = self.family.parameter(name)?;
        parameter.check(value)?;
        self.given.insert(parameter.name, value.to_owned());
        Ok(())
    }

    /// Whether the user set this parameter.
    pub fn is_given(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// The text of a parameter that the family has.
    pub fn text(&self, name: &str) -> &str {
        let parameter = self.family.parameter(name).expect("the family has this parameter");
        self.given.get(parameter.name).unwrap_or(&parameter.default)
    }

    /// A parameter as a number, a word's own type, and so on. The value was
    /// checked when it was set.
    pub fn value<T: FromStr>(&self, name: &str) -> T {
        let text = self.text(name);
        text.parse().unwrap_or_else(|_| panic!("{name}={text} was checked against its range"))
    }

    /// All that the spec says, typed.
    pub fn options(&self) -> Options {
        let mut options = self.family.options.clone();
        for (name, value) in &self.given {
            options.set(name, value);
        }
        options
    }

    /// The same engine with the parameters of `other` laid over its own.
    pub fn with(mut self, other: &EngineSpec) -> Result<EngineSpec, TextError> {
        for (name, value) in &other.given {
            self.set(name, value)?;
        }
        Ok(self)
    }
}

impl FromStr for EngineSpec {
    type Err = TextError;

    fn from_str(text: &str) -> Result<EngineSpec, TextError> {
        let words = spec_words(text)?;
        let Some((name, rest)) = words.split_first() else {
            return Err(TextError::new(format!("name an engine: {}", known())));
        };
        let family = FAMILIES.iter().find(|family| family.name == name).ok_or_else(|| {
            TextError::new(format!("there is no engine '{name}'; the engines are {}", known()))
        })?;
        let mut spec = EngineSpec { family, given: BTreeMap::new() };
        for word in rest {
            let Some((name, value)) = word.split_once('=') else {
                return Err(TextError::new(format!(
                    "'{word}' is not a parameter; write name=value, for example {}",
                    family.parameters.first().map_or_else(
                        || "nothing: this engine has none".to_owned(),
                        |first| format!("{}={}", first.name, first.default)
                    )
                )));
            };
            spec.set(name, value)?;
        }
        Ok(spec)
    }
}

fn known() -> String {
    FAMILIES.iter().map(|family| family.name).collect::<Vec<_>>().join(", ")
}

/// The words of a spec: splits at white space, except inside double quotes, which
/// are removed. No shell grammar: apostrophes, backslashes and `#` are plain
/// characters in the path of a network or in a command.
pub fn spec_words(text: &str) -> Result<Vec<String>, TextError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    if quoted {
        return Err(TextError::new("a quotation mark is not closed"));
    }
    words.extend(word);
    Ok(words)
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.family.name)?;
        for (name, value) in &self.given {
            if value.contains(char::is_whitespace) {
                write!(f, " {name}=\"{value}\"")?;
            } else {
                write!(f, " {name}={value}")?;
            }
        }
        Ok(())
    }
}
