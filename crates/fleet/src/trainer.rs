//! The role that learns; the paper's master, too, for it says what is played.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use learn::Encode;
use learn::net::Loss;
use learn::replay::Shards;
use learn::selfplay::Played;
use learn::train::Trainer;

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
    tell("the fleet may play");

    let most = (queue / 2).clamp(1, HELD) as usize;
    let mut held: Vec<Message> = Vec::new();
    let mut losses = Losses::default();
    let (mut written, mut reported, mut published) = (begun, begun, begun);
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
                        trainer.take(played)?;
                    }
                    held.push(message);
                }
            }
        }
        while let Some(loss) = trainer.learn() {
            losses.add(loss);
            if stop.load(Relaxed) {
                break;
            }
        }
        trainer.progress.seconds = before + begun.elapsed().as_secs_f64();
        let end = stop.load(Relaxed) || trainer.share() >= 1.0;
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
        if end || reported.elapsed().as_secs_f64() >= settings.report {
            // How many games the queue holds that nobody has taken yet.
            let waiting = fleet.wait(games.get_info()).map_or(0, |info| info.num_pending);
            tell(&format!("{}, {waiting} waiting", losses.report(trainer)));
            reported = Instant::now();
        }
        if end {
            return Ok(());
        }
    }
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

/// Losses since the last report.
#[derive(Default)]
struct Losses {
    sum: Loss,
    steps: u64,
}

impl Losses {
    fn add(&mut self, loss: Loss) {
        self.sum.policy += loss.policy;
        self.sum.value += loss.value;
        self.steps += 1;
    }

    fn report<G: Encode>(&mut self, trainer: &Trainer<G>) -> String {
        let Losses { sum, steps } = std::mem::take(self);
        let progress = &trainer.progress;
        let mut line = format!(
            "{:.0} s, {} games, {} samples, {} steps",
            progress.seconds, progress.games, progress.samples, progress.steps
        );
        if steps > 0 {
            let [policy, value] = [sum.policy, sum.value].map(|sum| sum / steps as f64);
            line += &format!(", loss {policy:.3} + {value:.3}");
        }
        line
    }
}
