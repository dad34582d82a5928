//! A real Chromium, driven over the WebDriver protocol: JSON over HTTP, so a
//! client of our own is smaller than any dependency.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::ask;

/// Whether the browser tests are switched off; says so.
pub fn skipped() -> bool {
    let off = std::env::var_os("BOYI_NO_BROWSER").is_some();
    if off {
        println!("skipped: BOYI_NO_BROWSER is set");
    }
    off
}

/// A chromedriver and its port. Now and then the port that it chose is taken in
/// that very moment; then there is none.
fn start_driver() -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect(
            "chromedriver is missing: install Debian's packages chromium and chromium-driver, \
             or set BOYI_NO_BROWSER to leave the browser tests out",
        );
    let mut lines =
        BufReader::new(driver.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
    let port = lines.find_map(|line| {
        let word = line.split("successfully on port ").nth(1)?.trim_end_matches('.').to_owned();
        word.parse().ok()
    });
    match port {
        Some(port) => Some((driver, port)),
        None => {
            let _ = driver.kill();
            let _ = driver.wait();
            None
        }
    }
}

/// One window.
pub struct Browser {
    driver: Child,
    at: SocketAddr,
    session: String,
    /// Removed when the browser is.
    _profile: TempDir,
    /// The server whose page is shown.
    pub server: SocketAddr,
}

impl Browser {
    /// A window of some size at a server's page.
    pub fn open(server: SocketAddr, width: u32, height: u32, language: &str) -> Browser {
        let (driver, port) =
            (0..5).find_map(|_| start_driver()).expect("chromedriver starts and says its port");
        let profile = TempDir::new().unwrap();
        let data = format!("--user-data-dir={}", profile.path().display());
        let at = SocketAddr::from(([127, 0, 0, 1], port));
        let mut browser = Browser { driver, at, session: String::new(), _profile: profile, server };
        let mut options = vec![
            "--headless".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-quic".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            // Chromium's own sandbox does not run as root.
            "--no-sandbox".to_owned(),
            data,
            format!("--window-size={width},{height}"),
        ];
        options.push(format!("--accept-lang={language}"));
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": options },
            "goog:loggingPrefs": { "browser": "ALL" },
            "unhandledPromptBehavior": "accept",
        }}});
        let session = browser.call("POST", "/session", &wanted);
        browser.session = session["sessionId"].as_str().unwrap().to_owned();
        browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 }),
        );
        browser
    }

    /// The answer's value, or what went wrong.
    fn attempt(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let json = "content-type: application/json\r\n";
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let answer = ask(self.at, method, path, json, body.as_bytes());
        let mut value = answer.json()["value"].take();
        match answer.status {
            200 => Ok(value),
            _ => Err(format!("{path}: {}", value["message"].take())),
        }
    }

    #[track_caller]
    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        self.attempt(method, path, body).unwrap_or_else(|error| panic!("{error}"))
    }

    fn path(&self, path: &str) -> String {
        format!("/session/{}/{path}", self.session)
    }

    #[track_caller]
    fn command(&self, path: &str, body: Value) -> Value {
        self.call("POST", &self.path(path), &body)
    }

    /// A command of Chromium's own protocol.
    pub fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.command("goog/cdp/execute", json!({ "cmd": command, "params": parameters }))
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
            let found = self.attempt("POST", &self.path("element"), &query);
            let id = found
                .ok()
                .and_then(|found| Some(found.as_object()?.values().next()?.as_str()?.to_owned()));
            let clicked = id.map(|id| {
                self.attempt("POST", &self.path(&format!("element/{id}/click")), &json!({}))
            });
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

    /// Waits until an expression is true.
    #[track_caller]
    pub fn wait(&self, expression: &str) -> Value {
        let began = Instant::now();
        loop {
            let value = self.run(&format!("return {expression}"));
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "in vain: {expression}\n{}\n{:?}",
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
        if !self.session.is_empty() {
            ask(self.at, "DELETE", &format!("/session/{}", self.session), "", b"");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
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
