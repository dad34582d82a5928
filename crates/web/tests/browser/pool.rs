//! The browsers of the tests. A Chromium takes longer to start than most tests
//! take, so one is kept when its test is over and given to the next, which finds
//! it as if it had just been started: one blank window, with no cookie, stored
//! value, cached file, emulation or log of the test before. What a failed test
//! leaves is not given to another.
//!
//! The pool is never dropped, and a test program may be killed: so a watchdog
//! beside each browser waits for the end of a pipe that the test program holds,
//! and then ends the browser and removes its files, whatever ended the program.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::ask;

/// Browsers that wait for their next test.
static IDLE: Mutex<Vec<Session>> = Mutex::new(Vec::new());

/// A chromedriver with its Chromium.
pub struct Session {
    driver: Child,
    watchdog: Child,
    at: SocketAddr,
    id: String,
    /// What the pages are asked to be in; only a start can set it.
    language: String,
}

impl Session {
    /// A browser as it is after its start.
    pub fn take(language: &str) -> Session {
        let mut idle = IDLE.lock().expect("nothing panics in here");
        let found = idle.iter().position(|session| session.language == language);
        let kept = found.map(|at| idle.swap_remove(at));
        drop(idle);
        kept.unwrap_or_else(|| Session::start(language))
    }

    /// Keeps a browser for another test, if it can be brought back to how it was
    /// after its start.
    pub fn give_back(self, server: SocketAddr) {
        match self.reset(server) {
            Ok(()) => IDLE.lock().expect("nothing panics in here").push(self),
            Err(error) => println!("a browser is not used again: {error}"),
        }
    }

    fn start(language: &str) -> Session {
        let profile = TempDir::new().unwrap();
        let (driver, port) = (0..5)
            .find_map(|_| start_driver(&profile))
            .expect("chromedriver starts and says its port");
        // In a group of its own, it outlives whatever ends the test program.
        let watchdog = Command::new("sh")
            .args(["-c", "read -r _; kill -s KILL -- \"-$1\"; rm -rf \"$2\"", "watchdog"])
            .arg(driver.id().to_string())
            .arg(profile.keep())
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let at = SocketAddr::from(([127, 0, 0, 1], port));
        let language = language.to_owned();
        let mut session = Session { driver, watchdog, at, id: String::new(), language };
        let options = [
            "--headless",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            // Chromium's own sandbox does not run as root.
            "--no-sandbox",
            &format!("--accept-lang={}", session.language),
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": options },
            "goog:loggingPrefs": { "browser": "ALL" },
            "unhandledPromptBehavior": "accept",
        }}});
        let begun = session.ask("POST", "/session", &wanted).expect("Chromium starts");
        session.id = begun["sessionId"].as_str().unwrap().to_owned();
        session
    }

    /// The answer's value, or what went wrong.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let json = "content-type: application/json\r\n";
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let answer = ask(self.at, method, path, json, body.as_bytes());
        let mut value = answer.json()["value"].take();
        match answer.status {
            200 => Ok(value),
            _ => Err(format!("{path}: {}", value["message"].take())),
        }
    }

    /// A command of this session.
    pub fn command(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        self.ask(method, &format!("/session/{}/{path}", self.id), body)
    }

    /// A command of Chromium's own protocol.
    pub fn devtools(&self, command: &str, parameters: Value) -> Result<Value, String> {
        let body = json!({ "cmd": command, "params": parameters });
        self.command("POST", "goog/cdp/execute", &body)
    }

    /// Replaces all windows by a new one, to which no emulation belongs, and clears
    /// what the browser keeps beyond windows.
    fn reset(&self, server: SocketAddr) -> Result<(), String> {
        let windows = self.command("GET", "window/handles", &Value::Null)?;
        let new = self.command("POST", "window/new", &json!({ "type": "tab" }))?;
        for window in windows.as_array().into_iter().flatten() {
            self.command("POST", "window", &json!({ "handle": window }))?;
            self.command("DELETE", "window", &json!({}))?;
        }
        self.command("POST", "window", &json!({ "handle": new["handle"] }))?;
        self.devtools("Page.bringToFront", json!({}))?;
        self.devtools("Network.clearBrowserCookies", json!({}))?;
        self.devtools("Network.clearBrowserCache", json!({}))?;
        let stored = json!({ "origin": format!("http://{server}"), "storageTypes": "all" });
        self.devtools("Storage.clearDataForOrigin", stored)?;
        // To read the log is to empty it.
        self.command("POST", "se/log", &json!({ "type": "browser" }))?;
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.watchdog.stdin.take());
        let _ = self.watchdog.wait();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// A chromedriver, leader of a process group that Chromium then belongs to, and
/// its port. Now and then the port that it chose is taken in that very moment;
/// then there is none.
fn start_driver(profile: &TempDir) -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        // Where it puts Chromium's files.
        .env("TMPDIR", profile.path())
        .process_group(0)
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
