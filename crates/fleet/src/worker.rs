//! The role that plays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use anyhow::ensure;
use games::MoveList;
use learn::selfplay::Worker;
use learn::train::Settings;
use learn::{Encode, Judge};
use search::{Evaluation, Evaluator, Leaf};

use crate::broker::Fleet;
use crate::weights::{Newest, Weights};
use crate::wire::Request;

/// How long to wait for an evaluator to appear before asking again.
const PAUSE: Duration = Duration::from_millis(200);
/// Positions that a judge of our own remembers.
const MEMORY: usize = 1 << 15;
/// Bits of a game's number that count; those before them are the thread's own.
const NUMBERS: u32 = 24;

/// How a worker works.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Threads that play.
    pub threads: usize,
    /// Whether it judges positions by itself, with the newest weights, rather
    /// than asking the evaluators.
    pub alone: bool,
}

/// What the threads of a worker share.
struct Shift<'a, G> {
    fleet: &'a Fleet,
    start: &'a G,
    settings: &'a Settings,
    newest: Newest,
    stop: &'a AtomicBool,
    tell: &'a (dyn Fn(&str) + Sync),
}

/// Plays games and hands them in until `stop` is set. `tell` is given a line for
/// each game that the broker has confirmed, and for new weights.
pub fn play<G: Encode>(
    fleet: &Fleet,
    start: &G,
    settings: &Settings,
    work: Work,
    stop: &AtomicBool,
    tell: &(dyn Fn(&str) + Sync),
) -> anyhow::Result<()> {
    let shift = Shift { fleet, start, settings, newest: fleet.follow()?, stop, tell };
    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..work.threads.max(1)).map(|_| scope.spawn(|| shift.work(work.alone))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })
}

impl<G: Encode> Shift<'_, G> {
    fn work(&self, alone: bool) -> anyhow::Result<()> {
        // Numbers begin at random, so that no two threads of the fleet, however
        // often they are restarted, play the same games.
        let first = (getrandom::u64()? >> 1) & !((1 << NUMBERS) - 1);
        let settings = self.settings.selfplay.clone();
        let mut worker = Worker::new(self.start.clone(), settings, self.settings.seed, first, 1);
        let mut newest = self.newest.clone();
        let mut judge: Option<Judge<G>> = None;
        let mut remote = Remote { shift: self };
        while !self.stop.load(Relaxed) {
            if newest.has_changed()? || judge.is_none() {
                let weights = newest.borrow_and_update().clone();
                if let Some(weights) = weights {
                    self.renew(&mut judge, &weights)?;
                } else if alone {
                    thread::sleep(PAUSE);
                    continue;
                }
            }
            let evaluator: &mut dyn Evaluator<G> = match &mut judge {
                Some(judge) if alone => judge,
                _ => &mut remote,
            };
            worker.step(evaluator, &mut |played| {
                if self.fleet.hand_in(&played, self.stop, self.tell) {
                    (self.tell)(&format!("game {:016x}", played.id));
                }
            });
        }
        Ok(())
    }

    fn renew(&self, judge: &mut Option<Judge<G>>, weights: &Arc<Weights>) -> anyhow::Result<()> {
        let fits = self.start.shape().fits(&weights.card.architecture);
        ensure!(fits, "the weights at the broker are for another board");
        (self.tell)(&format!("weights: {}", weights.card.history.join("; ")));
        match judge {
            Some(judge) => judge.renew(&weights.network),
            None => *judge = Some(Judge::new(&weights.network, MEMORY)),
        }
        Ok(())
    }
}

/// Judges by asking the fleet's evaluators.
struct Remote<'a, 'b, G> {
    shift: &'a Shift<'b, G>,
}

impl<G: Encode> Evaluator<G> for Remote<'_, '_, G> {
    fn evaluate(&mut self, batch: &[Leaf<G>], out: &mut Vec<Evaluation>) {
        out.clear();
        let shape = self.shift.start.shape();
        // A position there and its judgement back, with some room for the rest.
        let one = 4 * (shape.inputs() + shape.moves) + 64;
        let payload = self.shift.fleet.client.server_info().max_payload;
        for leaves in batch.chunks((payload / one).max(1)) {
            let mut request = Request::default();
            request.planes.resize(leaves.len() * shape.inputs(), 0.0);
            let planes = request.planes.chunks_exact_mut(shape.inputs());
            for (leaf, planes) in leaves.iter().zip(planes) {
                leaf.game.encode(leaf.last, planes);
                let mut moves = MoveList::new();
                leaf.game.moves(&mut moves);
                request.codes.push(moves.iter().map(|&mv| leaf.game.code(mv) as u16).collect());
            }
            for (leaf, mut judged) in leaves.iter().zip(self.ask(&request)) {
                judged.value *= leaf.game.to_move().sign() as f32;
                out.push(judged);
            }
        }
    }
}

impl<G: Encode> Remote<'_, '_, G> {
    /// Asks until somebody answers. Whoever dies with a request loses nothing: it
    /// is asked again.
    fn ask(&self, request: &Request) -> Vec<Evaluation> {
        let Shift { fleet, stop, tell, .. } = self.shift;
        let bytes: Vec<u8> = request.to_bytes();
        let mut told = false;
        while !stop.load(Relaxed) {
            let answer = fleet.wait(fleet.client.request(fleet.judging(), bytes.clone().into()));
            let complaint = match answer {
                Ok(message) => match request.judgement(&message.payload) {
                    Some(judged) => return judged,
                    None => "an evaluator answers something else".to_owned(),
                },
                Err(error) => format!("no evaluator answers: {error}"),
            };
            if !std::mem::replace(&mut told, true) {
                tell(&format!("{complaint}; asking again"));
            }
            thread::sleep(PAUSE);
        }
        // Told to stop: nobody will play on from these.
        let even = |codes: &Vec<u16>| vec![1.0 / codes.len() as f32; codes.len()];
        request.codes.iter().map(|c| Evaluation { value: 0.0, policy: even(c) }).collect()
    }
}
