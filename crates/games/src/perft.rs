//! Counting the leaves of the game tree: the standard test of a move generator.

use crate::{Game, MoveList};

/// The number of move sequences of exactly `depth` plies. A line that ends
/// early counts nothing, and the last ply is counted, not played.
///
/// ```
/// use games::connect_four::{ConnectFour, Setup};
/// use games::{Game, divide, perft};
///
/// let start = ConnectFour::<u64>::start(&Setup::default())?;
/// assert_eq!(perft(&start, 4), 2_401);
/// assert_eq!(divide(&start, 4).iter().map(|(_, count)| count).sum::<u64>(), 2_401);
/// # Ok::<(), games::SetupError>(())
/// ```
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.count_moves() as u64,
        _ => {
            let mut list = MoveList::new();
            game.moves(&mut list);
            list.into_iter().map(|mv| perft(&game.after(mv), depth - 1)).sum()
        }
    }
}

/// [`perft`] split by the first move; the counts add up to it. `depth` is at
/// least 1.
pub fn divide<G: Game>(game: &G, depth: u32) -> Vec<(G::Move, u64)> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    list.into_iter().map(|mv| (mv, perft(&game.after(mv), depth.saturating_sub(1)))).collect()
}
