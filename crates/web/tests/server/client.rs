//! A small blocking HTTP client that can also misbehave, and a server to talk
//! to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use web::{Options, Server};

/// A server of its own for a test, on a free port, games in memory.
pub fn serve() -> SocketAddr {
    serve_from(None)
}

/// The same with games in a file.
pub fn serve_from(data: Option<std::path::PathBuf>) -> SocketAddr {
    serve_with(Options { data, ..Options::local(0) })
}

/// The same, as one likes it.
pub fn serve_with(options: Options) -> SocketAddr {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let server = Server::start(&options).await.unwrap();
            sender.send(server.link().to_owned()).unwrap();
            server.run().await;
        });
    });
    address(&receiver.recv().unwrap())
}

/// A server for a classroom, by the link for guests and the operator's link.
pub fn serve_class() -> (String, String) {
    serve_class_with(Options { bind: "0.0.0.0:0".parse().unwrap(), ..Options::local(0) })
}

/// The same, as one likes it.
pub fn serve_class_with(options: Options) -> (String, String) {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let server = Server::start(&options).await.unwrap();
            let links = (server.link().to_owned(), server.operator_link().unwrap().to_owned());
            sender.send(links).unwrap();
            server.run().await;
        });
    });
    receiver.recv().unwrap()
}

/// A browser: it keeps its cookies.
#[derive(Clone, Debug)]
pub struct Guest {
    pub at: SocketAddr,
    cookies: Vec<String>,
}

impl Guest {
    /// One that keeps no cookie yet.
    pub fn new(at: SocketAddr) -> Guest {
        Guest { at, cookies: Vec::new() }
    }

    /// One that has opened a link with a token, by the loopback address.
    pub fn enter(link: &str) -> Guest {
        let (place, query) = link.split_once("/?").unwrap();
        let port = place.rsplit_once(':').unwrap().1;
        let mut guest = Guest::new(format!("127.0.0.1:{port}").parse().unwrap());
        assert_eq!(guest.ask("GET", &format!("/?{query}"), b"").status, 303);
        assert_eq!(guest.ask("GET", "/", b"").status, 200);
        guest
    }

    /// A program that has the token and keeps no key.
    pub fn without_key(&self) -> Guest {
        let mut guest = self.clone();
        guest.cookies.retain(|cookie| !cookie.starts_with("boyi-key="));
        guest
    }

    /// The same browser, at another server.
    pub fn enter_again(&self, link: &str) -> Guest {
        let mut guest = Guest::enter(link);
        guest.cookies.retain(|cookie| !cookie.starts_with("boyi-key="));
        guest
            .cookies
            .extend(self.cookies.iter().filter(|cookie| cookie.starts_with("boyi-key=")).cloned());
        guest
    }

    fn headers(&self) -> String {
        match self.cookies.is_empty() {
            true => String::new(),
            false => format!("cookie: {}\r\n", self.cookies.join("; ")),
        }
    }

    pub fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> Answer {
        let headers = format!("content-type: application/json\r\n{}", self.headers());
        let answer = ask(self.at, method, path, &headers, body);
        for line in answer.head.lines() {
            if let Some(cookie) = line.strip_prefix("set-cookie: ") {
                let pair = cookie.split(';').next().unwrap().to_owned();
                let name = pair.split('=').next().unwrap().to_owned() + "=";
                self.cookies.retain(|other| !other.starts_with(&name));
                self.cookies.push(pair);
            }
        }
        answer
    }

    pub fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, b"")
    }

    pub fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, body.to_string().as_bytes())
    }

    /// Begins a game and gives its id.
    #[track_caller]
    pub fn begin(&mut self, request: Value) -> String {
        self.post("/api/games", &request).good()["id"].as_str().unwrap().to_owned()
    }

    pub fn play(&mut self, id: &str, ply: usize, mv: &str) -> Answer {
        let command = json!({ "do": "play", "ply": ply, "move": mv });
        self.post(&format!("/api/games/{id}"), &command)
    }

    /// Its page's event stream, or the status of a refusal.
    pub fn stream(&self, id: &str, tab: &str) -> Result<Stream, u16> {
        Stream::request(self.at, id, tab, &self.headers())
    }

    /// The games in its list.
    pub fn games(&mut self) -> Vec<String> {
        let list = self.get("/api/games").good();
        let ids = list.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap());
        ids.map(str::to_owned).collect()
    }
}

/// A server that can be stopped, so that another can open its games.
pub struct Running {
    pub at: SocketAddr,
    pub link: String,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    pub fn start(options: Options) -> Running {
        let (sender, receiver) = std::sync::mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let server = Server::start(&options).await.unwrap();
                sender.send(server.link().to_owned()).unwrap();
                tokio::select! {
                    () = server.run() => {}
                    _ = stopped => {}
                }
            });
        });
        let link = receiver.recv().unwrap();
        Running { at: address(&link), link, stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// The address in a link.
pub fn address(link: &str) -> SocketAddr {
    link.trim_start_matches("http://").split('/').next().unwrap().parse().unwrap()
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// The answer's JSON if all went well.
    #[track_caller]
    pub fn good(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()
    }

    /// The sentence of a refusal with this status.
    #[track_caller]
    pub fn refused(self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.body);
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }
}

/// Sends bytes as they are and reads the answer: as long as it says it is, or
/// until the end.
pub fn raw(address: SocketAddr, bytes: &[u8]) -> Answer {
    exchange(TcpStream::connect(address).unwrap(), bytes)
}

/// The same over a connection that is there.
pub fn exchange(mut socket: TcpStream, bytes: &[u8]) -> Answer {
    socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    // The server may refuse before it has read everything.
    let _ = socket.write_all(bytes);
    let mut reader = BufReader::new(socket);
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|count| count > 2) {}
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    let mut body = Vec::new();
    let _ = match length {
        Some(length) => reader.take(length).read_to_end(&mut body),
        None => reader.read_to_end(&mut body),
    };
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    Answer { status, head, body: String::from_utf8_lossy(&body).into_owned() }
}

/// A request with further header lines.
pub fn ask(address: SocketAddr, method: &str, path: &str, more: &str, body: &[u8]) -> Answer {
    raw(address, &request(address, method, path, more, body))
}

/// The same as bytes.
pub fn request(address: SocketAddr, method: &str, path: &str, more: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n{more}\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

pub fn get(address: SocketAddr, path: &str) -> Answer {
    ask(address, "GET", path, "", b"")
}

pub fn post(address: SocketAddr, path: &str, body: &Value) -> Answer {
    let json = "content-type: application/json\r\n";
    ask(address, "POST", path, json, body.to_string().as_bytes())
}

/// Begins a game and gives its id.
#[track_caller]
pub fn begin(address: SocketAddr, request: Value) -> String {
    post(address, "/api/games", &request).good()["id"].as_str().unwrap().to_owned()
}

/// Plays a move.
pub fn play(address: SocketAddr, id: &str, ply: usize, mv: &str) -> Answer {
    post(address, &format!("/api/games/{id}"), &json!({ "do": "play", "ply": ply, "move": mv }))
}

/// A tab's event stream, with the game as far as it was sent.
pub struct Stream {
    lines: BufReader<TcpStream>,
    pub plies: Vec<Value>,
    pub head: Value,
    /// Side lines and comments.
    pub tree: Value,
    /// What its page may do.
    pub rights: Value,
}

impl Stream {
    #[track_caller]
    pub fn open(address: SocketAddr, id: &str, tab: &str) -> Stream {
        let stream = Stream::request(address, id, tab, "");
        stream.unwrap_or_else(|status| panic!("the stream was refused: {status}"))
    }

    /// With further header lines; the status if it is refused.
    fn request(address: SocketAddr, id: &str, tab: &str, more: &str) -> Result<Stream, u16> {
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let path = format!("/api/games/{id}/events?tab={tab}");
        let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{more}\r\n");
        socket.write_all(request.as_bytes()).unwrap();
        let mut lines = BufReader::new(socket);
        let mut first = String::new();
        lines.read_line(&mut first).unwrap();
        let status = first.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        if status != 200 {
            return Err(status);
        }
        let rights = Value::Null;
        let (plies, head, tree) = (Vec::new(), Value::Null, Value::Null);
        let mut stream = Stream { lines, plies, head, tree, rights };
        stream.until(|_, _| true);
        Ok(stream)
    }

    /// The next event: its name and its data.
    pub fn next(&mut self) -> (String, Value) {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the stream ended");
            if let Some(text) = line.strip_prefix("event: ") {
                name = text.trim().to_owned();
            } else if let Some(text) = line.strip_prefix("data: ") {
                let data: Value = serde_json::from_str(text.trim()).unwrap();
                if name == "game" {
                    let from = data["from"].as_u64().unwrap() as usize;
                    self.plies.truncate(from);
                    self.plies.extend(data["plies"].as_array().unwrap().iter().cloned());
                    self.head = data["head"].clone();
                    if let Some(tree) = data.get("tree") {
                        self.tree = tree.clone();
                    }
                }
                if name == "access" {
                    self.rights = data.clone();
                }
                return (name, data);
            }
        }
    }

    /// Reads on until a game event makes this true.
    pub fn until(&mut self, done: impl Fn(&Value, &[Value]) -> bool) {
        let began = Instant::now();
        while self.head.is_null() || !done(&self.head, &self.plies) {
            assert!(began.elapsed() < Duration::from_secs(60), "waited in vain: {}", self.head);
            self.next();
        }
    }

    /// Reads on until an event with this name has some data.
    pub fn wait_for(&mut self, name: &str) -> Value {
        loop {
            match self.next() {
                (found, data) if found == name && !data.is_null() => return data,
                _ => {}
            }
        }
    }

    /// Every side move with all moves before it.
    pub fn side_paths(&self) -> Vec<Vec<String>> {
        let nodes = self.tree["nodes"].as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut lines: Vec<Vec<String>> = Vec::new();
        // Each comes after the one that it follows.
        for node in nodes {
            let before = match node["parent"]["node"].as_u64() {
                Some(id) => nodes.iter().position(|other| other["id"] == id).unwrap(),
                None => usize::MAX,
            };
            let mut line = match lines.get(before) {
                Some(line) => line.clone(),
                None => {
                    let ply = node["parent"]["ply"].as_u64().unwrap() as usize;
                    self.plies[1..=ply].iter().map(|ply| text(&ply["move"])).collect()
                }
            };
            line.push(text(&node["move"]));
            lines.push(line);
        }
        lines
    }

    /// The moves played.
    pub fn moves(&self) -> Vec<&str> {
        let played = self.head["played"].as_u64().unwrap() as usize;
        self.plies[1..=played].iter().map(|ply| ply["move"].as_str().unwrap()).collect()
    }
}
