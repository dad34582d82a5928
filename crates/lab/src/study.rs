//! Tuning: a parameter swept against a fixed opponent and the curve through its
//! scores, or several parameters by SPSA.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arena::statistics::{Optimum, Sample, differ, optimum, wilson};
use arena::tune::{
    EnginePool, Parameter, Spsa, SpsaTrace, Sweep, SweepResult, Trial, TrialResult, TrialRunner,
    pair,
};
use arena::{Factory, RemotePlayers, RunError};
use games::TextError;
use search::Limits;
use serde::Serialize;
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

use crate::context::match_config;
use crate::{LabContext, LabError, LabEvent};

/// What is tuned, and how its games are played.
#[derive(Clone, Debug)]
pub struct Study {
    /// The game.
    pub game: GameSpec,
    /// The engine with the parameter.
    pub engine: EngineSpec,
    /// Its opponent in a sweep.
    pub against: EngineSpec,
    /// The limits of both.
    pub limits: Limits,
    /// Random plies at the beginning of each pair.
    pub plies: u32,
    /// Seeds every random choice.
    pub seed: u64,
}

/// The results of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The parameter's name.
    pub parameter: String,
    /// The pairs at each value, for the engine with this value.
    pub samples: Vec<Sample>,
    /// The degree of the polynomial.
    pub degree: usize,
    /// The best value; none with too few values for the degree, or where all
    /// score alike: a flat curve has no maximum.
    pub optimum: Option<Optimum>,
    /// Whether the scores differ more than chance explains; else the best value means
    /// nothing.
    pub distinct: bool,
    /// Whether the best value is the least or the greatest of those played, so that a
    /// better one may lie beyond it.
    pub at_edge: bool,
    /// Whether all was played.
    pub finished: bool,
}

impl Curve {
    /// The best value, if the scores tell it from the others.
    pub fn maximum(&self) -> Option<&Optimum> {
        self.optimum.as_ref().filter(|_| self.distinct)
    }
}

/// The 95% interval of a sample's share.
pub(crate) fn interval(sample: &Sample) -> (f64, f64) {
    wilson(sample.score(), 2 * sample.count())
}

impl Study {
    /// The engine with these values of the parameters.
    fn engine_with(&self, names: &[&str], values: &[f64]) -> Result<EngineSpec, TextError> {
        let mut engine = self.engine.clone();
        for (name, value) in names.iter().zip(values) {
            let whole =
                matches!(engine.family().parameter(name)?.kind, session::engine::Kind::Whole(..));
            let text = if whole { value.round().to_string() } else { value.to_string() };
            engine.set(name, &text)?;
        }
        Ok(engine)
    }

    /// Whether the engine has these parameters and accepts these values for them.
    pub fn check(&self, names: &[&str], values: &[f64]) -> Result<(), TextError> {
        self.engine_with(names, values).map(drop)
    }

    /// Everything that decides the games: the identity of the study in a store. As
    /// such its text must never change, or an interrupted study could not be
    /// resumed; but an engine that was edited in between begins a new one.
    fn subject(&self) -> String {
        let version = [&self.engine, &self.against].map(session::engine::version).join(", ");
        let Study { game, engine, against, limits, plies, .. } = self;
        let Limits { time, nodes, sims, depth, .. } = limits;
        let time = time.map_or("Free".to_owned(), |time| format!("Move({time:?})"));
        format!(
            "{version}; {game}; {engine} against {against}; Allowance {{ pace: {time}, nodes: \
             {nodes:?}, sims: {sims:?}, depth: {depth:?} }}; {plies} plies"
        )
    }

    /// Plays so many pairs at each value and fits a curve of a degree.
    pub fn sweep(
        &self,
        parameter: &str,
        values: &[f64],
        pairs: u64,
        degree: usize,
        context: &mut LabContext,
    ) -> Result<Curve, LabError> {
        for value in values {
            self.check(&[parameter], &[*value])?;
        }
        let sweep = Sweep {
            subject: self.subject(),
            parameter: parameter.to_owned(),
            values: values.to_vec(),
            seed: self.seed,
        };
        let SweepResult { samples, finished } =
            self.game.visit(RunSweep { study: self, sweep: &sweep, pairs, context })?;
        let flat = samples.windows(2).all(|two| two[0].score() == two[1].score());
        let optimum = match flat {
            true => None,
            false => optimum(&samples, degree, 1000, self.seed),
        };
        let distinct = differ(&samples, self.seed);
        let at_edge = optimum.as_ref().is_some_and(|best| {
            let (low, high) = best.curve.range;
            // As far as the search for the maximum is exact.
            let nearly = 1e-6 * (high - low);
            best.x - low <= nearly || high - best.x <= nearly
        });
        let parameter = parameter.to_owned();
        Ok(Curve { parameter, samples, degree, optimum, distinct, at_edge, finished })
    }

    /// Tunes several parameters at once by SPSA; the opponent is the engine
    /// itself.
    pub fn spsa(
        &self,
        parameters: Vec<Parameter>,
        iterations: u64,
        context: &mut LabContext,
    ) -> Result<SpsaTrace, LabError> {
        for Parameter { name, low, high, .. } in &parameters {
            self.check(&[name], &[*low])?;
            self.check(&[name], &[*high])?;
        }
        let (subject, seed) = (self.subject(), self.seed);
        let spsa = Spsa { subject, parameters, iterations, pairs: 1, rate: 0.1, seed };
        self.game.visit(RunSpsa { study: self, spsa: &spsa, context })
    }

    /// Plays the trials of this study, whose parameters have these names.
    fn trials<'a, G: Playable>(
        &'a self,
        names: Vec<&'a str>,
        start: &'a G,
        concurrency: usize,
        remote: Option<RemotePlayers>,
        stop: &'a AtomicBool,
    ) -> Result<TrialRunner<'a, impl Fn(&Trial) -> TrialResult + Sync + 'a>, LabError> {
        for spec in [&self.engine, &self.against] {
            session::engine::check(spec, start)?;
        }
        let refuse = |error: TextError| RunError::Config(error.to_string());
        // Those of a trial at each place, and as many of the values before.
        let pool = EnginePool::new(4 * concurrency);
        let play = move |trial: &Trial| {
            let engine = self.engine_with(&names, &trial.parameters).map_err(refuse)?;
            let other = match &trial.against {
                Some(values) => self.engine_with(&names, values).map_err(refuse)?,
                None => self.against.clone(),
            };
            let config =
                match_config(start, [&engine, &other], self.limits, self.plies, trial.seed);
            let (pool, start) = (pool.clone(), start.clone());
            let engines = [engine, other];
            let factory: Factory<G> = Arc::new(move |index| {
                let spec = &engines[index];
                let make = || G::engine(spec, &start, 0).map_err(|error| error.to_string());
                Ok(Box::new(pool.take(&spec.to_string(), make)?))
            });
            pair::<G>(&config, factory, remote.as_ref(), stop)
        };
        Ok(TrialRunner { play, concurrency, stop })
    }
}

/// For a sweep that only reads what is stored.
static STOPPED: AtomicBool = AtomicBool::new(true);

struct RunSweep<'a, 'b> {
    study: &'a Study,
    sweep: &'a Sweep,
    pairs: u64,
    context: &'a mut LabContext<'b>,
}

impl GameVisitor for RunSweep<'_, '_> {
    type Output = Result<SweepResult, LabError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let RunSweep { study, sweep, pairs, context } = self;
        let LabContext { store, concurrency, stop, stored_only, on_event, remote, .. } = context;
        let stop = if *stored_only { &STOPPED } else { *stop };
        let remote = remote.clone();
        let runner = study.trials(vec![&sweep.parameter], &start, *concurrency, remote, stop)?;
        let (work, of) =
            (format!("sweep of {}", sweep.parameter), pairs * sweep.values.len() as u64);
        Ok(sweep.run(pairs, &runner, store, |samples| {
            let pairs = samples.iter().map(Sample::count).sum();
            on_event(LabEvent::Progress { work: &work, pairs, of });
        })?)
    }
}

struct RunSpsa<'a, 'b> {
    study: &'a Study,
    spsa: &'a Spsa,
    context: &'a mut LabContext<'b>,
}

impl GameVisitor for RunSpsa<'_, '_> {
    type Output = Result<SpsaTrace, LabError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let RunSpsa { study, spsa, context } = self;
        let LabContext { store, concurrency, stop, on_event, remote, .. } = context;
        let names = spsa.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let runner = study.trials(names, &start, *concurrency, remote.clone(), stop)?;
        Ok(spsa.run(&runner, store, |done, _| {
            on_event(LabEvent::Progress { work: "SPSA", pairs: done + 1, of: spsa.iterations });
        })?)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The identity as the first version wrote it.
    #[test]
    fn the_identity_of_a_study_stays() {
        let limits =
            Limits { time: Some(Duration::from_millis(100)), sims: Some(20), ..Limits::default() };
        let study = Study {
            game: "connect-four".parse().unwrap(),
            engine: "uct c=0.4".parse().unwrap(),
            against: "random".parse().unwrap(),
            limits,
            plies: 4,
            seed: 1,
        };
        let signature = session::engine::BENCH_SIGNATURE.trim().trim_start_matches("signature ");
        let text = format!(
            "0.1.0 {signature}, 0.1.0 {signature}; connect-four; uct c=0.4 against random; \
             Allowance {{ pace: Move(100ms), nodes: None, sims: Some(20), depth: None }}; 4 plies"
        );
        assert_eq!(study.subject(), text);
        let free = Study { limits: Limits::default(), ..study };
        assert!(free.subject().contains("Allowance { pace: Free, nodes: None, "));
    }
}
