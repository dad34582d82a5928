//! The board in the browser: play, analyse and sit a contest.
//!
//! A server that speaks HTTP on a loopback address, and a page of plain ES
//! modules inside the program. The page knows no rules: it draws what a
//! [`View`](session::View) says and sends the text of a move. Every change goes
//! the same way, request to [`live_game`] to disk to event stream to page, so
//! that what a page shows can't be lost.
//!
//! Start with [`live_game`], one game; [`registry`] holds them all, [`auth`]
//! says which requests are answered, [`access`] what a caller may do in a game,
//! `slots` which searches compute, `memory` how much of it each has.
//! [`mod@matches`] shows matches that other processes play.
//!
//! A server on a free port of this machine, with its games in memory:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use web::{Options, Server};
//!
//! let runtime = tokio::runtime::Runtime::new()?;
//! let server = runtime.block_on(Server::start(&Options::local(0)))?;
//! assert!(server.link().starts_with("http://127.0.0.1:"));
//! runtime.spawn(server.run());
//! # Ok(()) }
//! ```

pub mod access;
mod address;
mod analysis;
mod assets;
pub mod auth;
mod caller;
mod catalogue;
pub mod clock;
mod connections;
mod error;
mod events;
mod exact_report;
mod explorer;
mod id;
pub mod live_game;
pub mod matches;
mod memory;
mod position;
mod record;
pub mod registry;
mod review;
mod routes;
mod search_pool;
mod serve;
mod settings;
mod slots;
pub mod store;
mod stream;
mod stream_limits;
mod trace;
pub mod tree;
mod unwatched;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;

pub use clock::Clocks;
pub use error::ApiError;
pub use settings::{Contest, EngineLimits, Seat, Settings, Study};

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen; port 0 lets the system choose.
    pub bind: SocketAddr,
    /// Where games are kept; `None` keeps them in memory.
    pub data: Option<PathBuf>,
    /// Searches that compute at a time.
    pub slots: usize,
    /// Threads of one search at most.
    pub threads: u64,
    /// Megabytes of all engines together; one has a quarter of it at most.
    pub memory: u64,
    /// The folder whose matches and reports are shown, if any.
    pub matches: Option<PathBuf>,
    /// The folder of the contest days, if there are any.
    pub events: Option<PathBuf>,
}

impl Options {
    /// For this machine: loopback, a slot a core.
    pub fn local(port: u16) -> Options {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            bind: SocketAddr::from(([127, 0, 0, 1], port)),
            data: None,
            slots: cores,
            threads: cores as u64,
            memory: 1024,
            matches: None,
            events: None,
        }
    }
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address can't be had.
    #[error("can't listen on {0}: {1}; choose another address or port with --bind")]
    Address(SocketAddr, std::io::Error),
    /// The games can't be opened.
    #[error(transparent)]
    Store(#[from] store::StoreError),
}

/// A server that is about to run.
pub struct Server {
    listener: TcpListener,
    router: Router,
    registry: Arc<registry::GameRegistry>,
    links: Vec<String>,
    operator_link: Option<String>,
}

impl Server {
    /// Opens the games and takes the address. Needs a tokio runtime.
    pub async fn start(options: &Options) -> Result<Server, StartError> {
        // The games first: the error of a second server on them says where the
        // first one is, not that its port is taken.
        let store = store::Store::open(options.data.as_deref())?;
        let listener = TcpListener::bind(options.bind)
            .await
            .map_err(|error| StartError::Address(options.bind, error))?;
        let address =
            listener.local_addr().map_err(|error| StartError::Address(options.bind, error))?;
        // Only loopback is private.
        let tokens = (!address.ip().is_loopback())
            .then(|| auth::Tokens { guest: id::fresh(), operator: id::fresh() });
        let places = address::reachable(address);
        store.announce(&format!("http://{}/", places[0]));
        let link = |place, token: Option<&String>| {
            let query = token.map_or(String::new(), |token| format!("?token={token}"));
            format!("http://{place}/{query}")
        };
        let guest = tokens.as_ref().map(|tokens| &tokens.guest);
        let links = places.iter().map(|&place| link(place, guest)).collect();
        let operator_link = tokens.as_ref().map(|tokens| {
            let mut here = address;
            if here.ip().is_unspecified() {
                here.set_ip(Ipv4Addr::LOCALHOST.into());
            }
            link(here, Some(&tokens.operator))
        });
        let engine_limits = EngineLimits { threads: options.threads, memory: options.memory / 4 };
        let app = live_game::AppState {
            store,
            pool: search_pool::SearchPool::new(options.slots, 64),
            engine_limits,
            memory: memory::MemoryBudget::new(options.memory),
            unwatched: unwatched::UnwatchedGames::default(),
            guest_token: tokens.as_ref().map(|tokens| tokens.guest.clone()),
        };
        let matches = matches::Matches::new(options.matches.clone(), engine_limits);
        let events = events::Events::new(options.events.clone());
        let registry = Arc::new(registry::GameRegistry::new(app, matches, events));
        let router = routes::router(Arc::clone(&registry), auth::Auth { address, tokens });
        Ok(Server { listener, router, registry, links, operator_link })
    }

    /// What to open in a browser, the token included.
    pub fn link(&self) -> &str {
        &self.links[0]
    }

    /// The same by every address of this machine, the most likely one first.
    pub fn links(&self) -> &[String] {
        &self.links
    }

    /// The operator's own link, where others can connect: with it every game can be
    /// changed.
    pub fn operator_link(&self) -> Option<&str> {
        self.operator_link.as_deref()
    }

    /// The routes, for tests that need no socket.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Serves until the runtime ends.
    pub async fn run(self) {
        let registry = self.registry;
        tokio::spawn(async move {
            let mut beat = tokio::time::interval(Duration::from_millis(250));
            loop {
                beat.tick().await;
                let registry = Arc::clone(&registry);
                let _ = tokio::task::spawn_blocking(move || registry.tick()).await;
            }
        });
        serve::serve(self.listener, self.router).await;
    }
}
