//! Findings as an HTML page, as JSON and as CSV, with all plots.

mod choice_plot;
mod frame;
mod line_plot;
mod page;
mod sweep_plot;
mod table;

pub use choice_plot::choice_plot;
pub use line_plot::{Series, figures, line_plot};
pub use page::page;
pub use sweep_plot::sweep_plot;
pub use table::csv;

use serde::Serialize;

use crate::{Finding, Profile};

/// Where and by what a report was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// The day on which it was written.
    pub date: String,
    /// The program's commit.
    pub commit: String,
    /// The processor, how many threads it has, and the system.
    pub machine: String,
    /// What `boyi bench` prints: it changes with what the engines play.
    pub signature: String,
    /// The seed of every match and training.
    pub seed: u64,
}

/// The findings as JSON.
pub fn json(findings: &[Finding], profile: Profile, made: &Provenance) -> String {
    let value = serde_json::json!({
        "schema": "boyi-reproduction/2",
        "version": env!("CARGO_PKG_VERSION"),
        "made": made,
        "profile": profile,
        "experiments": findings,
    });
    serde_json::to_string_pretty(&value).expect("findings are plain data")
}

/// Text escaped for HTML or SVG.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
