//! The supervisor of a match: starts the workers, writes and counts what they report,
//! watches the heartbeats of every game (see [`GameDraft`]) and replaces a worker whose
//! engine hangs, and journals what a killed run would lose (see `store::journal`).

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use games::Text;

use crate::GameDraft;
use crate::referee::guarded;
use crate::run::{MatchProgress, ResultWriter, RunError, RunOptions};
use crate::worker::{MatchState, WorkerMessage};

/// A worker thread as the supervisor sees it.
struct Worker {
    draft: Arc<GameDraft>,
    heartbeats: u64,
    silent_for: Duration,
}

/// Counts and writes finished games until no worker plays any more.
pub(crate) fn supervise<G: Text, P: FnMut(&MatchProgress)>(
    state: &Arc<MatchState<G>>,
    options: &RunOptions,
    receiver: &Receiver<(u64, WorkerMessage)>,
    writer: &mut ResultWriter<P>,
    stop: &AtomicBool,
) -> Result<(), RunError> {
    let tick =
        (options.hang_timeout / 10).clamp(Duration::from_millis(1), Duration::from_millis(50));
    let mut workers: HashMap<u64, Worker> = HashMap::new();
    let mut numbers = 0..;
    let mut add_worker = |workers: &mut HashMap<u64, Worker>| -> Result<(), RunError> {
        let number = numbers.next().expect("endless");
        let draft = Arc::new(GameDraft::new());
        spawn_worker(state, number, &draft)?;
        workers.insert(number, Worker { draft, heartbeats: 0, silent_for: Duration::ZERO });
        Ok(())
    };
    for _ in 0..options.concurrency {
        add_worker(&mut workers)?;
    }
    let mut checked = Instant::now();
    while !workers.is_empty() {
        match receiver.recv_timeout(tick) {
            Ok((number, message)) if workers.contains_key(&number) => match message {
                WorkerMessage::Played { game, index, ply, written } => {
                    if let Err(error) = writer.store.journal_ply(writer.id, game, index, &ply) {
                        // Before the worker goes on, which it does when `written` is gone.
                        state.halt.store(true, Ordering::Relaxed);
                        return Err(error.into());
                    }
                    let _ = written.send(()); // unless the worker was abandoned
                }
                WorkerMessage::Finished(game) => writer.add(game)?,
                WorkerMessage::Done => drop(workers.remove(&number)),
                WorkerMessage::Failed(text) => return Err(RunError::Arena(text)),
            },
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => unreachable!("the state keeps a sender"),
        }
        if stop.load(Ordering::Relaxed) || writer.counter.standing().finished() {
            state.halt.store(true, Ordering::Relaxed);
        }
        let passed = checked.elapsed();
        if passed < tick {
            continue;
        }
        checked = Instant::now();
        // If this thread itself was held up (the process was suspended, the
        // machine slept), so were the engines: it counts as a few ticks at most.
        let hung = remove_hung(&mut workers, passed.min(4 * tick), options.hang_timeout);
        for Worker { draft, .. } in hung {
            let Some(game) = draft.take::<G>() else { continue };
            if !state.halt.load(Ordering::Relaxed) {
                writer.add(game)?;
                add_worker(&mut workers)?;
            }
        }
    }
    Ok(())
}

fn spawn_worker<G: Text>(
    state: &Arc<MatchState<G>>,
    number: u64,
    draft: &Arc<GameDraft>,
) -> Result<(), RunError> {
    let (state, draft) = (Arc::clone(state), Arc::clone(draft));
    let sender = state.sender.lock().expect("no holder panics").clone();
    thread::Builder::new()
        .name(format!("game {number}"))
        .stack_size(16 << 20) // searches recurse
        .spawn(move || {
            // The receiver is gone when the match is over; that is fine.
            let send = |message| drop(sender.send((number, message)));
            if let Err(text) = guarded(|| state.worker_loop(&draft, send)) {
                send(WorkerMessage::Failed(text));
            }
        })
        .map(drop)
        .map_err(|error| RunError::Arena(format!("no thread for a game: {error}")))
}

/// Removes the workers whose games have shown no progress for too long.
fn remove_hung(
    workers: &mut HashMap<u64, Worker>,
    passed: Duration,
    timeout: Duration,
) -> Vec<Worker> {
    for worker in workers.values_mut() {
        let heartbeats = worker.draft.heartbeats();
        let silent = heartbeats == worker.heartbeats;
        worker.silent_for = if silent { worker.silent_for + passed } else { Duration::ZERO };
        worker.heartbeats = heartbeats;
    }
    workers.extract_if(|_, worker| worker.silent_for > timeout).map(|(_, worker)| worker).collect()
}
