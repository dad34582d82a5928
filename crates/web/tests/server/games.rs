//! Games by requests.

use std::time::Duration;

use serde_json::json;

use crate::client::{Stream, begin, get, play, post, serve, serve_from};

#[test]
fn two_people_play_take_back_and_play_again() {
    let at = serve();
    let id = begin(at, json!({ "game": "connect-four", "moves": "44" }));
    let mut stream = Stream::open(at, &id, "a");
    assert_eq!(stream.moves(), ["4", "4"]);
    play(at, &id, 2, "3").good();
    stream.until(|head, _| head["played"] == 3);
    let path = format!("/api/games/{id}");
    post(at, &path, &json!({ "do": "undo" })).good();
    stream.until(|head, plies| head["played"] == 2 && plies.len() == 4);
    post(at, &path, &json!({ "do": "redo" })).good();
    stream.until(|head, _| head["played"] == 3);
    post(at, &path, &json!({ "do": "redo" })).refused(409);
    // A move at an earlier ply is a mistake, unless it is said to be meant; what
    // came after it becomes a side line.
    play(at, &id, 1, "7").refused(409);
    post(at, &path, &json!({ "do": "play", "ply": 1, "move": "9", "cut": true })).refused(400);
    assert_eq!(Stream::open(at, &id, "x").moves().len(), 3, "an illegal move changes nothing");
    post(at, &path, &json!({ "do": "play", "ply": 1, "move": "7", "cut": true })).good();
    stream.until(|head, plies| head["played"] == 2 && plies.len() == 3);
    assert_eq!(stream.moves(), ["4", "7"]);
    assert_eq!(stream.side_paths(), [vec!["4", "4"], vec!["4", "4", "3"]]);
    post(at, &path, &json!({ "do": "resign", "player": 0 })).good();
    stream.until(|head, _| head["outcome"]["winner"] == 1);
    play(at, &id, 2, "1").refused(400);
    // Two tabs see the same, and a new one sees everything.
    assert_eq!(Stream::open(at, &id, "b").plies.len(), 3);
}

#[test]
fn an_engine_answers_and_undo_takes_its_answer_back() {
    let at = serve();
    for game in ["surakarta", "dots-and-boxes 2x2", "connect-four 5x4 hole=2,2"] {
        let id = begin(at, json!({ "game": game, "seats": ["human", { "engine": "level n=1" }] }));
        let mut stream = Stream::open(at, &id, "a");
        let mv = stream.head["legal"][0][0].as_str().unwrap().to_owned();
        play(at, &id, 0, &mv).good();
        stream.until(|head, _| head["played"].as_u64() >= Some(2) && head["to_move"] == 0);
        post(at, &format!("/api/games/{id}"), &json!({ "do": "undo" })).good();
        stream.until(|head, _| head["played"] == 0);
    }
}

#[test]
fn engines_play_a_game_to_its_end_while_watched() {
    let at = serve();
    let engine = json!({ "engine": "random" });
    let id = begin(at, json!({ "game": "dots-and-boxes 3x3", "seats": [engine, engine] }));
    std::thread::sleep(Duration::from_millis(300));
    let mut stream = Stream::open(at, &id, "a");
    assert!(stream.plies.len() < 20, "without a stream nothing is played");
    stream.until(|head, _| !head["outcome"].is_null());
    let score = &stream.plies.last().unwrap()["view"]["score"];
    assert_eq!(score[0].as_u64().unwrap() + score[1].as_u64().unwrap(), 9);
}

#[test]
fn analysis_comes_stops_and_dies_with_its_stream() {
    let at = serve();
    let id = begin(at, json!({ "game": "connect-four" }));
    let path = format!("/api/games/{id}/study");
    let request = |on: bool| json!({ "tab": "a", "on": on, "engine": "best", "ply": 0 });
    post(at, &path, &request(true)).refused(409);
    let mut stream = Stream::open(at, &id, "a");
    post(at, &path, &request(true)).good();
    let report = loop {
        let report = stream.wait_for("analysis");
        if report["sims"].as_u64() > Some(100) {
            break report;
        }
    };
    assert_eq!(report["lines"].as_array().unwrap().len(), 7);
    // A report may also come because more is certain.
    while stream.wait_for("analysis")["sims"].as_u64() <= report["sims"].as_u64() {}
    post(at, &path, &request(false)).good();
    stream.until(|head, _| head["study"]["on"] == false);
    post(at, &path, &request(true)).good();
    stream.wait_for("analysis");
    drop(stream);
    // The setting stays, and a new stream shows it.
    let stream = Stream::open(at, &id, "b");
    assert_eq!(stream.head["study"]["on"], true);
}

#[test]
fn a_move_that_was_not_searched_has_no_score() {
    let at = serve();
    // Proven after a few simulations: most columns have one or none.
    let id = begin(at, json!({ "game": "connect-four", "moves": "44444252" }));
    let mut stream = Stream::open(at, &id, "a");
    let request = json!({ "tab": "a", "on": true, "engine": "best", "ply": 8 });
    post(at, &format!("/api/games/{id}/study"), &request).good();
    for _ in 0..3 {
        let report = stream.wait_for("analysis");
        for line in report["lines"].as_array().unwrap() {
            let few = line["visits"].as_u64() < Some(8);
            assert!(!few || line["score"]["expected"].is_null(), "{line}");
        }
        if report["source"] == "solver" {
            return;
        }
    }
}

#[test]
fn an_analysis_knows_what_is_certain_of_every_move() {
    let at = serve();
    for (game, moves, ply, count) in
        [("connect-four", Some("444442525533"), 12, 7), ("dots-and-boxes 3x3", None, 0, 24)]
    {
        let id = begin(at, json!({ "game": game, "moves": moves }));
        let mut stream = Stream::open(at, &id, "a");
        let request = json!({ "tab": "a", "on": true, "engine": "best", "ply": ply });
        post(at, &format!("/api/games/{id}/study"), &request).good();
        let report = loop {
            let report = stream.wait_for("analysis");
            let lines = report["lines"].as_array().unwrap();
            let exact = lines.iter().filter(|line| line["exact"]["low"] == line["exact"]["high"]);
            if exact.filter(|line| !line["exact"].is_null()).count() == count {
                break report;
            }
        };
        assert_eq!(report["exact"].as_array().unwrap().len(), count, "{report}");
        assert_eq!(report["source"], "solver");
        assert!(!report["score"]["proven"].is_null());
        if game == "dots-and-boxes 3x3" {
            assert_eq!(report["lines"][0]["exact"]["low"], -3);
            assert_eq!(report["first"], 0.0);
        }
    }
}

#[test]
fn a_book_stands_beside_an_analysis_and_does_not_end_it() {
    let at = serve();
    let id = begin(at, json!({ "game": "connect-four", "moves": "444" }));
    let mut stream = Stream::open(at, &id, "a");
    let request = json!({ "tab": "a", "on": true, "engine": "best", "ply": 3 });
    post(at, &format!("/api/games/{id}/study"), &request).good();
    loop {
        let report = stream.wait_for("analysis");
        if !report["book"].is_null() && report["sims"].as_u64() > Some(100) {
            assert!(!report["book"][0]["score"]["proven"].is_null(), "{report}");
            assert_eq!(report["lines"][0]["move"], report["book"][0]["move"]);
            assert!(!report["lines"][0]["exact"]["result"].is_null());
            break;
        }
    }
}

#[test]
fn alpha_beta_has_a_value_for_every_move() {
    let at = serve();
    let id = begin(at, json!({ "game": "surakarta" }));
    let mut stream = Stream::open(at, &id, "a");
    let legal = stream.head["legal"].as_array().unwrap().len();
    let request = json!({ "tab": "a", "on": true, "engine": "best", "ply": 0 });
    post(at, &format!("/api/games/{id}/study"), &request).good();
    loop {
        let report = stream.wait_for("analysis");
        let lines = report["lines"].as_array().unwrap();
        if lines.iter().filter(|line| !line["score"].is_null()).count() == legal {
            break;
        }
    }
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let at = serve();
    let id = begin(at, json!({ "game": "connect-four", "total": 1000 }));
    let mut stream = Stream::open(at, &id, "a");
    assert!(stream.head["clocks"]["running"].is_null(), "time runs from the first move");
    play(at, &id, 0, "4").good();
    stream.until(|head, _| head["outcome"]["reason"] == "time");
    assert_eq!(stream.head["outcome"]["winner"], 0);
}

#[test]
fn a_contest_corrects_a_move_and_keeps_the_time() {
    let at = serve();
    let id = begin(
        at,
        json!({
            "game": "connect-four", "total": 600_000, "seats": ["human", { "engine": "level n=2" }],
            "contest": { "ours": 1, "names": ["Them", "Us"], "event": "Cup", "ponder": true },
        }),
    );
    let path = format!("/api/games/{id}");
    let mut stream = Stream::open(at, &id, "a");
    assert_eq!(stream.head["clocks"]["paused"], true);
    post(at, &path, &json!({ "do": "pause", "on": false })).good();
    play(at, &id, 0, "4").good();
    stream.until(|head, _| head["played"] == 2);
    std::thread::sleep(Duration::from_millis(400));
    let spent = |stream: &Stream| {
        let left = |i: usize| stream.head["clocks"]["left"][i].as_u64().unwrap();
        1_200_000 - left(0) - left(1)
    };
    post(at, &path, &json!({ "do": "correct", "ply": 0, "move": "9" })).refused(400);
    assert_eq!(stream.moves().len(), 2, "a wrong correction changes nothing");
    post(at, &path, &json!({ "do": "correct", "ply": 0, "move": "5" })).good();
    stream.until(|head, plies| head["played"] == 2 && plies[1]["move"] == "5");
    assert!(spent(&stream) >= 400, "time that has passed has passed");
    post(at, &path, &json!({ "do": "pause", "on": true })).good();
    stream.until(|head, _| head["clocks"]["paused"] == true && head["clocks"]["running"].is_null());
    let record = get(at, &format!("/api/games/{id}/record"));
    assert!(
        record.body.contains("first: Them\nsecond: Us\nevent: Cup\nresult: unfinished\nmoves: 5 ")
    );
}

#[test]
fn a_review_finds_the_blunder() {
    let at = serve();
    // Second lets First make four in a row.
    let id = begin(at, json!({ "game": "connect-four 4x4", "moves": "1 2 1 2 1 3 1" }));
    let mut stream = Stream::open(at, &id, "a");
    post(at, &format!("/api/games/{id}/review"), &json!({})).good();
    let review = loop {
        let review = stream.wait_for("review");
        if review["done"] == true {
            break review;
        }
    };
    let found = review["found"].as_array().unwrap();
    let of = |ply: u64| found.iter().find(|one| one["ply"] == ply).unwrap();
    assert!(of(5)["cost"].as_f64().unwrap() > 0.3, "{}", of(5));
    assert_eq!(of(5)["best"], "1");
    assert_eq!(of(7)["first"], 1.0);
}

#[test]
fn a_hint_is_a_legal_move() {
    let at = serve();
    let id = begin(at, json!({ "game": "surakarta" }));
    let mut stream = Stream::open(at, &id, "a");
    post(at, &format!("/api/games/{id}"), &json!({ "do": "hint" })).good();
    stream.until(|head, _| !head["hint"].is_null());
    let best = &stream.head["hint"]["best"];
    let legal = stream.head["legal"].as_array().unwrap();
    assert!(legal.iter().any(|mv| mv[0] == *best));
}

#[test]
fn pages_catalog_and_lists_are_there() {
    let at = serve();
    let page = get(at, "/");
    assert!(page.body.contains("/page/main.js"));
    assert!(page.head.to_lowercase().contains("content-security-policy: default-src 'none'"));
    let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let again = crate::client::ask(at, "GET", "/", &format!("if-none-match: {tag}\r\n"), b"");
    assert_eq!(again.status, 304);
    assert_eq!(get(at, "/page/../Cargo.toml").status, 404);
    let main = page.body.split('"').find(|word| word.ends_with("/page/main.js")).unwrap();
    let zipped = crate::client::ask(at, "HEAD", main, "accept-encoding: gzip, br\r\n", b"").head;
    assert!(zipped.contains("content-encoding: gzip") && zipped.contains("immutable"), "{zipped}");
    assert!(!get(at, main).head.contains("content-encoding"));
    assert_eq!(get(at, "/api/catalog").good()["games"].as_array().unwrap().len(), 3);
    begin(at, json!({ "game": "surakarta" }));
    assert_eq!(get(at, "/api/games").good().as_array().unwrap().len(), 1);
}

#[test]
fn a_move_that_can_not_be_saved_is_not_shown() {
    let folder = tempfile::TempDir::new().unwrap();
    let data = folder.path().join("games.sqlite");
    let at = serve_from(Some(data.clone()));
    let id = begin(at, json!({ "game": "connect-four", "moves": "4" }));
    let mut stream = Stream::open(at, &id, "a");
    let disk = rusqlite::Connection::open(&data).unwrap();
    disk.execute_batch(
        "CREATE TRIGGER full BEFORE INSERT ON ply BEGIN SELECT RAISE(FAIL, 'the disk is full'); END",
    )
    .unwrap();
    let sentence = play(at, &id, 1, "5").refused(500);
    assert!(sentence.contains("the disk is full"), "{sentence}");
    disk.execute_batch("DROP TRIGGER full").unwrap();
    assert_eq!(Stream::open(at, &id, "b").moves(), ["4"]);
    play(at, &id, 1, "6").good();
    stream.until(|head, _| head["played"] == 2);
    assert_eq!(stream.moves(), ["4", "6"]);
}

/// What plain alpha-beta promises of every position that it looked through:
/// its value is the best of its children's, turned where the turn passed.
fn check_branch(branch: &serde_json::Value) -> usize {
    let children = branch["children"].as_array().unwrap();
    let best = children.iter().map(|child| {
        let value = child["value"].as_i64().unwrap();
        if child["mover"] == branch["mover"] { value } else { -value }
    });
    if branch["visit"] == "all" {
        assert_eq!(branch["value"].as_i64(), best.max(), "{branch}");
    }
    1 + children.iter().map(check_branch).sum::<usize>()
}

#[test]
fn a_look_inside_keeps_the_searches_laws() {
    let at = serve();
    for game in ["surakarta", "dots-and-boxes 2x2", "connect-four"] {
        let id = begin(at, json!({ "game": game }));
        let path = format!("/api/games/{id}/inside");
        let tree = post(at, &path, &json!({ "search": "tree", "ply": 0, "seed": 3 })).good();
        let simulations = tree["simulations"].as_array().unwrap();
        assert_eq!(simulations.len(), 60);
        for one in simulations {
            let length = one["path"].as_array().unwrap().len() as u64;
            assert_eq!(one["backed_up"].as_u64(), Some(length + 1), "{one}");
            assert!(one["value"].as_f64().unwrap().abs() <= 1.0);
        }
        let sentence = post(at, &path, &json!({ "search": "alpha-beta", "ply": 0 })).good();
        assert_eq!(sentence["nodes"].as_u64(), Some(check_branch(&sentence["tree"]) as u64));
    }
}

/// The contests' own formats, byte for byte, and back again.
#[test]
fn contest_records_are_written_and_opened() {
    let at = serve();
    let contest = json!({ "ours": 1, "names": ["甲队", "乙队"], "event": "测试杯", "place": "A6", "ponder": false });
    for (game, moves, golden, name) in [
        (
            "surakarta",
            "c5-c4 d2-d3",
            include_str!("golden/surakarta.txt"),
            "A6：甲队先手，乙队后手.txt",
        ),
        (
            "dots-and-boxes 1x1",
            "0 1 2 3",
            include_str!("golden/dots-and-boxes.txt"),
            "A6：甲队先手，乙队后手，乙队胜.txt",
        ),
        (
            "connect-four 9x9 hole=3,4",
            "5 1 5 1 5 1 5",
            include_str!("golden/connect-four.txt"),
            "A6：甲队先手，乙队后手，甲队胜.txt",
        ),
    ] {
        let id = begin(at, json!({ "game": game, "moves": moves, "contest": contest }));
        let path = format!("/api/games/{id}/record?date=2026-11-16%2009:30:00");
        let record = get(at, &path);
        assert_eq!(record.body, golden);
        let percent: String = name
            .bytes()
            .map(|c| match c.is_ascii_alphanumeric() || c == b'.' {
                true => char::from(c).to_string(),
                false => format!("%{c:02X}"),
            })
            .collect();
        assert!(record.head.contains(&percent), "{}", record.head);
        let again = begin(at, json!({ "game": game, "record": golden }));
        let stream = Stream::open(at, &again, "a");
        assert_eq!(stream.moves(), moves.split(' ').collect::<Vec<_>>());
    }
    post(at, "/api/games", &json!({ "record": "B2C-6F\n" })).refused(400);
    post(at, "/api/games", &json!({ "record": "{\"game\": 3}" })).refused(400);
}

#[test]
fn a_position_is_described_or_refused_in_a_sentence() {
    let at = serve();
    let ask = |request: serde_json::Value| post(at, "/api/position", &request);
    let found = ask(json!({ "game": "surakarta", "position": "6/3b2/6/1w4/6/6 b" })).good();
    let legal: Vec<&str> =
        found["legal"].as_array().unwrap().iter().map(|mv| mv[0].as_str().unwrap()).collect();
    assert!(legal.contains(&"d5xb3"), "{legal:?}");
    let takes = found["trails"].as_array().unwrap().iter().filter(|trail| trail["takes"] == true);
    let takes: Vec<_> = takes.map(|trail| trail["places"].clone()).collect();
    assert!(takes.contains(&json!(["d5", "c5", "b5", "a5", "b6", "b5", "b4", "b3"])), "{takes:?}");
    let after = ask(json!({ "game": "connect-four", "moves": "1212121" })).good();
    assert_eq!(after["outcome"], json!({ "winner": 0, "reason": "four in a row" }));
    assert_eq!((&after["ply"]["move"], &after["legal"]), (&json!("1"), &json!([])));
    let board = json!({ "cells": "1".repeat(36), "to_move": 0 });
    let sentence = ask(json!({ "game": "surakarta", "board": board })).good()["wrong"].clone();
    assert!(sentence.as_str().unwrap().contains("at most 12"), "{sentence}");
    let boards = [
        ("connect-four", json!({ "cells": "", "to_move": 9 })),
        ("dots-and-boxes", json!({ "cells": "1", "edges": "1".repeat(500), "to_move": 0 })),
    ];
    for (game, board) in boards {
        assert!(ask(json!({ "game": game, "board": board })).good()["wrong"].is_string());
    }
    for bad in
        [json!({}), json!({ "game": "chess" }), json!({ "game": "connect-four", "position": "x" })]
    {
        ask(bad).refused(400);
    }
}
