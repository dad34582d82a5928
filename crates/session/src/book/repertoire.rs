//! Which positions a book needs.

use std::collections::HashSet;
use std::ops::ControlFlow;

use games::{MoveList, Player};

use super::{Book, Choice};
use crate::Playable;

/// Asks `choose` about every position in which a player who follows a repertoire
/// may have to move, with its ply, by rising plies to the last; each position
/// once for each side that may follow. The walk goes on behind the move that it
/// says.
pub fn walk<G: Playable>(
    start: &G,
    plies: u32,
    mut choose: impl FnMut(u32, &G) -> ControlFlow<(), Option<G::Move>>,
) -> ControlFlow<()> {
    let mut level = Player::BOTH.map(|owner| (start.clone(), owner)).to_vec();
    for ply in 0..=plies {
        let mut next = Vec::new();
        let mut seen = HashSet::new();
        for (game, owner) in level {
            if game.outcome().is_some() || !seen.insert((game.canonical().0.key(), owner)) {
                continue;
            }
            if game.to_move() == owner {
                next.extend(choose(ply, &game)?.map(|mv| (game.after(mv), owner)));
            } else {
                let mut moves = MoveList::new();
                game.moves(&mut moves);
                next.extend(moves.iter().map(|&mv| (game.after(mv), owner)));
            }
        }
        level = next;
    }
    ControlFlow::Continue(())
}

impl<G: Playable> Book<G> {
    /// Adds every missing entry, by rising plies, so that an unfinished book is a
    /// whole one of fewer plies and a little more; then the `common` positions.
    /// `choices_of` says what is known of the moves of a position, or `None` if it
    /// was interrupted; `observer` sees the book after each new entry. False if one
    /// of them stopped: a later call goes on from there.
    pub fn grow(
        &mut self,
        start: &G,
        common: &[G],
        mut choices_of: impl FnMut(&G) -> Option<Vec<Choice<G::Move>>>,
        mut observer: impl FnMut(&Book<G>) -> ControlFlow<()>,
    ) -> bool {
        let mut add = |book: &mut Book<G>, game: &G| {
            if !book.choices(game).is_empty() {
                return ControlFlow::Continue(());
            }
            // Asked about the smallest, so that the entry does not depend on which of
            // the symmetric positions came first.
            let position = game.canonical().0;
            let Some(choices) = choices_of(&position) else { return ControlFlow::Break(()) };
            book.insert(&position, choices);
            observer(book)
        };
        let walked = walk(start, self.plies, |_, game| {
            add(self, game)?;
            ControlFlow::Continue(self.choices(game).first().map(|choice| choice.mv))
        });
        if walked.is_break() {
            return false;
        }
        let open = |game: &&G| game.outcome().is_none();
        common.iter().filter(open).all(|game| add(self, game).is_continue())
    }
}
