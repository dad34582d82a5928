//! Sessions from outside, in one program.

mod book;
mod facts;
mod first_answer;
mod levels;
mod reasons;
