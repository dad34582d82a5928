//! Ending games whose result is proven.

use std::sync::Arc;

use games::{Game, Player};
use search::Oracle;

use super::settings::SelfPlaySettings;

/// Ends games with their exact result where an oracle knows it, within
/// [`SelfPlaySettings::exact`] nodes.
///
/// ```
/// use games::Game;
/// use games::dots_and_boxes::DotsAndBoxes;
/// use learn::selfplay::{Adjudicator, SelfPlaySettings};
///
/// let start = DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap();
/// assert_eq!(Adjudicator::none().winner(&start, &SelfPlaySettings::default()), None);
/// ```
#[derive(Clone)]
pub struct Adjudicator<G> {
    oracle: Option<Arc<dyn Oracle<G>>>,
}

impl<G: Game> Adjudicator<G> {
    /// By this oracle, if there is one.
    pub fn new(oracle: Option<Arc<dyn Oracle<G>>>) -> Adjudicator<G> {
        Adjudicator { oracle }
    }

    /// Games are played to their end.
    pub fn none() -> Adjudicator<G> {
        Adjudicator { oracle: None }
    }

    /// Whether there is no oracle.
    pub fn is_none(&self) -> bool {
        self.oracle.is_none()
    }

    /// The winner, if the result is proven; none of both in a draw.
    pub fn winner(&self, game: &G, settings: &SelfPlaySettings) -> Option<Option<Player>> {
        let oracle = self.oracle.as_deref().filter(|_| settings.exact > 0)?;
        Some(oracle.probe(game, settings.exact)?.winner)
    }
}
