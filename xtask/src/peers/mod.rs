//! `cargo xtask peers`: other people's programs and ours, doing the same work in
//! one run, so that a busy machine is busy for both.
//!
//! A comparison is a [`Step`] in a file of its own. Python scripts for the other
//! side lie in `xtask/peers`, and run in a throw-away environment (`crate::python`).

use anyhow::ensure;
use clap::Args;

use crate::step::step;

mod onnxruntime_inference;
mod openspiel_gtp;
mod openspiel_rules;
mod openspiel_speed;
mod openspiel_steps;
mod solver;

/// One comparison.
struct Step {
    /// What `--only` calls it.
    name: &'static str,
    /// What it shows, in a few words.
    about: &'static str,
    /// Does it, and fails if what must hold does not.
    run: fn(&Arguments) -> anyhow::Result<()>,
}

/// All comparisons, in the order in which they run.
const STEPS: &[Step] = &[
    openspiel_rules::STEP,
    openspiel_gtp::STEP,
    openspiel_speed::STEP,
    openspiel_steps::STEP,
    solver::STEP,
    onnxruntime_inference::STEP,
];

/// What to compare.
#[derive(Args)]
pub struct Arguments {
    /// Only these steps, by name
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Simulations of our tree search; the peer gets a tenth
    #[arg(long, default_value_t = 1_000_000)]
    sims: u64,
}

impl Arguments {
    /// Builds our side and runs the steps.
    pub fn run(self) -> anyhow::Result<()> {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        for wish in &self.only {
            let known = names.join(", ");
            ensure!(names.contains(&wish.as_str()), "there is no step '{wish}', but {known}");
        }
        step("cargo build --release", &[])?;
        for step in STEPS {
            if self.only.is_empty() || self.only.iter().any(|wish| wish == step.name) {
                println!("\n=== {}: {}", step.name, step.about);
                (step.run)(&self)?;
            }
        }
        Ok(())
    }
}
