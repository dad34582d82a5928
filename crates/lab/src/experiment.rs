//! An experiment as its file describes it.

use std::time::Duration;

use games::TextError;
use search::Limits;
use serde::{Deserialize, Serialize};
use session::EngineSpec;

use crate::{Batch, LabError};

/// One table, figure or claim of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Its name: the paper's number and the table or figure.
    pub id: String,
    /// What it is about, in a sentence.
    pub title: String,
    /// The paper's numbers, as text.
    pub printed: String,
    /// How the paper measured them.
    pub method: String,
    /// What the paper leaves open.
    pub open: String,
    /// What was chosen instead; also whether results had been seen by then.
    pub choice: String,
    /// What playing it has shown since: why the paper's numbers come out or not.
    pub since: Option<String>,
    /// What has to exist before it can be played; it is then not played.
    pub waits: Option<String>,
    /// The game of all rows that name none.
    pub game: Option<String>,
    /// Random plies at the beginning of each pair.
    #[serde(default)]
    pub opening_plies: u32,
    /// How much is played under `smoke`.
    pub smoke: Size,
    /// How much is played under `short`.
    pub short: Size,
    /// How much is played under `medium`.
    pub medium: Size,
    /// How much is played under `full`.
    pub full: Size,
    /// A network that it trains before its matches: in a row's engines `{first}` and
    /// `{last}` are the files of its first and last checkpoint.
    pub train: Option<Train>,
    /// Matches of two engines.
    #[serde(default, rename = "row")]
    pub rows: Vec<Row>,
    /// A sweep of one parameter.
    pub sweep: Option<Sweep>,
    /// What the paper leaves open, tried one by one.
    #[serde(default, rename = "sensitivity")]
    pub sensitivities: Vec<Sensitivity>,
    /// How long random games last.
    #[serde(default, rename = "length")]
    pub lengths: Vec<Length>,
    /// Whether a search finds a plan by itself.
    pub attack: Option<Attack>,
    /// Connect Four boards on which the bit board is timed.
    #[serde(default)]
    pub timed: Vec<String>,
    /// A batch against a user's folder of course strategies.
    pub batch: Option<Batch>,
}

/// How much is played.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Games of each row, or at each value; an even number.
    #[serde(default)]
    pub games: u64,
    /// A row ends before its last game as soon as the 95% interval of each of its
    /// printed shares is no wider than this.
    pub width: Option<f64>,
    /// Games of each choice of a sensitivity, at most; none are played by default.
    #[serde(default)]
    pub choices: u64,
    /// Each row is played once for each of these.
    #[serde(default)]
    pub budgets: Vec<Budget>,
    /// The values of a sweep, where they are fewer than the experiment's own.
    pub values: Option<Vec<f64>>,
    /// Depths of search, where the question is a depth.
    #[serde(default)]
    pub depths: Vec<u32>,
    /// Settings of a training that differ from the experiment's own.
    #[serde(default)]
    pub train: toml::Table,
}

/// A network that is trained as part of an experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Train {
    /// The settings of `boyi train` that differ from the 2020 paper's.
    pub settings: toml::Table,
}

/// How much an engine may think about a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Simulations; alpha-beta ignores it.
    pub sims: Option<u64>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Seconds.
    pub seconds: Option<f64>,
    /// Fewer games than the profile has elsewhere, for what takes long.
    #[serde(skip_serializing)]
    pub games: Option<u64>,
}

impl Budget {
    /// The limits of each move.
    pub fn limits(&self) -> Limits {
        let time = self.seconds.map(Duration::from_secs_f64);
        Limits { time, nodes: self.nodes, sims: self.sims, ..Limits::default() }
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let parts = [
            self.sims.map(|n| format!("{n} simulations")),
            self.nodes.map(|n| format!("{n} positions")),
            self.seconds.map(|s| format!("{s} s")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "fixed depth" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// A match of two engines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// What is compared.
    pub label: String,
    /// The game, if not the experiment's.
    pub game: Option<String>,
    /// The engine whose share is reported, and its opponent.
    pub engines: [String; 2],
    /// What the paper prints about it.
    #[serde(default)]
    pub printed: Vec<Printed>,
}

/// A number that the paper prints about a row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// Which games.
    pub of: Side,
    /// The share of points, from 0 to 1.
    pub share: f64,
    /// Over so many games, where the paper gives it.
    pub games: Option<u64>,
    /// Only for this time a move; at other budgets its direction alone counts.
    pub seconds: Option<f64>,
}

impl Printed {
    /// Whether the paper has this number for a budget.
    pub(crate) fn is_for(&self, budget: &Budget) -> bool {
        self.seconds.is_none() || self.seconds == budget.seconds
    }
}

/// Something that the paper leaves open, and a list of choices for it: the match is
/// played with each, and the share drawn over the choice.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sensitivity {
    /// What is left open: the name of the axis.
    pub open: String,
    /// What is compared.
    pub label: String,
    /// The engine whose share is reported, and its opponent, before a choice
    /// changes them.
    pub engines: [String; 2],
    /// What the paper prints about it.
    #[serde(default)]
    pub printed: Vec<Printed>,
    /// How much is thought about a move where the choice does not say.
    #[serde(default)]
    pub budget: Budget,
    /// What may have been meant, in the order of the axis.
    #[serde(rename = "choice")]
    pub choices: Vec<Choice>,
}

/// One way to fill in what a paper leaves open.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Its name below the axis; if all are numbers, the points are joined.
    pub name: String,
    /// The game with other rules.
    pub game: Option<String>,
    /// Parameters of the first engine that differ.
    #[serde(default)]
    pub first: String,
    /// Parameters of the second engine that differ.
    #[serde(default)]
    pub second: String,
    /// Another budget.
    pub budget: Option<Budget>,
}

impl Sensitivity {
    /// The match of a choice.
    pub(crate) fn row(&self, choice: &Choice) -> Result<Row, TextError> {
        let [first, second] = &self.engines;
        Ok(Row {
            label: format!("{}, {}: {}", self.label, self.open, choice.name),
            game: choice.game.clone(),
            engines: [changed(first, &choice.first)?, changed(second, &choice.second)?],
            printed: self.printed.clone(),
        })
    }

    /// The budget of a choice. A smoke test has one for all.
    pub(crate) fn budget(&self, choice: &Choice, profile: Profile, size: &Size) -> Budget {
        match (profile, size.budgets.first()) {
            (Profile::Smoke, Some(&small)) => small,
            _ => choice.budget.unwrap_or(self.budget),
        }
    }
}

/// The spec of an engine with some of its parameters changed.
fn changed(spec: &str, parameters: &str) -> Result<String, TextError> {
    let spec: EngineSpec = spec.parse()?;
    let other = format!("{} {parameters}", spec.family().name);
    Ok(spec.with(&other.parse()?)?.to_string())
}

/// Which games of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Those in which the first engine moves first.
    First,
    /// Those in which the first engine moves second.
    Second,
    /// All.
    Both,
    /// All, counted for the side that moves first: for an engine against itself.
    Mover,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Side::First => "moving first",
            Side::Second => "moving second",
            Side::Both => "in all games",
            Side::Mover => "whoever moves first",
        })
    }
}

/// A parameter swept against a fixed opponent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// The engine with the parameter.
    pub engine: String,
    /// The opponent.
    pub against: String,
    /// The parameter's name.
    pub parameter: String,
    /// Its values.
    pub values: Vec<f64>,
    /// The degree of the curve.
    pub degree: usize,
    /// The best value in the paper.
    pub optimum: f64,
    /// An interval wider than this decides nothing about the optimum.
    pub widest: f64,
}

/// The length of random games.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Length {
    /// What is measured.
    pub label: String,
    /// The game with its end rules.
    pub game: String,
    /// The paper says that they last longer than this many plies.
    pub over: Option<f64>,
}

/// A plan that, by the paper, a search finds by itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// The search, to which the depth is added.
    pub engine: String,
    /// The plan's moves, and the same mirrored: any of these lists.
    pub plans: Vec<Vec<String>>,
    /// The least depth at which the paper claims it.
    pub depth: u32,
}

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Under a minute: checks that everything runs.
    Smoke,
    /// About an hour on two cores.
    Short,
    /// Within a day on two cores: intervals of at most ten points where rows are
    /// limited by simulations, and every sensitivity.
    Medium,
    /// The paper's own budgets where it prints them.
    Full,
}

impl Profile {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Smoke => "smoke",
            Profile::Short => "short",
            Profile::Medium => "medium",
            Profile::Full => "full",
        }
    }
}

impl Experiment {
    /// How much is played under a profile.
    pub fn size(&self, profile: Profile) -> &Size {
        match profile {
            Profile::Smoke => &self.smoke,
            Profile::Short => &self.short,
            Profile::Medium => &self.medium,
            Profile::Full => &self.full,
        }
    }

    /// The game of a row.
    pub(crate) fn game_of(&self, row: &Row) -> Result<session::GameSpec, LabError> {
        self.game_named(row.game.as_deref())
    }

    /// The game named by a part of it, or its own.
    pub(crate) fn game_named(&self, own: Option<&str>) -> Result<session::GameSpec, LabError> {
        let name = own.or(self.game.as_deref());
        let name = name.ok_or_else(|| self.fault("no game is named"))?;
        Ok(name.parse()?)
    }

    /// An error about this experiment's file.
    pub(crate) fn fault(&self, what: &str) -> LabError {
        LabError::Experiment(self.id.clone(), what.to_owned())
    }
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../experiments/", $name, ".toml")))),*]
    };
}

const FILES: &[(&str, &str)] = files![
    "000-figure-4",
    "000-figure-7",
    "000-table-1",
    "000-table-2",
    "000-table-3",
    "000-random-games",
    "000-three-step-attack",
    "001-table-1",
    "002-training",
    "003-factors",
    "003-window",
    "004-optimisations",
    "004-samples",
];

/// Every experiment, by paper.
pub fn all() -> Vec<Experiment> {
    FILES
        .iter()
        .map(|(name, text)| {
            let experiment: Experiment =
                toml::from_str(text).unwrap_or_else(|error| panic!("{name}.toml: {error}"));
            assert_eq!(&experiment.id, name, "a file is named after its experiment");
            experiment
        })
        .collect()
}

/// The experiments with these names; a paper's number names all of its own, and
/// no names at all name everything.
///
/// ```
/// let of_paper = lab::find(&["001".to_owned()])?;
/// assert!(!of_paper.is_empty() && of_paper.iter().all(|e| e.id.starts_with("001")));
/// assert!(lab::find(&["005".to_owned()]).is_err());
/// # Ok::<(), lab::LabError>(())
/// ```
pub fn find(names: &[String]) -> Result<Vec<Experiment>, LabError> {
    let every = all();
    let belongs = |experiment: &Experiment, name: &str| {
        experiment.id == name || experiment.id.split('-').next() == Some(name)
    };
    if let Some(name) = names.iter().find(|name| !every.iter().any(|e| belongs(e, name))) {
        let known: Vec<&str> = every.iter().map(|experiment| experiment.id.as_str()).collect();
        let known = format!("there is none; the experiments are {}", known.join(", "));
        return Err(LabError::Experiment(name.to_string(), known));
    }
    let wanted = |e: &Experiment| names.is_empty() || names.iter().any(|name| belongs(e, name));
    Ok(every.into_iter().filter(wanted).collect())
}
