//! How the options of a match are written: engines, time controls, rules, tests.

use std::str::FromStr;
use std::time::Duration;

use arena::statistics::{Model, Sprt};
use search::Clock;
use session::EngineSpec;

/// `10+0.1`: base and increment, in seconds.
#[derive(Clone, Copy)]
pub struct TimeControl(pub Clock);

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let wrong =
            || format!("'{text}' is not a time control; write seconds+increment, such as 10+0.1");
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let parse = |part: &str| part.parse::<f64>().ok().filter(|s| (0.0..=86_400.0).contains(s));
        let (base, increment) =
            (parse(base).ok_or_else(wrong)?, parse(increment).ok_or_else(wrong)?);
        if base == 0.0 {
            return Err(wrong());
        }
        let [base, increment] = [base, increment].map(Duration::from_secs_f64);
        Ok(TimeControl(Clock::new(base, increment)))
    }
}

/// An engine of the match, with what the spec says beyond the engine itself.
#[derive(Clone)]
pub struct Participant {
    pub spec: EngineSpec,
    pub name: Option<String>,
    pub clock: Option<Clock>,
}

impl FromStr for Participant {
    type Err = String;

    fn from_str(text: &str) -> Result<Participant, String> {
        let (mut name, mut clock) = (None, None);
        let (own, spec): (Vec<_>, Vec<_>) = session::engine::spec_words(text)
            .map_err(|error| error.to_string())?
            .into_iter()
            .partition(|word| word.starts_with("name=") || word.starts_with("tc="));
        for word in own {
            match word.split_once('=') {
                Some(("name", "")) => return Err("name= needs a name".to_owned()),
                Some(("name", value)) => name = Some(value.to_owned()),
                Some((_, value)) => clock = Some(value.parse::<TimeControl>()?.0),
                None => {}
            }
        }
        let quoted = |word: String| match word.contains(char::is_whitespace) {
            true => format!("\"{word}\""),
            false => word,
        };
        let spec = spec.into_iter().map(quoted).collect::<Vec<_>>().join(" ");
        let spec = spec.parse().map_err(|error: games::TextError| error.to_string())?;
        Ok(Participant { spec, name, clock })
    }
}

/// `0.02x4`: a chance and how long it has to last.
#[derive(Clone, Copy)]
pub struct Streak(pub f64, pub u32);

impl FromStr for Streak {
    type Err = String;

    fn from_str(text: &str) -> Result<Streak, String> {
        let parts =
            text.split_once('x').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        parts
            .map(|(a, b)| Streak(a, b))
            .ok_or_else(|| format!("'{text}' is not CHANCExLENGTH, such as 0.02x4"))
    }
}

/// A sequential test as text.
#[derive(Clone, Copy)]
pub struct Test(pub Sprt);

impl FromStr for Test {
    type Err = String;

    fn from_str(text: &str) -> Result<Test, String> {
        let mut sprt = Sprt::new(0.0, 5.0);
        for part in text.split(',') {
            let (name, value) =
                part.split_once('=').ok_or_else(|| format!("'{part}' is not name=value"))?;
            let number = || value.parse::<f64>().map_err(|_| format!("'{value}' is not a number"));
            match name.trim() {
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" => {
                    sprt.model = match value {
                        "normalized" => Model::Normalized,
                        "logistic" => Model::Logistic,
                        _ => {
                            return Err(format!(
                                "model={value} is unknown; it is normalized or logistic"
                            ));
                        }
                    }
                }
                _ => {
                    return Err(format!(
                        "the test has no '{name}'; it has elo0, elo1, alpha, beta, model"
                    ));
                }
            }
        }
        sprt.check()?;
        Ok(Test(sprt))
    }
}
