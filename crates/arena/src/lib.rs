//! Matches with statistics.
//!
//! An arena is given its engines by the caller and pits them against each
//! other: who meets whom is a schedule, a game is played under the eyes of
//! the referee, finished pairs go to the store, and a runner ties these
//! together. What the results mean is in [`statistics`].
//!
//! This room stands on `games` and `search`. It knows no engine by name, no
//! command line and no terminal: a spec is a label here, and progress is told to
//! a callback.

pub mod export;
pub mod statistics;
pub mod tune;

mod contest;
mod desk;
mod openings;
mod referee;
mod run;
mod schedule;
mod standing;
mod store;

pub use contest::{Allowance, Boards, Contest, Entrant, Level, Pace, Resign, Rules};
pub use desk::{Desk, Played, Ply};
pub use openings::Openings;
pub use referee::{Terms, play};
pub use run::{Factory, Plan, Progress, RunError, run};
pub use schedule::{Fixture, Format, Schedule};
pub use standing::Standing;
pub use store::{MatchId, Store, StoreError, StudyId};
