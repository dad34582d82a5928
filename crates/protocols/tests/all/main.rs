//! The protocols from outside, in one program.

mod transcripts;
