//! The connection and the names of things at the broker.

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
use learn::selfplay::Played;
use learn::train::Settings;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

/// How long the broker may take for anything.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait before asking again for what is not there yet.
const PAUSE: Duration = Duration::from_millis(300);
/// How long the broker remembers the numbers of games, to drop repetitions.
const REMEMBERED: Duration = Duration::from_secs(600);
/// After so long a game that a trainer took and did not confirm is offered
/// again. A trainer that starts does not wait for it.
const CONFIRMED_WITHIN: Duration = Duration::from_secs(600);

/// Where the broker is, and who we are to it.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// `nats://host:port` or `tls://host:port`.
    pub url: String,
    /// Runs of different names share a broker without meeting.
    pub run: String,
    /// A user's name and password.
    pub user: Option<(String, String)>,
    /// A token.
    pub token: Option<String>,
    /// Whether to refuse a connection without TLS.
    pub tls: bool,
    /// A certificate to trust besides the system's.
    pub authority: Option<PathBuf>,
    /// Our own certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// What is played, as the trainer says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The game and its setup, as a text.
    pub game: String,
    /// How it is played and learnt.
    pub settings: Settings,
}

/// A connection to the broker.
pub struct Fleet {
    runtime: Runtime,
    pub(crate) client: Client,
    jetstream: JetStream,
    run: String,
}

impl Fleet {
    /// Connects.
    pub fn connect(access: &Access) -> anyhow::Result<Fleet> {
        let run = access.run.clone();
        if run.is_empty() || !run.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
            bail!("'{run}' is no name for a run: use letters, digits, - and _");
        }
        let mut options = ConnectOptions::new()
            .name("boyi")
            .request_timeout(Some(PATIENCE))
            .require_tls(access.tls);
        if let Some((user, password)) = access.user.clone() {
            options = options.user_and_password(user, password);
        }
        if let Some(token) = access.token.clone() {
            options = options.token(token);
        }
        if let Some(path) = access.authority.clone() {
            options = options.add_root_certificates(path);
        }
        if let Some((certificate, key)) = access.certificate.clone() {
            options = options.add_client_certificate(certificate, key);
        }
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime
            .block_on(options.connect(&access.url))
            .with_context(|| format!("no connection to the broker at {}", access.url))?;
        let entered = runtime.enter();
        let jetstream = async_nats::jetstream::new(client.clone());
        drop(entered);
        Ok(Fleet { runtime, client, jetstream, run })
    }

    /// Waits for the broker, in the caller's thread.
    pub(crate) fn wait<T>(&self, what: impl Future<Output = T>) -> T {
        self.runtime.block_on(what)
    }

    pub(crate) fn spawn(&self, what: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(what);
    }

    pub(crate) fn judging(&self) -> String {
        format!("boyi.{}.judge", self.run)
    }

    pub(crate) fn notices(&self) -> String {
        format!("boyi.{}.weights", self.run)
    }

    fn games(&self) -> String {
        format!("boyi.{}.games", self.run)
    }

    /// The plan, when there is one; nothing if told to stop before.
    pub fn plan(&self, stop: &AtomicBool) -> anyhow::Result<Option<Plan>> {
        self.wait(async {
            while !stop.load(Relaxed) {
                if let Ok(store) = self.store().await
                    && let Some((_, bytes)) = fetch(&store, "plan", None).await?
                {
                    let plan = serde_json::from_slice(&bytes);
                    return plan
                        .map(Some)
                        .context("the plan at the broker is not for this program");
                }
                sleep(PAUSE).await;
            }
            Ok(None)
        })
    }

    pub(crate) async fn store(&self) -> anyhow::Result<ObjectStore> {
        Ok(self.jetstream.get_object_store(format!("boyi-{}", self.run)).await?)
    }

    /// Makes what a trainer needs at the broker: the store, with the plan in it,
    /// and the queue for at most `queue` games. Gives the end of the queue.
    pub(crate) async fn found(&self, plan: &Plan, queue: i64) -> anyhow::Result<PullConsumer> {
        if self.store().await.is_err() {
            let bucket = format!("boyi-{}", self.run);
            let config = object_store::Config { bucket, ..Default::default() };
            self.jetstream
                .create_object_store(config)
                .await
                .context("the broker makes no object store: is JetStream switched on?")?;
        }
        self.put("plan", &serde_json::to_vec(plan)?).await?;
        let config = stream::Config {
            name: format!("boyi-{}-games", self.run),
            subjects: vec![self.games()],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_messages: queue,
            duplicate_window: REMEMBERED,
            ..Default::default()
        };
        let stream = self.jetstream.get_or_create_stream(config).await?;
        // One run has one trainer. What its forerunner held and did not confirm
        // is free again at once when the forerunner's place is cleared.
        let _ = stream.delete_consumer("trainer").await;
        let consumer = stream
            .create_consumer(pull::Config {
                durable_name: Some("trainer".to_owned()),
                ack_policy: AckPolicy::Explicit,
                ack_wait: CONFIRMED_WITHIN,
                max_ack_pending: queue.max(1),
                ..Default::default()
            })
            .await?;
        Ok(consumer)
    }

    pub(crate) async fn put(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let mut bytes = bytes;
        self.store().await?.put(name, &mut bytes).await?;
        Ok(())
    }

    /// Hands in a finished game and waits until the broker has confirmed it, for
    /// as long as the queue is full; says no if told to stop before.
    pub(crate) fn hand_in(&self, played: &Played, stop: &AtomicBool, tell: &dyn Fn(&str)) -> bool {
        let mut bytes = Vec::new();
        played.write(&mut bytes);
        let mut told = false;
        self.wait(async {
            loop {
                let message = PublishMessage::build()
                    .message_id(format!("{:016x}", played.id))
                    .payload(bytes.clone().into());
                let confirmed = async {
                    Ok::<_, anyhow::Error>(
                        self.jetstream.send_publish(self.games(), message).await?.await?,
                    )
                };
                match timeout(PATIENCE, confirmed).await {
                    Ok(Ok(_)) => return true,
                    Ok(Err(error)) if !told => {
                        tell(&format!("the queue takes no game: {error}; waiting"))
                    }
                    Err(_) if !told => tell("the broker does not answer; waiting"),
                    _ => {}
                }
                told = true;
                if stop.load(Relaxed) {
                    return false;
                }
                sleep(PAUSE).await;
            }
        })
    }
}

/// An object's mark and bytes, unless there is none or its mark is `known`.
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
    let mark = object.info().nuid.clone();
    // An object that is replaced while it is read never ends.
    timeout(PATIENCE, object.read_to_end(&mut bytes))
        .await
        .map_err(|_| anyhow!("{name} was replaced while it was read"))??;
    Ok(Some((mark, bytes)))
}
