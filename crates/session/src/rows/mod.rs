//! The program's games: the list, and a file or folder for each with its
//! [`GameRow`], its drawing and its forms in other programs'
//! protocols.

use crate::row::GameRow;
use crate::{GameSpec, GameVisitor};

/// Adding a game is adding its module here.
macro_rules! rows {
    ($($game:ident),*) => {
        $(pub mod $game;)*

        /// Every game of the program, in the order in which it is offered.
        pub static ROWS: &[&GameRow] = &[$(&$game::ROW),*];

        /// See [`GameSpec::visit`].
        pub(crate) fn visit<V: GameVisitor>(spec: &GameSpec, visitor: V) -> V::Output {
            $(if spec.name() == $game::ROW.name {
                return $game::visit(spec, visitor);
            })*
            unreachable!("{spec} is not one of the program's games, and can't be visited")
        }
    };
}

rows!(surakarta, dots_and_boxes, connect_four);
