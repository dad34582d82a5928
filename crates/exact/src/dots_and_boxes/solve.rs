//! Positions of Dots and Boxes solved one by one, and boards proven in pieces.

use games::dots_and_boxes::{DotsAndBoxes, Edge};
use games::{Game, Outcome, Rng};
use search::SearchControl;

use super::bounds::Bounds as BoxBounds;
use super::proof::{Proof, Proven};
use super::solver::{SolveProgress, Solver};
use crate::SolverOptions;
use crate::solve::{Bounds, Measure, MoveValues, Solve, Solved};

/// Shows a Dots and Boxes solver's progress.
fn seen_by(observer: &mut impl FnMut(Bounds)) -> impl FnMut(&SolveProgress) {
    move |progress| {
        let (bounds, nodes) = (progress.bounds, progress.nodes);
        observer(Bounds { low: bounds.low, high: bounds.high, nodes });
    }
}

impl Solve for DotsAndBoxes {
    type Solver = Solver;

    const MEASURE: Measure = Measure::Boxes;

    fn solver(setup: &Self::Setup, options: &SolverOptions) -> Result<Solver, String> {
        Solver::new(setup.rows.into(), setup.columns.into(), options.megabytes, options.threads)
            .map_err(|error| error.to_string())
    }

    fn solve(
        &self,
        solver: &mut Solver,
        thorough: bool,
        control: &SearchControl<Edge>,
        observer: &mut impl FnMut(Bounds),
    ) -> Solved<Edge> {
        let unknown = |nodes| {
            let open = self.setup().boxes() as i32 - self.closed().count_ones() as i32;
            Solved {
                bounds: Bounds { low: -open, high: open, nodes },
                best: Vec::new(),
                pv: Vec::new(),
                plies: None,
            }
        };
        let Ok(position) = solver.board().position(self.drawn()) else { return unknown(0) };
        if solver.prepare(position).is_err() {
            return unknown(0);
        }
        let mut follow = seen_by(observer);
        let found = solver.best(position, control, &mut follow);
        let edges = |list: Vec<u32>| list.into_iter().map(|edge| Edge(edge as u8)).collect();
        let exact = found.bounds.value().is_some();
        Solved {
            bounds: Bounds { low: found.bounds.low, high: found.bounds.high, nodes: found.nodes },
            best: edges(found.best()),
            pv: if exact && thorough {
                edges(solver.line(position, control, &mut follow))
            } else {
                Vec::new()
            },
            plies: None,
        }
    }

    fn each(
        &self,
        solver: &mut Solver,
        control: &SearchControl<Edge>,
        observer: &mut impl FnMut(Bounds),
    ) -> MoveValues<Edge> {
        let Ok(position) = solver.board().position(self.drawn()) else { return MoveValues::NONE };
        if solver.prepare(position).is_err() {
            return MoveValues::NONE;
        }
        let found = solver.moves(position, control, &mut seen_by(observer));
        let worth = |(edge, bounds): (u32, BoxBounds)| (Edge(edge as u8), bounds.low..=bounds.high);
        MoveValues { moves: found.moves.into_iter().map(worth).collect(), nodes: found.nodes }
    }

    fn prove(
        &self,
        text: &str,
        solver: &mut Solver,
        control: &SearchControl<Edge>,
        write: &mut (impl FnMut(&str, &Proven) -> Result<(), String> + Send),
    ) -> Result<Proven, String> {
        let mut proof = match text {
            "" => Proof::begin(solver.board().rows(), solver.board().cols())?,
            text => Proof::read_for(solver.board(), text)?,
        };
        if text.is_empty() {
            let proven = proof.check();
            write(&proof.head(), &proven)?;
        }
        proof.extend(solver, solver.threads(), control, write)
    }

    fn check_proof(
        &self,
        text: &str,
        again: usize,
        solver: &mut Solver,
        control: &SearchControl<Edge>,
    ) -> Result<(Proven, usize), String> {
        let mut proof = Proof::read_for(solver.board(), text)?;
        let proven = proof.check();
        // The same lines for the same file, others once it has grown.
        let mut rng = Rng::stream(0x9700f, proven.nodes);
        Ok((proven, proof.sample(solver, again, &mut rng, control)?))
    }

    /// No box is left.
    fn final_value(&self, _outcome: &Outcome) -> i32 {
        0
    }

    fn result(&self, value: i32) -> i32 {
        (self.to_move().sign() * self.lead() + value).signum()
    }
}
