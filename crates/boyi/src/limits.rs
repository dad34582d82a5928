//! How long to think: the arguments that thinking verbs share.

use std::time::Duration;

use clap::Args;
use search::Limits;

/// Limits of one think. Several hold together.
#[derive(Args, Clone, Copy)]
pub struct Thinking {
    /// Seconds a move
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub st: Option<Duration>,

    /// Simulations of the tree search a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sims: Option<u64>,

    /// Positions a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Plies of alpha-beta
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,
}

impl Thinking {
    /// These limits, or a second if there are none.
    pub fn or_a_second(self) -> Limits {
        let mut limits = self.limits();
        if limits == Limits::default() {
            limits.time = Some(Duration::from_secs(1));
        }
        limits
    }

    /// These limits.
    pub fn limits(self) -> Limits {
        Limits { time: self.st, clock: None, nodes: self.nodes, sims: self.sims, depth: self.depth }
    }
}

/// A duration in seconds, from a millisecond to a day.
pub fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.001..=86_400.0).contains(&value) => Ok(Duration::from_secs_f64(value)),
        _ => Err("a number of seconds from 0.001 to 86400 is expected".to_owned()),
    }
}
