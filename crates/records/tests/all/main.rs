//! The record formats from outside, in one program.

mod formats;
