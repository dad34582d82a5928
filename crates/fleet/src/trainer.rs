//! The trainer's role: the training loop with the broker for actors.

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use learn::Encode;
use learn::net::{ModelInfo, Network, to_bytes};
use learn::replay::Shards;
use learn::selfplay::TrainingGame;
use learn::train::{Actors, RunConfig, RunEnd, Trainer, run};

use crate::broker::Broker;

/// How long to wait for games when there are none.
const WAIT: Duration = Duration::from_millis(200);
/// The longest time a received game stays unwritten.
const FLUSH: Duration = Duration::from_secs(10);
/// Games that may be received and not yet acknowledged: a shard's, but never more
/// than half the queue, where they take up space until then.
const MAX_UNACKNOWLEDGED: u32 = 128;

/// Receives games from the queue and trains on them until the settings' time is
/// over or `stop` is set. The queue holds at most `queue` games; `game` is the
/// text that workers and evaluators parse. `log` is given lines for people.
pub fn run_trainer<G: Encode>(
    broker: &Broker,
    game: String,
    trainer: &mut Trainer<G>,
    queue: u32,
    stop: &AtomicBool,
    log: &mut impl FnMut(&str),
) -> anyhow::Result<RunEnd> {
    let config = RunConfig { game, settings: trainer.settings.clone() };
    let mut actors = FleetActors {
        broker,
        start: trainer.start().clone(),
        queue: broker.wait(broker.ensure_queues(&config, queue.max(1).into()))?,
        max_unacknowledged: (queue / 2).clamp(1, MAX_UNACKNOWLEDGED) as usize,
        seen: written_ids(trainer)?,
        fetched: VecDeque::new(),
        unacknowledged: Vec::new(),
        flushed: Instant::now(),
        unpublished: None,
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
    queue: PullConsumer,
    max_unacknowledged: usize,
    /// The ids of all games received.
    seen: HashSet<u64>,
    /// Messages of the queue that the loop has not received yet. They are not
    /// acknowledged, so a trainer that ends leaves them to the next.
    fetched: VecDeque<Message>,
    /// Messages whose games are not on disk yet.
    unacknowledged: Vec<Message>,
    flushed: Instant,
    /// Weights that the broker has not taken yet.
    unpublished: Option<Vec<u8>>,
}

impl<G: Encode> Actors for FleetActors<'_, G> {
    type Error = anyhow::Error;

    fn publish(&mut self, network: &Network<f32>, info: &ModelInfo) -> anyhow::Result<()> {
        self.unpublished = Some(to_bytes(network, info));
        self.retry_publish();
        Ok(())
    }

    fn receive(&mut self) -> anyhow::Result<Option<TrainingGame>> {
        self.retry_publish();
        if self.fetched.is_empty() {
            let count = self.max_unacknowledged.saturating_sub(self.unacknowledged.len());
            self.fetched = self.broker.wait(fetch(&self.queue, count.max(1))).into();
        }
        while let Some(message) = self.fetched.pop_front() {
            match parse(&message, &self.start) {
                // Refused for good: another delivery would be the same.
                Err(error) => {
                    eprintln!("a game was refused: {error}");
                    self.acknowledge(message, AckKind::Term);
                }
                Ok(game) => {
                    self.unacknowledged.push(message);
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
        full || !self.unacknowledged.is_empty() && self.flushed.elapsed() >= FLUSH
    }

    fn flushed(&mut self) {
        for message in std::mem::take(&mut self.unacknowledged) {
            self.acknowledge(message, AckKind::Ack);
        }
        self.flushed = Instant::now();
    }

    /// Games in the queue that were not fetched yet.
    fn queued(&mut self) -> Option<u64> {
        let info = self.broker.wait(self.queue.get_info());
        Some(info.map_or(0, |info| info.num_pending) + self.fetched.len() as u64)
    }
}

impl<G> FleetActors<'_, G> {
    /// Publishes weights that wait for it; a broker that is away gets them later.
    fn retry_publish(&mut self) {
        if let Some(weights) = &self.unpublished {
            match self.broker.wait(self.broker.publish_weights(weights)) {
                Ok(()) => self.unpublished = None,
                Err(error) => eprintln!("the weights were not published: {error}; trying again"),
            }
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

fn parse<G: Encode>(message: &Message, start: &G) -> anyhow::Result<TrainingGame> {
    let mut bytes = &message.payload[..];
    let game = TrainingGame::read(&mut bytes)?;
    anyhow::ensure!(bytes.is_empty(), "there are bytes after the game");
    game.check(start)?;
    Ok(game)
}
