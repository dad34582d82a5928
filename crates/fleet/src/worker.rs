//! The worker's role: playing games of self-play.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use games::{Game, MoveList};
use learn::net::Network;
use learn::selfplay::{Adjudicator, TrainingGame, Worker};
use learn::train::TrainSettings;
use learn::{Encode, NetworkEvaluator};
use search::{Evaluation, Evaluator, Leaf};

use crate::broker::Broker;
use crate::outbox::Outbox;
use crate::weights::NewestWeights;
use crate::wire::Request;

/// How long to wait for weights or an evaluator before asking again.
const RETRY: Duration = Duration::from_millis(200);
/// Positions that a local evaluator caches.
const CACHE_SIZE: usize = 1 << 15;

/// How a worker works.
#[derive(Clone)]
pub struct WorkerOptions<G: Game> {
    /// Threads of self-play.
    pub threads: usize,
    /// Whether positions are evaluated here, by the newest weights, rather than by
    /// the fleet's evaluators.
    pub local_evaluator: bool,
    /// How long a game may be without the trainer's receipt before it is published
    /// again.
    pub patience: Duration,
    /// Ends games whose result it knows.
    pub adjudicator: Adjudicator<G>,
    /// [`Worker::step`], as it was compiled with the engines.
    pub step: fn(&mut Worker<G>, &mut dyn Evaluator<G>) -> Vec<TrainingGame>,
}

impl<G: Encode> WorkerOptions<G> {
    /// So many threads, without an adjudicator.
    pub fn new(threads: usize, local_evaluator: bool) -> WorkerOptions<G> {
        WorkerOptions {
            threads,
            local_evaluator,
            patience: Duration::from_secs(60),
            adjudicator: Adjudicator::none(),
            step: |worker, evaluator| worker.step(evaluator),
        }
    }
}

/// What the threads of a worker share.
struct WorkerContext<'a, G: Game, L> {
    broker: &'a Broker,
    start: &'a G,
    settings: &'a TrainSettings,
    options: &'a WorkerOptions<G>,
    newest: NewestWeights,
    outbox: Outbox,
    stop: &'a AtomicBool,
    log: &'a L,
}

/// Plays games and submits them until `stop` is set. `log` is given a line for
/// each game that the broker has confirmed (`game ID`), for each that the trainer
/// has written (`written ID`), and for new weights.
pub fn run_worker<G: Encode>(
    broker: &Broker,
    start: &G,
    settings: &TrainSettings,
    options: &WorkerOptions<G>,
    stop: &AtomicBool,
    log: &(impl Fn(&str) + Sync),
) -> anyhow::Result<()> {
    let newest = broker.follow_weights()?;
    if let Some(warning) = broker.sync_warning() {
        log(&warning);
    }
    let outbox = Outbox::default();
    let context = WorkerContext { broker, start, settings, options, newest, outbox, stop, log };
    let end = AtomicBool::new(false);
    thread::scope(|scope| {
        let keeper = scope.spawn(|| context.outbox.keep(broker, options.patience, &end, log));
        let threads: Vec<_> =
            (0..options.threads.max(1)).map(|_| scope.spawn(|| context.play())).collect();
        let played = threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"));
        end.store(true, Relaxed);
        keeper.join().expect("no panic")?;
        played
    })?;
    match context.outbox.len() {
        0 => {}
        games => log(&format!("{games} games are at the broker, not yet written by the trainer")),
    }
    Ok(())
}

impl<G: Encode, L: Fn(&str)> WorkerContext<'_, G, L> {
    /// One thread of self-play.
    fn play(&self) -> anyhow::Result<()> {
        let local = self.options.local_evaluator;
        let Some(first) = self.lease() else { return Ok(()) };
        let TrainSettings { selfplay, seed, .. } = self.settings.clone();
        let mut worker = Worker::new(self.start.clone(), selfplay, seed, first, 1)
            .with_adjudicator(self.options.adjudicator.clone());
        let mut newest = self.newest.clone();
        let mut evaluator = FleetEvaluator { context: self, local: None };
        while !self.stop.load(Relaxed) {
            let waiting = local && evaluator.local.is_none();
            if newest.has_changed()? || waiting {
                let weights = newest.borrow_and_update().clone();
                match weights {
                    Some(weights) => {
                        weights.check(&self.start.shape())?;
                        (self.log)(&weights.line());
                        if local {
                            evaluator.set_network(&weights.network);
                        }
                    }
                    None if waiting => {
                        thread::sleep(RETRY);
                        continue;
                    }
                    None => {}
                }
            }
            for game in (self.options.step)(&mut worker, &mut evaluator) {
                if self.broker.submit(&game, &self.outbox, self.stop, self.log) {
                    (self.log)(&format!("game {:016x}", game.id));
                }
            }
        }
        Ok(())
    }
}

impl<G: Game, L: Fn(&str)> WorkerContext<'_, G, L> {
    /// Waits for a lease; none if `stop` is set before.
    fn lease(&self) -> Option<u64> {
        let mut logged = false;
        while !self.stop.load(Relaxed) {
            if let Some(first) = self.broker.request_lease() {
                return Some(first);
            }
            if !std::mem::replace(&mut logged, true) {
                (self.log)("no trainer grants a lease of game ids; asking again");
            }
            thread::sleep(RETRY);
        }
        None
    }
}

/// Evaluates by a network in this thread, if it has one, otherwise by the fleet's
/// evaluators.
struct FleetEvaluator<'a, 'b, G: Game, L> {
    context: &'a WorkerContext<'b, G, L>,
    local: Option<NetworkEvaluator<G>>,
}

impl<G: Encode, L: Fn(&str)> Evaluator<G> for FleetEvaluator<'_, '_, G, L> {
    fn evaluate(&mut self, batch: &[Leaf<G>], out: &mut Vec<Evaluation>) {
        match &mut self.local {
            Some(evaluator) => evaluator.evaluate(batch, out),
            None => self.evaluate_remotely(batch, out),
        }
    }
}

impl<G: Encode, L: Fn(&str)> FleetEvaluator<'_, '_, G, L> {
    fn set_network(&mut self, network: &Network<f32>) {
        match &mut self.local {
            Some(evaluator) => evaluator.set_network(network),
            None => self.local = Some(NetworkEvaluator::new(network, CACHE_SIZE)),
        }
    }

    /// Sends a batch in as many requests as the broker's largest message asks for.
    fn evaluate_remotely(&self, batch: &[Leaf<G>], out: &mut Vec<Evaluation>) {
        out.clear();
        let shape = self.context.start.shape();
        // A position in the request or its evaluation in the reply, with a margin.
        let size = 4 * (shape.inputs() + shape.moves) + 64;
        let payload = self.context.broker.client.server_info().max_payload;
        for leaves in batch.chunks((payload / size).max(1)) {
            let mut request = Request::default();
            request.planes.resize(leaves.len() * shape.inputs(), 0.0);
            let planes = request.planes.chunks_exact_mut(shape.inputs());
            for (leaf, planes) in leaves.iter().zip(planes) {
                leaf.game.encode(leaf.last, planes);
                let mut moves = MoveList::new();
                leaf.game.moves(&mut moves);
                request.codes.push(moves.iter().map(|&mv| leaf.game.code(mv) as u16).collect());
            }
            for (leaf, mut evaluation) in leaves.iter().zip(self.request(&request)) {
                evaluation.value *= leaf.game.to_move().sign() as f32;
                out.push(evaluation);
            }
        }
    }

    /// Sends a request until an evaluator replies; one that dies with it loses
    /// nothing. Values are the movers'.
    fn request(&self, request: &Request) -> Vec<Evaluation> {
        let WorkerContext { broker, stop, log, .. } = self.context;
        let bytes = request.to_bytes();
        let mut logged = false;
        while !stop.load(Relaxed) {
            let subject = broker.evaluations();
            let reply = broker.wait(broker.client.request(subject, bytes.clone().into()));
            let problem = match reply {
                Ok(message) => match request.read_reply(&message.payload) {
                    Some(evaluations) => return evaluations,
                    None => "an evaluator's reply is invalid".to_owned(),
                },
                Err(error) => format!("no evaluator replies: {error}"),
            };
            if !std::mem::replace(&mut logged, true) {
                log(&format!("{problem}; asking again"));
            }
            thread::sleep(RETRY);
        }
        // Stopped: no game continues from these.
        let uniform = |codes: &Vec<u16>| vec![1.0 / codes.len() as f32; codes.len()];
        request.codes.iter().map(|c| Evaluation { value: 0.0, policy: uniform(c) }).collect()
    }
}
