//! How much faster the bit board of Connect Four is than the reference board of
//! the tests, which is a map of cells: the same random games on both.
//!
//! Both boards alternate, so that a busy machine slows both, and the ratio of the
//! fastest rounds is reported: a disturbance only slows.

use std::time::{Duration, Instant};

use games::Rng;
use games::connect_four::reference::ReferenceBoard;
use games::connect_four::{ConnectFour, Setup, U192, bits_needed};
use session::{GameSpec, Playable};

/// Rounds of each board.
const ROUNDS: u64 = 5;

/// Games a second on each board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Speed {
    pub bits: f64,
    pub cells: f64,
}

/// Plays so many random games in each round; `None` if
/// this is another game.
pub(crate) fn compare(game: &GameSpec, games: u64) -> Option<Speed> {
    let setup = &game.setup::<ConnectFour<U192>>()?;
    Some(match bits_needed(setup) {
        ..=64 => measure::<ConnectFour<u64>>(setup, games),
        65..=128 => measure::<ConnectFour<u128>>(setup, games),
        _ => measure::<ConnectFour<U192>>(setup, games),
    })
}

fn measure<G: Playable<Setup = Setup>>(setup: &Setup, games: u64) -> Speed {
    let bits = G::start(setup).expect("the word is wide enough");
    let cells = ReferenceBoard::start(setup.clone());
    let mut fastest = [Duration::MAX; 2];
    for round in 0..ROUNDS {
        let [mut rng, mut same_rng] = [(); 2].map(|()| Rng::seeded(round));
        let begun = Instant::now();
        let first = bits.playouts(games, &mut rng);
        let between = Instant::now();
        let result = |_| i64::from(cells.clone().playout(&mut same_rng).for_first());
        let second: i64 = (0..games).map(result).sum();
        fastest[0] = fastest[0].min(between - begun);
        fastest[1] = fastest[1].min(between.elapsed());
        assert_eq!(first, second, "both boards play the same games");
    }
    let [bits, cells] = fastest.map(|time| games as f64 / time.as_secs_f64().max(1e-9));
    Speed { bits, cells }
}
