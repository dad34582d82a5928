//! The trainer: takes games, makes training steps, saves everything.

use games::Rng;

use super::folder::{RunFolder, TrainError};
use super::settings::{TrainRatio, TrainSettings};
use super::state::{self, TrainProgress};
use crate::encode::Encode;
use crate::net::{self, Loss, ModelInfo, Network, Optimiser};
use crate::replay::{Batch, ReplayBuffer, Shards};
use crate::selfplay::{BoardChoice, TrainingGame, random_game};

/// Games of a full shard.
const SHARD_GAMES: usize = 128;
/// λ of the value targets of random games: their leads say more about the near
/// future than their results.
const RANDOM_LAMBDA: f32 = 0.8;
/// Separates the random numbers of sampling from those of games.
const SAMPLE_SEED: u64 = 0x51e9;
/// Separates the random games from the games of self-play.
const RANDOM_SEED: u64 = 0x7a2d;

/// The learner of a run, with its replay buffer and its folder.
///
/// ```
/// use games::Game;
/// use games::dots_and_boxes::DotsAndBoxes;
/// use learn::selfplay::random_game;
/// use learn::train::{RunConfig, RunFolder, TrainSettings, Trainer};
///
/// let settings = TrainSettings { blocks: 1, channels: 8, batch_size: 8, ..Default::default() };
/// let config = RunConfig { game: "dots-and-boxes 2x2".to_owned(), settings };
/// let place = tempfile::tempdir().unwrap();
/// let folder = RunFolder::create(place.path(), &config).unwrap();
/// let start = DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap();
/// let mut trainer = Trainer::open(folder, start, config.settings).unwrap();
/// trainer.add_game(random_game(&start, 1, 0)).unwrap();
/// trainer.save().unwrap();
/// assert_eq!(trainer.progress.games, 1);
/// assert!(trainer.folder.network().exists());
/// ```
pub struct Trainer<G: Encode> {
    /// Where everything is saved.
    pub folder: RunFolder,
    /// The settings of the run.
    pub settings: TrainSettings,
    /// The counters of the run.
    pub progress: TrainProgress,
    start: G,
    learner: Learner,
    buffer: ReplayBuffer<G>,
    shards: Shards,
    unwritten: Vec<TrainingGame>,
}

/// A network with its optimiser.
struct Learner {
    network: Network<f32>,
    optimiser: Optimiser<f32>,
    batch: Batch,
}

impl Learner {
    /// One training step; its number decides what is sampled.
    fn step<G: Encode>(
        &mut self,
        buffer: &ReplayBuffer<G>,
        settings: &TrainSettings,
        number: u64,
        rate: f64,
    ) -> Loss {
        let mut rng = Rng::stream(settings.seed ^ SAMPLE_SEED, number);
        buffer.sample(settings.batch_size, &mut rng, &mut self.batch);
        let Batch { boards, planes, targets } = &self.batch;
        let loss = self.network.forward_backward_on(boards, planes, targets);
        self.network.add_weight_decay(settings.weight_decay);
        self.optimiser.step(&mut self.network.tensors, rate);
        loss
    }
}

impl<G: Encode> Trainer<G> {
    /// Opens a run: the state as last saved and every complete shard. Games that
    /// were written after the state count as new.
    pub fn open(
        folder: RunFolder,
        start: G,
        settings: TrainSettings,
    ) -> Result<Trainer<G>, TrainError> {
        if settings.selfplay.boards == BoardChoice::Random
            && G::training_setup(&mut Rng::seeded(settings.seed)).is_none()
        {
            return Err(TrainError::Settings(format!(
                "there are no random boards for {}: set selfplay.boards=same",
                start.kind()
            )));
        }
        folder.remove_partial()?;
        let mut rng = Rng::stream(settings.seed, u64::MAX);
        let architecture = settings.architecture(&start.shape());
        let mut network = Network::new(architecture, || rng.unit());
        let path = folder.state();
        let (optimiser, progress) = match path.exists() {
            true => state::load(&path, &mut network, settings.update_rule)?,
            false => (Optimiser::new(settings.update_rule), TrainProgress::default()),
        };
        let mut trainer = Trainer {
            learner: Learner { network, optimiser, batch: Batch::default() },
            buffer: ReplayBuffer::new(start.clone(), settings.window, settings.lambda)
                .with_surprise(settings.surprise),
            shards: Shards::open(&folder.games())?,
            unwritten: Vec::new(),
            progress,
            folder,
            start,
            settings,
        };
        for number in trainer.shards.numbers()? {
            for game in trainer.shards.read(number)? {
                game.start(&trainer.start)?;
                trainer.count(&game, number >= trainer.progress.shards);
                trainer.buffer.add(game);
            }
        }
        trainer.progress.shards = trainer.shards.next();
        Ok(trainer)
    }

    /// Takes over the numbers of another network, tensor by tensor where name and shape
    /// agree, before the first step. Gives how many tensors it took. Its history becomes
    /// the beginning of this network's.
    pub fn start_from(&mut self, other: &Network<f32>, info: &ModelInfo) -> usize {
        self.progress.history.clone_from(&info.history);
        let mut taken = 0;
        for tensor in self.learner.network.tensors.iter_mut() {
            let same = other.tensors.iter().find(|other| other.name == tensor.name);
            if let Some(same) = same.filter(|same| same.shape == tensor.shape) {
                tensor.value.clone_from(&same.value);
                taken += 1;
            }
        }
        taken
    }

    /// The network as it is now.
    pub fn network(&self) -> &Network<f32> {
        &self.learner.network
    }

    /// Samples in the replay buffer.
    pub fn buffered(&self) -> u64 {
        self.buffer.len()
    }

    /// The position from which games start, unless their boards are drawn.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The fraction of the time that has passed.
    pub fn time_fraction(&self) -> f64 {
        self.progress.seconds / (self.settings.minutes * 60.0).max(1.0)
    }

    /// Whether its time is over or its games are played.
    pub fn is_finished(&self) -> bool {
        let max_games = self.settings.max_games;
        self.time_fraction() >= 1.0 || max_games != 0 && self.progress.games >= max_games
    }

    /// Adds a finished game to the replay buffer and to the games to be written. A
    /// game with illegal moves is refused.
    pub fn add_game(&mut self, game: TrainingGame) -> Result<(), TrainError> {
        game.check(&self.start)?;
        self.count(&game, true);
        self.unwritten.push(game.clone());
        self.buffer.add(game);
        if self.unwritten.len() >= SHARD_GAMES { self.flush_games() } else { Ok(()) }
    }

    fn count(&mut self, game: &TrainingGame, new: bool) {
        let progress = &mut self.progress;
        progress.next_game = progress.next_game.max(game.id.saturating_add(1));
        if new {
            let samples = game.policy_plies();
            progress.games += 1;
            progress.plies += game.plies.len() as u64;
            progress.samples += samples;
            progress.samples_due += match self.settings.ratio {
                TrainRatio::Reuse(times) => times * samples as f64,
                TrainRatio::PerGame(steps) => steps * self.settings.batch_size as f64,
            };
        }
    }

    /// Writes the games that are not on disk yet.
    pub fn flush_games(&mut self) -> Result<(), TrainError> {
        if !self.unwritten.is_empty() {
            self.shards.write(&self.unwritten)?;
            self.unwritten.clear();
            self.progress.shards = self.shards.next();
        }
        Ok(())
    }

    /// Trains on the values of random games, once in a run. `on_step` is given the
    /// number and the loss of each step and says whether to continue.
    pub fn warm_up(&mut self, mut on_step: impl FnMut(u64, Loss) -> bool) {
        let TrainSettings { random_games, random_steps, seed, .. } = self.settings;
        if self.progress.warmed_up || random_games == 0 {
            return;
        }
        let mut buffer = ReplayBuffer::new(self.start.clone(), u64::MAX, RANDOM_LAMBDA);
        for id in 0..random_games {
            let start = self.settings.selfplay.start(&self.start, seed ^ RANDOM_SEED, id);
            buffer.add(random_game(&start, seed ^ RANDOM_SEED, id));
        }
        for step in 0..random_steps {
            let rate = self.settings.learning_rate;
            let loss = self.learner.step(&buffer, &self.settings, step, rate);
            if !on_step(step, loss) {
                return;
            }
        }
        self.progress.warmed_up = true;
    }

    /// Makes a training step if the games received call for one.
    pub fn step(&mut self) -> Option<Loss> {
        let batch = self.settings.batch_size as f64;
        if self.progress.samples_due < batch || self.buffer.is_empty() {
            return None;
        }
        self.progress.samples_due -= batch;
        let rate = self.settings.rate_at(self.time_fraction());
        let number = self.settings.random_steps + self.progress.steps;
        let loss = self.learner.step(&self.buffer, &self.settings, number, rate);
        self.progress.steps += 1;
        Some(loss)
    }

    /// Saves the network apart if the number of games is one of the settings'
    /// milestones. To be called when no step is due.
    pub fn save_milestone(&self) -> Result<(), TrainError> {
        let games = self.progress.games;
        let path = self.folder.milestone(games);
        match self.settings.milestones.contains(&games) && !path.exists() {
            true => Ok(net::save(&path, &self.learner.network, &self.info())?),
            false => Ok(()),
        }
    }

    /// The description that is saved with the network.
    pub fn info(&self) -> ModelInfo {
        let TrainProgress { steps, games, samples, seconds, .. } = self.progress;
        let minutes = seconds / 60.0;
        let mut history = self.progress.history.clone();
        let origin = if history.is_empty() { "nothing" } else { "there" };
        history.push(format!(
            "self-play from {origin}: {games} games, {samples} samples, {steps} steps of {}, \
             {minutes:.0} minutes, {} simulations a move, seed {}",
            self.settings.batch_size, self.settings.selfplay.sims, self.settings.seed
        ));
        ModelInfo {
            architecture: *self.learner.network.architecture(),
            game: self.start.kind(),
            encoding: G::VERSION,
            history,
        }
    }

    /// Writes games, state and network, so that the run can be resumed from here.
    pub fn save(&mut self) -> Result<(), TrainError> {
        self.flush_games()?;
        let Learner { network, optimiser, .. } = &self.learner;
        state::save(&self.folder, network, optimiser, &self.progress)?;
        Ok(net::save(&self.folder.network(), network, &self.info())?)
    }

    /// Saves the network as the checkpoint of this step.
    pub(super) fn save_checkpoint(&self) -> Result<(), TrainError> {
        let path = self.folder.checkpoint(self.progress.steps);
        Ok(net::save(&path, &self.learner.network, &self.info())?)
    }
}
