//! Which positions a book needs.

use std::collections::HashSet;
use std::ops::ControlFlow;

use games::{Game, MoveList, Player};

use super::{Book, Choice};
use crate::Playable;

/// Says what is known of the moves of a position; `None` if it was interrupted.
pub type Answer<'a, G> = &'a mut dyn FnMut(&G) -> Option<Vec<Choice<<G as Game>::Move>>>;

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
    /// `observer` sees the book after each new entry. False if it broke, or the
    /// answers did: a later call goes on from there.
    pub fn grow(
        &mut self,
        start: &G,
        common: &[G],
        answer: Answer<G>,
        observer: &mut dyn FnMut(&Book<G>) -> ControlFlow<()>,
    ) -> bool {
        let walked = walk(start, self.plies, |_, game| {
            self.learn(game, answer, observer)?;
            ControlFlow::Continue(self.choices(game).first().map(|choice| choice.mv))
        });
        if walked.is_break() {
            return false;
        }
        let open = |game: &&G| game.outcome().is_none();
        common.iter().filter(open).all(|game| self.learn(game, answer, observer).is_continue())
    }

    /// Adds an entry for a position if there is none.
    fn learn(
        &mut self,
        game: &G,
        answer: Answer<G>,
        observer: &mut dyn FnMut(&Book<G>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.choices(game).is_empty() {
            return ControlFlow::Continue(());
        }
        // Asked about the smallest, so that the answer does not depend on which of
        // the symmetric positions came first.
        let position = game.canonical().0;
        match answer(&position) {
            Some(choices) => {
                self.insert(&position, choices);
                observer(self)
            }
            None => ControlFlow::Break(()),
        }
    }
}
