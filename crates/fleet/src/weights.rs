//! The newest weights: fetched when a notice comes, and every minute in case one
//! was missed.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use futures_util::StreamExt;
use learn::Shape;
use learn::net::{ModelInfo, Network, from_bytes};
use tokio::sync::watch;

use crate::broker::{Broker, fetch};

/// The name in the object store.
const NAME: &str = "weights";
/// The interval of the paper's workers.
const POLL: Duration = Duration::from_secs(60);
/// The interval before there are any weights.
const FIRST_POLL: Duration = Duration::from_secs(1);

/// A network with its description.
pub(crate) struct Weights {
    pub network: Network<f32>,
    pub info: ModelInfo,
}

/// The newest weights; none before the first.
pub(crate) type NewestWeights = watch::Receiver<Option<Arc<Weights>>>;

impl Weights {
    /// Checks that they are for this shape of board.
    pub(crate) fn check(&self, shape: &Shape) -> anyhow::Result<()> {
        let fits = shape.fits(&self.info.architecture);
        ensure!(fits, "the weights at the broker are for another board");
        Ok(())
    }

    /// A line for people.
    pub(crate) fn line(&self) -> String {
        format!("weights: {}", self.info.history.join("; "))
    }
}

impl Broker {
    /// Publishes weights and a notice of them.
    pub(crate) async fn publish_weights(&self, bytes: &[u8]) -> anyhow::Result<()> {
        self.put(NAME, bytes).await?;
        self.client.publish(self.notices(), "new".into()).await?;
        Ok(())
    }

    /// Keeps the newest weights up to date from now on.
    pub(crate) fn follow_weights(&self) -> anyhow::Result<NewestWeights> {
        let (send, newest) = watch::channel(None);
        let (store, mut notices) = self.wait(async {
            let notices = self.client.subscribe(self.notices()).await?;
            Ok::<_, anyhow::Error>((self.store().await?, notices))
        })?;
        self.spawn(async move {
            let mut version: Option<String> = None;
            while !send.is_closed() {
                match fetch(&store, NAME, version.as_deref()).await {
                    Ok(Some((new, bytes))) => match from_bytes(Path::new(NAME), &bytes) {
                        Ok((network, info)) => {
                            version = Some(new);
                            let _ = send.send(Some(Arc::new(Weights { network, info })));
                            // There may be newer weights by now.
                            continue;
                        }
                        Err(error) => eprintln!("the weights at the broker: {error}"),
                    },
                    Ok(None) => {}
                    Err(error) => eprintln!("no weights from the broker: {error}"),
                }
                let poll = if version.is_some() { POLL } else { FIRST_POLL };
                let _ = tokio::time::timeout(poll, notices.next()).await;
            }
        });
        Ok(newest)
    }
}
