//! How many event streams there are: by browser key, by address, and in all.
//!
//! A stream is held open for hours, so their number is what a visitor could use
//! up. A browser has a few. Beyond the limit of an address, or of the server, a
//! new stream takes the place of the oldest one of the client with the most,
//! unless the new one's client has as many itself. So a client with a stream or
//! two is never refused because another has hundreds. Requests without a key are
//! one client an address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use tokio::sync::Notify;

use crate::caller::Caller;
use crate::error::ApiError;

/// Streams of one browser.
const MOST_OF_KEY: usize = 16;
/// Streams of one address: 60 browsers with five each, and some more.
const MOST_OF_ADDRESS: usize = 400;
/// Streams in all.
const MOST: usize = 800;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Client {
    address: IpAddr,
    key: Option<String>,
}

struct Entry {
    id: u64,
    client: Client,
    close: Arc<Notify>,
}

#[derive(Default)]
struct State {
    next: u64,
    /// The oldest first.
    entries: Vec<Entry>,
}

impl State {
    fn count(&self, belongs: impl Fn(&Client) -> bool) -> usize {
        self.entries.iter().filter(|entry| belongs(&entry.client)).count()
    }

    /// Closes the oldest stream of the client with the most, of one address or of
    /// all; not if that is hardly more than `own`.
    fn make_place(&mut self, address: Option<IpAddr>, own: usize) -> bool {
        let inside = |client: &Client| address.is_none_or(|address| client.address == address);
        let mut clients: HashMap<&Client, (usize, u64)> = HashMap::new();
        for entry in self.entries.iter().filter(|entry| inside(&entry.client)) {
            clients.entry(&entry.client).or_insert((0, entry.id)).0 += 1;
        }
        // Of equal sizes the one that came first.
        let largest = clients.into_values().max_by_key(|&(size, oldest)| (size, !oldest));
        let Some((_, id)) = largest.filter(|&(size, _)| size > own + 1) else { return false };
        self.entries.retain(|entry| {
            if entry.id == id {
                entry.close.notify_one();
            }
            entry.id != id
        });
        true
    }
}

/// The streams of one server.
#[derive(Clone, Default)]
pub struct StreamLimits(Arc<Mutex<State>>);

impl StreamLimits {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A stream for a caller.
    pub fn open(&self, caller: &Caller) -> Result<OpenStream, ApiError> {
        let refuse = |sentence| Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, sentence));
        let address = caller.address;
        let client = Client { address, key: caller.is_known.then(|| caller.key.clone()) };
        let mut state = self.lock();
        let own = state.count(|other| *other == client);
        if client.key.is_some() && own >= MOST_OF_KEY {
            return refuse("this browser shows too many games at once; close some of its tabs");
        }
        let here = state.count(|other| other.address == address);
        let full = "too many pages are open on this server; close some of them";
        if here >= MOST_OF_ADDRESS && !state.make_place(Some(address), own) {
            return refuse(full);
        }
        if state.entries.len() >= MOST && !state.make_place(None, own) {
            return refuse(full);
        }
        let (id, close) = (state.next, Arc::new(Notify::new()));
        state.next += 1;
        state.entries.push(Entry { id, client, close: Arc::clone(&close) });
        Ok(OpenStream { limits: self.clone(), id, close })
    }
}

/// A stream that is counted until it is dropped.
pub struct OpenStream {
    limits: StreamLimits,
    id: u64,
    close: Arc<Notify>,
}

impl OpenStream {
    /// Waits until the stream has to end.
    pub async fn closed(&self) {
        self.close.notified().await;
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.limits.lock().entries.retain(|entry| entry.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(last: u8, key: Option<usize>) -> Caller {
        Caller {
            address: IpAddr::from([10, 0, 0, last]),
            key: format!("{}", key.unwrap_or(0)),
            is_known: key.is_some(),
            is_operator: false,
        }
    }

    #[test]
    fn a_flood_refuses_itself_and_no_classroom_behind_its_address() {
        let limits = StreamLimits::default();
        let flood: Vec<_> = (0..1000).map_while(|_| limits.open(&caller(1, None)).ok()).collect();
        assert_eq!(flood.len(), MOST_OF_ADDRESS);
        let mut pupils = Vec::new();
        for tab in 0..5 {
            for pupil in 1..=60 {
                let stream = limits.open(&caller(1, Some(pupil)));
                pupils.push(
                    stream.unwrap_or_else(|error| panic!("pupil {pupil}, tab {tab}: {error}")),
                );
            }
        }
        let (mine, all) = (caller(1, Some(7)), limits.lock().entries.len());
        assert_eq!(all, MOST_OF_ADDRESS);
        let one = |client: &Client| client.key.as_deref() == Some("7");
        assert_eq!(limits.lock().count(one), 5, "no pupil's stream was closed");
        let more: Vec<_> = std::iter::from_fn(|| limits.open(&mine).ok()).collect();
        assert_eq!(more.len() + 5, MOST_OF_KEY);
    }

    #[test]
    fn two_addresses_can_not_have_all() {
        let limits = StreamLimits::default();
        let all = [1, 2].map(|last| {
            (0..500).map_while(|_| limits.open(&caller(last, None)).ok()).collect::<Vec<_>>()
        });
        assert_eq!(all.each_ref().map(Vec::len), [MOST_OF_ADDRESS; 2]);
        let another = limits.open(&caller(3, None)).unwrap();
        assert_eq!(limits.lock().entries.len(), MOST);
        drop(another);
    }
}
