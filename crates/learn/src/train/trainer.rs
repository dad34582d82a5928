//! Takes games, learns from them, remembers everything.

use std::sync::Arc;

use games::Rng;
use search::Oracle;

use super::folder::{Folder, TrainError};
use super::settings::{Pace, Settings};
use super::state::{self, Progress};
use crate::encode::Encode;
use crate::net::{self, Card, Loss, Network, Optimiser};
use crate::replay::{Batch, Pool, Shards};
use crate::selfplay::{Played, random_game};

/// Games of a shard.
const SHARD: usize = 128;

/// How soon random games take what is counted for what will come of it.
const RANDOM_LAMBDA: f32 = 0.8;

/// The part that learns.
pub struct Trainer<G: Encode> {
    /// Where everything is kept.
    pub folder: Folder,
    /// What was chosen.
    pub settings: Settings,
    /// How far it has come.
    pub progress: Progress,
    /// Whoever may end games of self-play with their exact result.
    pub oracle: Option<Arc<dyn Oracle<G>>>,
    start: G,
    pupil: Pupil,
    pool: Pool<G>,
    shards: Shards,
    unsaved: Vec<Played>,
}

/// A network with what it needs to learn.
struct Pupil {
    network: Network<f32>,
    optimiser: Optimiser<f32>,
    batch: Batch,
}

impl Pupil {
    /// One step; its number decides what is drawn.
    fn learn<G: Encode>(
        &mut self,
        pool: &Pool<G>,
        settings: &Settings,
        step: u64,
        rate: f64,
    ) -> Loss {
        let mut rng = Rng::stream(settings.seed ^ 0x51e9, step);
        pool.draw(settings.batch, &mut rng, &mut self.batch);
        let loss = self.network.learn(&self.batch.planes, &self.batch.targets);
        self.network.decay(settings.decay);
        self.optimiser.step(&mut self.network.tensors, rate);
        loss
    }
}

impl<G: Encode> Trainer<G> {
    /// Begins a run, whose folder has been made.
    pub fn begin(folder: Folder, start: G, settings: Settings) -> Result<Self, TrainError> {
        let mut rng = Rng::stream(settings.seed, u64::MAX);
        let architecture = settings.architecture(&start.shape());
        Ok(Trainer {
            pupil: Pupil {
                network: Network::new(architecture, &mut || rng.unit()),
                optimiser: Optimiser::new(settings.rule),
                batch: Batch::default(),
            },
            pool: Pool::new(start.clone(), settings.window, settings.lambda)
                .with_surprise(settings.surprise),
            shards: Shards::open(&folder.games())?,
            unsaved: Vec::new(),
            progress: Progress::default(),
            oracle: None,
            folder,
            start,
            settings,
        })
    }

    /// Goes on with a run: the state as last saved, and every whole shard. Games
    /// that were written after the state count as new.
    pub fn resume(folder: Folder, start: G, settings: Settings) -> Result<Self, TrainError> {
        let mut trainer = Trainer::begin(folder, start, settings)?;
        let path = trainer.folder.state();
        if path.exists() {
            let rule = trainer.settings.rule;
            (trainer.pupil.optimiser, trainer.progress) =
                state::load(&path, &mut trainer.pupil.network, rule)?;
        }
        for number in trainer.shards.numbers()? {
            for played in trainer.shards.read(number)? {
                trainer.count(&played, number >= trainer.progress.shards);
                trainer.keep(played);
            }
        }
        trainer.progress.shards = trainer.shards.numbers()?.last().map_or(0, |last| last + 1);
        Ok(trainer)
    }

    /// The network as it is now.
    pub fn network(&self) -> &Network<f32> {
        &self.pupil.network
    }

    /// Samples in the pool.
    pub fn pool(&self) -> u64 {
        self.pool.len()
    }

    /// The position from which games begin.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The share of the time that is over.
    pub fn share(&self) -> f64 {
        self.progress.seconds / (self.settings.minutes * 60.0).max(1.0)
    }

    /// Whether its time is over or its games are played.
    pub fn is_over(&self) -> bool {
        let games = self.settings.games;
        self.share() >= 1.0 || games != 0 && self.progress.games >= games
    }

    /// Takes a finished game, to be learnt from and to be written. A game that is
    /// not legal is refused; whoever sent it is at fault.
    pub fn take(&mut self, played: Played) -> Result<(), TrainError> {
        played.check(&self.start)?;
        self.count(&played, true);
        self.unsaved.push(played.clone());
        self.keep(played);
        if self.unsaved.len() >= SHARD { self.flush() } else { Ok(()) }
    }

    fn count(&mut self, played: &Played, new: bool) {
        let progress = &mut self.progress;
        progress.next_game = progress.next_game.max(played.id + 1);
        if new {
            progress.games += 1;
            progress.plies += played.plies.len() as u64;
            let samples = played.plies.iter().filter(|ply| ply.has_policy()).count();
            progress.samples += samples as u64;
            progress.owed += match self.settings.pace {
                Pace::Reuse(times) => times * samples as f64,
                Pace::PerGame(steps) => steps * self.settings.batch as f64,
            };
        }
    }

    fn keep(&mut self, played: Played) {
        self.pool.add(played);
    }

    /// Writes the games that have not been written.
    pub fn flush(&mut self) -> Result<(), TrainError> {
        if !self.unsaved.is_empty() {
            self.shards.write(&self.unsaved)?;
            self.unsaved.clear();
            self.progress.shards = self.shards.numbers()?.last().map_or(0, |last| last + 1);
        }
        Ok(())
    }

    /// Learns the values of random games, before there are better ones.
    pub fn warm_up(&mut self, mut told: impl FnMut(u64, Loss) -> bool) {
        let Settings { random_games, random_steps, seed, .. } = self.settings;
        if self.progress.warm || random_games == 0 {
            return;
        }
        let mut pool = Pool::new(self.start.clone(), u64::MAX, RANDOM_LAMBDA);
        for id in 0..random_games {
            pool.add(random_game(&self.start, seed ^ 0x7a2d, id));
        }
        for step in 0..random_steps {
            let loss = self.pupil.learn(&pool, &self.settings, step, self.settings.rate);
            if !told(step, loss) {
                return;
            }
        }
        self.progress.warm = true;
    }

    /// Makes a step if the games taken call for one.
    pub fn learn(&mut self) -> Option<Loss> {
        let batch = self.settings.batch as f64;
        if self.progress.owed < batch || self.pool.is_empty() {
            return None;
        }
        self.progress.owed -= batch;
        let rate = self.settings.rate_at(self.share());
        let step = self.settings.random_steps + self.progress.steps;
        let loss = self.pupil.learn(&self.pool, &self.settings, step, rate);
        self.progress.steps += 1;
        Some(loss)
    }

    /// Keeps the network apart if the games taken have just reached a mark. To be
    /// asked when all that is owed has been learnt.
    pub fn mark(&self) -> Result<(), TrainError> {
        let games = self.progress.games;
        let path = self.folder.mark(games);
        match self.settings.marks.contains(&games) && !path.exists() {
            true => Ok(net::save(&path, &self.pupil.network, &self.card())?),
            false => Ok(()),
        }
    }

    /// What the network's file says of it.
    pub fn card(&self) -> Card {
        let Progress { steps, games, samples, seconds, .. } = self.progress;
        let minutes = seconds / 60.0;
        Card {
            architecture: *self.pupil.network.architecture(),
            game: self.start.kind(),
            encoding: G::VERSION,
            history: vec![format!(
                "self-play from nothing: {games} games, {samples} samples, {steps} steps of {}, \
                 {minutes:.0} minutes, {} simulations a move, seed {}",
                self.settings.batch, self.settings.selfplay.sims, self.settings.seed
            )],
        }
    }

    /// Writes games, state and network, so that a run can go on from here.
    pub fn save(&mut self) -> Result<(), TrainError> {
        self.flush()?;
        state::save(&self.folder, &self.pupil.network, &self.pupil.optimiser, &self.progress)?;
        Ok(net::save(&self.folder.network(), &self.pupil.network, &self.card())?)
    }

    /// Keeps the network as it is now, as a point of the Elo curve.
    pub fn checkpoint(&mut self) -> Result<(), TrainError> {
        let path = self.folder.checkpoint(self.progress.steps);
        Ok(net::save(&path, &self.pupil.network, &self.card())?)
    }
}
