//! Games that claim what is not so: none of it is believed.

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use fleet::{Broker, BrokerOptions};
use futures_util::StreamExt;
use games::Rng;
use learn::net::Network;
use learn::replay::Shards;
use learn::selfplay::{Adjudicator, Ply, TrainingGame, Worker};
use learn::{Encode, NetworkEvaluator};
use serde_json::Value;

use crate::testbed::{GAME, StopOnDrop, can_test, settings, start, start_broker, trainer, wait};

/// So many games of self-play as a worker plays them, from an id on.
fn honest(first: u64, count: usize) -> Vec<TrainingGame> {
    let mut rng = Rng::seeded(1);
    let network = Network::new(settings().architecture(&start().shape()), || rng.unit());
    let mut evaluator = NetworkEvaluator::new(&network, 0);
    let mut worker = Worker::new(start(), settings().selfplay, settings().seed, first, 1);
    let mut games = Vec::new();
    while games.len() < count {
        games.extend(worker.step(&mut evaluator));
    }
    games
}

#[test]
fn forged_games_are_refused_and_honest_ones_stored() {
    if !can_test() {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let (_broker, url) = start_broker(folder, &[]);
    let options = BrokerOptions { url: url.clone(), run: "test".to_owned(), ..Default::default() };
    let stop = AtomicBool::new(false);
    let mut trainer = trainer(&folder.join("run"), settings());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut stored = Vec::new();
    thread::scope(|scope| {
        let _stop = StopOnDrop(&stop);
        scope.spawn(|| {
            let _stop = StopOnDrop(&stop);
            let broker = Broker::connect(&options).expect("a connection");
            let log = &mut |line: &str| println!("{line}");
            fleet::run_trainer(
                &broker,
                GAME.to_owned(),
                &mut trainer,
                &Adjudicator::none(),
                64,
                &stop,
                log,
            )
            .expect("training");
        });
        let client = runtime.block_on(async_nats::connect(&url)).expect("a connection");
        let lease = wait("a lease", || {
            let reply = runtime.block_on(client.request("boyi.test.leases", "".into())).ok()?;
            Some(u64::from_le_bytes(reply.payload.as_ref().try_into().ok()?))
        });
        let games = honest(lease, 12);
        let decided = games.iter().find(|game| game.result != 0).expect("a decided game").clone();
        let mut forged = vec![
            TrainingGame { id: lease + 1000, result: -decided.result, ..decided.clone() },
            TrainingGame { id: lease + 1001, plies: Vec::new(), result: 1, ..decided.clone() },
            TrainingGame { id: lease + 1002, setup: "3x3".to_owned(), ..decided.clone() },
            TrainingGame { id: lease + 1003, setup: "2".repeat(900_000), ..decided.clone() },
            TrainingGame { id: u64::MAX - 1, ..decided.clone() },
            TrainingGame { id: lease ^ (1 << 40), ..decided.clone() },
            // Its random moves do not follow from its id.
            TrainingGame { id: lease + 1004, ..decided.clone() },
        ];
        let id = decided.id;
        forged.push(TrainingGame { result: -decided.result, ..decided.clone() });
        let mut shorter = decided.clone();
        shorter.plies.pop();
        forged.push(shorter);
        let mut longer = decided.clone();
        longer.plies.push(Ply::searched(0, 0.0, &[]));
        forged.push(longer);

        let receipts = runtime.block_on(async {
            let mut receipts = client.subscribe("boyi.test.receipts").await.expect("receipts");
            for game in forged.iter().chain(&games) {
                let mut bytes = Vec::new();
                game.write(&mut bytes);
                client.publish("boyi.test.games", bytes.into()).await.expect("a message");
            }
            let mut all: Vec<(bool, u64)> = Vec::new();
            while all.len() < forged.len() + games.len() {
                let next = tokio::time::timeout(Duration::from_secs(120), receipts.next());
                let message = next.await.expect("a receipt").expect("a receipt");
                let receipt: Value = serde_json::from_slice(&message.payload).expect("JSON");
                for (name, written) in [("written", true), ("refused", false)] {
                    let ids = receipt[name].as_array().expect("ids");
                    all.extend(ids.iter().map(|id| (written, id.as_u64().expect("an id"))));
                }
            }
            all
        });
        let of = |written: bool| {
            let mut ids: Vec<u64> =
                receipts.iter().filter(|one| one.0 == written).map(|one| one.1).collect();
            ids.sort_unstable();
            ids
        };
        let mut refused: Vec<u64> = forged.iter().map(|game| game.id).collect();
        refused.sort_unstable();
        assert_eq!(of(false), refused);
        assert_eq!(refused.iter().filter(|&&one| one == id).count(), 3);
        stored.extend(games);
        assert_eq!(of(true).len(), stored.len());
    });
    let shards = Shards::open(&folder.join("run/games")).expect("shards");
    let numbers = shards.numbers().expect("numbers");
    let mut read: Vec<TrainingGame> =
        numbers.into_iter().flat_map(|number| shards.read(number).expect("a shard")).collect();
    read.sort_by_key(|game| game.id);
    stored.sort_by_key(|game| game.id);
    assert_eq!(read, stored);
    assert_eq!(trainer.progress.games, stored.len() as u64);
}
