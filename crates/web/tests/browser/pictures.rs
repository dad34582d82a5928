//! Takes the pictures of the guide, in both languages: `cargo test -p web --test
//! browser pictures -- --ignored` writes them to `docs/images`.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use web::Options;

use crate::client::{begin, post, serve_with};
use crate::driver::{Browser, skipped};
use crate::matches_folder::MatchesFolder;

/// Bytes out of the base64 that Chromium sends.
fn decode(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|&c| c != b'=').collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0, |bits, &c| bits << 6 | digit(c)) << (6 * (4 - group.len()));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}

/// The window as it stands, as a file of the guide.
fn take(browser: &Browser, name: &str, language: &str) {
    std::thread::sleep(Duration::from_millis(500));
    let shot = browser.devtools("Page.captureScreenshot", json!({ "format": "png" }));
    let ending = if language == "zh-CN" { ".zh-CN" } else { "" };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    let path = folder.join(format!("{name}{ending}.png"));
    std::fs::write(path, decode(shot["data"].as_str().unwrap())).unwrap();
}

/// Results of the event's first rounds.
fn play_event(at: std::net::SocketAddr, id: &str, chinese: bool) {
    let teams = match chinese {
        true => {
            "沈阳航空航天大学\n北京信息科技大学\n东北大学\n安徽大学\n哈尔滨理工大学\n重庆理工大学\n南京工程学院"
        }
        false => "Amsterdam\nBandung\nCairo\nDelft\nEdmonton\nFlorence\nGeneva",
    };
    let new = json!({
        "name": id, "game": "surakarta", "format": { "kind": "swiss", "rounds": 5 }, "games": 1,
        "minutes": 15, "teams": teams,
    });
    post(at, "/api/events", &new).good();
    let path = format!(
        "/api/events/{}",
        if chinese { "%E6%98%A5%E5%AD%A3%E6%9D%AF" } else { "Spring%20Cup" }
    );
    for round in 0..3 {
        post(at, &path, &json!({ "do": "pair", "round": round })).good();
        for table in 0..if round == 2 { 1 } else { 3 } {
            let winner = ["first", "second", "draw"][(round + table) % 3];
            let reason = match winner {
                _ if (round, table) == (1, 2) => "forfeit",
                "draw" => "agreed",
                _ => "resigned",
            };
            let winner = if reason == "forfeit" { "first" } else { winner };
            let end = json!({ "winner": winner, "reason": reason });
            let place = json!([round, table, 0]);
            post(at, &path, &json!({ "do": "result", "place": place, "end": end })).good();
            if reason != "forfeit" {
                let record = json!({ "do": "record", "place": place, "text": "c5-c4 d2-d3" });
                post(at, &path, &record);
            }
        }
    }
}

#[test]
#[ignore = "takes the pictures of the guide"]
fn pictures() {
    if skipped() {
        return;
    }
    let folder = MatchesFolder::new();
    let events = tempfile::TempDir::new().unwrap();
    let at = serve_with(Options {
        matches: Some(folder.dir.path().to_owned()),
        events: Some(events.path().to_owned()),
        ..Options::local(0)
    });
    for language in ["en-US", "zh-CN"] {
        let chinese = language == "zh-CN";
        let browser = Browser::open(at, 1240, 840, language);
        let board = |request: Value| browser.go(&format!("/g/{}", begin(at, request)));
        let study = json!({ "on": true, "engine": "best" });
        browser.go("/");
        browser.wait("document.querySelector('.card') !== null");
        take(&browser, "first-view", language);

        browser.go("/learn/surakarta#3");
        browser.wait("document.querySelector('.ask-for:not(:empty)') !== null");
        take(&browser, "lesson", language);

        browser.go("/edit?game=connect-four&position=7/7/7/3xx2/2xoo2/1xoxo2+o");
        browser.wait("document.querySelector('.editor-verdict:not(:empty)') !== null");
        take(&browser, "position-editor", language);

        // A game with a move that overlooks three in a row, and side lines.
        let comment = if chinese { "挡住下面一行" } else { "stops the lowest row" };
        let moves = format!("4 4 3 4 (2 {{{comment}}} 5 4 (5 2) 5) 5 2 6");
        board(json!({ "game": "connect-four", "moves": moves }));
        browser.click("[data-do=review]");
        browser.wait("document.querySelector('[data-do=retry-1]') !== null");
        browser.click("[data-ply='4']");
        browser.wait("document.querySelector('.mistake-note .why') !== null");
        browser.run("document.querySelector('.moves').scrollIntoView({ block: 'start' })");
        take(&browser, "review", language);

        board(json!({ "game": "connect-four", "moves": "44" }));
        browser.click(".explorer summary");
        browser.click("[data-do=sample]");
        browser.wait("document.querySelectorAll('.explorer table').length > 1");
        browser.wait("!document.querySelector('[data-do=sample]').disabled");
        browser.run("document.querySelector('.explorer').scrollIntoView({ block: 'start' })");
        take(&browser, "explorer", language);

        let opening = "c5-c4 d2-d3 d5-d4 c2-c3 e5-e4 b2-b3";
        board(json!({ "game": "surakarta", "moves": opening, "study": study }));
        browser.wait("document.querySelectorAll('.lines tbody tr').length > 3");
        std::thread::sleep(Duration::from_secs(4));
        take(&browser, "surakarta-analysis", language);

        let edges = "0 7 14 21 28 35 42 49 3 10 17 24 31 38 45 52";
        board(json!({ "game": "dots-and-boxes", "moves": edges, "study": study }));
        browser.wait("document.querySelectorAll('.lines tbody tr').length > 3");
        browser.click("[name=chains]");
        std::thread::sleep(Duration::from_secs(4));
        take(&browser, "dots-and-boxes", language);

        let names =
            if chinese { ["沈阳航空航天大学", "我方"] } else { ["Visitors", "Home"] };
        let contest = json!({
            "ours": 1, "names": names, "event": "", "place": "A6", "ponder": false,
        });
        let id = begin(
            at,
            json!({
                "game": "surakarta", "moves": opening.rsplit_once(' ').unwrap().0,
                "seats": ["human", { "engine": "level n=9" }], "contest": contest, "total": 900_000,
            }),
        );
        post(at, &format!("/api/games/{id}"), &json!({ "do": "pause", "on": false })).good();
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('.our-move:not([hidden])') !== null");
        take(&browser, "contest", language);

        play_event(at, if chinese { "春季杯" } else { "Spring Cup" }, chinese);
        browser.go(if chinese {
            "/event/%E6%98%A5%E5%AD%A3%E6%9D%AF"
        } else {
            "/event/Spring%20Cup"
        });
        browser.wait("document.querySelector('.wall-chart tbody tr') !== null");
        // Where it is on the machine that takes the picture is nobody's business.
        browser.run(
            "const folder = document.querySelector('p.note code');
             folder.textContent = folder.textContent.replace(/^.*[/]/, 'boyi/events/')",
        );
        take(&browser, "event", language);

        let seats = [if chinese { "best" } else { "level n=7" }, "level n=5"];
        let request = json!({
            "game": "connect-four", "engines": seats, "games": 40, "seconds": null, "nodes": 2000,
            "plies": 4, "seed": 3,
        });
        let started = post(at, "/api/arena", &request).good();
        let path = format!("/arena/{}/{}", started["store"].as_str().unwrap(), started["number"]);
        browser.go(&path);
        browser.wait("document.querySelector('.pentanomial') !== null");
        browser.wait("document.querySelector('.live-game .board, [role=status]') !== null");
        take(&browser, "arena", language);
        post(at, &format!("/api{path}/run"), &json!({ "do": "stop" }));
        std::thread::sleep(Duration::from_secs(2));

        let phone = Browser::open(at, 360, 640, language);
        let id = begin(at, json!({ "game": "connect-four", "moves": "4435", "total": 300_000 }));
        phone.go(&format!("/g/{id}"));
        phone.wait("document.querySelector('.board.ready') !== null");
        take(&phone, "phone", language);
    }
}
