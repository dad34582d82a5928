//! Analysis, links, review, the trace of a search.

use serde_json::json;

use crate::client::{begin, serve};
use crate::driver::{Browser, key, skipped};

const ROWS: &str = "document.querySelectorAll('.lines tbody tr').length";

#[test]
fn analysis_appears_and_stops() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    for game in ["connect-four", "dots-and-boxes 3x3", "surakarta"] {
        let id = begin(at, json!({ "game": game }));
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('.board.ready') !== null");
        browser.click("#study");
        browser.wait(&format!("{ROWS} > 0"));
        browser.wait("document.querySelector('.mark') !== null");
        let before = browser.text(".facts");
        browser.wait(&format!("document.querySelector('.facts').textContent !== {before:?}"));
        browser.click("#study");
        browser.wait(&format!("{ROWS} === 0 && document.querySelector('.mark') === null"));
        // After a reload the setting is as it was left.
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('.board.ready') !== null");
        assert_eq!(browser.run("return document.querySelector('#study').checked"), false);
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn analysis_of_a_decided_position_shows_its_lines_each_time() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    // First wins at once, so the search is over before the setting is saved.
    let id = begin(at, json!({ "game": "connect-four", "moves": "121212" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
    for _ in 0..12 {
        browser.click("#study");
        browser.wait(&format!("{ROWS} > 0"));
        // What was found is still there when the setting has been saved.
        std::thread::sleep(std::time::Duration::from_millis(150));
        assert!(browser.run(&format!("return {ROWS}")).as_u64() > Some(0));
        browser.click("#study");
        browser.wait(&format!("{ROWS} === 0"));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn what_is_certain_has_its_own_words() {
    if skipped() {
        return;
    }
    let at = serve();
    for (language, boxes, wins) in [("en-US", "−3 boxes", "wins"), ("zh-CN", "−3 格", "胜")] {
        let browser = Browser::open(at, 1200, 900, language);
        for (game, moves, mark, count, words) in [
            ("dots-and-boxes 3x3", None, ".edge-score.certain", 24, boxes),
            ("connect-four", Some("444442525533"), ".column-score.certain", 7, wins),
        ] {
            let id = begin(at, json!({ "game": game, "moves": moves }));
            browser.go(&format!("/g/{id}"));
            browser.wait("document.querySelector('.board.ready') !== null");
            browser.click("#study");
            browser.wait(&format!("document.querySelectorAll('{mark}').length === {count}"));
            browser.wait("document.querySelector('.lines td.certain') !== null");
            let cut = "[...document.querySelectorAll('.lines td.certain')]
                .filter((cell) => cell.scrollWidth > cell.clientWidth).length";
            assert_eq!(browser.run(&format!("return {cut}")), 0, "words of certainty are whole");
            // The solver knows who wins before it knows by how much.
            browser.wait(&format!(
                "document.querySelector('.facts strong.certain')?.textContent.includes({words:?})"
            ));
        }
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn any_engine_can_be_typed() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    let id = begin(at, json!({ "game": "connect-four", "moves": "44" }));
    browser.go(&format!("/g/{id}"));
    browser.click("#study");
    browser.wait(&format!("{ROWS} > 0"));
    browser.run(
        "const select = document.querySelector('[name=engine]');
         select.value = '\\n'; select.dispatchEvent(new Event('change'))",
    );
    browser.wait("document.activeElement.name === 'engine-text'");
    browser.keys("alpha-beta depth=5");
    browser.keys(key::ENTER);
    browser.wait("document.querySelector('.facts').textContent.includes('depth 5')");
    assert_eq!(browser.state("head.study.engine"), "alpha-beta depth=5");
    // A wrong one is refused in a sentence, and the one before goes on.
    browser.keys(" width=3");
    browser.keys(key::ENTER);
    browser.wait("document.querySelector('#toast:not([hidden])')?.textContent.includes('width')");
    browser.wait("document.querySelector('.facts').textContent.includes('depth 5')");
    assert_eq!(browser.state("head.study.engine"), "alpha-beta depth=5");
}

#[test]
fn a_link_opens_a_position_afresh() {
    if skipped() {
        return;
    }
    let browser = Browser::open(serve(), 1200, 800, "en-US");
    browser.go("/?game=connect-four+9x9+hole%3D5%2C1&moves=5544");
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 4");
    browser.wait("document.querySelector('.hole') !== null");
    // Position links analyse at once.
    browser.wait(&format!("{ROWS} > 0"));
    let link = browser.with_module("./panels/share.js", "done(module.link())");
    let path =
        link.as_str().unwrap().split_once("//").unwrap().1.split_once('/').unwrap().1.to_owned();
    browser.go(&format!("/{path}"));
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 4");
    browser.go("/?game=surakarta&position=b5/1b4/6/6/6/4ww+w");
    browser.wait("document.querySelectorAll('.layer-pieces .piece').length === 4");
    browser.go("/?game=chess");
    browser.wait("document.querySelector('#toast:not([hidden])')?.textContent.includes('chess')");
}

#[test]
fn a_game_is_reviewed_and_its_graph_jumps() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 1200, "en-US");
    let id = begin(at, json!({ "game": "connect-four 4x4", "moves": "1212131" }));
    browser.go(&format!("/g/{id}"));
    browser.click("[data-do=review]");
    browser.wait("document.querySelector('.severity-3, .severity-2') !== null");
    browser.wait("document.querySelector('.note').textContent.includes('found')");
    browser.click("[data-ply='6']");
    browser.wait("document.querySelector('.note').textContent.includes('Better')");
    browser.click(".graph svg");
    browser.wait("Number(document.querySelector('[aria-current=true][data-ply]').dataset.ply) < 6");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn both_searches_are_traced() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 1400, "en-US");
    for game in ["connect-four", "dots-and-boxes 2x2", "surakarta"] {
        let id = begin(at, json!({ "game": game }));
        browser.go(&format!("/g/{id}"));
        browser.click(".trace summary");
        for value in ["tree", "alpha-beta"] {
            browser.click(&format!(".trace input[value='{value}']"));
            browser.click("[data-do='trace-run']");
            browser.wait("document.querySelector('.tree .node') !== null");
            for _ in 0..9 {
                browser.click("[data-do='trace-step']");
            }
            assert!(!browser.text(".step-text").is_empty());
            assert!(
                browser.run("return document.querySelectorAll('.node').length").as_u64() > Some(1)
            );
        }
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn chains_are_drawn() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 800, "en-US");
    // A row of three boxes open at both ends, everything else drawn.
    let id = begin(at, json!({ "game": "dots-and-boxes 1x3", "moves": "0 1 2 3 4 5" }));
    browser.go(&format!("/g/{id}"));
    browser.click("[name=chains]");
    browser.wait("document.querySelector('.chain.long') !== null");
    browser.click("[name=chains]");
    browser.wait("document.querySelector('.chain') === null");
}
