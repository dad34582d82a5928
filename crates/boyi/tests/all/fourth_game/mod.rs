//! A fourth game, which the program does not have: Kalah, with captures, repeated
//! turns and a board that is not square.
//!
//! It is written as CONTRIBUTING.md's "Add a game" says, a file for each that the
//! program's games have, and reaches everything by them alone: perft and the laws
//! of games, both searches, a match, training, protocols, records and a drawn
//! board. What is checked here is that none of that knows its games by name.

mod encode;
mod knowledge;
#[path = "../../../../games/tests/laws/mod.rs"]
mod laws;
mod row;
mod rules;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arena::{Entrant, Factory, MatchConfig, Openings, RunOptions, Store};
use games::{Game, Player, Record, Text, perft};
use learn::selfplay::{SelfPlaySettings, Worker};
use learn::train::{RunConfig, RunFolder, TrainRatio, TrainSettings, Trainer};
use learn::{Encode, NetworkEvaluator};
use protocols::{Dialect, Log, ProtocolRunner, Ugi};
use records::{Format, GameRecord};
use row::ROW;
use rules::{Kalah, Pit};
use search::{Engine, Limits};
use serde_json::json;
use session::{EngineSpec, GameSpec, Playable, open};

fn start() -> Kalah {
    Kalah::start(&Default::default()).unwrap()
}

fn spec(setup: &str) -> GameSpec {
    GameSpec::new(&ROW, setup).unwrap()
}

fn engine(text: &str) -> EngineSpec {
    text.parse().unwrap()
}

#[test]
fn it_keeps_the_laws_of_games() {
    for setup in ["", "6x4", "2x1", "3x6"] {
        laws::contract::<Kalah>(setup, 60);
        laws::symmetry::<Kalah>(setup, 1, 20);
    }
    // Counted by a second implementation, which shares nothing with this one.
    let counts: Vec<u64> = (1..=6).map(|depth| perft(&start(), depth)).collect();
    assert_eq!(counts, [4, 15, 50, 158, 488, 1_510]);
    let again = start().after(Pit(1));
    assert_eq!((again.to_move(), again.score(Player::First)), (Player::First, 1));
    let capture = Kalah::parse(&Default::default(), "1.0.3.3+2 3.3.5.3+1 first").unwrap();
    assert_eq!(capture.after(Pit(0)).position(), "0.0.3.3+8 3.3.0.3+1 second");
}

/// First's and Second's points in a match of engines by their specs.
fn match_score(specs: [&str; 2], limits: Limits, rounds: u64) -> [f64; 2] {
    let entrants =
        specs.map(|spec| Entrant { spec: spec.to_owned(), version: "1".to_owned(), limits });
    let mut config = MatchConfig::new::<Kalah>(&Default::default(), entrants.to_vec(), 12);
    config.openings = Openings::Random { plies: 2 };
    let specs = specs.map(engine);
    let factory: Factory<Kalah> =
        Arc::new(move |number| -> Result<Box<dyn Engine<Kalah>>, String> {
            Kalah::engine(&specs[number], &start(), 1).map_err(|error| error.to_string())
        });
    let mut store = Store::in_memory().unwrap();
    let options = RunOptions { rounds, concurrency: 2, ..RunOptions::default() };
    let stop = AtomicBool::new(false);
    arena::run(&config, &options, factory, &mut store, &stop, &mut |_: &arena::MatchProgress| {})
        .unwrap();
    let id = store.match_id(&config).unwrap();
    let games = store.games(id).unwrap();
    let mut points = [0.0; 2];
    for game in games {
        // Every stored game can be played again, and ends as it says.
        let mut record = Record::new(start());
        record.play_text(&game.moves).unwrap();
        assert_eq!(record.outcome(), Some(game.outcome));
        for (player, number) in Player::BOTH.into_iter().zip(game.engines) {
            let share = game.outcome.winner.map_or(0.5, |winner| f64::from(winner == player));
            points[number] += share;
        }
    }
    points
}

#[test]
fn searches_beat_chance_in_a_match() {
    let limits = Limits { sims: Some(300), depth: Some(4), ..Limits::default() };
    for strong in ["uct", "alpha-beta", "best"] {
        let [strong, weak] = match_score([strong, "random"], limits, 20);
        assert!(strong > 3.0 * weak && strong + weak == 40.0, "{strong} : {weak}");
    }
}

#[test]
fn a_network_learns_it() {
    let settings = TrainSettings {
        blocks: 1,
        channels: 8,
        batch_size: 16,
        ratio: TrainRatio::Reuse(2.0),
        random_games: 0,
        selfplay: SelfPlaySettings { games: 8, sims: 16, ..SelfPlaySettings::default() },
        ..TrainSettings::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let config = RunConfig { game: spec("").to_string(), settings };
    let folder = RunFolder::create(folder.path(), &config).unwrap();
    let mut trainer = Trainer::open(folder, start(), config.settings.clone()).unwrap();
    let mut evaluator = NetworkEvaluator::new(trainer.network(), 1 << 10);
    let mut worker = Worker::new(start(), config.settings.selfplay, 3, 0, 1);
    let (mut games, mut losses) = (Vec::new(), Vec::new());
    while games.len() < 24 {
        games.extend(worker.step(&mut evaluator));
    }
    for game in games {
        trainer.add_game(game).unwrap();
        losses.extend(std::iter::from_fn(|| trainer.step()));
    }
    assert!(losses.len() > 4, "{} steps", losses.len());
    trainer.save().unwrap();
}

#[test]
fn it_is_played_by_protocol() {
    let ugi = Ugi::new(Dialect::Ugi, &spec(""), engine("alpha-beta depth=4"), 1);
    let mut runner = ProtocolRunner::new(ugi, engine("alpha-beta depth=4"), 1, Log(None));
    assert!(runner.exchange("ugi").contains(&"ugiok".to_owned()));
    assert!(runner.exchange("position startpos moves 2").is_empty());
    assert_eq!(runner.exchange("query p1turn"), ["response true"], "a turn is repeated");
    let answer = runner.exchange("go depth 4").pop().unwrap();
    assert!(answer.starts_with("bestmove "), "{answer}");
    assert!(runner.exchange("setoption name Game value kalah 6x4").is_empty());
    assert!(runner.exchange("position startpos moves 6").is_empty());
    assert_eq!(runner.exchange("query gameover"), ["response false"]);
}

#[test]
fn a_record_comes_back() {
    let game = spec("3x2");
    let mut session = open(&game);
    while let Some(mv) = session.legal().pop() {
        session.play(&mv).unwrap();
    }
    let record = GameRecord::of_session(&session);
    assert_eq!(Format::of_contest(&game), Format::Plain);
    let text = records::write(&record, Format::Plain).unwrap();
    let found = records::read(&text, None, Some(&game)).unwrap();
    let again = found.replay(None).unwrap();
    assert_eq!((again.spec(), again.moves()), (&game, session.moves()));
    assert_eq!(again.outcome(), session.outcome());
    for format in [Format::Contest, Format::Json, Format::Platform, Format::Columns] {
        assert!(records::write(&record, format).is_err(), "{format} is another game's");
    }
}

#[test]
fn it_is_drawn() {
    let mut session = open(&spec(""));
    let geometry = serde_json::to_value(session.geometry()).unwrap();
    assert_eq!(geometry["kind"], "kalah");
    assert_eq!((&geometry["width"], &geometry["height"]), (&json!(6.0), &json!(2.0)));
    let ids: HashSet<String> =
        session.geometry().places.into_iter().map(|place| place.id).collect();
    assert_eq!(ids.len(), 8);
    while session.outcome().is_none() {
        let legal = session.legal_moves();
        assert!(legal.iter().all(|mv| ids.contains(&mv.places[0])));
        session.play(&legal[0].text).unwrap();
        let view = serde_json::to_value(session.view()).unwrap();
        assert_eq!(view["last"], json!(legal[0].places));
        let seeds: u64 =
            view["seeds"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
        assert!(session.outcome().is_some() || seeds + total(&view["score"]) == 24, "{view}");
    }
    assert_eq!(total(&serde_json::to_value(session.view()).unwrap()["score"]), 24);
}

fn total(score: &serde_json::Value) -> u64 {
    score.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum()
}

#[test]
fn a_spec_of_it_is_one_like_any_other() {
    assert_eq!(spec("6x4").to_string(), "kalah 6x4");
    assert_eq!(spec("").read("mancala 6x4").unwrap(), spec("6x4"));
    assert_eq!(spec("6x4").read("kalah").unwrap(), spec(""));
    assert_eq!(spec("").read("connect-four 9x9").unwrap().name(), "connect-four");
    assert!(GameSpec::new(&ROW, "9x9").is_err());
    for line in ROW.setups {
        assert_eq!(&spec("").read(line).unwrap().to_string(), line);
    }
    let shape = start().shape();
    assert_eq!((shape.grid.height, shape.grid.width, shape.moves), (2, 4, 4));
}
