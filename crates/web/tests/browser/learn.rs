//! Rules and lessons: every step of every game, in both languages, and the ways of
//! Surakarta's pieces.

use serde_json::{Value, json};

use crate::client::{begin, serve};
use crate::driver::{Browser, skipped};

const GAMES: [&str; 3] = ["surakarta", "dots-and-boxes", "connect-four"];

#[test]
fn the_rules_have_a_picture_for_every_step() {
    if skipped() {
        return;
    }
    let at = serve();
    for (language, width) in [("en-US", 1200), ("zh-CN", 390)] {
        let browser = Browser::open(at, width, 800, language);
        for game in GAMES {
            browser.go(&format!("/rules/{game}"));
            let steps = browser.with_module(
                &format!("./lessons/{game}.js"),
                "done(module.lesson.map(({ title, text }) => [title.en, text.en, title.zh, text.zh]))",
            );
            let steps = steps.as_array().unwrap();
            browser.wait(&format!(
                "document.querySelectorAll('.picture svg').length === {}",
                steps.len()
            ));
            let shown = browser.run("return document.querySelector('main').innerText");
            let of = if language == "en-US" { 0 } else { 2 };
            for step in steps {
                assert!(shown.as_str().unwrap().contains(step[of].as_str().unwrap()), "{step}");
                assert!(shown.as_str().unwrap().contains(step[of + 1].as_str().unwrap()), "{step}");
            }
            let fits = format!("return document.documentElement.scrollWidth <= {width}");
            assert_eq!(browser.run(&fits), true, "{game}");
        }
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

/// The place with a name.
fn place(browser: &Browser, name: &str) -> String {
    let id = browser.run(&format!(
        "return [...document.querySelectorAll('.hit')].find((hit) =>
           hit.dataset.place === {name:?} || hit.getAttribute('aria-label').startsWith('edge ' + {name:?})
         ).dataset.place"
    ));
    format!(".hit[data-place='{}']", id.as_str().unwrap())
}

/// Makes a move as a reader does: by one place or by two.
fn make(browser: &Browser, mv: &str) {
    match mv.split_once(['x', '-']) {
        Some((from, to)) => {
            browser.click(&place(browser, from));
            browser.click(&place(browser, to));
        }
        None => browser.click(&place(browser, mv)),
    }
}

#[test]
fn surakarta_s_lesson_can_be_played_to_its_end() {
    play_lesson("surakarta");
}

#[test]
fn the_lesson_of_dots_and_boxes_can_be_played_to_its_end() {
    play_lesson("dots-and-boxes");
}

#[test]
fn connect_four_s_lesson_can_be_played_to_its_end() {
    play_lesson("connect-four");
}

fn play_lesson(game: &str) {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    browser.go("/");
    browser.click(&format!("[data-game='{game}']"));
    browser.click(&format!(".learn-links a[href='/learn/{game}']"));
    browser.wait("document.querySelector('.learn .board') !== null");
    let steps = browser.with_module(&format!("./lessons/{game}.js"), "done(module.lesson)");
    for (number, step) in steps.as_array().unwrap().iter().enumerate() {
        let title = step["title"]["en"].as_str().unwrap();
        browser.wait(&format!("document.querySelector('.learn h2').textContent === {title:?}"));
        browser.wait("document.querySelector('.learn .board') !== null");
        let Some(task) = step.get("task") else {
            browser.click("[data-do=next]");
            continue;
        };
        browser.wait("document.querySelector('.board.ready .hit.open') !== null");
        let steps = match task.get("steps") {
            Some(steps) => steps.as_array().unwrap().clone(),
            None => vec![json!({ "accept": task.get("accept") })],
        };
        let moves = steps.iter().map(|step| match step["accept"][0].as_str() {
            Some(mv) => mv.to_owned(),
            None => String::new(),
        });
        let done = task["done"]["en"].as_str().unwrap();
        for (n, mv) in moves.enumerate() {
            browser.wait("document.querySelector('.board.ready .hit.open') !== null");
            if n == 0 && task.get("retry").is_some() {
                wrong_move(&browser, &steps[0]["accept"], task["retry"]["en"].as_str().unwrap());
            }
            let before = browser.run("return document.querySelector('.layer-pieces').innerHTML");
            match mv.as_str() {
                "" => any_move(&browser),
                mv => make(&browser, mv),
            }
            browser
                .wait(&format!("document.querySelector('.layer-pieces').innerHTML !== {before}"));
            // The lesson may answer before it is the reader's turn again.
            for reply in steps[n]["replies"].as_array().into_iter().flatten() {
                let open = place(&browser, reply.as_str().unwrap()).replace(".hit", ".hit.open");
                browser.wait(&format!("document.querySelector({open:?}) === null"));
            }
        }
        browser.wait(&format!("document.querySelector('.answer').textContent === {done:?}"));
        assert_eq!(browser.run("return location.hash"), format!("#{number}"));
        browser.click("[data-do=next]");
    }
    // The last button begins a game.
    browser.wait("location.pathname.startsWith('/g/')");
    browser.wait("document.querySelector('.board.ready') !== null");
    assert_eq!(browser.state("head.seats")[1]["engine"], "level n=1");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn any_move(browser: &Browser) {
    browser.click(".board.ready .hit.open");
    if browser.run("return document.querySelector('.hit.target') !== null") == true {
        browser.click(".hit.target");
    }
}

/// Makes a legal move that the lesson does not want, and sees what it says.
fn wrong_move(browser: &Browser, accept: &Value, retry: &str) {
    let accept: Vec<&str> = accept.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let open = browser.run(
        "return [...document.querySelectorAll('.board.ready .hit.open')].map((hit) =>
           [hit.dataset.place, hit.getAttribute('aria-label')])",
    );
    for hit in open.as_array().unwrap() {
        let (id, label) = (hit[0].as_str().unwrap(), hit[1].as_str().unwrap());
        let name = label.trim_start_matches("edge ").split(',').next().unwrap();
        if accept.iter().any(|mv| *mv == id || *mv == name) {
            continue;
        }
        browser.click(&format!(".hit[data-place='{id}']"));
        let targets = browser.run(
            "return [...document.querySelectorAll('.hit.target')].map((hit) => hit.dataset.place)",
        );
        let wanted = |target: &str| accept.iter().any(|mv| *mv == format!("{id}x{target}"));
        let targets = targets.as_array().unwrap();
        if let Some(target) = targets.iter().filter_map(Value::as_str).find(|one| !wanted(one)) {
            browser.click(&format!(".hit[data-place='{target}']"));
        }
        browser.wait(&format!("document.querySelector('.answer').textContent === {retry:?}"));
        return;
    }
    panic!("there is no wrong move");
}

#[test]
fn the_ways_of_a_piece_light_up() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    let position = "6/3b2/6/1w4/4b1/w1b3 b";
    let id = begin(at, json!({ "game": "surakarta", "position": position }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    browser.hover(".hit[data-place='d5']");
    browser.wait("document.querySelectorAll('.way').length > 1");
    browser.wait("document.querySelectorAll('.way.takes').length === 1");
    let d = browser.run("return document.querySelector('.way.takes').getAttribute('d')");
    assert!(d.as_str().unwrap().contains('A'), "over a loop: {d}");
    // The opponent's piece has ways as well, an empty point has none.
    browser.hover(".hit[data-place='b3']");
    browser.wait("document.querySelectorAll('.way.takes').length > 0");
    browser.hover(".hit[data-place='f6']");
    browser.wait("document.querySelector('.way') === null");
    // The capture is previewed at its target.
    browser.click(".hit[data-place='d5']");
    browser.hover(".hit[data-place='b3']");
    browser.wait("document.querySelectorAll('.way').length === 1 && document.querySelector('.way.aimed') !== null");
    // By the finger: a tap selects, and the ways stay.
    let phone = Browser::open(at, 390, 780, "zh-CN");
    phone.go(&format!("/g/{id}"));
    phone.wait("document.querySelector('.board.ready') !== null");
    phone.tap(".hit[data-place='d5']");
    phone.wait("document.querySelector('.way.takes') !== null");
    phone.tap(".hit[data-place='b3']");
    phone.wait("document.querySelector('.trail.capture') !== null");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn columns_have_numbers_and_dots_have_names() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    let id = begin(at, json!({ "game": "connect-four 12x9", "moves": "bbc" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelectorAll('[data-ply]').length === 3");
    let texts = |kind: &str| {
        browser.run(&format!(
            "return [...document.querySelectorAll('{kind}')].map((one) => one.textContent)"
        ))
    };
    let numbers: Vec<String> = (1..=12).map(|n| n.to_string()).collect();
    assert_eq!(texts(".coordinate"), json!(numbers));
    assert_eq!(texts("[data-ply]"), json!(["11", "11", "12"]));
    let id = begin(at, json!({ "game": "dots-and-boxes 2x3" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    assert_eq!(texts(".coordinate"), json!(["a", "b", "c", "d", "3", "2", "1"]));
    // At an edge both its dots are named.
    browser.hover(".hit[aria-label^='edge b2h']");
    browser.wait("document.querySelectorAll('.dot-name').length === 2");
    assert_eq!(texts(".dot-name"), json!(["b2", "c2"]));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
