//! Matches on many machines: one process has the match and its store, players play
//! its games.
//!
//! The process with the match gives out one game at a time to whoever asks, and takes
//! the results ([`arena::RemotePlayers`]); nothing is kept at the broker, because the
//! store has all that is finished and the schedule all that is not. A player says
//! again and again that it is still playing; a game of which nothing is heard is given
//! to another. So players may die at any moment, and the process with the match may:
//! it resumes from its store, and players that wait for it ask on.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use arena::{GameResult, GameTask, PlayerMessage, RemotePlayers};
use futures_util::StreamExt;

use crate::broker::Broker;

/// How often a player says that it is playing.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// How long to wait before asking again.
const RETRY: Duration = Duration::from_millis(200);
/// Time between two looks at whether a game is over.
const TICK: Duration = Duration::from_millis(5);

/// The players of the broker's run, for as long as the broker is there.
pub fn remote_players(broker: &Broker) -> anyhow::Result<RemotePlayers> {
    let players = RemotePlayers::new(getrandom::u64()?);
    let mut requests = broker.wait(broker.client.subscribe(broker.players()))?;
    let (client, answering) = (broker.client.clone(), players.clone());
    broker.spawn(async move {
        while let Some(request) = requests.next().await {
            let Ok(message) = serde_json::from_slice(&request.payload) else { continue };
            let (task, refusal) = answering.receive(message, Instant::now());
            if let Some(reason) = refusal {
                eprintln!("a player refuses: {reason}");
            }
            if let (Some(subject), Ok(reply)) = (request.reply, serde_json::to_vec(&task)) {
                let _ = client.publish(subject, reply.into()).await;
            }
        }
    });
    Ok(players)
}

/// Plays games of whatever match asks for players, until `stop` is set. `play` plays
/// one, or says why this player can't; it gives nothing if it was stopped.
pub fn run_player(
    broker: &Broker,
    threads: usize,
    play: &(impl Fn(&GameTask) -> Result<Option<GameResult>, String> + Sync),
    stop: &AtomicBool,
    log: &(impl Fn(&str) + Sync),
) {
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while !stop.load(Relaxed) {
                    match broker.say(&PlayerMessage::Free) {
                        Some(Some(task)) => broker.play_task(&task, play, stop, log),
                        _ => thread::sleep(RETRY),
                    }
                }
            });
        }
    });
}

impl Broker {
    /// The subject of what players say.
    fn players(&self) -> String {
        format!("boyi.{}.players", self.run())
    }

    /// Says something to the process with the match and gives its answer; none if
    /// nobody has one.
    fn say(&self, message: &PlayerMessage) -> Option<Option<GameTask>> {
        let bytes = serde_json::to_vec(message).ok()?;
        let reply = self.wait(self.client.request(self.players(), bytes.into())).ok()?;
        serde_json::from_slice(&reply.payload).ok()
    }

    /// Says something until it was heard; false if `stop` is set before.
    fn insist(&self, message: &PlayerMessage, stop: &AtomicBool) -> bool {
        while self.say(message).is_none() {
            if stop.load(Relaxed) {
                return false;
            }
            thread::sleep(RETRY);
        }
        true
    }

    fn play_task(
        &self,
        task: &GameTask,
        play: &(impl Fn(&GameTask) -> Result<Option<GameResult>, String> + Sync),
        stop: &AtomicBool,
        log: &impl Fn(&str),
    ) {
        let done = AtomicBool::new(false);
        let played = thread::scope(|scope| {
            scope.spawn(|| {
                let mut said = Instant::now();
                while !done.load(Relaxed) {
                    if said.elapsed() >= HEARTBEAT {
                        self.say(&PlayerMessage::Playing(task.id));
                        said = Instant::now();
                    }
                    thread::sleep(TICK);
                }
            });
            let played = play(task);
            done.store(true, Relaxed);
            played
        });
        match played {
            Ok(Some(game)) => {
                let line = format!("game {}: {}", game.index + 1, game.outcome);
                if self.insist(&PlayerMessage::Played(task.id, Box::new(game.into())), stop) {
                    log(&line);
                }
            }
            Ok(None) => {}
            Err(reason) => {
                log(&reason);
                self.insist(&PlayerMessage::Refused(task.id, reason), stop);
                // Another player may be able to.
                thread::sleep(5 * RETRY);
            }
        }
    }
}
