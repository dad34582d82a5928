//! A server in a process of its own, which can be killed.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use web::{Options, Server};

use crate::client::address;

/// Whether this process shall be the server.
pub fn is_wanted() -> bool {
    std::env::var_os("BOYI_SERVE_FROM").is_some()
}

/// Serves until it is killed.
pub fn serve() {
    let data: PathBuf = std::env::var_os("BOYI_SERVE_FROM").unwrap().into();
    crate::history::inject_from_stdin(&data);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let port = std::env::var("BOYI_SERVE_AT").map_or(0, |port| port.parse().unwrap());
        let events = Some(data.with_file_name("events"));
        let options = Options { data: Some(data), events, ..Options::local(port) };
        let server = Server::start(&options).await.unwrap();
        println!("{}", server.link());
        server.run().await;
    });
}

/// The process of a server.
pub struct Served {
    pub child: Child,
    pub at: SocketAddr,
}

impl Served {
    /// Starts one; port 0 lets the system choose.
    pub fn start(data: &Path, port: u16) -> Served {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .env("BOYI_SERVE_FROM", data)
            .env("BOYI_SERVE_AT", port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("http"), "the server did not start on its games");
        Served { at: address(line.trim()), child }
    }

    /// Sends it a line.
    pub fn tell(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
    }

    /// SIGKILL.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
