//! What an engine answers that gets no core in all its time: its best guess, never
//! an arbitrary move. A search of no time at all shows it on any machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use games::{Game, Record, Rng};
use search::knowledge::{best_after_one_ply, best_by_default};
use search::{Engine, Limits, Runner, SearchControl, SearchInfo, Source};
use session::engine::{build, evaluation, resolve};
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

fn no_time() -> Limits {
    Limits::time(Duration::ZERO)
}

/// Every family, in positions after some random moves.
struct Guesses;

impl GameVisitor for Guesses {
    type Output = ();

    fn visit<G: Playable>(self, start: G) {
        for name in
            ["uct memory=1", "puct memory=1", "alpha-beta table=1", "best", "level n=10 careless=0"]
        {
            let spec: EngineSpec = name.parse().unwrap();
            // Its own evaluation, or the game's where it has none.
            let plain = resolve(&spec, G::row()).unwrap();
            let evaluation = match plain.family().has("eval") {
                true => evaluation::<G>(&plain).unwrap(),
                false => G::evaluation(G::EVALUATIONS[0].0).unwrap(),
            };
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
                    let guess = best_after_one_ply(record.game(), &evaluation);
                    assert_eq!(info.best, guess, "{name}, seed {seed}");
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

/// An engine that does not come back from a search before `released`, like one that
/// has lost its core.
struct Held<E> {
    engine: E,
    released: Arc<AtomicBool>,
}

impl<G: Game, E: Engine<G>> Engine<G> for Held<E> {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        let info = self.engine.search(record, control);
        while !self.released.load(SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        info
    }

    fn guess(&self, record: &Record<G>, limits: &Limits) -> SearchInfo<G::Move> {
        self.engine.guess(record, limits)
    }

    fn static_guess(&self) -> fn(&G) -> Option<G::Move> {
        self.engine.static_guess()
    }

    fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
    }
}

/// Every family, while its last worker is still away; how often its answer was not
/// the first legal move.
struct Away;

impl GameVisitor for Away {
    type Output = usize;

    fn visit<G: Playable>(self, start: G) -> usize {
        let mut better = 0;
        for name in ["uct memory=1", "puct memory=1", "alpha-beta table=1", "best", "level n=10"] {
            let spec: EngineSpec = name.parse().unwrap();
            for seed in 0..8 {
                let mut rng = Rng::seeded(seed);
                let mut record = Record::new(start.clone());
                let released = Arc::new(AtomicBool::new(false));
                let engine = build::<G>(&spec, seed).unwrap();
                let mut runner = Runner::new(Held { engine, released: Arc::clone(&released) });
                runner.search(&record, &Limits::time(Duration::from_millis(2)));
                // Another game: nothing that was searched helps.
                for _ in 0..2 + rng.below(10) {
                    if let Some(mv) = record.game().random_move(&mut rng) {
                        record.play(mv).unwrap();
                    }
                }
                let begin = record.game().clone();
                let record = Record::new(begin);
                if record.outcome().is_none() {
                    let info = runner.search(&record, &Limits::time(Duration::from_millis(2)));
                    assert_eq!(info.best, best_by_default(record.game()), "{name}, seed {seed}");
                    better += usize::from(info.best != Some(record.legal()[0]));
                }
                released.store(true, SeqCst);
            }
        }
        better
    }
}

#[test]
fn while_the_engine_is_away_every_family_plays_by_the_position() {
    let better: usize = GameSpec::all().iter().map(|game| game.visit(Away)).sum();
    assert!(better > 20, "the first legal move was nearly always the guess: {better}");
}
