//! Search limits: the arguments that searching verbs share.

use std::time::Duration;

use anyhow::bail;
use clap::Args;
use search::Limits;
use session::engine::{missing_limits, resolve};
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

/// Limits of one search. Several hold together.
#[derive(Args, Clone, Copy)]
pub struct LimitArgs {
    /// Seconds per move
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub st: Option<Duration>,

    /// Tree-search simulations per move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sims: Option<u64>,

    /// Nodes per move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Depth of alpha-beta in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,
}

impl LimitArgs {
    /// These limits, or a second if there are none.
    pub fn or_one_second(self) -> Limits {
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

/// Refuses an engine that would search for ever: each kind of search observes
/// only limits of its own.
pub struct RequireLimit<'a>(pub &'a EngineSpec, pub Limits);

impl GameVisitor for RequireLimit<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        let RequireLimit(spec, limits) = self;
        let game = GameSpec::of::<G>(&start.setup());
        let Some(names) = missing_limits(&game, spec, &limits)? else { return Ok(()) };
        let plain = resolve(spec, G::row())?;
        let by_itself = match plain.family().name == spec.family().name {
            true => String::new(),
            false => format!(", which is {} here,", plain.family().name),
        };
        let (last, others) = names.split_last().expect("a search has a limit of its own");
        let flags: Vec<String> = others.iter().map(|name| format!("--{name}")).collect();
        let flags = format!("{} or --{last}", flags.join(", "));
        bail!("'{spec}'{by_itself} would think for ever: give --st, {flags}")
    }
}

/// A duration in seconds, from a millisecond to a day.
pub fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.001..=86_400.0).contains(&value) => Ok(Duration::from_secs_f64(value)),
        _ => Err("a number of seconds from 0.001 to 86400 is expected".to_owned()),
    }
}
