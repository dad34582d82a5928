//! Whether a search finds a plan by itself.
//!
//! The principal variation of a search from the start: the plan is found if the
//! moves of the first side contain all of the plan's, in any order.

use games::{Record, TextError};
use search::{SearchControl, line_text};
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

/// The principal variation of a search from the start of a game.
pub(crate) fn best_line(game: &GameSpec, engine: &EngineSpec) -> Result<Vec<String>, TextError> {
    game.visit(BestLine(engine))
}

/// Whether the side that moves first follows one of the plans in this line.
pub(crate) fn follows(line: &[String], plans: &[Vec<String>]) -> bool {
    let own: Vec<&String> = line.iter().step_by(2).collect();
    plans.iter().any(|plan| plan.iter().all(|mv| own.contains(&mv)))
}

struct BestLine<'a>(&'a EngineSpec);

impl GameVisitor for BestLine<'_> {
    type Output = Result<Vec<String>, TextError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let mut engine = G::engine(self.0, &start, 1)?;
        engine.new_game(1);
        let record = Record::new(start.clone());
        let info = engine.search(&record, &SearchControl::unlimited());
        Ok(info.lines.first().map_or_else(Vec::new, |line| line_text(&start, &line.pv)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_followed_by_the_side_that_begins() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let plans = [words("b5-c4 a5-a4 b6-b5")];
        assert!(follows(&words("a5-a4 f2-f3 b5-c4 x b6-b5 y b5xb2"), &plans));
        assert!(!follows(&words("f2-f3 a5-a4 x b5-c4 y b6-b5"), &plans));
        assert!(!follows(&words("a5-a4 x b5-c4"), &plans));
    }
}
