//! Visitors who mean no good: each gets a clear refusal, and the server is well
//! afterwards.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Stream, ask, begin, get, play, post, raw, serve, serve_class};

const JSON: &str = "content-type: application/json\r\n";

#[track_caller]
fn is_well(at: SocketAddr) {
    let id = begin(at, json!({ "game": "connect-four" }));
    play(at, &id, 0, "4").good();
}

#[test]
fn strangers_are_turned_away() {
    let at = serve();
    let body = br#"{"game":"connect-four"}"#;
    for (more, status) in [
        ("origin: http://evil.example\r\n", 403),
        ("origin: null\r\n", 403),
        ("origin: https://127.0.0.1\r\n", 403),
        ("sec-fetch-site: cross-site\r\n", 403),
        ("sec-fetch-site: same-site\r\n", 403),
        ("sec-fetch-site: same-origin\r\n", 200),
    ] {
        let answer = ask(at, "POST", "/api/games", &format!("{JSON}{more}"), body);
        assert_eq!(answer.status, status, "{more}");
    }
    let own = format!("{JSON}origin: http://{at}\r\n");
    assert_eq!(ask(at, "POST", "/api/games", &own, body).status, 200);
    for host in ["evil.example", "evil.example:80", "127.0.0.1:1", "", "127.0.0.1@evil.example"] {
        let request = format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        assert_eq!(raw(at, request.as_bytes()).status, 403, "{host}");
    }
    assert_eq!(raw(at, b"GET / HTTP/1.0\r\n\r\n").status, 403, "no host at all");
    // A form of another page can't send JSON.
    let form = "content-type: text/plain\r\n";
    ask(at, "POST", "/api/games", form, body).refused(415);
    is_well(at);
}

#[test]
fn too_much_is_refused() {
    let at = serve();
    let id = begin(at, json!({ "game": "surakarta" }));
    let long = "4 ".repeat(1_000_000);
    assert_eq!(
        post(at, "/api/games", &json!({ "game": "connect-four", "moves": long })).status,
        413
    );
    let sentence =
        post(at, "/api/games", &json!({ "game": "connect-four 1000x1000" })).refused(400);
    assert!(sentence.contains("1000") || sentence.contains("columns"), "{sentence}");
    post(at, "/api/games", &json!({ "game": "dots-and-boxes 100x100" })).refused(400);
    for bad in [
        json!({ "game": "chess" }),
        json!({ "game": "surakarta", "seats": ["human", { "engine": "uct threads=250" }] }),
        json!({ "game": "surakarta", "seats": ["human", { "engine": "uct memory=60000" }] }),
        json!({ "game": "surakarta", "seats": ["human", { "engine": "uct eval=../../secret" }] }),
        json!({ "game": "surakarta", "move_seconds": 1e9 }),
        json!({ "game": "surakarta", "total": 1 }),
        json!({ "game": "surakarta", "total": 1u64 << 60 }),
        json!({ "game": "surakarta", "contest": { "names": ["x".repeat(500), ""] } }),
        json!({ "game": "surakarta", "position": "x".repeat(50_000) }),
        json!({ "game": "connect-four", "moves": "4 ".repeat(20_000) }),
    ] {
        post(at, "/api/games", &bad).refused(400);
    }
    // A long chunked body has no announced length.
    let mut chunked = format!(
        "POST /api/games HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n{JSON}transfer-encoding: chunked\r\n\r\n"
    )
    .into_bytes();
    for _ in 0..40 {
        chunked.extend_from_slice(format!("{:x}\r\n{}\r\n", 8192, " ".repeat(8192)).as_bytes());
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    assert_eq!(raw(at, &chunked).status, 413);
    let header = format!("GET / HTTP/1.1\r\nhost: {at}\r\nx: {}\r\n\r\n", "y".repeat(200_000));
    assert_eq!(raw(at, header.as_bytes()).status, 431);
    let tab = format!("/api/games/{id}/events?tab={}", "t".repeat(100));
    get(at, &tab).refused(400);
    is_well(at);
}

#[test]
fn nonsense_is_refused() {
    let at = serve();
    let id = begin(at, json!({ "game": "surakarta" }));
    for body in [&b"\xff\xfe{"[..], b"{", b"", b"[]", b"{\"game\":\"\xc3\x28\"}", b"{\"game\":3}"] {
        let answer = ask(at, "POST", "/api/games", JSON, body);
        assert!((400..500).contains(&answer.status), "{body:?} {}", answer.status);
    }
    for mv in ["", "a1", "a6-a9", "x".repeat(9000).as_str(), "b5-b4 b4-b3", "\u{0}", "五"] {
        play(at, &id, 0, mv).refused(400);
    }
    play(at, &id, 7, "b5-b4").refused(409);
    post(at, &format!("/api/games/{id}"), &json!({ "do": "dance" })).refused(422);
    post(at, &format!("/api/games/{id}"), &json!({ "do": "clocks", "left": [1, 2] })).refused(400);
    for path in ["/api/games/x", "/api/games/..", "/api/games/aaaaaaaaaaaaaaaaaaaaaaaaaa"] {
        post(at, path, &json!({ "do": "undo" })).refused(404);
    }
    get(at, &format!("/api/games/{id}/legal?ply=99999")).refused(400);
    assert_eq!(get(at, "/nowhere").status, 404);
    assert_eq!(get(at, "/page/%2e%2e/%2e%2e/Cargo.toml").status, 404);
    assert_eq!(ask(at, "DELETE", "/api/games", "", b"").status, 405);
    assert_eq!(raw(at, b"\x16\x03\x01 not http at all\r\n\r\n").status, 400);
    is_well(at);
}

#[test]
fn slow_headers_are_cut_off_and_delay_no_other_request() {
    let at = serve();
    let began = Instant::now();
    let mut slow: Vec<TcpStream> = (0..50).map(|_| TcpStream::connect(at).unwrap()).collect();
    for socket in &mut slow {
        socket.write_all(b"GET / HTTP/1.1\r\nho").unwrap();
    }
    is_well(at);
    let mut byte = [0; 4096];
    for socket in &mut slow {
        socket.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
        // Whatever it says, it hangs up.
        while socket.read(&mut byte).is_ok_and(|count| count > 0) {}
    }
    assert!(began.elapsed() < Duration::from_secs(15));
    is_well(at);
}

#[test]
fn another_address_demands_a_token() {
    let (link, _) = serve_class();
    let (place, token) = link.split_once("/?token=").unwrap();
    let port = place.rsplit_once(':').unwrap().1;
    let at: SocketAddr = format!("127.0.0.1:{port}").parse().unwrap();
    get(at, "/").refused(401);
    get(at, "/?token=wrong").refused(401);
    let welcome = get(at, &format!("/?token={token}"));
    assert_eq!(welcome.status, 303);
    let cookie = welcome.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    assert_eq!(ask(at, "GET", "/", &format!("cookie: {pair}\r\n"), b"").status, 200);
    ask(at, "GET", "/", "cookie: boyi=guess\r\n", b"").refused(401);
}

#[test]
fn ids_are_long_and_never_the_same() {
    let at = serve();
    let ids: Vec<String> = (0..20).map(|_| begin(at, json!({ "game": "surakarta" }))).collect();
    for (i, id) in ids.iter().enumerate() {
        assert!(id.len() == 26 && !ids[..i].contains(id));
    }
}

#[test]
fn an_endless_analysis_does_not_starve_a_game() {
    let at = serve();
    let mut streams = Vec::new();
    for n in 0..12 {
        let id = begin(at, json!({ "game": "connect-four" }));
        let tab = format!("t{n}");
        streams.push(Stream::open(at, &id, &tab));
        let request = json!({ "tab": tab, "on": true, "engine": "uct", "ply": 0 });
        post(at, &format!("/api/games/{id}/study"), &request).good();
    }
    let id =
        begin(at, json!({ "game": "connect-four", "seats": ["human", { "engine": "level n=4" }] }));
    let mut stream = Stream::open(at, &id, "game");
    let began = Instant::now();
    for ply in [0, 2, 4] {
        play(at, &id, ply, &(1 + ply).to_string()).good();
        stream.until(|head, _| head["played"] == ply + 2);
    }
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    // And every analysis gets its share.
    for stream in &mut streams {
        stream.wait_for("analysis");
    }
}
