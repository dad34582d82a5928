//! Findings as an HTML page, as JSON and as CSV, with all plots.

mod frame;
mod line_plot;
mod page;
mod sweep_plot;
mod table;

pub use line_plot::{Series, figures, line_plot};
pub use page::page;
pub use sweep_plot::sweep_plot;
pub use table::csv;

use crate::{Finding, Profile};

/// The findings as JSON.
pub fn json(findings: &[Finding], profile: Profile) -> String {
    let value = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "profile": profile,
        "experiments": findings,
    });
    serde_json::to_string_pretty(&value).expect("findings are plain data")
}

/// Text escaped for HTML or SVG.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
