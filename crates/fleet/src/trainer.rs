//! The role that learns; the paper's master, too, for it says what is played.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use learn::Encode;
use learn::replay::Shards;
use learn::selfplay::Played;
use learn::train::{Journal, Metrics, Row, Trainer, keep};

use crate::broker::{Fleet, Plan};

/// How long to wait for games when there are none.
const PAUSE: Duration = Duration::from_millis(200);
/// Games that are written, and then confirmed, at least so often.
const WRITE: Duration = Duration::from_secs(10);
/// Games that may be taken and not yet confirmed: a shard's, but never more than
/// half the queue, where they have their place until then.
const HELD: u32 = 128;

/// Takes games out of the queue and learns from them until the settings' time is
/// over or `stop` is set. The queue holds at most `queue` games. `tell` is given
/// lines for people.
pub fn train<G: Encode>(
    fleet: &Fleet,
    game: String,
    trainer: &mut Trainer<G>,
    queue: u32,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&str),
) -> anyhow::Result<()> {
    let begun = Instant::now();
    let before = trainer.progress.seconds;
    let mut known = numbers(trainer)?;
    trainer.warm_up(|_, _| !stop.load(Relaxed));
    let settings = trainer.settings.clone();
    let plan = Plan { game, settings: settings.clone() };
    let games = fleet.wait(fleet.found(&plan, queue.max(1).into()))?;
    fleet.wait(fleet.publish(trainer.network(), &trainer.card()))?;
    let mut journal = Journal::open(&trainer.folder)?;
    if trainer.progress.curve.is_empty() {
        keep(trainer, tell)?;
    }
    tell("the fleet may play");
    tell(Row::HEAD);

    let most = (queue / 2).clamp(1, HELD) as usize;
    let mut held: Vec<Message> = Vec::new();
    let mut metrics = Metrics::default();
    let (mut written, mut reported, mut published, mut kept) = (begun, begun, begun, begun);
    let mut steps = trainer.progress.steps;
    loop {
        for message in fleet.wait(next(&games, most - held.len()))? {
            match read(&message, trainer) {
                // Refused for good: another try would read the same.
                Err(error) => {
                    tell(&format!("a game was refused: {error}"));
                    confirm(fleet, message, AckKind::Term);
                }
                Ok(played) => {
                    if known.insert(played.id) {
                        metrics.played(&played);
                        trainer.take(played)?;
                        learn(trainer, &mut metrics, stop)?;
                    }
                    held.push(message);
                }
            }
        }
        learn(trainer, &mut metrics, stop)?;
        trainer.progress.seconds = before + begun.elapsed().as_secs_f64();
        let end = stop.load(Relaxed) || trainer.is_over();
        if end || held.len() >= most || written.elapsed() >= WRITE {
            trainer.save()?;
            held.drain(..).for_each(|message| confirm(fleet, message, AckKind::Ack));
            written = Instant::now();
        }
        let due = published.elapsed().as_secs_f64() >= settings.publish;
        if (end || due) && trainer.progress.steps > steps {
            // A broker that is away for a moment gets the next ones.
            if let Err(error) = fleet.wait(fleet.publish(trainer.network(), &trainer.card())) {
                tell(&format!("weights were not published: {error}"));
            }
            steps = trainer.progress.steps;
            published = Instant::now();
        }
        if end || kept.elapsed().as_secs_f64() >= settings.checkpoint * 60.0 {
            keep(trainer, tell)?;
            kept = Instant::now();
        }
        if end || reported.elapsed().as_secs_f64() >= settings.report {
            // How many games the queue holds that nobody has taken yet.
            let waiting = fleet.wait(games.get_info()).map_or(0, |info| info.num_pending);
            let row = metrics.report(trainer, reported.elapsed());
            journal.write(&row)?;
            tell(&format!("{}, {waiting} waiting", row.line()));
            reported = Instant::now();
        }
        if end {
            return Ok(());
        }
    }
}

/// Learns what the games taken call for.
fn learn<G: Encode>(
    trainer: &mut Trainer<G>,
    metrics: &mut Metrics,
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    while !stop.load(Relaxed) {
        let asked = Instant::now();
        let Some(loss) = trainer.learn() else { return Ok(trainer.mark()?) };
        metrics.learnt(loss, asked.elapsed());
    }
    Ok(())
}

/// The numbers of all games on disk.
fn numbers<G: Encode>(trainer: &Trainer<G>) -> anyhow::Result<HashSet<u64>> {
    let shards = Shards::open(&trainer.folder.games())?;
    let mut known = HashSet::new();
    for shard in shards.numbers()? {
        known.extend(shards.read(shard)?.iter().map(|played| played.id));
    }
    Ok(known)
}

/// At most `most` games of the queue, as many as are there.
async fn next(games: &PullConsumer, most: usize) -> anyhow::Result<Vec<Message>> {
    let fetch = games.fetch().max_messages(most).expires(PAUSE);
    let Ok(mut messages) = fetch.messages().await else {
        // The broker is away for a moment.
        tokio::time::sleep(PAUSE).await;
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    while let Some(message) = messages.next().await {
        all.extend(message);
    }
    Ok(all)
}

fn read<G: Encode>(message: &Message, trainer: &Trainer<G>) -> anyhow::Result<Played> {
    let mut bytes = &message.payload[..];
    let played = Played::read(&mut bytes)?;
    anyhow::ensure!(bytes.is_empty(), "there is something behind it");
    played.check(trainer.start())?;
    Ok(played)
}

/// An answer that is lost is no harm: the game comes again and is known.
fn confirm(fleet: &Fleet, message: Message, kind: AckKind) {
    if let Err(error) = fleet.wait(message.ack_with(kind)) {
        eprintln!("a game was not confirmed: {error}");
    }
}
