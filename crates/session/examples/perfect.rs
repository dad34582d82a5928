//! Whether `best` plays Connect Four 7 x 6 perfectly from the first move: games
//! against an opponent who plays at random in the opening and then now and then
//! well. The solver judges every move that is not from the book; it is an error
//! if one changes the result of the game, or takes longer than it may.
//!
//! Arguments: games (default 40), milliseconds a move (default 900), threads
//! (default 2).

use std::process::ExitCode;
use std::time::{Duration, Instant};

use exact::connect_four::{Solver, Standard, position_of};
use games::connect_four::{Column, ConnectFour, Setup};
use games::{Game, Player, Record, Rng};
use search::{Engine, Limits, Runner, Source};
use session::EngineSpec;
use session::engine::build;

type Four = ConnectFour<u64>;

/// What no move may take.
const MOST: Duration = Duration::from_secs(1);

/// What is counted.
#[derive(Default)]
struct Tally {
    judged: u32,
    results_lost: u32,
    scores_lost: u32,
    slowest: Duration,
}

/// The worth of each column for the player to move.
fn worth(solver: &mut Solver<Standard>, game: &Four) -> Vec<Option<i32>> {
    match game.outcome() {
        None => solver.scores(&position_of(game)),
        Some(_) => Vec::new(),
    }
}

/// Plays a game of `best` on one side.
fn play(
    runner: &mut Runner<Four, Box<dyn Engine<Four>>>,
    limits: &Limits,
    owner: Player,
    judge: &mut Solver<Standard>,
    rng: &mut Rng,
    tally: &mut Tally,
) {
    let start = Four::start(&Setup::default()).expect("the standard board");
    let mut record = Record::new(start);
    let mut in_book = true;
    while record.outcome().is_none() {
        let game = *record.game();
        if game.to_move() != owner {
            let good = !in_book && rng.below(2) == 0;
            let columns = if good { worth(judge, &game) } else { Vec::new() };
            let best =
                (0..).zip(&columns).filter_map(|(n, &score)| Some((score?, Column(n)))).max();
            let mv = best.map(|(_, mv)| mv).or_else(|| game.random_move(rng));
            record.play(mv.expect("the game goes on")).expect("a legal move");
            continue;
        }
        let begun = Instant::now();
        let info = runner.search(&record, limits);
        tally.slowest = tally.slowest.max(begun.elapsed());
        let mv = info.best.expect("the game goes on");
        in_book = info.source == Source::Book;
        if !in_book {
            let columns = worth(judge, &game);
            let best = columns.iter().flatten().max().expect("a column is open");
            let own = columns[usize::from(mv.0)].expect("a legal move");
            tally.judged += 1;
            tally.results_lost += u32::from(own.signum() != best.signum());
            tally.scores_lost += u32::from(own != *best);
        }
        record.play(mv).expect("a legal move");
    }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let games = words.next().unwrap_or(40);
    let time = Duration::from_millis(words.next().unwrap_or(900));
    let threads = words.next().unwrap_or(2);
    let limits = Limits::time(time);
    let spec: EngineSpec = format!("best threads={threads}").parse().expect("an engine");
    let mut judge = Solver::new(1024, 1);
    let mut tally = Tally::default();
    for seed in 0..games {
        let engine = build::<Four>(&spec, seed).expect("best plays Connect Four");
        let owner = if seed % 2 == 0 { Player::First } else { Player::Second };
        let mut rng = Rng::stream(7, seed);
        play(&mut Runner::new(engine), &limits, owner, &mut judge, &mut rng, &mut tally);
    }
    let Tally { judged, results_lost, scores_lost, slowest } = tally;
    println!(
        "{games} games: {judged} moves after the book, {results_lost} lost a result, \
         {scores_lost} a faster win or a slower loss; the slowest move took {slowest:.2?}"
    );
    if results_lost == 0 && slowest <= MOST { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
