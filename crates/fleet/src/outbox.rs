//! A worker's games until the trainer has written them.
//!
//! The broker confirms a game before it is on the broker's disk: NATS syncs its
//! files every two minutes unless it is set to do so always. So a worker keeps each
//! game until the trainer's receipt, which says that it is on the trainer's disk,
//! and publishes it again after a reconnection or when no receipt comes for long.
//! The trainer knows a repetition by the game's id and gives another receipt.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Message;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::broker::Broker;

/// How often games without a receipt are looked at.
const TICK: Duration = Duration::from_millis(500);
/// How long the broker may take to confirm a repetition.
const PUBLISH: Duration = Duration::from_secs(2);
/// The longest time between two publications of a game.
const MAX_WAIT: Duration = Duration::from_secs(600);

/// What the trainer publishes about games, by their ids.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Receipt {
    /// Games that are on its disk.
    pub written: Vec<u64>,
    /// Games that it will never take.
    pub refused: Vec<u64>,
}

/// A game without a receipt.
struct Pending {
    bytes: Vec<u8>,
    published: Instant,
    /// How often it was published again.
    attempts: u32,
    /// How many of these were for want of a receipt since the connection was made.
    waits: u32,
    /// The connection through which it was published.
    connection: u64,
}

/// The games of a worker that have no receipt yet.
#[derive(Default)]
pub(crate) struct Outbox(Mutex<HashMap<u64, Pending>>);

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Pending>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a game that is about to be published.
    pub fn add(&self, id: u64, bytes: Vec<u8>, connection: u64) {
        let pending =
            Pending { bytes, published: Instant::now(), attempts: 0, waits: 0, connection };
        self.lock().insert(id, pending);
    }

    /// The number of games without a receipt.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Removes the games of a receipt. Gives those that were here.
    fn take(&self, ids: &[u64]) -> Vec<u64> {
        let mut pending = self.lock();
        ids.iter().copied().filter(|id| pending.remove(id).is_some()).collect()
    }

    /// The games that are due to be published again: with their ids, the number of
    /// the attempt and the bytes. After a reconnection all are; otherwise one that
    /// has waited for `patience`, and twice as long each time on one connection.
    fn due(&self, connection: u64, patience: Duration) -> Vec<(u64, u32, Vec<u8>)> {
        let mut due = Vec::new();
        for (&id, pending) in self.lock().iter_mut() {
            let reconnected = pending.connection != connection;
            let wait = patience.saturating_mul(1 << pending.waits.min(16)).min(MAX_WAIT);
            if reconnected || pending.published.elapsed() >= wait {
                pending.attempts += 1;
                // A broker that was away often says nothing about the trainer.
                pending.waits = if reconnected { 0 } else { pending.waits + 1 };
                pending.published = Instant::now();
                pending.connection = connection;
                due.push((id, pending.attempts, pending.bytes.clone()));
            }
        }
        due
    }

    /// Takes receipts and publishes again until `end` is set. `log` is given a line
    /// for each receipt.
    pub fn keep(
        &self,
        broker: &Broker,
        patience: Duration,
        end: &AtomicBool,
        log: &impl Fn(&str),
    ) -> anyhow::Result<()> {
        broker.wait(async {
            let mut receipts = broker.client.subscribe(broker.receipts()).await?;
            while !end.load(Relaxed) {
                self.take_receipt(timeout(TICK, receipts.next()).await.ok().flatten(), log);
                for (id, attempt, bytes) in self.due(broker.connection(), patience) {
                    // Under another message id: the broker would drop a repetition,
                    // though the trainer has yet to give its receipt. If it fails, it
                    // is due again later.
                    let id = format!("{id:016x}-{attempt}");
                    let _ = timeout(PUBLISH, broker.publish_game(id, bytes)).await;
                }
            }
            Ok(())
        })
    }

    fn take_receipt(&self, message: Option<Message>, log: &impl Fn(&str)) {
        let receipt =
            message.and_then(|message| serde_json::from_slice::<Receipt>(&message.payload).ok());
        let Some(receipt) = receipt else { return };
        for id in self.take(&receipt.written) {
            log(&format!("written {id:016x}"));
        }
        for id in self.take(&receipt.refused) {
            log(&format!(
                "the trainer refuses game {id:016x}: a worker of another version or of an earlier \
                 run must be started again"
            ));
        }
    }
}

impl Broker {
    /// Publishes what the trainer has done with games.
    pub(crate) async fn publish_receipt(&self, receipt: &Receipt) -> anyhow::Result<()> {
        let bytes = serde_json::to_vec(receipt)?;
        Ok(self.client.publish(self.receipts(), bytes.into()).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_due_after_a_reconnection_and_after_long_waits() {
        let outbox = Outbox::default();
        outbox.add(1, vec![7], 1);
        let hour = Duration::from_secs(3600);
        assert!(outbox.due(1, hour).is_empty());
        assert_eq!(outbox.due(2, hour), [(1, 1, vec![7])], "another connection");
        assert!(outbox.due(2, hour).is_empty(), "only once");
        assert_eq!(outbox.due(2, Duration::ZERO), [(1, 2, vec![7])], "no receipt");
        for connection in 3..20 {
            assert_eq!(outbox.due(connection, hour).len(), 1);
        }
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(outbox.due(19, Duration::from_millis(2)).len(), 1, "as after the first");
        assert_eq!(outbox.take(&[1, 2]), [1]);
        assert!(outbox.due(3, Duration::ZERO).is_empty());
        assert_eq!(outbox.len(), 0);
    }
}
