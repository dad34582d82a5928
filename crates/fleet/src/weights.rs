//! The newest weights, followed: when a notice comes, and every minute in case
//! one was missed.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use learn::net::{Card, Network, from_bytes, to_bytes};
use tokio::sync::watch;

use crate::broker::{Fleet, fetch};

/// The name in the store.
const NAME: &str = "weights";
/// As in the paper.
const EVERY: Duration = Duration::from_secs(60);

/// A network with its card.
pub(crate) struct Weights {
    pub network: Network<f32>,
    pub card: Card,
}

/// The newest weights as they come; nothing before the first.
pub(crate) type Newest = watch::Receiver<Option<Arc<Weights>>>;

impl Fleet {
    /// Publishes weights and tells everybody.
    pub(crate) async fn publish(&self, network: &Network<f32>, card: &Card) -> anyhow::Result<()> {
        self.put(NAME, &to_bytes(network, card)).await?;
        self.client.publish(self.notices(), "new".into()).await?;
        Ok(())
    }

    /// Follows the weights from now on.
    pub(crate) fn follow(&self) -> anyhow::Result<Newest> {
        let (send, newest) = watch::channel(None);
        let (store, mut notices) = self.wait(async {
            let notices = self.client.subscribe(self.notices()).await?;
            Ok::<_, anyhow::Error>((self.store().await?, notices))
        })?;
        self.spawn(async move {
            let mut mark = None;
            while !send.is_closed() {
                match fetch(&store, NAME, mark.as_deref()).await {
                    Ok(Some((new, bytes))) => match from_bytes(Path::new(NAME), &bytes) {
                        Ok((network, card)) => {
                            mark = Some(new);
                            let _ = send.send(Some(Arc::new(Weights { network, card })));
                            // There may be newer ones by now.
                            continue;
                        }
                        Err(error) => eprintln!("the weights at the broker: {error}"),
                    },
                    Ok(None) => {}
                    Err(error) => eprintln!("no weights from the broker: {error}"),
                }
                // The first weights are waited for more eagerly.
                let every = if mark.is_some() { EVERY } else { Duration::from_secs(1) };
                let _ = tokio::time::timeout(every, notices.next()).await;
            }
        });
        Ok(newest)
    }
}
