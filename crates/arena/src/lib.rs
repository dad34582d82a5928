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

pub mod statistics;
