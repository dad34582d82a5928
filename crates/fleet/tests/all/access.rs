//! BrokerOptions to the broker: over TLS with certificates of both sides and a password,
//! or with a token; and a whole run that way.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use fleet::{Broker, BrokerOptions, WorkerOptions};
use learn::selfplay::Adjudicator;
use learn::train::{MetricsRow, TrainSettings};

use crate::testbed::{GAME, can_test, settings, start, start_broker, trainer, wait};

/// Runs openssl in a folder.
fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    command.current_dir(folder).args(arguments.split_whitespace());
    let output = command.output().expect("install the package openssl");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A certificate authority, and a certificate by it for each side.
fn certificates(folder: &Path) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(
        folder,
        &format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=authority"),
    );
    for (name, more) in
        [("server", "subjectAltName=IP:127.0.0.1"), ("client", "keyUsage=digitalSignature")]
    {
        std::fs::write(folder.join(format!("{name}.ext")), more).expect("a file");
        openssl(folder, &format!("req {key} -keyout {name}.key -out {name}.csr -subj /CN={name}"));
        openssl(
            folder,
            &format!(
                "x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial \
                 -days 2 -out {name}.pem -extfile {name}.ext"
            ),
        );
    }
}

/// The broker's URL without its scheme.
fn host(url: &str) -> &str {
    url.split("//").last().expect("an address")
}

#[test]
fn a_run_over_tls_with_a_password() {
    if !can_test() {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    certificates(folder);
    let file = |name: &str| -> PathBuf { folder.join(name) };
    let text = |name: &str| file(name).to_str().expect("a plain name").to_owned();
    let (cert, key, ca) = (text("server.pem"), text("server.key"), text("ca.pem"));
    let tls = ["--tlsverify", "--tlscert", &cert, "--tlskey", &key, "--tlscacert", &ca];
    let (_broker, url) =
        start_broker(folder, &[&tls[..], &["--user", "ann", "--pass", "s3cret"]].concat());
    let access = BrokerOptions {
        url: format!("tls://{}", host(&url)),
        run: "safe".to_owned(),
        user: Some(("ann".to_owned(), "s3cret".to_owned())),
        token: None,
        tls: true,
        authority: Some(file("ca.pem")),
        certificate: Some((file("client.pem"), file("client.key"))),
    };
    let refused = |what: &str, access: BrokerOptions| {
        assert!(Broker::connect(&access).is_err(), "connected with {what}");
    };
    let user = Some(("ann".to_owned(), "guessed".to_owned()));
    refused("another password", BrokerOptions { user, ..access.clone() });
    refused("no password", BrokerOptions { user: None, ..access.clone() });
    refused("no certificate", BrokerOptions { certificate: None, ..access.clone() });
    refused(
        "an authority that it does not trust",
        BrokerOptions { authority: None, ..access.clone() },
    );

    // A trainer and a worker, each with a connection of its own.
    static STOP: AtomicBool = AtomicBool::new(false);
    let run = file("run");
    let chosen = TrainSettings { match_pairs: 1, checkpoint_minutes: 0.01, ..settings() };
    let mut trainer = trainer(&run, chosen);
    let broker = Broker::connect(&access).expect("a connection");
    let training = thread::spawn(move || {
        let log = &mut |line: &str| println!("{line}");
        fleet::run_trainer(
            &broker,
            GAME.to_owned(),
            &mut trainer,
            &Adjudicator::none(),
            32,
            &STOP,
            log,
        )
        .expect("training");
        trainer.progress
    });
    let broker = Broker::connect(&access).expect("a connection");
    let playing = thread::spawn(move || {
        let config = broker.run_config(&STOP).expect("a configuration").expect("no stop before");
        let options = WorkerOptions::new(1, true);
        fleet::run_worker(&broker, &start(), &config.settings, &options, &STOP, &|_| ())
            .expect("play");
    });
    let rows = || -> Vec<MetricsRow> {
        let text = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap_or_default();
        // The last line may be half written.
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    wait("reports of games, steps and a match", || {
        let checkpoints = std::fs::read_dir(run.join("checkpoints")).expect("a folder").count();
        let enough = |row: &MetricsRow| row.games > 10 && row.steps > 0 && checkpoints > 2;
        rows().last().is_some_and(enough).then_some(())
    });
    STOP.store(true, Relaxed);
    playing.join().expect("a worker");
    let progress = training.join().expect("a trainer");
    let rows = rows();
    let last = rows.last().expect("a report");
    assert_eq!((last.games, last.steps), (progress.games, progress.steps));
    assert!(rows.iter().any(|row| row.policy_loss > 0.0 && row.games_per_hour > 0.0));
    assert!(rows.is_sorted_by(|a, b| a.games <= b.games && a.seconds <= b.seconds));
    assert!(progress.curve.len() >= 2, "checkpoints are compared");
}

#[test]
fn a_token_lets_in() {
    if !can_test() {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let (_broker, url) = start_broker(folder, &["--auth", "open-sesame"]);
    let url = format!("nats://{}", host(&url));
    let access = |token: Option<&str>| BrokerOptions {
        url: url.clone(),
        run: "safe".to_owned(),
        token: token.map(str::to_owned),
        ..BrokerOptions::default()
    };
    let broker = Broker::connect(&access(Some("open-sesame"))).expect("a connection");
    // There is no run, and we do not wait for one.
    assert!(broker.run_config(&AtomicBool::new(true)).expect("an answer").is_none());
    assert!(Broker::connect(&access(Some("open-barley"))).is_err());
    assert!(Broker::connect(&access(None)).is_err());
    // One that wants an encrypted connection does not take this one.
    assert!(Broker::connect(&BrokerOptions { tls: true, ..access(Some("open-sesame")) }).is_err());
}
