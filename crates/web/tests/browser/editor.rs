//! The position editor of every game.

use serde_json::json;

use crate::client::{begin, serve};
use crate::driver::{Browser, skipped};

fn verdict(browser: &Browser, part: &str) {
    browser.wait(&format!(
        "document.querySelector('.editor-verdict')?.textContent.includes({part:?})"
    ));
}

fn brush(browser: &Browser, sign: &str) {
    browser.click(&format!("[name=brush][value='{sign}']"));
}

#[test]
fn a_position_of_each_game_is_put_together_or_refused_in_a_sentence() {
    if skipped() {
        return;
    }
    let at = serve();
    let browser = Browser::open(at, 1200, 900, "en-US");
    browser.go("/");
    browser.click("[data-game='surakarta']");
    browser.click(".learn-links a[href^='/edit']");
    verdict(&browser, "can be played");
    browser.click("[data-do=clear]");
    verdict(&browser, "can't be: there is no piece on the board");
    assert_eq!(browser.run("return document.querySelector('[data-do=analyse]').disabled"), true);
    brush(&browser, "1");
    browser.click(".hit[data-place='d5']");
    brush(&browser, "2");
    browser.click(".hit[data-place='b3']");
    browser.click(".hit[data-place='f1']");
    browser.click(".hit[data-place='f1']");
    browser.click("[name=mover][value='1']");
    verdict(&browser, "White to move");
    assert_eq!(browser.text(".position-text"), "6/3b2/6/1w4/6/6 w 0");
    browser.click("[data-do=analyse]");
    browser.wait("location.pathname.startsWith('/g/')");
    browser.wait("document.querySelectorAll('.layer-pieces .piece').length === 2");
    assert_eq!(browser.state("head.to_move"), 1);
    // From a game, and by the finger on a phone.
    let phone = Browser::open(at, 390, 780, "zh-CN");
    let id = begin(at, json!({ "game": "connect-four 9x7 hole=5,1", "moves": "5,4" }));
    phone.go(&format!("/g/{id}"));
    phone.wait("document.querySelector('.layer-pieces .stone') !== null");
    phone.click("[data-do=edit]");
    verdict(&phone, "轮到先手");
    phone.tap(".hit[data-place='5']");
    verdict(&phone, "不可能有这样的局面");
    assert!(phone.text(".editor-verdict").contains("2 stones x and 1 stones o"));
    brush(&phone, ".");
    phone.tap(".hit[data-place='4']");
    phone.wait("document.querySelectorAll('.layer-pieces .stone').length === 2");
    brush(&phone, "2");
    phone.tap(".hit[data-place='5']");
    phone.wait("document.querySelectorAll('.layer-pieces .stone').length === 3");
    phone.tap(".hit[data-place='5']");
    verdict(&phone, "轮到先手");
    assert_eq!(phone.run("return document.documentElement.scrollWidth <= 390"), true);
    // Boxes are closed by their fourth edge, and may change their owner.
    browser.go("/edit?game=dots-and-boxes+2x2");
    verdict(&browser, "First to move");
    for edge in ["a1h", "a2h", "a1v", "b1v"] {
        browser.click(&format!(".hit[aria-label^='edge {edge}']"));
    }
    browser.wait("document.querySelectorAll('.box-1').length === 1");
    brush(&browser, "2");
    browser.click(".hit[data-place='box 2']");
    browser.wait("document.querySelectorAll('.box-2').length === 1");
    browser.click("[name=mover][value='1']");
    verdict(&browser, "Second to move");
    assert_eq!(browser.text(".position-text"), "614 second 0 4");
    browser.click("[data-do=play]");
    browser.wait("location.pathname.startsWith('/g/')");
    browser.wait("document.querySelector('.board.ready .hit.open') !== null");
    assert_eq!(browser.state("head.seats")[1], "human", "the one who moves is the reader");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(phone.complaints(), Vec::<String>::new());
}
