//! The connection to the broker, and the names of what it holds.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::Context as JetStream;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy};
use async_nats::{Client, ConnectOptions};
use learn::selfplay::TrainingGame;
use learn::train::RunConfig;
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

use crate::outbox::Outbox;

/// How long the broker may take for anything.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait before asking again for what is not there yet.
const RETRY: Duration = Duration::from_millis(300);
/// How long the broker remembers the ids of games, to drop repetitions.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(600);
/// After this time a game that a trainer received and did not acknowledge is
/// delivered again. A trainer that starts does not wait for it.
const ACK_WAIT: Duration = Duration::from_secs(600);
/// The first version of the broker that can be set to sync more often than every two
/// minutes.
const SYNC_OPTION: (u32, u32) = (2, 10);
/// The name of the run's configuration in the object store.
const CONFIG: &str = "plan";
/// The name of the trainer's consumer of the games' stream.
const CONSUMER: &str = "trainer";

/// Where the broker is, and how to log in.
#[derive(Clone, Debug, Default)]
pub struct BrokerOptions {
    /// `nats://host:port` or `tls://host:port`.
    pub url: String,
    /// The run's name; runs of different names share a broker.
    pub run: String,
    /// A user's name and password.
    pub user: Option<(String, String)>,
    /// A token.
    pub token: Option<String>,
    /// Whether to refuse a connection without TLS.
    pub tls: bool,
    /// A certificate to trust besides the system's.
    pub authority: Option<PathBuf>,
    /// The client's certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// A connection to the broker.
///
/// ```
/// use fleet::{Broker, BrokerOptions};
///
/// let options = BrokerOptions { url: "nats://127.0.0.1:1".to_owned(), ..Default::default() };
/// let error = Broker::connect(&options).err().unwrap();
/// assert!(error.to_string().contains("no valid run name"), "{error}");
/// let error = Broker::connect(&BrokerOptions { run: "boxes".to_owned(), ..options }).err().unwrap();
/// assert_eq!(error.to_string(), "no connection to the broker at nats://127.0.0.1:1");
/// ```
pub struct Broker {
    runtime: Runtime,
    pub(crate) client: Client,
    jetstream: JetStream,
    run: String,
}

impl Broker {
    /// Connects.
    pub fn connect(options: &BrokerOptions) -> anyhow::Result<Broker> {
        let BrokerOptions { url, run, .. } = options.clone();
        if run.is_empty() || !run.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
            bail!("'{run}' is no valid run name: use letters, digits, - and _");
        }
        let mut connect = ConnectOptions::new()
            .name("boyi")
            .request_timeout(Some(TIMEOUT))
            .require_tls(options.tls);
        if let Some((user, password)) = options.user.clone() {
            connect = connect.user_and_password(user, password);
        }
        if let Some(token) = options.token.clone() {
            connect = connect.token(token);
        }
        if let Some(path) = options.authority.clone() {
            connect = connect.add_root_certificates(path);
        }
        if let Some((certificate, key)) = options.certificate.clone() {
            connect = connect.add_client_certificate(certificate, key);
        }
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime
            .block_on(connect.connect(&url))
            .with_context(|| format!("no connection to the broker at {url}"))?;
        let entered = runtime.enter();
        let jetstream = async_nats::jetstream::new(client.clone());
        drop(entered);
        Ok(Broker { runtime, client, jetstream, run })
    }

    /// The run's name.
    pub(crate) fn run(&self) -> &str {
        &self.run
    }

    /// Waits for a future in the caller's thread.
    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(task);
    }

    /// The subject of requests to evaluators.
    pub(crate) fn evaluations(&self) -> String {
        format!("boyi.{}.judge", self.run)
    }

    /// The subject of notices about new weights.
    pub(crate) fn notices(&self) -> String {
        format!("boyi.{}.weights", self.run)
    }

    /// The subject of requests for leases.
    pub(crate) fn leases(&self) -> String {
        format!("boyi.{}.leases", self.run)
    }

    /// The subject of the trainer's receipts.
    pub(crate) fn receipts(&self) -> String {
        format!("boyi.{}.receipts", self.run)
    }

    /// The number of the connection, counted when it is made: a broker that was
    /// away may have lost what it had confirmed.
    pub(crate) fn connection(&self) -> u64 {
        self.client.statistics().connects.load(Relaxed)
    }

    /// The subject of finished games.
    fn games(&self) -> String {
        format!("boyi.{}.games", self.run)
    }

    /// Waits for the run's configuration, which a trainer publishes; none if
    /// `stop` is set before.
    pub fn run_config(&self, stop: &AtomicBool) -> anyhow::Result<Option<RunConfig>> {
        self.wait(async {
            while !stop.load(Relaxed) {
                // A trainer that starts again replaces it, perhaps while it is read.
                if let Ok(store) = self.store().await
                    && let Ok(Some((_, bytes))) = fetch(&store, CONFIG, None).await
                {
                    let config = serde_json::from_slice(&bytes);
                    return config.map(Some).context(
                        "the run's configuration at the broker is of another version of boyi",
                    );
                }
                sleep(RETRY).await;
            }
            Ok(None)
        })
    }

    pub(crate) async fn store(&self) -> anyhow::Result<ObjectStore> {
        Ok(self.jetstream.get_object_store(format!("boyi-{}", self.run)).await?)
    }

    /// Creates what a trainer needs at the broker: the object store, with the
    /// run's configuration in it, and the queue for at most `max_games` games.
    /// Gives the consumer of the queue.
    pub(crate) async fn ensure_queues(
        &self,
        config: &RunConfig,
        max_games: i64,
    ) -> anyhow::Result<PullConsumer> {
        if self.store().await.is_err() {
            let bucket = format!("boyi-{}", self.run);
            let store = object_store::Config { bucket, ..Default::default() };
            self.jetstream.create_object_store(store).await.context(
                "the broker creates no object store: is JetStream enabled (nats-server -js)?",
            )?;
        }
        self.put(CONFIG, &serde_json::to_vec(config)?).await?;
        let stream = stream::Config {
            name: format!("boyi-{}-games", self.run),
            subjects: vec![self.games()],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_messages: max_games,
            duplicate_window: DUPLICATE_WINDOW,
            ..Default::default()
        };
        let stream = self.jetstream.get_or_create_stream(stream).await?;
        // A run has one trainer. What the one before it received and did not
        // acknowledge is delivered again at once when its consumer is deleted.
        let _ = stream.delete_consumer(CONSUMER).await;
        let consumer = stream
            .create_consumer(pull::Config {
                durable_name: Some(CONSUMER.to_owned()),
                ack_policy: AckPolicy::Explicit,
                ack_wait: ACK_WAIT,
                max_ack_pending: max_games.max(1),
                ..Default::default()
            })
            .await?;
        Ok(consumer)
    }

    /// A warning if the broker confirms games long before they are on its disk, as
    /// far as that can be known: its setting is readable only with a system account.
    pub(crate) fn sync_warning(&self) -> Option<String> {
        let info = self.client.server_info();
        let mut version = info.version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
        let version = (version.next().unwrap_or(0), version.next().unwrap_or(0));
        let interval = match version < SYNC_OPTION {
            true => "two minutes".to_owned(),
            false => {
                let varz = self.client.request("$SYS.REQ.SERVER.PING.VARZ", "".into());
                let reply = self.wait(timeout(RETRY * 10, varz)).ok()?.ok()?;
                sync_interval(&reply.payload)?
            }
        };
        Some(format!(
            "the broker (nats-server {}) confirms games up to {interval} before they are on its \
             disk: until the trainer has written a game, it is lost if both this worker and the \
             broker's machine fail",
            info.version
        ))
    }

    pub(crate) async fn put(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let mut bytes = bytes;
        self.store().await?.put(name, &mut bytes).await?;
        Ok(())
    }

    /// Publishes a game to the queue, and waits until the broker has confirmed it.
    pub(crate) async fn publish_game(&self, id: String, bytes: Vec<u8>) -> anyhow::Result<()> {
        let message = PublishMessage::build().message_id(id).payload(bytes.into());
        self.jetstream.send_publish(self.games(), message).await?.await?;
        Ok(())
    }

    /// Submits a finished game and waits until the broker has confirmed it, for as
    /// long as the queue is full; false if `stop` is set before. It stays in the
    /// outbox until the trainer's receipt.
    pub(crate) fn submit(
        &self,
        game: &TrainingGame,
        outbox: &Outbox,
        stop: &AtomicBool,
        log: &impl Fn(&str),
    ) -> bool {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        // Before it is published: the receipt may be faster than the confirmation.
        outbox.add(game.id, bytes.clone(), self.connection());
        let mut logged = false;
        self.wait(async {
            loop {
                let confirmed = self.publish_game(format!("{:016x}", game.id), bytes.clone());
                match timeout(TIMEOUT, confirmed).await {
                    Ok(Ok(())) => return true,
                    Ok(Err(error)) if !logged => {
                        log(&format!("the queue takes no game: {error}; waiting"))
                    }
                    Err(_) if !logged => log("the broker does not answer; waiting"),
                    _ => {}
                }
                logged = true;
                if stop.load(Relaxed) {
                    return false;
                }
                sleep(RETRY).await;
            }
        })
    }
}

/// The interval between the syncs of a server whose state this is; none if it syncs
/// each message.
fn sync_interval(state: &[u8]) -> Option<String> {
    let state: serde_json::Value = serde_json::from_slice(state).ok()?;
    let config = state.pointer("/data/jetstream/config").or(state.pointer("/jetstream/config"))?;
    if config["sync_always"] == true {
        return None;
    }
    let nanoseconds = config["sync_interval"].as_u64()?;
    Some(format!("{} s", nanoseconds / 1_000_000_000))
}

/// An object's version and bytes, unless there is none or its version is `known`.
pub(crate) async fn fetch(
    store: &ObjectStore,
    name: &str,
    known: Option<&str>,
) -> anyhow::Result<Option<(String, Vec<u8>)>> {
    let Ok(info) = store.info(name).await else { return Ok(None) };
    if info.deleted || known == Some(info.nuid.as_str()) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let mut object = store.get(name).await?;
    let version = object.info().nuid.clone();
    // An object that is replaced while it is read never ends.
    timeout(TIMEOUT, object.read_to_end(&mut bytes))
        .await
        .map_err(|_| anyhow!("{name} was replaced while it was read"))??;
    Ok(Some((version, bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brokers_sync_setting_is_read_where_it_is_shown() {
        let lazy = br#"{"data":{"jetstream":{"config":{"sync_interval":120000000000}}}}"#;
        assert_eq!(sync_interval(lazy).as_deref(), Some("120 s"));
        let always = br#"{"data":{"jetstream":{"config":{"sync_interval":1,"sync_always":true}}}}"#;
        assert_eq!(sync_interval(always), None);
        assert_eq!(sync_interval(b"{}"), None);
    }
}
