//! Matches and reports that other processes write, for people who watch.
//!
//! Nothing is written to their files; matches that were started in the page have a
//! store of their own there ([`control`]). A visitor never names a file: every
//! request names a source by an id that `sources` gave it, so there is no path
//! to play tricks with. The files may come from anywhere, so what they make the
//! server do is bounded: the time of a store's queries (`arena`), the sizes here,
//! and the number of requests that read at a time ([`Matches::reader`]). The
//! others wait without a thread, and not for long.

pub mod control;
mod games;
mod live;
mod report;
mod sources;
mod tables;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arena::{MatchConfig, MatchId, Store, StoreError};
use axum::http::StatusCode;
use serde_json::{Value, json};
use session::{GameSpec, Session};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;
use crate::exact_report;
use crate::explorer::{self, StoreIndex};
use crate::settings::EngineLimits;
use crate::store::StoredGame;
use control::{MatchCommand, MatchControl};
use sources::{Kind, Source};

/// How long a listing is good enough.
const FRESH: Duration = Duration::from_secs(2);
/// The time after which a listing has to do with what it has.
const MOST_LISTING: Duration = Duration::from_secs(3);
/// The most engines of a match that is shown: its table grows with their square.
const MOST_ENGINES: usize = 64;
/// Requests that read at a time.
const READERS: usize = 2;
/// How long a request waits to read.
const PATIENCE: Duration = Duration::from_secs(4);

/// A window on a folder of matches and reports.
pub struct Matches {
    folder: Option<PathBuf>,
    /// The last listing and when it was made. Never locked while files are read.
    listing: Mutex<Option<(Instant, Value)>>,
    readers: Arc<Semaphore>,
    /// The matches of this process.
    pub control: Arc<MatchControl>,
    /// What the explorer has read, by store and spec.
    indexes: Mutex<HashMap<(PathBuf, String), Arc<StoreIndex>>>,
}

/// The most stores that the explorer keeps in memory.
const MOST_INDEXES: usize = 24;

impl Matches {
    /// On this folder; `None` shows nothing.
    pub fn new(folder: Option<PathBuf>, limits: EngineLimits) -> Matches {
        let readers = Arc::new(Semaphore::new(READERS));
        let control = MatchControl::new(folder.clone(), limits);
        let (listing, indexes) = (Mutex::default(), Mutex::default());
        Matches { folder, listing, readers, control, indexes }
    }

    /// Waits until this request may read files; it may until the permit is
    /// dropped.
    pub async fn reader(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let permit = Arc::clone(&self.readers).acquire_owned();
        match tokio::time::timeout(PATIENCE, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => {
                let sentence = "the matches take long to read; try again in a moment";
                Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence))
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, Option<(Instant, Value)>> {
        self.listing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every match and report there is.
    pub fn list(&self) -> Value {
        if let Some((when, value)) = &*self.kept()
            && when.elapsed() < FRESH
        {
            return value.clone();
        }
        let (stores, reports): (Vec<Source>, Vec<Source>) =
            self.sources().into_iter().partition(|source| source.kind == Kind::Store);
        let began = Instant::now();
        let in_time = |_: &&Source| began.elapsed() < MOST_LISTING;
        let stores: Vec<Value> =
            stores.iter().take_while(in_time).filter_map(tables::store).collect();
        let reports: Vec<Value> =
            reports.iter().take_while(in_time).filter_map(report::entry).collect();
        let value = json!({ "stores": stores, "reports": reports });
        *self.kept() = Some((Instant::now(), value.clone()));
        value
    }

    /// One match with its table and its last games.
    pub fn show(&self, store: &str, number: i64) -> Result<Value, ApiError> {
        let (source, store, id, config) = self.enter(store, number)?;
        let mut value = tables::whole(&source, &store, id, &config).map_err(unreadable)?;
        value["run"] = json!(self.own(&source).and_then(|control| control.facts(number)));
        Ok(value)
    }

    /// The matches of this process, if the source is their store.
    fn own(&self, source: &Source) -> Option<&Arc<MatchControl>> {
        (source.name == control::STORE).then_some(&self.control)
    }

    /// The id of a match that was started here.
    pub fn started(&self, number: i64) -> Result<Value, ApiError> {
        self.kept().take();
        let mut all = self.sources().into_iter();
        let source = all.find(|source| source.name == control::STORE).ok_or_else(missing)?;
        Ok(json!({ "store": source.id, "number": number }))
    }

    /// Changes the run of a match that was started here.
    pub fn command(&self, store: &str, number: i64, command: MatchCommand) -> Result<(), ApiError> {
        let source = self.find(store, Kind::Store)?;
        let own = self.own(&source);
        let sentence = "another process plays this match; it is stopped where it was started";
        self.kept().take();
        own.ok_or_else(|| ApiError::bad(sentence))?.apply(number, command)
    }

    /// The games that a match plays at this moment, as far as that is known.
    pub fn live(&self, store: &str, number: i64) -> Result<Value, ApiError> {
        let (source, store, id, config) = self.enter(store, number)?;
        let games: Vec<Value> = match self.own(&source) {
            Some(control) => control
                .live(number)
                .and_then(|live| live.board())
                .and_then(|board| live::json(&config, None, &board))
                .into_iter()
                .collect(),
            None if Store::is_locked(&source.path) => {
                let mut journal: Vec<_> =
                    store.journal(id).map_err(unreadable)?.into_iter().collect();
                journal.sort_by_key(|(index, _)| *index);
                let last = journal.last().map_or(0, |(index, _)| *index);
                let schedule = store.schedule(id, &config, last / 2 + 1).map_err(unreadable)?;
                live::journaled(&config, &schedule, journal)
                    .iter()
                    .filter_map(|(index, board)| live::json(&config, Some(*index), board))
                    .collect()
            }
            None => Vec::new(),
        };
        Ok(json!({ "games": games }))
    }

    /// A finished game of a match, as a live game.
    pub fn game(&self, store: &str, number: i64, index: u64) -> Result<StoredGame, ApiError> {
        let (_, store, id, config) = self.enter(store, number)?;
        let played = store.game(id, index).map_err(unreadable)?.ok_or_else(missing)?;
        games::saved(&config, &played)
    }

    /// What book and stores have of a session's position.
    pub fn explore(&self, session: &Session) -> Value {
        let spec = session.spec();
        let until = explorer::deadline();
        let stores = self.sources().into_iter().filter(|source| source.kind == Kind::Store);
        let indexes: Vec<Arc<StoreIndex>> = stores
            .take(MOST_INDEXES)
            .filter_map(|source| self.index(&source, spec, until))
            .collect();
        let mut found = explorer::stored_moves(session, &indexes);
        found["book"] = exact_report::book_json(session, &session.book_moves());
        found
    }

    /// A store's games of a spec, read again only if the store has changed.
    fn index(&self, source: &Source, spec: &GameSpec, until: Instant) -> Option<Arc<StoreIndex>> {
        let key = (source.path.clone(), spec.to_string());
        let indexes = || self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = indexes().get(&key).cloned();
        if let Some(index) = known.filter(|index| index.changed == source.changed) {
            return Some(index);
        }
        let store = Store::open_read_only(&source.path).ok()?;
        let index = Arc::new(StoreIndex::read(&store, source.changed, spec, until));
        let mut indexes = indexes();
        if indexes.len() >= MOST_INDEXES {
            indexes.clear();
        }
        indexes.insert(key, Arc::clone(&index));
        Some(index)
    }

    /// A report as data.
    pub fn report(&self, id: &str) -> Result<Value, ApiError> {
        report::data(&self.find(id, Kind::Report)?)
    }

    /// A report as the page that its experiment wrote.
    pub fn report_page(&self, id: &str) -> Result<String, ApiError> {
        report::page(&self.find(id, Kind::Report)?)
    }

    fn sources(&self) -> Vec<Source> {
        self.folder.as_deref().map(sources::scan).unwrap_or_default()
    }

    fn find(&self, id: &str, kind: Kind) -> Result<Source, ApiError> {
        let mut all = self.sources().into_iter();
        all.find(|source| source.kind == kind && source.id == id).ok_or_else(missing)
    }

    fn enter(
        &self,
        store: &str,
        number: i64,
    ) -> Result<(Source, Store, MatchId, MatchConfig), ApiError> {
        let source = self.find(store, Kind::Store)?;
        let store = Store::open_read_only(&source.path).map_err(unreadable)?;
        let mut matches = store.matches().map_err(unreadable)?.into_iter();
        let (id, config) = matches.find(|(id, _)| id.number() == number).ok_or_else(missing)?;
        if config.engines.len() > MOST_ENGINES {
            let sentence = format!("a match is shown with at most {MOST_ENGINES} engines");
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence));
        }
        Ok((source, store, id, config))
    }
}

fn missing() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "there is no such match or report here")
}

/// A page is never sent a file's path.
fn unreadable(error: StoreError) -> ApiError {
    let sentence = match error {
        StoreError::Damaged(_, what) => format!("the store is damaged: {what}"),
        StoreError::Sql(error) => {
            format!("the store can't be read: {}", storage::Fault::explain(&error))
        }
        _ => "the store can't be read".to_owned(),
    };
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
}
