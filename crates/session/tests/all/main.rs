//! Sessions from outside, in one program.

mod book;
