//! The role that judges positions for others.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use anyhow::ensure;
use futures_util::StreamExt;
use learn::net::{Frozen, Output};
use learn::{Encode, Shape};
use tokio::time::timeout;

use crate::broker::Fleet;
use crate::weights::Newest;
use crate::wire::Request;

/// How often it is looked whether to stop.
const PAUSE: Duration = Duration::from_millis(200);

/// Judges batches that workers send, in `threads` threads, by the newest
/// weights, until `stop` is set. A request goes to one of all the evaluators.
pub fn judge<G: Encode>(
    fleet: &Fleet,
    start: &G,
    threads: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn(&str) + Sync),
) -> anyhow::Result<()> {
    let (shape, newest) = (start.shape(), fleet.follow()?);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1))
            .map(|_| {
                let newest = newest.clone();
                scope.spawn(move || serve(fleet, &shape, newest, stop, tell))
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })
}

fn serve(
    fleet: &Fleet,
    shape: &Shape,
    mut newest: Newest,
    stop: &AtomicBool,
    tell: &(dyn Fn(&str) + Sync),
) -> anyhow::Result<()> {
    let (mut network, mut requests) = (None, None);
    let mut output = Output::default();
    while !stop.load(Relaxed) {
        if newest.has_changed()? || network.is_none() {
            let weights = newest.borrow_and_update().clone();
            if let Some(weights) = weights {
                let fits = shape.fits(&weights.card.architecture);
                ensure!(fits, "the weights at the broker are for another board");
                tell(&format!("weights: {}", weights.card.history.join("; ")));
                network = Some(Frozen::new(&weights.network));
            }
        }
        let Some(network) = &mut network else {
            thread::sleep(PAUSE);
            continue;
        };
        // Nobody is asked to judge who can't.
        if requests.is_none() {
            let group = "evaluators".to_owned();
            requests = Some(fleet.wait(fleet.client.queue_subscribe(fleet.judging(), group))?);
        }
        let next = requests.as_mut().map(StreamExt::next).expect("subscribed above");
        let Ok(Some(message)) = fleet.wait(async { timeout(PAUSE, next).await }) else { continue };
        let Some(reply) = message.reply else { continue };
        // An empty answer says that the request was none.
        let answer = Request::read(&message.payload, shape)
            .map_or(Vec::new(), |request| request.judge(network, &mut output));
        fleet.wait(fleet.client.publish(reply, answer.into()))?;
    }
    Ok(())
}
