//! Positions of Connect Four solved one by one.

use games::Game;
use games::Outcome;
use games::connect_four::{Column, ConnectFour, Word};
use search::SearchControl;

use super::any_solver::{AnySolver, plies_to_end};
use super::solver::{Bounds as ScoreBounds, SolveProgress};
use crate::SolverOptions;
use crate::solve::{Bounds, MoveValues, Solve, Solved};

/// Shows a Connect Four solver's progress since it had so many nodes.
fn seen_by(observer: &mut impl FnMut(Bounds), before: u64) -> impl FnMut(&SolveProgress) {
    move |progress| {
        let (bounds, nodes) = (progress.bounds, progress.nodes - before);
        observer(Bounds { low: bounds.lower, high: bounds.upper, nodes });
    }
}

impl<W: Word> Solve for ConnectFour<W> {
    type Solver = AnySolver;

    fn solver(setup: &Self::Setup, options: &SolverOptions) -> Result<AnySolver, String> {
        AnySolver::new(setup, options.megabytes, options.threads).map_err(|error| error.to_string())
    }

    fn solve(
        &self,
        solver: &mut AnySolver,
        thorough: bool,
        control: &SearchControl<Column>,
        observer: &mut impl FnMut(Bounds),
    ) -> Solved<Column> {
        let before = solver.nodes();
        let mut follow = seen_by(observer, before);
        let columns =
            |list: Vec<u32>| list.into_iter().map(|column| Column(column as u8)).collect();
        let (mut best, mut pv) = (Vec::new(), Vec::new());
        let found = solver.solve(self, control, &mut follow);
        match found.score() {
            None => {}
            Some(score) if thorough => {
                best = columns(solver.best(self, score, control, &mut follow));
                pv = columns(solver.line(self, score, control, &mut follow));
            }
            Some(score) => {
                let one = solver.most_central(self, score, control, &mut follow);
                best = columns(one.into_iter().collect());
            }
        }
        let end = |score| plies_to_end(self.cells() as i32, self.plies() as i32, score);
        let bounds = Bounds { low: found.lower, high: found.upper, nodes: solver.nodes() - before };
        Solved { bounds, best, pv, plies: found.score().map(end) }
    }

    fn each(
        &self,
        solver: &mut AnySolver,
        control: &SearchControl<Column>,
        observer: &mut impl FnMut(Bounds),
    ) -> MoveValues<Column> {
        let before = solver.nodes();
        let mut follow = seen_by(observer, before);
        let values = solver.columns(self, control, &mut follow);
        let range = |bounds: ScoreBounds| bounds.lower..=bounds.upper;
        let moves = (0..).map(Column).zip(values);
        MoveValues {
            moves: moves.filter_map(|(mv, bounds)| Some((mv, range(bounds?)))).collect(),
            nodes: solver.nodes() - before,
        }
    }

    /// What the winner's last stone was worth, for the loser.
    fn final_value(&self, outcome: &Outcome) -> i32 {
        let left = self.cells() as i32 - self.plies() as i32;
        self.to_move().sign() * outcome.for_first() * (left + 2) / 2
    }

    fn plies_of(&self, _solver: &AnySolver, _mv: Column, value: i32) -> Option<u32> {
        Some(plies_to_end(self.cells() as i32, self.plies() as i32, value))
    }
}
