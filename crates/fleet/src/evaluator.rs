//! The evaluator's role: evaluating positions for workers.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use futures_util::StreamExt;
use learn::net::{InferenceNet, Output};
use learn::{Encode, Shape};
use tokio::time::timeout;

use crate::broker::Broker;
use crate::weights::NewestWeights;
use crate::wire::Request;

/// How often `stop` is looked at.
const POLL: Duration = Duration::from_millis(200);

/// Evaluates the batches that workers send, in `threads` threads, by the newest
/// weights, until `stop` is set. Each request goes to one of all the evaluators.
pub fn run_evaluator<G: Encode>(
    broker: &Broker,
    start: &G,
    threads: usize,
    stop: &AtomicBool,
    log: &(impl Fn(&str) + Sync),
) -> anyhow::Result<()> {
    let (shape, newest) = (start.shape(), broker.follow_weights()?);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1))
            .map(|_| {
                let newest = newest.clone();
                scope.spawn(move || serve(broker, &shape, newest, stop, log))
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })
}

fn serve(
    broker: &Broker,
    shape: &Shape,
    mut newest: NewestWeights,
    stop: &AtomicBool,
    log: &impl Fn(&str),
) -> anyhow::Result<()> {
    let (mut network, mut requests) = (None, None);
    let mut output = Output::default();
    while !stop.load(Relaxed) {
        if newest.has_changed()? || network.is_none() {
            let weights = newest.borrow_and_update().clone();
            if let Some(weights) = weights {
                weights.check(shape)?;
                log(&weights.line());
                network = Some(InferenceNet::new(&weights.network));
            }
        }
        let Some(network) = &mut network else {
            thread::sleep(POLL);
            continue;
        };
        // Subscribed only now: without weights a request could not be served.
        if requests.is_none() {
            let group = "evaluators".to_owned();
            let subject = broker.evaluations();
            requests = Some(broker.wait(broker.client.queue_subscribe(subject, group))?);
        }
        let next = requests.as_mut().map(StreamExt::next).expect("subscribed above");
        let Ok(Some(message)) = broker.wait(async { timeout(POLL, next).await }) else { continue };
        let Some(reply) = message.reply else { continue };
        // An empty reply says that the request was invalid.
        let bytes = Request::read(&message.payload, shape)
            .map_or(Vec::new(), |request| request.evaluate(shape, network, &mut output));
        broker.wait(broker.client.publish(reply, bytes.into()))?;
    }
    Ok(())
}
