//! Whether every engine answers in time while others keep both cores busy: the
//! worst overrun of each, and an error if one is beyond the margin. The time for
//! which the answering thread waited for a core is the machine's and not counted
//! (`SearchInfo::stalled`); large boards come first.
//!
//! Arguments: moves for each engine and game (default 16, which is more than a
//! thousand in all), milliseconds a move (default 40), busy threads (default: one more
//! than cores).

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use games::{Record, Rng};
use search::{Engine, Limits, Runner};
use session::engine::{FAMILIES, build};
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

/// What an answer may take beyond its limit.
const MARGIN: Duration = Duration::from_millis(20);

/// Lets every engine that plays the game make some moves; how many they were, and the
/// worst overrun.
struct Round {
    moves: usize,
    time: Duration,
}

impl GameVisitor for Round {
    type Output = (usize, Duration);

    fn visit<G: Playable>(self, start: G) -> (usize, Duration) {
        let (mut moves, mut worst) = (0, Duration::ZERO);
        for family in FAMILIES.iter().filter(|family| family.name != "program") {
            for threads in ["", " threads=2"] {
                let Ok(spec) = format!("{}{threads}", family.name).parse::<EngineSpec>() else {
                    continue;
                };
                if let Ok(engine) = build::<G>(&spec, 1) {
                    let over = self.play(&start, Runner::new(engine));
                    println!("{} {spec}: {:.1} ms", G::NAME, over.as_secs_f64() * 1e3);
                    (moves, worst) = (moves + self.moves, worst.max(over));
                }
            }
        }
        (moves, worst)
    }
}

impl Round {
    /// One engine for both sides, so that each move begins while the last search
    /// may still be noticing its end; random moves between, to see all of a game.
    fn play<G: Playable>(&self, start: &G, mut runner: Runner<G, Box<dyn Engine<G>>>) -> Duration {
        let limits = Limits::time(self.time);
        let mut rng = Rng::seeded(2);
        let mut record = Record::new(start.clone());
        let mut worst = Duration::ZERO;
        for _ in 0..self.moves {
            if record.outcome().is_some() {
                record = Record::new(start.clone());
            }
            let began = Instant::now();
            let info = runner.search(&record, &limits);
            worst = worst.max(began.elapsed().saturating_sub(self.time + info.stalled));
            record.play(info.best.expect("the game goes on")).expect("a legal move");
            for _ in 0..3 {
                if record.outcome().is_none()
                    && let Some(mv) = record.game().random_move(&mut rng)
                {
                    record.play(mv).expect("a legal move");
                }
            }
        }
        worst
    }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).filter_map(|word| word.parse::<usize>().ok());
    let moves = words.next().unwrap_or(16);
    let time = Duration::from_millis(words.next().unwrap_or(40) as u64);
    let cores = thread::available_parallelism().map_or(2, usize::from);
    let busy = words.next().unwrap_or(cores + 1);
    let done = AtomicBool::new(false);
    let (moves, worst) = thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let large = ["dots-and-boxes 7x8", "connect-four 12x12"];
        let large = large.map(|text| text.parse::<GameSpec>().expect("a board that there is"));
        let games = large.into_iter().chain(GameSpec::all());
        let rounds = games.map(|game| game.visit(Round { moves, time }));
        let all = rounds.fold((0, Duration::ZERO), |all, one| (all.0 + one.0, all.1.max(one.1)));
        done.store(true, Relaxed);
        all
    });
    let worst_ms = worst.as_secs_f64() * 1e3;
    println!("{moves} moves of {time:?} beside {busy} busy threads");
    println!("the worst overrun: {worst_ms:.1} ms of {MARGIN:?}");
    if worst <= MARGIN { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
