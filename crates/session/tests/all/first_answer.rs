//! What an engine answers that gets no core in all its time: its best guess, never
//! an arbitrary move. A search of no time at all shows it on any machine.

use std::time::Duration;

use games::{Record, Rng};
use search::knowledge::best_by_default;
use search::{Limits, Runner, Source};
use session::engine::build;
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

fn no_time() -> Limits {
    Limits::time(Duration::ZERO)
}

/// Every family, in positions after some random moves.
struct Guesses;

impl GameVisitor for Guesses {
    type Output = ();

    fn visit<G: Playable>(self, start: G) {
        for name in ["uct memory=1", "puct memory=1", "alpha-beta table=1", "best", "level n=10"] {
            let spec: EngineSpec = name.parse().unwrap();
            let mut runner = Runner::new(build::<G>(&spec, 1).unwrap());
            let mut better = 0;
            for seed in 0..20 {
                let mut rng = Rng::seeded(seed);
                let mut record = Record::new(start.clone());
                for _ in 0..rng.below(14) {
                    if let Some(mv) = record.game().random_move(&mut rng) {
                        record.play(mv).unwrap();
                    }
                }
                if record.outcome().is_some() {
                    continue;
                }
                runner.new_game(seed);
                let info = runner.search(&record, &no_time());
                assert_eq!((info.sims, info.depth), (0, 0), "{name} had time to search");
                if info.source == Source::Search {
                    assert_eq!(info.best, best_by_default(record.game()), "{name}, seed {seed}");
                }
                better += usize::from(info.best != Some(record.legal()[0]));
            }
            assert!(better > 0, "{name}: the first legal move was always the guess");
        }
    }
}

#[test]
fn without_time_every_family_plays_its_best_guess() {
    GameSpec::all().iter().for_each(|game| game.visit(Guesses));
}

/// A tree search that kept a tree answers from it.
struct KeptTree;

impl GameVisitor for KeptTree {
    type Output = ();

    fn visit<G: Playable>(self, start: G) {
        let spec: EngineSpec = "uct memory=8 tactics=off proofs=off".parse().unwrap();
        let mut runner = Runner::new(build::<G>(&spec, 1).unwrap());
        let mut record = Record::new(start);
        let info = runner.search(&record, &Limits::sims(5_000));
        let pv = &info.lines[0].pv;
        assert!(pv.len() > 2, "{pv:?}");
        record.play(pv[0]).unwrap();
        record.play(pv[1]).unwrap();
        assert_eq!(runner.search(&record, &no_time()).best, Some(pv[2]));
    }
}

#[test]
fn without_time_a_tree_search_answers_from_the_tree_that_it_kept() {
    GameSpec::all().iter().for_each(|game| game.visit(KeptTree));
}
