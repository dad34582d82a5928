//! The laboratory: reproduces the tables and figures of papers.
//!
//! An experiment is a file (see `experiments/` at the root of the project): what
//! the paper prints and how it was measured, what it leaves open and what was
//! chosen instead, and how much is played under each profile. It is written
//! before its matches are played, so that results can't choose the question, and
//! says so where results had been seen before. The laboratory plays it through
//! the arena into one store, measures, and compares the paper's numbers with ours
//! by a rule that is stated with each verdict.
//!
//! This crate knows no command line and no terminal: progress goes to a
//! callback.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use lab::{LabContext, Profile, find, report, run_experiment};
//!
//! let experiment = find(&["000-random-games".to_owned()])?.remove(0);
//! let mut context = LabContext {
//!     store: arena::Store::in_memory()?,
//!     concurrency: 1,
//!     seed: 1,
//!     stored_only: false,
//!     stop: &AtomicBool::new(false),
//!     on_event: &mut |_| (),
//!     folder: Default::default(),
//!     remote: None,
//!     samples: None,
//! };
//! let finding = run_experiment(&experiment, Profile::Smoke, &mut context)?;
//! assert!(finding.finished && !finding.claims.is_empty());
//! assert!(report::page(&[finding], Profile::Smoke, &Default::default()).contains("000-random-games"));
//! # Ok::<(), lab::LabError>(())
//! ```

pub mod atlas;
mod attack;
mod context;
mod estimate;
mod experiment;
mod finding;
mod lengths;
mod matches;
pub mod report;
mod samples;
mod sensitivity;
mod speed;
mod study;
mod training;
mod verdict;
mod wording;

pub use context::{LabContext, LabError, LabEvent};
pub use estimate::estimate;
pub use experiment::{
    Budget, Choice, Experiment, Printed, Profile, Row, Sensitivity, Side, Size, Train, all, find,
};
pub use finding::{Claim, Fact, Finding, run_experiment};
pub use matches::{Measure, Share};
pub use samples::{Batch, CRASHED_FIRST, CourseBoard, Samples};
pub use sensitivity::SensitivityCurve;
pub use study::{Curve, Study};
pub use verdict::{Verdict, judge_direction, judge_number, judge_place, judge_range};
