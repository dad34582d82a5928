//! Learning to judge positions.
//!
//! [`net`] is a small library of kernels, layers and one network, which knows
//! nothing of games: it maps planes to move scores and a value, and learns from
//! targets.

pub mod net;
