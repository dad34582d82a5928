//! The trainer's role: the training loop with the broker for actors.
//!
//! It believes nothing that a game claims: its id must be of a lease, and all else
//! is recomputed ([`Verifier`]). When a game is on disk, its worker gets a receipt,
//! and only then is its message acknowledged.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::ensure;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use learn::Encode;
use learn::net::{ModelInfo, Network, to_bytes};
use learn::replay::Shards;
use learn::selfplay::{Adjudicator, BoardChoice, TrainingGame, Verifier};
use learn::train::{Actors, RunConfig, RunEnd, TrainSettings, Trainer, run};

use crate::broker::Broker;
use crate::lease::Leases;
use crate::outbox::Receipt;

/// How long to wait for games when there are none.
const WAIT: Duration = Duration::from_millis(200);
/// The longest time a received game stays unwritten.
const FLUSH: Duration = Duration::from_secs(10);
/// Games that may be received and not yet acknowledged: a shard's, but never more
/// than half the queue, where they take up space until then.
const MAX_UNACKNOWLEDGED: u32 = 128;

/// Receives games from the queue and trains on them until the settings' time is
/// over or `stop` is set. The queue holds at most `queue` games; `game` is the
/// text that workers and evaluators parse. `adjudicator` checks the results of
/// games that workers end by theirs; if it knows none, they end none. `log` is given lines for people.
pub fn run_trainer<G: Encode>(
    broker: &Broker,
    game: String,
    trainer: &mut Trainer<G>,
    adjudicator: &Adjudicator<G>,
    queue: u32,
    stop: &AtomicBool,
    log: &mut impl FnMut(&str),
) -> anyhow::Result<RunEnd> {
    // A request to an evaluator does not say which board its positions are on.
    ensure!(
        trainer.settings.selfplay.boards == BoardChoice::Same,
        "a fleet plays on one board: train on random boards with 'boyi train'"
    );
    let mut config = RunConfig { game, settings: trainer.settings.clone() };
    if adjudicator.is_none() {
        config.settings.selfplay.exact = 0;
    }
    let leases = Arc::new(Leases::open(trainer.folder.path())?);
    let connection = broker.connection();
    let queue_of_games = broker.wait(broker.ensure_queues(&config, queue.max(1).into()))?;
    // Who has a lease may play and submit, so there must be a queue by then.
    broker.grant_leases(leases.clone())?;
    let mut actors = FleetActors {
        broker,
        start: trainer.start().clone(),
        adjudicator,
        leases,
        queue_size: queue.max(1),
        queue: queue_of_games,
        connection,
        config,
        max_unacknowledged: (queue / 2).clamp(1, MAX_UNACKNOWLEDGED) as usize,
        seen: written_ids(trainer)?,
        fetched: VecDeque::new(),
        unacknowledged: Vec::new(),
        unwritten: Vec::new(),
        flushed: Instant::now(),
        weights: Vec::new(),
        published: true,
    };
    run(trainer, &mut actors, stop, log)
}

/// The ids of all games on disk.
fn written_ids<G: Encode>(trainer: &Trainer<G>) -> anyhow::Result<HashSet<u64>> {
    let shards = Shards::open(&trainer.folder.games())?;
    let mut ids = HashSet::new();
    for shard in shards.numbers()? {
        ids.extend(shards.read(shard)?.iter().map(|game| game.id));
    }
    Ok(ids)
}

/// The workers of a fleet, as the training loop sees them.
struct FleetActors<'a, G> {
    broker: &'a Broker,
    start: G,
    adjudicator: &'a Adjudicator<G>,
    leases: Arc<Leases>,
    /// What the broker was given.
    config: RunConfig,
    queue_size: u32,
    queue: PullConsumer,
    /// The connection of the queue and of all messages here.
    connection: u64,
    max_unacknowledged: usize,
    /// The ids of all games received.
    seen: HashSet<u64>,
    /// Messages of the queue that the loop has not received yet. They are not
    /// acknowledged, so a trainer that ends leaves them to the next.
    fetched: VecDeque<Message>,
    /// Messages whose games are not on disk yet.
    unacknowledged: Vec<Message>,
    /// The ids of their games, for the next receipt.
    unwritten: Vec<u64>,
    flushed: Instant,
    /// The newest weights for workers.
    weights: Vec<u8>,
    /// Whether the broker has them.
    published: bool,
}

impl<G: Encode> Actors for FleetActors<'_, G> {
    type Error = anyhow::Error;

    fn publish(&mut self, network: &Network<f32>, info: &ModelInfo) -> anyhow::Result<()> {
        self.weights = to_bytes(network, info);
        self.published = false;
        self.retry_publish();
        Ok(())
    }

    fn receive(&mut self) -> anyhow::Result<Option<TrainingGame>> {
        self.restore_broker();
        self.retry_publish();
        if self.fetched.is_empty() {
            let count = self.max_unacknowledged.saturating_sub(self.unacknowledged.len());
            self.fetched = self.broker.wait(fetch(&self.queue, count.max(1))).into();
        }
        while let Some(message) = self.fetched.pop_front() {
            let Some(game) = parse(&message) else {
                eprintln!("bytes that are no game were refused");
                self.acknowledge(message, AckKind::Term);
                continue;
            };
            match self.verify(&game) {
                // Refused for good: another delivery would be the same.
                Err(reason) => {
                    eprintln!("game {:016x} was refused: {reason}", game.id);
                    self.send_receipt(Receipt { refused: vec![game.id], ..Receipt::default() });
                    self.acknowledge(message, AckKind::Term);
                }
                Ok(()) => {
                    self.unacknowledged.push(message);
                    self.unwritten.push(game.id);
                    if self.seen.insert(game.id) {
                        return Ok(Some(game));
                    }
                }
            }
        }
        Ok(None)
    }

    fn wants_flush(&self) -> bool {
        let full = self.unacknowledged.len() >= self.max_unacknowledged;
        full || !self.unwritten.is_empty() && self.flushed.elapsed() >= FLUSH
    }

    fn flushed(&mut self) {
        // Before the acknowledgements: a game without a receipt must stay at the
        // broker, or come again from its worker.
        let written = std::mem::take(&mut self.unwritten);
        if !written.is_empty() {
            self.send_receipt(Receipt { written, ..Receipt::default() });
        }
        let messages = std::mem::take(&mut self.unacknowledged);
        if self.connection == self.broker.connection() {
            for message in messages {
                self.acknowledge(message, AckKind::Ack);
            }
        }
        self.flushed = Instant::now();
    }

    /// Games in the queue that were not fetched yet.
    fn queued(&mut self) -> Option<u64> {
        let info = self.broker.wait(self.queue.get_info());
        Some(info.map_or(0, |info| info.num_pending) + self.fetched.len() as u64)
    }
}

impl<G: Encode> FleetActors<'_, G> {
    /// Checks all that a game claims.
    fn verify(&self, game: &TrainingGame) -> anyhow::Result<()> {
        ensure!(self.leases.contains(game.id), "its id is of no lease");
        let TrainSettings { selfplay, seed, .. } = &self.config.settings;
        let verifier = Verifier { start: &self.start, settings: selfplay, seed: *seed };
        verifier.check(game, |game| self.adjudicator.winner(game, selfplay))?;
        Ok(())
    }

    /// After a reconnection the broker may have lost anything, the queue included:
    /// all is ensured again. Its messages are forgotten, for their numbers may stand
    /// for other games now; the new consumer delivers again what is still there.
    fn restore_broker(&mut self) {
        let connection = self.broker.connection();
        if connection == self.connection {
            return;
        }
        let ensured = self.broker.ensure_queues(&self.config, self.queue_size.into());
        match self.broker.wait(ensured) {
            Ok(queue) => {
                self.queue = queue;
                self.connection = connection;
                self.fetched.clear();
                self.unacknowledged.clear();
                self.published = false;
            }
            Err(error) => eprintln!("the broker is not ready again: {error}; trying again"),
        }
    }

    /// Publishes weights that wait for it; a broker that is away gets them later.
    fn retry_publish(&mut self) {
        if !self.published {
            match self.broker.wait(self.broker.publish_weights(&self.weights)) {
                Ok(()) => self.published = true,
                Err(error) => eprintln!("the weights were not published: {error}; trying again"),
            }
        }
    }

    /// A lost receipt is no harm: the game comes again and is known.
    fn send_receipt(&self, receipt: Receipt) {
        if let Err(error) = self.broker.wait(self.broker.publish_receipt(&receipt)) {
            eprintln!("a receipt was not published: {error}");
        }
    }

    /// A lost acknowledgement is no harm: the game comes again and is known.
    fn acknowledge(&self, message: Message, kind: AckKind) {
        if let Err(error) = self.broker.wait(message.ack_with(kind)) {
            eprintln!("a game was not acknowledged: {error}");
        }
    }
}

/// At most `count` games of the queue, as many as are there.
async fn fetch(queue: &PullConsumer, count: usize) -> Vec<Message> {
    let fetch = queue.fetch().max_messages(count).expires(WAIT);
    let Ok(mut messages) = fetch.messages().await else {
        // The broker is away for a moment.
        tokio::time::sleep(WAIT).await;
        return Vec::new();
    };
    let mut all = Vec::new();
    while let Some(message) = messages.next().await {
        all.extend(message);
    }
    all
}

fn parse(message: &Message) -> Option<TrainingGame> {
    let mut bytes = &message.payload[..];
    let game = TrainingGame::read(&mut bytes).ok()?;
    bytes.is_empty().then_some(game)
}
