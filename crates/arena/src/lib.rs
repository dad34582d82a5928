//! Matches with statistics.
