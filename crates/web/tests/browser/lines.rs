//! The variation tree: nothing that was played is lost by going back.

use serde_json::json;

use crate::client::{begin, get, post, serve};
use crate::driver::{Browser, key, skipped};

/// Waits until the list has these moves: of the game, and of the side lines.
#[track_caller]
fn listed(browser: &Browser, game: &str, side: &str) {
    let moves = |kind: &str| {
        format!(
            "[...document.querySelectorAll('.moves [data-{kind}]')]
               .map((one) => one.textContent).join(' ')"
        )
    };
    // The event stream brings it, perhaps after the answer with the position.
    browser.wait(&format!("{} === {game:?} && {} === {side:?}", moves("ply"), moves("node")));
}

fn stones(browser: &Browser, count: usize) {
    browser.wait(&format!("document.querySelectorAll('.layer-pieces .stone').length === {count}"));
}

#[test]
fn going_back_and_playing_keeps_the_game_and_adds_a_side_line() {
    if skipped() {
        return;
    }
    let at = serve();
    for (language, promote, sure) in
        [("en-US", "Promote line", "Delete from here"), ("zh-CN", "提升变着", "从这里删除")]
    {
        let browser = Browser::open(at, 1200, 900, language);
        let id = begin(at, json!({ "game": "connect-four", "moves": "4455221166" }));
        browser.go(&format!("/g/{id}"));
        stones(&browser, 10);
        for _ in 0..7 {
            browser.keys(key::LEFT);
        }
        stones(&browser, 3);
        browser.click(".hit.open[data-place='7']");
        stones(&browser, 4);
        browser.click(".hit.open[data-place='3']");
        stones(&browser, 5);
        listed(&browser, "4 4 5 5 2 2 1 1 6 6", "7 3");
        assert_eq!(browser.state("head.played"), 10, "the game is as it was");
        // Arrow keys walk along the side line, and the address follows.
        browser.run("document.activeElement.blur()");
        browser.keys(key::LEFT);
        stones(&browser, 4);
        browser.wait("location.hash === '#4.0'");
        // A line within the line, with a comment.
        browser.click(".hit.open[data-place='5']");
        stones(&browser, 5);
        listed(&browser, "4 4 5 5 2 2 1 1 6 6", "7 3 5");
        browser.click(".note-field summary");
        browser.click(".note-field textarea");
        browser.keys("better?");
        browser.keys(key::TAB);
        browser.wait("document.querySelector('.lines-here em')?.textContent === 'better?'");
        // It goes up within its line, then into the game.
        assert_eq!(browser.text("[data-do=promote]"), promote);
        assert_eq!(browser.text("[data-do=remove]"), sure);
        browser.click("[data-do=promote]");
        browser.wait(
            "[...document.querySelectorAll('[data-node]')].map((one) => one.textContent).join('') === '753'",
        );
        browser.click("[data-do=promote]");
        browser.wait("document.querySelectorAll('[data-ply]').length === 5");
        listed(&browser, "4 4 5 7 5", "5 2 2 1 1 6 6 3");
        assert_eq!(browser.text(".moves .comment"), "better?");
        stones(&browser, 5);
        // Everything is there after a reload.
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelectorAll('[data-node]').length === 8");
        // Removing one line leaves the others.
        browser.run(
            "[...document.querySelectorAll('[data-node]')].find((one) => one.textContent === '3').click()",
        );
        browser.click("[data-do=remove]");
        browser.wait("document.querySelectorAll('[data-node]').length === 7");
        let record = get(at, &format!("/api/games/{id}/record")).body;
        assert!(record.contains("moves: 4 4 5 7 (5 2 2 1 1 6 6) 5 {better?}"), "{record}");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn a_link_and_a_record_have_the_whole_tree() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    let moves = "c5-c4 d2-d3 (e2-e3 {a wing} f5-f4) b5-b4";
    let id = begin(at, json!({ "game": "surakarta", "moves": moves }));
    browser.go(&format!("/g/{id}#2"));
    browser.wait("document.querySelectorAll('[data-node]').length === 2");
    let link = browser.with_module("./panels/share.js", "done(module.link())");
    let link = link.as_str().unwrap();
    assert!(link.ends_with("#2"), "{link}");
    browser.go(link.split_once(&at.to_string()).unwrap().1);
    browser.wait(&format!(
        "location.pathname.startsWith('/g/') && !location.pathname.includes('{id}')"
    ));
    browser.wait("document.querySelectorAll('[data-node]').length === 2");
    assert_eq!(browser.state("view"), 2);
    assert_eq!(browser.text(".lines-here em"), "a wing");
    let record = get(at, &format!("/api/games/{id}/record")).body;
    assert!(record.contains(&format!("moves: {moves}")), "{record}");
}

#[test]
fn a_game_with_an_engine_asks_before_it_goes_back() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    let seats = json!(["human", { "engine": "level n=1" }]);
    let id = begin(at, json!({ "game": "connect-four", "seats": seats, "moves": "4433" }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready .hit.open') !== null");
    browser.keys(key::HOME);
    browser.wait("document.querySelectorAll('.layer-pieces .stone').length === 0");
    browser.wait("document.querySelector('.board.ready .hit.open') !== null");
    // No: nothing happens.
    browser
        .run("window.asked = []; window.confirm = (text) => { asked.push(text); return false; }");
    browser.click(".hit.open[data-place='1']");
    browser.wait("asked.length === 1");
    assert!(browser.run("return asked[0]").as_str().unwrap().contains("4 moves"));
    assert_eq!(browser.state("head.played"), 4);
    // Yes: the engine answers the new move, and the old ones are a side line.
    browser.run("window.confirm = () => true");
    browser.click(".hit.open[data-place='1']");
    browser.wait("document.querySelectorAll('[data-ply]').length === 2");
    browser.wait("document.querySelectorAll('[data-node]').length === 4");
    assert_eq!(browser.text("[data-ply='1']"), "1");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn side_lines_are_analysed_and_go_on_after_the_end() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    let id = begin(at, json!({ "game": "connect-four", "moves": "4455" }));
    post(at, &format!("/api/games/{id}"), &json!({ "do": "resign", "player": 0 })).good();
    browser.go(&format!("/g/{id}"));
    stones(&browser, 4);
    browser.click(".hit.open[data-place='3']");
    stones(&browser, 5);
    listed(&browser, "4 4 5 5", "3");
    assert!(browser.text(".status").contains("Second wins"), "the game ended as it did");
    browser.click("#study");
    browser.wait("document.querySelectorAll('.lines tbody tr').length > 0");
    assert_eq!(browser.state("analysis.ply"), 5);
    assert_eq!(browser.state("analysis.mover"), 1, "of the side line's position");
    // On a phone a tap in the list shows the side line.
    let phone = Browser::open(at, 390, 780, "zh-CN");
    phone.go(&format!("/g/{id}"));
    stones(&phone, 4);
    phone.tap("[data-node='0']");
    stones(&phone, 5);
    phone.tap("[data-ply='2']");
    stones(&phone, 2);
    assert_eq!(phone.run("return document.documentElement.scrollWidth <= 390"), true);
    for browser in [browser, phone] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}
