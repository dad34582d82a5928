//! Sessions from outside, in one program.

mod book;
mod first_answer;
