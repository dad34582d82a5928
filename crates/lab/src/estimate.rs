//! How long an experiment would take: each engine searches the start position
//! once, and the rest is multiplication. The estimate is right within a factor of
//! two or three. It counts processor time, so that it is the same on a machine that is
//! busy with something else.

use std::time::Duration;

use games::{Record, TextError};
use learn::net::{InferenceNet, Network, Output};
use search::{Limits, Runner};
use session::{EngineSpec, GameSpec, GameVisitor, Playable, cpu_time};

use crate::{Budget, Experiment, LabError, Profile, training};

/// How long the one search of an engine may take.
const SAMPLE: Duration = Duration::from_millis(300);

/// The time to play an experiment from nothing, with so many games at a time, if
/// no row ends early because its interval is narrow enough.
/// Depths are not counted: a claim about them takes minutes at most.
pub fn estimate(
    experiment: &Experiment,
    profile: Profile,
    concurrency: usize,
) -> Result<Duration, LabError> {
    let size = experiment.size(profile);
    let mut seconds = 0.0;
    if let Some(train) = &experiment.train {
        let settings = training::settings(experiment, train, profile)?;
        seconds += experiment.game_named(None)?.visit(TrainingTime { settings })?;
    }
    for &budget in &size.budgets {
        let games = budget.games.unwrap_or(size.games);
        for row in &experiment.rows {
            let game = experiment.game_of(row)?;
            // Its networks do not exist yet; some 2,000 evaluations a second.
            if experiment.train.is_some() {
                let plies = 60.0 * games as f64;
                seconds += plies * budget.seconds.unwrap_or(budget.sims.unwrap_or(0) as f64 / 2e3);
                continue;
            }
            seconds += match_time(&game, [&row.engines[0], &row.engines[1]], budget, games)?;
        }
        if let Some(sweep) = &experiment.sweep {
            let game = experiment.game_named(None)?;
            let values = size.values.as_ref().unwrap_or(&sweep.values).len() as u64;
            let engines = [&sweep.engine, &sweep.against];
            seconds += match_time(&game, engines, budget, games * values)?;
        }
    }
    let sensitivities = experiment.sensitivities.iter().filter(|_| size.choices > 0);
    for sensitivity in sensitivities {
        for choice in &sensitivity.choices {
            let row = sensitivity.row(choice)?;
            let budget = sensitivity.budget(choice, profile, size);
            let games = budget.games.unwrap_or(size.choices);
            let game = experiment.game_of(&row)?;
            seconds += match_time(&game, [&row.engines[0], &row.engines[1]], budget, games)?;
        }
    }
    // A game of the course has some 20 moves of each side, and the opponent's
    // take time too.
    let a_move = size.budgets.iter().filter_map(|budget| budget.seconds).sum::<f64>();
    if experiment.batch.is_some() {
        seconds += 2.0 * 20.0 * a_move * size.games as f64;
    }
    Ok(Duration::from_secs_f64(seconds / concurrency.max(1) as f64))
}

fn match_time(
    game: &GameSpec,
    engines: [&String; 2],
    budget: Budget,
    games: u64,
) -> Result<f64, LabError> {
    let plies = f64::from(game.row().usual_plies);
    let mut a_move = 0.0;
    for spec in engines {
        a_move += game.visit(MoveTime { spec: spec.parse()?, budget })? / 2.0;
    }
    Ok(a_move * plies * games as f64)
}

/// Seconds of one core that a training takes: its games' positions, evaluated by
/// an untrained network.
struct TrainingTime {
    settings: learn::train::TrainSettings,
}

impl GameVisitor for TrainingTime {
    type Output = Result<f64, TextError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let TrainingTime { settings } = self;
        let architecture = settings.architecture(&start.shape());
        let network: Network<f32> = Network::new(architecture, || 0.5);
        let planes = vec![0.0; 64 * architecture.inputs()];
        let (mut inference, mut out) = (InferenceNet::new(&network), Output::default());
        inference.forward(&planes, &mut out);
        let begun = cpu_time();
        inference.forward(&planes, &mut out);
        let one = (cpu_time() - begun).as_secs_f64() / 64.0;
        let plies = 60 * settings.max_games;
        Ok(one * plies as f64 * f64::from(settings.selfplay.sims))
    }
}

/// Seconds that an engine takes for the first move.
struct MoveTime {
    spec: EngineSpec,
    budget: Budget,
}

impl GameVisitor for MoveTime {
    type Output = Result<f64, TextError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let mut runner = Runner::new(G::engine(&self.spec, &start, 1)?);
        let Budget { sims, nodes, seconds, .. } = self.budget;
        let limits = Limits { time: Some(SAMPLE), sims, nodes, ..Limits::default() };
        let begun = cpu_time();
        let info = runner.search(&Record::new(start), &limits);
        let spent = (cpu_time() - begun).as_secs_f64();
        let scaled = |wanted: u64, done: u64| spent * wanted as f64 / done.max(1) as f64;
        let by_work = match (sims, nodes) {
            (Some(sims), _) if info.sims > 0 => scaled(sims, info.sims),
            (_, Some(nodes)) if info.nodes > 0 && info.sims == 0 => scaled(nodes, info.nodes),
            // A tree search uses all of its time, alpha-beta of a fixed depth may not.
            _ if info.elapsed < SAMPLE.mul_f64(0.9) => return Ok(spent),
            _ => seconds.unwrap_or(spent),
        };
        Ok(seconds.map_or(by_work, |seconds| by_work.min(seconds)))
    }
}
