//! Findings for people and for programs.

mod frame;
mod page;
mod plot;
mod progress;
mod table;

pub use page::page;
pub use plot::plot;
pub use progress::{Series, gallery, lines};
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

/// Text inside HTML or SVG.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
