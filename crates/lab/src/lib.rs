//! The laboratory: a paper's tables and figures, played again.
//!
//! An experiment is a file (see `experiments/` at the root of the project): what
//! the paper prints and how it was measured, what it leaves open and what was
//! chosen instead, and how much is played under each profile. It is
//! written before its matches are played, so that results can't choose the
//! question, and says so where something had been seen already. The
//! laboratory plays it through the arena into one store, measures, and holds the
//! paper's numbers against ours by a rule that is stated with each verdict.
//!
//! This room knows no command line and no terminal: progress is told to a
//! callback, line by line.

mod attack;
mod bench;
mod estimate;
mod experiment;
mod finding;
mod lengths;
mod matches;
pub mod report;
mod samples;
mod speed;
mod study;
mod training;
mod verdict;
mod words;

pub use bench::{Bench, LabError, News};
pub use estimate::estimate;
pub use experiment::{Budget, Experiment, Printed, Profile, Row, Side, Size, Train, all, find};
pub use finding::{Claim, Fact, Finding, investigate};
pub use matches::{Measure, Share};
pub use samples::{Batch, CourseBoard, Samples};
pub use study::{Curve, Study};
pub use verdict::{Verdict, direction, number, place, range};
