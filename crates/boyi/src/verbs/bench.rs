//! `boyi bench`: the same work on every machine, with a signature that changes
//! only when behaviour does.

use std::time::{Duration, Instant};

use clap::Args;
use games::{Record, Rng, mix};
use search::{Limits, Score, SearchControl};
use serde_json::json;
use session::engine::build;
use session::{EngineSpec, GameSpec, GameVisitor, Playable, ROWS};

use crate::position::print_line;

/// Measure speed, and print a signature of behaviour
#[derive(Args)]
#[command(after_help = "\
The signature is the same on every machine and in every run; it changes when a rule, a
move order, a random choice or a search changes. The speeds are this machine's.
")]
pub struct Arguments {
    /// Seconds for each measurement; the signature does not depend on it
    #[arg(long, value_name = "S", default_value_t = 0.3, value_parser = seconds)]
    seconds: f64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=60.0).contains(&value) => Ok(value),
        _ => Err("a number from 0 to 60 is expected".to_owned()),
    }
}

/// Random games that enter the signature.
const SIGNED_GAMES: u64 = 200;

/// The searches that enter the signature: the two plain ones, and the one that plays by
/// default, with its evaluation and its solver.
const SEARCHES: [&str; 3] =
    ["alpha-beta tables=off", "uct tables=off memory=16", "best threads=1 book=off"];

struct Measured {
    signature: u64,
    leaves_per_second: f64,
    games_per_second: f64,
    /// Positions or simulations a second of each search.
    searches_per_second: [f64; 3],
}

struct Measure {
    depth: u32,
    time: Duration,
}

impl GameVisitor for Measure {
    type Output = Measured;

    fn visit<G: Playable>(self, start: G) -> Measured {
        let mut signature = start.perft(self.depth);
        for seed in 0..SIGNED_GAMES {
            let outcome = start.clone().playout(&mut Rng::seeded(seed));
            signature = mix(signature, outcome.for_first() as u64 ^ outcome.reason as u64);
        }
        let record = Record::new(start.clone());
        // Counts, so that searches repeat.
        let limits = Limits { nodes: Some(30_000), ..Limits::sims(3_000) };
        let searches_per_second = SEARCHES.map(|spec| {
            let spec: EngineSpec = spec.parse().expect("the specs here are right");
            let mut engine = build::<G>(&spec, 1).expect("every game has these engines");
            let info = engine.search(&record, &SearchControl::new(limits));
            let code: u16 = info.best.expect("the game has begun").into();
            signature = mix(signature, info.nodes ^ u64::from(code) << 48);
            // Where nodes are limited their number says nothing; depth and score do.
            let found = match info.score {
                Score::Proven { result, plies } => {
                    u64::from(plies.unwrap_or(0)) << 2 | (result + 1) as u64
                }
                Score::Points(value) | Score::Expected(value) => {
                    (value * 1e6).round() as i64 as u64
                }
            };
            signature = mix(signature, found ^ u64::from(info.depth) << 48);
            // The first search took the memory; clearing it is not searching either.
            let (mut nodes, mut searching) = (0, Duration::ZERO);
            let began = Instant::now();
            while searching < self.time && began.elapsed() < 4 * self.time {
                engine.new_game(1);
                let begun = Instant::now();
                let info = engine.search(&record, &SearchControl::new(limits));
                searching += begun.elapsed();
                nodes += info.nodes.max(info.sims);
            }
            nodes as f64 / searching.as_secs_f64()
        });
        let leaves_per_second = rate(self.time, || start.perft(self.depth));
        let mut rng = Rng::seeded(1);
        let games_per_second = rate(self.time, || {
            std::hint::black_box(start.playouts(256, &mut rng));
            256
        });
        Measured { signature, leaves_per_second, games_per_second, searches_per_second }
    }
}

/// The rate of `work` per second, measured over at least `time`.
fn rate(time: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let began = Instant::now();
    let mut done = 0;
    loop {
        done += work();
        if began.elapsed() >= time {
            return done as f64 / began.elapsed().as_secs_f64();
        }
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let mut signature = 0;
        let mut rows = Vec::new();
        if !self.json {
            let [a, b] = ["perft leaves/s", "random games/s"];
            let [c, d, e] = ["alpha-beta nodes/s", "uct nodes/s", "best nodes/s"];
            print_line(format!("{:30} {a:>15} {b:>15} {c:>18} {d:>12} {e:>12}", ""))?;
        }
        for &(text, depth) in ROWS.iter().flat_map(|row| row.bench) {
            let game: GameSpec = text.parse()?;
            let measured =
                game.visit(Measure { depth, time: Duration::from_secs_f64(self.seconds) });
            signature = mix(signature, measured.signature);
            if self.json {
                rows.push(json!({
                    "game": text,
                    "leaves_per_second": measured.leaves_per_second,
                    "games_per_second": measured.games_per_second,
                    "alpha_beta_nodes_per_second": measured.searches_per_second[0],
                    "uct_nodes_per_second": measured.searches_per_second[1],
                    "best_nodes_per_second": measured.searches_per_second[2],
                }));
            } else {
                let (leaves, games) = (measured.leaves_per_second, measured.games_per_second);
                let [alpha_beta, uct, best] = measured.searches_per_second;
                print_line(format!(
                    "{text:30} {leaves:>15.0} {games:>15.0} {alpha_beta:>18.0} {uct:>12.0} \
                     {best:>12.0}"
                ))?;
            }
        }
        if self.json {
            return print_line(json!({ "signature": format!("{signature:016x}"), "speeds": rows }));
        }
        print_line(format!("signature {signature:016x}"))
    }
}
