//! A parameter swept against a fixed opponent, and the curve through it.

use std::time::{Duration, Instant};

use arena::statistics::{Optimum, Sample, optimum, wilson};
use arena::tune::{Effort, Parameter, Spsa, Sweep, Trial, pair};
use arena::{Allowance, RunError};
use games::TextError;
use serde::Serialize;
use session::{EngineSpec, GameSpec, Playable, Task};

use crate::bench::{contest, factory};
use crate::{Bench, LabError};

/// What is tuned, and how its games are played.
#[derive(Clone, Debug)]
pub struct Study {
    /// The game.
    pub game: GameSpec,
    /// The engine with the parameter.
    pub engine: EngineSpec,
    /// Its opponent in a sweep.
    pub against: EngineSpec,
    /// How much both may think.
    pub allowance: Allowance,
    /// Random plies at the beginning of each pair.
    pub plies: u32,
    /// Decides every random choice.
    pub seed: u64,
}

/// A sweep as it came out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The parameter's name.
    pub parameter: String,
    /// The pairs at each value, for the engine with this value.
    pub samples: Vec<Sample>,
    /// The degree of the polynomial.
    pub degree: usize,
    /// The best value; nothing with too few values for the degree, or where all
    /// score alike: a flat curve has no maximum.
    pub optimum: Option<Optimum>,
    /// Whether all was played.
    pub finished: bool,
}

/// The 95% interval of a sample's share.
pub(crate) fn interval(sample: &Sample) -> (f64, f64) {
    wilson(sample.score(), 2 * sample.count())
}

impl Study {
    /// The engine with one of the parameters' values.
    fn at(&self, names: &[&str], values: &[f64]) -> Result<EngineSpec, TextError> {
        let mut engine = self.engine.clone();
        for (name, value) in names.iter().zip(values) {
            let whole =
                matches!(engine.family().parameter(name)?.kind, session::engine::Kind::Whole(..));
            let text = if whole { value.round().to_string() } else { value.to_string() };
            engine.set(name, &text)?;
        }
        Ok(engine)
    }

    /// Everything that decides the games, by which the store knows the study.
    fn subject(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let Study { game, engine, against, allowance, plies, .. } = self;
        format!("{version}; {game}; {engine} against {against}; {allowance:?}; {plies} plies")
    }

    /// Plays so many pairs at each value and fits a curve of a degree.
    pub fn sweep(
        &self,
        parameter: &str,
        values: &[f64],
        pairs: u64,
        degree: usize,
        bench: &mut Bench,
    ) -> Result<Curve, LabError> {
        for value in values {
            self.at(&[parameter], &[*value])?;
        }
        let sweep = Sweep {
            subject: self.subject(),
            parameter: parameter.to_owned(),
            values: values.to_vec(),
            seed: self.seed,
        };
        let swept = self.game.run(Play {
            study: self,
            names: vec![parameter],
            bench,
            work: |effort: &Effort, store: &mut arena::Store, tell: &mut dyn FnMut(&str)| {
                let mut told = Instant::now();
                sweep.run(pairs, effort, store, &mut |samples| {
                    if told.elapsed() > Duration::from_secs(10) {
                        told = Instant::now();
                        let played: u64 = samples.iter().map(Sample::count).sum();
                        tell(&format!("  {played} of {} pairs", pairs * values.len() as u64));
                    }
                })
            },
        })?;
        let flat = swept.samples.windows(2).all(|two| two[0].score() == two[1].score());
        let optimum = match flat {
            true => None,
            false => optimum(&swept.samples, degree, 1000, self.seed),
        };
        let (samples, finished) = (swept.samples, swept.finished);
        Ok(Curve { parameter: parameter.to_owned(), samples, degree, optimum, finished })
    }

    /// Moves several parameters at once towards what wins; the opponent is the
    /// engine itself. Answers the values at the start and after each iteration,
    /// and whether all is done.
    pub fn spsa(
        &self,
        parameters: Vec<Parameter>,
        iterations: u64,
        bench: &mut Bench,
    ) -> Result<arena::tune::Course, LabError> {
        let names: Vec<String> = parameters.iter().map(|p| p.name.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for end in [|p: &Parameter| p.low, |p: &Parameter| p.high] {
            self.at(&names, &parameters.iter().map(end).collect::<Vec<_>>())?;
        }
        let (subject, seed) = (self.subject(), self.seed);
        let spsa = Spsa { subject, parameters, iterations, pairs: 1, rate: 0.1, seed };
        self.game.run(Play {
            study: self,
            names: names.clone(),
            bench,
            work: |effort: &Effort, store: &mut arena::Store, tell: &mut dyn FnMut(&str)| {
                let mut told = Instant::now();
                spsa.run(effort, store, &mut |done, values| {
                    if told.elapsed() > Duration::from_secs(10) {
                        told = Instant::now();
                        tell(&format!("  iteration {} of {iterations}: {values:.4?}", done + 1));
                    }
                })
            },
        })
    }
}

/// Work that plays trials of a study.
struct Play<'a, 'b, W> {
    study: &'a Study,
    names: Vec<&'a str>,
    bench: &'a mut Bench<'b>,
    work: W,
}

impl<T, W> Task for Play<'_, '_, W>
where
    W: FnOnce(&Effort, &mut arena::Store, &mut dyn FnMut(&str)) -> Result<T, RunError>,
{
    type Output = Result<T, LabError>;

    fn run<G: Playable>(self, start: G) -> Self::Output {
        let Play { study, names, bench, work } = self;
        let Bench { store, concurrency, stop, tell } = bench;
        factory::<G>([study.engine.clone(), study.against.clone()], &start)?;
        let refuse = |error: TextError| RunError::Contest(error.to_string());
        let play = |trial: &Trial| {
            let engine = study.at(&names, &trial.parameters).map_err(refuse)?;
            let other = match &trial.against {
                Some(values) => study.at(&names, values).map_err(refuse)?,
                None => study.against.clone(),
            };
            let contest =
                contest(&start, [&engine, &other], study.allowance, study.plies, trial.seed);
            pair::<G>(&contest, factory::<G>([engine, other], &start).map_err(refuse)?, stop)
        };
        let effort = Effort { play: &play, concurrency: *concurrency, stop };
        Ok(work(&effort, store, *tell)?)
    }
}
