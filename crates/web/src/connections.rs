//! Connections: how many there are, by address, and which one goes when there
//! are too many.
//!
//! A connection is silent until its first request has come. A silent one costs
//! its client nothing, so those are what goes first: beyond a limit the oldest
//! silent connection of the address with the most is closed for the new one. A
//! client that speaks when it has connected is never closed for that.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Connections at a time.
const MOST: usize = 1000;
/// Of one address: 60 browsers with six each, and as many again.
const MOST_EACH: usize = 800;
/// Of one address before their first request.
const MOST_SILENT_EACH: usize = 200;

struct Entry {
    address: IpAddr,
    silent: bool,
    close: Arc<Notify>,
}

#[derive(Default)]
struct State {
    next: u64,
    entries: HashMap<u64, Entry>,
}

impl State {
    fn count(&self, address: IpAddr) -> usize {
        self.entries.values().filter(|entry| entry.address == address).count()
    }

    /// The silent connections of an address, the oldest first.
    fn silent(&self, address: IpAddr) -> Vec<u64> {
        let silent =
            |(&id, entry): (&u64, &Entry)| (entry.silent && entry.address == address).then_some(id);
        let mut found: Vec<u64> = self.entries.iter().filter_map(silent).collect();
        found.sort_unstable();
        found
    }

    /// Closes the oldest silent connection of an address, if there is one.
    fn close_silent(&mut self, address: IpAddr) -> bool {
        let oldest = self.silent(address).first().copied();
        let entry = oldest.and_then(|id| self.entries.remove(&id));
        entry.map(|entry| entry.close.notify_one()).is_some()
    }

    /// The address with the most silent connections.
    fn most_silent(&self) -> Option<IpAddr> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for entry in self.entries.values().filter(|entry| entry.silent) {
            *counts.entry(entry.address).or_default() += 1;
        }
        counts.into_iter().max_by_key(|&(_, count)| count).map(|(address, _)| address)
    }
}

/// The connections of one server.
#[derive(Clone, Default)]
pub struct Connections(Arc<Mutex<State>>);

impl Connections {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection; none if it must be closed at once.
    pub fn open(&self, address: IpAddr) -> Option<Connection> {
        let mut state = self.lock();
        if state.silent(address).len() >= MOST_SILENT_EACH {
            state.close_silent(address);
        }
        if state.count(address) >= MOST_EACH && !state.close_silent(address) {
            return None;
        }
        if state.entries.len() >= MOST {
            let victim = state.most_silent()?;
            state.close_silent(victim);
        }
        let id = state.next;
        state.next += 1;
        let close = Arc::new(Notify::new());
        state.entries.insert(id, Entry { address, silent: true, close: Arc::clone(&close) });
        Some(Connection { connections: self.clone(), id, close })
    }
}

/// A connection that is counted until it is dropped.
pub struct Connection {
    connections: Connections,
    id: u64,
    close: Arc<Notify>,
}

impl Connection {
    /// A request has come.
    pub fn speaks(&self) {
        if let Some(entry) = self.connections.lock().entries.get_mut(&self.id) {
            entry.silent = false;
        }
    }

    /// Waits until the connection has to close.
    pub async fn closed(&self) {
        self.close.notified().await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.lock().entries.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn silent_connections_make_room_and_others_stay() {
        let connections = Connections::default();
        let open = |last: u8| connections.open(address(last));
        let speaking = |_| open(1).inspect(Connection::speaks).unwrap();
        let classroom: Vec<Connection> = (0..360).map(speaking).collect();
        let flood: Vec<Connection> =
            (0..5000).map(|n| open(1 + u8::from(n % 2 == 1)).unwrap()).collect();
        let state = connections.lock();
        assert_eq!(state.silent(address(1)).len(), MOST_SILENT_EACH);
        assert_eq!(state.count(address(1)), 360 + MOST_SILENT_EACH, "none that spoke was closed");
        assert_eq!(
            state.silent(address(1)).last(),
            state.silent(address(2)).last().map(|n| n - 1).as_ref()
        );
        drop(state);
        drop((classroom, flood));
        assert!(connections.lock().entries.is_empty());
    }

    #[test]
    fn one_address_can_not_have_all() {
        let connections = Connections::default();
        let speaking = |last: u8| {
            let connection = connections.open(address(last))?;
            connection.speaks();
            Some(connection)
        };
        let all: Vec<Connection> = std::iter::from_fn(|| speaking(1)).collect();
        assert_eq!(all.len(), MOST_EACH);
        let others: Vec<Connection> = std::iter::from_fn(|| speaking(2)).collect();
        assert_eq!(others.len(), MOST - MOST_EACH);
    }
}
