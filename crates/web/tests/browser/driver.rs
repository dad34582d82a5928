//! A real Chromium, driven over the WebDriver protocol: JSON over HTTP, so a
//! client of our own is smaller than any dependency.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::pool::Session;

/// Whether the browser tests are switched off; says so.
pub fn skipped() -> bool {
    let off = std::env::var_os("BOYI_NO_BROWSER").is_some();
    if off {
        println!("skipped: BOYI_NO_BROWSER is set");
    }
    off
}

/// One window.
pub struct Browser {
    /// There until it is dropped.
    session: Option<Session>,
    /// The server whose page is shown.
    pub server: SocketAddr,
}

impl Browser {
    /// A window of some size at a server's page.
    pub fn open(server: SocketAddr, width: u32, height: u32, language: &str) -> Browser {
        let browser = Browser { session: Some(Session::take(language)), server };
        browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 }),
        );
        browser
    }

    fn session(&self) -> &Session {
        self.session.as_ref().expect("it is there until it is dropped")
    }

    /// The answer's value, or what went wrong.
    fn attempt(&self, path: &str, body: &Value) -> Result<Value, String> {
        self.session().command("POST", path, body)
    }

    #[track_caller]
    fn command(&self, path: &str, body: Value) -> Value {
        self.attempt(path, &body).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A command of Chromium's own protocol.
    #[track_caller]
    pub fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.session().devtools(command, parameters).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Opens an address of the server.
    pub fn go(&self, path: &str) {
        self.command("url", json!({ "url": format!("http://{}{path}", self.server) }));
    }

    /// Runs a script: the body of a function.
    pub fn run(&self, script: &str) -> Value {
        self.command("execute/sync", json!({ "script": script, "args": [] }))
    }

    /// Runs a script that calls `arguments[0]` when it is done.
    pub fn run_async(&self, script: &str) -> Value {
        self.command("execute/async", json!({ "script": script, "args": [] }))
    }

    /// Clicks on an element, as a person does; again if the page has put
    /// another in its place meanwhile.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let began = Instant::now();
        loop {
            self.wait(&format!("document.querySelector({selector:?}) !== null"));
            let query = json!({ "using": "css selector", "value": selector });
            let found = self.attempt("element", &query);
            let id = found
                .ok()
                .and_then(|found| Some(found.as_object()?.values().next()?.as_str()?.to_owned()));
            let clicked = id.map(|id| self.attempt(&format!("element/{id}/click"), &json!({})));
            match clicked {
                Some(Ok(_)) => return,
                _ if began.elapsed() < Duration::from_secs(5) => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                _ => panic!("can't click {selector}: {clicked:?}"),
            }
        }
    }

    /// Types into whatever has the focus. Keys with names are WebDriver's
    /// private characters, see [`key`].
    pub fn keys(&self, text: &str) {
        let actions: Vec<Value> = text
            .chars()
            .flat_map(|c| {
                ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": c.to_string() }))
            })
            .collect();
        let source = json!({ "type": "key", "id": "keys", "actions": actions });
        self.command("actions", json!({ "actions": [source] }));
    }

    /// The middle of an element, in pixels of the window.
    fn middle(&self, selector: &str) -> Value {
        self.run(&format!(
            "const box = document.querySelector({selector:?}).getBoundingClientRect();
             return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]"
        ))
    }

    /// Drags with a finger from the middle of one element to the middle of another.
    pub fn touch_drag(&self, from: &str, to: &str) {
        let (a, b) = (self.middle(from), self.middle(to));
        let at = |share: f64| {
            let mix =
                |i: usize| a[i].as_f64().unwrap() * (1.0 - share) + b[i].as_f64().unwrap() * share;
            json!([{ "x": mix(0), "y": mix(1) }])
        };
        self.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        let send = |kind: &str, points: Value| {
            self.devtools(
                "Input.dispatchTouchEvent",
                json!({ "type": kind, "touchPoints": points }),
            );
            // As slow as a hand: the browser decides after some moves whether to scroll.
            std::thread::sleep(Duration::from_millis(20));
        };
        send("touchStart", at(0.0));
        for step in 1..=10 {
            send("touchMove", at(f64::from(step) / 10.0));
        }
        send("touchEnd", json!([]));
    }

    /// Taps with a finger on the middle of an element.
    #[track_caller]
    pub fn tap(&self, selector: &str) {
        self.wait(&format!("document.querySelector({selector:?}) !== null"));
        self.run(&format!(
            "document.querySelector({selector:?}).scrollIntoView({{ block: 'center' }})"
        ));
        let at = self.middle(selector);
        self.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        for (kind, points) in
            [("touchStart", json!([{ "x": at[0], "y": at[1] }])), ("touchEnd", json!([]))]
        {
            self.devtools(
                "Input.dispatchTouchEvent",
                json!({ "type": kind, "touchPoints": points }),
            );
        }
    }

    /// Points at the middle of an element with a mouse.
    #[track_caller]
    pub fn hover(&self, selector: &str) {
        self.wait(&format!("document.querySelector({selector:?}) !== null"));
        let at = self.middle(selector);
        let go = json!({ "type": "pointerMove", "duration": 20, "x": at[0], "y": at[1] });
        let source = json!({ "type": "pointer", "id": "mouse", "actions": [go] });
        self.command("actions", json!({ "actions": [source] }));
    }

    /// Drags from the middle of one element to the middle of another.
    pub fn drag(&self, from: &str, to: &str) {
        self.drag_with(0, from, to);
    }

    /// The same with the right button; from an element to itself it is a click.
    pub fn right_drag(&self, from: &str, to: &str) {
        self.drag_with(2, from, to);
    }

    fn drag_with(&self, button: u32, from: &str, to: &str) {
        let (a, b) = (self.middle(from), self.middle(to));
        let go = |point: &Value| json!({ "type": "pointerMove", "duration": 40, "x": point[0], "y": point[1] });
        let actions = json!([
            go(&a), { "type": "pointerDown", "button": button }, go(&b), go(&b), { "type": "pointerUp", "button": button }
        ]);
        let source = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.command("actions", json!({ "actions": [source] }));
    }

    /// Waits until an expression is true. One that fails is not true yet: what it
    /// looks for may not be drawn.
    #[track_caller]
    pub fn wait(&self, expression: &str) -> Value {
        let began = Instant::now();
        let script = json!({ "script": format!("return {expression}"), "args": [] });
        loop {
            let value = self.attempt("execute/sync", &script);
            match &value {
                Ok(Value::Null | Value::Bool(false)) | Err(_) => {}
                Ok(value) => return value.clone(),
            }
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "in vain: {expression}\n{value:?}\n{}\n{:?}",
                self.run("return document.body.innerText"),
                self.complaints()
            );
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// The text of an element.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        let found = self.wait(&format!("document.querySelector({selector:?})?.textContent"));
        found.as_str().unwrap_or_default().trim().to_owned()
    }

    /// What the browser complained about: errors of scripts, refusals by the
    /// content security policy.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.command("se/log", json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| entry["message"].to_string()).collect()
    }

    /// Runs a script with a module of the page, by the address that the page
    /// itself has it from; it calls `arguments[0]` when it is done.
    pub fn with_module(&self, path: &str, script: &str) -> Value {
        self.run_async(&format!(
            "const done = arguments[0];
             const main = document.querySelector('script[type=module]').src;
             import(new URL({path:?}, main)).then((module) => {{ {script} }})"
        ))
    }

    /// What the page knows (state.js).
    pub fn state(&self, field: &str) -> Value {
        self.with_module("./state.js", &format!("done(module.state.{field} ?? null)"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let session = self.session.take().expect("it is dropped once");
        if !std::thread::panicking() {
            session.give_back(self.server);
        }
    }
}

/// Keys with names.
pub mod key {
    pub const TAB: &str = "\u{E004}";
    pub const ENTER: &str = "\u{E007}";
    pub const LEFT: &str = "\u{E012}";
    pub const UP: &str = "\u{E013}";
    pub const RIGHT: &str = "\u{E014}";
    pub const DOWN: &str = "\u{E015}";
    pub const HOME: &str = "\u{E011}";
    pub const END: &str = "\u{E010}";
}
