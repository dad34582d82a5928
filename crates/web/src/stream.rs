//! The one event stream of a tab: the game, what engines think, the review.
//!
//! Each kind of news is a `watch`: a slow page gets the latest, never a queue.
//! Of the game only the plies are sent that the page does not have yet.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::access::Access;
use crate::caller::Caller;
use crate::live_game::{LiveGame, Ply, Snapshot};
use crate::registry::GameRegistry;
use crate::stream_limits::OpenStream;

type Reports = watch::Receiver<Option<Arc<Value>>>;

/// A tab that looks at a game. When it goes, its analysis goes.
struct Subscriber {
    registry: Arc<GameRegistry>,
    game: Arc<LiveGame>,
    tab: String,
    caller: Caller,
    reports: Reports,
    open: OpenStream,
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        self.registry.tabs.close(&self.game.id, &self.tab, &self.reports);
        self.game.unsubscribe();
    }
}

struct EventStream {
    subscriber: Subscriber,
    snapshots: watch::Receiver<Snapshot>,
    access: watch::Receiver<Access>,
    thoughts: Reports,
    reviews: watch::Receiver<Option<Arc<String>>>,
    samples: Reports,
    sent: Vec<Arc<Ply>>,
    sent_tree: Option<Arc<Value>>,
    greeted: bool,
}

/// The stream of a caller's tab.
pub fn events(
    registry: Arc<GameRegistry>,
    game: Arc<LiveGame>,
    tab: String,
    caller: Caller,
    open: OpenStream,
) -> Response {
    let reports = registry.tabs.open(&game.id, &tab);
    game.subscribe(&caller);
    let mut stream = EventStream {
        snapshots: game.snapshots(),
        access: game.access(),
        thoughts: game.thoughts(),
        reviews: game.reviews(),
        samples: game.samples.subscribe(),
        subscriber: Subscriber { registry, game, tab, caller, reports, open },
        sent: Vec::new(),
        sent_tree: None,
        greeted: false,
    };
    stream.access.mark_changed();
    stream.snapshots.mark_changed();
    stream.reviews.mark_changed();
    stream.samples.mark_changed();
    let events = unfold(stream, |mut stream| async move {
        let event = stream.next().await?;
        Some((Ok::<Event, Infallible>(event), stream))
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(5));
    Sse::new(events).keep_alive(alive).into_response()
}

impl EventStream {
    async fn next(&mut self) -> Option<Event> {
        if !self.greeted {
            self.greeted = true;
            let board = session::open(&self.subscriber.game.spec).geometry();
            let text = serde_json::to_string(&board).expect("plain data");
            return Some(Event::default().event("board").data(text));
        }
        let changed = tokio::select! {
            // What may be done goes before the game, and that before what is thought
            // about it.
            biased;
            () = self.subscriber.open.closed() => return None,
            changed = self.access.changed() => changed.map(|()| {
                let access = self.access.borrow_and_update();
                let rights = access.rights(&self.subscriber.caller);
                event("access", serde_json::to_string(&rights).expect("plain data"))
            }),
            changed = self.snapshots.changed() => changed.map(|()| self.game()),
            changed = self.reviews.changed() => changed.map(|()| {
                let review = self.reviews.borrow_and_update().clone();
                event("review", review.as_deref().map_or("null".to_owned(), String::clone))
            }),
            changed = self.samples.changed() => changed.map(|()| report("sample", &mut self.samples)),
            changed = self.thoughts.changed() => changed.map(|()| report("thought", &mut self.thoughts)),
            changed = self.subscriber.reports.changed() => {
                changed.map(|()| report("analysis", &mut self.subscriber.reports))
            }
        };
        // An error says that this tab has opened a newer stream.
        changed.ok()
    }

    fn game(&mut self) -> Event {
        let snapshot = self.snapshots.borrow_and_update().clone();
        let same = |(a, b): &(&Arc<Ply>, &Arc<Ply>)| Arc::ptr_eq(a, b);
        let from = self.sent.iter().zip(&snapshot.plies).take_while(same).count();
        let plies: Vec<&Ply> = snapshot.plies[from..].iter().map(|ply| &**ply).collect();
        let mut data = json!({ "from": from, "plies": plies, "head": &*snapshot.head });
        if !self.sent_tree.as_ref().is_some_and(|sent| Arc::ptr_eq(sent, &snapshot.tree)) {
            data["tree"] = json!(&*snapshot.tree);
        }
        self.sent = snapshot.plies;
        self.sent_tree = Some(snapshot.tree);
        event("game", data.to_string())
    }
}

fn report(name: &str, reports: &mut Reports) -> Event {
    let value = reports.borrow_and_update().clone();
    event(name, value.map_or("null".to_owned(), |value| value.to_string()))
}

fn event(name: &str, data: String) -> Event {
    Event::default().event(name).data(data)
}
