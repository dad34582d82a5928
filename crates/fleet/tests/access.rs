//! Who may connect: over TLS with certificates of both sides and a password, or
//! with a token; and a run that is played, learnt and measured that way.

#[allow(dead_code, reason = "each test needs a part of it")]
mod scene;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use fleet::{Access, Fleet, Work};
use learn::train::{Folder, Row, Settings, Trainer};
use scene::{GAME, broker, can_test, settings, start, wait};

/// Runs openssl in a folder.
fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    command.current_dir(folder).args(arguments.split_whitespace());
    let output = command.output().expect("install the package openssl");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// An authority, and a certificate by it for each side.
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

/// The broker's address without what it speaks.
fn host(url: &str) -> &str {
    url.split("//").last().expect("an address")
}

#[test]
fn a_run_over_tls_with_a_password() {
    if !can_test() {
        return;
    }
    let folder = scene::folder("tls");
    certificates(&folder);
    let file = |name: &str| -> PathBuf { folder.join(name) };
    let text = |name: &str| file(name).to_str().expect("a plain name").to_owned();
    let (cert, key, ca) = (text("server.pem"), text("server.key"), text("ca.pem"));
    let tls = ["--tlsverify", "--tlscert", &cert, "--tlskey", &key, "--tlscacert", &ca];
    let (_broker, url) =
        broker(&folder, &[&tls[..], &["--user", "ann", "--pass", "s3cret"]].concat());
    let access = Access {
        url: format!("tls://{}", host(&url)),
        run: "safe".to_owned(),
        user: Some(("ann".to_owned(), "s3cret".to_owned())),
        token: None,
        tls: true,
        authority: Some(file("ca.pem")),
        certificate: Some((file("client.pem"), file("client.key"))),
    };
    let stranger = |what: &str, access: Access| {
        assert!(Fleet::connect(&access).is_err(), "let in with {what}");
    };
    let user = Some(("ann".to_owned(), "guessed".to_owned()));
    stranger("another password", Access { user, ..access.clone() });
    stranger("no password", Access { user: None, ..access.clone() });
    stranger("no certificate", Access { certificate: None, ..access.clone() });
    stranger("an authority that it does not trust", Access { authority: None, ..access.clone() });

    // A trainer and a worker, each with a connection of its own.
    static STOP: AtomicBool = AtomicBool::new(false);
    let run = file("run");
    let chosen = Settings { match_pairs: 1, ..settings() };
    let made = Folder::create(&run, GAME, &chosen).expect("a folder");
    let mut trainer = Trainer::begin(made, start(), chosen).expect("a trainer");
    let fleet = Fleet::connect(&access).expect("a connection");
    let training = thread::spawn(move || {
        let tell = &mut |line: &str| println!("{line}");
        fleet::train(&fleet, GAME.to_owned(), &mut trainer, 32, &STOP, tell).expect("training");
        trainer.progress
    });
    let fleet = Fleet::connect(&access).expect("a connection");
    let playing = thread::spawn(move || {
        let plan = fleet.plan(&STOP).expect("a plan").expect("no stop before");
        let work = Work { threads: 1, alone: true };
        fleet::play(&fleet, &start(), &plan.settings, work, &STOP, &|_| ()).expect("play");
    });
    let rows = || -> Vec<Row> {
        let text = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap_or_default();
        // The last line may be half written.
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    wait("reports of games and steps", || {
        rows().last().is_some_and(|row| row.games > 10 && row.steps > 0).then_some(())
    });
    STOP.store(true, Relaxed);
    playing.join().expect("a worker");
    let progress = training.join().expect("a trainer");
    let rows = rows();
    let last = rows.last().expect("a report");
    assert_eq!((last.games, last.steps), (progress.games, progress.steps));
    assert!(rows.iter().any(|row| row.policy_loss > 0.0 && row.games_per_hour > 0.0));
    assert!(rows.is_sorted_by(|a, b| a.games <= b.games && a.seconds <= b.seconds));
    assert!(progress.curve.len() >= 2, "the first and the last network are compared");
    std::fs::remove_dir_all(&folder).expect("our folder");
}

#[test]
fn a_token_lets_in() {
    if !can_test() {
        return;
    }
    let folder = scene::folder("token");
    let (_broker, url) = broker(&folder, &["--auth", "open-sesame"]);
    let url = format!("nats://{}", host(&url));
    let access = |token: Option<&str>| Access {
        url: url.clone(),
        run: "safe".to_owned(),
        token: token.map(str::to_owned),
        ..Access::default()
    };
    let fleet = Fleet::connect(&access(Some("open-sesame"))).expect("a connection");
    // Nobody has founded a run, and we do not wait for one.
    assert!(fleet.plan(&AtomicBool::new(true)).expect("an answer").is_none());
    assert!(Fleet::connect(&access(Some("open-barley"))).is_err());
    assert!(Fleet::connect(&access(None)).is_err());
    // One that wants an encrypted connection does not take this one.
    assert!(Fleet::connect(&Access { tls: true, ..access(Some("open-sesame")) }).is_err());
    std::fs::remove_dir_all(&folder).expect("our folder");
}
