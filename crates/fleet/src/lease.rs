//! Leases: the ranges of game ids that the trainer has granted to the threads of
//! workers.
//!
//! A game's random numbers follow from its id, so no two threads may play the same
//! ids, and the trainer takes only games whose ids it has granted: an id from
//! elsewhere could stand for a game that is still to come, or break the numbering
//! of later ones. A lease is on disk before it is granted, so it outlives the
//! trainer's process.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, ensure};
use futures_util::StreamExt;

use crate::broker::Broker;

/// The low bits of a game's id count the games of a lease; the high ones are the
/// lease's own.
const COUNTER_BITS: u32 = 24;
/// The most leases of a run.
const MAX_LEASES: usize = 100_000;

/// The leases of a run.
pub(crate) struct Leases {
    path: PathBuf,
    granted: Mutex<HashSet<u64>>,
}

impl Leases {
    /// Reads the leases of a run's folder.
    pub fn open(folder: &Path) -> anyhow::Result<Leases> {
        let path = folder.join("leases.json");
        let granted = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .with_context(|| format!("{} is damaged", path.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => HashSet::new(),
            Err(error) => return Err(error).context(path.display().to_string()),
        };
        Ok(Leases { path, granted: Mutex::new(granted) })
    }

    /// Whether an id is within a lease.
    pub fn contains(&self, id: u64) -> bool {
        let granted = self.granted.lock().unwrap_or_else(PoisonError::into_inner);
        granted.contains(&(id >> COUNTER_BITS))
    }

    /// Grants a lease and gives its first id. It is chosen at random, so that what
    /// one worker was granted does not tell what another was.
    fn grant(&self) -> anyhow::Result<u64> {
        let mut granted = self.granted.lock().unwrap_or_else(PoisonError::into_inner);
        ensure!(granted.len() < MAX_LEASES, "{MAX_LEASES} leases are the most of a run");
        let lease = loop {
            // Positive as a signed number of eight bytes, for whatever reads it so.
            let lease = getrandom::u64()? >> (COUNTER_BITS + 1);
            if !granted.contains(&lease) {
                break lease;
            }
        };
        let all: Vec<u64> = granted.iter().copied().chain([lease]).collect();
        files::write(&self.path, &[&serde_json::to_vec(&all)?])?;
        granted.insert(lease);
        Ok(lease << COUNTER_BITS)
    }
}

impl Broker {
    /// Grants leases to the workers that ask, from now on.
    pub(crate) fn grant_leases(&self, leases: Arc<Leases>) -> anyhow::Result<()> {
        let mut requests = self.wait(self.client.subscribe(self.leases()))?;
        let client = self.client.clone();
        self.spawn(async move {
            while let Some(request) = requests.next().await {
                let Some(reply) = request.reply else { continue };
                match leases.grant() {
                    Ok(first) => {
                        let _ = client.publish(reply, first.to_le_bytes().to_vec().into()).await;
                    }
                    Err(error) => eprintln!("no lease was granted: {error}"),
                }
            }
        });
        Ok(())
    }

    /// Asks the trainer for a lease; gives its first id, or none if there is no
    /// trainer that answers.
    pub(crate) fn request_lease(&self) -> Option<u64> {
        let reply = self.wait(self.client.request(self.leases(), "".into())).ok()?;
        Some(u64::from_le_bytes(reply.payload.as_ref().try_into().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_outlives_its_process_and_other_ids_are_in_none() {
        let folder = tempfile::tempdir().unwrap();
        let leases = Leases::open(folder.path()).unwrap();
        let firsts = [leases.grant().unwrap(), leases.grant().unwrap()];
        assert_ne!(firsts[0], firsts[1]);
        let again = Leases::open(folder.path()).unwrap();
        for first in firsts {
            assert!(again.contains(first) && again.contains(first + (1 << COUNTER_BITS) - 1));
            assert!(!again.contains(u64::MAX - 1) && !again.contains(0));
            assert!(first < 1 << 63);
        }
    }
}
