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
    // What an address has wrong is said, and there is a board all the same.
    browser.go("/edit?game=connect-four&position=7/7/7/7/7/xx5+x");
    verdict(&browser, "can be played");
    browser.wait("document.querySelector('#toast:not([hidden])')?.textContent.includes('stones')");
    assert_eq!(browser.complaints().len(), 1, "the refusal");
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
    assert!(phone.text(".editor-verdict").contains("先手 2 子，后手 1 子"));
    brush(&phone, ".");
    phone.tap(".hit[data-place='4']");
    phone.wait("document.querySelectorAll('.layer-pieces .stone').length === 2");
    brush(&phone, "2");
    phone.tap(".hit[data-place='5']");
    phone.wait("document.querySelectorAll('.layer-pieces .stone').length === 3");
    phone.tap(".hit[data-place='5']");
    verdict(&phone, "轮到先手");
    assert_eq!(phone.run("return document.documentElement.scrollWidth <= 390"), true);
    // Every refusal that clicks can cause is in the page's language.
    for column in ["1", "2", "3"] {
        phone.tap(&format!(".hit[data-place='{column}']"));
    }
    brush(&phone, "1");
    for column in ["6", "7", "8", "9"] {
        phone.tap(&format!(".hit[data-place='{column}']"));
    }
    let own_words = |browser: &Browser, part: &str| {
        verdict(browser, part);
        let text = browser.text(".editor-verdict");
        assert!(!text.chars().any(|c| c.is_ascii_alphabetic()), "{text}");
    };
    own_words(&phone, "而轮到先手时双方应子数相等");
    phone.go("/edit?game=surakarta");
    verdict(&phone, "可以下");
    phone.tap("[data-do=clear]");
    own_words(&phone, "棋盘上没有棋子");
    phone.tap("[data-do=start]");
    verdict(&phone, "可以下");
    brush(&phone, "2");
    phone.tap(".hit[data-place='c3']");
    own_words(&phone, "白方有 13 枚棋子，而每方最多 12 枚");
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
