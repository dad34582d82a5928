//! The three games with real searches, by simulations and depth: the same games
//! in any concurrency, and each stored game, played again from its moves, ends
//! as the store says.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arena::{Entrant, Factory, GameResult, MatchConfig, Openings, RunOptions, Store, run};
use games::connect_four::ConnectFour;
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;
use games::{Reason, Record, Text};
use search::alpha_beta::AlphaBeta;
use search::tree::TreeSearch;
use search::{Engine, Evaluated, Limits, alpha_beta, tree};

fn factory<G: Text + Evaluated>() -> Factory<G> {
    Arc::new(|number| -> Result<Box<dyn Engine<G>>, String> {
        let (name, _) = G::EVALUATIONS[0];
        let eval = G::evaluation(name).ok_or("the game knows its first evaluation")?;
        Ok(match number {
            0 => Box::new(TreeSearch::<G>::new(
                tree::TreeSettings { memory: 4, ..Default::default() },
                0,
            )),
            1 => Box::new(AlphaBeta::new(
                eval,
                alpha_beta::AlphaBetaSettings { table_mb: 1, ..Default::default() },
            )),
            _ => Box::new(AlphaBeta::new(eval, alpha_beta::AlphaBetaSettings::plain(1))),
        })
    })
}

fn games<G: Text + Evaluated>(config: &MatchConfig, concurrency: usize) -> Vec<GameResult> {
    let mut store = Store::in_memory().unwrap();
    let options = RunOptions { rounds: 2, concurrency, ..RunOptions::default() };
    let stop = AtomicBool::new(false);
    run(config, &options, factory::<G>(), &mut store, &stop, |_| {}).unwrap();
    let id = store.match_id(config).unwrap();
    store.games(id).unwrap().iter().map(GameResult::untimed).collect()
}

fn repeats<G: Text + Evaluated>(setup: &str, cap: Option<u32>) {
    let entrant = |spec: &str, sims, depth| Entrant {
        spec: spec.into(),
        version: "1".into(),
        limits: Limits { sims, depth, ..Limits::default() },
    };
    let engines = vec![
        entrant("uct", Some(60), None),
        entrant("alpha-beta", None, Some(3)),
        entrant("alpha-beta plain", None, Some(1)),
    ];
    let setup = setup.parse().unwrap();
    let mut config = MatchConfig::new::<G>(&setup, engines, 12);
    config.openings = Openings::Random { plies: 3 };
    config.rules.cap = cap;
    let alone = games::<G>(&config, 1);
    assert_eq!(alone.len(), 12);
    assert_eq!(alone, games::<G>(&config, 2));
    for game in alone {
        let mut record = Record::new(G::start(&setup).unwrap());
        record.play_text(&game.moves).unwrap();
        match game.outcome.reason {
            Reason::MoveCap => assert_eq!(record.moves().len(), cap.unwrap() as usize),
            _ => assert_eq!(record.outcome(), Some(game.outcome), "{game:?}"),
        }
        assert_eq!(record.moves().len(), 3 + game.plies.len());
    }
}

#[test]
fn connect_four() {
    repeats::<ConnectFour<u64>>("", None);
    repeats::<ConnectFour<u128>>("9x10 hole=3,4", None);
}

#[test]
fn dots_and_boxes() {
    repeats::<DotsAndBoxes>("3x3", None);
}

#[test]
fn surakarta() {
    repeats::<Surakarta>("", Some(80));
}
