//! What can be known for certain: solvers and endgame tables.

pub mod connect_four;
pub mod dots_and_boxes;
pub mod surakarta;
