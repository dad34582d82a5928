//! `boyi tune`: good values for an engine's parameters, by playing.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use arena::Store;
use arena::tune::Parameter;
use clap::Args;
use lab::{Curve, LabContext, LabEvent, Study, report};
use serde_json::json;
use session::{EngineSpec, GameSpec};

use crate::limits::{LimitArgs, RequireLimit};
use crate::position::print_line;
use crate::progress::ProgressBar;
use crate::verbs::fleet::FleetArguments;
use crate::verbs::reproduce::write_file;

/// Tune an engine's parameters by playing games
#[derive(Args)]
#[command(after_help = "\
A sweep plays each value of one parameter against a fixed opponent, fits a polynomial and
gives its maximum with a 95% interval. SPSA tunes several parameters at once, each given
as NAME=START,LOW,HIGH,STEP; the engine plays against itself. After an interruption the same
command continues.

Examples:
  boyi tune connect-four --engine uct --against 'uct c=0.5' --parameter c \\
      --values 0.05,0.2,0.4,0.8,1.5,2.5 --degree 3 --games 300 --sims 500 --plot c.svg
  boyi tune surakarta --engine paper-000 --spsa c=0.23,0,2,0.05 --spsa cut=9,0,60,3 \\
      --games 2000 --sims 500
")]
pub struct Arguments {
    /// The game and its setup
    #[arg(value_name = "GAME")]
    game: GameSpec,

    /// The engine whose parameter is tuned
    #[arg(long, value_name = "SPEC")]
    engine: EngineSpec,

    /// The opponent of a sweep
    #[arg(long, value_name = "SPEC", required_unless_present = "spsa")]
    against: Option<EngineSpec>,

    /// The parameter to sweep
    #[arg(long, value_name = "NAME", required_unless_present = "spsa", conflicts_with = "spsa")]
    parameter: Option<String>,

    /// The values of the sweep
    #[arg(long, value_name = "X,Y,...", value_delimiter = ',', requires = "parameter")]
    values: Vec<f64>,

    /// Tune by SPSA: NAME=START,LOW,HIGH,STEP, once per parameter
    #[arg(long, value_name = "TUNED")]
    spsa: Vec<Tuned>,

    /// Games per value of a sweep, or in total for SPSA
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: u64,

    #[command(flatten)]
    limits: LimitArgs,

    /// The degree of the fitted polynomial
    #[arg(long, value_name = "D", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=20))]
    degree: u16,

    /// Random plies at the beginning of each pair
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening_plies: u32,

    /// Concurrent games
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    #[command(flatten)]
    fleet: FleetArguments,

    /// Seed of openings and of the engines' random choices
    #[arg(long, value_name = "X", default_value_t = 1)]
    seed: u64,

    /// The file that stores the results
    #[arg(long, value_name = "FILE", default_value = "boyi-matches.sqlite")]
    store: PathBuf,

    /// Draw the sweep as an SVG file
    #[arg(long, value_name = "FILE", requires = "parameter")]
    plot: Option<PathBuf>,

    /// Print JSON at the end
    #[arg(long)]
    json: bool,
}

/// `c=0.23,0,2,0.05`: where a parameter begins, its range and its step.
#[derive(Clone)]
struct Tuned(Parameter);

impl FromStr for Tuned {
    type Err = String;

    fn from_str(text: &str) -> Result<Tuned, String> {
        let wrong = || format!("'{text}' is not NAME=START,LOW,HIGH,STEP, such as c=0.23,0,2,0.05");
        let (name, numbers) = text.split_once('=').ok_or_else(wrong)?;
        let numbers: Vec<f64> =
            numbers.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
        let [start, low, high, step] = numbers[..] else { return Err(wrong()) };
        if !(low <= start && start <= high && low < high && step > 0.0) {
            return Err(format!(
                "'{text}' is not valid: START must lie from LOW to HIGH, and STEP must be above 0"
            ));
        }
        Ok(Tuned(Parameter { name: name.to_owned(), start, low, high, step }))
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let limits = self.limits.limits();
        let study = Study {
            game: self.game.clone(),
            engine: self.engine.clone(),
            against: self.against.clone().unwrap_or_else(|| self.engine.clone()),
            limits,
            plies: self.opening_plies,
            seed: self.seed,
        };
        for spec in [&study.engine, &study.against] {
            study.game.visit(RequireLimit(spec, limits))?;
        }
        if self.parameter.is_some() && self.values.len() <= usize::from(self.degree) {
            bail!(
                "a polynomial of degree {} needs at least {} values; give more --values or a lower \
                 --degree",
                self.degree,
                self.degree + 1
            );
        }
        // Before there is a store, so that a mistake leaves nothing behind.
        for value in &self.values {
            study.check(&self.parameter.as_deref().into_iter().collect::<Vec<_>>(), &[*value])?;
        }
        for Tuned(Parameter { name, low, high, .. }) in &self.spsa {
            study.check(&[name], &[*low])?;
            study.check(&[name], &[*high])?;
        }
        let players = self.fleet.players(&[&study.engine, &study.against])?;
        static STOP: AtomicBool = AtomicBool::new(false);
        crate::interrupt::set_on_interrupt(&STOP)?;
        let mut progress = ProgressBar::new();
        let mut context = LabContext {
            store: Store::open(&self.store)?,
            concurrency: self.concurrency.into(),
            seed: self.seed,
            stored_only: false,
            stop: &STOP,
            on_event: &mut |event| match event {
                LabEvent::Message(line) => progress.println(line),
                LabEvent::Progress { work, pairs, of } => progress.update(work, pairs, of, ""),
            },
            // A sweep trains nothing.
            folder: PathBuf::new(),
            remote: players.as_ref().map(|(_, players)| players.clone()),
            samples: None,
        };
        let finished = match &self.parameter {
            Some(parameter) => {
                let pairs = self.games.div_ceil(2);
                let degree = self.degree.into();
                let curve = study.sweep(parameter, &self.values, pairs, degree, &mut context)?;
                progress.clear();
                if let Some(path) = &self.plot {
                    write_file(path, &report::sweep_plot(&curve, None))?;
                }
                self.print_sweep(&curve)?;
                curve.finished
            }
            None => {
                let parameters: Vec<_> = self.spsa.iter().map(|tuned| tuned.0.clone()).collect();
                let names: Vec<_> = parameters.iter().map(|p| p.name.clone()).collect();
                let trace = study.spsa(parameters, self.games.div_ceil(2), &mut context)?;
                progress.clear();
                if self.json {
                    print_line(json!({ "parameters": names, "course": trace }))?;
                } else {
                    let last = trace.values.last().into_iter().flatten();
                    for (name, value) in names.iter().zip(last) {
                        print_line(format!("{name} = {value:.4}"))?;
                    }
                }
                trace.finished
            }
        };
        if !finished {
            eprintln!("{}", crate::interrupt::goes_on());
        }
        Ok(())
    }

    fn print_sweep(&self, curve: &Curve) -> anyhow::Result<()> {
        if self.json {
            return print_line(json!(curve));
        }
        for sample in &curve.samples {
            let games = 2 * sample.count();
            let (low, high) = arena::statistics::wilson(sample.score(), games);
            print_line(format!(
                "{} = {:<8} {:5.1} % [{:.1}, {:.1}] of {games} games",
                curve.parameter,
                sample.x,
                100.0 * sample.score(),
                100.0 * low,
                100.0 * high
            ))?;
        }
        match &curve.optimum {
            Some(best) => {
                print_line(format!(
                    "best {}: {:.4} [{:.4}, {:.4}], where the curve of degree {} has {:.1} %",
                    curve.parameter,
                    best.x,
                    best.interval.0,
                    best.interval.1,
                    curve.degree,
                    100.0 * best.score
                ))?;
                if !curve.distinct {
                    print_line(
                        "The scores differ no more than by chance, so this value means nothing yet: \
                         play more games.",
                    )?;
                } else if curve.at_edge {
                    print_line(format!(
                        "It lies at the edge of the values that were played: a better one may lie \
                         beyond {}; add values there.",
                        best.x
                    ))?;
                }
                Ok(())
            }
            None => print_line("no best value: too few values were played, or all score alike"),
        }
    }
}
