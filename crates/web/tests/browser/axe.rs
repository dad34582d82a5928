//! Deque's axe-core in the page: what it finds against the accessibility of a view.

use serde_json::{Value, json};

use crate::driver::Browser;

/// Everything that axe finds, whatever its impact.
pub fn violations(browser: &Browser) -> Value {
    found(browser, "{}")
}

/// What it finds against colours alone, where nothing else can have changed.
pub fn colour_violations(browser: &Browser) -> Value {
    found(browser, "{ runOnly: ['color-contrast', 'link-in-text-block'] }")
}

/// Shows the page in a colour scheme of the system.
pub fn set_scheme(browser: &Browser, scheme: &str) {
    let feature = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
    browser.devtools("Emulation.setEmulatedMedia", json!({ "features": feature }));
}

fn found(browser: &Browser, options: &str) -> Value {
    // It is long, and stays in the page until that is left.
    if browser.run("return window.axe === undefined") == true {
        browser.run(include_str!("vendor/axe.min.js"));
    }
    // Colours may be on their way from one scheme or state to another.
    std::thread::sleep(std::time::Duration::from_millis(150));
    browser.run_async(&format!(
        "const done = arguments[0];
         axe.run(document, {{ resultTypes: ['violations'], ...{options} }}).then(({{ violations }}) =>
           done(violations.map(({{ id, impact, nodes }}) =>
             [id, impact, nodes.slice(0, 3).map((node) => node.html + ' ' + node.failureSummary)])))"
    ))
}
