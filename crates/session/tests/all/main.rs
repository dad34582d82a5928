//! Sessions from outside, in one program.

mod book;
mod records;
mod transcripts;
